import { contactOf } from "../../../../core/domain-event.ts";
import type { ChannelEvents } from "../../../../core/events/definitions/channels.ts";
import type { PeopleEvents } from "../../../../core/events/definitions/people.ts";
import { iso, isoOrNull } from "../../../../kernel/clock.ts";
import { ReceivedComment } from "../event-schemas/messages.ts";
import { MediaAvailable, Restriction } from "../event-schemas/parts.ts";
import {
  ClientExpiring,
  ContactsSynced,
  ConversationHeld,
  ConversationReleased,
  HistoryProgress,
  MediaExpired,
  PasskeyRequired,
  PhoneConnected,
  PhoneDisconnected,
  PhoneQrCode,
  PhoneUnrestricted,
  PresenceChange,
  TemplateStatus,
} from "../event-schemas/phones.ts";
import { holderView, mediaData, person, restrictionView } from "../event-views.ts";
import { event, type GatewayEvents } from "./definition.ts";

/** Phones, their files and templates, and the people that they meet. */

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
        "The network forbids the phone something for a while. [What is still " +
        "allowed](sessions.md#restrictions-and-quotas) is in `allows`.",
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
      when: "A session has a new QR code to scan. `hint`, where there is one, says why.",
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
        "The network has said when it stops accepting the client version that a session speaks with. `expiresAt` " +
        "is null where it has taken that back.",
      of: "sessions",
      data: ClientExpiring,
      mayBeCut: false,
      render: ({ version, expiresAt }) => ({ version, expiresAt: isoOrNull(expiresAt) }),
    }),
  },
  "media.available": {
    "media:available": event({
      when: "A file of an inbound message is stored. Ask `downloadUrl` with your API key.",
      of: "any phone",
      data: MediaAvailable,
      mayBeCut: false,
      render: ({ messageId, ...media }, baseUrl) => ({ messageId, ...mediaData(media, baseUrl) }),
    }),
  },
  "media.expired": {
    "media:expired": event({
      when: "A file was deleted at the end of its term, and nobody acknowledged it before.",
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
      when:
        "More of what was written before a session was linked has been taken over; once per piece that the phone " +
        "sends.",
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
      render: ({ contacts }) => ({
        contacts: contacts.map(({ identity, ...contact }) => ({ ...contact, contact: person(contactOf(identity)) })),
      }),
    }),
  },
  "comment.received": {
    "comment:received": event({
      when:
        "Somebody commented on a post of an Instagram account. A message with `content.commentId` answers it in " +
        "private, once and within 7 days.",
      of: "Instagram",
      data: ReceivedComment,
      mayBeCut: true,
      render: ({ commentId, at, from, text, postId, parentCommentId }) => ({
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
      render: ({ chat, role, since, cause }) => ({ chat: person(chat), heldBy: holderView({ role, since }), cause }),
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
      render: ({ chat, since, cause }) => ({ chat: person(chat), since: iso(since), cause }),
    }),
  },
  "contact.presence": {
    "contact:presence": event({
      when:
        "Somebody came, went, or writes, of whom `POST /v1/phones/{id}/presence/subscriptions` asked in the last " +
        "hour.",
      of: "sessions",
      data: PresenceChange,
      mayBeCut: false,
      render: ({ contact, chat, state, at, lastSeenAt }) => ({
        contact: person(contact),
        chat: person(chat),
        state,
        timestamp: iso(at),
        lastSeenAt: isoOrNull(lastSeenAt),
      }),
    }),
  },
} satisfies GatewayEvents<ChannelEvents & PeopleEvents>;
