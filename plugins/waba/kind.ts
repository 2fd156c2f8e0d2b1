import { Type } from "@sinclair/typebox";
import { sendsAll } from "../../src/contract/capabilities.ts";
import { CONTENT_TYPES } from "../../src/contract/content/content.ts";
import type { KindDeclaration } from "../../src/contract/kind.ts";
import { DAY_MS, MINUTE_MS } from "../../src/kernel/clock.ts";
import { Nullable } from "../../src/kernel/schema.ts";
import { isRecord } from "../../src/kernel/texts/json.ts";

const OptionalText = Type.Optional(Nullable(Type.String()));
const OptionalInstant = Type.Optional(Nullable(Type.String({ format: "date-time" })));

/** A refusal that concerns the whole number, as `trouble.ts` notes it. */
const SendProblem = Type.Object(
  {
    reason: Type.String(),
    code: Type.Integer(),
    message: Type.String(),
    at: Type.String({ format: "date-time" }),
  },
  { title: "SendProblem" },
);

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** What an official business number is: the network calls us, and each call of ours stands alone. */
export const WABA: KindDeclaration = {
  name: "waba",
  kind: "WABA",
  label: "official number",
  network: {
    holdsConnection: false,
    isPaired: false,
    recipients: "phone-numbers",
    receipts: "each",
    messageIdTtlMs: 7 * DAY_MS,
    answerWindowMs: DAY_MS,
    chargesForTemplates: true,
    sharesConversations: true,
  },
  capabilities: {
    send: sendsAll([
      ...CONTENT_TYPES,
      "phone_number_request",
      "order_details",
      "order_status",
      "call_permission_request",
    ]),
    mediaHandles: true,
    keptFiles: true,
    fetchesLinks: true,
    // editing and deleting are promised by the gateway's documents and offered by no call of the network: they end as
    // UPSTREAM_UNSUPPORTED
    operations: {
      react: { inbound: true, outbound: true },
      edit: { outbound: true, types: ["text"], withinMs: 15 * MINUTE_MS },
      delete: { outbound: true, withinMs: 2 * DAY_MS },
      read: { inbound: true },
      typing: { inbound: true },
    },
    choosesMessageIds: false,
    templates: true,
  },
  refusals: { credentials: "CHANNEL_CREDENTIALS_REQUIRED", numberField: "phoneNumberId" },
  phoneFields: {
    schema: {
      wabaPhoneNumberId: OptionalText,
      wabaBusinessAccountId: OptionalText,
      wabaThroughputLevel: OptionalText,
      wabaQualityRating: OptionalText,
      wabaMessagingLimit: OptionalText,
      wabaUsername: OptionalText,
      wabaCanSend: OptionalText,
      wabaSendProblem: Type.Optional(Nullable(SendProblem)),
      wabaWebhookConfigured: Type.Optional(Type.Boolean()),
      wabaCoexistence: Type.Optional(Type.Boolean()),
      wabaContactsSyncAt: OptionalInstant,
      wabaHistorySyncAt: OptionalInstant,
    },
    // a number made from credentials is never shared with the business app
    of: ({ numberId, accountId, profile, isWebhookConfigured }) => ({
      wabaPhoneNumberId: numberId,
      wabaBusinessAccountId: accountId,
      wabaThroughputLevel: textOrNull(profile["wabaThroughputLevel"]),
      wabaQualityRating: textOrNull(profile["wabaQualityRating"]),
      wabaMessagingLimit: textOrNull(profile["wabaMessagingLimit"]),
      wabaUsername: textOrNull(profile["wabaUsername"]),
      wabaCanSend: textOrNull(profile["wabaCanSend"]),
      wabaSendProblem: isRecord(profile["wabaSendProblem"]) ? profile["wabaSendProblem"] : null,
      wabaWebhookConfigured: isWebhookConfigured,
      wabaCoexistence: profile["wabaCoexistence"] === true,
      wabaContactsSyncAt: textOrNull(profile["wabaContactsSyncAt"]),
      wabaHistorySyncAt: textOrNull(profile["wabaHistorySyncAt"]),
    }),
  },
};
