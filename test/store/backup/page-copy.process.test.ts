import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyPages } from "../../../src/store/backup/page-copy.ts";
import { listPath, openChangeList } from "../../../src/store/engine/changed-pages.ts";
import {
  type Connection,
  lockDatabase,
  openBeside,
  openConnection,
  openWriter,
} from "../../../src/store/engine/connection.ts";
import { readWalHeader } from "../../../src/store/engine/wal.ts";
import { tempDatabases, valueOf } from "../../support/databases/temp-database.ts";
import { roundsOf } from "../../support/rounds.ts";
import { realTime } from "../../support/waiting.ts";

setDefaultTimeout(120_000);
const temp = tempDatabases();
const ROUNDS = roundsOf(12);
const CHILD = join(import.meta.dir, "../../support/children/transfers.ts");
const ROWS = 20_000;
const NEVER = new AbortController().signal;

type Child = ReturnType<typeof startMoving> extends Promise<infer Started> ? Started : never;
const children: Child[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
    await child.exited;
  }
});

/** A process that serves the database and writes without a pause. */
const startMoving = async (path: string) => {
  const child = Bun.spawn([process.execPath, CHILD, path, String(ROWS)], { stdout: "pipe", stderr: "inherit" });
  await child.stdout.getReader().read();
  return child;
};
const moving = async (path: string): Promise<Child> => {
  const child = await startMoving(path);
  children.push(child);
  return child;
};

const movesIn = (connection: Connection): number =>
  Number(valueOf(connection, "SELECT value FROM meta WHERE name = 'moves'") ?? 0);

/** Copies the database, and gives what the copy holds. `meanwhile` runs once the copy has begun. */
const copyOf = async (path: string, meanwhile: (isOver: () => boolean) => unknown = () => {}) => {
  const draft = `${path}.draft`;
  writeFileSync(draft, "of one that was killed".repeat(100_000));
  const connection = openBeside(path);
  const source = openSync(path, "r");
  try {
    const before = movesIn(connection);
    const copying = copyPages({ connection, source, from: path, draft, isServed: true }, NEVER);
    let isOver = false;
    await Promise.all([copying.finally(() => (isOver = true)), meanwhile(() => isOver)]);
    const after = movesIn(connection);
    return { ...contentsOf(draft), isWithin: (moves: number) => moves >= before && moves <= after };
  } finally {
    connection.close();
    closeSync(source);
  }
};

const contentsOf = (draft: string) => {
  const copy = openConnection(draft, []);
  try {
    return {
      integrity: valueOf(copy, "PRAGMA integrity_check"),
      mode: valueOf(copy, "PRAGMA journal_mode"),
      sum: valueOf(copy, "SELECT sum(CAST(value AS INTEGER)) FROM meta WHERE name LIKE 'row %'"),
      moves: movesIn(copy),
      hasWal: existsSync(`${draft}-wal`),
    };
  } finally {
    copy.close();
  }
};

const WHOLE = { integrity: "ok", mode: "delete", sum: ROWS * 100, hasWal: false };

const generationOf = (path: string): string | undefined => {
  const fd = openSync(`${path}-wal`, "r");
  try {
    return readWalHeader(fd)?.generation;
  } finally {
    closeSync(fd);
  }
};

test(`a copy is of one moment while every page changes and the WAL begins again and again (${ROUNDS} rounds)`, async () => {
  const path = temp.path();
  await moving(path);
  let begunAgain = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const first = generationOf(path);
    const { isWithin, ...copy } = await copyOf(path);
    expect(copy).toMatchObject(WHOLE);
    expect(isWithin(copy.moves)).toBe(true);
    if (generationOf(path) !== first) begunAgain += 1; // a read transaction would prevent that
    expect(existsSync(listPath(path))).toBe(false);
  }
  expect(begunAgain).toBeGreaterThan(0);
});

test(`it is whole although the process that writes is killed and another one follows (${ROUNDS} rounds)`, async () => {
  const path = temp.path();
  let child = await moving(path);
  for (let round = 0; round < ROUNDS; round++) {
    const { isWithin, ...copy } = await copyOf(path, async () => {
      await realTime(Math.random() * 200);
      child.kill("SIGKILL");
      await child.exited;
      child = await moving(path);
    });
    expect(copy).toMatchObject(WHOLE);
    expect(isWithin(copy.moves)).toBe(true);
  }
});

test("beside a process that notes nothing, such as an older one, it holds the WAL and is whole too", async () => {
  const path = temp.path();
  await temp.database(path).close();
  const writer = temp.keep(openWriter(path));
  writer.exec(
    `INSERT INTO meta WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ${ROWS})
      SELECT 'row ' || value, '100 ' || hex(randomblob(400)) FROM n`,
  );
  writer.exec("UPDATE meta SET value = value || '0' WHERE name = 'row 1'"); // a WAL that is wholly in the file begins again once
  const first = generationOf(path);
  const move = writer.prepare(
    "UPDATE meta SET value = (CAST(value AS INTEGER) + ?2) || ' ' || hex(randomblob(400)) WHERE name = 'row ' || ?1",
  );
  const {
    isWithin: _,
    moves: __,
    ...copy
  } = await copyOf(path, async (isOver) => {
    for (let turn = 0; !isOver(); turn++) {
      writer.exec("BEGIN IMMEDIATE");
      move.run([1 + (turn % ROWS), 7]);
      move.run([ROWS - (turn % ROWS), -7]);
      writer.exec("COMMIT");
      await new Promise(setImmediate);
    }
  });
  expect(copy).toEqual(WHOLE);
  expect(generationOf(path)).toBe(first);
});

test("a list is gone with the next process that serves the database", async () => {
  const path = temp.path();
  await temp.database(path).close();
  const list = openChangeList(path);
  expect([existsSync(listPath(path)), list?.isKept(), list?.isLost()]).toEqual([true, false, false]);
  lockDatabase(path)();
  expect([existsSync(listPath(path)), list?.isLost()]).toEqual([false, true]);
  list?.close();
});
