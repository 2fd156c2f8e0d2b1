import type { Bound } from "../connection.ts";
import { type Condition, ServerLost, type Step, type StepResult, type Stream } from "./hrana.ts";

/** The position of a step: its request, and its index in it. */
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
 * A transaction with the server's write lock, in as few requests as possible: BEGIN is sent with the first steps,
 * COMMIT with the last. Each step requires the transaction, because after a lost lock it would commit by itself.
 */
export type RemoteTransaction = {
  /** Adds a step to the next request. It runs only if the `conditions` are true as well. */
  add(step: Added): StepPosition;
  /** The number of the next request, and how many steps it has. */
  next(): StepPosition;
  /** Removes the next request's steps from this one on. */
  drop(from: number): void;
  /** Sends the waiting steps and settles them all. Never rejects: `failure` says when the transaction is lost. */
  send(): Promise<void>;
  /**
   * Sends the waiting steps and commits, unless there is a failure. Sends nothing for an empty transaction. Never
   * rejects.
   */
  commit(): Promise<void>;
  readonly failure: Failure | undefined;
};

/** `isUnknown`: the transaction may still have been committed. */
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
  /** A step that only the loss of the transaction can prevent. */
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
      await stream.close(); // an uncommitted transaction must not keep the lock
    },
    get failure() {
      return failure;
    },
  };
};

/** Collects the steps of each request. */
const createRequests = (answersTo: (steps: readonly Step[], isLast: boolean) => Promise<StepResult[]>) => {
  let request = 0;
  let waiting: { step: Step; settle: Settle }[] = [];
  return {
    push: (step: Step, settle: Settle): StepPosition => ({ request, step: waiting.push({ step, settle }) - 1 }),
    place: (): StepPosition => ({ request, step: waiting.length }),
    drop: (from: number): void => void waiting.splice(from),
    /** Resolves when every step is settled; without an answer, as skipped. */
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
