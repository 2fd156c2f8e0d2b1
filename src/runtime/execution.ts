import { createKeyedSemaphore, delay } from "../kernel/async.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { Db, Tx } from "../store/engine/db.ts";
import { isOutOfReach } from "../store/engine/remote/remote-writer.ts";
import {
  type ClaimedJob,
  deleteJob,
  discardJob,
  findClaimed,
  type Return,
  retryJob,
  snoozeJob,
} from "../store/tables/jobs.ts";
import { databaseBackoffMs, faultBackoffMs, faultText, LONGEST_BACKOFF_MS, MAX_FAULTS } from "./faults.ts";
import { type JobKind, type JobKinds, jobOf, type Payloads } from "./jobs.ts";
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
  /** The grace of a stop has ended: the database may be closed, and running jobs belong to the next process. */
  isStopped(): boolean;
  /** Called at the commit of a write by which a job of this queue is to run again. */
  onReturn(queue: string): void;
};

/** Runs claimed jobs, each to the end of its claim. */
export type Execution = {
  /**
   * Runs the job after earlier jobs with the same ordering key, and not before `claim` resolves. Never rejects. When it
   * resolves, the job has ended or waits for its next attempt, or the process stops. A job that has not begun when the
   * process stops goes back to its place, and so does a job that another process may have taken over.
   */
  run(claimed: ClaimedJob, claim?: Promise<void>): Promise<void>;
  /** Discards a job and calls its `onDiscarded`. Never rejects. */
  discard(claimed: ClaimedJob, reason: string): Promise<void>;
};

/** A claimed job whose kind is known and whose payload was read. */
type Readable<Env> = { claimed: ClaimedJob; kind: JobKind<Env, object>; payload: object };
type Reading<Env> = ({ is: "readable" } & Readable<Env>) | { is: "newer" | "damaged"; reason: string };

export const createExecution = <Env, P extends Payloads>(ports: ExecutionPorts<Env, P>): Execution => {
  const { db, clock, log, node, kinds, env, metrics, isStopping, isStopped, onReturn } = ports;
  const ordered = createKeyedSemaphore();
  const read = readerOf<Env>(kinds);
  const { end, retry, snooze, giveBack, discard, afterFault, count } = endingsOf(ports, read);
  // alerts compare rates: a series must exist before its first increment
  for (const name of Object.keys(kinds)) metrics.count("recado_job_runs_total", { name, outcome: "discarded" }, 0);

  const run = async (claimed: ClaimedJob, claim?: Promise<void>): Promise<void> => {
    const reading = read(claimed);
    switch (reading.is) {
      case "newer": // a node of a newer version can run it
        return afterFault(claimed, MAX_FAULTS, reading.reason);
      case "damaged":
        return discard(claimed, reading.reason);
      case "readable":
        return runInOrder(reading, claim);
    }
  };

  const runInOrder = async (readable: Readable<Env>, claim: Promise<void> | undefined): Promise<void> => {
    const { claimed, kind, payload } = readable;
    try {
      const work = async () => {
        await claim; // within its turn: a later job of the key must not come first
        return runThroughOutages(readable);
      };
      const key = kind.orderingKey?.(payload);
      await (key === undefined ? work() : ordered.run(`${claimed.queue}/${key}`, work));
    } catch (thrown) {
      await afterFault(claimed, kind.maxAttempts ?? MAX_FAULTS, faultText(thrown));
    }
  };

  /**
   * A job whose database was away runs again under its claim and within its turn: a later job of its key would
   * otherwise overtake it.
   */
  const runThroughOutages = async (readable: Readable<Env>, tries = 1): Promise<void> => {
    const { claimed } = readable;
    if (isStopping() || !node.isSafe()) return giveBack(claimed);
    try {
      return await (tries === 1 ? runOnce(readable) : runAgain(claimed));
    } catch (thrown) {
      if (!isOutOfReach(thrown) || isStopping()) throw thrown;
      log.error({ jobId: claimed.id, job: claimed.kind, error: faultText(thrown) }, "a job waits for its database");
    }
    await delay(clock, databaseBackoffMs(tries));
    return runThroughOutages(readable, tries + 1);
  };

  /** Does nothing when a write whose answer was lost has ended the claim. */
  const runAgain = async (claimed: ClaimedJob): Promise<void> => {
    const left = await db.write((tx) => findClaimed(tx, claimed));
    const reading = left && read({ ...claimed, ...left });
    if (reading?.is === "readable") return runOnce(reading);
  };

  const runOnce = async ({ claimed, kind, payload }: Readable<Env>): Promise<void> => {
    const job = jobOf(claimed, {
      payload,
      format: kind.payload,
      isShared: db.isShared,
      mayAct: () => node.isSafe() && !isStopped(),
      onReturn: () => onReturn(claimed.queue),
    });
    const outcome = await kind.run(env(), job);
    switch (outcome.is) {
      case "settled":
        return count(claimed, "done");
      case "done":
        count(claimed, "done");
        return end(claimed);
      case "retry":
        count(claimed, "retried");
        return retry(claimed, { runAt: outcome.atMs, error: outcome.error ?? null });
      case "snooze":
        count(claimed, "snoozed");
        return snooze(claimed, { runAt: outcome.atMs, error: outcome.error ?? null });
    }
  };

  return { run, discard };
};

