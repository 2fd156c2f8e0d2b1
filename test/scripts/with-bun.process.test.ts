import { afterEach, expect, test } from "bun:test";
import { cpSync, existsSync, linkSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../support/apis/sdk-package.ts";
import { tempFolders } from "../support/temp-folders.ts";
import { untilTrue } from "../support/waiting.ts";

/** The script itself, in a small project whose packages are folders: no registry is asked. */

const OF_N8N = "test/apis/evolution/n8n";
const PROGRAMS = { "src/main.ts": "runs", "scripts/check.ts": "develops" };

const { newFolder, removeFolders } = tempFolders();
afterEach(removeFolders);

const write = (folder: string, path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

/** Runs a command; gives what it printed, and fails with it. */
const ran = async (command: string[], cwd: string, env: Record<string, string> = {}): Promise<string> => {
  const own = { PATH: process.env["PATH"] ?? "", HOME: cwd };
  const child = Bun.spawn(command, { cwd, env: { ...own, ...env }, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  expect(code, `${command.join(" ")}:\n${out}${err}`).toBe(0);
  return out + err;
};

/** The line by which our own lock pins the Bun of this machine, and the package's name. */
const pin = (await Bun.file(join(ROOT, "bun.lock")).text())
  .split("\n")
  .map((line) => /"(@oven\/bun-[^"]+)": \["[^"]+", "", (\{[^}]*\}), "sha512-[^"]+"\]/.exec(line))
  .filter((found) => found !== null)
  .map(([line, name = "", requires = ""]) => ({ line, name, requires: JSON.parse(requires) }))
  .find(({ requires: { os, cpu, libc } }) => {
    const isMusl = !("glibcVersionRuntime" in (process.report.getReport() as { header: object }).header);
    return os === process.platform && cpu === process.arch && (libc ?? "glibc") === (isMusl ? "musl" : "glibc");
  });

/** Where the script keeps its Bun in a project. */
const bunIn = (project: string): string =>
  join(project, ".bun", Bun.version, "node_modules", pin?.name ?? "", "bin", "bun");

const newProject = async (): Promise<string> => {
  const project = newFolder();
  for (const name of ["runs", "develops", "of-n8n"])
    write(project, `packages/${name}/package.json`, JSON.stringify({ name, version: "1.0.0" }));
  const folders = {
    ".": {
      dependencies: { runs: "file:./packages/runs" },
      devDependencies: { develops: "file:./packages/develops" },
      patchedDependencies: {},
    },
    [OF_N8N]: { dependencies: { "of-n8n": `file:${"../".repeat(OF_N8N.split("/").length)}packages/of-n8n` } },
  };
  for (const [folder, manifest] of Object.entries(folders)) {
    write(project, `${folder}/package.json`, JSON.stringify({ private: true, ...manifest }));
    await ran([process.execPath, "install", "--lockfile-only"], join(project, folder));
  }
  const lock = await Bun.file(join(project, "bun.lock")).text();
  write(project, "bun.lock", `// ${pin?.line}\n${lock}`);
  for (const path of Object.keys(PROGRAMS)) write(project, path, `console.log("ran", Bun.version);`);
  cpSync(join(ROOT, "scripts/with-bun.mjs"), join(project, "scripts/with-bun.mjs"));
  return project;
};

const withItsBun = async (): Promise<string> => {
  const project = await newProject();
  mkdirSync(dirname(bunIn(project)), { recursive: true });
  cpSync(process.execPath, bunIn(project));
  return project;
};

const run = (project: string, program: keyof typeof PROGRAMS): Promise<string> =>
  ran(["node", "scripts/with-bun.mjs", program], project);

const packagesIn = (folder: string): string[] =>
  existsSync(join(folder, "node_modules"))
    ? readdirSync(join(folder, "node_modules"))
        .filter((name) => !name.startsWith("."))
        .sort()
    : [];

const bunOfPackages = (project: string): Promise<string> =>
  ran([join(project, "node_modules/.bin/bun"), "--version"], project);

test("the program itself gets the packages that run, and a Bun for other programs; nothing of development", async () => {
  const project = await withItsBun();
  expect(await run(project, "src/main.ts")).toContain(`ran ${Bun.version}`);
  expect(packagesIn(project)).toEqual(["runs"]);
  expect(packagesIn(join(project, OF_N8N))).toEqual([]);
  expect((await bunOfPackages(project)).trim()).toBe(Bun.version);
});

test("a later check completes the installation, with the folders of tests; the next start installs nothing", async () => {
  const project = await withItsBun();
  await run(project, "src/main.ts");
  expect(await run(project, "scripts/check.ts")).toContain(`ran ${Bun.version}`);
  expect(packagesIn(project)).toEqual(["develops", "runs"]);
  expect(packagesIn(join(project, OF_N8N))).toEqual(["of-n8n"]);
  for (const program of ["scripts/check.ts", "src/main.ts"] as const)
    expect(await run(project, program)).toBe(`ran ${Bun.version}\n`);
});

test("the Bun of the packages is the fetched one: the disk holds it once, and the package's stub gives way to it", async () => {
  const project = await withItsBun();
  const copy = join(project, "node_modules", pin?.name ?? "", "bin/bun");
  const stub = join(project, "node_modules/bun/bin/bun.exe");
  for (const path of [copy, stub]) write(project, path.slice(project.length + 1), "not Bun");
  await run(project, "scripts/check.ts");
  expect([copy, stub].map((path) => statSync(path).ino)).toEqual(Array(2).fill(statSync(bunIn(project)).ino));
});

test("a linked worktree runs the Bun of its main checkout, and one with packages their Bun: nothing is fetched", async () => {
  const main = await withItsBun();
  const worktree = await newProject();
  write(worktree, ".git", `gitdir: ${join(main, ".git/worktrees/one")}\n`);
  expect(await run(worktree, "src/main.ts")).not.toContain("fetching");
  expect(existsSync(join(worktree, ".bun", Bun.version))).toBe(false);

  const installed = await newProject();
  const folder = join(installed, "node_modules", pin?.name ?? "");
  write(folder, "package.json", JSON.stringify({ name: pin?.name, version: Bun.version }));
  mkdirSync(join(folder, "bin"));
  linkSync(bunIn(main), join(folder, "bin/bun"));
  expect(await run(installed, "src/main.ts")).not.toContain("fetching");
  expect(existsSync(join(installed, ".bun", Bun.version))).toBe(false);
});

test("what npm runs ends when npm is ended, and finishes its work before", async () => {
  const project = await withItsBun();
  const main = `
    require("fs").writeFileSync("started", "");
    process.on("SIGTERM", () => {
      require("fs").writeFileSync("finished", "");
      process.exit(0);
    });
    setInterval(() => {}, 1000);`;
  write(project, "src/main.ts", main);
  const manifest = await Bun.file(join(project, "package.json")).json();
  write(
    project,
    "package.json",
    JSON.stringify({ ...manifest, scripts: { start: "node scripts/with-bun.mjs src/main.ts" } }),
  );
  const env = { PATH: process.env["PATH"] ?? "", HOME: project };
  const npm = Bun.spawn(["npm", "start"], { cwd: project, env, stdin: "ignore", stdout: "ignore", stderr: "ignore" });
  await untilTrue(() => existsSync(join(project, "started")));
  npm.kill("SIGTERM");
  await untilTrue(() => existsSync(join(project, "finished")));
});

test("a clone that was only started shows a message on its way, and makes the pages of the console", async () => {
  const clone = newFolder();
  for (const path of ["src", "plugins", "clients", "migrations", "package.json", "bun.lock", "scripts/with-bun.mjs"])
    cpSync(join(ROOT, path), join(clone, path), { recursive: true });
  for (const path of ["package.json", "bun.lock"])
    write(clone, `${OF_N8N}/${path}`, await Bun.file(join(ROOT, OF_N8N, path)).text());
  mkdirSync(dirname(bunIn(clone)), { recursive: true });
  cpSync(process.execPath, bunIn(clone));
  // the packages come out of the cache of this machine, where the first installation put them
  const env = { HOME: process.env["HOME"] ?? "" };
  expect(await ran(["node", "scripts/with-bun.mjs", "src/main.ts", "demo", "--once"], clone, env)).toContain(
    "message:received",
  );
  write(
    clone,
    "src/bundle.ts",
    `
    import { bundleConsole } from "./console/server/bundle.ts";
    const { files } = await bundleConsole();
    console.log(files.filter(({ isEntry }) => isEntry).length, "entries");`,
  );
  expect(await ran(["node", "scripts/with-bun.mjs", "src/bundle.ts"], clone, env)).toContain("4 entries");
});
