import { iso, MINUTE_MS } from "../../kernel/clock.ts";
import type { Reader } from "../engine/db.ts";
import { statement } from "../engine/statement.ts";

/** The number of newest entries that are read. After a wrong clock the very newest entry may have an old time. */
const LOOKED_AT = 200;

const newest = statement<{ at: number | null }>(
  `SELECT max(at) AS at FROM (SELECT max(created_at) AS at FROM events
    UNION ALL SELECT max(at) FROM (SELECT at FROM audit_entries ORDER BY id DESC LIMIT ${LOOKED_AT}))`,
);

/** The latest time that the database has of anything; undefined for an empty database. */
const newestRowAt = async (r: Reader): Promise<number | undefined> => (await newest.get(r))?.at ?? undefined;

/** The advice about a wrong clock. A clock that was once ahead has left rows with times in the future. */
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
 * Why a clock cannot be right: its time is before a time that has passed, as after a power cut on a machine without a
 * battery. Asks no other machine. `builtAt`: when this program was made.
 */
export const clockFault = async (
  reader: Reader | undefined,
  { nowMs, builtAt }: { nowMs: number; builtAt: number | undefined },
): Promise<string | undefined> =>
  before(nowMs, "this program was made at", builtAt) ??
  before(nowMs, "the database was written at", reader && (await newestRowAt(reader)));
