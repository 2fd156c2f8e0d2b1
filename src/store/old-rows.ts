import type { Tx } from "./db.ts";

/** A page of a table whose ids begin with the time at which each was made: those after `after` and before `beforeId`, in their order. */
export type OldPage = { after: string; beforeId: string; limit: number };

/**
 * Deletes the rows of the page for which `may` holds. After which id to go on; undefined at the end. What stays is passed by once, however often this is
 * called with what it returned.
 */
export const deleteOldRows = (table: string, may = "true") => {
  const page = `SELECT id FROM ${table} WHERE id > ?1 AND id < ?2 ORDER BY id LIMIT ?3`;
  const remove = `DELETE FROM ${table} WHERE id > ?1 AND id <= ?2 AND ${may}`;
  return async (tx: Tx, { after, beforeId, limit }: OldPage): Promise<string | undefined> => {
    const ids = await tx.rows<{ id: string }>(page, [after, beforeId, limit]);
    const last = ids.at(-1)?.id;
    if (last !== undefined) tx.run(remove, [after, last]);
    return ids.length === limit ? last : undefined;
  };
};
