import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { OPERATIONS } from "../../../contract/capabilities.ts";
import { type Channel, getChannel } from "../../../core/channels/channel.ts";
import { adapterMissing } from "../../../core/channels/refusals.ts";
import { HOUR_MS, MINUTE_MS } from "../../../kernel/clock.ts";
import { described, Nullable, OneOf } from "../../../kernel/schema.ts";
import { inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { PHONE_IN_PATH, REFUSALS } from "../schemas.ts";

const LimitView = Type.Object(
  {
    operation: OneOf(OPERATIONS, { description: "The operation that this limits", examples: ["edit"] }),
    types: described(
      Nullable(Type.Array(Type.String(), { description: "The types of sent messages that allow it; null: all" })),
      "The types of sent messages that the operation takes; null means all",
    ),
    withinMinutes: Nullable(
      Type.Number({
        description: "The age of a message after which the operation is accepted without an effect; null: at no age",
      }),
    ),
  },
  { title: "OperationLimit" },
);

const CapabilitiesView = Type.Object(
  {
    contentTypes: Type.Array(Type.String(), { description: "The types of content that a send may have" }),
    onReceived: Type.Array(OneOf(OPERATIONS), { description: "The operations on a received message" }),
    onSent: Type.Array(OneOf(OPERATIONS), { description: "The operations on a sent message" }),
    operationLimits: Type.Array(LimitView, { description: "The operations that only some messages allow" }),
    takesUploads: Type.Boolean({
      description: "Whether a send may name a file that POST /v1/media/files has kept",
    }),
    hasTemplates: Type.Boolean({ description: "Whether the network reviews templates" }),
    hasGroups: Type.Boolean({
      description: "Whether GET /v1/groups and the other routes of groups work with the phone",
    }),
    hasCalls: Type.Boolean({ description: "Whether the routes of calls work with the phone" }),
    answerWindowHours: Nullable(
      Type.Number({
        description: "How many hours after a person's message the phone may answer freely; null means for good",
      }),
    ),
  },
  { title: "PhoneCapabilities" },
);

const viewOf = (
  { registry, supervisor }: Pick<GatewayEnv, "registry" | "supervisor">,
  { id, kind }: Channel,
): Static<typeof CapabilitiesView> => {
  const link = supervisor.linkOf({ id, kind }, "live");
  const declared = registry.declared(kind);
  if (!declared) throw adapterMissing(kind);
  const { send, keptFiles = false, templates } = declared.capabilities;
  // as an operation is accepted: by the simulator if it replaces the network
  const { operations } = (registry.of(kind, "live") ?? declared).capabilities;
  const { answerWindowMs } = declared.network;
  return {
    contentTypes: Object.keys(send).toSorted(),
    onReceived: OPERATIONS.filter((name) => operations[name]?.inbound),
    onSent: OPERATIONS.filter((name) => operations[name]?.outbound),
    operationLimits: OPERATIONS.flatMap((operation) => {
      const { types, withinMs } = operations[operation] ?? {};
      return types || withinMs !== undefined
        ? [
            {
              operation,
              types: types ? [...types] : null,
              withinMinutes: withinMs === undefined ? null : withinMs / MINUTE_MS,
            },
          ]
        : [];
    }),
    takesUploads: keptFiles,
    hasTemplates: templates,
    hasGroups: link?.groups !== undefined,
    hasCalls: link?.calls !== undefined,
    answerWindowHours: answerWindowMs === undefined ? null : answerWindowMs / HOUR_MS,
  };
};

/** The capabilities of a phone's network, so that a program offers nothing else. */
export const capabilities = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) })
    .use(auth)
    .get(
      "/:id/capabilities",
      async ({ principal, params }) => viewOf(env, await getChannel(env, principal, params.id)),
      {
        response: { 200: CapabilitiesView, ...REFUSALS },
        detail: {
          ...route({ operationId: "getPhoneCapabilities", isolation: { id: "channel" } }),
          summary: "Get the capabilities of a phone's network",
          description: "It follows from the phone's type, whether it is connected or not.",
        },
      },
    );
