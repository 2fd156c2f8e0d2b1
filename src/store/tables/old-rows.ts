import type { Tx } from "../engine/db.ts";

/**
 * A page of a table whose ids begin with their creation time: the rows after `after` and before `beforeId`, in order.
 */
export type OldPage = { after: string; beforeId: string; limit: number };

/**
 * Deletes the rows of the page that match `may`; `values` are its parameters from ?3 on. Gives the id after which to
 * continue; undefined at the end. A row that stays is read once per pass.
 */
export const deleteOldRows = <More extends object = object>(
  table: string,
  may = "true",
  values: (page: OldPage & More) => number[] = () => [],
) => {
  const page = `SELECT id FROM ${table} WHERE id > ?1 AND id < ?2 ORDER BY id LIMIT ?3`;
  const remove = `DELETE FROM ${table} WHERE id > ?1 AND id <= ?2 AND ${may}`;
  return async (tx: Tx, asked: OldPage & More): Promise<string | undefined> => {
    const { after, beforeId, limit } = asked;
    const ids = await tx.rows<{ id: string }>(page, [after, beforeId, limit]);
    const last = ids.at(-1)?.id;
    if (last !== undefined) tx.run(remove, [after, last, ...values(asked)]);
    return ids.length === limit ? last : undefined;
  };
};
