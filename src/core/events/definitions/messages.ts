import type { OperationName } from "../../../contract/capabilities.ts";
import type { InboundContent } from "../../../contract/content/inbound-content.ts";
import type { EventResponse, PollTotals } from "../../../contract/events.ts";
import type { Measured, PlainerForm } from "../../../contract/outcome.ts";
import type { BatchId, ChannelId, ConversationId, MessageId } from "../../../kernel/ids.ts";
import type { BatchStatus } from "../../../store/tables/messaging/batches.ts";
import type { FallbackReason } from "../../../store/tables/messaging/fallbacks.ts";
import type { MessageRow } from "../../../store/tables/messaging/messages.ts";
import type { Contact, HeldBy, MediaMetadata } from "../../domain-event.ts";
import {
  BY_CHANNEL,
  BY_CHAT,
  BY_RECIPIENT,
  BY_SENDER,
  type Definitions,
  type Ordering,
  TO_ACCOUNTS,
  TO_ACCOUNTS_AND_APPS,
  TO_ACCOUNTS_AND_INSTITUTIONS,
  TO_ALL,
  TO_INSTITUTIONS,
  TO_NOBODY,
} from "./definition.ts";
import { ANA, AT, BIA, CHANNEL_ID, CONVERSATION_ID, idOf, MEDIA, MESSAGE_ID } from "./samples.ts";

/** Messages, their progress, and batches. */

/**
 * TABLE: why the file of a message is not there. TOO_LARGE: above the limit of the network or of this server. GONE: the
 * network no longer has it. REFUSED: the network does not hand it out. INVALID: its bytes are not those of such a file.
 * UNAVAILABLE: the network did not answer in time.
 */
export const MEDIA_FAILURES = [
  "TOO_LARGE",
  "GONE",
  "REFUSED",
  "INVALID",
  "UNAVAILABLE",
  "STORAGE_QUOTA_EXCEEDED",
] as const;
export type MediaFailure = (typeof MEDIA_FAILURES)[number];

type Received = {
  messageId: MessageId;
  at: number;
  /** `outbound`: the channel's owner wrote it elsewhere. */
  direction: "inbound" | "outbound";
  isHistory: boolean;
  /** The file of the message; null when it has none, or when the file could not be fetched. */
  media: MediaMetadata | null;
  /** Why the file could not be fetched. */
  mediaError?: MediaFailure;
  from: Contact;
  chat: Contact;
  pushName: string | null;
  content: InboundContent;
  quotedMessageId: string | null;
  to: string | null;
  /** The conversation that the message belongs to; null for a group's. */
  conversationId: ConversationId | null;
  /** Another app leads the conversation: the message is for information, and not to be answered here. */
  heldBy?: HeldBy;
};

type Status = Measured & {
  messageId: string;
  at: number;
  to: Contact;
  conversationId: ConversationId | null;
  /** The content of the message. */
  said: Pick<MessageRow, "type" | "content">;
  error: { code: number; title: string; message: string } | null;
  /** True when this is the first status that says the message was sent. Networks skip steps. */
  isFirst: boolean;
  /** A text of the client that asked for the message. */
  callbackData?: string;
  /** The message was accepted with a quote, but it was sent without it. */
  isQuoteDropped?: boolean;
  /** The plainer form in which the message went out. */
  sentAs?: PlainerForm["sentAs"];
};

/** TABLE: why a voice note has no transcript. */
export const TRANSCRIPTION_FAILURES = [
  "TOO_LONG",
  "UNSUPPORTED_TYPE",
  "SILENT",
  "FILE_GONE",
  "NO_PROVIDER",
  "BUDGET_EXHAUSTED",
  "REFUSED",
  "UNAVAILABLE",
] as const;
export type TranscriptionFailure = (typeof TRANSCRIPTION_FAILURES)[number];

/** A status of a person, or a post of a newsletter. */
type Broadcast = {
  at: number;
  from: Contact | null;
  newsletterId: string | null;
  pushName: string | null;
  content: InboundContent;
};

type Batch = { batchId: BatchId; status: BatchStatus; total: number; sent: number; failed: number };

