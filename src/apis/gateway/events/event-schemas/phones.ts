import { Type } from "@sinclair/typebox";
import { PRESENCES } from "../../../../contract/abilities/people.ts";
import { LISTED_CATEGORIES, TEMPLATE_STATUSES } from "../../../../contract/events.ts";
import { Nullable, OneOf } from "../../../../kernel/schema.ts";
import { Instant, InstantOrNull } from "../../schemas.ts";
import { At, Hint, Holder, Id, Peer, shape, TextOrNull, text } from "./parts.ts";

/** A phone, its files and templates, and the people that it meets. */

export const PhoneConnected = shape("PhoneConnected", { phoneNumber: TextOrNull });
export const PhoneDisconnected = shape("PhoneDisconnected", {
  reason: Type.String({ description: "Why it is disconnected" }),
});
export const PhoneUnrestricted = shape("PhoneUnrestricted", {
  reason: Type.String({ description: "The restriction that was lifted" }),
});
export const PhoneQrCode = shape("PhoneQrCode", {
  qr: Type.String({ description: "The text of the code" }),
  expiresAt: Instant,
  hint: Type.Optional(Hint),
});
export const ClientExpiring = shape("ClientExpiring", {
  version: Type.String({ description: "The client version" }),
  expiresAt: InstantOrNull,
});
export const PasskeyRequired = shape("PasskeyRequired", {
  bridgeUrl: Type.String({ description: "The page for the owner; a secret" }),
  expiresAt: Instant,
  hint: Hint,
});

export const MediaExpired = shape("MediaExpired", { mediaId: Id, messageId: Id, expiredAt: Instant });
export const TemplateStatus = shape("TemplateStatusChange", {
  templateId: Id,
  name: text,
  language: text,
  category: OneOf(LISTED_CATEGORIES, { title: "ListedTemplateCategory" }),
  status: OneOf(TEMPLATE_STATUSES, { title: "TemplateStatus" }),
  rejectionReason: TextOrNull,
});
export const HistoryProgress = shape("HistoryProgressed", {
  percent: Type.Number({ description: "How much the phone has sent" }),
  imported: Type.Integer({ description: "How many messages this piece had" }),
});

export const ContactsSynced = shape("ContactsSynced", {
  contacts: Type.Array(
    shape("SyncedContact", {
      contact: Peer,
      name: TextOrNull,
      firstName: Nullable(Type.String({ description: "As in the address book" })),
      action: OneOf(["add", "remove"]),
    }),
  ),
});
export const PresenceChange = shape("PresenceChange", {
  contact: Peer,
  chat: Peer,
  state: OneOf(PRESENCES, { title: "Presence" }),
  timestamp: At,
  lastSeenAt: InstantOrNull,
});

/** Why the leader of a conversation changed. */
const cause = OneOf(["message", "standby", "handover", "request", "idle"], { title: "HolderCause" });
export const ConversationHeld = shape("ConversationHeld", { chat: Peer, heldBy: Holder, cause });
export const ConversationReleased = shape("ConversationReleased", { chat: Peer, since: Instant, cause });
