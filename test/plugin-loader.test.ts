import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { simulatorPlugin } from "../plugins/simulator/plugin.ts";
import { writersFault } from "../src/kernel/writers.ts";
import { loadPlugins } from "../src/plugin-loader.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "recado-plugins-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const put = (folder: string, text: string, file = "plugin.ts") => {
  mkdirSync(join(dir, folder));
  writeFileSync(join(dir, folder, file), text);
};

const plugin = (name: string, kind: string) =>
  `export default ({ Type }) => ({ name: "${name}", kind: "${kind}", credentials: Type.Object({}), capabilities: { send: {}, operations: {}, choosesKeys: false, templates: false }, open: () => ({}), address: (to) => ({ ok: true, to }) });`;

const compiledIn = [simulatorPlugin({ echo: false })];

test("a folder's plugins are loaded, in TypeScript and JavaScript; other files in it are left alone", async () => {
  put("beta", plugin("beta", "SESSION"));
  put("alpha", plugin("alpha", "SOCIAL"), "plugin.js");
  put("notes", "nothing", "readme.txt");
  expect((await loadPlugins(dir, compiledIn)).map(({ name, kind }) => [name, kind])).toEqual([
    ["alpha", "SOCIAL"],
    ["beta", "SESSION"],
  ]);
});

test("a folder that is not there holds no plugins", async () => {
  expect(await loadPlugins(join(dir, "none"), compiledIn)).toEqual([]);
});

test.each([
  ["no factory", "export const plugin = {};", "its default export is no factory"],
  ["no plugin", "export default () => 7;", "the factory made no plugin"],
  [
    "missing parts",
    `export default () => ({ name: "x", kind: "PIGEON" });`,
    "capabilities.send is missing; capabilities.operations is missing; open is missing; address is missing",
  ],
  ["a throwing factory", `export default () => { throw new Error("out of order"); };`, "out of order"],
  ["a syntax error", "export default (", "plugin.ts"],
  ["a taken name", plugin("simulator", "SESSION"), "is taken by simulator"],
])("%s is refused, naming the file", async (folder, text, reason) => {
  put(folder, text);
  const refused = loadPlugins(dir, compiledIn);
  expect(refused).rejects.toThrow(reason);
  expect(refused).rejects.toThrow(join(dir, folder, "plugin.ts"));
});

test("two plugins of one kind are refused", async () => {
  put("one", plugin("one", "SESSION"));
  put("two", plugin("two", "SESSION"));
  expect(loadPlugins(dir, compiledIn)).rejects.toThrow("the kind SESSION is taken by one");
});

test.each([
  ["the folder itself", ".", 0o775],
  ["the folder itself, though sticky", ".", 0o1777],
  ["a plugin's folder", "beta", 0o720],
  ["a plugin's file", "beta/plugin.ts", 0o602],
  ["a file beside it, which it may import", "beta/helper.ts", 0o666],
])("nothing is loaded where others can write %s: the fault says how to mend it", async (_, path, mode) => {
  put("beta", `globalThis.wasLoaded = true; ${plugin("beta", "SESSION")}`);
  writeFileSync(join(dir, "beta", "helper.ts"), "export {};");
  chmodSync(join(dir, path), mode);
  const open = join(dir, path);
  expect(loadPlugins(dir, compiledIn)).rejects.toThrow(`${open} can be written by others (mode ${mode.toString(8).padStart(4, "0")}): chmod go-w ${open}`);
  expect("wasLoaded" in globalThis).toBe(false);
});

test("nothing is loaded of what belongs to another user, who could change it; what is root's is taken", () => {
  expect(writersFault("/")).toBeUndefined();
  if (process.geteuid?.() !== 0) return; // only root can give a folder away
  chownSync(dir, 54_321, 54_321);
  expect(loadPlugins(dir, compiledIn)).rejects.toThrow(`${dir} belongs to user 54321, who can change what runs here: chown -R 0 ${dir}`);
});
