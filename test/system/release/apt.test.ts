import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { makeAptRepository, signAptRepository } from "../../../scripts/release/apt.ts";
import { tempFolders } from "../../support/temp-folders.ts";
import { pack } from "./deb.ts";

setDefaultTimeout(60_000);
const { newFolder, removeFolders } = tempFolders();
const [VERSION, TIME] = ["1.2.3", 1_700_000_000] as const;
const ARCHITECTURE = process.arch === "arm64" ? "arm64" : "amd64";

const ran = (command: readonly string[], env: Record<string, string> = {}) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { env: { ...process.env, LC_ALL: "C", ...env } });
  return { code: exitCode, out: stdout.toString(), err: stderr.toString() };
};

/** A key of GnuPG with a password: the file of its secret half. */
const newKey = (folder: string, name: string) => {
  const home = join(folder, name);
  mkdirSync(home, { mode: 0o700 });
  const env = { GNUPGHOME: home };
  const file = join(folder, `${name}.asc`);
  const gpg = ["gpg", "--batch", "--pinentry-mode", "loopback", "--passphrase", "of the tests"];
  const made = ran([...gpg, "--quick-gen-key", "Recado <tests@example.com>", "ed25519", "sign", "never"], env);
  const exported = ran([...gpg, "--armor", "--output", file, "--export-secret-keys"], env);
  ran(["gpgconf", "--kill", "all"], env);
  if (made.code + exported.code !== 0) throw new Error(made.err + exported.err);
  return { file, password: "of the tests" };
};

const own = mkdtempSync("/tmp/recado-apt-");
let key: ReturnType<typeof newKey>;
let other: ReturnType<typeof newKey>;
/** A signed repository, which is never changed. */
const made = join(own, "made");
let deb: string;

beforeAll(async () => {
  key = newKey(own, "key");
  other = newKey(own, "other");
  writeFileSync(join(own, "program"), "a program");
  deb = await pack(own, { version: VERSION, program: join(own, "program"), architecture: ARCHITECTURE });
  await makeAptRepository(made, [{ architecture: ARCHITECTURE, path: deb }], TIME);
  await signAptRepository(made, key);
});
afterAll(() => rmSync(own, { recursive: true, force: true }));

let repository: string;
let asked: string[];
let server: ReturnType<typeof Bun.serve>;
beforeEach(() => {
  repository = join(newFolder(), "apt");
  cpSync(made, repository, { recursive: true });
  asked = [];
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const path = decodeURIComponent(new URL(request.url).pathname);
      asked.push(path);
      const file = Bun.file(join(repository, path));
      return (await file.exists()) ? new Response(file) : new Response("", { status: 404 });
    },
  });
});
afterEach(async () => {
  await server.stop(true);
  removeFolders();
});

/** apt with lists and a cache of its own, which reads the repository and knows what this machine has installed. */
const apt = () => {
  const folder = newFolder();
  for (const path of ["lists/partial", "cache/archives/partial", "files"])
    mkdirSync(join(folder, path), { recursive: true });
  const source = `deb [signed-by=${join(made, "recado.asc")} arch=${ARCHITECTURE}] http://127.0.0.1:${server.port} stable main\n`;
  writeFileSync(join(folder, "sources.list"), source);
  const options = {
    "Dir::State::lists": join(folder, "lists"),
    "Dir::Cache": join(folder, "cache"),
    "Dir::Etc::sourcelist": join(folder, "sources.list"),
    "Dir::Etc::sourceparts": "-",
    "Acquire::Languages": "none",
    "Acquire::Retries": "0",
    "Acquire::http::Proxy": "DIRECT",
    "APT::Sandbox::User": "",
    "Debug::NoLocking": "1",
  };
  const flags = Object.entries(options).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  return {
    run: async (...args: string[]) => {
      const child = Bun.spawn(["apt-get", ...flags, ...args], {
        cwd: join(folder, "files"),
        env: { ...process.env, LC_ALL: "C" },
        stdout: "pipe",
        stderr: "pipe",
      });
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      return { code, said: out + err };
    },
    files: () => readdirSync(join(folder, "files")),
  };
};

const list = () => join(repository, `dists/stable/main/binary-${ARCHITECTURE}`);
/** Puts other bytes at the place of each list, under its hash too. */
const changeLists = (): void => {
  const paths = ["", "by-hash/SHA256"].flatMap((folder) =>
    readdirSync(join(list(), folder), { withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(list(), folder, entry.name)] : [],
    ),
  );
  expect(paths.length).toBe(6);
  for (const path of paths) writeFileSync(path, readFileSync(path).fill(0x20, 20));
};

describe("a repository on a server of files", () => {
  test("is read by apt, by hash, and gives the package that was released", async () => {
    const { run, files } = apt();
    const updated = await run("update");
    expect(updated).toMatchObject({ code: 0, said: expect.not.stringMatching(/^[WE]:/m) });
    expect(asked).toContainEqual(expect.stringMatching(/\/by-hash\/SHA256\/[0-9a-f]{64}$/));
    expect((await run("install", "--simulate", "recado")).said).toContain(`Inst recado (${VERSION} Recado:stable`);
    expect((await run("download", "recado")).code).toBe(0);
    expect(files()).toEqual([basename(deb)]);
  });

  test("is refused by apt where the lists are others: no package is found", async () => {
    changeLists();
    const { run, files } = apt();
    const updated = await run("update");
    expect([updated.code, updated.said]).toEqual([100, expect.stringContaining("Hash Sum mismatch")]);
    expect((await run("download", "recado")).code).toBe(100);
    expect(files()).toEqual([]);
  });

  test("is refused by apt where the package is another", async () => {
    const path = join(repository, "pool/main/r/recado", basename(deb));
    const bytes = readFileSync(path);
    rmSync(path);
    writeFileSync(path, bytes.fill(0x20, 200, 300));
    const { run, files } = apt();
    await run("update");
    expect(await run("download", "recado")).toMatchObject({
      code: 100,
      said: expect.stringContaining("Hash Sum mismatch"),
    });
    expect(files()).toEqual([`${basename(deb)}.FAILED`]);
  });

  test.each([
    ["changed after it was signed", async () => appendFileSync(join(repository, "dists/stable/InRelease"), "more\n")],
    ["signed with another key", () => signAptRepository(repository, other)],
    [
      "not signed",
      async () => {
        for (const name of ["InRelease", "Release.gpg"]) rmSync(join(repository, "dists/stable", name));
      },
    ],
  ])("is refused by apt where its Release file is %s", async (_, change) => {
    await change();
    const { run, files } = apt();
    expect((await run("update")).code).toBe(100);
    expect((await run("download", "recado")).code).toBe(100);
    expect(files()).toEqual([]);
  });
});

test("the same packages give the same repository to the byte", async () => {
  const again = join(newFolder(), "again");
  await makeAptRepository(again, [{ architecture: ARCHITECTURE, path: deb }], TIME);
  const paths = readdirSync(again, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(again.length));
  expect(paths.length).toBe(8);
  for (const path of paths)
    expect([path, readFileSync(join(again, path))]).toEqual([path, readFileSync(join(made, path))]);
});

test("a key with a password signs with that alone; with another nothing is signed, and gpg says why", async () => {
  const unsigned = join(newFolder(), "unsigned");
  await makeAptRepository(unsigned, [{ architecture: ARCHITECTURE, path: deb }], TIME);
  const refusal = await signAptRepository(unsigned, { ...key, password: "wrong" }).catch(String);
  expect(refusal).toContain("Bad passphrase");
  expect(readdirSync(join(unsigned, "dists/stable")).sort()).toEqual(["Release", "main"]);
});
