import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { manualClock } from "../../src/conformance/manual-clock.ts";
import type { BackupNote, LastBackups } from "../../src/core/backups.ts";
import { backups } from "../../src/doctor/database/backups.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/kernel/clock.ts";
import { openDatabase } from "../../src/store/engine/db.ts";
import { writeMeta } from "../../src/store/tables/meta.ts";
import { places } from "../support/processes/doctor.ts";
import { tempFolders } from "../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterAll(removeFolders);
const { report } = places();

/** Half past two, a quarter of an hour after a daily backup is due. */
const NOW = Date.parse("2026-11-20T02:30:00Z");
const machine = { clock: manualClock(NOW) };
const madeAt = (at: number, warning: string | null = null): BackupNote & { isMade: true } => ({
  at,
  isMade: true,
  name: "recado-x.db",
  sizeBytes: 5_000_000,
  files: 0,
  durationMs: 10,
  warning,
});

let dir: string;
beforeAll(() => {
  dir = newFolder();
  mkdirSync(join(dir, "backups"));
});

const found = async (noted: LastBackups | undefined, settings: Record<string, string> = {}) => {
  const db = openDatabase(join(dir, "recado.db"), {
    nowMs: 0,
    onFatal: (error) => {
      throw new Error("the database broke down", { cause: error });
    },
  });
  await db.write(async (tx) => {
    tx.run("DELETE FROM meta WHERE name = 'backups'");
    if (noted) await writeMeta(tx, "backups", JSON.stringify(noted));
  });
  await db.close();
  return report(backups, { RECADO_DATA_DIR: dir, RECADO_BACKUP: `file:${join(dir, "backups")}`, ...settings }, machine);
};

describe("backups", () => {
  test("are ok when the last one was made in its time", async () => {
    for (const ageMs of [0, 15 * MINUTE_MS, 20 * HOUR_MS, 24 * HOUR_MS]) {
      const last = madeAt(NOW - ageMs);
      expect(await found({ last, lastMade: last })).toMatchObject({
        outcome: "ok",
        found: expect.stringContaining("recado-x.db, 4.8 MB"),
      });
    }
  });

  test("at fault: two have been due since the last one", async () => {
    const last = madeAt(NOW - 25 * HOUR_MS);
    expect(await found({ last, lastMade: last })).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("two have been due since"),
    });
    expect(await found({ last, lastMade: last }, { RECADO_BACKUP_AT: "15 2 * * 0" })).toMatchObject({ outcome: "ok" });
  });

  test("at fault: the last one failed, though one before was made", async () => {
    const last: BackupNote = { at: NOW, isMade: false, error: "the disk is full" };
    expect(await found({ last, lastMade: madeAt(NOW - HOUR_MS) })).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("the disk is full"),
      remedy: expect.stringContaining("backup/run"),
    });
  });

  test("at fault: their folder is not there", async () => {
    expect(await found(undefined, { RECADO_BACKUP: `file:${join(dir, "unmounted")}` })).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("unmounted does not exist"),
    });
  });

  test("a warning: one that was made with a doubt", async () => {
    const last = madeAt(NOW, "the older ones could not be removed");
    expect(await found({ last, lastMade: last })).toMatchObject({
      outcome: "warning",
      found: expect.stringContaining("could not be removed"),
    });
  });

  test("a warning: none are made; none yet is no fault", async () => {
    expect(await report(backups, { RECADO_DATA_DIR: dir })).toMatchObject({
      outcome: "warning",
      remedy: expect.stringContaining("RECADO_BACKUP"),
    });
    expect(await found(undefined)).toMatchObject({ outcome: "skipped" });
  });
});
