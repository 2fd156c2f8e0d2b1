import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { changedTests, nearestTests } from "../../scripts/test/changed.ts";
import { tempFolders } from "../support/temp-folders.ts";

const root = resolve(import.meta.dir, "../..");
const { newFolder, removeFolders } = tempFolders();
afterEach(removeFolders);

/** The tests that run for a change of this one file of ours. */
const ownTestsFor = (path: string): string[] => {
  const { near, count } = nearestTests(root, [path]);
  return near.slice(0, count);
};

test.each([
  [
    "src/core/calls/call-states.ts",
    ["calls", "calls-inbound", "calls-ringing", "calls-permissions", "call-recordings"],
  ],
  ["src/apis/gateway/groups/groups.ts", ["groups", "group", "group-people", "group-updates", "admin"]],
  ["src/core/billing/costs/usage.ts", ["usage"]],
])("of a change of %s the tests of its topic are the nearest, and it runs few", (path, names) => {
  const tests = ownTestsFor(path);
  expect(tests.map((test) => basename(test, ".test.ts"))).toEqual(expect.arrayContaining(names));
  expect(tests.length).toBeLessThanOrEqual(16);
});

/** A repository with a commit, and a change after it. */
const repositoryWith = (committed: Record<string, string>, changed: Record<string, string>): string => {
  const folder = newFolder();
  const write = (files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  const git = (...args: string[]) =>
    expect(
      Bun.spawnSync(["git", "-c", "user.name=A", "-c", "user.email=a@example.com", ...args], { cwd: folder }).exitCode,
    ).toBe(0);
  write(committed);
  for (const command of [
    ["init", "-q", "-b", "main"],
    ["add", "-A"],
    ["commit", "-q", "-m", "first"],
  ])
    git(...command);
  write(changed);
  return folder;
};

const FILES = {
  "src/core/pigeons/loft.ts": "export const loft = 1;",
  "test/core/loft.test.ts": `import { loft } from "../../src/core/pigeons/loft.ts";`,
  "test/core/other.test.ts": "",
};

test("the laws run first, whatever changed; they are files of ours", () => {
  const { laws, files } = changedTests(repositoryWith(FILES, { "src/core/pigeons/loft.ts": "export const loft = 2;" }));
  expect(laws.length).toBeGreaterThan(0);
  expect(laws.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(files).toEqual(["test/core/loft.test.ts"]);
});

test("a change of the packages runs all tests; where nothing changed, none runs", () => {
  const ofAll = changedTests(repositoryWith(FILES, { "package.json": "{}" }));
  expect([ofAll.laws, ofAll.files]).toEqual([[], ["test/core/loft.test.ts", "test/core/other.test.ts"]]);
  const ofNothing = changedTests(repositoryWith(FILES, {}));
  expect([ofNothing.laws, ofNothing.files]).toEqual([[], []]);
});
