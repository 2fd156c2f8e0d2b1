import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PackageFault } from "../../../src/commands/plugins/archive.ts";
import { stage } from "../../../src/commands/plugins/store.ts";
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
  expect(() => stage(dir, broken)).toThrow(PackageFault);
  expect(readdirSync(dir)).toEqual([]);
});

test("the room of an interrupted call is removed by a later call, and the room of a call beside it is not", () => {
  const old = join(dir, ".new-old");
  const beside = join(dir, ".new-beside");
  mkdirSync(join(old, "package"), { recursive: true });
  mkdirSync(beside);
  const before = new Date(Date.now() - 2 * HOUR_MS);
  utimesSync(old, before, before);
  const staged = stage(dir, files("plugin.js"));
  expect([existsSync(old), existsSync(beside), existsSync(join(staged.folder, "plugin.js"))]).toEqual([
    false,
    true,
    true,
  ]);
  staged.drop();
  expect(readdirSync(dir)).toEqual([".new-beside"]);
});