export type MessageEvents = {
  "message.received": Received;
  "message.sent": Status;
  "message.delivered": Status;
  "message.read": Status;
  "message.failed": Status;
  "message.deleted": { messageId: string; at: number; to: Contact; error: null };
  /** Everything before `at` was read. */
  "messages.read_up_to": { at: number; from: Contact };
  "message.reacted": { messageId: string; at: number; emoji: string; chat: Contact; from: Contact | null };
  "message.edited": { messageId: string; at: number; text: string; chat: Contact; from: Contact | null };
  "message.transcribed": {
    messageId: MessageId;
    at: number;
    chat: Contact;
    conversationId: ConversationId | null;
    /** What the voice note says; null if it could not be transcribed. */
    text: string | null;
    reason: TranscriptionFailure | null;
    /** Why, in the provider's words. */
    detail: string | null;
    /** Its length; null if its file does not say it. */
    seconds: number | null;
    model: string | null;
  };
  "message.poll_vote": {
    messageId: string;
    at: number;
    /** The chosen options; empty if the vote was withdrawn. */
    options: string[];
    totals: PollTotals;
    chat: Contact;
    from: Contact;
  };
  /** `until`: the end of the pin; null if the message is no longer pinned. */
  "message.pinned": { messageId: string; at: number; until: number | null; chat: Contact; from: Contact | null };
  /** A message stays in a chat whose messages disappear, or no longer does. */
  "message.kept": { messageId: string; at: number; isKept: boolean; chat: Contact; from: Contact | null };
  /** An answer to a calendar event. */
  "message.event_response": {
    messageId: string;
    at: number;
    response: EventResponse;
    extraGuests: number;
    chat: Contact;
    from: Contact | null;
  };
  /** The votes of a poll so far, without the people who gave them. */
  "message.poll_results": {
    messageId: string;
    at: number;
    totals: PollTotals;
    isClosed: boolean;
    chat: Contact;
  };
  "message.operation_failed": {
    messageId: string;
    operation: OperationName;
    code: string;
    reason: string;
    chat: Contact;
  };
  /** The outcome of a message's fallback, after its phone did not get the message out. */
  "message.fallback": {
    messageId: string;
    at: number;
    chat: Contact;
    outcome: "TAKEN" | "WITHHELD" | "REFUSED";
    reason: FallbackReason | null;
    /** Whether the message may still have arrived. */
    isUncertain: boolean;
    secondId: MessageId | null;
    secondChannelId: ChannelId;
    refusal: { code: string; message: string } | null;
  };
  "message.priced": { messageId: MessageId; category: string };
  "broadcast.received": Broadcast;
  "bulk.completed": Batch;
  "bulk.failed": Batch;
};

const RECEIVED: Received = {
  messageId: MESSAGE_ID,
  at: AT,
  direction: "inbound",
  isHistory: false,
  media: null,
  from: ANA,
  chat: ANA,
  pushName: "Ana",
  content: { type: "text", content: { text: "Bom dia" } },
  quotedMessageId: null,
  to: "5511900000001",
  conversationId: CONVERSATION_ID,
};

const SENT: Status = {
  messageId: MESSAGE_ID,
  at: AT,
  to: ANA,
  conversationId: CONVERSATION_ID,
  said: { type: "text", content: { text: "Olá" } },
  error: null,
  isFirst: true,
};

const ACT = { messageId: MESSAGE_ID, at: AT, chat: ANA, from: ANA };
const BATCH = { batchId: idOf<BatchId>(11), total: 100 };

/** The common parts of an outgoing message's statuses. */
const STATUS = { ordering: BY_RECIPIENT, direction: "outbound" } as const;

const BY_AUTHOR: Ordering<Broadcast> = {
  by: "sender or newsletter",
  keyOf: ({ from, newsletterId }) => from?.canonicalKey ?? `newsletter:${newsletterId}`,
};

