import { AppError, invalid } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { cutPage, unknownCursor } from "../../../kernel/page.ts";
import { issue } from "../../../kernel/schema.ts";
import { foldedOf, hasWord, wordsOf } from "../../../kernel/texts/words.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import {
  type CannedReplyRow,
  deleteCannedReply,
  findCannedReply,
  findReplyOfShortcut,
  insertCannedReply,
  listCannedReplies,
  type ReplyFilter,
  type ReplyReader,
  SHARED,
  updateCannedReply,
} from "../../../store/tables/conversations/canned-replies.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { requireRoom } from "../../tenancy/accounts/collections.ts";
import type { Caller } from "../../tenancy/audit/audit.ts";
import type { ConversationsEnv } from "../env.ts";
import { type SentBy, senderIn, sendersOf } from "../senders.ts";

export const MAX_SHORTCUT = 40;
export const MAX_REPLY = 4096;
/** The rows that are read at once for a search. */
const READ_AT_ONCE = 500;
const MAX_SEARCH_WORDS = 10;

/** A canned reply, and who made it. */
export type CannedReply = CannedReplyRow & { shared: boolean; madeBy: SentBy };
type Page = Pick<ReplyFilter, "owner"> & { q: string | undefined; cursor: string | undefined; limit: number };
export type ReplyInput = { shortcut: string; text: string; shared: boolean };

/** Who owns what an actor keeps for themselves. A key is no person, and has nothing of its own. */
const personOf = ({ actor }: Caller): string => (/^(?:user|operator):/.test(actor.name) ? actor.name : SHARED);
const readerOf = (caller: Caller): ReplyReader => ({ tenantId: caller.tenantId, person: personOf(caller) });

const unknownReply = () => new AppError("CANNED_REPLY_NOT_FOUND", { message: "There is no such canned reply." });

/** A shortcut as it is stored: without case, because nobody types `/` with capitals. */
const shortcutIn = (text: string): string => {
  const plain = text.normalize("NFC").toLowerCase();
  if (!/^[\p{L}\p{M}\p{Nd}_-]+$/u.test(plain))
    throw invalid(issue("shortcut", "pattern", "must have letters, digits, _ and - alone"));
  return plain;
};

const ownerFor = (caller: Caller, isShared: boolean): string => {
  if (isShared) return SHARED;
  const person = personOf(caller);
  if (person === SHARED) throw invalid(issue("shared", "enum", "must be true: only a person has own replies"));
  return person;
};

/** The replies with who made each. */
const named = async (r: Reader, { tenantId }: TenantScope, rows: readonly CannedReplyRow[]): Promise<CannedReply[]> => {
  const makers = await sendersOf(
    r,
    { tenantId },
    rows.map(({ createdBy }) => createdBy),
  );
  return rows.map((row) => ({
    ...row,
    shared: row.owner === SHARED,
    madeBy: makers.get(row.createdBy) ?? senderIn(row.createdBy),
  }));
};

const nameOne = async (r: Reader, row: CannedReplyRow): Promise<CannedReply> => {
  const [one] = await named(r, row, [row]);
  if (!one) throw new Error("a row has its names");
  return one;
};

/**
 * A page of the shared replies and the caller's own, by shortcut. `q`: each of its words begins a word of the shortcut
 * or of the text.
 * @throws AppError VALIDATION for a cursor that is not a reply which the caller sees
 */
export const cannedRepliesPage = (
  env: ConversationsEnv,
  caller: Caller,
  { owner, q, cursor, limit }: Page,
): Promise<{ items: CannedReply[]; nextCursor: string | null }> =>
  env.db.read(async (reader) => {
    const who = readerOf(caller);
    const last = cursor === undefined ? undefined : await findCannedReply(reader, who, cursor);
    if (cursor !== undefined && !last) throw unknownCursor();
    const found = await matching(reader, who, { owner, after: last, limit: limit + 1 }, searched(q));
    const page = cutPage(found, limit, ({ id }) => id);
    return { ...page, items: await named(reader, who, page.items) };
  });

