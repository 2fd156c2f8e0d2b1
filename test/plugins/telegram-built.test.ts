import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { adapterFile, buildAdapter } from "../../scripts/build/adapters.ts";

const ROOT = resolve(import.meta.dir, "../..");
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "recado-telegram-"));
  await buildAdapter("telegram");
  mkdirSync(join(dir, "telegram"));
  cpSync(dirname(adapterFile("telegram")), join(dir, "telegram"), { recursive: true });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("the file imports nothing but parts of the runtime, and names no place of this machine", () => {
  const text = readFileSync(join(dir, "telegram", "plugin.js"), "utf8");
  const imports = [...text.matchAll(/^import .* from "([^"]+)";$/gm)].map(([, name]) => name);
  expect(imports).toEqual(["crypto"]);
  expect(text).not.toContain(ROOT);
  expect(text).not.toMatch(/\brequire\(|\bimport\(/);
});

test("two builds are the same to the byte", async () => {
  const before = readFileSync(join(dir, "telegram", "plugin.js"), "utf8");
  expect(readFileSync(await buildAdapter("telegram"), "utf8")).toBe(before);
});
