import { resolve } from "node:path";

/** The settings of a unit that also work without systemd. */
export type Unit = {
  start: string[];
  environment: string[];
  environmentFile: string;
  /** The filter of system calls, for bwrap. */
  filter: Uint8Array;
  /** The command as the unit's user in the unit's surroundings; `filter` is the path of the filter. */
  confine(command: readonly string[], filter: string): string[];
};

const printed = (command: string[]): Uint8Array => {
  const { success, stdout, stderr } = Bun.spawnSync(command);
  if (!success) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
  return stdout;
};

/** Sets of system calls by their names, as this machine's systemd has them. */
const callSets = (): Map<string, string[]> => {
  const sets = new Map<string, string[]>();
  let names: string[] = [];
  for (const line of new TextDecoder()
    .decode(printed(["systemd-analyze", "syscall-filter", "--no-pager"]))
    .split("\n")) {
    if (line.startsWith("@")) sets.set(line, (names = []));
    else if (/^ +[@\w]/.test(line)) names.push(line.trim());
  }
  return sets;
};

/** The calls that a unit's SystemCallFilter lines leave: the first allows, those with ~ take away again. */
const callsOf = (lines: readonly string[]): string[] => {
  const sets = callSets();
  const calls = (name: string): string[] => (name.startsWith("@") ? (sets.get(name) ?? []).flatMap(calls) : [name]);
  const named = (denied: boolean) =>
    lines
      .filter((line) => line.startsWith("~") === denied)
      .flatMap((line) => line.replace("~", "").split(" ").flatMap(calls));
  const taken = new Set(named(true));
  return [...new Set(named(false))].filter((call) => !taken.has(call));
};

/** Reads a unit, with the ids of its user from /etc/passwd. */
export const unitOf = (text: string, passwd: string): Unit => {
  const all = (name: string): string[] =>
    [...text.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);
  const [user = "", state = "", cache = "", directory = ""] = [
    "User",
    "StateDirectory",
    "CacheDirectory",
    "WorkingDirectory",
  ].map((name) => all(name)[0]);
  const [uid = "", gid = ""] = new RegExp(`^${user}:[^:]*:(\\d+):(\\d+):`, "m").exec(passwd)?.slice(1) ?? [];
  const writable = [`/var/lib/${state}`, `/var/cache/${cache}`].flatMap((path) => ["--bind", path, path]);
  const filterScript = resolve(import.meta.dir, "call_filter.py");
  return {
    start: (all("ExecStart")[0] ?? "").split(" "),
    environment: [
      `HOME=/var/lib/${state}`,
      `USER=${user}`,
      `STATE_DIRECTORY=/var/lib/${state}`,
      `CACHE_DIRECTORY=/var/cache/${cache}`,
      ...all("Environment"),
    ],
    environmentFile: (all("EnvironmentFile")[0] ?? "").replace("-", ""),
    filter: printed(["/usr/bin/python3", filterScript, ...callsOf(all("SystemCallFilter"))]),
    confine: (command, filter) => {
      // bwrap reads the filter from descriptor 3
      const opening = ["sh", "-c", `exec 3<"$1"; shift; exec "$@"`, "sh", filter];
      const asUser = ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--init-groups", "--no-new-privs"];
      const bwrap = [
        "bwrap",
        "--die-with-parent",
        "--unshare-user",
        "--unshare-ipc",
        "--unshare-uts",
        "--uid",
        uid,
        "--gid",
        gid,
        "--cap-drop",
        "ALL",
        "--seccomp",
        "3",
      ];
      const places = [
        "--ro-bind",
        "/",
        "/",
        ...writable,
        "--bind",
        "/tmp",
        "/tmp",
        "--dev",
        "/dev",
        "--ro-bind",
        "/run/service-proc",
        "/proc",
        "--tmpfs",
        "/home",
        "--tmpfs",
        "/root",
      ];
      return [...opening, ...asUser, ...bwrap, ...places, "--chdir", directory, "--", ...command];
    },
  };
};
