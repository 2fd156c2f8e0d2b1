import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { LINK_STATES } from "../../contract/events.ts";
import { CHANNEL_KINDS } from "../../contract/plugin.ts";
import { type Channel, channelsOf, createChannel, getChannel } from "../../core/channels/channel.ts";
import { awayReasonOf } from "../../core/channels/report.ts";
import { changeWebhooks, retryWebhook, type WebhookInput, webhookOf, webhooksByChannel } from "../../core/channels/webhooks.ts";
import type { Subscription } from "../../core/events/subscriptions.ts";
import { removeChannel } from "../../core/removal.ts";
import { iso, isoOrNull } from "../../kernel/clock.ts";
import { invalid } from "../../kernel/errors.ts";
import { AnyText, issue, Nullable, OneOf, Text, Uuid } from "../../kernel/schema.ts";
import { actingAs } from "../shared/face-env.ts";
import type { GatewayAuth } from "./auth.ts";
import type { GatewayEnv } from "./env.ts";
import { facts } from "./facts.ts";
import { GATEWAY } from "./render.ts";
import { Instant, InstantOrNull, Nothing, REFUSALS, RetryView, WebhookBlock } from "./schemas.ts";

const CreateBody = Type.Object({
  type: OneOf(["SESSION", "WABA"]),
  label: Text(1, 120),
  webhook: Type.Optional(WebhookBlock),
  credentials: Type.Optional(
    Type.Object({
      phoneNumberId: Type.Optional(AnyText()),
      businessAccountId: Type.Optional(AnyText()),
      accessToken: Type.Optional(AnyText()),
      verifyToken: Type.Optional(AnyText()),
    }),
  ),
});

const PatchBody = Type.Object({
  webhook: Type.Optional(WebhookBlock),
  sharedWebhookId: Type.Optional(Nullable(Uuid())),
  type: Type.Optional(Type.Unknown()),
  label: Type.Optional(Type.Unknown()),
});

const CreatedView = Type.Object({
  id: Type.String(),
  type: OneOf(CHANNEL_KINDS),
  status: OneOf(LINK_STATES),
  label: Type.String(),
  webhookUrl: Nullable(Type.String()),
  createdAt: Instant,
});

const OptionalText = Type.Optional(Nullable(Type.String()));
export const PhoneView = Type.Object({
  id: Type.String(),
  accountId: Type.String(),
  type: OneOf(CHANNEL_KINDS),
  label: Type.String(),
  phoneNumber: Nullable(Type.String()),
  status: OneOf(LINK_STATES),
  webhookUrl: Nullable(Type.String()),
  webhookEvents: Type.Array(Type.String()),
  sharedWebhookId: Nullable(Type.String()),
  disconnectedAt: InstantOrNull,
  stateReason: Nullable(Type.String({ description: "Why the phone is not connected, such as PARTNER_REMOVED; null while it is, or where nothing is known" })),
  stateSince: Nullable(Type.String({ format: "date-time", description: "Since when the phone has had its status" })),
  createdAt: Instant,
  updatedAt: Instant,
  wabaPhoneNumberId: OptionalText,
  wabaBusinessAccountId: OptionalText,
  wabaThroughputLevel: OptionalText,
  wabaQualityRating: OptionalText,
  wabaWebhookConfigured: Type.Optional(Type.Boolean()),
  wabaCoexistence: Type.Optional(Type.Boolean()),
  wabaContactsSyncAt: Type.Optional(InstantOrNull),
  wabaHistorySyncAt: Type.Optional(InstantOrNull),
  igUserId: OptionalText,
  igUsername: OptionalText,
  igAccountType: OptionalText,
  igTokenExpiresAt: Type.Optional(InstantOrNull),
  igWebhookConfigured: Type.Optional(Type.Boolean()),
});

/** Deleted here; something is left that only the number's owner can do. */
const DeletedView = Type.Object({ deleted: Type.Boolean(), pending: Type.Object({ action: OneOf(["DISCONNECT_IN_BUSINESS_APP"]), reason: Type.String() }) });

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** What only an official WhatsApp number shows. One made from credentials is never shared with the business app. */
const wabaView = ({ numberId, accountId, profile, isWebhookConfigured }: Channel): Partial<Static<typeof PhoneView>> => ({
  wabaPhoneNumberId: numberId,
  wabaBusinessAccountId: accountId,
  wabaThroughputLevel: textOrNull(profile["wabaThroughputLevel"]),
  wabaQualityRating: textOrNull(profile["wabaQualityRating"]),
  wabaWebhookConfigured: isWebhookConfigured,
  wabaCoexistence: profile["wabaCoexistence"] === true,
  wabaContactsSyncAt: textOrNull(profile["wabaContactsSyncAt"]),
  wabaHistorySyncAt: textOrNull(profile["wabaHistorySyncAt"]),
});

/** What only an account of the photo network shows. */
const socialView = ({ numberId, profile }: Channel): Partial<Static<typeof PhoneView>> => ({
  igUserId: numberId,
  igUsername: textOrNull(profile["igUsername"]),
  igAccountType: textOrNull(profile["igAccountType"]),
  igTokenExpiresAt: textOrNull(profile["igTokenExpiresAt"]),
  igWebhookConfigured: profile["igWebhookConfigured"] === true,
});

