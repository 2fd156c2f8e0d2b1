import { bind, failedAt, mayChange } from "../connection.ts";
import type { Condition, Done, StepResult } from "./hrana.ts";
import type { RemoteTransaction, StepPosition } from "./remote-transaction.ts";

/** The statements of one write in a transaction of the server. */
export type RemoteWrite = {
  /** @throws when the write has ended or failed */
  check(): void;
  /** Sent with the next request. Rejects when the statement fails; the write may continue. */
  ask<Rows>(sql: string, params: readonly unknown[], read: (done: Done) => Rows): Promise<Rows>;
  /** Sent with the next request, without waiting. A failure fails the write. `take` gets the rows of a success. */
  run(sql: string, params: readonly unknown[], take?: (rows: unknown[][]) => void): void;
  isWaiting(): boolean;
  /** Why the write failed, even when its body caught the error. */
  failure(): { error: unknown } | undefined;
  /** Ends the write. Its changes stay, or only they are rolled back. */
  end(isGood: boolean): void;
};

export const createRemoteWrite = (transaction: RemoteTransaction): RemoteWrite => {
  const savepoint = createSavepoint(transaction);
  let isOver = false;
  let waitingFor = 0;
  let lastRun: StepPosition | undefined;
  let failure: { error: unknown } | undefined;

  /**
   * Nothing may run after a failed statement: the server gets this condition, because the result is not known here yet.
   */
  const afterRuns = (): Condition[] => (isUnsent(transaction, lastRun) ? [{ type: "ok", step: lastRun.step }] : []);
  const check = () => {
    if (isOver) throw new Error("a statement came after its write had ended");
    const failed = failure ?? transaction.failure;
    if (failed) throw failed.error;
  };
  const add = (
    sql: string,
    params: readonly unknown[],
    how: { wantsRows: boolean; settle(result: StepResult): void },
  ): StepPosition => {
    check();
    const bound = params.map(bind);
    if (mayChange(sql)) savepoint.take();
    return transaction.add({ sql, params: bound, conditions: afterRuns(), ...how });
  };
  return {
    check,
    ask: (sql, params, read) =>
      new Promise((resolve, reject) => {
        const settle = (result: StepResult) => {
          waitingFor--;
          if (result.is === "done") resolve(read(result));
          else reject(result.is === "failed" ? failedAt(sql, result.error) : (failure ?? transaction.failure)?.error);
        };
        add(sql, params, { wantsRows: true, settle });
        waitingFor++;
      }),
    run(sql, params, take) {
      const settle = (result: StepResult) => {
        if (result.is === "failed") failure ??= { error: failedAt(sql, result.error) };
        if (result.is === "done") take?.(result.rows);
      };
      try {
        lastRun = add(sql, params, { wantsRows: take !== undefined, settle });
      } catch (error) {
        failure ??= { error };
        throw error;
      }
    },
    isWaiting: () => waitingFor > 0,
    failure: () => failure,
    end(isGood) {
      isOver = true;
      if (isGood && !failure) savepoint.release(afterRuns());
      else savepoint.undo();
    },
  };
};

const isUnsent = (transaction: RemoteTransaction, place: StepPosition | undefined): place is StepPosition =>
  place?.request === transaction.next().request;

/** The savepoint by which one write of a transaction is rolled back alone. */
const createSavepoint = (transaction: RemoteTransaction) => {
  const start = transaction.next();
  let taken: StepPosition | undefined;

  const release = (conditions: Condition[]) => transaction.add({ sql: "RELEASE item", conditions });
  const rollBack = (conditions: Condition[]) => {
    const { step } = transaction.add({ sql: "ROLLBACK TO item", conditions });
    release([{ type: "ok", step }]);
  };
  return {
    /** Set before the first statement that may change something. */
    take: () => void (taken ??= transaction.add({ sql: "SAVEPOINT item" })),
    /** Keeps the changes if the conditions are true, which only the server will know. */
    release(conditions: Condition[]) {
      if (!taken) return;
      release(conditions);
      for (const condition of conditions) rollBack([{ type: "not", cond: condition }]);
    },
    /** Removes unsent steps, and rolls back sent ones. */
    undo() {
      transaction.drop(isUnsent(transaction, start) ? start.step : 0);
      if (taken && !isUnsent(transaction, taken)) rollBack([]);
    },
  };
};