const searched = (q: string | undefined): string[] => (q === undefined ? [] : wordsOf(q).slice(0, MAX_SEARCH_WORDS));

const hasWords = ({ shortcut, text }: CannedReplyRow, words: readonly string[]): boolean => {
  const folded = foldedOf(`${shortcut} ${text}`);
  return words.every((word) => hasWord(folded, word));
};

const matching = async (
  r: Reader,
  who: ReplyReader,
  filter: ReplyFilter,
  words: readonly string[],
): Promise<CannedReplyRow[]> => {
  if (words.length === 0) return listCannedReplies(r, who, filter);
  const found: CannedReplyRow[] = [];
  let { after } = filter;
  for (;;) {
    const rows = await listCannedReplies(r, who, { ...filter, after, limit: READ_AT_ONCE });
    found.push(...rows.filter((row) => hasWords(row, words)));
    after = rows.at(-1);
    if (rows.length < READ_AT_ONCE || found.length >= filter.limit) return found.slice(0, filter.limit);
  }
};

/** @throws AppError CANNED_REPLY_NOT_FOUND, also for a reply of another person */
export const getCannedReply = (env: ConversationsEnv, caller: Caller, id: string): Promise<CannedReply> =>
  env.db.read(async (reader) => nameOne(reader, await required(reader, caller, id)));

const required = async (r: Reader, caller: Caller, id: string): Promise<CannedReplyRow> => {
  const row = await findCannedReply(r, readerOf(caller), id);
  if (!row) throw unknownReply();
  return row;
};

/**
 * @throws AppError VALIDATION for a shortcut with other signs, or for an own reply of a key; CANNED_REPLY_EXISTS,
 *   LIMIT_REACHED
 */
export const createCannedReply = (env: ConversationsEnv, caller: Caller, input: ReplyInput): Promise<CannedReply> => {
  const { tenantId } = caller;
  const shortcut = shortcutIn(input.shortcut);
  const owner = ownerFor(caller, input.shared);
  const createdAt = env.clock.now();
  const row: CannedReplyRow = {
    id: newId(env),
    tenantId,
    owner,
    shortcut,
    createdBy: caller.actor.name,
    createdAt,
    updatedAt: createdAt,
    text: input.text,
  };
  return env.db.write(async (tx) => {
    await requireFree(tx, row);
    await requireRoom(env, tx, { collection: "canned-replies", owner: tenantId });
    await insertCannedReply(tx, row);
    return nameOne(tx, row);
  });
};

const requireFree = async (tx: Tx, row: CannedReplyRow): Promise<void> => {
  const holder = await findReplyOfShortcut(tx, row);
  if (holder !== undefined && holder !== row.id)
    throw new AppError("CANNED_REPLY_EXISTS", { message: "A canned reply has this shortcut already." });
};

/** @throws AppError CANNED_REPLY_NOT_FOUND, and what `createCannedReply` throws */
export const changeCannedReply = (
  env: ConversationsEnv,
  caller: Caller,
  id: string,
  { shortcut, text, shared }: Partial<ReplyInput>,
): Promise<CannedReply> => {
  const changes = {
    ...(shortcut === undefined ? {} : { shortcut: shortcutIn(shortcut) }),
    ...(text === undefined ? {} : { text }),
    ...(shared === undefined ? {} : { owner: ownerFor(caller, shared) }),
  };
  return env.db.write(async (tx) => {
    const before = await required(tx, caller, id);
    const after = { ...before, ...changes, updatedAt: env.clock.now() };
    await requireFree(tx, after);
    const { shortcut: newShortcut, text: newText, owner, updatedAt } = after;
    await updateCannedReply(tx, before, { shortcut: newShortcut, text: newText, owner, updatedAt });
    return nameOne(tx, after);
  });
};

/** @throws AppError CANNED_REPLY_NOT_FOUND */
export const removeCannedReply = (env: ConversationsEnv, caller: Caller, id: string): Promise<void> =>
  env.db.write(async (tx) => deleteCannedReply(tx, await required(tx, caller, id)));
