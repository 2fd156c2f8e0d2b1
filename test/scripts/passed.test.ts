import { afterEach, expect, test } from "bun:test";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { digestOfFiles, passedFor, wasPassedFor } from "../../scripts/check/passed.ts";
import { tempFolders } from "../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterEach(removeFolders);

const GLOBS = ["src/**/*.ts", "bun.lock"];

const project = (): string => {
  const folder = newFolder();
  for (const name of ["src", "src/node_modules"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "bun.lock"), "lock");
  writeFileSync(join(folder, "src/a.ts"), "a");
  return folder;
};

test("a step is left out for the inputs of its last success alone", async () => {
  const folder = project();
  const digest = await digestOfFiles(folder, GLOBS);
  expect(await wasPassedFor(folder, "a step", digest)).toBe(false);
  await passedFor(folder, "a step", digest);
  expect(await wasPassedFor(folder, "a step", await digestOfFiles(folder, GLOBS))).toBe(true);
  expect(await wasPassedFor(folder, "another step", digest)).toBe(false);
  await passedFor(folder, "a step", "later");
  expect(await wasPassedFor(folder, "a step", digest)).toBe(false);
});

test.each<[string, (folder: string) => void]>([
  ["another content", (folder) => writeFileSync(join(folder, "src/a.ts"), "b")],
  ["another name", (folder) => renameSync(join(folder, "src/a.ts"), join(folder, "src/b.ts"))],
  ["a further file", (folder) => writeFileSync(join(folder, "src/c.ts"), "")],
  ["another lock", (folder) => writeFileSync(join(folder, "bun.lock"), "changed")],
])("its inputs are others with %s", async (_, change) => {
  const folder = project();
  const before = await digestOfFiles(folder, GLOBS);
  change(folder);
  expect(await digestOfFiles(folder, GLOBS)).not.toBe(before);
});

test("installed packages and files that no glob names are no inputs", async () => {
  const folder = project();
  const before = await digestOfFiles(folder, GLOBS);
  writeFileSync(join(folder, "src/node_modules/c.ts"), "");
  writeFileSync(join(folder, "README.md"), "");
  expect(await digestOfFiles(folder, GLOBS)).toBe(before);
});
