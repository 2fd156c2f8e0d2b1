import { expect, test } from "bun:test";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { copyPages } from "../../../src/store/backup/page-copy.ts";
import { createChangeNotes, listPath, openChangeList, removeList } from "../../../src/store/engine/changed-pages.ts";
import { type Connection, openBeside, openConnection, openWriter } from "../../../src/store/engine/connection.ts";
import { pageOffset, readCommitted, readPages, readWalHeader } from "../../../src/store/engine/wal.ts";
import { tempDatabases, valueOf } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();
const ROWS = 3000;
const NEVER = new AbortController().signal;

/** A database of some megabytes, each row on a page of its own; `set` changes one as the serving process does. */
const served = () => {
  const path = temp.path();
  const writer = temp.keep(openWriter(path));
  writer.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, value INTEGER, pad BLOB)");
  writer.exec(`INSERT INTO t WITH RECURSIVE n(value) AS
    (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${ROWS}) SELECT value, 0, zeroblob(3000) FROM n`);
  const walFd = openSync(`${path}-wal`, "r");
  temp.keep({ close: () => closeSync(walFd) });
  let notes = createChangeNotes(path, writer, walFd);
  const change = writer.prepare("UPDATE t SET value = ?2 WHERE id = ?1");
  const set = (id: number, value: number) => {
    writer.exec("BEGIN IMMEDIATE");
    change.run([id, value]);
    writer.exec("COMMIT");
    notes.afterGroup();
  };
  const fold = () => void writer.prepare("PRAGMA wal_checkpoint(PASSIVE)").rows([]);
  /** As another process that serves the database from now on. */
  const restart = () => {
    removeList(path);
    notes = createChangeNotes(path, writer, walFd);
  };
  /** Leaves 21 changed pages behind the last commit, as a process that was killed before it could announce them. */
  const leaveCommit = () => {
    const other = temp.path();
    for (const end of ["", "-wal"]) copyFileSync(`${path}${end}`, `${other}${end}`);
    const killed = temp.keep(openWriter(other));
    killed.exec(`UPDATE t SET value = 5 WHERE id BETWEEN ${ROWS / 2} AND ${ROWS / 2 + 20}`);
    const frames = Number(writer.prepare("PRAGMA wal_checkpoint(NOOP)").rows([])[0]?.[1]);
    const header = readWalHeader(walFd);
    if (!header || frames === 0) throw new Error("the WAL is empty");
    const end = pageOffset(header, frames) - 24;
    const wal = openSync(`${path}-wal`, "r+");
    const left = readFileSync(`${other}-wal`).subarray(end);
    writeSync(wal, left, 0, left.length, end);
    closeSync(wal);
    return { wal: walFd, header };
  };
  return { path, set, fold, restart, leaveCommit };
};

test("a page is settled once the WAL in which it changed begins again, and not before", () => {
  const { path, set, fold } = served();
  const list = openChangeList(path);
  set(1, 1);
  set(2, 2);
  list?.takeSettled();
  fold();
  expect([list?.isKept(), list?.takeSettled()]).toEqual([true, new Set()]);
  set(3, 3); // the first one of the next generation
  const settled = list?.takeSettled() ?? new Set();
  expect(settled.size).toBeGreaterThanOrEqual(2);
  const rest = list?.takeAll() ?? new Set();
  expect([rest.size, settled.isDisjointFrom(rest)]).toEqual([1, true]);
  list?.close();
});

test("a process that was killed has left a commit that nobody saw: what takes its place is noted", () => {
  const { path, set, fold, restart, leaveCommit } = served();
  fold();
  set(1, 1); // a generation begins
  leaveCommit();
  restart();
  const list = openChangeList(path);
  set(2, 2);
  list?.takeAll();
  set(ROWS, 9);
  expect(list?.takeAll().size).toBe(1);
  list?.close();
});

test("a commit that others write over while it is read is noticed", () => {
  const { set, fold, leaveCommit } = served();
  fold();
  set(1, 1);
  set(1, 2);
  const { wal, header } = leaveCommit();
  const seen = readCommitted(wal, header);
  const pages = new Set<number>();
  expect(readPages(wal, header, seen, (page) => void pages.add(page))).toBe(true);
  expect(pages).toEqual(new Set(seen.frames.keys()));
  expect(pages.size).toBeGreaterThan(20);
  set(2, 2);
  expect(readPages(wal, header, seen, () => {})).toBe(false);
});

test("a list that its backup has removed is not written any longer, and the next one is begun whole", () => {
  const { path, set } = served();
  openChangeList(path)?.close();
  set(1, 1);
  expect(existsSync(listPath(path))).toBe(false);
  const first = openChangeList(path);
  const other = openChangeList(path); // takes the place of one whose process was killed
  expect([first?.isLost(), other?.isLost()]).toEqual([true, false]);
  first?.close();
  other?.close();
});

/** Copies the database; `atEnd` runs before the last read transaction of each attempt. Gives the copy's value of a row. */
const copied = async (
  { path, set }: Pick<ReturnType<typeof served>, "path" | "set">,
  atEnd: (attempt: number) => void,
): Promise<(id: number) => unknown> => {
  const draft = `${path}.draft`;
  writeFileSync(draft, "");
  const connection = openBeside(path);
  const source = openSync(path, "r");
  let begun = 0;
  const watched: Connection = {
    ...connection,
    get inTransaction() {
      return connection.inTransaction;
    },
    exec(sql) {
      if (sql === "BEGIN" && ++begun % 2 === 0) atEnd(begun / 2);
      connection.exec(sql);
    },
  };
  const copying = copyPages({ connection: watched, source, from: path, draft, isServed: true }, NEVER);
  let isOver = false;
  const writing = (async () => {
    for (let turn = 1; !isOver; turn++) {
      set(1, turn); // so that the list is found
      await new Promise(setImmediate);
    }
  })();
  await copying.finally(() => void (isOver = true));
  await writing;
  connection.close();
  closeSync(source);
  const copy = temp.keep(openConnection(draft, []));
  expect(valueOf(copy, "PRAGMA integrity_check")).toBe("ok");
  return (id) => valueOf(copy, "SELECT value FROM t WHERE id = ?1", [id]);
};

test("what left the WAL just before the moment of the copy is in it", async () => {
  const world = served();
  const valueIn = await copied(world, () => {
    world.set(1000, 7);
    world.fold();
    world.set(2000, 8);
  });
  expect([valueIn(1000), valueIn(2000), valueIn(3000)]).toEqual([7, 8, 0]);
});

test("a copy whose list was lost begins again; one that loses it each time is given up", async () => {
  const world = served();
  const lose = () => {
    world.set(1000, 7);
    world.fold();
    world.set(2000, 8);
    world.restart();
  };
  const valueIn = await copied(world, (attempt) => void (attempt === 1 && lose()));
  expect([valueIn(1000), valueIn(2000)]).toEqual([7, 8]);
  expect(await copied(world, lose).catch(String)).toContain("the server was restarted again and again");
});

test("a list that cannot be opened stops no write", () => {
  const { path, set } = served();
  mkdirSync(listPath(path));
  set(1, 1);
  expect(valueOf(temp.keep(openBeside(path)), "SELECT value FROM t WHERE id = 1")).toBe(1);
});
