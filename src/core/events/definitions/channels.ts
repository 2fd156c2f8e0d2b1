import type { Restriction } from "../../../contract/abilities/restriction.ts";
import type { ListedCategory, TemplateStatus } from "../../../contract/events.ts";
import { HOUR_MS } from "../../../kernel/clock.ts";
import type { ConversationId } from "../../../kernel/ids.ts";
import type { Contact, MediaMetadata, ShownHint } from "../../domain-event.ts";
import {
  BY_CHANNEL,
  BY_CHAT,
  type Definitions,
  TO_ACCOUNTS,
  TO_ACCOUNTS_AND_APPS,
  TO_ACCOUNTS_AND_INSTITUTIONS,
  TO_ALL,
} from "./definition.ts";
import type { MediaFailure } from "./messages.ts";
import { ANA, AT, CONVERSATION_ID, idOf, MEDIA, MESSAGE_ID } from "./samples.ts";

/** Channels, their files, templates and history. */

export type ChannelEvents = {
  "channel.connected": { phoneNumber: string | null; connectedAt: number };
  /** `wasConnected`: the last published event of the channel said that it was connected. */
  "channel.disconnected": { reason: string; phoneNumber: string | null; wasConnected: boolean };
  /** The network restricts the channel, or changes an existing restriction. */
  "channel.restricted": Restriction;
  "channel.unrestricted": { reason: string };
  "channel.qr_issued": { qr: string; expiresAt: number; hint?: ShownHint };
  /** `expiresAt`: when the network stops accepting the version; null if it has withdrawn an earlier date. */
  "channel.client_expiring": { version: string; expiresAt: number | null };
  /** `bridgeUrl`: the page for the owner; a secret. */
  "channel.passkey_required": { bridgeUrl: string; expiresAt: number; hint: ShownHint };
  "media.available": { messageId: string; chat: Contact } & MediaMetadata;
  /** The file of a received message cannot be had. The message was published without it, perhaps long before. */
  "media.failed": {
    messageId: string;
    conversationId: ConversationId | null;
    chat: Contact;
    at: number;
    /** What the network announced of the file. */
    contentType: string;
    sizeBytes: number | null;
    filename: string | null;
    failure: MediaFailure;
    /** The same in words. */
    reason: string;
  };
  "media.expired": { mediaId: string; messageId: string; expiredAt: number };
  "template.changed": {
    templateId: string;
    name: string;
    language: string;
    category: ListedCategory;
    status: TemplateStatus;
    rejectionReason: string | null;
  };
  "history.progressed": { percent: number; imported: number };
};

/** Events that concern only the channel. */
const OF_CHANNEL = { ordering: BY_CHANNEL, direction: null } as const;

export const CHANNEL_EVENTS = {
  "channel.connected": {
    ...OF_CHANNEL,
    publishedTo: TO_ALL,
    samples: [{ phoneNumber: "5511900000001", connectedAt: AT }],
  },
  "channel.disconnected": {
    ...OF_CHANNEL,
    publishedTo: TO_ALL,
    samples: [{ reason: "LOGGED_OUT", phoneNumber: "5511900000001", wasConnected: true }],
  },
  "channel.restricted": {
    ...OF_CHANNEL,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [{ reason: "RESTRICT_ALL_COMPANIONS", until: AT + 12 * HOUR_MS, allows: "replies" }],
  },
  "channel.unrestricted": {
    ...OF_CHANNEL,
    publishedTo: TO_ACCOUNTS,
    samples: [{ reason: "RESTRICT_ALL_COMPANIONS" }],
  },
  "channel.qr_issued": {
    ...OF_CHANNEL,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [{ qr: "https://wa.me/settings/linked_devices#2@…", expiresAt: AT + 20_000 }],
  },
  "channel.client_expiring": {
    ...OF_CHANNEL,
    publishedTo: TO_ACCOUNTS,
    samples: [{ version: "2.3000.1047471845", expiresAt: AT + 480 * HOUR_MS }],
  },
  "channel.passkey_required": {
    ...OF_CHANNEL,
    publishedTo: TO_ACCOUNTS,
    samples: [
      {
        bridgeUrl: "https://recado.example.com/pairing/passkey/6d0b…",
        expiresAt: AT + 600_000,
        hint: {
          code: "PASSKEY_REQUIRED",
          en: "WhatsApp asks for the passkey of this account. …",
          pt: "O WhatsApp pede …",
        },
      },
    ],
  },
  "media.available": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS,
    samples: [{ messageId: MESSAGE_ID, chat: ANA, ...MEDIA }],
  },
  "media.failed": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS_AND_INSTITUTIONS,
    samples: [
      {
        messageId: MESSAGE_ID,
        conversationId: CONVERSATION_ID,
        chat: ANA,
        at: AT,
        contentType: "video/mp4",
        sizeBytes: 31_457_280,
        filename: "festa.mp4",
        failure: "TOO_LARGE",
        reason: "(#400) Bad Request: file is too big",
      },
    ],
  },
  "media.expired": {
    ...OF_CHANNEL,
    publishedTo: TO_ACCOUNTS,
    samples: [{ mediaId: MEDIA.mediaId, messageId: MESSAGE_ID, expiredAt: AT }],
  },
  "template.changed": {
    ...OF_CHANNEL,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [
      {
        templateId: idOf(10),
        name: "order_ready",
        language: "pt_BR",
        category: "UTILITY",
        status: "APPROVED",
        rejectionReason: null,
      },
    ],
  },
  "history.progressed": {
    ...OF_CHANNEL,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [
      { percent: 40, imported: 2000 },
      { percent: 100, imported: 400 },
    ],
  },
} satisfies Definitions<ChannelEvents>;
