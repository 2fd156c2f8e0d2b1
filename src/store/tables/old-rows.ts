import type { Tx } from "../engine/db.ts";
import { statement } from "../engine/statement.ts";

/**
 * A page of a table whose ids begin with their creation time: the rows after `after` and before `beforeId`, in order.
 */
export type OldPage = { after: string; beforeId: string; limit: number };

/**
 * Deletes the rows of the page that match `may`, whose parameters are those of the page and of `More`. `id`: the column
 * of the ids, of which several rows may have one. Gives the id after which to continue; undefined at the end. A row that stays is read once per pass.
 */
export const deleteOldRows = <More extends Readonly<Record<string, number>> = Record<never, number>>(
  table: string,
  may = "true",
  id = "id",
) => {
  const page = statement<{ id: string }, OldPage>(
    `SELECT ${id} AS id FROM ${table} WHERE ${id} > :after AND ${id} < :beforeId ORDER BY ${id} LIMIT :limit`,
  );
  const remove = statement<never, { after: string; last: string }>(
    `DELETE FROM ${table} WHERE ${id} > :after AND ${id} <= :last AND ${may}`,
  );
  return async (tx: Tx, asked: OldPage & More): Promise<string | undefined> => {
    const ids = await page.all(tx, asked);
    const last = ids.at(-1)?.id;
    if (last !== undefined) remove.run(tx, { ...asked, last });
    return ids.length === asked.limit ? last : undefined;
  };
};
