import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { checkFile } from "../../../src/store/backup/backup-check.ts";
import { openReader } from "../../../src/store/engine/connection.ts";
import { backupKeysIn } from "../../support/databases/backup-keys.ts";
import { processes } from "../../support/processes/process.ts";
import { roundsOf } from "../../support/rounds.ts";
import { nextSeed } from "../../support/seeds.ts";
import { afterRealTime, durationMs, untilTrue } from "../../support/waiting.ts";
import { startWorld, type World } from "../../support/world.ts";

const ROUNDS = roundsOf(8);
const SEED = Number(process.env["RECADO_CRASH_SEED"] ?? nextSeed());
const tools = processes();

let world: World;
let sender: { key: string; phoneId: string };
beforeAll(async () => {
  world = await startWorld({ env: { RECADO_GATEWAY_RATE: "1000000", RECADO_GATEWAY_SEND_RATE: "1000000" } });
  const { key } = await world.account();
  sender = { key, phoneId: (await world.wabaPhone(key)).id };
  // enough of it that a backup takes a while
  await world.app.env.db.write(
    async (tx) =>
      void tx.rows(`INSERT INTO meta SELECT 'filler ' || value, hex(randomblob(2000)) FROM (WITH RECURSIVE n(value) AS
          (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 10000) SELECT value FROM n)`),
  );
}, 120_000);
afterAll(() => world.stop());

const settings = () => ({ RECADO_DATA_DIR: world.dataDir });
const backup = (...args: string[]) => tools.run(["backup", ...args], settings());

/** Sends one message after another until it is stopped; gives how many were accepted. */
const writing = () => {
  let isStopped = false;
  let accepted = 0;
  const write = async () => {
    while (!isStopped) {
      const body = {
        phoneId: sender.phoneId,
        to: "5511999990001",
        type: "text",
        content: { text: "olá" },
        idempotencyKey: `key-${crypto.randomUUID()}`,
      };
      const answer = await world.gateway("/v1/messages", { key: sender.key, body });
      expect(answer.status).toBe(202);
      accepted += 1;
    }
  };
  const done = Promise.all(Array.from({ length: 4 }, write));
  return { accepted: () => accepted, stop: () => ((isStopped = true), done) };
};

/** The first column of the first row. */
const valueIn = (path: string, sql: string): number => {
  const reader = openReader(path);
  try {
    return Number(reader.prepare(sql).rows([])[0]?.[0]);
  } finally {
    reader.close();
  }
};

/** Whatever lies where a backup is made, but the lock. */
const filesIn = (folder: string): string[] => readdirSync(folder).sort();

