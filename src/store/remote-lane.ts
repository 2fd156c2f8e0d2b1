import { AppError } from "../kernel/errors.ts";
import { type Hrana, ServerLost } from "./hrana.ts";
import { type RemoteBody, runRemoteGroup } from "./remote-group.ts";
import type { Failure } from "./remote-transaction.ts";
import { answer, callAtCommit, createQueue, type LaneObserver } from "./write-queue.ts";

export type RemoteLane = {
  /**
   * Queues the body; resolves with its result when the server has committed its group. Throws OVERLOADED when too many
   * wait, and when the server is away or takes the transaction away: then nothing was changed, unless it was lost
   * during its commit. Nobody knows then whether the write was done, and the message says so; whoever asks again must
   * recognise what was done already.
   */
  write<Result>(body: RemoteBody<Result>): Promise<Result>;
  /** Resolves when everything queued so far has its outcome. */
  drain(): Promise<void>;
};

/**
 * All writes that wait share one transaction of the server; while it runs the next group forms. One at a time, for the
 * server knows but one writer.
 */
export const createRemoteLane = (server: Hrana, observer?: LaneObserver): RemoteLane => {
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
    answer(refusal ? finished.map((one) => ({ ...one, outcome: { ok: false, error: refusal } })) : finished);
    if (refusal instanceof AppError) queue.refuse(refusal); // they have waited as long, for nothing
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
 * What callers are told of a transaction that was lost. What the server said of a statement that no server would take
 * is nobody's trouble but ours.
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
