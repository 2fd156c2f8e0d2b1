import { fdatasync } from "node:fs";
import { systemClock } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { ChangeNotes } from "./changed-pages.ts";
import type { Connection } from "./connection.ts";
import { createWalSync, type SyncWal } from "./wal-sync.ts";
import { beginGroup, type Finished, type Group, isLocked, runGroup, type WriteBody } from "./write-group.ts";
import { callAfterCommit, callAtCommit, createQueue, type Item, type WriteObserver } from "./write-queue.ts";

export type { WriteBody, WriteScope } from "./write-group.ts";

export type FileWriter = {
  /**
   * Queues the body and resolves with its result when its group is on disk; with `isDurable: false`, as soon as it is
   * committed.
   *
   * @throws AppError OVERLOADED when too many writes wait, when the disk is full, or when another process holds the
   * database for long
   */
  write<Result>(body: WriteBody<Result>, isDurable?: boolean): Promise<Result>;
  /** Resolves when everything queued so far is on disk. */
  drain(): Promise<void>;
};

/** Called when the database cannot be trusted any longer. The process must end and start again. */
export type OnFatal = (error: unknown) => void;

/** What the write queue needs from the machine; tests replace it. */
export type FileWriterPorts = {
  observer?: WriteObserver | undefined;
  /** Notes what each group has changed, before the next one begins. */
  changes?: ChangeNotes;
  /** Syncs the WAL to disk. */
  sync?: SyncWal;
  /** Calls back after this many real milliseconds. */
  later?(delayMs: number, resume: () => void): void;
};

type Waiting = Item<WriteBody<unknown>>;

/** How often and how long to wait for another process's lock (such as a person's shell): five seconds in all. */
const BUSY_TRIES = 100;
const BUSY_WAIT_MS = 50;

/** This many writes do not wait for the running sync. */
const ENOUGH = 32;

/**
 * All writes that wait in one turn of the event loop share one transaction: COMMIT, then one fdatasync of the WAL off
 * the loop, then each caller gets its result. The next group forms during a sync. It commits when the sync ends,
 * because its own sync cannot begin before; at once if it is large, or if one of its writes does not wait for the disk.
 * A failed write is rolled back alone. A body may await only its own statements, which never leave the current turn. A
 * write that depends on others' commits waits until those are on disk, even when it changed nothing.
 */
export const createFileWriter = (
  writer: Connection,
  walFd: () => number,
  onFatal: OnFatal,
  ports: FileWriterPorts = {},
): FileWriter => {
  const queue = createQueue<WriteBody<unknown>>(ports.observer);
  const begin = createBegin(writer, ports);
  let isScheduled = false;
  let isDeferred = false; // to the end of the running sync
  let broken: { error: unknown } | undefined;

  const breakDown = (error: unknown) => {
    broken = { error };
    queue.refuse(error);
    onFatal(error);
  };
  const disk = createWalSync(timed(ports.sync ?? ((done) => fdatasync(walFd(), done)), ports.observer), breakDown);

  const mayWait = () => queue.waiting().length < ENOUGH && queue.waiting().every(({ isDurable }) => isDurable);
  const schedule = () => {
    if (isDeferred && !mayWait()) goOn();
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isDeferred = mayWait() && disk.whenEnded(goOn);
      if (!isDeferred) void flush();
    });
  };
  const goOn = () => {
    if (!isDeferred) return; // enough had come before the sync ended
    isDeferred = false;
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
  /** Answers the writes that need not wait for the disk, and syncs if a write or a hook waits for it. */
  const publish = ({ finished, hasChanged, failure }: Group<Waiting>) => {
    if (hasChanged) ports.changes?.afterGroup();
    if (hasChanged && !failure) disk.committed();
    callAtCommit(finished);
    queue.leave(finished.length);
    const isWaiting = ({ outcome, item, hooks }: Finished<Waiting>) =>
      outcome.ok && (item.isDurable || hooks.afterCommit.length > 0);
    const waiting = finished.filter(isWaiting);
    if (waiting.length > 0) disk.afterSync((error) => reachDisk(waiting, error));
    queue.answer(finished.filter(({ outcome, item }) => !outcome.ok || !item.isDurable));
    if (isLocked(failure?.error)) breakDown(failure?.error);
  };

  /** Answers the durable writes among these, and runs the hooks of all that are on disk. */
  const reachDisk = (waiting: Finished<Waiting>[], error: unknown) => {
    const durable = waiting.filter(({ item }) => item.isDurable);
    if (error !== undefined) return queue.answer(durable.map((one) => ({ ...one, outcome: { ok: false, error } })));
    queue.answer(durable);
    callAfterCommit(waiting);
  };

  return {
    write<Result>(body: WriteBody<Result>, isDurable = true) {
      if (broken) return Promise.reject(broken.error);
      const joined = queue.join<Result>(body, isDurable);
      schedule();
      return joined;
    },
    drain: () =>
      new Promise((resolve, reject) =>
        queue.whenEmpty(() => disk.afterSync((error) => (error === undefined ? resolve() : reject(error)))),
      ),
  };
};

/** The same sync, which also reports how long it took. */
const timed =
  (sync: SyncWal, observer: WriteObserver | undefined): SyncWal =>
  (done) => {
    const startedAtMs = performance.now();
    sync((error) => {
      observer?.onSync(performance.now() - startedAtMs);
      done(error);
    });
  };

type Begun = "begun" | "later" | { refused: unknown };

/**
 * Begins a transaction. When another process has the lock, `retry` is called a little later, unless this was the last
 * attempt.
 */
const createBegin = (
  writer: Connection,
  { later = (delayMs, resume) => void systemClock().timer(delayMs, resume) }: FileWriterPorts,
): ((retry: () => void) => Begun) => {
  let tries = 0;
  return (retry) => {
    try {
      beginGroup(writer);
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

const heldByOther = (cause: unknown) =>
  new AppError("OVERLOADED", { message: "Another process holds the database.", retryAfterSeconds: 1, cause });
