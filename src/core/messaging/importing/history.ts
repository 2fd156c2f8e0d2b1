import type { HistoryPorts, LeftOut, ReadHistory, StoredHistory } from "../../../contract/abilities/moving.ts";
import type { Known, Received } from "../../../contract/events.ts";
import type { KeyChanges, KeyRow } from "../../../contract/ports/key-store.ts";
import { DAY_MS, othersServed } from "../../../kernel/clock.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { type ChannelId, newId } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import { findCopy, readKeyStore, writeCopy, writeKeyStore } from "../../../store/tables/channels/key-store.ts";
import {
  type AddedKind,
  findHistoryImport,
  type HistoryImportRow,
  hasAddedSince,
  putHistoryImport,
  recordAdded,
} from "../../../store/tables/messaging/history-imports.ts";
import { findIdOfKey } from "../../../store/tables/messaging/messages.ts";
import { copyRow, forgetKeyRows, keyReaderOf, keyStoreRow } from "../../channels/settings/vault.ts";
import {
  type ImportContext,
  isContactKnown,
  keepImportedContact,
  type NoteAdded,
} from "../../conversations/imported.ts";
import { type Requester, recordAct } from "../../tenancy/audit/audit.ts";
import type { MessagingEnv } from "../env.ts";
import { learnImported, namesOfImported } from "../receiving/import.ts";
import { receiveImported } from "../receiving/receive.ts";
import { forgetEarlier } from "./earlier.ts";
import { filesOf, type WantedFile, wantedFiles } from "./files.ts";
import {
  channelOf,
  type Historian,
  type HistoryHome,
  type HistorySource,
  historianOf,
  requireTurn,
} from "./imports.ts";

/** Rows of a history that are written at once. Larger writes would hold up those of other channels. */
const PER_WRITE = 100;

/** The counts of a part of a history. `known`: messages and people that are here already. */
export type HistoryCounts = { messages: number; contacts: number; known: number; leftOut: LeftOut };

const NO_KEYS: HistoryPorts["keyStore"] = { read: async () => new Map(), cachedMessage: async () => undefined };

const keysOf = (env: MessagingEnv, channelId: ChannelId): HistoryPorts["keyStore"] => ({
  ...keyReaderOf(env, channelId),
  async cachedMessage(key) {
    const sealed = await env.db.read((reader) => findCopy(reader, channelId, key));
    return sealed === undefined ? undefined : env.secrets.open(copyRow(channelId, key), sealed);
  },
});

const withReason = (leftOut: LeftOut, reason: string, count: number): LeftOut =>
  count === 0 ? leftOut : { ...leftOut, [reason]: (leftOut[reason] ?? 0) + count };

const TOO_OLD = "a message older than RECADO_KEEP_MESSAGES";
const TOO_NEW = "a message from the future";
/** Clocks of phones differ. */
const AHEAD_MS = DAY_MS;
const NO_ROOM = "a contact beyond the account's limit";

type Sorted = { messages: ReadHistory["messages"]; people: readonly Known[]; leftOut: LeftOut };

/** The rows of a part, without messages that the next sweep would delete, and without those of wrong clocks. */
const sortedIn = async (
  env: MessagingEnv,
  { moving }: Historian,
  stored: StoredHistory,
  keyStore: HistoryPorts["keyStore"],
): Promise<Sorted> => {
  const { messages, people, leftOut } = await moving.readHistory(stored, { keyStore, clock: env.clock, log: env.log });
  const now = env.clock.now();
  const past = messages.filter(({ event }) => event.at < now + AHEAD_MS);
  const kept = past.filter(({ event }) => event.at > now - env.config.keep.messages);
  const withOld = withReason(leftOut, TOO_OLD, past.length - kept.length);
  return { messages: kept, people, leftOut: withReason(withOld, TOO_NEW, messages.length - past.length) };
};

/** `files`: of the messages that have none here; present if they were asked for. */
export type HistoryAnswer = HistoryCounts & { files?: readonly WantedFile[] };

/**
 * Describes a part of a history, and changes nothing. With `home` it says what is known there. `withFiles`: with the files
 * that its messages lack.
 * @throws AppError VALIDATION for an unknown format, TENANT_NOT_FOUND, CHANNEL_NOT_FOUND
 */
