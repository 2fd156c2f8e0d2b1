import { statfsSync } from "node:fs";
import { DAY_MS, utcDayOf } from "../kernel/clock.ts";
import type { Reader } from "../store/engine/db.ts";
import { readTableSizes, readUsedBytes } from "../store/engine/growth.ts";
import { TABLE_LAWS } from "../store/laws/table-list.ts";
import { readMeta, writeMeta } from "../store/tables/meta.ts";
import { GROUPS, type Group } from "../store/tables/table-laws.ts";
import type { Env } from "./env.ts";

const SAMPLES = "growth";
/** A week, so that a weekend does not look like a trend. */
const DAYS_KEPT = 8;
/** No rate is computed from a shorter time: one hour of a batch is not typical of a day. */
const SHORTEST_MS = DAY_MS / 2;

type Counts = Partial<Record<Group, number>>;

/**
 * One sample of the gauges. `freeBytes`: free space of the disk, when the database is on this machine. `written`: how
 * many rows each group has ever had.
 */
export type Sample = {
  at: number;
  databaseBytes: number;
  freeBytes?: number | undefined;
  rows: Counts;
  written: Counts;
};

/**
 * `perDay` is undefined until the samples span enough time. `fullInMs` is also undefined while free space does not
 * shrink.
 */
export type Growth = {
  rows: Counts;
  perDay: { databaseBytes: number; written: Counts } | undefined;
  fullInMs: number | undefined;
};

const TABLES = TABLE_LAWS.map(({ table }) => table);
const GROUP_OF = new Map(TABLE_LAWS.map(({ table, keeps }) => [table, keeps.group]));

const byGroup = (sizes: readonly { table: string; count: number }[]): Counts => {
  const counts: Counts = {};
  for (const { table, count } of sizes) {
    const group = GROUP_OF.get(table);
    if (group) counts[group] = (counts[group] ?? 0) + count;
  }
  return counts;
};

// only noteGrowth writes it
const samplesOf = async (r: Reader): Promise<Sample[]> => JSON.parse((await readMeta(r, SAMPLES)) ?? "[]") as Sample[];

/** Undefined for a shared database: several nodes have several disks, and the database is on none of them. */
const freeBytesOf = ({ config, db }: Pick<Env, "config" | "db">): number | undefined => {
  if (db.isShared) return undefined;
  const { bavail, bsize } = statfsSync(config.dataDir);
  return bavail * bsize;
};

/** Stores the gauges: one sample for each of the last days, and the current one. */
export const noteGrowth = async (env: Pick<Env, "clock" | "config" | "db">): Promise<void> => {
  const at = env.clock.now();
  const [sizes, databaseBytes] = await env.db.read(
    async (reader) => [await readTableSizes(reader, TABLES), await readUsedBytes(reader)] as const,
  );
  const rows = byGroup(sizes.map(({ table, rows: count }) => ({ table, count })));
  const written = byGroup(sizes.map(({ table, highest }) => ({ table, count: highest })));
  const sample: Sample = { at, databaseBytes, freeBytes: freeBytesOf(env), rows, written };
  await env.db.write(async (tx) => {
    const earlier = (await samplesOf(tx)).filter((one) => one.at > at - DAYS_KEPT * DAY_MS && one.at < at);
    const ofDays = earlier.filter(
      (one, index) => index === 0 || utcDayOf(one.at) !== utcDayOf(earlier[index - 1]?.at ?? 0),
    );
    await writeMeta(tx, SAMPLES, JSON.stringify([...ofDays, sample]));
  });
};

/** The growth over the samples of the last days; undefined before the first sample. */
export const readGrowth = async (r: Reader): Promise<Growth | undefined> => {
  const samples = await samplesOf(r);
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return undefined;
  const days = (last.at - first.at) / DAY_MS;
  if (last.at - first.at < SHORTEST_MS) return { rows: last.rows, perDay: undefined, fullInMs: undefined };
  const written = Object.fromEntries(
    GROUPS.map((group) => [group, Math.max(0, (last.written[group] ?? 0) - (first.written[group] ?? 0)) / days]),
  );
  const { freeBytes = Number.NaN } = last;
  const shrinksPerDay = ((first.freeBytes ?? Number.NaN) - freeBytes) / days;
  return {
    rows: last.rows,
    perDay: { databaseBytes: (last.databaseBytes - first.databaseBytes) / days, written },
    fullInMs: shrinksPerDay > 0 ? (freeBytes / shrinksPerDay) * DAY_MS : undefined,
  };
};
