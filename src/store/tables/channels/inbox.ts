import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ProviderMessageId } from "../../../contract/events.ts";
import type { ChannelId, MessageId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertNew, statement } from "../../engine/statement.ts";
import { deleteRow, laws, type Somebody } from "../table-laws.ts";
import type { Environment } from "../tenancy/keys.ts";

/**
 * The provider message ids of messages that were not sent here, further ids of sent messages, and ids of actions. These
 * ids show a repeat, and lead a reply or an operation to its message. `chat` and `sender` are canonical keys. `isOwn`:
 * the channel's owner wrote it in the network's own app.
 */
export const inbox = sqliteTable(
  "inbox",
  {
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    providerMessageId: text("provider_message_id").$type<ProviderMessageId>().notNull(),
    messageId: text("message_id").$type<MessageId>().notNull(),
    chat: text().notNull().default(""),
    sender: text().notNull().default(""),
    isOwn: integer("is_own", { mode: "boolean" }).notNull().default(false),
    /** The content may follow, in a message with the same id. */
    isPlaceholder: integer("is_placeholder", { mode: "boolean" }).notNull().default(false),
    /** The message came for information, while another app led the conversation. It may come once more for this app. */
    isHeld: integer("is_held", { mode: "boolean" }).notNull().default(false),
    receivedAt: integer("received_at").notNull(),
    /** No network knows a simulated message. */
    environment: text().$type<Environment>().notNull().default("live"),
  },
  (t) => [
    primaryKey({ columns: [t.channelId, t.providerMessageId] }),
    index("inbox_by_message").on(t.messageId),
    index("inbox_by_age").on(t.receivedAt),
  ],
);

/** Whether a provider message id contains the number, as those of some networks do. */
export const holdsNumber = (providerMessageId: unknown, who: Somebody): boolean =>
  who.mentions(Buffer.from(String(providerMessageId).replace(/^wamid\./, ""), "base64").toString("latin1")) ||
  who.mentions(providerMessageId);

const erase = statement<never, { at: number }>(
  "UPDATE inbox SET chat = '', sender = '', message_id = 'erased:' || rowid WHERE rowid = :at",
);

export const inboxLaws = laws(inbox, {
  keeps: {
    group: "messages",
    setting: "RECADO_KEEP_MESSAGES",
    rule: "the term, at least 8 days and at most 90, because repeats and replies are recognised by it",
    isSwept: true,
  },
  personal: {
    rowsOf: "channel",
    by: ["chat", "sender"],
    texts: [],
    // the id still shows a repeat, unless it contains the number
    erase(tx, row, who) {
      if (holdsNumber(row["provider_message_id"], who)) return deleteRow(tx, "inbox", row);
      erase.run(tx, { at: row.at });
      return {};
    },
  },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by received messages; kept for 90 days" },
  files: "none",
  backup: "rows alone",
});

export type InboxRow = typeof inbox.$inferSelect;
type NewInboxRow = Omit<InboxRow, "isHeld"> & Partial<Pick<InboxRow, "isHeld">>;
type ByProviderId = Pick<InboxRow, "channelId" | "providerMessageId">;

const INBOX = columnsOf(inbox);
const IS_MESSAGE = "channel_id = :channelId AND provider_message_id = :providerMessageId";

/** False when this provider message id was received before. */
export const claimInbound: (tx: Tx, row: NewInboxRow) => Promise<boolean> = insertNew(inbox);

const fill = statement<InboxRow, ByProviderId>(
  `UPDATE inbox SET is_placeholder = 0 WHERE ${IS_MESSAGE} AND is_placeholder = 1 RETURNING *`,
  INBOX,
);

/** Fills the placeholder of a message; undefined if the message has no placeholder. */
export const fillPlaceholder = (
  tx: Tx,
  { channelId, providerMessageId }: ByProviderId,
): Promise<InboxRow | undefined> => fill.get(tx, { channelId, providerMessageId });

