import { delay, machineTimer } from "../kernel/async.ts";
import { DAY_MS, utcDayOf } from "../kernel/clock.ts";
import { idBoundAt } from "../kernel/ids.ts";
import type { Tx } from "../store/engine/db.ts";
import { pruneUsage } from "../store/tables/billing/usage.ts";
import { type EventPlace, FIRST_EVENT, pruneEvents } from "../store/tables/events/events.ts";
import { pruneSent } from "../store/tables/messaging/messages.ts";
import type { OldPage } from "../store/tables/old-rows.ts";
import { listTenants, type TenantRow } from "../store/tables/tenancy/tenants.ts";
import { billedUntil } from "./billing/invoices/closing.ts";
import type { Env } from "./env.ts";

// How old rows are found and deleted, some per write. retention.ts says which rows.

/** Undelivered events, dead letters and attempts stay at least this long. */
export const UNDELIVERED_MS = 30 * DAY_MS;
/** Networks repeat a post for up to seven days. */
export const REPEATED_MS = 8 * DAY_MS;
/** The maximum number of rows per write. */
const BATCH = 100;
/** The minimum number of rows per write. */
const SMALLEST_BATCH = 4;
/**
 * The time of a write that the loop can spare: requests wait for it. Rows with large texts and many indexes take
 * longer.
 */
const WRITE_MS = 3;
/** A sweep rests this many times as long as its write took with its commit: it takes at most a quarter of the time. */
const REST = 3;
/** A write that took less needs no rest. */
const UNNOTICED_MS = 0.5;

/** Rows made before this time have expired; 0 if the term is unlimited. */
export const before = (now: number, termMs: number): number => Math.max(0, Math.floor(now - termMs));

/**
 * Runs the writes of one sweep. Each deletes at most as many rows as fit into the time of a write, and leaves the loop
 * to requests afterwards.
 */
const createSweep = ({ db }: Pick<Env, "db">) => {
  let limit = BATCH;
  return async <Result>(remove: (tx: Tx, limit: number) => Promise<Result>): Promise<Result> => {
    let tookMs = 0;
    const queuedAtMs = performance.now();
    const result = await db.write(async (tx) => {
      const startedAtMs = performance.now();
      const removed = await remove(tx, limit);
      tookMs = performance.now() - startedAtMs;
      return removed;
    });
    if (tookMs > UNNOTICED_MS) {
      limit = Math.min(BATCH, Math.max(SMALLEST_BATCH, Math.floor((limit * WRITE_MS) / tookMs)));
      await delay(machineTimer, (performance.now() - queuedAtMs) * REST);
    }
    return result;
  };
};

/** Repeats `remove` until no row is left. */
export const untilDone = async (env: Env, remove: (tx: Tx, limit: number) => Promise<boolean>): Promise<void> => {
  const write = createSweep(env);
  while (await write(remove));
};

/** Walks the rows that are older than a term, in the order of their ids. */
export const older = async (
  env: Env,
  beforeMs: number,
  remove: (tx: Tx, page: OldPage) => Promise<string | undefined>,
): Promise<void> => {
  if (beforeMs === 0) return;
  const beforeId = idBoundAt(beforeMs);
  await walked(env, (tx, page) => remove(tx, { ...page, beforeId }));
};

/** Walks the rows of a table in the order of their ids. */
export const walked = async (
  env: Env,
  remove: (tx: Tx, page: Omit<OldPage, "beforeId">) => Promise<string | undefined>,
): Promise<void> => {
  const write = createSweep(env);
  for (let after: string | undefined = ""; after !== undefined; ) {
    const from: string = after;
    after = await write((tx, limit) => remove(tx, { after: from, limit }));
  }
};

/** A late receipt needs its message, and its price is counted then. */
export const pruneAllSent = (env: Env, now: number): Promise<void> => {
  const endedBefore = before(now, env.config.keep.messages);
  const awaitedBefore = before(now, Math.max(REPEATED_MS, env.config.keep.messages));
  return older(env, endedBefore, (tx, page) => pruneSent(tx, { ...page, endedBefore, awaitedBefore }));
};

export const pruneAllEvents = async (env: Env, now: number): Promise<void> => {
  const { events } = env.config.keep;
  const bounds = {
    finishedBefore: before(now, events),
    anyBefore: before(now, Math.max(events, UNDELIVERED_MS)),
  };
  const write = createSweep(env);
  for (let from: EventPlace | undefined = FIRST_EVENT; from !== undefined; ) {
    const start: EventPlace = from;
    from = await write((tx, limit) => pruneEvents(tx, start, { ...bounds, limit }));
  }
};

export const pruneAllUsage = async (env: Env, now: number): Promise<void> => {
  const beforeDay = Math.min(utcDayOf(before(now, env.config.keep.usage)), await env.db.read(billedUntil));
  let cursor: string | undefined;
  do {
    const page: TenantRow[] =
      beforeDay > 0
        ? await env.db.read((reader) => listTenants(reader, { status: undefined, cursor, limit: BATCH }))
        : [];
    for (const { id } of page) await untilDone(env, (tx, limit) => pruneUsage(tx, id, beforeDay, limit));
    cursor = page.length === BATCH ? page.at(-1)?.id : undefined;
  } while (cursor !== undefined);
};
