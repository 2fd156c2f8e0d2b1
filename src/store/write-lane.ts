import { fdatasync } from "node:fs";
import { systemClock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { Connection } from "./connection.ts";
import { createWalSync, type SyncWal } from "./wal-sync.ts";
import { type Finished, type Group, isLocked, type Outcome, runGroup, type WriteBody } from "./write-group.ts";

export type { WriteBody, WriteScope } from "./write-group.ts";

export type WriteLane = {
  /**
   * Queues the body; resolves with its result when its group is on disk, or, when `isDurable` is false, as soon as it is committed.
   * Throws OVERLOADED when too many wait, when the disk is full, or when another process holds the database for long.
   */
  write<Result>(body: WriteBody<Result>, isDurable?: boolean): Promise<Result>;
  /** Resolves when everything queued so far is on disk. */
  drain(): Promise<void>;
};

/** The database cannot be trusted any longer; the process must end and start anew. */
export type OnFatal = (error: unknown) => void;

/** What the lane asks of the machine; tests give others. */
export type LanePorts = {
  /** Brings the WAL to the disk. */
  sync?: SyncWal;
  /** Calls back after so many real milliseconds. */
  later?(delayMs: number, resume: () => void): void;
};

type Item = { body: WriteBody<unknown>; isDurable: boolean; settle: (outcome: Outcome) => void };

const MAX_QUEUED = 20_000;
/** Another process's lock (a person's shell) is waited for so often and so long: five seconds in all. */
const BUSY_TRIES = 100;
const BUSY_WAIT_MS = 50;

/**
 * All writes that wait in one turn of the event loop share one transaction: COMMIT, then one fdatasync of the WAL off the
 * loop, then each caller gets its own result. While a sync runs the next group forms and commits. A write that fails
 * undoes itself alone. A body may await nothing but its own statements, which never leave the current turn.
 * An answer that rests on what others committed waits until that is on disk, even when it changed nothing itself.
 */
export const createWriteLane = (writer: Connection, walFd: () => number, onFatal: OnFatal, ports: LanePorts = {}): WriteLane => {
  const queue = createQueue();
  const begin = createBegin(writer, ports);
  let isScheduled = false;
  let broken: { error: unknown } | undefined;

  const breakDown = (error: unknown) => {
    broken = { error };
    queue.refuse(error);
    onFatal(error);
  };
  const disk = createWalSync(ports.sync ?? ((done) => fdatasync(walFd(), done)), breakDown);

  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => void flush());
  };
  const flush = async () => {
    const begun = broken ? "later" : begin(() => void flush());
    if (begun === "later") return;
    if (begun === "begun") publish(await runGroup(writer, queue.waiting()));
    else if (isLocked(begun.refused)) queue.refuse(heldByOther(begun.refused));
    else breakDown(begun.refused);
    isScheduled = false;
    if (queue.waiting().length > 0) schedule();
  };
  /** Answers what need not wait for the disk, and has the rest synced. */
  const publish = ({ finished, hasChanged, failure }: Group<Item>) => {
    if (hasChanged && !failure) disk.committed();
    for (const { outcome, hooks } of finished) if (outcome.ok) hooks.atCommit.forEach(callHook);
    queue.leave(finished.length);
    const waits = (one: Finished<Item>) => one.outcome.ok && one.item.isDurable;
    const durable = finished.filter(waits);
    if (durable.length > 0) disk.afterSync((error) => answer(error === undefined ? durable : durable.map((one) => ({ ...one, outcome: { ok: false, error } }))));
    answer(finished.filter((one) => !waits(one)));
    if (isLocked(failure?.error)) breakDown(failure?.error);
  };

  return {
    write: <Result>(body: WriteBody<Result>, isDurable = true) =>
      new Promise<Result>((resolve, reject) => {
        if (broken) return reject(broken.error);
        const isTaken = queue.join({ body, isDurable, settle: (outcome) => (outcome.ok ? resolve(outcome.value as Result) : reject(outcome.error)) });
        if (isTaken) schedule();
        else reject(new AppError("OVERLOADED", { message: "Too much is waiting to be written.", retryAfterSeconds: 1 }));
      }),
    drain: () => new Promise((resolve, reject) => queue.whenEmpty(() => disk.afterSync((error) => (error === undefined ? resolve() : reject(error))))),
  };
};

/** What waits to be written, in order. */
const createQueue = () => {
  let items: Item[] = [];
  let emptied: (() => void)[] = [];
  const leave = (count: number) => {
    items = items.slice(count);
    if (items.length === 0) for (const resume of emptied.splice(0)) resume();
  };
  return {
    waiting: (): readonly Item[] => items,
    /** False when too many wait. */
    join: (item: Item): boolean => items.length < MAX_QUEUED && items.push(item) > 0,
    /** Drops the first ones, whose outcome is known. */
    leave,
    refuse(error: unknown) {
      for (const item of items) item.settle({ ok: false, error });
      leave(items.length);
    },
    whenEmpty: (resume: () => void) => (items.length === 0 ? resume() : void emptied.push(resume)),
  };
};

type Begun = "begun" | "later" | { refused: unknown };

/** Begins a transaction. When another process holds the lock, `retry` is called a little later, unless that was the last try. */
const createBegin = (writer: Connection, { later = (delayMs, resume) => void systemClock().timer(delayMs, resume) }: LanePorts): ((retry: () => void) => Begun) => {
  let tries = 0;
  return (retry) => {
    try {
      writer.exec("BEGIN IMMEDIATE");
      tries = 0;
      return "begun";
    } catch (error) {
      if (isLocked(error) && ++tries < BUSY_TRIES) {
        later(BUSY_WAIT_MS, retry);
        return "later";
      }
      tries = 0;
      return { refused: error };
    }
  };
};

const heldByOther = (cause: unknown) => new AppError("OVERLOADED", { message: "Another process holds the database.", retryAfterSeconds: 1, cause });

const answer = (finished: readonly Finished<Item>[]) => {
  for (const { item, outcome, hooks } of finished) {
    item.settle(outcome.ok ? outcome : { ok: false, error: asRefusal(outcome.error) });
    if (outcome.ok) hooks.afterCommit.forEach(callHook);
  }
};

/** A hook that throws is a bug; it must not keep the answers of others back, so it becomes an uncaught error in a turn of its own. */
const callHook = (hook: () => void) => {
  try {
    hook();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
};

const asRefusal = (error: unknown): unknown =>
  error instanceof Error && (error as { code?: unknown }).code === "SQLITE_FULL"
    ? new AppError("OVERLOADED", { message: "There is no room to store anything.", retryAfterSeconds: 60, cause: error })
    : error;
