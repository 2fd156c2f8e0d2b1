import { DAY_MS, SECOND_MS } from "../../kernel/clock.ts";
import { reasonOf } from "../../kernel/errors.ts";
import { isUuid, madeAt, newId, type TenantId } from "../../kernel/ids.ts";
import {
  type EventRow,
  findEvent,
  firstEventSince,
  listEvents,
  listEventsAfter,
  newestEvent,
} from "../../store/tables/events/events.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import type { EventsEnv } from "./env.ts";

/** Hands each event to the listeners of its tenant once the event is on disk. */
export type EventStream = {
  /** Must be awaited before the first `listen`. From then on no event of another process is missed. */
  begin(): Promise<void>;
  /** Called with each event that this process has written. */
  push(event: EventRow): void;
  listen(tenantId: TenantId, listener: Listener): () => void;
  /** The number of listeners of all tenants. */
  total(): number;
  /** The number of listeners of a tenant. */
  count(tenantId: TenantId): number;
  /**
   * Ends the listeners of a tenant, or all of them when the process ends. A listener that still has access may listen
   * again.
   */
  end(tenantId?: TenantId): void;
};
type Listener = { onEvent(event: EventRow): void; onEnd(): void };

type Ports = Pick<EventsEnv, "db" | "node" | "log">;

/**
 * On a shared database the stream reads the events of all processes from the log, twice a second and in their order.
 */
export const createEventStream = ({ db, node, log }: Ports): EventStream => {
  const listeners = new Map<TenantId, Set<Listener>>();
  const hand = (event: EventRow): void => {
    for (const listener of listeners.get(event.tenantId) ?? []) listener.onEvent(event);
  };
  return {
    async begin() {
      if (db.isShared) await followLog({ db, node, log }, { listening: () => [...listeners.keys()], hand });
    },
    push: db.isShared ? () => {} : hand,
    listen(tenantId, listener) {
      const mine = listeners.get(tenantId) ?? new Set();
      listeners.set(tenantId, mine.add(listener));
      return () => {
        mine.delete(listener);
        if (mine.size === 0 && listeners.get(tenantId) === mine) listeners.delete(tenantId);
      };
    },
    total: () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0),
    count: (tenantId) => listeners.get(tenantId)?.size ?? 0,
    end: (tenantId) => {
      for (const [owner, mine] of listeners)
        if (tenantId === undefined || owner === tenantId) for (const listener of mine) listener.onEnd();
    },
  };
};

type Following = { listening(): TenantId[]; hand(event: EventRow): void };

/**
 * Reads the log even while there are no listeners, so that a new listener misses nothing. Resolves once it knows the
 * end of the log.
 */
const followLog = async ({ db, node, log }: Ports, { listening, hand }: Following): Promise<void> => {
  let seen = await db.read(newestEvent);
  let isReading = false;
  const read = async (): Promise<void> => {
    const newest = await db.read(newestEvent);
    for (const tenantId of newest > seen ? listening() : [])
      for await (const event of eventsAfter({ db }, { tenantId }, seen)) if (event.seq <= newest) hand(event);
    seen = newest;
  };
  node.onHeartbeat(() => {
    if (isReading) return;
    isReading = true;
    read()
      .catch((error: unknown) => log.error({ error: reasonOf(error) }, "the events of other nodes could not be read"))
      .finally(() => void (isReading = false));
  });
};

const PING_MS = 15 * SECOND_MS;
const RESUMABLE_MS = DAY_MS;
/** An event may be written a moment after its timestamp. */
const EMPTY_LOG_SLACK_MS = 10 * SECOND_MS;
const PAGE = 200;
/** How many events a slow reader may have waiting. Beyond that its stream ends; it resumes by Last-Event-ID. */
const MAX_WAITING = 1000;

export type StreamFilter = {
  audience: string;
  channelId: string | undefined;
  types: readonly string[] | undefined;
  lastEventId: string | undefined;
};

/**
 * The events between two times that a reader asked for and that the log no longer has. `id` marks the end of the gap.
 */
type Gap = { fromMs: number | null; toMs: number; id: string };

/**
 * The first item of a stream. `id` is the end of the log for a new reader: resuming after it brings all later events.
 */
type StreamStart = { is: "start"; id: string | undefined; gap: Gap | undefined };

export type StreamItem = StreamStart | EventRow | "ping";

/**
 * A start, then the events after `lastEventId` that are at most a day old, then the tenant's live events. A `"ping"`
 * comes every 15 s in any case. The stream ends when `signal` aborts, when the reader is too slow, or when `mayGoOn`,
 * called at each ping, returns false.
 */
export async function* followEvents(
  env: EventsEnv,
  scope: TenantScope,
  filter: StreamFilter,
  { signal, mayGoOn }: Bounds,
): AsyncGenerator<StreamItem> {
  const queue = waitingQueue(env, scope);
  signal.addEventListener("abort", queue.close);
  try {
    const { start, afterSeq } = await startOf(env, { ...scope, audience: filter.audience }, filter.lastEventId);
    yield start;
    let seen = 0;
    for await (const event of afterSeq === undefined ? [] : eventsAfter(env, scope, afterSeq)) {
      seen = event.seq;
      if (isWanted(env, event, filter)) yield event;
    }
    for (let next = await queue.next(); next !== undefined; next = await queue.next()) {
      if (next === "ping" && !(await mayGoOn())) return;
      if (next === "ping" || (next.seq > seen && isWanted(env, next, filter))) yield next;
    }
  } finally {
    queue.close();
  }
}

