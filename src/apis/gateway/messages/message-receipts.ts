import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { readReceipts } from "../../../core/messaging/sending/receipts-by-person.ts";
import { described } from "../../../kernel/schema.ts";
import { inPath } from "../../shared/fields.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { viewsOf } from "../events/event-views.ts";
import { route } from "../route-options.ts";
import { InstantOrNull, REFUSALS } from "../schemas.ts";
import { Person } from "./message-log.ts";

const ReceiptView = Type.Object(
  {
    person: described(Type.Composite([Person], { title: "ChatPerson" }), "The person whose receipts these are"),
    deliveredAt: described(
      InstantOrNull,
      "When the first device of the person got it; null before",
      "2026-11-22T12:00:02.000Z",
    ),
    readAt: described(InstantOrNull, "When the person read it; null if unread, or if the person hides it"),
    playedAt: described(InstantOrNull, "When the person played the voice note; null if not played"),
  },
  { title: "PersonReceipts" },
);
const ReceiptsView = Type.Object(
  {
    items: Type.Array(ReceiptView, {
      description: "The people with a receipt, in the order of their first receipts",
    }),
  },
  { title: "MessageReceipts" },
);

/** Who got, read and played a message. */
export const messageReceipts = (env: GatewayEnv, auth: GatewayAuth, baseUrl: () => string) =>
  new Elysia({
    prefix: "/v1/messages",
    tags: ["messages"],
    detail: inPath({ id: Type.String({ description: "The message, by its `messageId`" }) }),
  })
    .use(auth)
    .get(
      "/:id/receipts",
      async ({ principal, params }) => {
        const { message, receipts } = await readReceipts(env, principal, params.id);
        const { person } = viewsOf(env.registry, message.kind, baseUrl());
        return { items: receipts.map((one) => toView(ReceiptView, one, { person: person(one.person) })) };
      },
      {
        response: { 200: ReceiptsView, ...REFUSALS },
        detail: {
          ...route({ operationId: "listMessageReceipts", isolation: { id: "message" } }),
          summary: "List the people who got, read and played a sent message",
          description:
            "In a group, each member has an entry with the first receipt. A person who has turned read receipts " +
            "off stays without `readAt`. A received message answers 404.",
        },
      },
    );
