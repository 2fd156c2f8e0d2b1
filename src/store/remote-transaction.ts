import type { Bound } from "./connection.ts";
import { type Condition, ServerLost, type Step, type StepResult, type Stream } from "./hrana.ts";

/** Where a step stands: in which request, and at which place of it. */
export type StepPosition = { request: number; step: number };

type Added = {
  sql: string;
  params?: readonly Bound[];
  conditions?: readonly Condition[];
  wantsRows?: boolean;
  settle?: Settle;
};
type Settle = (result: StepResult) => void;

/**
 * A transaction that holds the server's write lock, in as few requests as can be: BEGIN travels with its first steps,
 * COMMIT with its last. Nothing runs once the server has taken the lock away: each step asks for the transaction, which
 * else would commit by itself.
 */
export type RemoteTransaction = {
  /** Adds a step to the next request. It runs only if the `conditions` hold, too. */
  add(step: Added): StepPosition;
  /** The number of the next request, and how many steps wait for it. */
  next(): StepPosition;
  /** Takes back the steps of the next request from this one on. */
  drop(from: number): void;
  /**
   * Sends what waits; everybody who waits for a step has been told then. Never rejects: `failure` says when the
   * transaction has been lost.
   */
  send(): Promise<void>;
  /**
   * Sends what still waits, and commits, unless there is a failure. Nothing is sent where nothing ever was to be done.
   * Never rejects.
   */
  commit(): Promise<void>;
  readonly failure: Failure | undefined;
};

/** `isUnknown`: the transaction may have been committed all the same. */
export type Failure = { error: unknown; isUnknown: boolean };

const IN_TRANSACTION: Condition = { type: "not", cond: { type: "is_autocommit" } };

export const beginOn = (stream: Stream): RemoteTransaction => {
  let failure: Failure | undefined;
  let lastError: unknown;
  const next = createRequests(async (steps, isLast) => {
    if (failure) return [];
    try {
      return await stream.batch(steps, { isLast });
    } catch (error) {
      failure = { error, isUnknown: isLast && error instanceof ServerLost && error.mayBeDone };
      return [];
    }
  });
  /** A step that nothing but the loss of the transaction can keep from being done. */
  const necessary: Settle = (result) => {
    if (result.is === "failed") lastError = result.error;
    if (result.is !== "done") failure ??= { error: lost(lastError), isUnknown: false };
  };
  const add = ({ sql, params = [], conditions = [], wantsRows = false, settle = () => {} }: Added): StepPosition => {
    const condition: Condition =
      conditions.length === 0 ? IN_TRANSACTION : { type: "and", conds: [IN_TRANSACTION, ...conditions] };
    const note: Settle = (result) => {
      if (result.is === "failed") lastError = result.error;
      settle(result);
    };
    return next.push({ sql, params, condition, wantsRows }, note);
  };

  next.push({ sql: "BEGIN IMMEDIATE", params: [], wantsRows: false }, necessary);
  return {
    add,
    next: next.place,
    drop: next.drop,
    async send() {
      add({ sql: "SELECT 1", settle: necessary }); // still in the transaction?
      await next.send(false);
    },
    async commit() {
      const { request, step } = next.place();
      const isNothing = request === 0 && step === 1;
      if (!failure && !isNothing) {
        add({ sql: "COMMIT", settle: necessary });
        await next.send(true);
      }
      await stream.close(); // what could not be committed must not keep the lock
    },
    get failure() {
      return failure;
    },
  };
};

/** Gathers steps for request after request. */
const createRequests = (answersTo: (steps: readonly Step[], isLast: boolean) => Promise<StepResult[]>) => {
  let request = 0;
  let waiting: { step: Step; settle: Settle }[] = [];
  return {
    push: (step: Step, settle: Settle): StepPosition => ({ request, step: waiting.push({ step, settle }) - 1 }),
    place: (): StepPosition => ({ request, step: waiting.length }),
    drop: (from: number): void => void waiting.splice(from),
    /** Everybody who waits for a step has been told when it resolves; where there is no answer, that it was skipped. */
    async send(isLast: boolean): Promise<void> {
      const sent = waiting;
      waiting = [];
      request++;
      const steps = sent.map(({ step }) => step);
      const results = await answersTo(steps, isLast);
      for (const [index, { settle }] of sent.entries()) settle(results[index] ?? { is: "skipped" });
    },
  };
};

const lost = (cause: unknown): Error =>
  Object.assign(new ServerLost("the database server gave up the transaction", { cause }), {
    code: (cause as { code?: unknown } | undefined)?.code,
  });
