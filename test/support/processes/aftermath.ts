import { openReader } from "../../../src/store/engine/connection.ts";
import type { Graph } from "../graph/index.ts";
import type { Arrived } from "../servers/receiver.ts";
import type { Burst, Wanted } from "./burst.ts";

type MessageRow = { id: string; status: string; failedReason: string | null };
type EventRow = { seq: number; id: string; type: string; chat: string; body: string };
type DeliveryRow = { eventId: string; status: string; attempts: number };

const QUERIES = {
  integrity: "PRAGMA integrity_check",
  brokenReferences: "PRAGMA foreign_key_check",
  messages: "SELECT id, status, failed_reason AS failedReason FROM messages",
  events: "SELECT seq, id, type, chat, body FROM events WHERE audience = 'gateway' ORDER BY seq",
  deliveries: "SELECT e.id AS eventId, d.status, d.attempts FROM deliveries d JOIN events e ON e.seq = d.event_seq",
  discardedJobs: "SELECT kind, reason FROM discarded_jobs",
};

const diskOf = (rows: Partial<Record<keyof typeof QUERIES, readonly unknown[]>>) => ({
  integrity: ((rows.integrity ?? []) as { integrity_check: string }[]).map((row) => row.integrity_check),
  brokenReferences: rows.brokenReferences ?? [],
  messages: (rows.messages ?? []) as MessageRow[],
  events: (rows.events ?? []) as EventRow[],
  deliveries: (rows.deliveries ?? []) as DeliveryRow[],
  discardedJobs: rows.discardedJobs ?? [],
});
export type Disk = ReturnType<typeof diskOf>;

/** The state of the disk. */
export const readDatabase = (path: string): Disk => {
  const reader = openReader(path);
  try {
    return diskOf(
      Object.fromEntries(Object.entries(QUERIES).map(([name, sql]) => [name, reader.prepare(sql).objects([])])),
    );
  } finally {
    reader.close();
  }
};

/** The same for a database that takes queries. */
export const askDatabase = async (rows: (sql: string) => Promise<unknown[]>): Promise<Disk> => {
  const answers = await Promise.all(
    Object.entries(QUERIES).map(async ([name, sql]) => [name, await rows(sql)] as const),
  );
  return diskOf(Object.fromEntries(answers));
};

const WAITING =
  "SELECT count(*) AS total, count(*) FILTER (WHERE owner IS NOT NULL OR run_at <= ?1) AS due FROM jobs WHERE queue <> 'housekeeping'";

/** The unfinished jobs without housekeeping: all of them, and those that run or could run. */
export const waitingJobs = (path: string, nowMs: number): { all: number; due: number } => {
  const reader = openReader(path);
  try {
    const [row] = reader.prepare(WAITING).objects([nowMs]);
    return { all: Number(row?.["total"]), due: Number(row?.["due"]) };
  } finally {
    reader.close();
  }
};

/** The same for a database that takes queries. */
export const askWaitingJobs = async (
  rows: (sql: string) => Promise<unknown[]>,
  nowMs: number,
): Promise<{ all: number; due: number }> => {
  const [row] = (await rows(WAITING.replace("?1", String(nowMs)))) as { total: number; due: number }[];
  return { all: row?.total ?? 0, due: row?.due ?? 0 };
};

type ReceivedEvent = {
  id: string;
  type: string;
  phoneId: string;
  attempt: string | undefined;
  data: { content?: { text: string } };
};

/** The events of a customer, in order of arrival. */
export const eventsReceivedBy = (arrived: readonly Arrived[]): ReceivedEvent[] =>
  arrived.map(({ raw, headers }) => ({ ...(JSON.parse(raw) as ReceivedEvent), attempt: headers["x-gateway-attempt"] }));

const RANKS = ["sent", "delivered", "read", "failed"];