const release = statement<InboxRow, ByProviderId>(
  `UPDATE inbox SET is_held = 0 WHERE ${IS_MESSAGE} AND is_held = 1 RETURNING *`,
  INBOX,
);

/** The message that came for information and now comes for this app; undefined if no such message came. */
export const releaseInbound = (tx: Tx, { channelId, providerMessageId }: ByProviderId): Promise<InboxRow | undefined> =>
  release.get(tx, { channelId, providerMessageId });

const byProviderId = statement<InboxRow, ByProviderId>(`SELECT * FROM inbox WHERE ${IS_MESSAGE}`, INBOX);

export const findInbound = (
  r: Reader,
  channelId: ChannelId,
  providerMessageId: ProviderMessageId,
): Promise<InboxRow | undefined> => byProviderId.get(r, { channelId, providerMessageId });

const byMessage = statement<InboxRow, { messageId: MessageId }>(
  "SELECT * FROM inbox WHERE message_id = :messageId",
  INBOX,
);

/** The message with this id of Recado that was not sent here. */
export const findInboundByMessage = (r: Reader, messageId: MessageId): Promise<InboxRow | undefined> =>
  byMessage.get(r, { messageId });

/** Separates the id of a message of several contents from the place of a further one. */
const PART = "#";
const PART_KEY = new RegExp(`^(.+)${PART}\\d{1,3}$`, "s");

/** The id under which a further content of a message is known; `place` counts from 1. */
export const partKeyOf = (key: ProviderMessageId, place: number): ProviderMessageId =>
  `${key}${PART}${place}` as ProviderMessageId;

/** The network's own id of a message: a further content of a message has the message's id. */
export const wholeKeyOf = async (
  r: Reader,
  { channelId, providerMessageId: key, chat }: Pick<InboxRow, "channelId" | "providerMessageId" | "chat">,
): Promise<ProviderMessageId> => {
  const [, whole] = PART_KEY.exec(key) ?? [];
  if (whole === undefined) return key;
  // a network may use the same form for ids of its own
  const first = await findInbound(r, channelId, whole as ProviderMessageId);
  return first?.chat === chat ? first.providerMessageId : key;
};

const removeSome = statement<unknown, { channelId: ChannelId; limit: number }>(
  "DELETE FROM inbox WHERE rowid IN (SELECT rowid FROM inbox WHERE channel_id = :channelId LIMIT :limit) RETURNING 1",
);

/** Deletes the inbox of a deleted channel; at most `limit` rows. True when there may be more. */
export const deleteInboxOf = async (tx: Tx, channelId: ChannelId, limit: number): Promise<boolean> =>
  (await removeSome.all(tx, { channelId, limit })).length === limit;

/** A place in the inbox of all channels, which is read by age. */
export type InboxPlace = { receivedAt: number; row: number };

type WritersPage = InboxPlace & { channelId: ChannelId; limit: number };
const writers = statement<InboxPlace & { sender: string | null }, WritersPage>(
  `SELECT received_at AS receivedAt, rowid AS row,
    iif(channel_id = :channelId AND environment = 'live' AND NOT is_own, sender, NULL) AS sender FROM inbox
    WHERE (received_at, rowid) > (:receivedAt, :row) ORDER BY received_at, rowid LIMIT :limit`,
);

/**
 * The canonical keys of the people who have written to the channel, among the next `limit` rows after a place. `end`:
 * the place after these rows; undefined at the end of the inbox.
 */
export const sliceOfWriters = async (
  r: Reader,
  channelId: ChannelId,
  after: InboxPlace,
  limit: number,
): Promise<{ writers: string[]; end: InboxPlace | undefined }> => {
  const rows = await writers.all(r, { channelId, receivedAt: after.receivedAt, row: after.row, limit });
  const last = rows.at(-1);
  return {
    writers: rows.flatMap(({ sender }) => sender ?? []),
    end: rows.length === limit && last ? { receivedAt: last.receivedAt, row: last.row } : undefined,
  };
};
