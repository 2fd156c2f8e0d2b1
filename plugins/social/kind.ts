import { Type } from "@sinclair/typebox";
import type { KindDeclaration } from "../../src/contract/kind.ts";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { described, Nullable } from "../../src/kernel/schema.ts";

const OptionalText = Type.Optional(Nullable(Type.String()));

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

const MIB = 1024 * 1024;
const VIDEOS = ["video/mp4", "video/ogg", "video/x-msvideo", "video/quicktime", "video/webm"];

/** An account of the photo network: made by its owner's consent, its people known by ids of its own. */
export const SOCIAL: KindDeclaration = {
  name: "social",
  kind: "SOCIAL",
  label: { en: "Instagram", pt: "Instagram", es: "Instagram" },
  about: {
    text: {
      en: "A professional account, whose owner agrees at Instagram",
      pt: "Uma conta profissional, autorizada pelo dono no Instagram",
      es: "Una cuenta profesional, cuyo dueño autoriza en Instagram",
    },
  },
  network: {
    holdsConnection: false,
    isPaired: false,
    recipients: "ids",
    receipts: "each",
    messageIdTtlMs: 7 * DAY_MS,
    answerWindowMs: DAY_MS,
    renewsCredentials: true,
    sharesConversations: true,
  },
  capabilities: {
    send: {
      text: { textMaxBytes: 1000 },
      image: { captionMaxBytes: 1000, maxFileBytes: 8 * MIB, mimeTypes: ["image/png", "image/jpeg", "image/gif"] },
      video: { captionMaxBytes: 1000, maxFileBytes: 25 * MIB, mimeTypes: VIDEOS },
      audio: { maxFileBytes: 25 * MIB, mimeTypes: ["audio/aac", "audio/mp4", "audio/wav", "audio/x-wav"] },
      document: { captionMaxBytes: 1000, maxFileBytes: 25 * MIB, mimeTypes: ["application/pdf"] },
    },
    imagesPerMessage: 10,
    quickReplies: 13,
    fetchesLinks: true,
    operations: { react: { inbound: true, outbound: true }, read: { inbound: true } },
    echoesSends: true,
    choosesMessageIds: false,
    templates: false,
  },
  // the platform's documents have no word for it; in events it is that of a chat
  platform: { type: "CHAT_SESSION", isListed: false },
  refusals: { numberField: "igUserId" },
  phoneFields: {
    schema: {
      igUserId: described(OptionalText, "The account's id; null for other types"),
      igUsername: described(OptionalText, "The account's username; null for other types"),
      igAccountType: described(OptionalText, "The kind of account, in the network's word; null for other types"),
      igTokenExpiresAt: Type.Optional(
        Nullable(
          Type.String({
            format: "date-time",
            description: "When the account's consent ends; null for other types, and if the end is not known",
          }),
        ),
      ),
      igWebhookConfigured: Type.Optional(
        Type.Boolean({ description: "Whether the network sends us the account's events", examples: [false] }),
      ),
    },
    of: ({ numberId, profile }) => ({
      igUserId: numberId,
      igUsername: textOrNull(profile["igUsername"]),
      igAccountType: textOrNull(profile["igAccountType"]),
      igTokenExpiresAt: textOrNull(profile["igTokenExpiresAt"]),
      igWebhookConfigured: profile["igWebhookConfigured"] === true,
    }),
  },
};
