import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { manualClock } from "../../src/conformance/manual-clock.ts";
import { clock } from "../../src/doctor/network/clock.ts";
import { DAY_MS, MINUTE_MS } from "../../src/kernel/clock.ts";
import { openDatabase } from "../../src/store/engine/db.ts";
import { places } from "../support/processes/doctor.ts";
import { tempFolders } from "../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterAll(removeFolders);
const { report } = places();

const NOW = Date.parse("2026-11-20T02:30:00Z");
const POWER_CUT = Date.parse("2001-01-01T00:00:00Z");

let dir: string;
beforeAll(async () => {
  dir = newFolder();
  const db = openDatabase(join(dir, "recado.db"), {
    nowMs: NOW,
    onFatal: (error) => {
      throw new Error("the database broke down", { cause: error });
    },
  });
  await db.write(async (tx) => {
    for (const at of [NOW, POWER_CUT]) // the last one was written after the clock had been lost
      tx.run(
        "INSERT INTO audit_entries (at, actor, action, details, hash) VALUES (?1, 'local', 'operator.create', '{}', ?2)",
        [at, String(at)],
      );
  });
  await db.close();
});

const at = (nowMs: number, builtAt?: number, dataDir = dir) =>
  report(clock, { RECADO_DATA_DIR: dataDir }, { clock: manualClock(nowMs), builtAt: () => builtAt });

describe("clock, which nobody outside is asked about", () => {
  test("is at fault before the commit of this program, also without a database", async () => {
    for (const place of [dir, newFolder()])
      expect(await at(POWER_CUT, NOW, place)).toEqual({
        name: "clock",
        outcome: "fault",
        found: "the clock says 2001-01-01T00:00:00.000Z, and this program was made at 2026-11-20T02:30:00.000Z",
        remedy: expect.stringContaining("timedatectl"),
      });
  });

  test("is at fault before the newest row of the database, also when older ones were written since", async () => {
    expect(await at(NOW - DAY_MS)).toMatchObject({
      outcome: "fault",
      found: "the clock says 2026-11-19T02:30:00.000Z, and the database was written at 2026-11-20T02:30:00.000Z",
      remedy: expect.stringContaining("timedatectl"),
    });
  });

  test("may be minutes behind: machines differ", async () => {
    for (const nowMs of [NOW - 5 * MINUTE_MS, NOW, NOW + DAY_MS])
      expect(await at(nowMs, NOW)).toMatchObject({ outcome: "skipped" });
    expect(await at(NOW - 5 * MINUTE_MS - 1, NOW)).toMatchObject({ outcome: "fault" });
  });
});
