import type { proto } from "@whiskeysockets/baileys";
import { isKnown, type Received } from "../../../src/contract/events.ts";
import type { KeyChanges, KeyRow } from "../../../src/contract/ports/key-store.ts";
import { isLid } from "../address.ts";
import { isOlderTimer, timerRowsOf } from "../chat-timers.ts";
import { actOf } from "../inbound/acts.ts";
import { merged, type Reading } from "../inbound/changes.ts";
import { openedIn } from "../inbound/content/wrappers.ts";
import { hiddenIn, withSecretOf } from "../inbound/hidden/hidden.ts";
import { originOfCopy } from "../inbound/origin.ts";
import { completedMessagePlace } from "../inbound/people.ts";
import { eventOf, partIn, timerRows } from "../inbound/read.ts";
import { toCachedMessage } from "../message-cache.ts";
import { begunRows } from "../outbound/limits/strangers.ts";
import { fieldsIn } from "../wire.ts";

/** A message of a piece, and its entry as the phone has encoded it: the library drops unknown fields. */
export type Written = { info: proto.IWebMessageInfo; entry: Uint8Array };

/** The numbers of fields: the chats of a piece, their entries, the message of an entry, and its content. */
const [CHATS, ENTRIES, MESSAGE, CONTENT] = [2, 2, 1, 2];

const valuesOf = (encoded: Uint8Array, wanted: number): Uint8Array[] =>
  [...fieldsIn(encoded)].flatMap(({ number, value }) => (number === wanted && value ? [value] : []));

/** The messages of a piece in the order of their chats, oldest first: the phone names the newest first. */
export const messagesIn = ({ conversations }: proto.IHistorySync, bytes: Uint8Array): Written[] => {
  const chats = valuesOf(bytes, CHATS);
  return (conversations ?? []).flatMap(({ messages }, chat) => {
    const entries = valuesOf(chats[chat] ?? new Uint8Array(), ENTRIES);
    return (messages ?? [])
      .flatMap(({ message: info }, at) => (info ? [{ info, entry: entries[at] ?? new Uint8Array() }] : []))
      .toReversed();
  });
};

/** The content of a message as its writer encoded it. */
const bytesIn = ({ entry }: Written): Uint8Array =>
  Buffer.concat(valuesOf(entry, MESSAGE).flatMap((message) => valuesOf(message, CONTENT)));

/** The pairs of addresses that a piece names. */
export const pairsIn = ({
  conversations,
  phoneNumberToLidMappings,
}: proto.IHistorySync): { lid: string; pn: string }[] => [
  ...(phoneNumberToLidMappings ?? []).flatMap(({ lidJid, pnJid }) =>
    lidJid && pnJid ? [{ lid: lidJid, pn: pnJid }] : [],
  ),
  ...(conversations ?? []).flatMap(({ id, lidJid, pnJid }) => {
    if (id && isLid(id)) return pnJid ? [{ lid: id, pn: pnJid }] : [];
    return id?.endsWith("@s.whatsapp.net") && lidJid ? [{ lid: lidJid, pn: id }] : [];
  }),
];

/** The rows of the timers that the phone knows, also those of groups. */
export const timersIn = async (
  { keyStore, host }: Pick<Reading, "keyStore" | "host">,
  conversations: readonly proto.IConversation[],
): Promise<KeyRow[]> => {
  const rows = conversations.map(async (conversation) => {
    if (!conversation.id || !conversation.ephemeralExpiration) return [];
    const { chat } = await completedMessagePlace(keyStore, { remoteJid: conversation.id, fromMe: false, id: "" });
    return timerRowsOf(keyStore, chat, conversation, host.clock.now());
  });
  return (await Promise.all(rows)).flat();
};

/**
 * The changes by messages of a piece: each is kept in its conversation, with a copy so that it can be quoted and its
 * file fetched. Reactions, votes, changes, and messages in groups are not imported.
 */
export const importedIn = async (reading: Reading, messages: readonly Written[]): Promise<KeyChanges> => {
  const together = new Set(messages.map(({ info }) => info.key?.id ?? ""));
  const changes = merged(await Promise.all(messages.map((message) => importedOrNothing(reading, message, together))));
  // many messages begin one chat, and have its timer
  const rows = new Map<string, KeyRow>();
  for (const row of changes.rows ?? []) {
    const known = rows.get(`${row.kind}/${row.id}`);
    if (!known || !isOlderTimer(row, known)) rows.set(`${row.kind}/${row.id}`, row);
  }
  return { ...changes, rows: [...rows.values()] };
};

/** One unreadable message must not hold up its piece. */
const importedOrNothing = async (
  reading: Reading,
  message: Written,
  together: ReadonlySet<string>,
): Promise<KeyChanges> => {
  try {
    return (await importedOf(reading, message, together)).changes;
  } catch (error) {
    reading.host.log.error({ err: error }, "a message of history could not be read");
    return {};
  }
};

/** Why a message is not imported: it lies elsewhere, is an act on another one, is in a group, or says nothing. */
export type NotImported = "elsewhere" | "act" | "group" | "nobody" | "empty";

/**
 * The changes by one message, and why it is not imported. `together`: the ids of the messages that come with it.
 * @throws Error for a message that cannot be read
 */
export const importedOf = async (
  reading: Reading,
  written: Written,
  together: ReadonlySet<string>,
): Promise<{ changes: KeyChanges; not?: NotImported }> => {
  const { info } = written;
  const { keyStore } = reading;
  const origin = originOfCopy(info);
  if (!origin) return { changes: {}, not: "elsewhere" };
  const content = withSecretOf(openedIn(info.message), [info.message]);
  if (actOf(content, origin.at) || hiddenIn(content)) return { changes: {}, not: "act" };
  const bytes = bytesIn(written);
  const part = partIn(reading, { content, bytes });
  const messagePlace = await completedMessagePlace(keyStore, origin.key);
  const { chat } = messagePlace;
  if (chat.group !== undefined) return { changes: {}, not: "group" };
  if (!isKnown(chat)) return { changes: {}, not: "nobody" };
  const timer = await timerRows(reading, origin, content, part);
  if (part === undefined) return { changes: { rows: timer }, not: "empty" };
  const event = await eventOf(reading, { origin, messagePlace, content, part, bytes });
  return {
    changes: {
      messages: [toCachedMessage({ ...origin, message: content })],
      rows: [...timer, ...(await begunRows(keyStore, chat, { isOwn: origin.key.fromMe }))],
      events: [{ ...withoutQuoted(event, together), isHistory: true, isImported: true }],
    },
  };
};

/**
 * A message that comes together with its quoted message names only its id, as if the quoted message had come before.
 */
const withoutQuoted = (event: Received, together: ReadonlySet<string>): Received => {
  const { quotedProviderMessageId: quoted, content: said } = event;
  if (quoted === undefined || !together.has(quoted) || !("quoted" in said.content)) return event;
  const { quoted: _, ...content } = said.content;
  return { ...event, content: { ...said, content } as Received["content"] };
};
