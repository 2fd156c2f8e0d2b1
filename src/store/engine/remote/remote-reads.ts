import { AppError } from "../../../kernel/errors.ts";
import { bind, failedAt } from "../connection.ts";
import { type Done, type Hrana, ServerLost, type Step, type StepResult, type Stream } from "./hrana.ts";
import { outOfReach } from "./remote-writer.ts";

/** Single read statements. Each sees every commit before the statement was sent. */
export type RemoteReads = {
  /** @throws AppError OVERLOADED when the server is unreachable, and when too many reads wait */
  ask(sql: string, params: readonly unknown[]): Promise<Done>;
};

/** The server has no read-only connections, so a changing statement is refused by its text. */
const CHANGES = /^\s*(insert|update|delete|replace|create|drop|alter|begin|savepoint)\b/i;

/** The number of concurrent read streams; the server allows 128 in all. */
const MAX_STREAMS = 24;
const MAX_WAITING = 10_000;

/** Streams are reused, because a new one costs the server as much as a small statement. */
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
      next.resume(); // its place passes to the next
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
  /** The server may have closed an idle stream, or was restarted: a new stream is tried then. */
  const askOnAny = async (step: Step): Promise<StepResult | undefined> => {
    const stream = idle.pop();
    if (!stream) return askOn(server.open(), step);
    try {
      return await askOn(stream, step);
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
        throw result?.is === "failed"
          ? failedAt(sql, result.error)
          : new Error("the database server left a statement out");
      } catch (error) {
        if (!(error instanceof ServerLost)) throw error;
        const refusal = outOfReach(error);
        refuseAll(refusal); // they have waited as long without success
        throw refusal;
      } finally {
        leave();
      }
    },
  };
};
