import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Connection, openReader, openWriter, type Statement } from "../../../src/store/engine/connection.ts";
import type { OpenedFiles } from "../../../src/store/engine/db.ts";
import type { Chance } from "./chance.ts";
import type { Machine } from "./machine.ts";

/** The bytes of a database and its WAL, as a dead process leaves them. */
export type Image = { db: Uint8Array; wal: Uint8Array };

/**
 * What the disk does now. `isFull`: no statement can grow the file. `failing`: the statement so many from now fails.
 * `failsSync`: the next sync fails. `failed`: how many statements failed
 * although there was room. `refused`: how many failed in all.
 */
export type DiskFaults = {
  isFull: boolean;
  failing: number;
  failsSync: boolean;
  failed: number;
  refused: number;
  syncMs(): number;
  /** Called after a failed sync. */
  onFailedSync(): void;
};

export type Disk = {
  opened: OpenedFiles;
  /**
   * What a power cut leaves: everything synced, and of what was written since a part with torn sectors; or what a
   * killed process leaves: everything written.
   */
  image(how: "killed" | "power cut", chance: Chance): Image;
  /** Releases the files. What a dead process does with them afterwards fails. */
  abandon(): void;
  /** The files after they were closed in good order. */
  closed(): Image;
};

/** `operation` is called before and after whatever touches the disk; it throws when the process dies there. */
export type DiskPorts = { machine: Machine; faults: DiskFaults; operation(what: string): void };

const diskFault = (message: string, code: string): Error => Object.assign(new Error(message), { code });
const full = () => diskFault("database or disk is full", "SQLITE_FULL");

const SECTOR = 512;
const SALTS = { from: 16, to: 24 };
const CHANGES = /^\s*(insert|update|delete|replace|with)\b/i;
const COMMITS = /^\s*commit\b/i;
const ENDS = /^\s*(commit|rollback|release)\b/i;

let made = 0;

/** Opens a simulated disk with these bytes below a folder of real memory. */
export const openDisk = (folder: string, image: Image, ports: DiskPorts): Disk => {
  const own = join(folder, String(++made));
  const path = join(own, "recado.db");
  mkdirSync(own);
  writeFileSync(path, image.db);
  if (image.wal.length > 0) writeFileSync(`${path}-wal`, image.wal);
  const writer = openWriter(path);
  const reader = openReader(path);
  const wal = openSync(`${path}-wal`, "r+");
  // what is in the WAL was replayed at the start: a second cut takes nothing of it
  let synced = { salts: saltsOf(wal), bytes: fstatSync(wal).size };
  let isClosed = false;

  const { machine, faults, operation } = ports;
  const sync: NonNullable<OpenedFiles["sync"]> = (done) => {
    operation("sync");
    const reached = { salts: saltsOf(wal), bytes: fstatSync(wal).size };
    machine.own(faults.syncMs(), "synced", () => {
      operation("synced");
      const isFailing = faults.failsSync;
      faults.failsSync = false;
      if (!isFailing) synced = reached;
      done(isFailing ? diskFault("input/output error", "EIO") : null);
      if (isFailing) faults.onFailedSync();
    });
  };
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    reader.close();
    writer.close();
    closeSync(wal);
  };
  return {
    opened: { writer: faulty(writer, ports), reader: watched(reader, operation), walFd: -1, sync, close },
    image(how, chance) {
      // a process that ended in good order has folded its WAL in
      const written = isClosed ? Buffer.alloc(0) : readFileSync(`${path}-wal`);
      const from = written.toString("hex", SALTS.from, SALTS.to) === synced.salts ? synced.bytes : 0;
      return { db: readFileSync(path), wal: how === "killed" ? written : torn(written, from, chance) };
    },
    abandon() {
      close();
      rmSync(own, { recursive: true });
    },
    closed() {
      const image = { db: readFileSync(path), wal: new Uint8Array() };
      rmSync(own, { recursive: true });
      return image;
    },
  };
};

/** The salts of a WAL change when it is begun anew. */
const saltsOf = (fd: number): string => {
  const header = Buffer.alloc(SALTS.to);
  readSync(fd, header, 0, SALTS.to, 0);
  return header.toString("hex", SALTS.from, SALTS.to);
};

/** The synced bytes, and of the others some sectors, up to any byte. */
const torn = (written: Uint8Array, from: number, chance: Chance): Uint8Array => {
  const unsynced = written.length - from;
  if (unsynced <= 0) return written;
  const kept = written.slice(0, from + chance.below(unsynced + 1));
  if (chance.isHit(1 / 3))
    for (let at = Math.ceil(from / SECTOR) * SECTOR; at < kept.length; at += SECTOR)
      if (chance.isHit(1 / 4)) kept.fill(0, at, Math.min(at + SECTOR, kept.length));
  return kept;
};

/** A connection whose every statement is an operation at which the process may die. */
const watched = (raw: Connection, operation: (what: string) => void): Connection => {
  const known = new WeakMap<Statement, Statement>();
  const around = <Result>(statement: Statement, run: () => Result): Result => {
    operation(statement.isWrite ? "write" : "read");
    return run();
  };
  const wrap = (statement: Statement): Statement => ({
    isWrite: statement.isWrite,
    run: (params) => around(statement, () => statement.run(params)),
    rows: (params) => around(statement, () => statement.rows(params)),
    objects: (params) => around(statement, () => statement.objects(params)),
  });
  return {
    exec: (sql) => raw.exec(sql),
    get inTransaction() {
      return raw.inTransaction;
    },
    prepare(sql) {
      const statement = raw.prepare(sql);
      const found = known.get(statement) ?? wrap(statement);
      known.set(statement, found);
      return found;
    },
    forget: raw.forget,
    close: raw.close,
  };
};

/** The same for the writer, whose statements fail as the disk has it. */
const faulty = (raw: Connection, { faults, operation, machine }: DiskPorts): Connection => {
  const rollBack = () => {
    if (raw.inTransaction) raw.exec("ROLLBACK");
  };
  const known = new WeakMap<Statement, Statement>();
  const refuse = (sql: string) => {
    const isCommit = COMMITS.test(sql);
    if (!isCommit && !CHANGES.test(sql)) return;
    const fails = faults.failing > 0 && --faults.failing === 0;
    if (!faults.isFull && !fails) return;
    machine.note(`refused ${sql.slice(0, 20)}`);
    faults.refused++;
    if (fails) faults.failed++;
    // SQLite rolls everything back by itself at a commit, and sometimes at a statement
    if (isCommit || machine.count % 2 === 0) rollBack();
    throw faults.isFull ? full() : diskFault("disk I/O error", "SQLITE_IOERR_WRITE");
  };
  const around = <Result>(sql: string, run: () => Result): Result => {
    operation(sql);
    refuse(sql);
    const result = run();
    if (ENDS.test(sql)) operation(`after ${sql}`);
    return result;
  };
  const wrap = (sql: string, statement: Statement): Statement => ({
    isWrite: statement.isWrite,
    run: (params) => around(sql, () => statement.run(params)),
    rows: (params) => around(sql, () => statement.rows(params)),
    objects: (params) => around(sql, () => statement.objects(params)),
  });
  return {
    exec: (sql) => around(sql, () => raw.exec(sql)),
    get inTransaction() {
      return raw.inTransaction;
    },
    prepare(sql) {
      const statement = raw.prepare(sql);
      const found = known.get(statement) ?? wrap(sql, statement);
      known.set(statement, found);
      return found;
    },
    forget: raw.forget,
    close: raw.close,
  };
};
