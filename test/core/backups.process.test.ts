import { afterEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manualClock } from "../../src/conformance/manual-clock.ts";
import { ensureInstallationId, type LastBackups, lastBackups } from "../../src/core/backups.ts";
import { auditPage } from "../../src/core/tenancy/audit/audit-search.ts";
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from "../../src/kernel/clock.ts";
import { checkFile } from "../../src/store/backup/backup-check.ts";
import { backupKeyOf } from "../../src/store/backup/backup-key.ts";
import { openBackup } from "../../src/store/backup/opened-backup.ts";
import { scrape, valueIn } from "../support/apis/prometheus.ts";
import { startWorld, untilTrue, type World } from "../support/world.ts";

const folders: string[] = [];
const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A world with backups; `dir` is theirs. */
const backingUp = async (env: Record<string, string> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "recado-backups-"));
  folders.push(folder);
  const dir = join(folder, "backups");
  mkdirSync(dir);
  const world = await startWorld({
    env: { RECADO_BACKUP: `file:${dir}`, RECADO_BACKUP_KEEP: "2", ...env },
    logLevel: "debug",
  });
  worlds.push(world);
  return { world, dir };
};

const names = (dir: string): string[] => readdirSync(dir).sort();
/** The name of a backup that a world made at a time. */
const namedBy = async ({ app }: World): Promise<(ms: number) => string> => {
  const installation = await ensureInstallationId(app.env);
  return (ms) => `recado-${installation}-${iso(ms).replaceAll(/[:.]/g, "-")}.db`;
};

/** Resolves with what was noted once the last try is of this time. */
const noted = async (world: World, at: number): Promise<LastBackups> => {
  await untilTrue(async () => (await lastBackups(world.app.env)).last?.at === at);
  await world.settle();
  return lastBackups(world.app.env);
};

const runNow = (world: World) => world.gateway("/v1/admin/jobs/backup/run", { admin: true, method: "POST" });

test("the first backup is made at the start, whole, and noted", async () => {
  const { world, dir } = await backingUp();
  const at = world.clock.now();
  const { last, lastMade } = await noted(world, at);
  const nameAt = await namedBy(world);
  expect(names(dir)).toEqual([nameAt(at)]);
  const { details, sizeBytes, missing } = checkFile(join(dir, nameAt(at)), [backupKeyOf(world.app.env.secrets)]);
  expect([details?.madeAt, details?.keyId, missing]).toEqual([at, world.app.env.secrets.keyId, []]);
  const figures = await scrape(world);
  const lastBackup = (what: string) => valueIn(figures, `recado_backup_last_${what}`);
  expect([
    lastBackup("success_timestamp_seconds"),
    lastBackup("size_bytes"),
    valueIn(figures, "recado_backup_runs_total", { outcome: "made" }),
  ]).toEqual([at / 1000, sizeBytes, 1]);
  expect(lastMade).toEqual({
    at,
    isMade: true,
    name: nameAt(at),
    sizeBytes,
    files: 0,
    durationMs: expect.any(Number),
    warning: null,
  });
  expect(last).toEqual(lastMade);
  const { items } = await auditPage(world.app.env, {
    tenantId: undefined,
    action: "backup.create",
    cursor: undefined,
    limit: 10,
  });
  expect(items.map(({ actor, target }) => ({ actor, target }))).toEqual([{ actor: "system", target: nameAt(at) }]);
});

test("the timetable makes one a day; the oldest beyond the number are deleted, and no other files", async () => {
  const { world, dir } = await backingUp({ RECADO_BACKUP_AT: "15 2 * * *" });
  const start = world.clock.now();
  await noted(world, start);
  const nameAt = await namedBy(world);
  writeFileSync(join(dir, "recado-2020.db"), "a file of the operator's");
  const made = [start];
  for (let day = 0; day < 3; day++) {
    const next = Math.floor((world.clock.now() - 2.25 * HOUR_MS) / DAY_MS + 1) * DAY_MS + 2.25 * HOUR_MS;
    await world.advance(next - world.clock.now() - 1);
    expect((await lastBackups(world.app.env)).last?.at).toBe(made.at(-1) as number);
    world.clock.advance(1);
    await noted(world, next);
    made.push(next);
  }
  expect(names(dir)).toEqual([...made.slice(-2).map(nameAt), "recado-2020.db"].toSorted());
});

test("two installations keep their backups in one folder: each removes its own alone", async () => {
  const { world, dir } = await backingUp();
  await noted(world, world.clock.now());
  const other = await startWorld({
    env: { RECADO_BACKUP: `file:${dir}`, RECADO_BACKUP_KEEP: "1" },
    clock: manualClock(world.clock.now() - DAY_MS),
  });
  worlds.push(other);
  const theirs: string[] = [];
  for (let turn = 0; turn < 3; turn++) {
    await noted(other, other.clock.now());
    theirs.push((await namedBy(other))(other.clock.now()));
    await other.advance(MINUTE_MS);
    expect((await runNow(other)).status).toBe(202);
  }
  await noted(other, other.clock.now());
  theirs.push((await namedBy(other))(other.clock.now()));
  expect(names(dir)).toEqual([(await namedBy(world))(world.clock.now()), theirs.at(-1) ?? ""].sort());
});

