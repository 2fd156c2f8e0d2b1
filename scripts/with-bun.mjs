// Runs Bun with the given arguments, on a machine that has nothing but Node and npm: fetches the Bun that bun.lock
// names from the npm registry, installs the packages that the program needs, and hands over. The second run finds all
// of it in place. A program of src/ needs the packages that run; any other needs those of development too.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const lock = readFileSync(join(root, "bun.lock"), "utf8");
const home = join(root, ".bun");
const windows = process.platform === "win32";

/** The package that carries Bun's binary for this machine, as the `bun` package itself picks it. */
const platformPackage = () => {
  const os = windows ? "windows" : process.platform;
  const arch = process.arch === "arm64" ? "aarch64" : process.arch;
  const musl = process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime ? "-musl" : "";
  return `@oven/bun-${os}-${arch}${musl}`;
};

/** Version and integrity of a package as bun.lock pins them. */
const pinned = (name) => {
  const entry = new RegExp(`"${name}": \\["${name}@([^"]+)",.*"(sha512-[^"]+)"\\]`).exec(lock);
  if (!entry) fail(`bun.lock does not name ${name}: Bun is not published for this machine`);
  return { version: entry[1], integrity: entry[2] };
};

const fail = (message) => {
  console.error(message);
  process.exit(1);
};

const run = (command, args, options = {}) => {
  const done = spawnSync(command, args, { cwd: root, stdio: ["inherit", "inherit", "inherit"], ...options });
  if (done.error) fail(`${command}: ${done.error.message}`);
  return done;
};

/** The main checkout of this linked worktree; undefined if this checkout is no linked worktree. */
const mainCheckout = () => {
  const pointer = join(root, ".git");
  if (!existsSync(pointer) || !statSync(pointer).isFile()) return undefined;
  const [, folder] = /^gitdir: (.*?)[/\\]\.git[/\\]worktrees[/\\]/.exec(readFileSync(pointer, "utf8")) ?? [];
  return folder === undefined ? undefined : resolve(root, folder);
};

/** Bun's binary below a folder with packages. */
const binaryIn = (packages, name) => join(packages, name, "bin", windows ? "bun.exe" : "bun");

/** The pinned Bun, if a checkout of this repository has it already. */
const presentBun = (name, version) => {
  const own = join(root, "node_modules");
  const manifest = join(own, name, "package.json");
  const isPinned = existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === version;
  const main = mainCheckout();
  return [
    binaryIn(join(home, version, "node_modules"), name),
    ...(isPinned ? [binaryIn(own, name)] : []),
    ...(main === undefined ? [] : [binaryIn(join(main, ".bun", version, "node_modules"), name)]),
  ].find((path) => existsSync(path));
};

const bunOf = () => {
  const name = platformPackage();
  const { version, integrity } = pinned(name);
  const present = presentBun(name, version);
  if (present !== undefined) return present;
  const prefix = join(home, version);
  mkdirSync(prefix, { recursive: true });
  console.error(`fetching Bun ${version} from the npm registry`);
  // npm's own settings of the calling script must not leak into this install
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith("npm_package_")));
  const install = [
    "install",
    "--prefix",
    prefix,
    "--no-save",
    "--no-package-lock",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const done = run(windows ? "npm.cmd" : "npm", [...install, `${name}@${version}`], {
    env,
    stdio: ["ignore", 2, 2],
    shell: windows,
  });
  if (done.status !== 0) fail("npm could not install Bun");
  const installed = JSON.parse(readFileSync(join(prefix, "node_modules", ".package-lock.json"), "utf8"));
  if (installed.packages[`node_modules/${name}`].integrity !== integrity)
    fail(`${name}@${version} is not what bun.lock pins`);
  return binaryIn(join(prefix, "node_modules"), name);
};

/** Makes a path the same file as `target`, so that the disk holds it once. */
const makeSame = (path, target) => {
  if (existsSync(path) && statSync(path).ino === statSync(target).ino) return;
  const made = `${path}.new`;
  rmSync(made, { force: true });
  try {
    linkSync(target, made);
  } catch {
    symlinkSync(target, made); // another file system
  }
  renameSync(made, path);
};

/**
 * Makes this Bun that of node_modules too. Two packages of development have a place for Bun: `bun`, a stub until its
 * own scripts run, and the package of this machine.
 */
const shareBun = (bun) => {
  const packages = join(root, "node_modules");
  const stubs = ["bun.exe", "bunx.exe"].map((name) => join(packages, "bun", "bin", name));
  for (const path of [binaryIn(packages, platformPackage()), ...stubs])
    if (existsSync(dirname(path))) makeSame(path, bun);
  const command = join(packages, ".bin", windows ? "bun.exe" : "bun");
  if (existsSync(command)) return;
  mkdirSync(dirname(command), { recursive: true });
  rmSync(command, { force: true }); // a link that leads nowhere
  if (windows) linkSync(bun, command);
  else symlinkSync(relative(realpathSync(dirname(command)), bun), command);
};

/** Folders of tests with packages of their own. */
const FOLDERS = [join("test", "apis", "evolution", "n8n")];

const sourcesOf = (folder) =>
  ["bun.lock", "package.json"].map((name) => readFileSync(join(root, folder, name), "utf8"));

/** The hash of all files that decide the installed packages. */
const digestOfSources = () => {
  const [, manifest] = sourcesOf(".");
  const patches = Object.values(JSON.parse(manifest).patchedDependencies).map((path) =>
    readFileSync(join(root, path), "utf8"),
  );
  const sources = [...sourcesOf("."), ...patches, ...FOLDERS.flatMap(sourcesOf)];
  return createHash("sha256").update(sources.join("\n")).digest("hex");
};

const installPackages = (bun, needed) => {
  const stamp = join(root, "node_modules", ".recado-lock");
  const [digest, present] = existsSync(stamp) ? readFileSync(stamp, "utf8").split(" ") : [];
  const current = digestOfSources();
  const isWhole = present === "all" && FOLDERS.every((folder) => existsSync(join(root, folder, "node_modules")));
  if (digest === current && (isWhole || needed === "run")) return;
  // a developer's old installation is renewed whole
  const wanted = present === "all" ? "all" : needed;
  // the stamp goes first: an interrupted installation does not count as a whole one
  rmSync(stamp, { force: true });
  const install = (folder, ...options) => {
    const command = ["install", "--frozen-lockfile", "--ignore-scripts", ...options];
    const done = run(bun, command, { cwd: join(root, folder), stdio: ["ignore", 2, 2] });
    if (done.status !== 0) fail("bun install failed");
  };
  if (wanted === "all") for (const folder of [".", ...FOLDERS]) install(folder);
  else install(".", "--production", "--omit=peer");
  shareBun(bun);
  writeFileSync(stamp, `${current} ${wanted}`);
};

const shell = process.ppid;
const args = process.argv.slice(2);
/** `npm start` and `npm run demo` run a file of the program itself. */
const needed = args[0]?.startsWith("src/") ? "run" : "all";
const bun = bunOf();
installPackages(bun, needed);
const env = { ...process.env, PATH: `${dirname(bun)}${windows ? ";" : ":"}${process.env.PATH}` };
const child = spawn(bun, args, { cwd: root, env, stdio: "inherit" });
// a terminal and systemd signal this process, but Bun has the work to finish
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
// a signal to npm ends its shell, which passes nothing on: without this the server would run on alone
if (process.env.npm_lifecycle_event !== undefined && !windows) {
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    child.kill("SIGTERM");
  }, 250);
}
child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
