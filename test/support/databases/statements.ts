import { Database } from "bun:sqlite";

/**
 * One statement as it ran: its text, how many rows it changed, how long it took, and the transaction that it ran in;
 * undefined outside one. BEGIN, COMMIT and savepoints are not statements: their time is that of the first statement of
 * their transaction.
 */
export type Ran = { sql: string; changed: number; ms: number; transaction: number | undefined };

export type Statements = {
  /** The statements since the last call, in order. */
  taken(): Ran[];
  /** The number of statements since then. */
  readonly count: number;
  stop(): void;
};

const METHODS = ["run", "values", "all"] as const;
type Methods = Record<(typeof METHODS)[number], (...params: unknown[]) => unknown>;
const CONTROL = /^(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/;

/**
 * Counts the statements on every database file of this process, at the door of the library, unseen by the program.
 * Called before a database is opened, because a statement is known by its preparation.
 */
export const countStatements = (): Statements => {
  const connections = Database.prototype;
  const { prepare } = connections;
  const transactions = new WeakMap<Database, number>();
  let ran: Ran[] = [];
  let begun = 0;

  /** The time of a BEGIN whose transaction has no statement yet. */
  let begunMs = 0;

  const noteControl = (connection: Database, sql: string, ms: number): void => {
    if (sql.startsWith("BEGIN")) {
      transactions.set(connection, ++begun);
      begunMs = ms;
      return;
    }
    const first = ran.find(({ transaction }) => transaction === transactions.get(connection));
    if (first) first.ms += ms;
    if (sql === "COMMIT" || sql === "ROLLBACK") transactions.delete(connection);
  };

  connections.prepare = function (this: Database, sql: string) {
    const statement = prepare.call(this, sql);
    const total = prepare.call(this, "SELECT total_changes() AS n");
    const changes = () => (total.get() as { n: number }).n;
    const methods = statement as unknown as Methods; // each statement has its own
    for (const method of METHODS) {
      const original = methods[method].bind(statement);
      methods[method] = (...params) => {
        const before = CONTROL.test(sql) ? undefined : changes();
        const startedAt = performance.now();
        const result = original(...params);
        const ms = performance.now() - startedAt;
        if (before === undefined) noteControl(this, sql, ms);
        else {
          ran.push({ sql, changed: changes() - before, ms: ms + begunMs, transaction: transactions.get(this) });
          begunMs = 0;
        }
        return result;
      };
    }
    return statement;
  } as typeof prepare;
  return {
    taken: () => ran.splice(0),
    get count() {
      return ran.length;
    },
    stop() {
      connections.prepare = prepare;
      ran = [];
    },
  };
};
