import { Type } from "@sinclair/typebox";
import { PRESENCES } from "../../../../contract/abilities/people.ts";
import { LISTED_CATEGORIES, TEMPLATE_STATUSES } from "../../../../contract/events.ts";
import { described, Nullable, OneOf } from "../../../../kernel/schema.ts";
import { IDS } from "../../../shared/fields.ts";
import { Instant, InstantOrNull } from "../../instants.ts";
import { At, Hint, Holder, Id, Peer, shape, TextOrNull, text } from "./parts.ts";

/** A phone, its files and templates, and the people that it meets. */

export const PhoneConnected = shape("PhoneConnected", {
  phoneNumber: described(TextOrNull, "Digits with country code; null or absent while not known", "5511999990001"),
});
export const PhoneDisconnected = shape("PhoneDisconnected", {
  reason: Type.String({ description: "Why it is disconnected", examples: ["PAIRING_RESET"] }),
});
export const PhoneUnrestricted = shape("PhoneUnrestricted", {
  reason: Type.String({ description: "The restriction that was lifted", examples: ["BUSINESS_LOCKED"] }),
});
export const PhoneQrCode = shape("PhoneQrCode", {
  qr: Type.String({ description: "The text of the code", examples: ["2@Zk3vX9pQ,abc=,def="] }),
  expiresAt: described(Instant, "Until when the code can be scanned", "2026-11-29T12:00:00.000Z"),
  hint: Type.Optional(described(Hint, "What the owner has to do; absent where scanning is enough")),
});
export const ClientExpiring = shape("ClientExpiring", {
  version: Type.String({ description: "The version that this server speaks to the network", examples: ["2.3000.1"] }),
  expiresAt: described(
    InstantOrNull,
    "When the network ends the version; null where it names no end",
    "2026-11-29T12:00:00.000Z",
  ),
});
export const PasskeyRequired = shape("PasskeyRequired", {
  bridgeUrl: Type.String({
    description: "The page for the owner; a secret",
    examples: ["https://recado.example/passkey/Zk3vX9pQ"],
  }),
  expiresAt: described(Instant, "Until when the owner can confirm", "2026-11-29T12:00:00.000Z"),
  hint: described(Hint, "What the owner has to do"),
});

export const MediaExpired = shape("MediaExpired", {
  mediaId: described(Id, "The file that was deleted"),
  messageId: described(Id, "The message that had the file", IDS.message),
  expiredAt: described(Instant, "When the file was deleted"),
});
export const TemplateStatus = shape("TemplateStatusChange", {
  templateId: described(Id, "The template, as `GET /v1/templates/{id}` answers it"),
  name: described(text, "The template's name on the network", "confirmacao_pedido"),
  language: described(text, "A language code, such as pt_BR", "pt_BR"),
  category: OneOf(LISTED_CATEGORIES, {
    title: "ListedTemplateCategory",
    description: "The network's category",
    examples: ["UTILITY"],
  }),
  status: OneOf(TEMPLATE_STATUSES, { title: "TemplateStatus", description: "What the network decided" }),
  rejectionReason: described(
    TextOrNull,
    "Why the network rejected the template; null where it did not",
    "TAG_CONTENT_MISMATCH",
  ),
});
export const HistoryProgress = shape("HistoryProgressed", {
  percent: Type.Number({ description: "How much the phone has sent", examples: [40] }),
  imported: Type.Integer({ description: "How many messages this piece had", examples: [120] }),
});

export const ContactsSynced = shape("ContactsSynced", {
  contacts: Type.Array(
    shape("SyncedContact", {
      contact: described(Peer, "The person of the entry"),
      name: described(TextOrNull, "The whole name in the address book; null without one", "Maria Souza"),
      firstName: Nullable(
        Type.String({ description: "The first name in the address book; null without one", examples: ["Maria"] }),
      ),
      action: OneOf(["add", "remove"], { description: "Whether the app has it now, or had it" }),
    }),
    { description: "Entries of the address book" },
  ),
});
export const PresenceChange = shape("PresenceChange", {
  contact: described(Peer, "The person whose presence changed"),
  chat: described(Peer, "The chat that the presence holds for"),
  state: OneOf(PRESENCES, { title: "Presence", description: "What the person does now", examples: ["composing"] }),
  timestamp: At,
  lastSeenAt: described(InstantOrNull, "When the person was last online; null where it is not shown"),
});

/** Why the leader of a conversation changed. */
const cause = OneOf(["message", "standby", "handover", "request", "idle"], { title: "HolderCause" });
export const ConversationHeld = shape("ConversationHeld", {
  chat: described(Peer, "The chat whose lead changed"),
  heldBy: described(Holder, "The app that leads the conversation now"),
  cause: described(cause, "Why the lead changed"),
});
export const ConversationReleased = shape("ConversationReleased", {
  chat: described(Peer, "The chat whose lead changed"),
  since: described(Instant, "When the lead changed"),
  cause: described(cause, "Why the lead changed"),
});
