import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processes, type Settings } from "../support/processes/process.ts";
import { startGateway } from "../support/session/gateway-process.ts";
import { previewFormat } from "../support/session/picture.ts";

const tools = processes();
const { dataDir, folder, run, serve } = tools;

const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Has the binary look at a password. Its answer, and what it printed as an error. */
const used = async (settings: Settings): Promise<[status: number, err: string]> => {
  const server = await serve({ RECADO_DATA_DIR: dataDir(), ...settings });
  const { status } = await fetch(`${server.url}/platform/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "nobody@example.com", password: "of-nobody-at-all" }),
  });
  server.signal("SIGTERM");
  const { err } = await server.ended;
  return [status, err.replace(/^Set up Recado: .*\n/m, "")];
};

/** Runs the binary with this cache, until it has used its add-on; the files that it has there then. */
const started = async (cache: string): Promise<string[]> => {
  expect(await used({ CACHE_DIRECTORY: cache })).toEqual([401, ""]);
  return filesIn(cache);
};

test("a command that needs no add-on unpacks none", async () => {
  const cache = folder();
  const { code, out, err } = await run(["version"], { CACHE_DIRECTORY: cache });
  expect([code, out.slice(0, 7), err, filesIn(cache)]).toEqual([0, "recado ", "", []]);
});

test("add-ons are kept in the cache that the service is given, for its user alone, and are used again", async () => {
  const cache = folder();
  const files = await started(cache);
  expect(files).toEqual([expect.stringMatching(/\/native\/argon2-[0-9a-f]{16}\/argon2-linux-x64-gnu\/.*\.node$/)]);
  expect([modeOf(join(cache, "native")), ...files.map(modeOf)]).toEqual(["700", "500"]);
  const madeAt = files.map((path) => statSync(path).ino);
  expect(await started(cache)).toEqual(files);
  expect(files.map((path) => statSync(path).ino)).toEqual(madeAt);
});

test("one that is linked with a library finds it beside itself", async () => {
  const cache = folder();
  const gateway = await startGateway(tools, { CACHE_DIRECTORY: cache });
  try {
    expect(await previewFormat(gateway)).toBe("jpeg");
  } finally {
    await gateway.end();
  }
  const places = filesIn(cache).filter((path) => path.includes("/sharp-"));
  expect(places.map((path) => path.slice(path.indexOf("/sharp-", path.indexOf("/sharp-") + 1)))).toEqual([
    expect.stringMatching(/^\/sharp-libvips-linux-x64\/lib\/libvips-cpp\.so/),
    expect.stringMatching(/^\/sharp-linux-x64\/lib\/.*\.node$/),
  ]);
}, 120_000);

test("the first folder of several is the cache", async () => {
  const cache = folder();
  await used({ CACHE_DIRECTORY: `${cache}/first:${cache}/second` });
  expect([readdirSync(cache), filesIn(cache).length]).toEqual([["first"], 1]);
});

test("one that is damaged, or that others can write to, is made anew", async () => {
  const cache = folder();
  const [argon2 = ""] = await started(cache);
  const whole = readFileSync(argon2);
  const isWhole = () => [readFileSync(argon2).equals(whole), modeOf(argon2)];
  chmodSync(argon2, 0o600);
  writeFileSync(argon2, Buffer.alloc(whole.length));
  await started(cache);
  expect(isWhole()).toEqual([true, "500"]);
  chmodSync(argon2, 0o777);
  const before = statSync(argon2).ino;
  await started(cache);
  expect(isWhole()).toEqual([true, "500"]);
  expect(statSync(argon2).ino).not.toBe(before);
});

test("what older versions left there is removed, and nothing else", async () => {
  const cache = folder();
  const files = await started(cache);
  const put = (path: string) => {
    mkdirSync(join(cache, "native", path, ".."), { recursive: true });
    writeFileSync(join(cache, "native", path), "old");
  };
  for (const path of ["libsql-0123456789abcdef/linux-x64-gnu/index.node", "argon2-0123456789abcdef.node", "notes.txt"])
    put(path);
  expect(await started(cache)).toEqual([...files, join(cache, "native/notes.txt")]);
});

test("a cache that others can write to is not used", async () => {
  const cache = folder();
  mkdirSync(join(cache, "native"));
  chmodSync(join(cache, "native"), 0o777);
  expect(await started(cache)).toEqual([]);
});

test.each([
  ["the cache cannot be written to", "/no-cache"],
  ["nothing in it can be executed", "/tmp/cache"],
])("where %s they are loaded from memory, and leave nothing on the disk", async (_, cache) => {
  const temporary = folder();
  const answer = await used({ CACHE_DIRECTORY: cache, TMPDIR: temporary });
  expect([...answer, readdirSync(temporary)]).toEqual([401, "", []]);
});
