import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { secretsOf } from "../../../src/kernel/crypto.ts";
import { openConnection, openReader } from "../../../src/store/engine/connection.ts";
import { processes } from "../../support/processes/process.ts";
import { roundsOf } from "../../support/rounds.ts";
import { nextSeed } from "../../support/seeds.ts";
import { afterRealTime, untilTrue } from "../../support/waiting.ts";

setDefaultTimeout(120_000);
const ROUNDS = roundsOf(8);
const SEED = Number(process.env["RECADO_CRASH_SEED"] ?? nextSeed());
const tools = processes();

const keyOf = (byte: number): string => Buffer.alloc(32, byte).toString("base64");
const secretsFrom = (base64: string) => secretsOf(Buffer.from(base64, "base64"), seededRandom(1));

/** An installation whose master key lies in its data directory. */
const installation = async () => {
  const dataDir = tools.dataDir();
  const settings = { RECADO_DATA_DIR: dataDir };
  const run = (args: readonly string[], more: Record<string, string> = {}) => tools.run(args, { ...settings, ...more });
  expect((await run(["account", "create", "--name", "before"])).err).toBe("");
  return { dataDir, settings, run, keyFile: join(dataDir, "master.key") };
};

const wrappedIn = (dataDir: string): string[] => {
  const reader = openReader(join(dataDir, "recado.db"));
  try {
    return (reader.prepare("SELECT wrapped FROM wrapped_keys ORDER BY id").rows([]) as [string][]).map(
      ([wrapped]) => wrapped,
    );
  } finally {
    reader.close();
  }
};

const keysIn = (dataDir: string): string[] => readdirSync(dataDir).filter((name) => name.startsWith("master.key"));

test("recado key rotate makes a new master key, keeps the old one beside it, is in the audit log, and a backup of before still needs the old one", async () => {
  const { dataDir, run, keyFile } = await installation();
  const old = readFileSync(keyFile, "utf8").trim();
  const oldId = secretsFrom(old).keyId;
  const file = join(tools.folder(), "backup.db");
  await run(["backup", file]);
  const { code, err, out } = await run(["key", "rotate"]);
  const next = readFileSync(keyFile, "utf8").trim();
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain(`master key ${oldId} was replaced by ${secretsFrom(next).keyId}`);
  expect(out).not.toContain(next);
  expect(keysIn(dataDir).sort()).toEqual(["master.key", `master.key.${oldId}`]);
  expect([
    readFileSync(`${keyFile}.${oldId}`, "utf8").trim(),
    statSync(keyFile).mode & 0o777,
    statSync(`${keyFile}.${oldId}`).mode & 0o777,
  ]).toEqual([old, 0o600, 0o600]);
  const reader = openReader(join(dataDir, "recado.db"));
  expect(reader.prepare("SELECT actor, target FROM audit_entries WHERE action = 'master-key.rotate'").rows([])).toEqual(
    [["local", secretsFrom(next).keyId]],
  );
  reader.close();
  expect((await run(["account", "create", "--name", "after"])).err).toBe("");
  const refused = await run(["restore", file]);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`is sealed under master key ${oldId}`)]);
  expect((await run(["restore", "--dry-run", file], { RECADO_MASTER_KEY: old })).code).toBe(0);
});

test("a key in RECADO_MASTER_KEY: the new one takes the place of RECADO_MASTER_KEY_PREVIOUS; a second time it says that this was done, and --data can follow", async () => {
  const settings = { RECADO_DATA_DIR: tools.dataDir() };
  const run = (args: readonly string[], key: number, previous?: number) =>
    tools.run(args, {
      ...settings,
      RECADO_MASTER_KEY: keyOf(key),
      ...(previous === undefined ? {} : { RECADO_MASTER_KEY_PREVIOUS: keyOf(previous) }),
    });
  await run(["account", "create", "--name", "x"], 1);
  const before = wrappedIn(settings.RECADO_DATA_DIR);

  const without = await run(["key", "rotate"], 2);
  expect([without.code, without.err]).toEqual([
    78,
    expect.stringContaining("RECADO_MASTER_KEY_PREVIOUS: set it to the current key"),
  ]);
  const wrong = await run(["key", "rotate"], 2, 3);
  expect([wrong.code, wrong.err]).toEqual([78, expect.stringContaining("written under another master key")]);
  expect(wrappedIn(settings.RECADO_DATA_DIR)).toEqual(before);
  expect((await run(["account", "create", "--name", "y"], 1)).code).toBe(0);

  expect((await run(["key", "rotate"], 2, 1)).err).toBe("");
  expect((await run(["account", "create", "--name", "z"], 1)).code).toBe(78);
  expect((await run(["account", "create", "--name", "z"], 2)).code).toBe(0);
  expect((await run(["key", "rotate", "--data"], 2, 1)).out).toContain("was under master key");
  // the data key, and what tokens and links were signed with
  expect(wrappedIn(settings.RECADO_DATA_DIR)).toHaveLength(3);
  expect((await run(["key", "rotate", "--revoke"], 2, 1)).code).toBe(0);
  expect(wrappedIn(settings.RECADO_DATA_DIR)).toHaveLength(1);
  expect((await run(["account", "create", "--name", "z"], 2)).code).toBe(0);
});

