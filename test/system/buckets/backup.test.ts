import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chownSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { S3Client } from "bun";
import { createS3Store } from "../../../src/adapters/files/s3-storage.ts";
import { ensureInstallationId, lastBackups } from "../../../src/core/backups.ts";
import { DAY_MS, iso } from "../../../src/kernel/clock.ts";
import { checkFile } from "../../../src/store/backup/backup-check.ts";
import { backupKeysIn } from "../../support/databases/backup-keys.ts";
import { processes } from "../../support/processes/process.ts";
import { startWorld, untilTrue, type World } from "../../support/world.ts";
import { type Swift, startSwift } from "./swift.ts";

setDefaultTimeout(120_000);
const tools = processes();
let swift: Swift;
beforeAll(async () => {
  swift = await startSwift();
}, 60_000);
afterAll(() => swift.stop());

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
});

/** A world that keeps its backups in the bucket. */
const backingUp = async (env: Record<string, string> = {}): Promise<World> => {
  const { endpoint, region, accessKeyId, secretAccessKey, bucket } = swift.place;
  const settings = {
    RECADO_BACKUP: `s3://${bucket}/off/site?endpoint=${endpoint}&region=${region}`,
    RECADO_S3_ACCESS_KEY_ID: accessKeyId,
    RECADO_S3_SECRET_ACCESS_KEY: secretAccessKey,
    RECADO_BACKUP_KEEP: "2",
  };
  const world = await startWorld({ env: { ...settings, ...env }, logLevel: "debug" });
  worlds.push(world);
  return world;
};

const noted = (world: World, at: number) => untilTrue(async () => (await lastBackups(world.app.env)).last?.at === at);

test("backups are kept in a bucket: whole, the newest ones, and nothing else is touched or left", async () => {
  const { endpoint, region = "us-east-1", ...keys } = swift.place;
  const s3 = new S3Client({ ...keys, endpoint: endpoint ?? "", region });
  await s3.write("off/site/tenant/media", "a file of messages");
  await s3.write("off/site/recado-notes.txt", "a file of the operator's");
  const world = await backingUp();
  // more than one part of an upload
  await world.app.env.db.write(
    async (tx) =>
      void (await tx.rows(
        `INSERT INTO meta SELECT 'filler ' || value, hex(randomblob(2000)) FROM (WITH RECURSIVE n(value) AS
          (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 3000) SELECT value FROM n)`,
      )),
  );
  const made: number[] = [];
  for (let day = 0; day < 3; day++) {
    made.push(world.clock.now());
    if (day > 0)
      expect((await world.gateway("/v1/admin/jobs/backup/run", { admin: true, method: "POST" })).status).toBe(202);
    await noted(world, made.at(-1) ?? 0);
    await world.settle();
    if (day < 2) world.clock.advance(1000);
  }
  const { lastMade } = await lastBackups(world.app.env);
  const installation = await ensureInstallationId(world.app.env);
  const nameAt = (ms: number): string => `recado-${installation}-${iso(ms).replaceAll(/[:.]/g, "-")}.db`;
  expect(lastMade).toMatchObject({ name: nameAt(made[2] ?? 0), warning: null });
  const listed = ((await s3.list({ prefix: "off/site/" })).contents ?? []).map(({ key }) => key);
  expect(listed.sort()).toEqual(
    [
      ...made.slice(1).map((at) => `off/site/${nameAt(at)}`),
      "off/site/recado-notes.txt",
      "off/site/tenant/media",
    ].sort(),
  );
  const file = join(tools.folder(), "fetched.db");
  await Bun.write(file, s3.file(`off/site/${lastMade?.name}`));
  expect(checkFile(file, backupKeysIn(world.dataDir))).toMatchObject({
    sizeBytes: lastMade?.sizeBytes ?? 0,
    details: { madeAt: made[2] ?? 0 },
  });
  const local = await Array.fromAsync(new Bun.Glob("**/*.partial*").scan({ cwd: world.dataDir, dot: true }));
  expect(local.filter((name) => name.includes("recado.db"))).toEqual([]);
});

test("a bucket that refuses is reported in the operator's words, and what was kept before stays", async () => {
  const world = await backingUp({ RECADO_S3_SECRET_ACCESS_KEY: "not-the-secret" });
  await noted(world, world.clock.now());
  const { last } = await lastBackups(world.app.env);
  expect(last).toMatchObject({
    isMade: false,
    error: expect.stringContaining("the secret access key is not that of the access key"),
  });
  expect(world.logs.join("\n")).not.toContain("not-the-secret");
  await world.advance(DAY_MS);
});

test("the names of more files than one answer lists are all there", async () => {
  const store = createS3Store(
    { ...swift.place, prefix: "many" },
    { answerMs: 30_000, stallMs: 30_000, checkTtlMs: 0, pageNames: 5 },
  );
  const s3 = new S3Client({ ...swift.place, endpoint: swift.place.endpoint ?? "", region: "us-east-1" });
  const names = Array.from({ length: 12 }, (_, n) => `recado-${String(n).padStart(2, "0")}`);
  for (const name of [...names, "other", "recado-folder/inner"]) await s3.write(`many/${name}`, "x");
  expect((await store.names("recado-")).sort()).toEqual(names);
});

test("a disk without enough room is not filled: the backup is refused before it begins, and nothing stays", async () => {
  const world = await startWorld();
  worlds.push(world);
  const script = join(tools.folder(), "try.sh");
  const [program, ...args] = tools.program;
  writeFileSync(
    script,
    `mkdir /mnt/backups; ${[program, ...args].join(" ")} backup /mnt/backups/backup.db; echo "code $?, left: $(ls -A /mnt/backups)"`,
  );
  const child = Bun.spawn(
    ["bwrap", "--dev-bind", "/", "/", "--size", String(20 * 1024 * 1024), "--tmpfs", "/mnt", "sh", script],
    {
      env: { PATH: process.env["PATH"] ?? "", RECADO_DATA_DIR: world.dataDir },
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  expect(await child.stderr.text()).toMatch(
    /the disk of \/mnt\/backups has \d+ MB free, and \d+ MB are needed: make room, or take another disk/,
  );
  expect(await child.stdout.text()).toContain("code 1, left: \n");
  rmSync(script);
});

test("what root makes for another user's installation is that user's, so that the server can go on", async () => {
  const dataDir = tools.dataDir();
  const settings = { RECADO_DATA_DIR: dataDir };
  await tools.run(["account", "create", "--name", "x"], settings);
  const user = process.getuid?.() === 0 ? 65_534 : process.getuid?.(); // who is not root makes nothing for others
  const [nobody, file] = [user ?? 0, join(tools.folder(), "backup.db")];
  for (const path of [dataDir, ...readdirSync(dataDir).map((name) => join(dataDir, name))])
    chownSync(path, nobody, nobody);
  expect((await tools.run(["backup", file], settings)).err).toBe("");
  expect((await tools.run(["restore", file], settings)).err).toBe("");
  const owners = readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).uid]);
  expect(owners.filter(([, uid]) => uid !== nobody)).toEqual([]);
});