describe("while the server answers requests", () => {
  test("a backup is of one moment: what was written together is there together, or not at all", async () => {
    const file = join(tools.folder(), "backup.db");
    const writers = writing();
    await untilTrue(() => writers.accepted() >= 20);
    const before = writers.accepted();
    const { code, err, out } = await backup(file, "--json");
    const after = writers.accepted();
    await writers.stop();
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toMatchObject({
      file,
      sizeBytes: statSync(file).size,
      masterKey: world.app.env.secrets.keyId,
    });
    const messages = valueIn(file, "SELECT count(*) FROM messages");
    expect(messages).toBeWithin(before, after + 4); // requests that were being answered
    expect(after).toBeGreaterThan(before);
    expect(valueIn(file, "SELECT count(*) FROM idempotency_keys")).toBe(messages);
    expect(
      valueIn(file, "SELECT count(*) FROM idempotency_keys WHERE message_id NOT IN (SELECT id FROM messages)"),
    ).toBe(0);
    expect(filesIn(join(file, ".."))).toEqual(["backup.db"]);
    expect(checkFile(file, backupKeysIn(world.dataDir)).counts["messages"]).toBe(messages);
  });

  test("it says that the master key is kept elsewhere, and can be checked later", async () => {
    const file = join(tools.folder(), "backup.db");
    const { out } = await backup(file);
    expect(out).toContain(`store ${world.dataDir}/master.key beside it`);
    expect((await backup("--verify", file)).out).toEndWith(
      `; whole, sealed under master key ${world.app.env.secrets.keyId}\n`,
    );
    truncateSync(file, statSync(file).size - 1);
    const { code, err } = await backup("--verify", file);
    expect([code, err]).toEqual([1, expect.stringContaining("is damaged")]);
  });

  test("a second one at the same time is refused, and says so; a name that is taken too", async () => {
    const folder = tools.folder();
    const [one, other] = await Promise.all(["one.db", "other.db"].map((name) => backup(join(folder, name))));
    const codes = [one?.code, other?.code];
    if (codes.includes(1)) expect(`${one?.err}${other?.err}`).toContain("is being made: wait for it");
    expect(codes).toContain(0);
    const [made = ""] = filesIn(folder);
    const bytes = statSync(join(folder, made)).mtimeMs;
    const { code, err } = await backup(join(folder, made));
    expect([code, err]).toEqual([1, expect.stringContaining("exists already")]);
    expect(statSync(join(folder, made)).mtimeMs).toBe(bytes);
    const folderItself = await backup(folder);
    expect([folderItself.code, folderItself.err]).toEqual([1, expect.stringContaining("is a folder")]);
  });

  test.each(["SIGTERM", "SIGINT"] as const)("one that is ended by %s leaves nothing", async (signal) => {
    const folder = tools.folder();
    const { child, ended } = tools.spawn(["backup", join(folder, "backup.db")], settings());
    await untilTrue(() => filesIn(folder).length !== 0);
    child.kill(signal);
    const { code, err } = await ended;
    expect([code, err]).toEqual([1, `ended by ${signal}: no backup was made\n`]);
    expect(filesIn(folder)).toEqual([]);
  });

  test(`kill -9 at any moment leaves no file that passes for a backup, and the next one is made (${ROUNDS} rounds, SEED=${SEED})`, async () => {
    const random = seededRandom(SEED);
    const folder = tools.folder();
    const file = join(folder, "backup.db");
    const wholeMs = await durationMs(() => backup(file)); // of a binary a fraction of what it takes from source
    rmSync(file);
    let isKilledEarly = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const { child, ended } = tools.spawn(["backup", file], settings());
      // the first one before its end
      afterRealTime(random.float() * (round === 0 ? 0.3 : 1.2) * wholeMs, () => child.kill("SIGKILL"));
      const { code } = await ended;
      if (code !== 0) isKilledEarly += 1;
      expect(code === 0 ? existsSync(file) : true).toBe(true);
      // it was whole before it had its name
      if (existsSync(file)) expect(checkFile(file, backupKeysIn(world.dataDir)).missing).toEqual([]);
      rmSync(file, { force: true });
    }
    expect(isKilledEarly).toBeGreaterThan(0);
    expect((await backup(file)).err).toBe("");
    expect(filesIn(folder)).toEqual(["backup.db"]);
    expect(checkFile(file, backupKeysIn(world.dataDir)).missing).toEqual([]);
    expect((await world.gateway("/v1/phones", { key: sender.key })).status).toBe(200);
  });

  test("a disk that has too little room ends it, and nothing stays", async () => {
    const folder = tools.folder();
    const file = join(folder, "backup.db");
    // a limit of 16 MB for any file stands for a full disk: writing more fails
    const cache = { CACHE_DIRECTORY: tools.folder() };
    await tools.run(["version"], cache); // a binary keeps there what it would have no room for now
    const [program = "", ...args] = tools.program;
    const child = Bun.spawn(
      ["bash", "-c", 'trap "" XFSZ; ulimit -f 16384; exec "$@"', "bash", program, ...args, "backup", file],
      {
        env: { PATH: process.env["PATH"] ?? "", ...settings(), ...cache },
        stderr: "pipe",
      },
    );
    expect([await child.stderr.text(), await child.exited]).toEqual([
      expect.stringContaining("could not be written to its end: make room on its disk"),
      1,
    ]);
    expect(filesIn(folder)).toEqual([]);
  });
});

test("without a server it is the same, and nothing of the installation changes", async () => {
  const dataDir = tools.dataDir();
  await tools.run(["account", "create", "--name", "x"], { RECADO_DATA_DIR: dataDir });
  const file = join(tools.folder(), "backup.db");
  const { code, err } = await tools.run(["backup", file], { RECADO_DATA_DIR: dataDir });
  expect([code, err, checkFile(file, backupKeysIn(dataDir)).counts["tenants"]]).toEqual([0, "", 1]);
});