export const inspectHistory = async (
  env: MessagingEnv,
  stored: StoredHistory,
  { home, withFiles = false }: { home?: HistoryHome | undefined; withFiles?: boolean | undefined },
): Promise<HistoryAnswer> => {
  const historian = historianOf(env, stored.format);
  const channel = home && (await channelOf(env, historian, home));
  const keyStore = channel ? keysOf(env, channel.id) : NO_KEYS;
  const { messages, people, leftOut } = await sortedIn(env, historian, stored, keyStore);
  const events = messages.map(({ event }) => event);
  const [knownMessages, knownPeople] = channel
    ? await env.db.read(async (reader) => [
        await countKnown(reader, channel.id, events),
        await countKnownPeople(reader, channel, people),
      ])
    : [0, 0];
  const files = !withFiles
    ? undefined
    : channel
      ? await env.db.read((reader) => wantedFiles(reader, channel, events, { withNew: true }))
      : filesOf(events);
  return {
    messages: messages.length - knownMessages,
    contacts: people.length - knownPeople,
    known: knownMessages + knownPeople,
    leftOut,
    ...(files ? { files } : {}),
  };
};

const countKnownPeople = async (r: Reader, channel: ChannelRow, people: readonly Known[]): Promise<number> => {
  let known = 0;
  for (const { identity, name = null } of people) {
    const who = await namesOfImported(r, channel.id, identity);
    if (await isContactKnown(r, { channel, environment: "live" }, { who, name })) known += 1;
  }
  return known;
};

const countKnown = async (r: Reader, channelId: ChannelId, events: readonly Received[]): Promise<number> => {
  let known = 0;
  for (const { key } of events) if ((await findIdOfKey(r, channelId, key)) !== undefined) known += 1;
  return known;
};

/**
 * Begins to import a history into a channel, or goes on with an interrupted import from the same source. Its `cursor` is
 * the place to go on after. What another import has added there can be undone until this one adds something.
 * @throws AppError VALIDATION for an unknown format, and for a channel that was never linked, TENANT_NOT_FOUND,
 *   CHANNEL_NOT_FOUND
 */
export const beginHistory = async (
  env: MessagingEnv,
  by: Requester,
  home: HistoryHome,
  { format, source, run }: HistorySource,
): Promise<HistoryImportRow> => {
  const historian = historianOf(env, format);
  const channel = await channelOf(env, historian, home);
  const { id: channelId, tenantId, kind } = channel;
  if ((await historian.moving.marksOf(keyReaderOf(env, channelId))).length === 0)
    throw invalid(
      issue("phone", "format", "was never linked: link it first, so that its own messages are known as such"),
    );
  const before = await env.db.read((reader) => findHistoryImport(reader, channelId));
  if (before && before.source !== source) await forgetEarlier(env, before);
  return env.db.write(async (tx) => {
    const known = await findHistoryImport(tx, channelId);
    const same = known?.source === source ? known : undefined;
    // later than all that the import before has added
    const startedAt = same?.startedAt ?? Math.max(env.clock.now(), (known?.updatedAt ?? 0) + 1);
    const row: HistoryImportRow = {
      channelId,
      id: same?.id ?? newId(env),
      source,
      run,
      cursor: same && !same.isDone ? same.cursor : "",
      isDone: false,
      startedAt,
      updatedAt: Math.max(env.clock.now(), startedAt),
    };
    await putHistoryImport(tx, row);
    if (!same || same.isDone)
      await recordAct(env, tx, by, {
        action: "channel.import-history",
        target: channelId,
        tenantId,
        details: { kind, format },
      });
    return row;
  });
};

/**
 * A part of a history, which lies between two places of the source. `isLast`: nothing follows. `withFiles`: the files that
 * its messages lack are named, and the import stays at its place as long as there are some.
 */
export type HistoryPart = {
  stored: StoredHistory;
  from: string;
  to: string;
  isLast: boolean;
  withFiles?: boolean | undefined;
};

/**
 * Imports the next part of a history: messages at their places in time, and contacts. Nothing is published, nothing is
 * unread, and no agent answers. What is known changes nothing.
 * @throws AppError as `beginHistory`, and VALIDATION if another part is expected, or the import was not begun
 */
export const takeHistory = async (
  env: MessagingEnv,
  home: HistoryHome,
  { format, source, run }: HistorySource,
  { stored, from, to, isLast, withFiles = false }: HistoryPart,
): Promise<HistoryAnswer> => {
  const historian = historianOf(env, format);
  const channel = await channelOf(env, historian, home);
  await env.db.read((reader) => requireTurn(reader, channel.id, { source, run, from }));
  const sorted = await sortedIn(env, historian, stored, keysOf(env, channel.id));
  // people first, so that chats have their names
  const all: Change[] = [...sorted.people.map((person) => ({ person })), ...sorted.messages];
  const withFile = sorted.messages.map(({ event }) => event).filter(({ media }) => media !== undefined);
  const waits = withFiles && withFile.length > 0;
  const counts = { messages: 0, contacts: 0, known: 0, full: 0 };
  for (let first = 0; first === 0 || first < all.length; first += PER_WRITE) {
    const isEnd = first + PER_WRITE >= all.length;
    const { isFirst, row, ...added } = await env.db.write(async (tx) => {
      const known = await requireTurn(tx, channel.id, { source, run, from });
      const { addedAt, ...made } = await writePart(
        env,
        tx,
        { channel, row: known },
        all.slice(first, first + PER_WRITE),
      );
      const row = { ...known, updatedAt: addedAt, ...(isEnd && !waits ? { cursor: to, isDone: isLast } : {}) };
      await putHistoryImport(tx, row);
      return { ...made, row };
    });
    for (const name of ["messages", "contacts", "known", "full"] as const) counts[name] += added[name];
    if (isFirst) await forgetEarlier(env, row);
    await othersServed();
  }
  const { full, ...rest } = counts;
  const answer = { ...rest, leftOut: withReason(sorted.leftOut, NO_ROOM, full) };
  if (!withFiles) return answer;
  const files = waits ? await env.db.read((reader) => wantedFiles(reader, channel, withFile, { withNew: false })) : [];
  if (waits && files.length === 0)
    await env.db.write(async (tx) => {
      const known = await requireTurn(tx, channel.id, { source, run, from });
      await putHistoryImport(tx, { ...known, cursor: to, isDone: isLast });
    });
  return { ...answer, files };
};

