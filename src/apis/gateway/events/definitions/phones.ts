import { Type } from "@sinclair/typebox";
import { PRESENCES } from "../../../../contract/abilities/people.ts";
import { LISTED_CATEGORIES, TEMPLATE_STATUSES } from "../../../../contract/events.ts";
import { contactOf } from "../../../../core/domain-event.ts";
import type { ChannelEvents } from "../../../../core/events/definitions/channels.ts";
import { MEDIA_FAILURES } from "../../../../core/events/definitions/messages.ts";
import type { PeopleEvents } from "../../../../core/events/definitions/people.ts";
import { iso, isoOrNull } from "../../../../kernel/clock.ts";
import { described, Nullable, OneOf } from "../../../../kernel/schema.ts";
import { IDS } from "../../../shared/fields.ts";
import { Instant, InstantOrNull } from "../../instants.ts";
import {
  At,
  Hint,
  Holder,
  Id,
  MediaAvailable,
  Peer,
  Restriction,
  shape,
  TextOrNull,
  text,
} from "../event-schemas/parts.ts";
import { holderView, mediaData, restrictionView } from "../event-views.ts";
import { event, type GatewayEvents } from "./definition.ts";

/** Phones, their files and templates, and the people that they meet. */

const PhoneConnected = shape("PhoneConnected", {
  phoneNumber: described(TextOrNull, "Digits with country code; null or absent if unknown", "5511999990001"),
});
const PhoneDisconnected = shape("PhoneDisconnected", {
  reason: Type.String({ description: "Why it is disconnected", examples: ["PAIRING_RESET"] }),
});
const PhoneUnrestricted = shape("PhoneUnrestricted", {
  reason: Type.String({ description: "The restriction that was lifted", examples: ["BUSINESS_LOCKED"] }),
});
const PhoneQrCode = shape("PhoneQrCode", {
  qr: Type.String({ description: "The text of the code", examples: ["2@Zk3vX9pQ,abc=,def="] }),
  expiresAt: described(Instant, "The code can be scanned until this time", "2026-11-29T12:00:00.000Z"),
  hint: Type.Optional(described(Hint, "The step that the owner has to take; absent if scanning is enough")),
});
const ClientExpiring = shape("ClientExpiring", {
  version: Type.String({ description: "The version that this server speaks to the network", examples: ["2.3000.1"] }),
  expiresAt: described(
    InstantOrNull,
    "When the network ends the version; null if it names no end",
    "2026-11-29T12:00:00.000Z",
  ),
});
const PasskeyRequired = shape("PasskeyRequired", {
  bridgeUrl: Type.String({
    description: "The page for the owner; a secret",
    examples: ["https://recado.example/passkey/Zk3vX9pQ"],
  }),
  expiresAt: described(Instant, "The owner can confirm until this time", "2026-11-29T12:00:00.000Z"),
  hint: described(Hint, "The step that the owner has to take"),
});

const MediaFailed = shape("MediaFailed", {
  messageId: described(Id, "The message without its file, as in its message:received", IDS.message),
  conversationId: described(Nullable(Id), "The chat of the message; null if none is known", IDS.conversation),
  chat: described(Peer, "The person or group of the chat"),
  contentType: described(text, "The media type that the network announced", "video/mp4"),
  sizeBytes: Nullable(Type.Integer({ description: "The announced size; null if it names none", examples: [31457280] })),
  filename: described(TextOrNull, "The shown name; null if none is known", "festa.mp4"),
  error: OneOf(MEDIA_FAILURES, { title: "MediaFailure", description: "Why there is no file" }),
  reason: Type.String({ description: "The same in words", examples: ["file is too big"] }),
  timestamp: described(Instant, "When it was given up"),
});
const MediaExpired = shape("MediaExpired", {
  mediaId: described(Id, "The file that was deleted"),
  messageId: described(Id, "The message that had the file", IDS.message),
  expiredAt: described(Instant, "When the file was deleted"),
});
const TemplateStatus = shape("TemplateStatusChange", {
  templateId: described(Id, "The template, as `GET /v1/templates/{id}` answers it"),
  name: described(text, "The template's name on the network", "confirmacao_pedido"),
  language: described(text, "A language code, such as pt_BR", "pt_BR"),
  category: OneOf(LISTED_CATEGORIES, {
    title: "ListedTemplateCategory",
    description: "The network's category",
    examples: ["UTILITY"],
  }),
  status: OneOf(TEMPLATE_STATUSES, { title: "TemplateStatus", description: "The network's decision" }),
  rejectionReason: described(
    TextOrNull,
    "Why the network rejected the template; null if it did not",
    "TAG_CONTENT_MISMATCH",
  ),
});
const HistoryProgress = shape("HistoryProgressed", {
  percent: Type.Number({ description: "How much the phone has sent", examples: [40] }),
  imported: Type.Integer({ description: "How many messages this piece had", examples: [120] }),
});