type Ended = "done" | "retried" | "snoozed" | "failed" | "discarded";

/** The ways in which a claim ends. Each is written and counted. */
const endingsOf = <Env, P extends Payloads>(
  ports: ExecutionPorts<Env, P>,
  read: (claimed: ClaimedJob) => Reading<Env>,
) => {
  const { db, clock, log, metrics, kinds, env, onReturn } = ports;
  const write = endWriter(ports);
  /** Labels hold our own names only, so that their number is bounded. */
  const nameOf = ({ kind }: ClaimedJob): string => (Object.hasOwn(kinds, kind) ? kind : "unknown");
  const count = (claimed: ClaimedJob, outcome: Ended): void =>
    metrics.count("recado_job_runs_total", { name: nameOf(claimed), outcome });

  const end = (claimed: ClaimedJob): Promise<void> => write(claimed, (tx) => deleteJob(tx, claimed));
  const returnBy =
    (put: typeof retryJob) =>
    (claimed: ClaimedJob, to: Return): Promise<void> =>
      write(claimed, (tx) => {
        tx.atCommit(() => onReturn(claimed.queue));
        put(tx, claimed, to);
      });
  const [retry, snooze] = [returnBy(retryJob), returnBy(snoozeJob)];
  /** Returns a job that was not run to its place, so that later jobs do not overtake it. */
  const giveBack = (claimed: ClaimedJob): Promise<void> => snooze(claimed, { runAt: claimed.runAt, error: null });

  const afterFault = async (claimed: ClaimedJob, maxAttempts: number, error: string): Promise<void> => {
    if (ports.isStopped()) return; // such as the fault that the database is closed
    log.error({ jobId: claimed.id, job: claimed.kind, attempt: claimed.attempts, error }, "job failed");
    count(claimed, "failed");
    if (claimed.attempts < maxAttempts)
      return retry(claimed, { runAt: clock.now() + faultBackoffMs(claimed.attempts), error });
    return discard(claimed, error);
  };

  const discard = async (claimed: ClaimedJob, reason: string): Promise<void> => {
    count(claimed, "discarded");
    const reading = read(claimed);
    if (reading.is !== "readable")
      log.error(
        { jobId: claimed.id, job: claimed.kind, error: reason },
        "a job that cannot be read is discarded; its handler is not called",
      );
    try {
      await db.write(async (tx) => {
        const isDiscarded = await discardJob(tx, claimed, reason, clock.now());
        if (isDiscarded && reading.is === "readable")
          await reading.kind.onDiscarded?.(env(), tx, reading.payload, reason);
      });
    } catch (thrown) {
      log.error({ jobId: claimed.id, job: claimed.kind, error: faultText(thrown) }, "a job could not be discarded");
      await retry(claimed, { runAt: clock.now() + LONGEST_BACKOFF_MS, error: reason });
    }
  };

  return { end, retry, snooze, giveBack, afterFault, discard, count };
};

/** Finds the kind of a claimed job and reads its payload. An unknown kind is taken for a kind of a newer version. */
const readerOf =
  <Env>(kinds: Record<string, JobKind<Env, object> | undefined>) =>
  (claimed: ClaimedJob): Reading<Env> => {
    const kind = Object.hasOwn(kinds, claimed.kind) ? kinds[claimed.kind] : undefined;
    if (!kind) return { is: "newer", reason: `no such kind of job: ${claimed.kind}` };
    const read = kind.payload.decode(claimed.payload, claimed.payloadVersion);
    return read.ok
      ? { is: "readable", claimed, kind, payload: read.value }
      : { is: read.why.is, reason: `its payload cannot be read: ${read.why.reason}` };
  };

type EndPorts = Pick<ExecutionPorts<never, Payloads>, "db" | "clock" | "log" | "isStopping" | "isStopped">;

/**
 * Writes the end of a claim. Tries again while our own database refuses (a full disk), because a claim without an end
 * would block its queue.
 */
const endWriter =
  ({ db, clock, log, isStopping, isStopped }: EndPorts) =>
  async (claimed: ClaimedJob, body: (tx: Tx) => void): Promise<void> => {
    for (let tries = 1; ; tries++) {
      try {
        return await db.write(async (tx) => body(tx), { isDurable: false });
      } catch (thrown) {
        if (isStopped()) return;
        log.error(
          { jobId: claimed.id, job: claimed.kind, error: faultText(thrown) },
          "the end of a job could not be written",
        );
        if (isStopping()) return; // the next start of the process gives the job back
        await delay(clock, databaseBackoffMs(tries));
      }
    }
  };