export const MESSAGE_EVENTS = {
  "message.received": {
    ordering: BY_CHAT,
    direction: (received) => received.direction,
    publishedTo: TO_ALL,
    samples: [
      RECEIVED,
      {
        ...RECEIVED,
        content: { type: "image", content: { mimeType: "image/jpeg", caption: "A caixa" } },
        media: MEDIA,
      },
      { ...RECEIVED, heldBy: { role: "ai_agent", since: AT } },
    ],
  },
  "message.sent": { ...STATUS, publishedTo: TO_ALL, samples: [SENT, { ...SENT, sentAs: "text" }] },
  "message.delivered": { ...STATUS, publishedTo: TO_ALL, samples: [SENT] },
  "message.read": { ...STATUS, publishedTo: TO_ALL, samples: [SENT] },
  "message.failed": {
    ...STATUS,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [
      {
        ...SENT,
        error: { code: 131026, title: "Message undeliverable", message: "The recipient is not on WhatsApp." },
      },
    ],
  },
  "message.deleted": {
    ...STATUS,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [{ messageId: MESSAGE_ID, at: AT, to: ANA, error: null }],
  },
  "messages.read_up_to": {
    ordering: BY_SENDER,
    direction: "outbound",
    publishedTo: TO_ACCOUNTS,
    samples: [{ at: AT, from: BIA }],
  },
  "message.reacted": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [{ ...ACT, emoji: "👍" }],
  },
  "message.edited": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [{ ...ACT, text: "Boa tarde" }],
  },
  "message.transcribed": {
    ordering: BY_CHAT,
    direction: "inbound",
    publishedTo: TO_ACCOUNTS,
    samples: [
      {
        messageId: MESSAGE_ID,
        at: AT,
        chat: ANA,
        conversationId: CONVERSATION_ID,
        text: "Bom dia. Vocês abrem no domingo?",
        reason: null,
        detail: null,
        seconds: 3,
        model: "gpt-4o-mini-transcribe",
      },
      {
        messageId: MESSAGE_ID,
        at: AT,
        chat: ANA,
        conversationId: CONVERSATION_ID,
        text: null,
        reason: "TOO_LONG",
        detail: null,
        seconds: 900,
        model: null,
      },
    ],
  },
  "message.poll_vote": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [
      {
        ...ACT,
        options: ["Sábado"],
        totals: [
          { option: "Sábado", votes: 2 },
          { option: "Domingo", votes: 0 },
        ],
      },
    ],
  },
  "message.pinned": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS,
    samples: [
      { ...ACT, until: AT + 86_400_000 },
      { ...ACT, until: null },
    ],
  },
  "message.kept": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS,
    samples: [{ ...ACT, isKept: true }],
  },
  "message.event_response": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [{ ...ACT, response: "going", extraGuests: 1 }],
  },
  "message.poll_results": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS_AND_INSTITUTIONS,
    samples: [
      {
        messageId: MESSAGE_ID,
        at: AT,
        chat: ANA,
        totals: [
          { option: "Sábado", votes: 2 },
          { option: "Domingo", votes: 1 },
        ],
        isClosed: false,
      },
    ],
  },
  "message.operation_failed": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS,
    samples: [
      {
        messageId: MESSAGE_ID,
        operation: "edit",
        code: "UPSTREAM_UNSUPPORTED",
        reason: "only messages of our own can be edited",
        chat: ANA,
      },
    ],
  },
  "message.fallback": {
    ordering: BY_CHAT,
    direction: "outbound",
    publishedTo: TO_ACCOUNTS,
    samples: [
      {
        messageId: MESSAGE_ID,
        at: AT,
        outcome: "TAKEN",
        reason: "lost",
        isUncertain: false,
        secondId: idOf<MessageId>(44),
        secondChannelId: CHANNEL_ID,
        refusal: null,
        chat: ANA,
      },
    ],
  },
  "message.priced": {
    ordering: BY_CHANNEL,
    direction: null,
    publishedTo: TO_NOBODY,
    samples: [{ messageId: MESSAGE_ID, category: "utility" }],
  },
  "broadcast.received": {
    ordering: BY_AUTHOR,
    direction: null,
    publishedTo: TO_ACCOUNTS,
    samples: [
      {
        at: AT,
        from: ANA,
        newsletterId: null,
        pushName: "Ana",
        content: { type: "text", content: { text: "Na praia" } },
      },
      {
        at: AT,
        from: null,
        newsletterId: "120363000000000001",
        pushName: null,
        content: { type: "text", content: { text: "Novidades" } },
      },
    ],
  },
  "bulk.completed": {
    ordering: BY_CHANNEL,
    direction: null,
    publishedTo: TO_INSTITUTIONS,
    samples: [{ ...BATCH, status: "COMPLETED", sent: 98, failed: 2 }],
  },
  "bulk.failed": {
    ordering: BY_CHANNEL,
    direction: null,
    publishedTo: TO_INSTITUTIONS,
    samples: [{ ...BATCH, status: "FAILED", sent: 0, failed: 100 }],
  },
} satisfies Definitions<MessageEvents>;
