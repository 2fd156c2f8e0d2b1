import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { manualClock } from "../../src/conformance/manual-clock.ts";
import { updates } from "../../src/doctor/network/updates.ts";
import { DAY_MS } from "../../src/kernel/clock.ts";
import { openDatabase } from "../../src/store/engine/db.ts";
import { writeMeta } from "../../src/store/tables/meta.ts";
import { VERSION } from "../../src/version.ts";
import { places } from "../support/processes/doctor.ts";
import { tempFolders } from "../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterAll(removeFolders);
const { report } = places();

const NOW = Date.parse("2026-11-23T06:00:00Z");
const RELEASE = { version: "99.1.0", date: "2026-12-01", notes: "https://recado.example/99.1.0" };

let dir: string;
beforeAll(() => {
  dir = newFolder();
});

/** What the doctor says of what the server has stored. The address is that of nobody: the doctor must not ask. */
const found = async (noted: object | undefined, url = "http://127.0.0.1:9/latest.json") => {
  const db = openDatabase(join(dir, "recado.db"), {
    nowMs: 0,
    onFatal: (error) => {
      throw new Error("the database broke down", { cause: error });
    },
  });
  await db.write(async (tx) => {
    tx.run("DELETE FROM meta WHERE name = 'updates'");
    if (noted) await writeMeta(tx, "updates", JSON.stringify(noted));
  });
  await db.close();
  return report(updates, { RECADO_DATA_DIR: dir, RECADO_UPDATE_URL: url }, { clock: manualClock(NOW) });
};

test("without an address the check does not apply", async () => {
  expect(await found({ readAt: NOW, release: RELEASE }, "off")).toMatchObject({ outcome: "skipped" });
});

test("a newer release is named with its notes, and is no fault", async () => {
  expect(await found({ readAt: NOW, release: RELEASE })).toEqual({
    name: "updates",
    outcome: "ok",
    found: `version 99.1.0 of 2026-12-01 is released, and this is ${VERSION}; what has changed: https://recado.example/99.1.0`,
  });
});

test("a version that should not stay in use is a warning, which says how to upgrade", async () => {
  const { outcome, found: what, remedy } = await found({ readAt: NOW, release: { ...RELEASE, minimum: "99.0.0" } });
  expect(outcome).toBe("warning");
  expect(what).toContain("versions before 99.0.0 should not stay in use");
  expect(remedy).toBe("upgrade now: docs/operate.md, Upgrade; what has changed: https://recado.example/99.1.0");
});

test("the newest version is fine, and so is one that nobody has asked for yet", async () => {
  const release = { ...RELEASE, version: VERSION };
  expect(await found({ readAt: NOW, release })).toMatchObject({
    outcome: "ok",
    found: `${VERSION} is the newest version`,
  });
  expect(await found(undefined)).toMatchObject({
    outcome: "ok",
    found: expect.stringContaining("nothing is known yet"),
  });
});

test("an address that does not answer is a warning at first, and after a week without an answer", async () => {
  const release = { ...RELEASE, version: VERSION };
  const failure = { at: NOW, reason: "HTTP 404" };
  for (const noted of [{ failure }, { readAt: NOW - 8 * DAY_MS, release, failure }])
    expect(await found(noted)).toMatchObject({
      outcome: "warning",
      found: expect.stringContaining("HTTP 404"),
      remedy: expect.stringContaining("RECADO_UPDATE_URL"),
    });
  expect(await found({ readAt: NOW - 2 * DAY_MS, release, failure })).toMatchObject({ outcome: "ok" });
});
