import { afterAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { writeLatest } from "../../scripts/release/latest.ts";
import { tempFolders } from "../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterAll(removeFolders);

const RELEASE = { version: "1.2.3", time: Date.UTC(2026, 10, 30) / 1000 };

test("latest.json names the release, its date, what has changed and what may stay in use", async () => {
  const folder = newFolder();
  await writeLatest(folder, RELEASE, { notes: "https://recado.example/1.2.3", minimum: "1.1.0" });
  expect(await Bun.file(join(folder, "latest.json")).json()).toEqual({
    version: "1.2.3",
    date: "2026-11-30",
    notes: "https://recado.example/1.2.3",
    minimum: "1.1.0",
  });
});

test("both are left out where they are not given", async () => {
  const folder = newFolder();
  await writeLatest(folder, RELEASE, {});
  expect(await Bun.file(join(folder, "latest.json")).json()).toEqual({ version: "1.2.3", date: "2026-11-30" });
});

test.each([
  [RELEASE, { notes: "release notes" }, "notes"],
  [RELEASE, { minimum: "1.1" }, "minimum"],
  [{ ...RELEASE, version: "next" }, {}, "version"],
])("what servers would not read is refused, and nothing is written", async (release, more, field) => {
  const folder = newFolder();
  expect(writeLatest(folder, release, more)).rejects.toThrow(`its ${field} is wrong`);
  expect(readdirSync(folder)).toEqual([]);
});