const ContactsSynced = shape("ContactsSynced", {
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
const PresenceChange = shape("PresenceChange", {
  contact: described(Peer, "The person whose presence changed"),
  chat: described(Peer, "The chat that the presence holds for"),
  state: OneOf(PRESENCES, { title: "Presence", description: "The person's presence", examples: ["composing"] }),
  timestamp: At,
  lastSeenAt: described(InstantOrNull, "When the person was last online; null if it is not shown"),
});

/** Why the leader of a conversation changed. */
const Cause = OneOf(["message", "standby", "handover", "request", "idle"], { title: "HolderCause" });
const ConversationHeld = shape("ConversationHeld", {
  chat: described(Peer, "The chat whose lead changed"),
  heldBy: described(Holder, "The app that leads the conversation now"),
  cause: described(Cause, "Why the lead changed"),
});
const ConversationReleased = shape("ConversationReleased", {
  chat: described(Peer, "The chat whose lead changed"),
  since: described(Instant, "When the lead changed"),
  cause: described(Cause, "Why the lead changed"),
});

const ReceivedComment = shape("ReceivedComment", {
  commentId: described(Id, "The network's id of the comment"),
  timestamp: At,
  from: described(Peer, "The person who wrote"),
  text: described(text, "The text of the comment", "Olá, Maria! Seu bolo está pronto."),
  postId: Nullable(Type.String({ description: "The network's id of the post; null if it names none" })),
  parentCommentId: Nullable(
    Type.String({ description: "The comment that this one answers; null for a comment on the post itself" }),
  ),
});

export const PHONES = {
  "channel.connected": {
    "channel:connected": event({
      when: "The phone is connected. An interruption that ends by itself sends no event.",
      of: "any phone",
      data: PhoneConnected,
      mayBeCut: false,
      render: ({ phoneNumber }) => ({ phoneNumber }),
    }),
  },
  "channel.disconnected": {
    "channel:disconnected": event({
      when: "The phone is disconnected. [`reason`](sessions.md#reasons) says why.",
      of: "any phone",
      data: PhoneDisconnected,
      mayBeCut: false,
      render: ({ reason }) => ({ reason }),
    }),
  },
  "channel.restricted": {
    "channel:restricted": event({
      when:
        "The network restricts the phone for a while. `allows` says [what is still " +
        "allowed](sessions.md#restrictions-and-quotas).",
      of: "sessions",
      data: Restriction,
      mayBeCut: false,
      render: (restricted) => restrictionView(restricted),
    }),
  },
  "channel.unrestricted": {
    "channel:unrestricted": event({
      when: "The network has lifted the restriction.",
      of: "sessions",
      data: PhoneUnrestricted,
      mayBeCut: false,
      render: ({ reason }) => ({ reason }),
    }),
  },
  "channel.qr_issued": {
    "channel:qrcode": event({
      when: "A session has a new QR code to scan. `hint`, if present, says why.",
      of: "sessions",
      data: PhoneQrCode,
      mayBeCut: false,
      render: ({ qr, expiresAt, hint }) => ({ qr, expiresAt: iso(expiresAt), ...(hint ? { hint } : {}) }),
    }),
  },
  "channel.passkey_required": {
    "channel:passkey-required": event({
      when:
        "The network wants the owner's passkey before it links a session, or has a code to compare. `bridgeUrl` " +
        "is the [page](sessions.md#linking-in-2026) for it; a secret.",
      of: "sessions",
      data: PasskeyRequired,
      mayBeCut: false,
      render: ({ bridgeUrl, expiresAt, hint }) => ({ bridgeUrl, expiresAt: iso(expiresAt), hint }),
    }),
  },
  "channel.client_expiring": {
    "channel:client-expiring": event({
      when:
        "The network has said when it stops accepting the client version that a session speaks with. " +
        "`expiresAt` is null if the network has withdrawn the end.",
      of: "sessions",
      data: ClientExpiring,
      mayBeCut: false,
      render: ({ version, expiresAt }) => ({ version, expiresAt: isoOrNull(expiresAt) }),
    }),
  },
  "media.available": {
    "media:available": event({
      when:
        "A file of an inbound message is stored. Ask `downloadUrl` with your API key. If the network refused the " +
        "phone's credentials, the message came without its file, and this follows when the phone is connected again.",
      of: "any phone",
      data: MediaAvailable,
      mayBeCut: false,
      render: ({ messageId, ...media }, { baseUrl }) => ({ messageId, ...mediaData(media, baseUrl) }),
    }),
  },
  "media.failed": {
    "media:failed": event({
      when:
        "The file of a received message could not be fetched: too large, gone, refused. `message:received` comes " +
        "without it, and has the same word in `media.error`. A file that waits for good credentials of the phone " +
        "fails later, after seven days at most; its message has no `media.error`.",
      of: "any phone",
      data: MediaFailed,
      mayBeCut: false,
      render: (
        { messageId, conversationId, chat, at, contentType, sizeBytes, filename, failure, reason },
        { person },
      ) => ({
        messageId,
        conversationId,
        chat: person(chat),
        contentType,
        sizeBytes,
        filename,
        error: failure,
        reason,
        timestamp: iso(at),
      }),
    }),
  },
  "media.expired": {
    "media:expired": event({
      when: "A file was deleted at the end of its term, without an acknowledgement before.",
      of: "any phone",
      data: MediaExpired,
      mayBeCut: false,
      render: ({ mediaId, messageId, expiredAt }) => ({ mediaId, messageId, expiredAt: iso(expiredAt) }),
    }),
  },
  "template.changed": {
    "template:status": event({
      when: "The network approved, rejected or paused a template, or changed its category.",
      of: "official numbers",
      data: TemplateStatus,
      mayBeCut: false,
      render: ({ templateId, name, language, category, status, rejectionReason }) => ({
        templateId,
        name,
        language,
        category,
        status,
        rejectionReason,
      }),
    }),
  },
  "history.progressed": {
    "history:progress": event({
      when: "More of a session's earlier history has been imported; once per piece that the phone sends.",
      of: "sessions",
      data: HistoryProgress,
      mayBeCut: false,
      render: ({ percent, imported }) => ({ percent, imported }),
    }),
  },
  "contacts.synced": {
    "contact:synced": event({
      when: "The address book of an official number's owner was synchronised.",
      of: "official numbers",
      data: ContactsSynced,
      mayBeCut: true,
      render: ({ contacts }, { person }) => ({
        contacts: contacts.map(({ identity, ...contact }) => ({ ...contact, contact: person(contactOf(identity)) })),
      }),
    }),
  },
  "comment.received": {
    "comment:received": event({
      when:
        "A person commented on a post of an Instagram account. A message with `content.commentId` answers it in " +
        "private, once and within 7 days.",
      of: "Instagram",
      data: ReceivedComment,
      mayBeCut: true,
      render: ({ commentId, at, from, text, postId, parentCommentId }, { person }) => ({
        commentId,
        timestamp: iso(at),
        from: person(from),
        text,
        postId,
        parentCommentId,
      }),
    }),
  },
  "conversation.held": {
    "conversation:held": event({
      when:
        "Another app leads the conversation with a person from now on (`heldBy`), such as Meta's Business Agent. " +
        "`cause` is `standby`, `handover` or `request` (yours).",
      of: "official numbers and Instagram",
      data: ConversationHeld,
      mayBeCut: false,
      render: ({ chat, role, since, cause }, { person }) => ({
        chat: person(chat),
        heldBy: holderView({ role, since }),
        cause,
      }),
    }),
  },
  "conversation.released": {
    "conversation:released": event({
      when:
        "No other app leads the conversation any more. `cause` is `message`, `handover`, `request` (yours) or " +
        "`idle` (the person was silent for a day).",
      of: "official numbers and Instagram",
      data: ConversationReleased,
      mayBeCut: false,
      render: ({ chat, since, cause }, { person }) => ({ chat: person(chat), since: iso(since), cause }),
    }),
  },
  "contact.presence": {
    "contact:presence": event({
      when:
        "A person came, left or is writing. `POST /v1/phones/{id}/presence/subscriptions` asked for the " +
        "person in the last hour.",
      of: "sessions",
      data: PresenceChange,
      mayBeCut: false,
      render: ({ contact, chat, state, at, lastSeenAt }, { person }) => ({
        contact: person(contact),
        chat: person(chat),
        state,
        timestamp: iso(at),
        lastSeenAt: isoOrNull(lastSeenAt),
      }),
    }),
  },
} satisfies GatewayEvents<ChannelEvents & PeopleEvents>;
