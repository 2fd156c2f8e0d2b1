import { iso, MINUTE_MS } from "../../kernel/clock.ts";
import type { Reader } from "../engine/db.ts";
import { statement } from "../engine/statement.ts";

/** How many of the last entries are looked at: with a wrong clock the very last ones are the oldest. */
const LOOKED_AT = 200;

const newest = statement<{ at: number | null }>(
  `SELECT max(at) AS at FROM (SELECT max(created_at) AS at FROM events
    UNION ALL SELECT max(at) FROM (SELECT at FROM audit_entries ORDER BY id DESC LIMIT ${LOOKED_AT}))`,
);

/** When something happened last, as far as the database knows; undefined for an empty one. */
const newestRowAt = async (r: Reader): Promise<number | undefined> => (await newest.get(r))?.at ?? undefined;

/** What to do about a wrong clock; a clock that was once ahead has left rows that lie in the future. */
export const SET_CLOCK =
  "synchronise the clock by NTP (timedatectl set-ntp true): with a wrong clock signatures, tokens and links fail; " +
  "where it is right now, it was ahead once, and this ends when that time is reached";

/** Machines with right clocks differ by less. */
const TOLERANCE_MS = 5 * MINUTE_MS;

const before = (nowMs: number, what: string, atMs: number | undefined): string | undefined =>
  atMs === undefined || nowMs >= atMs - TOLERANCE_MS
    ? undefined
    : `the clock says ${iso(nowMs)}, and ${what} ${iso(atMs)}`;

/**
 * Why a clock cannot be right: it is before what has been already, as after a power cut on a machine without a battery.
 * Asks nobody outside. `builtAt`: when this program was made.
 */
export const clockFault = async (
  reader: Reader | undefined,
  { nowMs, builtAt }: { nowMs: number; builtAt: number | undefined },
): Promise<string | undefined> =>
  before(nowMs, "this program was made at", builtAt) ??
  before(nowMs, "the database was written at", reader && (await newestRowAt(reader)));