export const phoneView = (channel: Channel, webhook: Subscription | undefined): Static<typeof PhoneView> => ({
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
  stateReason: awayReasonOf(channel),
  stateSince: isoOrNull(channel.stateSince),
  createdAt: iso(channel.createdAt),
  updatedAt: iso(channel.updatedAt),
  ...(channel.kind === "WABA" ? wabaView(channel) : {}),
  ...(channel.kind === "SOCIAL" ? socialView(channel) : {}),
});

/** The block as the core takes it; absent fields stay absent. */
export const webhookInput = ({ url, secret, events }: Static<typeof WebhookBlock>): WebhookInput => ({
  audience: GATEWAY,
  ...(url === undefined ? {} : { url }),
  ...(secret === undefined ? {} : { secret }),
  ...(events === undefined ? {} : { events }),
});

const FIRST_STATE = { SESSION: "PENDING_QR", WABA: "PENDING_WEBHOOK" } as const;
/** Creation by credentials is the legacy way: it writes them without asking the upstream. */
const DEPRECATED = { Deprecation: "true", Link: "</v1/phones/waba/embedded-signup>; rel=successor-version" };

const refuseFixed = (body: { type?: unknown; label?: unknown }) => {
  const fixed = (["type", "label"] as const).filter((field) => body[field] !== undefined);
  if (fixed.length > 0) throw invalid(...fixed.map((field) => issue(field, "forbidden", "cannot be changed")));
};

const deregisterOf = (text: string | undefined): boolean => {
  if (text !== undefined && text !== "true" && text !== "false") throw invalid(issue("deregister", "type", "must be true or false"));
  return text === "true";
};

export const phones = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"] })
    .use(auth)
    .post(
      "/",
      async ({ principal, body, set, status }) => {
        const { channel, webhook } = await createChannel(actingAs(env, principal), principal, {
          kind: body.type,
          label: body.label,
          state: FIRST_STATE[body.type],
          ...(body.credentials === undefined ? {} : { credentials: body.credentials }),
          ...(body.webhook === undefined ? {} : { webhook: webhookInput(body.webhook) }),
        });
        if (channel.kind === "WABA") Object.assign(set.headers, DEPRECATED);
        return status(201, {
          id: channel.id,
          type: channel.kind,
          status: channel.state,
          label: channel.label,
          webhookUrl: webhook?.url ?? null,
          createdAt: iso(channel.createdAt),
        });
      },
      { body: CreateBody, response: { 201: CreatedView, ...REFUSALS }, detail: { operationId: "createPhone", summary: "Create a phone" } },
    )
    .get(
      "/",
      async ({ principal }) => {
        const webhooks = await webhooksByChannel(env, principal);
        return (await channelsOf(env, principal)).map((channel) => phoneView(channel, webhooks.get(channel.id)));
      },
      { response: { 200: Type.Array(PhoneView), ...REFUSALS }, detail: { operationId: "listPhones", summary: "List the account's phones, newest first" } },
    )
    .get(
      "/:id",
      async ({ principal, params }) => {
        const channel = await getChannel(env, principal, params.id);
        return phoneView(channel, await webhookOf(env, principal, channel.id));
      },
      { response: { 200: PhoneView, ...REFUSALS }, detail: { operationId: "getPhone", summary: "Get a phone" } },
    )
    .patch(
      "/:id",
      async ({ principal, params, body }) => {
        refuseFixed(body);
        const input = { ...(body.webhook === undefined ? {} : { webhook: webhookInput(body.webhook) }), sharedWebhookId: body.sharedWebhookId ?? null };
        const channel = await changeWebhooks(actingAs(env, principal), principal, params.id, input);
        return phoneView(channel, await webhookOf(env, principal, channel.id));
      },
      { body: PatchBody, response: { 200: PhoneView, ...REFUSALS }, detail: { operationId: "updatePhone", summary: "Replace a phone's webhook, link or unlink a shared one" } },
    )
    .post(
      "/:id/webhook/retry",
      async ({ principal, params, status }) => {
        await retryWebhook(env, principal, params.id);
        return status(202, { id: params.id, status: "enqueued" as const });
      },
      { response: { 202: RetryView, ...REFUSALS }, detail: { operationId: "retryPhoneWebhook", summary: "Try all deliveries that wait for the phone's webhook now" } },
    )
    .delete(
      "/:id",
      async ({ principal, params, query, status }) => {
        const pending = await removeChannel(actingAs(env, principal), principal, params.id, { deregister: deregisterOf(query.deregister) });
        return pending ? status(200, { deleted: true, pending }) : status(204, undefined);
      },
      {
        query: Type.Object({ deregister: Type.Optional(Type.String()) }),
        response: { 200: DeletedView, 204: Nothing, ...REFUSALS },
        detail: { ...facts({ link: "required" }), operationId: "deletePhone", summary: "Delete a phone; irreversible" },
      },
    );
