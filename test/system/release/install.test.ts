import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative, resolve } from "node:path";
import { installScript, publicKeyOf } from "../../../scripts/release/install-script.ts";
import { signSums, writeSums } from "../../../scripts/release/sums.ts";
import { tempFolders } from "../../support/temp-folders.ts";
import { type OwnRoot, startRoot } from "./own-root.ts";

setDefaultTimeout(60_000);
const root = resolve(import.meta.dir, "../../..");
const { newFolder, removeFolders } = tempFolders();
const [FIRST, SECOND] = ["1.0.0", "1.1.0"] as const;
const FILES = ["linux-x64", "linux-arm64", "linux-x64-musl", "linux-arm64-musl"];

const keyIn = (folder: string) => {
  const file = join(folder, "secret");
  const made = Bun.spawnSync(["minisign", "-G", "-W", "-s", file, "-p", join(folder, "public")]);
  if (!made.success) throw new Error(made.stderr.toString());
  return { file, password: "" };
};

/** A program that says its version and its kind of machine. */
const program = (version: string, target: string): string => `#!/bin/sh\necho "recado ${version} for ${target}"\n`;

const sign = async (folder: string, version: string, key: { file: string; password: string }): Promise<void> => {
  await writeSums(folder);
  await signSums(folder, `recado ${version}`, key);
};

let key: { file: string; password: string };
let server: ReturnType<typeof Bun.serve>;
/** The folder of the release that is served, and of this machine. */
let release: string;
let prefix: string;
let answer: (path: string) => Response | undefined;

const makeRelease = async (version: string): Promise<void> => {
  release = newFolder();
  for (const target of FILES) writeFileSync(join(release, `recado-${version}-${target}`), program(version, target));
  for (const name of ["recado.service", "recado.sh"])
    writeFileSync(join(release, name), readFileSync(join(root, "systemd", name)));
  writeFileSync(join(release, "recado.env"), "#RECADO_LISTEN=\n");
  await sign(release, version, key);
};
/** The script of a release. */
const script = async (version: string, from = `http://127.0.0.1:${server.port}`): Promise<string> => {
  const path = join(newFolder(), "install.sh");
  writeFileSync(path, await installScript({ version, key: await publicKeyOf(key), from }));
  return path;
};

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      const file = Bun.file(join(release, pathname));
      return (
        answer(pathname) ??
        (existsSync(join(release, pathname)) ? new Response(file) : new Response("", { status: 404 }))
      );
    },
  });
});
beforeEach(async () => {
  answer = () => undefined;
  key = keyIn(newFolder());
  prefix = join(newFolder(), "local");
  mkdirSync(prefix);
  await makeRelease(FIRST);
});
afterEach(removeFolders);
afterAll(() => server.stop(true));

