import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { ownTimeFaults } from "../../src/conformance/own-time.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "recado-own-time-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const put = (files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
};

test("every file that the adapter imports is read, directly or not, also a late one", () => {
  put({
    "plugin.js": `import "./lib/send.js"; export { x } from "./text"; const late = () => import("./late.js");`,
    "lib/send.js": `import "../deep/index.js"; export const at = Date.now();`,
    "deep/index.js": "export const id = Math.random();",
    "late.js": "export const later = setTimeout;",
    "text.ts": "export const x: string = String(new Date()); // Date.now() in a comment",
  });
  expect(ownTimeFaults(dir)).toEqual([
    "deep/index.js: uses Math.random; use host.random",
    "late.js: uses setTimeout; use host.clock.timer",
    "lib/send.js: uses Date.now; use host.clock.now()",
    "text.ts: uses new Date(); use host.clock.now()",
  ]);
});

test("the simulated network beside the adapter, its tests and packages may use the time of the machine", () => {
  put({
    "plugin.js": `import "loft"; import "../outside.js"; import "./gone.js";`,
    "conformance.js": `import { start } from "./provider.js";`,
    "provider.js": "export const start = () => Date.now();",
    "plugin.test.js": "Date.now();",
    "node_modules/loft/index.js": "Date.now();",
  });
  writeFileSync(join(dir, "..", "outside.js"), "Date.now();");
  expect(ownTimeFaults(dir)).toEqual([]);
  rmSync(resolve(dir, "../outside.js"));
});
