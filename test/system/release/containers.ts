import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Subprocess } from "bun";
import { CONTAINER_USER } from "../../../scripts/release/image-root.ts";

/** The parts of a container's configuration that are changed here. */
type Config = {
  process: { args: string[]; env: string[]; terminal: boolean; capabilities: Record<string, string[]> };
  root: { path: string; readonly: boolean };
  mounts: { destination: string; type: string; source: string; options?: string[] }[];
  linux: { namespaces: { type: string }[] };
};
type Settings = Record<string, string>;

/** An image that is unpacked, with the volumes of its containers. */
export type Containers = {
  /** The program that runs them: runc where the machine permits it, else bwrap. */
  runtime: "runc" | "bwrap";
  /** What the image says: user, command, environment. */
  config: Config;
  root: string;
  data: string;
  /** The command line that runs a command of the image, as its user on a read-only root, in the machine's network. */
  command(args: readonly string[], settings?: Settings): string[];
  /** Asks what runs a server to end: runc passes the signal on, and knows the only process as 1. */
  stop(child: Subprocess, pid: number): void;
  remove(): void;
};

const asRoot = process.getuid?.() === 0 ? [] : ["sudo", "-n"];

const run = (...command: string[]): string => {
  const { success, stdout, stderr } = Bun.spawnSync(command);
  if (!success) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
  return stdout.toString();
};

const VOLUMES = ["data", "cache"];

/** Unpacks an archive as umoci reads it: every hash is checked. */
export const openImage = (archive: string, version: string): Containers => {
  const folder = mkdtempSync("/var/tmp/recado-image-");
  // the user of the containers goes through it
  chmodSync(folder, 0o711);
  const [layout, bundle, volumes] = ["layout", "bundle", "volumes"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [layout, volumes]) mkdirSync(made);
  run("tar", "-C", layout, "-xf", archive);
  run(...asRoot, "umoci", "unpack", "--image", `${layout}:${version}`, bundle);
  const owner = String(CONTAINER_USER);
  for (const name of VOLUMES)
    run(...asRoot, "install", "-d", "-m", "700", "-o", owner, "-g", owner, join(volumes, name));
  run(...asRoot, "chmod", "711", bundle);
  // where a runtime mounts its own; it would make them
  run(...asRoot, "mkdir", "-p", join(bundle, "rootfs/proc"), join(bundle, "rootfs/dev"));
  const config = JSON.parse(readFileSync(join(bundle, "config.json"), "utf8")) as Config;
  const root = join(bundle, "rootfs");
  const place: Place = { folder, root, volumes, config, ids: [] };
  const tried = Bun.spawnSync(runcCommand(place, ["/usr/bin/recado", "version"]));
  const runtime = tried.success ? "runc" : "bwrap";
  console.log(`containers run by ${runtime}${tried.success ? "" : `; runc says ${tried.stderr.toString().trim()}`}`);
  return {
    runtime,
    config,
    root,
    data: join(volumes, "data"),
    command: (args, settings) => (tried.success ? runcCommand : bwrapCommand)(place, args, settings),
    stop: (child, pid) =>
      runtime === "runc" ? child.kill("SIGTERM") : void run(...asRoot, "kill", "-TERM", String(pid)),
    remove: () => {
      for (const id of place.ids) Bun.spawnSync([...asRoot, "runc", "delete", "--force", id]);
      run(...asRoot, "rm", "-rf", folder);
    },
  };
};

/** `ids`: the containers that runc was given. */
type Place = { folder: string; root: string; volumes: string; config: Config; ids: string[] };

const runcCommand = (
  { folder, root, volumes, config, ids }: Place,
  args: readonly string[],
  settings: Settings = {},
): string[] => {
  const id = `${basename(folder)}-${ids.length}`;
  ids.push(id);
  const bundle = join(folder, id);
  mkdirSync(bundle);
  const { process: own, mounts, linux } = config;
  const kept = mounts.filter(({ destination }) => /^\/(?:proc|dev)/.test(destination));
  const bound = VOLUMES.map((name) => ({
    destination: `/${name}`,
    type: "bind",
    source: join(volumes, name),
    options: ["rbind", "nosuid", "nodev"],
  }));
  const changed: Config = {
    ...config,
    process: {
      ...own,
      terminal: false,
      args: [...args],
      env: [...own.env, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)],
      capabilities: {},
    },
    root: { path: root, readonly: true },
    mounts: [
      ...kept,
      ...bound,
      { destination: "/tmp", type: "tmpfs", source: "tmpfs", options: ["nosuid", "nodev", "noexec"] },
    ],
    linux: { ...linux, namespaces: linux.namespaces.filter(({ type }) => type !== "network") },
  };
  writeFileSync(join(bundle, "config.json"), JSON.stringify(changed));
  return [...asRoot, "runc", "run", "--bundle", bundle, id];
};

const bwrapCommand = ({ root, volumes, config }: Place, args: readonly string[], settings: Settings = {}): string[] => {
  const user = String(CONTAINER_USER);
  const given = [...config.process.env, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)];
  const asUser = ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups", "--no-new-privs"];
  const bwrap = ["bwrap", "--die-with-parent", "--unshare-user", "--uid", user, "--gid", user, "--ro-bind", root, "/"];
  const places = ["--tmpfs", "/tmp", "--proc", "/proc", "--dev", "/dev", "--chdir", "/data", "--clearenv"];
  return [
    ...asRoot,
    ...asUser,
    ...bwrap,
    ...VOLUMES.flatMap((name) => ["--bind", join(volumes, name), `/${name}`]),
    ...places,
    ...given.flatMap((pair) => ["--setenv", pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
    "--",
    ...args,
  ];
};
