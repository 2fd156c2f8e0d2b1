import { AppError } from "../kernel/errors.ts";
import { bind } from "./connection.ts";
import { type Done, type Hrana, ServerLost, type Step, type StepResult, type Stream } from "./hrana.ts";
import { outOfReach } from "./remote-lane.ts";

/** Statements that read, each for itself: every one sees what has been committed before it was asked. */
export type RemoteReads = {
  /** Throws OVERLOADED when the server is away, and when too many wait. */
  ask(sql: string, params: readonly unknown[]): Promise<Done>;
};

/** The server has no connections that can only read. */
const CHANGES = /^\s*(insert|update|delete|replace|create|drop|alter|begin|savepoint)\b/i;

/** Streams that read at once; the server has room for 128 in all. */
const MAX_STREAMS = 24;
const MAX_WAITING = 10_000;

/** Streams are kept and used again: a new one costs the server as much as a small statement. */
export const createRemoteReads = (server: Hrana): RemoteReads => {
  const idle: Stream[] = [];
  let waiting: { resume(): void; refuse(error: unknown): void }[] = [];
  let busy = 0;

  const enter = (): Promise<void> => {
    if (busy < MAX_STREAMS) return Promise.resolve(void busy++);
    if (waiting.length >= MAX_WAITING)
      throw new AppError("OVERLOADED", { message: "Too much is waiting to be read.", retryAfterSeconds: 1 });
    return new Promise((resume, refuse) => waiting.push({ resume, refuse }));
  };
  const leave = () => {
    const next = waiting.shift();
    if (next)
      next.resume(); // its place is handed on
    else busy--;
  };
  const refuseAll = (error: unknown) => {
    const refused = waiting;
    waiting = [];
    for (const { refuse } of refused) refuse(error);
  };
  const askOn = async (stream: Stream, step: Step): Promise<StepResult | undefined> => {
    const [result] = await stream.batch([step]);
    idle.push(stream);
    return result;
  };
  /**
   * A stream that lay idle may have been given up by the server, or by one that was started anew: a fresh one is tried
   * then.
   */
  const askOnAny = async (step: Step): Promise<StepResult | undefined> => {
    const kept = idle.pop();
    if (!kept) return askOn(server.open(), step);
    try {
      return await askOn(kept, step);
    } catch (error) {
      if (!(error instanceof ServerLost) || error.hasTimedOut) throw error;
      return askOn(server.open(), step);
    }
  };

  return {
    async ask(sql, params) {
      if (CHANGES.test(sql)) throw new Error("attempt to write through a readonly reader");
      const step = { sql, params: params.map(bind), wantsRows: true };
      await enter();
      try {
        const result = await askOnAny(step);
        if (result?.is === "done") return result;
        throw result?.is === "failed" ? result.error : new Error("the database server left a statement out");
      } catch (error) {
        if (!(error instanceof ServerLost)) throw error;
        const refusal = outOfReach(error);
        refuseAll(refusal); // they have waited as long, for nothing
        throw refusal;
      } finally {
        leave();
      }
    },
  };
};
