import type { Connection } from "../../../src/store/engine/connection.ts";
import { readerOf, type Tx } from "../../../src/store/engine/db.ts";

/** A sent statement, with SQLite's plan to find its rows. */
export type Explained = { sql: string; plan: string[] };

/** A write that passes every statement on to the connection, after it has explained it with its values. */
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