test("with RECADO_BACKUP_ENCRYPT=1 it is encrypted under the master key, which opens it to the same database", async () => {
  const { world, dir } = await backingUp({ RECADO_BACKUP_ENCRYPT: "1" });
  await noted(world, world.clock.now());
  const [name = ""] = names(dir);
  const bytes = readFileSync(join(dir, name));
  expect([names(dir).length, bytes.includes("SQLite format 3"), bytes.includes("CREATE TABLE")]).toEqual([
    1,
    false,
    false,
  ]);
  const { found, isEncrypted, close } = openBackup(join(dir, name), join(dir, "x"), [
    backupKeyOf(world.app.env.secrets),
  ]);
  close();
  expect([isEncrypted, found.details?.isSealed, found.missing, names(dir)]).toEqual([true, true, [], [name]]);
});

test("an administrator has one made now; where none is configured there is no such job", async () => {
  const { world, dir } = await backingUp();
  await noted(world, world.clock.now());
  await world.advance(MINUTE_MS);
  expect((await runNow(world)).status).toBe(202);
  await noted(world, world.clock.now());
  expect(names(dir).length).toBe(2);

  const without = await startWorld();
  worlds.push(without);
  expect((await runNow(without)).status).toBe(404);
  await without.advance(2 * DAY_MS);
  expect(await lastBackups(without.app.env)).toEqual({ last: null, lastMade: null });
});

test("a failed one is logged, noted and retried less and less often, and deletes no good one", async () => {
  const { world, dir } = await backingUp();
  const start = world.clock.now();
  const { lastMade } = await noted(world, start);
  rmSync(dir, { recursive: true });
  await world.advance(DAY_MS);
  await untilTrue(async () => (await lastBackups(world.app.env)).last?.isMade === false);
  const { last, ...kept } = await lastBackups(world.app.env);
  expect(kept.lastMade).toEqual(lastMade);
  expect(last).toMatchObject({ isMade: false, error: `there is no folder ${dir}: make it, or mount it` });
  const failures = () => world.logs.filter((line) => line.includes("the backup failed")).length;
  const waiting = () =>
    world.app.env.db.read(async (reader) =>
      reader.rows<{ runAt: number }>("SELECT run_at AS runAt FROM jobs WHERE kind = 'backup.make'"),
    );
  await world.settle();
  const waits: number[] = [];
  for (let tries = 1; tries < 6; tries = failures()) {
    const [job, ...others] = await waiting();
    expect(others).toEqual([]);
    waits.push((job?.runAt ?? 0) - world.clock.now());
    await world.advance(waits.at(-1) ?? 0);
    await untilTrue(() => failures() > tries);
    await world.settle();
  }
  expect(waits.map((ms) => ms / MINUTE_MS)).toEqual([5, 10, 20, 40, 80]);
  const figures = await scrape(world);
  expect([
    valueIn(figures, "recado_backup_runs_total", { outcome: "failed" }),
    valueIn(figures, "recado_backup_last_success_timestamp_seconds"),
  ]).toEqual([6, start / 1000]);
  expect(await waiting()).toEqual([]);
});

test("what fell due while no server ran is made at the start, and nothing else is", async () => {
  const { world, dir } = await backingUp();
  const start = world.clock.now();
  await noted(world, start);
  const nameAt = await namedBy(world);
  await world.restart();
  await world.settle();
  expect(names(dir)).toEqual([nameAt(start)]);
  await world.app.stop();
  world.clock.advance(DAY_MS);
  await world.restart();
  await noted(world, world.clock.now());
  expect(names(dir)).toEqual([start, world.clock.now()].map(nameAt));
});

test("a server that stops ends a running backup, leaves nothing of it, and makes it after the start", async () => {
  const { world, dir } = await backingUp();
  const start = world.clock.now();
  await noted(world, start);
  const nameAt = await namedBy(world);
  await world.app.env.db.write(
    async (tx) =>
      void (await tx.rows(
        `INSERT INTO meta SELECT 'filler ' || value, hex(randomblob(2000)) FROM (WITH RECURSIVE n(value) AS
          (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 10000) SELECT value FROM n)`,
      )),
  );
  await world.advance(MINUTE_MS);
  expect((await runNow(world)).status).toBe(202);
  await untilTrue(() => names(dir).some((name) => name.endsWith("-backup.partial")));
  await world.app.stop();
  expect(names(dir)).toEqual([nameAt(start)]);
  await world.restart();
  await noted(world, world.clock.now());
  expect(names(dir)).toEqual([start, world.clock.now()].map(nameAt));
  expect(world.logs.filter((line) => line.includes("the backup failed"))).toEqual([]);
});
