import { type Static, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { LINK_STATES } from "../../../contract/events.ts";
import type { ChannelKind, COMMON_PHONE_FIELDS } from "../../../contract/kind.ts";
import type { ChannelPlugin } from "../../../contract/plugin.ts";
import { type Channel, createChannel, firstStateOf, getChannel, readChannels } from "../../../core/channels/channel.ts";
import type { Registry } from "../../../core/channels/links/registry.ts";
import { awayReasonOf } from "../../../core/channels/links/report.ts";
import { restrictionOf } from "../../../core/channels/links/restriction.ts";
import { creationFields, creationSettingsIn } from "../../../core/channels/settings/phone-settings.ts";
import {
  changeWebhooks,
  readWebhook,
  retryWebhook,
  type WebhookInput,
  webhooksByChannel,
} from "../../../core/channels/settings/webhooks.ts";
import type { Subscription } from "../../../core/events/subscriptions.ts";
import { removeChannel } from "../../../core/removal.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { invalid } from "../../../kernel/errors.ts";
import { described, issue, KnownWord, Nullable, OneOf, OwnWord, Text, Uuid } from "../../../kernel/schema.ts";
import { creatable, credentialsOf } from "../../shared/channels/channel-kinds.ts";
import { describedAs } from "../../shared/description/json-schema.ts";
import { CreatedAt, Id, inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { Restriction } from "../events/event-schemas/parts.ts";
import { restrictionView } from "../events/event-views.ts";
import { GATEWAY } from "../events/render.ts";
import { route } from "../route-options.ts";
import {
  Instant,
  InstantOrNull,
  Nothing,
  PHONE_IN_PATH,
  PROXY_UNREACHABLE,
  REFUSALS,
  RetryView,
  WebhookBlock,
} from "../schemas.ts";

const PatchBody = Type.Object({
  webhook: Type.Optional(
    described(WebhookBlock, "Where the phone's events go; it replaces the earlier block", {
      url: "https://padaria-estrela.example/eventos",
      secret: "segredo-de-exemplo",
      events: ["message:received"],
    }),
  ),
  sharedWebhookId: Type.Optional(described(Nullable(Uuid()), "Missing or null unlinks")),
  type: Type.Optional(Type.Unknown({ description: "Refused: it cannot be changed" })),
  label: Type.Optional(Type.Unknown({ description: "Refused: it cannot be changed", examples: ["Loja Centro"] })),
});

const restrictionIn = (channel: Channel): Static<typeof Restriction> | null => {
  const restriction = restrictionOf(channel);
  return restriction && restrictionView(restriction);
};

/** The fields of every phone. */
const phoneFields = (kinds: readonly string[]) =>
  ({
    id: Id("The phone's id"),
    accountId: Id("The account that the phone belongs to", "account"),
    type: KnownWord(kinds, { title: "PhoneType", description: "The kind of phone, which decides what it can do" }),
    label: Type.String({ description: "A name for the account's own people", examples: ["Loja Centro"] }),
    phoneNumber: Nullable(
      Type.String({
        description: "Digits with country code; null or absent if unknown",
        examples: ["5511999990001"],
      }),
    ),
    status: OneOf(LINK_STATES, {
      title: "PhoneStatus",
      description: "Whether the phone is connected",
      examples: ["CONNECTED"],
    }),
    webhookUrl: Nullable(
      Type.String({
        description: "The phone's own webhook; null without one",
        examples: ["https://padaria-estrela.example/eventos"],
      }),
    ),
    webhookEvents: Type.Array(Type.String(), {
      description: "Event types; empty means all",
      examples: [["message:received"]],
    }),
    sharedWebhookId: Nullable(Type.String({ description: "The linked shared webhook; null without one" })),
    disconnectedAt: described(InstantOrNull, "When it was disconnected; null while it is connected"),
    stateReason: Nullable(
      Type.String({
        description:
          "Why the phone is not connected, such as PARTNER_REMOVED; null while it is connected, or if the reason is unknown",
      }),
    ),
    stateSince: Nullable(
      Type.String({
        format: "date-time",
        description: "When the phone got its status; null before the first connection",
        examples: ["2026-11-22T12:00:00.000Z"],
      }),
    ),
    restriction: described(
      Nullable(Restriction),
      "The network's current restriction of the phone; null without a restriction",
    ),
    createdAt: CreatedAt("phone"),
    updatedAt: described(Instant, "When the phone last changed"),
  }) satisfies Record<(typeof COMMON_PHONE_FIELDS)[number], TSchema>;

/** The fields that adapters declare. Each is optional, because phones of the other kinds do not have it. */
const declaredFields = ({ adapters }: Registry): TProperties =>
  Object.fromEntries(
    adapters.flatMap(({ phoneFields: declared }) =>
      Object.entries(declared?.schema ?? {}).map(([name, schema]) => [name, Type.Optional(schema)]),
    ),
  );

/** The schema of a phone of any kind: the common fields, and those that the adapters declare. */
export const phoneViewSchema = (registry: Registry) =>
  Type.Object({ ...phoneFields(registry.kinds), ...declaredFields(registry) }, { title: "Phone" });
export type PhoneView = Static<ReturnType<typeof phoneViewSchema>>;

const createSchemas = (registry: Registry) => ({
  CreateBody: Type.Object({
    type: OwnWord(
      creatable(registry).map(({ kind }) => kind),
      { description: "One of the types of `GET /v1/kinds`. It cannot be changed later" },
    ),
    label: described(Text(1, 120), "A name for the account's own people", "Loja Centro"),
    webhook: Type.Optional(
      described(WebhookBlock, "Where the phone's events go", {
        url: "https://padaria-estrela.example/eventos",
        secret: "segredo-de-exemplo",
        events: ["message:received"],
      }),
    ),
    credentials: Type.Optional(
      described(credentialsOf(registry), "What the type needs, as `GET /v1/kinds` lists it; else refused", {
        phoneNumberId: "5647382910",
        businessAccountId: "1029384756",
        accessToken: "EAAGexemplo",
      }),
    ),
    ...creationFields(registry),
  }),
  CreatedView: Type.Object(
    {
      id: Id("The phone's id"),
      type: KnownWord(registry.kinds, {
        title: "PhoneType",
        description: "The kind of phone, which decides what it can do",
      }),
      status: OneOf(LINK_STATES, {
        title: "PhoneStatus",
        description: "Whether the phone is connected",
        examples: ["CONNECTED"],
      }),
      label: Type.String({ description: "A name for the account's own people", examples: ["Loja Centro"] }),
      webhookUrl: Nullable(
        Type.String({
          description: "The phone's own webhook; null without one",
          examples: ["https://padaria-estrela.example/eventos"],
        }),
      ),
      createdAt: CreatedAt("phone"),
    },
    { title: "CreatedPhone" },
  ),
});

/** A phone that was deleted here, with a step that only the number's owner can do. */
const DeletedView = Type.Object(
  {
    deleted: Type.Boolean({ description: "True: the phone is deleted here" }),
    pending: described(
      Type.Object(
        {
          action: OneOf(["DISCONNECT_IN_BUSINESS_APP"], {
            description: "The steps that the number's owner still has to take",
          }),
          reason: Type.String({
            description: "Why the step is needed, for people",
            examples: ["The owner has to disconnect the number in the business app."],
          }),
        },
        { title: "PendingRemoval" },
      ),
      "A step that only the number's owner can do",
    ),
  },
  { title: "DeletedPhone" },
);

export const phoneView = (
  { registry, clock }: Pick<GatewayEnv, "registry" | "clock">,
  channel: Channel,
  webhook: Subscription | undefined,
): PhoneView => ({
  id: channel.id,
  accountId: channel.tenantId,
  type: channel.kind,
  label: channel.label,
  phoneNumber: channel.phoneNumber,
  status: channel.state,
  webhookUrl: webhook?.url ?? null,
  webhookEvents: webhook?.events ?? [],
  sharedWebhookId: channel.sharedWebhookId,
  disconnectedAt: isoOrNull(channel.disconnectedAt),
  stateReason: awayReasonOf(channel, clock.now()),
  stateSince: isoOrNull(channel.stateSince),
  restriction: restrictionIn(channel),
  createdAt: iso(channel.createdAt),
  updatedAt: iso(channel.updatedAt),
  ...registry.declared(channel.kind)?.phoneFields?.of(channel),
});

/** The webhook block as the core expects it; absent fields stay absent. */
export const webhookInput = ({ url, secret, events }: Static<typeof WebhookBlock>): WebhookInput => ({
  audience: GATEWAY,
  ...(url === undefined ? {} : { url }),
  ...(secret === undefined ? {} : { secret }),
  ...(events === undefined ? {} : { events }),
});

/**
 * Creation by credentials is deprecated for a network with a sign-up, because it stores them without asking the
 * upstream.
 */
const DEPRECATED = { Deprecation: "true", Link: "</v1/phones/waba/embedded-signup>; rel=successor-version" };

const refuseFixed = (body: { type?: unknown; label?: unknown }) => {
  const fixed = (["type", "label"] as const).filter((field) => body[field] !== undefined);
  if (fixed.length > 0) throw invalid(...fixed.map((field) => issue(field, "forbidden", "cannot be changed")));
};

const deregisterOf = (text: string | undefined): boolean => {
  if (text !== undefined && text !== "true" && text !== "false")
    throw invalid(issue("deregister", "type", "must be true or false"));
  return text === "true";
};

const adapterOf = ({ registry }: GatewayEnv, kind: ChannelKind): ChannelPlugin => {
  const adapter = registry.declared(kind);
  if (!adapter) throw new Error(`the schema let the kind ${kind} through`);
  return adapter;
};

export const phones = (env: GatewayEnv, auth: GatewayAuth) => {
  const { CreateBody, CreatedView } = createSchemas(env.registry);
  const PhoneView = phoneViewSchema(env.registry);
  return new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) })
    .use(auth)
    .post(
      "/",
      async ({ principal, body, set, status }) => {
        const { channel, webhook } = await createChannel(env, principal, {
          kind: body.type,
          label: body.label,
          state: firstStateOf(adapterOf(env, body.type)),
          ...(body.credentials === undefined ? {} : { credentials: body.credentials }),
          ...(body.webhook === undefined ? {} : { webhook: webhookInput(body.webhook) }),
          settings: creationSettingsIn(body),
        });
        if (adapterOf(env, body.type).signup) Object.assign(set.headers, DEPRECATED);
        return status(201, {
          id: channel.id,
          type: channel.kind,
          status: channel.state,
          label: channel.label,
          webhookUrl: webhook?.url ?? null,
          createdAt: iso(channel.createdAt),
        });
      },
      {
        body: CreateBody,
        response: { 201: CreatedView, ...REFUSALS, 422: PROXY_UNREACHABLE },
        detail: {
          ...route({ operationId: "createPhone", acts: ["channel.create"], isolation: "own" }),
          summary: "Create a phone",
          description:
            "A SESSION waits for its QR code to be scanned. A WABA needs `credentials`, which are checked " +
            "afterwards; the sign-up is the better way to create it. The type decides whether `proxy` and " +
            "`history` are allowed.",
        },
      },
    )
    .get(
      "/",
      async ({ principal }) => {
        const webhooks = await webhooksByChannel(env, principal);
        return (await readChannels(env, principal)).map((channel) => phoneView(env, channel, webhooks.get(channel.id)));
      },
      {
        response: { 200: Type.Array(PhoneView), ...REFUSALS },
        detail: {
          ...route({ operationId: "listPhones", isolation: "own" }),
          summary: "List the account's phones, newest first",
          description: "The answer has every phone of the account.",
        },
      },
    )
    .get(
      "/:id",
      async ({ principal, params }) => {
        const channel = await getChannel(env, principal, params.id);
        return phoneView(env, channel, await readWebhook(env, principal, channel.id));
      },
      {
        response: { 200: PhoneView, ...REFUSALS },
        detail: {
          ...route({ operationId: "getPhone", isolation: { id: "channel" } }),
          summary: "Get a phone",
          description: "A field that only some types have is absent on the others.",
        },
      },
    )
    .patch(
      "/:id",
      async ({ principal, params, body }) => {
        refuseFixed(body);
        const input = {
          ...(body.webhook === undefined ? {} : { webhook: webhookInput(body.webhook) }),
          sharedWebhookId: body.sharedWebhookId ?? null,
        };
        const channel = await changeWebhooks(env, principal, params.id, input);
        return phoneView(env, channel, await readWebhook(env, principal, channel.id));
      },
      {
        body: PatchBody,
        response: { 200: PhoneView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "updatePhone",
            acts: ["webhook.change", "webhook.delete"],
            isolation: { id: "channel", sharedWebhookId: "webhook" },
          }),
          summary: "Replace a phone's webhook, link or unlink a shared one",
          description:
            "A field that is missing in `webhook` is removed, and a missing `sharedWebhookId` unlinks. `type` " +
            "and `label` cannot be changed.",
        },
      },
    )
    .post(
      "/:id/webhook/retry",
      async ({ principal, params, status }) => {
        await retryWebhook(env, principal, params.id);
        return status(202, { id: params.id, status: "enqueued" as const });
      },
      {
        response: { 202: RetryView, ...REFUSALS },
        detail: {
          ...route({ operationId: "retryPhoneWebhook", acts: "none: daily work", isolation: { id: "channel" } }),
          summary: "Try all waiting deliveries of the phone's webhook now",
          description: "The deliveries are tried in the background. Their attempts show the results.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ principal, params, query, status }) => {
        const pending = await removeChannel(env, principal, params.id, {
          deregister: deregisterOf(query.deregister),
        });
        return pending ? status(200, { deleted: true, pending }) : status(204, undefined);
      },
      {
        query: Type.Object({
          deregister: Type.Optional(
            described(
              Type.String(describedAs({ type: "boolean", default: false })),
              "True also removes an official number from the network, irreversibly; false by default",
            ),
          ),
        }),
        response: { 200: DeletedView, 204: Nothing, ...REFUSALS },
        detail: {
          ...route({
            operationId: "deletePhone",
            acts: ["channel.delete"],
            isolation: { id: "channel" },
            link: "required",
          }),
          summary: "Delete a phone for good",
          description:
            "Its session ends and its media are erased. 200 if the number's owner has a step left to do, 204 " +
            "otherwise.",
        },
      },
    );
};