test("encrypted on request: it is restored elsewhere with the master key, refused without it, and nothing of it stays decrypted", async () => {
  const dataDir = tools.dataDir();
  await tools.run(["account", "create", "--name", "in the backup"], { RECADO_DATA_DIR: dataDir });
  const file = join(tools.folder(), "backup.db");
  expect((await tools.run(["backup", "--encrypt", file], { RECADO_DATA_DIR: dataDir })).err).toBe("");
  expect(readFileSync(file).includes("in the backup")).toBe(false);
  const verified = await tools.run(["backup", "--verify", "--json", file], { RECADO_DATA_DIR: dataDir });
  expect(JSON.parse(verified.out)).toMatchObject({
    sizeBytes: statSync(file).size,
    isSealed: true,
    counts: { tenants: 1 },
  });
  expect(filesIn(dataDir).filter((name) => name.includes("opened"))).toEqual([]);

  const elsewhere = tools.dataDir();
  const refused = await tools.run(["restore", file], { RECADO_DATA_DIR: elsewhere });
  expect([refused.code, refused.err, existsSync(elsewhere)]).toEqual([
    1,
    expect.stringContaining("is encrypted under master key"),
    false,
  ]);
  const settings = {
    RECADO_DATA_DIR: elsewhere,
    RECADO_MASTER_KEY: readFileSync(join(dataDir, "master.key"), "utf8").trim(),
  };
  const damaged = join(tools.folder(), "damaged.db");
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(damaged, bytes);
  expect((await tools.run(["restore", damaged], settings)).err).toContain(`${damaged} is damaged`);
  const planned = await tools.run(["restore", "--dry-run", file], settings);
  expect([planned.code, filesIn(elsewhere)]).toEqual([0, []]);
  expect((await tools.run(["restore", file], settings)).err).toBe("");
  expect([
    valueIn(join(elsewhere, "recado.db"), "SELECT count(*) FROM tenants WHERE name = 'in the backup'"),
    filesIn(elsewhere).filter((name) => /opened|restoring/.test(name)),
  ]).toEqual([1, []]);
});

describe("what it refuses", () => {
  test("a database that is not there, and makes none", async () => {
    const dataDir = tools.dataDir();
    const { code, err } = await tools.run(["backup", join(tools.folder(), "x.db")], { RECADO_DATA_DIR: dataDir });
    expect([code, err, existsSync(dataDir)]).toEqual([1, expect.stringContaining("check RECADO_DATA_DIR"), false]);
  });

  test("a master key that is not the database's, which no command makes in its place", async () => {
    const dataDir = tools.dataDir();
    const settings = { RECADO_DATA_DIR: dataDir };
    await tools.run(["account", "create", "--name", "x"], settings);
    const [key, file] = [join(dataDir, "master.key"), join(tools.folder(), "x.db")];
    rmSync(key);
    const without = await tools.run(["account", "create", "--name", "y"], settings);
    expect([without.code, without.err, existsSync(key)]).toEqual([
      78,
      expect.stringContaining("written under another master key"),
      false,
    ]);
    writeFileSync(key, Buffer.alloc(32, 7).toString("base64"));
    const { code, err } = await tools.run(["backup", file], settings);
    expect([code, err, existsSync(file)]).toEqual([
      78,
      expect.stringContaining("written under another master key"),
      false,
    ]);
  });

  test("a libSQL server that is away, and nothing is left", async () => {
    const folder = tools.folder();
    const settings = {
      RECADO_DATABASE_URL: "http://127.0.0.1:1",
      RECADO_MASTER_KEY: Buffer.alloc(32, 1).toString("base64"),
    };
    const { code, err } = await tools.run(["backup", join(folder, "x.db")], settings);
    expect([code, err, filesIn(folder)]).toEqual([1, expect.stringContaining("no answer of the database server"), []]);
  });

  test("a folder that is not there, and a file in the way of a folder", async () => {
    writeFileSync(join(tools.folder(), "file"), "");
    const { code, err } = await backup("/none/such/x.db");
    expect([code, err]).toEqual([1, "there is no folder /none/such: make it, or mount it\n"]);
  });
});