/** The promises that crashes broke. Every list is empty if all were kept. */
export const brokenPromises = (
  disk: Disk,
  { wanted, inbound, surprises }: Burst,
  graph: Graph,
  arrived: readonly Arrived[],
) => {
  const rows = new Map(disk.messages.map((row) => [row.id, row]));
  const accepted = [...new Set(wanted.flatMap((one) => one.messageIds))];
  const sent = graph.sentSummary().messages;
  const sentIds = new Set(sent.map((one) => one.bizOpaque));
  const failed = disk.messages.filter((row) => row.status === "FAILED");
  const receivedEvents = eventsReceivedBy(arrived);
  const received = textsOf(receivedEvents);
  return {
    surprises,
    integrity: disk.integrity.filter((line) => line !== "ok"),
    brokenReferences: disk.brokenReferences,
    discardedJobs: disk.discardedJobs,
    acceptedWithoutRow: accepted.filter((id) => !rows.has(id)),
    unsettled: disk.messages.filter(({ status }) => status !== "READ" && status !== "FAILED"),
    failedOtherwise: failed.filter((row) => !row.failedReason?.startsWith("[OUTCOME_UNKNOWN]")),
    failedAlthoughSent: failed.filter((row) => sentIds.has(row.id)),
    unsentAlthoughRead: disk.messages.filter((row) => row.status === "READ" && !sentIds.has(row.id)),
    sentTwice: sent.filter((one) => one.count > 1 || one.bizOpaque === null),
    textSentTwice: repeatedIn([...graph.sent.values()].map(({ body }) => JSON.stringify(body["text"]))),
    keyWithSeveralMessages: wanted.filter(severalMessages),
    messageOfSeveralSends: repeatedIn(wanted.flatMap((one) => [...new Set(one.messageIds)])),
    inboundLost: inbound.filter((one) => one.isAnswered && !received.has(one.text)),
    inboundAsSeveralEvents: [...received].filter(([, ids]) => ids.size > 1),
    statusesThatWentBack: backwards(disk.events),
    undelivered: disk.deliveries.filter((row) => row.status !== "DELIVERED"),
    eventsNeverReceived: missingFrom(
      new Set(receivedEvents.map(({ id }) => id)),
      disk.deliveries.map((row) => row.eventId),
    ),
    eventsNotOnDisk: missingFrom(
      new Set(disk.events.map((event) => event.id)),
      receivedEvents.map(({ id }) => id),
    ),
    inversions: inversions(disk.events, receivedEvents),
  };
};

const severalMessages = (one: Wanted): boolean => new Set(one.messageIds).size > 1;

const repeatedIn = (texts: readonly string[]): string[] => {
  const seen = new Set<string>();
  return texts.filter((text) => seen.size === seen.add(text).size);
};

const missingFrom = (there: ReadonlySet<string>, ids: readonly string[]): string[] =>
  ids.filter((id) => !there.has(id));

/** The inbound texts that arrived, with the ids of their events. */
const textsOf = (receivedEvents: readonly ReceivedEvent[]): Map<string, Set<string>> => {
  const received = new Map<string, Set<string>>();
  for (const { id, data } of receivedEvents)
    if (data.content) received.set(data.content.text, (received.get(data.content.text) ?? new Set()).add(id));
  return received;
};

/** Statuses that were published after a later one, or after the message had failed. */
const backwards = (events: readonly EventRow[]): string[] => {
  const reached = new Map<string, number>();
  const found: string[] = [];
  for (const { type, body } of events) {
    if (type !== "message:status") continue;
    const { messageId, status } = (JSON.parse(body) as { data: { messageId: string; status: string } }).data;
    const rank = RANKS.indexOf(status);
    if (rank <= (reached.get(messageId) ?? -1)) found.push(`${messageId} ${status}`);
    reached.set(messageId, rank);
  }
  return found;
};

/** Events that came for the first time, on their first attempt, after a later one of the same chat. */
const inversions = (events: readonly EventRow[], receivedEvents: readonly ReceivedEvent[]): string[] => {
  const byId = new Map(events.map((event) => [event.id, event]));
  const known = new Set<string>();
  const newest = new Map<string, number>();
  const found: string[] = [];
  for (const { id, phoneId, attempt } of receivedEvents) {
    const event = byId.get(id);
    if (!event || known.has(id)) continue;
    known.add(id);
    const queue = `${phoneId} ${event.chat}`;
    const before = newest.get(queue) ?? 0;
    if (event.seq < before && attempt === "1") found.push(`${queue}: ${event.seq} (${event.type}) after ${before}`);
    newest.set(queue, Math.max(before, event.seq));
  }
  return found;
};
