import { Type } from "@sinclair/typebox";
import { ONBOARDING_FIELDS } from "../../src/contract/abilities/onboarding.ts";
import { sendsAll, WHATSAPP_MARKS } from "../../src/contract/capabilities.ts";
import { CONTENT_TYPES } from "../../src/contract/content/content.ts";
import type { KindDeclaration } from "../../src/contract/kind.ts";
import { DAY_MS, MINUTE_MS } from "../../src/kernel/clock.ts";
import { described, Nullable } from "../../src/kernel/schema.ts";
import { isRecord } from "../../src/kernel/texts/json.ts";

const OptionalText = Type.Optional(Nullable(Type.String()));
const OptionalInstant = Type.Optional(Nullable(Type.String({ format: "date-time" })));

/** A refusal that concerns the whole number, as `trouble.ts` notes it. */
const SendProblem = Type.Object(
  {
    reason: Type.String({ description: "The restriction, in one word", examples: ["PAYMENT_ISSUE"] }),
    code: Type.Integer({ description: "The network's own number", examples: [131042] }),
    message: Type.String({ description: "In the network's words", examples: ["Business eligibility payment issue"] }),
    at: Type.String({ format: "date-time", description: "When the network reported it" }),
  },
  { title: "SendProblem" },
);

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

const MIB = 1024 * 1024;
/**
 * The network's own table: https://developers.facebook.com/documentation/business-messaging/whatsapp/reference/media.
 * The types of sounds are left to the link, which makes voice notes of others.
 */
const FILE_LIMITS = {
  image: { captionMaxChars: 1024, maxFileBytes: 5 * MIB, mimeTypes: ["image/jpeg", "image/png"] },
  video: { captionMaxChars: 1024, maxFileBytes: 16 * MIB, mimeTypes: ["video/mp4", "video/3gpp"] },
  audio: { maxFileBytes: 16 * MIB },
  document: { captionMaxChars: 1024, maxFileBytes: 100 * MIB },
  sticker: { maxFileBytes: 500 * 1024, mimeTypes: ["image/webp"] },
};

/** An official business number: the network calls us, and each call of ours stands alone. */
export const WABA: KindDeclaration = {
  name: "waba",
  kind: "WABA",
  label: { en: "WhatsApp official", pt: "WhatsApp oficial", es: "WhatsApp oficial" },
  about: {
    text: {
      en: "A number of the WhatsApp Business Platform, with Meta's credentials",
      pt: "Um número da Plataforma do WhatsApp Business, com as credenciais da Meta",
      es: "Un número de la Plataforma de WhatsApp Business, con las credenciales de Meta",
    },
    site: "https://developers.facebook.com/docs/whatsapp",
  },
  network: {
    holdsConnection: false,
    isPaired: false,
    recipients: "phone-numbers",
    hasChatAddresses: true,
    receipts: "each",
    messageIdTtlMs: 7 * DAY_MS,
    answerWindowMs: DAY_MS,
    chargesForTemplates: true,
    sharesConversations: true,
  },
  capabilities: {
    send: {
      ...sendsAll([
        ...CONTENT_TYPES,
        "phone_number_request",
        "order_details",
        "order_status",
        "call_permission_request",
      ]),
      ...FILE_LIMITS,
      text: { textMaxChars: 4096 },
    },
    tags: ["UTILITY"],
    tagSettings: { UTILITY: "directSendName" },
    mediaHandles: true,
    keptFiles: true,
    marks: WHATSAPP_MARKS,
    fetchesLinks: true,
    // the gateway's documents promise editing and deleting, but the network has no call for them: they end as
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
      wabaPhoneNumberId: described(OptionalText, "The network's id of the number; null while unknown"),
      wabaBusinessAccountId: described(OptionalText, "The network's id of the business account; null while unknown"),
      wabaThroughputLevel: described(
        OptionalText,
        "The speed at which the number may send, in the network's word; null until the network reports it",
      ),
      wabaQualityRating: described(
        OptionalText,
        "GREEN, YELLOW or RED, as the network rates the number; null while it is not rated",
      ),
      wabaMessagingLimit: described(
        OptionalText,
        "How many new people the number may write to in 24 hours, such as TIER_2K; null while unknown",
      ),
      wabaUsername: described(OptionalText, "The username of the business on the network; null without one"),
      wabaCanSend: described(
        OptionalText,
        "The network's limit on sending: AVAILABLE, LIMITED or BLOCKED; null until the network reports it",
      ),
      wabaSendProblem: Type.Optional(
        described(Nullable(SendProblem), "Why the network refuses to send; null if it does not"),
      ),
      wabaWebhookConfigured: Type.Optional(
        Type.Boolean({ description: "Whether the network sends us the number's events", examples: [false] }),
      ),
      wabaCoexistence: Type.Optional(
        Type.Boolean({ description: "Whether the owner's business app goes on with the number", examples: [false] }),
      ),
      wabaContactsSyncAt: described(OptionalInstant, "When the app's contacts were requested; null before"),
      wabaHistorySyncAt: described(OptionalInstant, "When the app's history was requested; null before"),
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
      wabaCoexistence: profile[ONBOARDING_FIELDS.isCoexistent] === true,
      wabaContactsSyncAt: textOrNull(profile[ONBOARDING_FIELDS.syncedAt.contacts]),
      wabaHistorySyncAt: textOrNull(profile[ONBOARDING_FIELDS.syncedAt.history]),
    }),
  },
};
