import type { ServerEnv } from "../../../composition.ts";
import type { HistoryRow } from "../../../contract/abilities/moving.ts";
import type { ProviderMessageId } from "../../../contract/events.ts";
import { packEntries } from "../../../core/channels/moving/move-archive.ts";
import { type FileTaken, takeHistoryFile, type WantedFile } from "../../../core/messaging/importing/files.ts";
import {
  beginHistory,
  type HistoryAnswer,
  type HistoryCounts,
  type HistoryPart,
  inspectHistory,
  takeHistory,
} from "../../../core/messaging/importing/history.ts";
import type { HistoryHome, HistorySource } from "../../../core/messaging/importing/imports.ts";
import { type Undone, undoHistory } from "../../../core/messaging/importing/undo.ts";
import { LOCAL } from "../../../core/tenancy/audit/audit.ts";
import { monotonicClock, SECOND_MS } from "../../../kernel/clock.ts";
import type { AskServer, SendToServer } from "../../on-database.ts";
import { type FileCounts, filesOfPage, NO_FILES, summed, sumOfFiles } from "./files.ts";
import { type FoundHistory, isBeginning } from "./found.ts";
import type { MediaPlace, SourceFile } from "./media.ts";

/** The functions on the database that a history needs, called directly or through the server that has it open. */
export type HistoryPort = {
  inspect(format: string, rows: readonly HistoryRow[], home: HistoryHome | undefined): Promise<HistoryAnswer>;
  /** Resolves to the place after which the import goes on. */
  begin(home: HistoryHome, source: HistorySource): Promise<string>;
  take(home: HistoryHome, source: HistorySource, part: HistoryPart): Promise<HistoryAnswer>;
  keep(home: HistoryHome, source: HistorySource, wanted: WantedFile, file: SourceFile): Promise<FileTaken>;
  undo(accountId: string): Promise<Undone>;
};

export const historyPortOn = (env: ServerEnv): HistoryPort => ({
  inspect: (format, rows, home) => inspectHistory(env, { format, rows }, { home, withFiles: true }),
  begin: async (home, source) => (await beginHistory(env, LOCAL, home, source)).cursor,
  take: (home, source, part) => takeHistory(env, home, source, part),
  keep: (home, source, { key, contentType, sha256 }, file) =>
    takeHistoryFile(env, home, source, {
      key: key as ProviderMessageId,
      contentType,
      sha256: sha256 ?? undefined,
      body: file.body(),
    }),
  undo: (accountId) => undoHistory(env, LOCAL, { accountId }),
});

const packed = (rows: readonly HistoryRow[]): Promise<string> =>
  packEntries(rows.map(({ kind, text }) => ({ name: kind, text })));

export const historyPortThrough = (ask: AskServer, send: SendToServer): HistoryPort => ({
  inspect: async (format, rows, home) =>
    (await ask("/imports/history/inspect", {
      format,
      rows: await packed(rows),
      withFiles: true,
      ...home,
    })) as HistoryAnswer,
  begin: async (home, source) => String((await ask("/imports/history", { ...home, ...source }))["cursor"]),
  async take(home, source, { stored: { rows }, ...part }) {
    const body = { ...home, ...source, ...part, ...(rows.length > 0 ? { rows: await packed(rows) } : {}) };
    return (await ask("/imports/history/rows", body)) as HistoryAnswer;
  },
  async keep(home, source, { key, contentType, sha256 }, file) {
    const query = new URLSearchParams({ ...home, ...source, key, ...(sha256 === null ? {} : { sha256 }) });
    return (await send(`/imports/history/files?${query.toString()}`, { contentType, body: file.body() })) as FileTaken;
  },
  undo: async (accountId) => (await ask("/imports/history/undo", { accountId })) as Undone,
});

/** What came of a history, or would come, with the files of its messages. */
export type HistoryTaken = HistoryCounts & { files: FileCounts };

const NOTHING: HistoryTaken = { messages: 0, contacts: 0, known: 0, leftOut: {}, files: NO_FILES };

const sum = (one: HistoryTaken, other: HistoryCounts, files: FileCounts = NO_FILES): HistoryTaken => ({
  messages: one.messages + other.messages,
  contacts: one.contacts + other.contacts,
  known: one.known + other.known,
  leftOut: summed(one.leftOut, other.leftOut),
  files: sumOfFiles(one.files, files),
});

/**
 * `since`: the earliest time of messages, in seconds. `media`: where the files of messages lie. `tell` gets lines about the
 * progress.
 */
export type Asked = { since: number; run: string; media?: MediaPlace | undefined; tell(line: string): void };

/** How often a line about the progress comes. */
const TELL_EVERY_MS = 2 * SECOND_MS;

/** Tells how many rows were read, how quickly, and how long the rest takes. */
const progressOf = ({ name }: FoundHistory, whole: number, tell: Asked["tell"]) => {
  const clock = monotonicClock();
  const began = clock.now();
  let [told, rows] = [began, 0];
  return (more: number): void => {
    rows += more;
    const now = clock.now();
    if (now - told < TELL_EVERY_MS) return;
    told = now;
    const perSecond = (rows / (now - began)) * SECOND_MS;
    const rest = Math.max(0, Math.round((whole - rows) / perSecond));
    tell(`${name}: ${rows} of ${whole} rows, ${Math.round(perSecond)} a second, ${rest} s left`);
  };
};

const wholeOf = async (history: FoundHistory, since: number): Promise<number> => {
  const { message, person } = await history.size(since);
  return message + person;
};

/** The counts of a history, which change nothing. With `home` they say what is known there. */
export const lookInto = async (
  port: HistoryPort,
  history: FoundHistory,
  home: HistoryHome | undefined,
  { since, media, tell }: Asked,
): Promise<HistoryTaken> => {
  const progress = progressOf(history, await wholeOf(history, since), tell);
  const look = filesOfPage(history, { media });
  let counts = NOTHING;
  for await (const { rows, files } of history.pages("", since)) {
    const { files: wanted = [], ...looked } = await port.inspect(history.format, rows, home);
    counts = sum(counts, looked, await look(wanted, files));
    progress(rows.length);
  }
  return counts;
};

/** Imports a history, or the rest of one whose import was interrupted. */
export const takeInto = async (
  port: HistoryPort,
  history: FoundHistory,
  home: HistoryHome,
  { since, run, media, tell }: Asked,
): Promise<HistoryTaken> => {
  const { format, source: id, name } = history;
  const source = { format, source: id, run };
  const progress = progressOf(history, await wholeOf(history, since), tell);
  let from = await port.begin(home, source);
  if (from !== "")
    tell(
      isBeginning(from, since)
        ? `${name}: begins anew, because an import that was interrupted has not read all that is asked for now`
        : `${name}: goes on where an earlier import was interrupted`,
    );
  const keep = filesOfPage(history, { media, take: (wanted, file) => port.keep(home, source, wanted, file) });
  const next = (rows: HistoryRow[], to: string) => ({ stored: { format, rows }, from, to, isLast: false });
  let counts = NOTHING;
  for await (const { rows, files, to } of history.pages(from, since)) {
    const { files: wanted = [], ...taken } = await port.take(home, source, { ...next(rows, to), withFiles: true });
    counts = sum(counts, taken, await keep(wanted, files));
    // the place moves on behind the files, so that a kill leaves out no file
    if (wanted.length > 0) await port.take(home, source, next([], to));
    from = to;
    progress(rows.length);
  }
  return sum(counts, await port.take(home, source, { stored: { format, rows: [] }, from, to: from, isLast: true }));
};
