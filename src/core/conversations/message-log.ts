import { idBoundAt, isUuid, type MessageId } from "../../kernel/ids.ts";
import { asDigits } from "../../kernel/numbers/phone-numbers.ts";
import { foldedOf, hasWord, wordsOf } from "../../kernel/texts/words.ts";
import { walk } from "../../kernel/walk.ts";
import type { Reader } from "../../store/engine/db.ts";
import { findChannel } from "../../store/tables/channels/channels.ts";
import {
  type ContactRow,
  findContact,
  findContactByAlias,
  findContactByNumber,
} from "../../store/tables/conversations/contacts.ts";
import {
  entriesOfMessages,
  idsOfMessages,
  type LogEntry,
  type LogSlice,
  type LogSource,
  listLiveConversations,
  sliceOfMessages,
} from "../../store/tables/conversations/message-log.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { type MessageActs, NO_ACTS, shownContent, wordActsOn } from "./acts.ts";
import { getChat } from "./chats.ts";
import type { ConversationsEnv } from "./env.ts";
import { type HistoryMessage, readConversationMessages } from "./history.ts";
import { isSentBy } from "./senders.ts";

export { MESSAGE_STATUSES } from "../../store/tables/messaging/messages.ts";

/**
 * The filter of a list of messages. `sinceMs` is included, `untilMs` is not; `q` are words that all occur in the
 * message as it reads now: its texts, and the transcript of a voice note.
 */
export type MessageFilter = {
  channelId?: string | undefined;
  /** A number in any spelling, a canonical key, or the id of a contact. */
  contact?: string | undefined;
  conversationId?: string | undefined;
  direction?: LogEntry["direction"] | undefined;
  status?: LogEntry["status"] | undefined;
  type?: string | undefined;
  /** A kind of sender, or one sender, such as `user:<id>`. */
  sentBy?: string | undefined;
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
  q?: string | undefined;
  /** The id of a message: the page begins after it. */
  cursor?: string | undefined;
  limit: number;
};

type LiveViewer = TenantScope & { environment: "live" };

/** How many messages are read for one page. */
const MOST_SEEN = 10_000;
/** How many conversations with one contact are read; earlier ones are listed by their own ids. */
const MOST_CONVERSATIONS = 100;
const NEWEST = "g"; // after every id

/**
 * A page of the live messages of a tenant, sent and received, newest first. One page reads at most 10,000 messages: it
 * may be short, or empty, although `nextCursor` says that more follows. A filter that names an unknown phone or contact
 * gives an empty page.
 * @throws AppError CONVERSATION_NOT_FOUND for an unknown `conversationId`
 */
export const messageLog = async (
  env: ConversationsEnv,
  { tenantId }: TenantScope,
  filter: MessageFilter,
): Promise<{ items: HistoryMessage[]; nextCursor: string | null }> => {
  const viewer = { tenantId, environment: "live" } as const;
  const sources = await sourcesOf(env, viewer, filter);
  const after = filter.sinceMs === undefined ? "" : idBoundAt(filter.sinceMs);
  const isWanted = wanted(filter);
  const { rows, next } = await walk<LogEntry, string>({
    from: firstPlace(filter),
    limit: filter.limit,
    most: MOST_SEEN,
    placeOf: ({ id }) => id,
    isWanted: () => true,
    read: (before, size) =>
      env.db.read(async (reader) => {
        const found = await newest(reader, sources, { before, after, limit: size });
        const matches = found.filter(isWanted);
        return {
          rows: filter.q === undefined ? matches : await withWords(reader, viewer, matches, wordsOf(filter.q)),
          end: found.length < size ? undefined : found.at(-1)?.id,
        };
      }),
  });
  const ids = rows.map(({ id }) => id);
  const items = await env.db.read((reader) => readConversationMessages(reader, viewer, ids, env.clock.now()));
  return { items, nextCursor: next ?? null };
};

/** Words must not find what a deleted message said, nor may the cursor of a page tell. */
const withWords = async (
  r: Reader,
  viewer: LiveViewer,
  entries: readonly LogEntry[],
  words: readonly string[],
): Promise<LogEntry[]> => {
  if (words.length === 0) return [];
  const acts = await wordActsOn(
    r,
    viewer,
    entries.map(({ id }) => id),
  );
  return entries.filter(({ id, content }) => {
    const { deletedAt, ...said } = acts.get(id) ?? NO_ACTS;
    return deletedAt === null && hasWords(content, said, words);
  });
};

