// Runs Bun with the given arguments, on a machine that has nothing but Node and npm: fetches the Bun that bun.lock
// names from the npm registry, installs what bun.lock lists, and hands over. The second run finds all of it in place.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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

const bunOf = () => {
  const name = platformPackage();
  const { version, integrity } = pinned(name);
  const prefix = join(home, version);
  const binary = join(prefix, "node_modules", name, "bin", windows ? "bun.exe" : "bun");
  if (existsSync(binary)) return binary;
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
  return binary;
};

const installPackages = (bun) => {
  const stamp = join(root, "node_modules", ".recado-lock");
  const manifest = readFileSync(join(root, "package.json"), "utf8");
  const patches = Object.values(JSON.parse(manifest).patchedDependencies).map((path) =>
    readFileSync(join(root, path), "utf8"),
  );
  const digest = createHash("sha256")
    .update([lock, manifest, ...patches].join("\n"))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return;
  const done = run(bun, ["install", "--frozen-lockfile", "--ignore-scripts"], { stdio: ["ignore", 2, 2] });
  if (done.status !== 0) fail("bun install failed");
  writeFileSync(stamp, digest);
};

const bun = bunOf();
installPackages(bun);
const env = { ...process.env, PATH: `${dirname(bun)}${windows ? ";" : ":"}${process.env.PATH}` };
const child = spawn(bun, process.argv.slice(2), { cwd: root, env, stdio: "inherit" });
// npm and systemd signal this process; the one that has work to finish is Bun
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
