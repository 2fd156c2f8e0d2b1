import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { Db, Tx } from "../store/db.ts";
import { buryJob, type ClaimedJob, deleteJob, returnJob } from "../store/jobs.ts";
import { databaseBackoffMs, faultBackoffMs, faultOf, type JobKind, type JobKinds, jobOf, LONGEST_BACKOFF_MS, MAX_FAULTS, type Payloads } from "./jobs.ts";
import { createKeyedQueue } from "./keyed-queue.ts";
import type { Node } from "./node.ts";

export type ExecutionPorts<Env, P extends Payloads> = {
  db: Db;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  node: Pick<Node, "isSafe">;
  kinds: JobKinds<Env, P>;
  env(): Env;
  isStopping(): boolean;
};

/** Runs claimed jobs, each to the end of its claim. */
export type Execution = {
  /**
   * Waits first for earlier ones of the same serial key. Never rejects: then the job has ended, or waits for another try, or the process stops.
   * Nothing begins while another process may have taken it over: it is given back.
   */
  run(claimed: ClaimedJob): Promise<void>;
  /** Gives a job up, with what it stood for. */
  bury(claimed: ClaimedJob, reason: string): Promise<void>;
};

export const createExecution = <Env, P extends Payloads>({ db, clock, log, metrics, node, kinds, env, isStopping }: ExecutionPorts<Env, P>): Execution => {
  const serial = createKeyedQueue();
  const writeEnd = endWriter({ db, clock, log, isStopping });
  const kindsByName = kinds as Record<string, JobKind<Env, object> | undefined>;
  const kindOf = ({ kind }: ClaimedJob) => (Object.hasOwn(kindsByName, kind) ? kindsByName[kind] : undefined);

  const told = (name: string, outcome: "done" | "again" | "failed" | "buried", times = 1) => metrics.count("recado_job_runs_total", { name, outcome }, times);
  for (const name of Object.keys(kinds)) told(name, "buried", 0); // an alert waits for it, and sees only what grows

  const run = async (claimed: ClaimedJob): Promise<void> => {
    const kind = kindOf(claimed);
    if (!kind) return bury(claimed, `no such kind of job: ${claimed.kind}`);
    try {
      // of its time it is the first again: what came after it must not overtake it
      const work = () => (node.isSafe() ? runOnce(claimed, kind) : tryAgain(claimed, { atMs: claimed.createdAt, counts: false }));
      const key = kind.serial?.(payloadOf(claimed));
      await (key === undefined ? work() : serial.run(`${claimed.lane}/${key}`, work));
    } catch (thrown) {
      await afterFault(claimed, kind, faultOf(thrown));
    }
  };

  const runOnce = async (claimed: ClaimedJob, kind: JobKind<Env, object>): Promise<void> => {
    const outcome = await kind.run(env(), jobOf(claimed, db));
    told(claimed.kind, outcome.is === "again" ? "again" : "done");
    switch (outcome.is) {
      case "settled":
        return;
      case "done":
        return writeEnd(claimed, (tx) => deleteJob(tx, claimed));
      case "again":
        return tryAgain(claimed, outcome);
    }
  };

  const tryAgain = (claimed: ClaimedJob, { atMs, error = null, counts = true }: { atMs: number; error?: string | null; counts?: boolean }): Promise<void> =>
    writeEnd(claimed, (tx) => returnJob(tx, claimed, { runAt: atMs, error, counts }));

  const afterFault = async (claimed: ClaimedJob, kind: JobKind<Env, object>, error: string): Promise<void> => {
    log.error({ jobId: claimed.id, job: claimed.kind, attempt: claimed.attempts, error }, "job failed");
    told(claimed.kind, "failed");
    if (claimed.attempts < (kind.maxAttempts ?? MAX_FAULTS)) return tryAgain(claimed, { atMs: clock.now() + faultBackoffMs(claimed.attempts), error });
    return bury(claimed, error);
  };

  const bury = async (claimed: ClaimedJob, reason: string): Promise<void> => {
    told(kindOf(claimed) ? claimed.kind : "unknown", "buried");
    try {
      await db.write(async (tx) => {
        if (await buryJob(tx, claimed, reason, clock.now())) await kindOf(claimed)?.abandoned?.(env(), tx, payloadOf(claimed), reason);
      });
    } catch (thrown) {
      log.error({ jobId: claimed.id, job: claimed.kind, error: faultOf(thrown) }, "a job could not be given up");
      await tryAgain(claimed, { atMs: clock.now() + LONGEST_BACKOFF_MS, error: reason });
    }
  };

  return { run, bury };
};

type EndPorts = Pick<ExecutionPorts<never, Payloads>, "db" | "clock" | "log" | "isStopping">;

/** Writes the end of a job. While our own database refuses (a full disk) it is tried again: a claim that nobody ends would block its lane. */
const endWriter =
  ({ db, clock, log, isStopping }: EndPorts) =>
  async (claimed: ClaimedJob, body: (tx: Tx) => void): Promise<void> => {
    for (let tries = 1; ; tries++) {
      try {
        return await db.write(async (tx) => body(tx), { isDurable: false });
      } catch (thrown) {
        log.error({ jobId: claimed.id, job: claimed.kind, error: faultOf(thrown) }, "the end of a job could not be written");
        if (isStopping()) return; // the next start of the process gives the job back
        await new Promise<void>((resolve) => void clock.timer(databaseBackoffMs(tries), resolve));
      }
    }
  };

const payloadOf = (claimed: ClaimedJob): object => JSON.parse(claimed.payload) as object;
