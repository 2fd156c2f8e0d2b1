import { DAY_MS, SECOND_MS } from "../../kernel/clock.ts";
import { reasonOf } from "../../kernel/errors.ts";
import type { TenantId } from "../../kernel/ids.ts";
import { type EventRow, findEvent, firstEventSince, listEventsAfter, newestEvent } from "../../store/events.ts";
import type { TenantScope } from "../../store/scope.ts";
import type { Env } from "../env.ts";

/** Hands events to whoever listens for a tenant, as they reach the disk. */
export type EventStream = {
  /** To be told of each event that this process has written. */
  push(event: EventRow): void;
  listen(tenantId: TenantId, listener: Listener): () => void;
  /** How many listen for a tenant. */
  count(tenantId: TenantId): number;
  /** Lets the tenant's listeners go, or, when the process ends, all of them. Whoever still may listens again. */
  end(tenantId?: TenantId): void;
};
type Listener = { onEvent(event: EventRow): void; onEnd(): void };

type Ports = Pick<Env, "db" | "node" | "log">;

/** Where other processes write events too, all are read from the log, twice a second: in their order, whoever has written them. */
export const createEventStream = ({ db, node, log }: Ports): EventStream => {
  const listeners = new Map<TenantId, Set<Listener>>();
  const hand = (event: EventRow): void => {
    for (const listener of listeners.get(event.tenantId) ?? []) listener.onEvent(event);
  };
  if (db.isShared) followLog({ db, node, log }, { listening: () => [...listeners.keys()], hand });
  return {
    push: db.isShared ? () => {} : hand,
    listen(tenantId, listener) {
      const mine = listeners.get(tenantId) ?? new Set();
      listeners.set(tenantId, mine.add(listener));
      return () => {
        mine.delete(listener);
        if (mine.size === 0 && listeners.get(tenantId) === mine) listeners.delete(tenantId);
      };
    },
    count: (tenantId) => listeners.get(tenantId)?.size ?? 0,
    end: (tenantId) => {
      for (const [owner, mine] of listeners) if (tenantId === undefined || owner === tenantId) for (const listener of mine) listener.onEnd();
    },
  };
};

type Following = { listening(): TenantId[]; hand(event: EventRow): void };

/** Goes on while nobody listens, so that whoever does misses nothing of the moment in which it began. */
const followLog = ({ db, node, log }: Ports, { listening, hand }: Following): void => {
  let seen: number | undefined;
  let isReading = false;
  const read = async (): Promise<void> => {
    const newest = await db.read(newestEvent);
    const after = seen ?? newest;
    for (const tenantId of newest > after ? listening() : []) for await (const event of eventsAfter({ db }, { tenantId }, after)) if (event.seq <= newest) hand(event);
    seen = newest;
  };
  node.onPulse(() => {
    if (isReading) return;
    isReading = true;
    read()
      .catch((error: unknown) => log.error({ error: reasonOf(error) }, "the events of other nodes could not be read"))
      .finally(() => void (isReading = false));
  });
};

const PING_MS = 15 * SECOND_MS;
const RESUMABLE_MS = DAY_MS;
const PAGE = 200;
/** What a slow reader may have waiting. It is let go beyond that, and resumes from the log by Last-Event-ID. */
const MAX_WAITING = 1000;

export type StreamFilter = { channelId: string | undefined; types: readonly string[] | undefined; lastEventId: string | undefined };

/**
 * The tenant's events from now on, before them those after `lastEventId` that are at most a day old, and `"ping"` every 15 s, whatever else
 * there is. Ends when `signal` aborts, when the reader is too slow, and when `mayGoOn` says no (asked at each ping).
 */
export async function* followEvents(env: Env, scope: TenantScope, filter: StreamFilter, { signal, mayGoOn }: Bounds): AsyncGenerator<EventRow | "ping"> {
  const queue = waitingQueue(env, scope);
  signal.addEventListener("abort", queue.close);
  try {
    let seen = 0;
    for await (const event of missedEvents(env, scope, filter.lastEventId)) {
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

/** What ends a stream from outside. */
type Bounds = { signal: AbortSignal; mayGoOn(): Promise<boolean> };

const isWanted = (env: Pick<Env, "renderers">, event: EventRow, { channelId, types = [] }: StreamFilter): boolean =>
  event.gatewayBody !== null && (channelId === undefined || event.channelId === channelId) && env.renderers.gateway.isSubscribed(types, event.gatewayType ?? "");

async function* missedEvents(env: Env, scope: TenantScope, lastEventId: string | undefined): AsyncGenerator<EventRow> {
  if (lastEventId === undefined) return;
  const last = await env.db.read((reader) => findEvent(reader, scope, lastEventId));
  const since = env.clock.now() - RESUMABLE_MS;
  const oldest = await env.db.read((reader) => firstEventSince(reader, since));
  const seq = Math.max(last?.seq ?? 0, (oldest ?? Number.POSITIVE_INFINITY) - 1);
  if (Number.isFinite(seq)) yield* eventsAfter(env, scope, seq);
}

async function* eventsAfter({ db }: Pick<Env, "db">, scope: TenantScope, after: number): AsyncGenerator<EventRow> {
  for (let seq = after; ; ) {
    const page = await db.read((reader) => listEventsAfter(reader, scope, { seq, limit: PAGE }));
    yield* page;
    const end = page.at(-1);
    if (!end || page.length < PAGE) return;
    seq = end.seq;
  }
}

/** Live events and pings of one reader, waiting to be read; `next` gives undefined once it is closed. */
const waitingQueue = (env: Env, { tenantId }: TenantScope) => {
  const waiting: (EventRow | "ping")[] = [];
  let isClosed = false;
  let arrived = () => {};
  let cancelPing = () => {};
  const schedulePing = () => {
    cancelPing = env.clock.timer(PING_MS, () => {
      schedulePing();
      add("ping"); // may close, which takes the next one back
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
