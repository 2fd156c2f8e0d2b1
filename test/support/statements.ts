import Database from "libsql";

/**
 * One statement as it ran: its text, how many rows it changed, and the transaction that it ran in; undefined outside
 * one. BEGIN, COMMIT and savepoints are not statements.
 */
export type Ran = { sql: string; changed: number; transaction: number | undefined };

export type Statements = {
  /** What has run since the last call, in its order. */
  taken(): Ran[];
  /** How many have run since then. */
  readonly count: number;
  stop(): void;
};

const METHODS = ["run", "get", "all"] as const;
type Call = (this: object, ...params: unknown[]) => unknown;
type Methods = Record<(typeof METHODS)[number], Call>;
type Prepared = { sql: string; connection: object; changes(): number };

/**
 * Counts the statements on every database file of this process, at the door of the library: the program does not know.
 * To be called before a database is opened, because a statement is known by its preparation.
 */
export const countStatements = (): Statements => {
  const connections = Database.prototype;
  const { prepare, exec } = connections;
  const statements = Object.getPrototypeOf(new Database(":memory:").prepare("SELECT 1")) as Methods;
  const original: Methods = { run: statements.run, get: statements.get, all: statements.all };
  const prepared = new WeakMap<object, Prepared>();
  const transactions = new WeakMap<object, number>();
  let ran: Ran[] = [];
  let begun = 0;

  connections.prepare = function (this: Database.Database, sql: string) {
    const statement = prepare.call(this, sql);
    const total = prepare.call(this, "SELECT total_changes() AS n");
    const changes = () => (original.get.call(total) as { n: number }).n;
    prepared.set(statement, { sql, connection: this, changes });
    return statement;
  } as typeof prepare;
  connections.exec = function (sql: string) {
    if (sql.startsWith("BEGIN")) transactions.set(this, ++begun);
    if (sql === "COMMIT" || sql === "ROLLBACK") transactions.delete(this);
    return exec.call(this, sql);
  };
  for (const method of METHODS)
    statements[method] = function (...params) {
      const known = prepared.get(this);
      if (!known) return original[method].apply(this, params);
      const before = known.changes();
      const result = original[method].apply(this, params);
      const changed = known.changes() - before;
      ran.push({ sql: known.sql, changed, transaction: transactions.get(known.connection) });
      return result;
    };
  return {
    taken: () => ran.splice(0),
    get count() {
      return ran.length;
    },
    stop() {
      Object.assign(connections, { prepare, exec });
      Object.assign(statements, original);
      ran = [];
    },
  };
};
