import type { ServerEnv } from "../../../composition.ts";
import type { HistoryRow, LeftOut } from "../../../contract/abilities/moving.ts";
import { packEntries } from "../../../core/channels/moving/move-archive.ts";
import {
  beginHistory,
  type HistoryCounts,
  type HistoryHome,
  type HistoryPart,
  type HistorySource,
  inspectHistory,
  takeHistory,
} from "../../../core/messaging/importing/history.ts";
import { type Undone, undoHistory } from "../../../core/messaging/importing/undo.ts";
import { LOCAL } from "../../../core/tenancy/audit/audit.ts";
import { monotonicClock, SECOND_MS } from "../../../kernel/clock.ts";
import type { AskServer } from "../../on-database.ts";
import { type FoundHistory, isBeginning } from "./found.ts";

/** The functions on the database that a history needs, called directly or through the server that has it open. */
export type HistoryPort = {
  inspect(format: string, rows: readonly HistoryRow[], home: HistoryHome | undefined): Promise<HistoryCounts>;
  /** Resolves to the place after which the import goes on. */
  begin(home: HistoryHome, source: HistorySource): Promise<string>;
  take(home: HistoryHome, source: HistorySource, part: HistoryPart): Promise<HistoryCounts>;
  undo(accountId: string): Promise<Undone>;
};

export const historyPortOn = (env: ServerEnv): HistoryPort => ({
  inspect: (format, rows, home) => inspectHistory(env, { format, rows }, home),
  begin: async (home, source) => (await beginHistory(env, LOCAL, home, source)).cursor,
  take: (home, source, part) => takeHistory(env, home, source, part),
  undo: (accountId) => undoHistory(env, LOCAL, { accountId }),
});

const packed = (rows: readonly HistoryRow[]): Promise<string> =>
  packEntries(rows.map(({ kind, text }) => ({ name: kind, text })));

export const historyPortThrough = (ask: AskServer): HistoryPort => ({
  inspect: async (format, rows, home) =>
    (await ask("/imports/history/inspect", { format, rows: await packed(rows), ...home })) as HistoryCounts,
  begin: async (home, source) => String((await ask("/imports/history", { ...home, ...source }))["cursor"]),
  async take(home, source, { stored: { rows }, ...part }) {
    const body = { ...home, ...source, ...part, ...(rows.length > 0 ? { rows: await packed(rows) } : {}) };
    return (await ask("/imports/history/rows", body)) as HistoryCounts;
  },
  undo: async (accountId) => (await ask("/imports/history/undo", { accountId })) as Undone,
});

const NOTHING: HistoryCounts = { messages: 0, contacts: 0, known: 0, leftOut: {} };

const sum = (one: HistoryCounts, other: HistoryCounts): HistoryCounts => ({
  messages: one.messages + other.messages,
  contacts: one.contacts + other.contacts,
  known: one.known + other.known,
  leftOut: Object.fromEntries(
    [...Object.entries(one.leftOut), ...Object.entries(other.leftOut)].reduce(
      (counts, [reason, count]) => counts.set(reason, (counts.get(reason) ?? 0) + count),
      new Map<string, number>(),
    ),
  ) as LeftOut,
});

/** `since`: the earliest time of messages, in seconds. `tell` gets lines about the progress. */
export type Asked = { since: number; run: string; tell(line: string): void };

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
  { since, tell }: Asked,
): Promise<HistoryCounts> => {
  const progress = progressOf(history, await wholeOf(history, since), tell);
  let counts = NOTHING;
  for await (const { rows } of history.pages("", since)) {
    counts = sum(counts, await port.inspect(history.format, rows, home));
    progress(rows.length);
  }
  return counts;
};

/** Imports a history, or the rest of one whose import was interrupted. */
export const takeInto = async (
  port: HistoryPort,
  history: FoundHistory,
  home: HistoryHome,
  { since, run, tell }: Asked,
): Promise<HistoryCounts> => {
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
  let counts = NOTHING;
  for await (const { rows, to } of history.pages(from, since)) {
    counts = sum(counts, await port.take(home, source, { stored: { format, rows }, from, to, isLast: false }));
    from = to;
    progress(rows.length);
  }
  return sum(counts, await port.take(home, source, { stored: { format, rows: [] }, from, to: from, isLast: true }));
};