const firstPlace = ({ cursor = NEWEST, untilMs }: MessageFilter): string => {
  const until = untilMs === undefined ? NEWEST : idBoundAt(untilMs);
  return cursor < until ? cursor : until;
};

/**
 * The indexes that find the messages. The messages of a channel that no longer exists are looked for among all
 * messages.
 */
const sourcesOf = async (
  env: ConversationsEnv,
  viewer: LiveViewer,
  { conversationId, contact, channelId }: MessageFilter,
): Promise<LogSource[]> => {
  const chat = conversationId === undefined ? undefined : (await getChat(env, viewer, conversationId)).conversation;
  return env.db.read(async (reader) => {
    const known = contact === undefined ? undefined : await contactBy(reader, viewer, contact);
    if (chat !== undefined) {
      const isTheirs = contact === undefined || chat.contactId === known?.id;
      return isTheirs ? [{ of: "conversation", id: chat.id }] : [];
    }
    if (contact !== undefined) {
      const ids = known ? await listLiveConversations(reader, known.id, { channelId, limit: MOST_CONVERSATIONS }) : [];
      return ids.map((id) => ({ of: "conversation", id }));
    }
    const channel = channelId === undefined ? undefined : await findChannel(reader, viewer, channelId);
    return [channel ? { of: "channel", id: channel.id } : { of: "tenant", id: viewer.tenantId }];
  });
};

/** The kinds of ids that networks write as digits alone. */
const BARE_IDS = ["lid", "igsid", "uid"];

/** The live contact with this id, number in any spelling, or canonical key. */
export const contactNamed = (
  { db }: Pick<ConversationsEnv, "db">,
  { tenantId }: TenantScope,
  text: string,
): Promise<ContactRow | undefined> => db.read((reader) => contactBy(reader, { tenantId, environment: "live" }, text));

const contactBy = async (r: Reader, viewer: LiveViewer, text: string): Promise<ContactRow | undefined> => {
  if (isUuid(text)) return findContact(r, viewer, text);
  const digits = asDigits(text.replace(/^pn:/, ""));
  if (!/^\d+$/.test(digits)) return findContactByAlias(r, viewer, text);
  const numbered = await findContactByNumber(r, viewer, digits);
  if (numbered) return numbered;
  for (const kind of BARE_IDS) {
    const found = await findContactByAlias(r, viewer, `${kind}:${digits}`);
    if (found) return found;
  }
  return undefined;
};

const newest = async (r: Reader, sources: readonly LogSource[], slice: LogSlice): Promise<LogEntry[]> => {
  const [only, ...more] = sources;
  if (only && more.length === 0) return sliceOfMessages(r, only, slice);
  const ids: MessageId[] = [];
  for (const source of sources) ids.push(...(await idsOfMessages(r, source, slice)));
  return entriesOfMessages(r, ids.toSorted().toReversed().slice(0, slice.limit));
};

const wanted =
  ({ channelId, direction, status, type, sentBy }: MessageFilter) =>
  (entry: LogEntry): boolean =>
    (channelId === undefined || entry.channelId === channelId) &&
    (direction === undefined || entry.direction === direction) &&
    (status === undefined || entry.status === status) &&
    (type === undefined || entry.type === type) &&
    (sentBy === undefined || isSentBy(entry.acceptedBy, sentBy));

/** Whether each word begins one of the message's words, as in the search for contacts. */
const hasWords = (
  content: string,
  { edited, transcript }: Pick<MessageActs, "edited" | "transcript">,
  words: readonly string[],
): boolean => {
  const later = foldedOf([edited?.text, transcript].filter((text) => typeof text === "string").join(" "));
  const stored = withOneSigma(`${foldedOf(content)} ${later}`);
  // only contents with these letters are parsed
  if (!words.every((word) => stored.includes(withOneSigma(word)))) return false;
  const texts = textsIn(shownContent(JSON.parse(content) as object, { edited }));
  const read = foldedOf([...texts, transcript ?? ""].join(" "));
  return words.every((word) => hasWord(read, word));
};

/** Before a sigma, an escape of JSON turns it into one at the end of a word. */
const withOneSigma = (folded: string): string => folded.replaceAll("ς", "σ");

/** The texts that people read; not addresses and handles of files. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return value.includes("://") && !value.includes(" ") ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
