import { DAY_MS, utcDayOf } from "../kernel/clock.ts";
import { idBoundAt } from "../kernel/ids.ts";
import type { Tx } from "../store/db.ts";
import { pruneEvents } from "../store/events.ts";
import { pruneSent } from "../store/messages.ts";
import type { OldPage } from "../store/old-rows.ts";
import { listTenants, type TenantRow } from "../store/tenants.ts";
import { pruneUsage } from "../store/usage.ts";
import { billedUntil } from "./billing/closing.ts";
import type { Env } from "./env.ts";

// How old rows are found and deleted, some per write. Which ones: retention.ts.

/** Undelivered events, dead letters and attempts stay at least this long. */
export const UNDELIVERED_MS = 30 * DAY_MS;
/** Networks repeat a post for up to seven days. */
export const REPEATED_MS = 8 * DAY_MS;
/** Rows per write: few enough that requests do not wait for it. */
export const BATCH = 100;

/** Rows made before this time have expired; 0 where the term is unlimited. */
export const before = (now: number, termMs: number): number => Math.max(0, Math.floor(now - termMs));

/**
 * Repeats `remove` until it says that no row is left. Each call is a write of its own, so that requests are served in
 * between.
 */
export const untilDone = async (env: Env, remove: (tx: Tx) => Promise<boolean>): Promise<void> => {
  while (await env.db.write(remove));
};

/** Walks the rows that are older than a term, in the order of their ids. */
export const older = async (
  env: Env,
  beforeMs: number,
  remove: (tx: Tx, page: OldPage) => Promise<string | undefined>,
): Promise<void> => {
  if (beforeMs === 0) return;
  const beforeId = idBoundAt(beforeMs);
  for (let after: string | undefined = ""; after !== undefined; ) {
    const from: string = after;
    after = await env.db.write((tx) => remove(tx, { after: from, beforeId, limit: BATCH }));
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
    limit: BATCH,
  };
  for (let from: number | undefined = 0; from !== undefined; ) {
    const start: number = from;
    from = await env.db.write((tx) => pruneEvents(tx, start, bounds));
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
    for (const { id } of page) await untilDone(env, (tx) => pruneUsage(tx, id, beforeDay, BATCH));
    cursor = page.length === BATCH ? page.at(-1)?.id : undefined;
  } while (cursor !== undefined);
};