describe("what is refused changes nothing", () => {
  test("while a server runs", async () => {
    const { dataDir, settings, run } = await installation();
    const server = await tools.serve(settings);
    const before = wrappedIn(dataDir);
    const { code, err } = await run(["key", "rotate"]);
    expect([code, err]).toEqual([1, expect.stringContaining("stop the server before you rotate the master key")]);
    expect([wrappedIn(dataDir), keysIn(dataDir)]).toEqual([before, ["master.key"]]);
    server.signal("SIGTERM");
    await server.ended;
  });

  test("with a key in the data directory that is not the database's", async () => {
    const { dataDir, run, keyFile } = await installation();
    writeFileSync(keyFile, keyOf(9));
    const before = wrappedIn(dataDir);
    expect((await run(["key", "rotate"])).err).toContain("does not belong to the master key");
    expect([wrappedIn(dataDir), keysIn(dataDir)]).toEqual([before, ["master.key"]]);
    rmSync(keyFile);
    expect([(await run(["key", "rotate"])).code, existsSync(keyFile)]).toEqual([78, false]);
  });

  test("another verb, and none", async () => {
    const { dataDir, run } = await installation();
    for (const args of [["key"], ["key", "make"]]) expect((await run(args)).code).toBe(2);
    expect(keysIn(dataDir)).toEqual(["master.key"]);
  });
});

test(
  `kill -9 at any moment leaves a database that opens with the key in its place, and everything sealed opens (${ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const { dataDir, settings, run, keyFile } = await installation();
    const direct = secretsFrom(readFileSync(keyFile, "utf8").trim());
    const connection = openConnection(join(dataDir, "recado.db"), []);
    connection.exec("BEGIN");
    for (let id = 0; id < 20_000; id++)
      connection
        .prepare("INSERT INTO key_rows (channel_id, kind, id, sealed) VALUES ('c', 'k', ?1, ?2)")
        .run([`${id}`, direct.seal(`ring:c:k:${id}`, `key ${id}`)]);
    connection.exec("COMMIT");
    connection.close();
    const states: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const oldKey = readFileSync(keyFile, "utf8");
      const { child, ended } = tools.spawn(["key", "rotate", "--data"], settings);
      // from the moment at which there is a next key, in which the write, the change of places and the sealing anew
      // follow each other
      await untilTrue(() => keysIn(dataDir).some((name) => name.endsWith(".next")) || child.exitCode !== null);
      afterRealTime(random.float() ** 2 * 600, () => child.kill("SIGKILL"));
      await ended;
      const isNext = existsSync(`${keyFile}.next`);
      states.push(isNext ? "next" : readFileSync(keyFile, "utf8") === oldKey ? "old" : "new");
      const opened = await run(["account", "create", "--name", `round ${round}`]);
      expect([opened.code, opened.err]).toEqual([0, ""]);
      const reader = openReader(join(dataDir, "recado.db"));
      const wrapped = reader
        .prepare("SELECT purpose, id, wrapped, retired_at AS retiredAt FROM wrapped_keys")
        .objects([]);
      const secrets = secretsOf(
        Buffer.from(readFileSync(keyFile, "utf8").trim(), "base64"),
        seededRandom(1),
        wrapped as never,
      );
      const rows = reader.prepare("SELECT id, sealed FROM key_rows").rows([]) as [string, string][];
      reader.close();
      expect(rows.filter(([id, sealed]) => secrets.open(`ring:c:k:${id}`, sealed) !== `key ${id}`)).toEqual([]);
      expect(rows).toHaveLength(20_000);
    }
    console.log(JSON.stringify({ seed: SEED, states }));
    expect((await run(["key", "rotate", "--data"])).err).toBe("");
    expect(existsSync(`${keyFile}.next`)).toBe(false);
  },
  60_000 + ROUNDS * 10_000,
);
