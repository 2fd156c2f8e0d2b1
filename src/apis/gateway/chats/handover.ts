import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { HANDOVER_ACTIONS } from "../../../contract/abilities/handover.ts";
import { changeHolder, getHolder } from "../../../core/conversations/handover.ts";
import type { HeldBy } from "../../../core/domain-event.ts";
import { iso } from "../../../kernel/clock.ts";
import { described, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import { inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { Holder } from "../events/event-schemas/parts.ts";
import { route } from "../route-options.ts";
import { PHONE_IN_PATH, UPSTREAM_REFUSALS } from "../schemas.ts";

/** The schema of the app that leads a conversation. */
export const HolderView = Nullable(Holder);
const ControlView = Type.Object(
  { heldBy: described(HolderView, "The other app that leads the conversation; null if none does") },
  { title: "ConversationControl" },
);

const ControlBody = Type.Object({
  action: OneOf(HANDOVER_ACTIONS, {
    description: "Whether the lead is passed on, taken or given back; `pass` needs `targetRole`",
  }),
  targetRole: Type.Optional(described(Text(1, 60), "The role that gets the lead; only for `pass`", "page_inbox")),
  metadata: Type.Optional(Text(0, 2000, "A text for the app that leads the conversation next")),
});

/** The app that leads a conversation, as this API shows it. */
export const heldByView = (heldBy: HeldBy | null): Static<typeof HolderView> =>
  heldBy && { role: heldBy.role, since: iso(heldBy.since) };

/** The app that leads a conversation which several apps share. `to` is the recipient as in a send, URL-encoded. */
export const handover = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/phones",
    tags: ["messages"],
    detail: inPath({ ...PHONE_IN_PATH, to: Type.String({ description: "The other person's id or canonical key" }) }),
  })
    .use(auth)
    .get(
      "/:id/conversations/:to/control",
      async ({ principal, params: { id, to } }) => ({
        heldBy: heldByView(await getHolder(env, principal, { channelId: id, to })),
      }),
      {
        response: { 200: ControlView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({ operationId: "getConversationControl", isolation: { id: "channel" } }),
          summary: "Get the app that leads the conversation with a person",
          description: "`heldBy` is null if this app leads it, or no app does.",
        },
      },
    )
    .post(
      "/:id/conversations/:to/control",
      async ({ principal, params: { id, to }, body }) => ({
        heldBy: heldByView(await changeHolder(env, principal, { channelId: id, to, ...body })),
      }),
      {
        body: ControlBody,
        response: { 200: ControlView, ...UPSTREAM_REFUSALS },
        detail: {
          ...route({
            operationId: "changeConversationControl",
            acts: "none: daily work",
            isolation: { id: "channel" },
          }),
          summary: "Pass a conversation to another app, take it, or release it",
          description: "`pass` needs `targetRole`. Only kinds whose numbers several apps share can do it.",
        },
      },
    );
