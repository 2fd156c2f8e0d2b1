import { afterEach, beforeEach, expect, test } from "bun:test";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tryAdapters } from "../../src/adapters/machine/adapter-trial.ts";
import { PROGRAM } from "../../src/adapters/machine/program.ts";
import { loadFolder } from "../../src/loading/loader.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "recado-trial-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const put = (name: string, text: string) => {
  mkdirSync(join(dir, name));
  writeFileSync(join(dir, name, "plugin.js"), text);
};

const good = (name: string) => `
  console.log("recado-trial ends 9"); // what an adapter prints changes nothing
  export default { contract: "2.0", name: "${name}", version: "1.0.0", hosts: [], create: ({ Type, settings }) => ({
    name: "${name}", kind: "${name.toUpperCase()}", label: { en: "pigeon", pt: "pombo", es: "paloma" },
    network: { holdsConnection: false, isPaired: false, recipients: "ids", receipts: "each" },
    capabilities: { send: { text: {} }, operations: {}, choosesMessageIds: false, templates: false },
    credentials: Type.Object({ token: Type.String({ label: { en: "token", pt: "token", es: "token" } }) }),
    open: () => ({ connect() {}, async close() {}, async forget() {}, async send() {} }),
    address: (to) => ({ ok: true, to }),
  }) };`;

/** It stands still as an endless loop does, and takes no processor. */
const STANDS_STILL = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";

test("an adapter that stands still, ends the process or kills it costs no other its start", async () => {
  put("alpha", good("alpha"));
  put(
    "bad",
    `export default { contract: "2.0", name: "bad", version: "1.0.0", hosts: [], create() { ${STANDS_STILL} } };`,
  );
  put("ends", "process.exit(0);");
  put("kills", `process.kill(process.pid, "SIGSEGV"); ${STANDS_STILL}`);
  put("zeta", good("zeta"));
  const { loaded, unavailable } = await loadFolder(dir, [], {}, { tried: tryAdapters });
  expect(loaded.map(({ plugin }) => plugin.name)).toEqual(["alpha", "zeta"]);
  expect(unavailable).toEqual(
    [
      ["bad", "it was not loaded within 10 s: what does it await, or repeat for ever?"],
      ["ends", "it ended the process that loaded it (exit code 0)"],
      ["kills", "it ended the process that loaded it (SIGSEGV)"],
    ].map(([name = "", reason = ""]) => ({
      name,
      kind: undefined,
      reason,
      fault: `${join(dir, name, "plugin.js")}: ${reason}`,
    })),
  );
}, 60_000);

test("an adapter that takes all memory is not loaded, though it handles the error and the server has taken more, and the others are", async () => {
  const ofServer = Array.from({ length: 16 }, () => new Uint8Array(2 ** 25).fill(1)); // 512 MB: a child inherits the maximum
  put("alpha", good("alpha"));
  put(
    "hog",
    `const all = [];
     try { for (let count = 0; count < 40; count++) all.push(new Uint8Array(2 ** 25).fill(1)); } catch {}
     ${good("hog")}`,
  );
  put("zeta", good("zeta"));
  const { loaded, unavailable } = await loadFolder(dir, [], {}, { tried: tryAdapters });
  expect(loaded.map(({ plugin }) => plugin.name)).toEqual(["alpha", "zeta"]);
  expect(unavailable.map(({ name, reason }) => [name, reason])).toEqual([
    ["hog", "it takes over 200 MB while it is loaded"],
  ]);
  expect(ofServer).toHaveLength(16);
}, 60_000);

test("an adapter is ended when it takes all memory where the kernel does not count it, as in a container without a shell", async () => {
  put(
    "maps",
    `import { closeSync, ftruncateSync, openSync } from "node:fs";
     const path = ${JSON.stringify(join(dir, "large"))};
     const file = openSync(path, "w+");
     ftruncateSync(file, 2 ** 26);
     closeSync(file);
     let sum = 0;
     const all = []; // shared memory, which no ulimit counts, and one memory for all
     for (let count = 0; count < 32; count++) {
       const bytes = Bun.mmap(path);
       all.push(bytes);
       for (let place = 0; place < bytes.length; place += 4096) sum += bytes[place];
     }
     ${STANDS_STILL}`,
  );
  expect([...(await tryAdapters([join(dir, "maps")], {}))]).toEqual([
    [join(dir, "maps"), "it takes over 200 MB while it is loaded"],
  ]);
}, 60_000);

test("an adapter whose rejection nobody handles is tried to its end, as the server goes on too", async () => {
  put(
    "strays",
    `Promise.reject(new Error("stray")); await (await import("node:fs/promises")).stat("/"); ${good("strays")}`,
  );
  expect((await tryAdapters([join(dir, "strays")], {})).size).toBe(0);
});

test("no adapter holds up the start by what it left to its process: a child that keeps the pipe, or a loop at the exit", async () => {
  const child = `Bun.spawn(["sleep", "60"], { stdout: "inherit" });`;
  const folders = Object.entries({
    leaves: `${child} ${good("leaves")}`,
    gone: `${child} process.exit(3);`,
    loops: `process.on("exit", () => { ${STANDS_STILL} }); ${good("loops")}`,
  }).map(([name, text]) => {
    put(name, text);
    return join(dir, name);
  });
  expect([...(await tryAdapters(folders, {}))]).toEqual([
    [join(dir, "gone"), "it ended the process that loaded it (exit code 3)"],
  ]);
}, 30_000);

test("an adapter that says that it has ended, and stands still, is named", async () => {
  const text = `require("node:fs").writeSync(1, "recado-trial ends 0\\n"); ${STANDS_STILL}`;
  put("says", text);
  put("omega", good("omega"));
  expect([...(await tryAdapters([join(dir, "says"), join(dir, "omega")], {})).keys()]).toEqual([join(dir, "says")]);
}, 30_000);

test("the trial ends without loading an adapter when the process that began it is gone, or reads no line", async () => {
  const ran = join(dir, "ran");
  put("marks", `require("node:fs").writeFileSync(${JSON.stringify(ran)}, ""); ${good("marks")}`);
  const trial = (parent: string, stdout: "ignore" | number) =>
    Bun.spawn([...PROGRAM, "try-adapters", "--parent", parent, "--folder", join(dir, "marks")], { stdout });
  const readOnly = openSync("/dev/null", "r"); // every write to it fails
  for (const child of [trial("1", "ignore"), trial(String(process.pid), readOnly)]) {
    await child.exited;
    expect([child.signalCode, existsSync(ran)]).toEqual(["SIGKILL", false]);
  }
  closeSync(readOnly);
}, 30_000);
