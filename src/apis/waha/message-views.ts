import { isFile } from "../../contract/content/inbound-content.ts";
import type { HistoryMessage } from "../../core/conversations/history.ts";
import { SECOND_MS } from "../../kernel/clock.ts";
import { listOf, recordOf } from "../../kernel/texts/json.ts";
import { type Said, wireMessage, wordIn } from "../shared/compatible/wire-messages.ts";
import { wahaMessageId } from "./addresses.ts";

/** TABLE: WAHA's numbers for the progress of a message, by its words for them. */
export const ACKS = { ERROR: -1, PENDING: 0, SERVER: 1, DEVICE: 2, READ: 3, PLAYED: 4 } as const;
export type Ack = keyof typeof ACKS;

/** TABLE: WAHA's word for the status of a message. */
export const ACK_OF = {
  QUEUED: "PENDING",
  SENT: "SERVER",
  DELIVERED: "DEVICE",
  READ: "READ",
  FAILED: "ERROR",
  RECEIVED: "DEVICE",
} as const satisfies Record<HistoryMessage["status"], Ack>;

/** A file as WAHA names it. */
export type WahaMedia = { url: string; mimetype: string; filename: string | null };

/**
 * What WAHA tells of any message. `id`: Recado's. `at` in milliseconds. `participant`: the author of a message in a
 * group. `me`: WAHA's id of the session's account. `media`: absent if the program did not ask for it.
 */
export type Described = {
  id: string;
  chatId: string;
  fromMe: boolean;
  participant?: string | undefined;
  me: string | null;
  at: number;
  said: Said;
  ack: Ack;
  source?: "api" | "app";
  pushName?: string | null;
  media?: WahaMedia | null;
  quotedId?: string | null | undefined;
};

/** The text that a person reads: of the message, or below its file. */
const bodyOf = ({ content }: Said): string | null => {
  const { text, caption, question } = recordOf(content);
  return wordIn(text) ?? wordIn(caption) ?? wordIn(question) ?? null;
};

const locationOf = ({ type, content }: Said): object | null => {
  if (type !== "location") return null;
  const { latitude, longitude, name, address } = recordOf(content);
  const described = [name, address].flatMap((text) => wordIn(text) ?? []).join("\n");
  return { latitude: String(latitude), longitude: String(longitude), description: described || null };
};

const cardsIn = (message: Record<string, unknown>): string[] => {
  const { contactMessage, contactsArrayMessage } = message;
  const cards = contactMessage ? [contactMessage] : listOf(recordOf(contactsArrayMessage)["contacts"]);
  return cards.flatMap((card) => wordIn(recordOf(card)["vcard"]) ?? []);
};

/** A message in WAHA's shape. `_data` has what WAHA's engine would: the message as its library shows it. */
export const messageView = (described: Described) => {
  const { id, chatId, fromMe, participant, me, at, said, ack, source = "app", media = null, quotedId } = described;
  const { message } = wireMessage(said);
  const timestamp = Math.floor(at / SECOND_MS);
  const cards = cardsIn(message);
  return {
    id: wahaMessageId({ fromMe, chatId, id, participant }),
    timestamp,
    from: chatId,
    fromMe,
    source,
    to: fromMe || participant !== undefined ? chatId : me,
    participant: participant ?? null,
    body: bodyOf(said),
    hasMedia: isFile(said as Parameters<typeof isFile>[0]),
    media: media && { ...media, error: null },
    mediaUrl: media?.url ?? null,
    ack: ACKS[ack],
    ackName: ack,
    location: locationOf(said),
    vCards: cards.length > 0 ? cards : null,
    replyTo: quotedId ? { id: quotedId, participant: null, body: null } : null,
    _data: {
      key: { remoteJid: chatId, fromMe, id, ...(participant === undefined ? {} : { participant }) },
      messageTimestamp: timestamp,
      pushName: described.pushName ?? null,
      message,
    },
  };
};
