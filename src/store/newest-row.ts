import type { Reader } from "./engine/db.ts";

/** How many of the last entries are looked at: with a wrong clock the very last ones are the oldest. */
const LOOKED_AT = 200;

const NEWEST = `SELECT max(at) AS at FROM (SELECT max(created_at) AS at FROM events
  UNION ALL SELECT max(at) FROM (SELECT at FROM audit_entries ORDER BY id DESC LIMIT ${LOOKED_AT}))`;

/** When something happened last, as far as the database knows; undefined for an empty one. */
export const newestRowAt = async (r: Reader): Promise<number | undefined> =>
  (await r.rows<{ at: number | null }>(NEWEST))[0]?.at ?? undefined;
