import { closeSync, constants, fstatSync, openSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Connection } from "./connection.ts";
import { giveToOwnerOf } from "./owner.ts";
import { readFramePage, readWalHeader } from "./wal.ts";

// A process that makes a backup puts an empty file beside the database. The process that serves the database appends
// the number of each page that it changes. So the copy is made without a read transaction, which would stop the WAL
// from being used again. The file is a list of 32-bit numbers. 0 stands between two generations of the WAL: all changes
// before it are in the database's file.

const NUMBER_BYTES = 4;
const NEXT_GENERATION = 0;
/** How often the writer looks for a list. Until it has found it, the backup holds a read transaction. */
const LOOK_MS = 100;
/** A list that is never removed, because its backup was killed, grows no further. */
const MAX_LIST_BYTES = 512 * 1024 * 1024;

export const listPath = (path: string): string => `${path}.changed-pages`;

/** Removes the list of another process that served the database. A backup that uses it begins again. */
export const removeList = (path: string): void => rmSync(listPath(path), { force: true });

/** `afterGroup` notes the changes of a group of writes; the next group must not begin before it. */
export type ChangeNotes = { afterGroup(): void };

/**
 * The number of committed frames of the WAL. Outside a transaction:
 * https://www.sqlite.org/pragma.html#pragma_wal_checkpoint
 */
const committedFrames = (writer: Connection): number =>
  Number(writer.prepare("PRAGMA wal_checkpoint(NOOP)").rows([])[0]?.[1]);

/** Notes the changed pages for a backup, in the process that serves the database. */
export const createChangeNotes = (path: string, writer: Connection, walFd: number): ChangeNotes => {
  const at = listPath(path);
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let list: { fd: number; inode: number; sizeBytes: number } | undefined;
  const noted = { generation: "", next: 0, pages: new Set<number>() };

  const look = () => {
    const inode = statSync(at, { throwIfNoEntry: false })?.ino;
    if (inode === list?.inode) return;
    if (list) closeSync(list.fd);
    list = undefined;
    if (inode === undefined) return;
    const fd = openSync(at, constants.O_WRONLY | constants.O_APPEND);
    list = { fd, inode: fstatSync(fd).ino, sizeBytes: 0 };
    Object.assign(noted, { generation: "", next: 0, pages: new Set() });
  };
  /**
   * The pages of the generation that were not noted yet. Frames behind the last commit may be of a process that was
   * killed: they look like a commit, and others take their place.
   */
  const newPages = (): number[] => {
    const header = readWalHeader(walFd);
    if (!header) return [];
    const numbers: number[] = [];
    if (header.generation !== noted.generation) {
      numbers.push(NEXT_GENERATION);
      Object.assign(noted, { generation: header.generation, next: 0, pages: new Set() });
    }
    for (const end = committedFrames(writer); noted.next < end; noted.next++) {
      const page = readFramePage(walFd, header, noted.next);
      if (!noted.pages.has(page)) numbers.push(page);
      noted.pages.add(page);
    }
    return numbers;
  };
  const append = (numbers: readonly number[]) => {
    if (!list || numbers.length === 0) return;
    const bytes = Buffer.from(Uint32Array.from(numbers).buffer);
    list.sizeBytes += bytes.length;
    if (list.sizeBytes > MAX_LIST_BYTES || !isAppended(list.fd, bytes)) removeList(path);
  };

  /** The backup that loses its list begins again, or holds its read transaction. */
  const giveUp = () => {
    if (!list) return;
    closeSync(list.fd);
    list = undefined;
    removeList(path);
  };

  return {
    afterGroup() {
      const nowMs = performance.now();
      if (!list && nowMs - lookedAtMs < LOOK_MS) return;
      lookedAtMs = nowMs;
      try {
        look();
        if (list) append(newPages());
      } catch {
        giveUp(); // no descriptor is left, or the list has no owner yet: the writes must go on
      }
    },
  };
};

/** False on a full disk. A list with a gap is worse than no list. */
const isAppended = (fd: number, bytes: Buffer): boolean => {
  try {
    return writeSync(fd, bytes) === bytes.length;
  } catch {
    return false;
  }
};

const addAll = (to: Set<number>, pages: ReadonlySet<number>): void => {
  for (const page of pages) to.add(page);
};

/** The list, in the process that makes the backup. */
export type ChangeList = {
  /** Whether the serving process notes its changes. */
  isKept(): boolean;
  /** Whether the list was removed: by the serving process, or by a process that began to serve later. */
  isLost(): boolean;
  /** Takes the pages whose changes are in the database's file. */
  takeSettled(): Set<number>;
  /** Takes all remaining pages. */
  takeAll(): Set<number>;
  close(): void;
};

/** Puts an empty list beside the database; undefined if that is not possible. */
export const openChangeList = (path: string): ChangeList | undefined => {
  const at = listPath(path);
  let fd: number;
  try {
    removeList(path); // of a backup that was killed
    fd = openSync(at, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
    giveToOwnerOf(dirname(at), at);
  } catch {
    return undefined; // a full or read-only disk: the backup holds a read transaction instead
  }
  let offset = 0;
  let settled = new Set<number>();
  let open = new Set<number>();
  const chunk = Buffer.alloc(1024 * 1024);
  const read = () => {
    for (;;) {
      const length = readSync(fd, chunk, 0, chunk.length, offset);
      const numbers = Math.floor(length / NUMBER_BYTES);
      for (let index = 0; index < numbers; index++) {
        const page = chunk.readUInt32LE(index * NUMBER_BYTES);
        if (page === NEXT_GENERATION) {
          addAll(settled, open);
          open = new Set();
        } else open.add(page);
      }
      offset += numbers * NUMBER_BYTES;
      if (numbers === 0) return;
    }
  };
  return {
    isKept: () => fstatSync(fd).size > 0,
    isLost: () => fstatSync(fd).nlink === 0,
    takeSettled() {
      read();
      const taken = settled;
      settled = new Set();
      return taken;
    },
    takeAll() {
      read();
      const taken = settled.union(open);
      settled = new Set();
      open = new Set();
      return taken;
    },
    close() {
      removeList(path);
      closeSync(fd);
    },
  };
};