/** A folder of commands that go before those of the machine. */
const commands = (given: Record<string, string>): string => {
  const folder = newFolder();
  for (const [name, text] of Object.entries(given)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
};
/** A machine that has the commands that the script needs, and no other. */
const without = (...missing: string[]): string => {
  const folder = newFolder();
  const names = [
    "awk",
    "cat",
    "chmod",
    "cmp",
    "curl",
    "dirname",
    "grep",
    "head",
    "id",
    "install",
    "ldd",
    "minisign",
    "mkdir",
  ];
  for (const name of [
    ...names,
    "mktemp",
    "mv",
    "openssl",
    "rm",
    "sed",
    "sh",
    "sha256sum",
    "tail",
    "tr",
    "uname",
    "wget",
  ]) {
    const path = Bun.which(name);
    if (path !== null && !missing.includes(name)) Bun.spawnSync(["ln", "-s", path, join(folder, name)]);
  }
  return folder;
};

const install = async (path: string, args: readonly string[] = [], PATH = process.env["PATH"] ?? "") => {
  const child = Bun.spawn(["sh", path, "--prefix", prefix, ...args], {
    env: { PATH, TMPDIR: newFolder() },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
};
const installed = (): string[] =>
  readdirSync(prefix, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name).slice(prefix.length)] : [],
  );
const printed = (): string =>
  Bun.spawnSync([join(prefix, "bin/recado"), "version"])
    .stdout.toString()
    .trim();
const MACHINE = process.arch === "arm64" ? "linux-arm64" : "linux-x64";

describe("a release that is whole", () => {
  test("is installed, and by the next version's script upgraded; the same script again changes nothing; nothing else is left", async () => {
    expect(await install(await script(FIRST))).toMatchObject({ code: 0, err: "" });
    expect([printed(), installed()]).toEqual([`recado 1.0.0 for ${MACHINE}`, ["/bin/recado"]]);
    expect(statSync(join(prefix, "bin/recado")).mode & 0o777).toBe(0o755);
    await makeRelease(SECOND);
    const second = await script(SECOND);
    for (const _ of ["once", "again"]) {
      expect((await install(second)).code).toBe(0);
      expect([printed(), installed()]).toEqual([`recado 1.1.0 for ${MACHINE}`, ["/bin/recado"]]);
    }
    expect(await install(second, ["--uninstall"])).toMatchObject({ code: 0, err: "" });
    expect(installed()).toEqual([]);
    expect(await install(second, ["--uninstall"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("nothing of Recado"),
    });
  });

  test.each([
    ["minisign alone", ["openssl"]],
    ["OpenSSL alone", ["minisign"]],
    ["wget alone", ["curl"]],
  ])("is installed where there is %s", async (_, missing) => {
    expect(await install(await script(FIRST), [], without(...missing))).toMatchObject({ code: 0, err: "" });
    expect(printed()).toBe(`recado 1.0.0 for ${MACHINE}`);
  });

  test("is installed for the machine that it is on", async () => {
    const path = `${commands({ uname: "case $1 in -s) echo Linux ;; *) echo aarch64 ;; esac", ldd: "echo 'musl libc (aarch64)' >&2; exit 1" })}:${process.env["PATH"]}`;
    expect((await install(await script(FIRST), [], path)).code).toBe(0);
    expect(printed()).toBe("recado 1.0.0 for linux-arm64-musl");
  });
});

/** Installs what must be refused, on a machine that has an older version: it stays. */
const refused = async (args: readonly string[] = [], PATH?: string, path?: string) => {
  mkdirSync(join(prefix, "bin"));
  writeFileSync(join(prefix, "bin/recado"), program("0.9.0", "before"), { mode: 0o755 });
  const { code, err } = await install(path ?? (await script(FIRST)), args, PATH);
  expect([code, printed(), installed()]).toEqual([1, "recado 0.9.0 for before", ["/bin/recado"]]);
  return err;
};

test.each(["as an absolute path", "as a path from here"])(
  "the files are in a folder of this machine: %s",
  async (way) => {
    const path = await script(FIRST, "http://127.0.0.1:1");
    const folder = way === "as an absolute path" ? release : relative(process.cwd(), release);
    expect(await install(path, ["--from", folder])).toMatchObject({ code: 0 });
    expect(installed()).toEqual(["/bin/recado"]);
    appendFileSync(join(release, `recado-${FIRST}-${MACHINE}`), "# changed");
    const { code, err } = await install(path, ["--from", folder]);
    expect([code, err.includes("is not the file that was released")]).toEqual([1, true]);
  },
);

test("--help prints the arguments, and installs nothing", async () => {
  const { code, out } = await install(await script(FIRST), ["--help"]);
  expect(code).toBe(0);
  expect(out).toMatch(/^Installs Recado.*--uninstall.*OpenSSL 3\.\n+$/s);
  expect(installed()).toEqual([]);
});

describe.each([
  ["minisign", "openssl"],
  ["OpenSSL", "minisign"],
])("with %s nothing is changed where", (_, missing) => {
  const tool = () => without(missing);

  test("the program is another", async () => {
    appendFileSync(join(release, `recado-${FIRST}-${MACHINE}`), "echo evil\n");
    expect(await refused([], tool())).toContain("is not the file that was released");
  });

  test("the sums are others", async () => {
    appendFileSync(join(release, `recado-${FIRST}-${MACHINE}`), "echo evil\n");
    await writeSums(release);
    expect(await refused([], tool())).toContain("the signature of SHA256SUMS is wrong");
  });

  test("the sums are signed with another key", async () => {
    await sign(release, FIRST, keyIn(newFolder()));
    const path = await script(FIRST);
    key = keyIn(newFolder());
    await sign(release, FIRST, key);
    expect(await refused([], tool(), path)).toContain("the signature of SHA256SUMS is wrong");
  });

  test("the sums are of another release of the same key", async () => {
    await sign(release, "0.8.0", key);
    expect(await refused([], tool())).toContain("not of 'recado 1.0.0'");
  });

  test("the comment was changed to say another version", async () => {
    await sign(release, "0.8.0", key);
    const path = join(release, "SHA256SUMS.minisig");
    writeFileSync(path, readFileSync(path, "utf8").replace("recado 0.8.0", `recado ${FIRST}`));
    expect(await refused([], tool())).toContain("the signature of SHA256SUMS is wrong");
  });

  test("the signature is empty", async () => {
    writeFileSync(join(release, "SHA256SUMS.minisig"), "");
    expect(await refused([], tool())).toContain("the signature of SHA256SUMS is wrong");
  });
});

describe("nothing is changed where", () => {
  test("nothing can verify the signature, or the hashes", async () => {
    expect(await refused([], without("minisign", "openssl"))).toContain("minisign or OpenSSL 3 is needed");
  });

  test("nothing can verify the hashes", async () => {
    expect(await refused([], without("sha256sum"))).toContain("sha256sum is needed");
  });

  test.each([
    ["Darwin", "arm64", "Recado runs on Linux"],
    ["Linux", "riscv64", "Recado runs on x86_64 and aarch64"],
  ])("the machine is %s on %s", async (system, machine, said) => {
    const path = commands({ uname: `case $1 in -s) echo ${system} ;; *) echo ${machine} ;; esac` });
    expect(await refused([], `${path}:${process.env["PATH"]}`)).toContain(said);
  });

  test("a download ends in the middle", async () => {
    const bytes = readFileSync(join(release, `recado-${FIRST}-${MACHINE}`));
    answer = (path) => (path.endsWith(MACHINE) ? new Response(bytes.subarray(0, 20)) : undefined);
    expect(await refused()).toContain("is not the file that was released");
  });

  test("a file is missing, or nobody answers", async () => {
    answer = (path) => (path.endsWith(MACHINE) ? new Response("", { status: 404 }) : undefined);
    expect(await refused()).toContain("cannot be downloaded");
  });

  test("there is no network", async () => {
    expect(await refused(["--from", "http://127.0.0.1:1"])).toContain(
      "http://127.0.0.1:1/SHA256SUMS cannot be downloaded",
    );
  });

  test("the program does not run here", async () => {
    writeFileSync(join(release, `recado-${FIRST}-${MACHINE}`), "#!/bin/sh\necho 'GLIBC_2.28 not found' >&2; exit 1\n");
    await sign(release, FIRST, key);
    expect(await refused()).toContain("GLIBC_2.28 not found");
  });

  test("the script itself was cut, wherever", async () => {
    const path = await script(FIRST);
    const text = readFileSync(path, "utf8");
    const cuts = Array.from({ length: 40 }, (_, at) => Math.floor((text.length * at) / 40));
    for (const end of [...cuts, ...Array.from({ length: 14 }, (_, at) => text.length - 2 - at)]) {
      writeFileSync(path, text.slice(0, end));
      await install(path);
      expect([end, installed()]).toEqual([end, []]);
    }
  });

  test.each([
    [["--prefix", "relative"], "must be an absolute path"],
    [["--prefix", "/tmp/a b"], "only letters"],
    [["--what"], "unknown argument --what"],
    [["--from"], "--from needs a value"],
  ])("the arguments are %p", async (args, said) => {
    expect(await refused(args)).toContain(said);
  });

  test("the script is the one of the sources", async () => {
    expect(await refused([], undefined, join(root, "scripts/release/install.sh"))).toContain("not of a release");
  });
});

describe("as a service", () => {
  let system: OwnRoot;
  beforeEach(async () => {
    system = await startRoot();
    await makeRelease(FIRST);
  });
  afterEach(() => system.stop());

  const inside = async (version: string, ...args: string[]) => {
    writeFileSync(join(system.given, "install.sh"), readFileSync(await script(version)));
    return system.run("sh", "/mnt/given/install.sh", ...args);
  };
  const modeOf = async (path: string) => (await system.run("stat", "--format=%a %U:%G", path)).out.trim();

  test("has its user, its folders, its unit and settings, which an upgrade keeps and the removal too", async () => {
    expect(await inside(FIRST, "--service")).toMatchObject({ code: 0, err: "" });
    expect((await system.run("cat", "/etc/systemd/system/recado.service")).out).toContain(
      "\nExecStart=/usr/local/bin/recado serve\n",
    );
    expect(await modeOf("/etc/recado/recado.env")).toBe("640 root:recado");
    expect(await modeOf("/var/lib/recado")).toBe("700 recado:recado");
    expect((await system.run("recado", "version")).out).toBe(`recado 1.0.0 for ${MACHINE}\n`);
    await system.run("sh", "-c", "echo RECADO_GATEWAY_RATE=77 >>/etc/recado/recado.env");
    await makeRelease(SECOND);
    expect((await inside(SECOND)).code).toBe(0);
    expect((await system.run("recado", "version")).out).toBe(`recado 1.1.0 for ${MACHINE}\n`);
    expect((await system.run("tail", "-n", "1", "/etc/recado/recado.env")).out).toBe("RECADO_GATEWAY_RATE=77\n");
    expect((await inside(SECOND, "--uninstall")).code).toBe(0);
    for (const gone of ["/usr/local/bin/recado", "/usr/local/lib/recado", "/etc/systemd/system/recado.service"])
      expect((await system.run("test", "-e", gone)).code).toBe(1);
    for (const kept of ["/etc/recado/recado.env", "/var/lib/recado"])
      expect((await system.run("test", "-e", kept)).code).toBe(0);
  });
});

test("shellcheck finds nothing, where it is installed", () => {
  if (Bun.which("shellcheck") === null) {
    console.log("shellcheck is not installed: sh checked the syntax of install.sh alone");
    expect(Bun.spawnSync(["sh", "-n", join(root, "scripts/release/install.sh")]).exitCode).toBe(0);
    return;
  }
  const { stdout } = Bun.spawnSync(["shellcheck", "--shell=sh", join(root, "scripts/release/install.sh")]);
  expect(stdout.toString()).toBe("");
});