type Change = ReadHistory["messages"][number] | { person: Known };

type Writing = { channel: ChannelRow; row: HistoryImportRow };

/** `isFirst`: nothing was added by this import before. */
const writePart = async (env: MessagingEnv, tx: Tx, { channel, row }: Writing, changes: readonly Change[]) => {
  const added: { kind: AddedKind; ref: string }[] = [];
  const note: NoteAdded = (kind, ref) => void added.push({ kind, ref });
  const context = { channel, environment: "live", note } as const;
  const counts = { messages: 0, contacts: 0, known: 0, full: 0 };
  const kept: Kept[] = [];
  for (const change of changes) {
    if ("person" in change) counts[await writePerson(env, tx, context, change.person)] += 1;
    else if (await receiveImported(env, tx, context, change.event)) {
      counts.messages += 1;
      kept.push(change.changes);
    } else counts.known += 1;
  }
  for (const ref of await writeKeys(env, tx, channel.id, kept)) note("key", ref);
  const isFirst = added.length > 0 && !(await hasAddedSince(tx, channel.id, row.startedAt));
  // read after the rows were written: an undo takes what has a later time for a change of people
  const addedAt = Math.max(env.clock.now(), row.startedAt);
  recordAdded(tx, channel.id, added, addedAt);
  return { ...counts, isFirst, addedAt };
};

const writePerson = async (
  env: MessagingEnv,
  tx: Tx,
  context: ImportContext,
  { identity, at, name: reported }: Known,
): Promise<"contacts" | "known" | "full"> => {
  const name = reported ?? null;
  const who = await learnImported(tx, context, { identity, at, name });
  try {
    return (await keepImportedContact(env, tx, context, { who, name })) ? "contacts" : "known";
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === "LIMIT_REACHED") return "full";
    throw thrown;
  }
};

/** What the key store keeps of a message. */
type Kept = Pick<KeyChanges, "rows" | "messages">;

/**
 * Writes copies of new messages, and rows that are not there: what the link has written itself counts more. Gives the
 * written rows, as `<kind>/<id>`.
 */
const writeKeys = async (env: MessagingEnv, tx: Tx, channelId: ChannelId, kept: readonly Kept[]): Promise<string[]> => {
  for (const { key, value } of kept.flatMap(({ messages = [] }) => messages))
    if ((await findCopy(tx, channelId, key)) === undefined)
      writeCopy(tx, {
        channelId,
        providerMessageId: key,
        sealed: env.secrets.seal(copyRow(channelId, key), value),
        cachedAt: env.clock.now(),
      });
  const missing = await missingRows(tx, channelId, kept);
  const sealed = missing.map(({ kind, id, value, until }) => ({
    kind,
    id,
    sealed: env.secrets.seal(keyStoreRow(channelId, kind, id), value),
    until,
  }));
  if (sealed.length > 0) {
    writeKeyStore(tx, channelId, sealed);
    tx.atCommit(forgetKeyRows);
  }
  return missing.map(({ kind, id }) => `${kind}/${id}`);
};

/** The rows that the key store does not have. */
const missingRows = async (tx: Tx, channelId: ChannelId, kept: readonly Kept[]) => {
  const rows = new Map<string, Omit<KeyRow, "value"> & { value: string }>();
  for (const { value, ...row } of kept.flatMap((one) => one.rows ?? []))
    if (value !== null) rows.set(`${row.kind}/${row.id}`, { ...row, value });
  for (const kind of new Set([...rows.values()].map((row) => row.kind))) {
    const ids = [...rows.values()].flatMap((row) => (row.kind === kind ? [row.id] : []));
    for (const { id } of await readKeyStore(tx, channelId, kind, ids)) rows.delete(`${kind}/${id}`);
  }
  return [...rows.values()];
};
