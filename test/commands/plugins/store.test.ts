import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PackageFault } from "../../../src/commands/plugins/archive.ts";
import { exchange, install, remove, stage } from "../../../src/commands/plugins/store.ts";
import { HOUR_MS } from "../../../src/kernel/clock.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "recado-store-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const files = (...paths: string[]) => new Map(paths.map((path) => [path, new Uint8Array([1])]));

test.each([
  ["a file as the folder of another", files("lib", "lib/a.js")],
  ["a name that is too long", files("plugin.js", "n".repeat(300))],
])("a package with %s is refused, and nothing is left of it", (_, broken) => {
  expect(() => stage(dir, broken, Date.now())).toThrow(PackageFault);
  expect(readdirSync(dir)).toEqual([]);
});

test("the room of an interrupted call is removed by a later call, and the room of a call beside it is not", () => {
  const old = join(dir, ".new-old");
  const beside = join(dir, ".new-beside");
  mkdirSync(join(old, "package"), { recursive: true });
  mkdirSync(beside);
  const before = new Date(Date.now() - 2 * HOUR_MS);
  utimesSync(old, before, before);
  const staged = stage(dir, files("plugin.js"), Date.now());
  expect([existsSync(old), existsSync(beside), existsSync(join(staged.folder, "plugin.js"))]).toEqual([
    false,
    true,
    true,
  ]);
  staged.drop();
  expect(readdirSync(dir)).toEqual([".new-beside"]);
});

/** Puts a version of the adapter there. */
const version = (path: string, number: string): string => {
  const folder = join(dir, path);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "plugin.js"), number);
  return folder;
};

const numberAt = (path: string): string | undefined => {
  const file = join(dir, path, "plugin.js");
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
};

const stored = () => [numberAt("pager"), numberAt(".kept/pager"), numberAt(".kept/pager.aside")];

/** The renames of an exchange, each of them the last one before the command was killed. */
const STEPS = [
  ["pager", ".kept/pager.aside"],
  [".kept/pager", "pager"],
] as const;

const interrupted = (steps: number): void => {
  version(".kept/pager", "1");
  version("pager", "2");
  for (const [from, to] of STEPS.slice(0, steps)) renameSync(join(dir, from), join(dir, to));
};

test.each([1, 2])("an exchange that was killed behind rename %i is completed by the next one", (steps) => {
  interrupted(steps);
  expect(exchange(dir, "pager")).toBe(true);
  expect(stored()).toEqual(["1", "2", undefined]);
  expect(exchange(dir, "pager")).toBe(true);
  expect(stored()).toEqual(["2", "1", undefined]);
});

test.each([1, 2])("an adapter is installed and removed after an exchange that was killed behind rename %i", (steps) => {
  interrupted(steps);
  install(dir, "pager", version(".new-a/pager", "3"));
  expect(stored()).toEqual(["3", "1", undefined]);
  remove(dir, "pager");
  interrupted(steps);
  expect(remove(dir, "pager")).toBe(true);
  expect(stored()).toEqual([undefined, undefined, undefined]);
});

test("an adapter that was put by hand after a killed exchange stays, and the newer version is kept", () => {
  interrupted(1);
  version("pager", "4");
  expect(exchange(dir, "pager")).toBe(true);
  expect(stored()).toEqual(["4", "2", undefined]);
});

test("an adapter whose new version cannot be put in its place stays there", () => {
  version("pager", "2");
  expect(() => install(dir, "pager", join(dir, ".new-gone", "pager"))).toThrow("ENOENT");
  expect(stored()).toEqual(["2", undefined, undefined]);
});

test("an installation that was killed between its renames is completed or undone by the next command", () => {
  version(".kept/pager", "2");
  expect(exchange(dir, "pager")).toBe(true);
  expect(stored()).toEqual(["2", undefined, undefined]);
  remove(dir, "pager");
  version(".kept/pager", "2");
  install(dir, "pager", version(".new-a/pager", "3"));
  expect(stored()).toEqual(["3", "2", undefined]);
});
