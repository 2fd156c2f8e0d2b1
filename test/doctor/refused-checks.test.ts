import { afterAll, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { database } from "../../src/doctor/database/database.ts";
import { places } from "../support/processes/doctor.ts";
import { tempFolders } from "../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterAll(removeFolders);
const { report } = places();

/** An error as node:fs throws it. */
const refusal = (code: string, path: string): Error => Object.assign(new Error(`${code}: refused`), { code, path });

test("any check that the file system refuses has that remedy, instead of the advice to run it again", async () => {
  const check = (thrown: Error) => ({ name: "any", run: () => Promise.reject(thrown) });
  const settings = { RECADO_DATA_DIR: newFolder() };
  expect(await report(check(refusal("EROFS", "/srv/data/x")), settings)).toMatchObject({
    outcome: "fault",
    remedy: expect.stringMatching(/^\/srv\/data\/x lies where this process may only read/),
  });
  expect(await report(check(new Error("a bug")), settings)).toMatchObject({
    remedy: expect.stringContaining("run recado doctor --only any"),
  });
});

test("a database that cannot be looked at is not called missing", async () => {
  const dir = newFolder();
  symlinkSync(join(dir, "recado.db"), join(dir, "recado.db")); // a loop, which no user can follow
  expect(await report(database(), { RECADO_DATA_DIR: dir })).toMatchObject({
    outcome: "fault",
    found: expect.stringContaining("recado.db cannot be read: "),
  });
});