/** The signals that end a stream from outside. */
type Bounds = { signal: AbortSignal; mayGoOn(): Promise<boolean> };

const isWanted = (
  { audiences }: Pick<EventsEnv, "audiences">,
  event: EventRow,
  { audience, channelId, types = [] }: StreamFilter,
): boolean =>
  event.audience === audience &&
  (channelId === undefined || event.channelId === channelId) &&
  audiences.of(audience).isSubscribed(types, event.type);

/** The log of one audience of a tenant. */
type LogScope = TenantScope & { audience: string };

/**
 * The point at which a reader starts. `afterSeq` is the event after which the log is read; undefined reads nothing from
 * it.
 */
const startOf = async (
  env: EventsEnv,
  scope: LogScope,
  lastEventId: string | undefined,
): Promise<{ start: StreamStart; afterSeq: number | undefined }> => {
  if (lastEventId === undefined)
    return { start: { is: "start", id: await positionOf(env, scope), gap: undefined }, afterSeq: undefined };
  const reachMs = env.clock.now() - RESUMABLE_MS;
  const last = await env.db.read((reader) => findEvent(reader, scope, { audience: scope.audience, id: lastEventId }));
  const leftMs = last?.createdAt ?? (isUuid(lastEventId) ? madeAt(lastEventId) : undefined);
  if (leftMs !== undefined && leftMs > reachMs)
    return {
      start: { is: "start", id: undefined, gap: undefined },
      afterSeq: last?.seq ?? (await seqBefore(env, leftMs)),
    };
  const [next] = last ? await env.db.read((reader) => listEventsAfter(reader, scope, { seq: last.seq, limit: 1 })) : [];
  if (last && (next === undefined || next.createdAt > reachMs))
    return { start: { is: "start", id: undefined, gap: undefined }, afterSeq: last.seq };
  const afterSeq = await seqBefore(env, reachMs);
  const gap = {
    fromMs: leftMs ?? null,
    toMs: reachMs,
    id: (await newestId(env, scope, afterSeq)) ?? idOf(env, reachMs),
  };
  return { start: { is: "start", id: undefined, gap }, afterSeq };
};

/** The number before the first event after a time; undefined if there is none. */
const seqBefore = async ({ db }: Pick<EventsEnv, "db">, sinceMs: number): Promise<number | undefined> => {
  const first = await db.read((reader) => firstEventSince(reader, sinceMs));
  return first === undefined ? undefined : first - 1;
};

/** An id with this creation time, which belongs to no event. */
const idOf = ({ random }: Pick<EventsEnv, "random">, atMs: number): string =>
  newId({ clock: { now: () => atMs }, random });

/** The id of the tenant's newest event, or of the newest up to a number. */
const newestId = async (
  { db }: Pick<EventsEnv, "db">,
  { audience, ...scope }: LogScope,
  seq?: number,
): Promise<string | undefined> => {
  const beforeSeq = seq === undefined ? undefined : seq + 1;
  const [newest] = await db.read((reader) => listEvents(reader, scope, { audience, beforeSeq, limit: 1 }));
  return newest?.id;
};

/**
 * The end of the tenant's log. For an empty log it is an id with the current time, so that every later event comes
 * after it.
 */
const positionOf = async (env: EventsEnv, scope: LogScope): Promise<string> =>
  (await newestId(env, scope)) ?? idOf(env, env.clock.now() - EMPTY_LOG_SLACK_MS);

async function* eventsAfter(
  { db }: Pick<EventsEnv, "db">,
  scope: TenantScope,
  after: number,
): AsyncGenerator<EventRow> {
  for (let seq = after; ; ) {
    const page = await db.read((reader) => listEventsAfter(reader, scope, { seq, limit: PAGE }));
    yield* page;
    const end = page.at(-1);
    if (!end || page.length < PAGE) return;
    seq = end.seq;
  }
}

/** The live events and pings that wait for one reader. `next` gives undefined once the queue is closed. */
const waitingQueue = (env: EventsEnv, { tenantId }: TenantScope) => {
  const waiting: (EventRow | "ping")[] = [];
  let isClosed = false;
  let arrived = () => {};
  let cancelPing = () => {};
  const schedulePing = () => {
    cancelPing = env.clock.timer(PING_MS, () => {
      schedulePing();
      add("ping"); // may close, which removes the next one again
    });
  };
  const close = () => {
    isClosed = true;
    stopListening();
    cancelPing();
    arrived();
  };
  const add = (item: EventRow | "ping") => {
    if (waiting.length >= MAX_WAITING) return close();
    waiting.push(item);
    arrived();
  };
  const stopListening = env.stream.listen(tenantId, { onEvent: add, onEnd: close });
  schedulePing();
  return {
    close,
    async next(): Promise<EventRow | "ping" | undefined> {
      if (waiting.length === 0 && !isClosed) await new Promise<void>((resolve) => (arrived = resolve));
      return isClosed ? undefined : waiting.shift();
    },
  };
};
