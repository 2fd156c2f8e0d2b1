import { closeSync, existsSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { delay, machineTimer } from "../../kernel/async.ts";
import { type ChangeList, openChangeList } from "../engine/changed-pages.ts";
import type { Connection } from "../engine/connection.ts";
import { type Committed, readCommitted, readPages, readWalHeader, type WalHeader } from "../engine/wal.ts";
import { BackupFault } from "./backup-key.ts";

// How a database is copied while it is written: its file is read page by page although checkpoints change it. Then the
// pages that changed meanwhile are copied again, and again, until they are few. A short read transaction fixes the
// moment of the copy: the last changed pages, and over them the committed pages of the WAL.

const SLICE_BYTES = 512 * 1024;
/** At most this many pages are copied within a read transaction: they take a fraction of a second. */
const FEW_PAGES = 2000;
/** If pages change faster than they are copied, the read transaction is longer. */
const MAX_ROUNDS = 10;
/** After each slice the backup rests for twice as long as the slice took, so that the server has the machine. */
const REST = 2;
/** A restart of the server interrupts a backup, which then begins again, at most this many times. */
const MAX_TRIES = 3;

/**
 * `connection` and the descriptor `source` are open on the database at `from`. `isServed`: whether another process may
 * write meanwhile.
 */
export type PageCopy = { connection: Connection; source: number; from: string; draft: string; isServed: boolean };

/**
 * Copies a database into the existing file `draft`, synced to disk in pieces. The copy is of one moment, and a database
 * that needs no WAL.
 *
 * @throws BackupFault if the process that serves the database restarts again and again
 */
export const copyPages = async (order: PageCopy, signal: AbortSignal): Promise<void> => {
  for (let tries = 1; tries <= MAX_TRIES; tries++) if (await copyOnce(order, signal)) return;
  throw new BackupFault("the server was restarted again and again while its database was copied: try again");
};

/** False when the changes meanwhile are not known. */
const copyOnce = async (order: PageCopy, signal: AbortSignal): Promise<boolean> => {
  const list = order.isServed ? openChangeList(order.from) : undefined;
  const moment = createMoment(order.connection);
  const files = openFiles(order);
  const copier = createCopier(files, order, signal);
  try {
    moment.hold(); // until the server notes its changes; an older server, or a server that writes nothing, never does
    const onSlice = () => void (list?.isKept() && moment.release());
    await copier.copyAll(onSlice);
    onSlice();
    for (let round = 0; list && !moment.isHeld() && round < MAX_ROUNDS; round++) {
      const changed = list.takeSettled();
      await copier.copyPages(changed, onSlice);
      if (changed.size < FEW_PAGES) break;
    }
    moment.hold();
    return await finish({ list, moment, copier, files });
  } finally {
    moment.release();
    list?.close();
    copier.close();
  }
};

type Finishing = {
  list: ChangeList | undefined;
  moment: Moment;
  copier: ReturnType<typeof createCopier>;
  files: Files;
};

/**
 * Copies the remaining pages within the read transaction. False when the list of changes was lost. A WAL whose pages are
 * all in the file may begin again once. From then on the transaction prevents it.
 */
const finish = async ({ list, moment, copier, files: { wal } }: Finishing): Promise<boolean> => {
  const changed = new Set<number>();
  for (;;) {
    const begun = beginningOf(wal);
    for (const page of list?.takeAll() ?? []) changed.add(page);
    if (list?.isLost()) return false;
    const pageCount = await copyRest(copier, changed, begun);
    if (pageCount === "changed" || beginningOf(wal)?.header.generation !== begun?.header.generation) continue;
    copier.end(pageCount ?? moment.pageCount());
    return true;
  }
};

type Wal = { wal: number; header: WalHeader };

/** Undefined if the WAL is empty or missing. */
const beginningOf = (wal: number | undefined): Wal | undefined => {
  const header = wal === undefined ? undefined : readWalHeader(wal);
  return wal === undefined || !header ? undefined : { wal, header };
};

/**
 * Copies the changed pages, each from its newest place, and adds those of the WAL to them. Gives the size in pages, if
 * the WAL has it; "changed" if the WAL was overwritten meanwhile.
 */
const copyRest = async (
  copier: Finishing["copier"],
  changed: Set<number>,
  from: Wal | undefined,
): Promise<number | "changed" | undefined> => {
  if (!from) {
    await copier.copyPages(changed);
    return undefined;
  }
  const committed = readCommitted(from.wal, from.header);
  await copier.copyPages(new Set([...changed].filter((page) => !committed.frames.has(page))));
  for (const page of committed.frames.keys()) changed.add(page);
  return copier.copyCommitted(from, committed) ? committed.last?.commits : "changed";
};

/** A read transaction: the WAL of its moment is not used again while it is held. */
type Moment = { hold(): void; release(): void; isHeld(): boolean; pageCount(): number };

const createMoment = (connection: Connection): Moment => ({
  hold() {
    if (connection.inTransaction) return;
    connection.exec("BEGIN");
    connection.prepare("SELECT count(*) FROM sqlite_master").rows([]);
  },
  release: () => void (connection.inTransaction && connection.exec("COMMIT")),
  isHeld: () => connection.inTransaction,
  pageCount: () => Number(connection.prepare("PRAGMA page_count").rows([])[0]?.[0]),
});

type Files = { source: number; wal: number | undefined; target: number };

const openFiles = ({ source, from, draft }: PageCopy): Files => {
  const wal = existsSync(`${from}-wal`) ? openSync(`${from}-wal`, "r") : undefined;
  return { source, wal, target: openSync(draft, "r+") };
};

/**
 * The offset in the file's header of the bytes that say whether the file needs a WAL:
 * https://www.sqlite.org/fileformat2.html#file_format_version_numbers
 */
const VERSIONS_AT = 18;
const WITHOUT_WAL = Buffer.from([1, 1]);

const createCopier = ({ source, wal, target }: Files, { connection, isServed }: PageCopy, signal: AbortSignal) => {
  const pageBytes = Number(connection.prepare("PRAGMA page_size").rows([])[0]?.[0]);
  const slice = Buffer.alloc(SLICE_BYTES);
  let unsynced = 0;
  let resumedAtMs = performance.now();

  const write = (bytes: Buffer, at: number) => {
    for (let done = 0; done < bytes.length; ) done += writeSync(target, bytes, done, bytes.length - done, at + done);
    unsynced += bytes.length;
  };
  /** Syncs a slice to disk, then leaves the machine to the server for a while. */
  const rest = async (onSlice: (() => void) | undefined): Promise<void> => {
    fdatasyncSync(target);
    unsynced = 0;
    onSlice?.();
    if (onSlice && isServed) await delay(machineTimer, (performance.now() - resumedAtMs) * REST);
    else await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    resumedAtMs = performance.now();
  };

  return {
    async copyAll(onSlice: () => void): Promise<void> {
      const { size } = fstatSync(source);
      for (let at = 0; at < size; at += SLICE_BYTES) {
        const length = readSync(source, slice, 0, Math.min(SLICE_BYTES, size - at), at);
        write(slice.subarray(0, length), at);
        await rest(onSlice);
      }
    },
    /** Without `onSlice` at full speed. A page beyond the file's end is in the WAL. */
    async copyPages(pages: ReadonlySet<number>, onSlice?: () => void): Promise<void> {
      const page = slice.subarray(0, pageBytes);
      for (const number of [...pages].sort((a, b) => a - b)) {
        const at = (number - 1) * pageBytes;
        if (readSync(source, page, 0, pageBytes, at) === pageBytes) write(page, at);
        if (unsynced >= SLICE_BYTES) await rest(onSlice);
      }
    },
    copyCommitted: ({ wal, header }: Wal, committed: Committed): boolean =>
      readPages(wal, header, committed, (page, bytes) => write(bytes, (page - 1) * pageBytes)),
    end(pageCount: number): void {
      ftruncateSync(target, pageCount * pageBytes);
      write(WITHOUT_WAL, VERSIONS_AT);
      fdatasyncSync(target);
    },
    close(): void {
      for (const fd of [wal, target]) if (fd !== undefined) closeSync(fd);
    },
  };
};
