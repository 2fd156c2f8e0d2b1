import { bind, mayChange } from "./connection.ts";
import type { Condition, Done, StepResult } from "./hrana.ts";
import type { RemoteTransaction, StepPosition } from "./remote-transaction.ts";

/** The statements of one write within a transaction of the server. */
export type RemoteWrite = {
  /** Throws when the write has ended, or has failed. */
  check(): void;
  /** Sent with the next request; rejects when the statement fails, which the write may survive. */
  ask<Rows>(sql: string, params: readonly unknown[], read: (done: Done) => Rows): Promise<Rows>;
  /** Sent with the next request, and waited for by nobody; when it fails the write has failed. */
  run(sql: string, params: readonly unknown[]): void;
  isWaiting(): boolean;
  /** Why it has failed, whatever its body says. */
  failure(): { error: unknown } | undefined;
  /** No statement comes any more. What it did stays, or is undone alone. */
  end(isGood: boolean): void;
};

export const createRemoteWrite = (transaction: RemoteTransaction): RemoteWrite => {
  const savepoint = createSavepoint(transaction);
  let isOver = false;
  let waitingFor = 0;
  let lastRun: StepPosition | undefined;
  let failure: { error: unknown } | undefined;

  /** Nothing that comes after a failed statement may be done: the server is told so before it is known here. */
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
          else reject(result.is === "failed" ? result.error : (failure ?? transaction.failure)?.error);
        };
        add(sql, params, { wantsRows: true, settle });
        waitingFor++;
      }),
    run(sql, params) {
      const settle = (result: StepResult) => {
        if (result.is === "failed") failure ??= { error: failedAt(sql, result.error) };
      };
      try {
        lastRun = add(sql, params, { wantsRows: false, settle });
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

const failedAt = (sql: string, cause: Error): Error =>
  Object.assign(new Error(`${cause.message}, at: ${sql}`, { cause }), { code: (cause as { code?: unknown }).code });

/** What has one write of a transaction undo itself alone. */
const createSavepoint = (transaction: RemoteTransaction) => {
  const start = transaction.next();
  let taken: StepPosition | undefined;

  const release = (conditions: Condition[]) => transaction.add({ sql: "RELEASE item", conditions });
  const rollBack = (conditions: Condition[]) => {
    const { step } = transaction.add({ sql: "ROLLBACK TO item", conditions });
    release([{ type: "ok", step }]);
  };
  return {
    /** Before the first statement that may change something. */
    take: () => void (taken ??= transaction.add({ sql: "SAVEPOINT item" })),
    /** What was done stays if the conditions hold, which only the server will know. */
    release(conditions: Condition[]) {
      if (!taken) return;
      release(conditions);
      for (const condition of conditions) rollBack([{ type: "not", cond: condition }]);
    },
    /** Takes back what was not sent, and undoes what was. */
    undo() {
      transaction.drop(isUnsent(transaction, start) ? start.step : 0);
      if (taken && !isUnsent(transaction, taken)) rollBack([]);
    },
  };
};
