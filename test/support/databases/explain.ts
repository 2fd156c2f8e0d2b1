import type { Connection } from "../../../src/store/engine/connection.ts";
import { readerOf, type Tx } from "../../../src/store/engine/db.ts";

/** A statement that was sent, with what SQLite says of how it finds its rows. */
export type Explained = { sql: string; plan: string[] };

/**
 * A write through which everything goes to the connection as usual; each statement is explained first, with the values
 * it was sent with.
 */
export const explaining = (connection: Connection): { tx: Tx; sent: Explained[] } => {
  const sent: Explained[] = [];
  const explain = (sql: string, params: readonly unknown[]) => {
    const rows = connection.prepare(`EXPLAIN QUERY PLAN ${sql}`).objects(params);
    sent.push({ sql, plan: rows.map((row) => String(row["detail"])) });
  };
  const explained: Connection = {
    ...connection,
    prepare(sql) {
      const statement = connection.prepare(sql);
      return {
        ...statement,
        run: (params) => (explain(sql, params), statement.run(params)),
        rows: (params) => (explain(sql, params), statement.rows(params)),
        objects: (params) => (explain(sql, params), statement.objects(params)),
      };
    },
  };
  const run = (sql: string, params: readonly unknown[] = []) => explained.prepare(sql).run(params);
  return { tx: { ...readerOf(explained), run, atCommit: () => {}, afterCommit: () => {}, mayWrite: true }, sent };
};
