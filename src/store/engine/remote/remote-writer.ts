import { AppError } from "../../../kernel/errors.ts";
import { callAfterCommit, callAtCommit, createQueue, type WriteObserver } from "../write-queue.ts";
import { type Hrana, ServerLost } from "./hrana.ts";
import { type RemoteBody, runRemoteGroup } from "./remote-group.ts";
import type { Failure } from "./remote-transaction.ts";

export type RemoteWriter = {
  /**
   * Queues the body and resolves with its result when the server has committed its group.
   *
   * @throws OVERLOADED when too many writes wait, when the server is unreachable, or when it ends the transaction.
   * Nothing was changed then, unless the connection was lost during the commit. The message says so: the write may have
   * been done, and a retry must recognise it
   */
  write<Result>(body: RemoteBody<Result>): Promise<Result>;
  /** Resolves when everything queued so far has its outcome. */
  drain(): Promise<void>;
};

/**
 * All waiting writes share one transaction of the server; the next group forms while it runs. One group at a time,
 * because the server has one writer.
 */
export const createRemoteWriter = (server: Hrana, observer?: WriteObserver): RemoteWriter => {
  const queue = createQueue<RemoteBody<unknown>>(observer);
  let isScheduled = false;

  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => void flush());
  };
  const flush = async () => {
    const { finished, failure } = await runRemoteGroup(server.open(), queue.waiting());
    const refusal = failure && refusalOf(failure);
    callAtCommit(finished);
    queue.leave(finished.length);
    if (refusal) queue.answer(finished.map((one) => ({ ...one, outcome: { ok: false, error: refusal } })));
    else {
      queue.answer(finished);
      callAfterCommit(finished);
    }
    if (refusal instanceof AppError) queue.refuse(refusal); // they have waited as long without success
    isScheduled = false;
    if (queue.waiting().length > 0) schedule();
  };

  return {
    write(body) {
      schedule();
      return queue.join(body, true);
    },
    drain: () => new Promise((resolve) => queue.whenEmpty(resolve)),
  };
};

/**
 * The error of a failed transaction for callers: OVERLOADED after the loss of the server. The server's own errors are
 * thrown unchanged, as is a full disk.
 */
const refusalOf = ({ error, isUnknown }: Failure): unknown => {
  if (!(error instanceof ServerLost) || (error as { code?: unknown }).code === "SQLITE_FULL") return error;
  return isUnknown
    ? outOfReach(error, "The database did not answer: it is not known whether this was stored.")
    : outOfReach(error);
};

const RETRY_AFTER_SECONDS = 2;

export const outOfReach = (cause: unknown, message = "The database is out of reach."): AppError =>
  new AppError("OVERLOADED", { message, retryAfterSeconds: RETRY_AFTER_SECONDS, cause });

/** Whether an error means that the server was away, and not that it refused a request. */
export const isOutOfReach = (error: unknown): boolean => error instanceof AppError && error.cause instanceof ServerLost;
