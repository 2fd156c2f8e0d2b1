import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { askOwnServer } from "../adapters/http/own-server.ts";
import { databaseFile, type Serving, servingOf } from "../setup.ts";
import { commitOf } from "../version.ts";
import { type Check, fault, ok, saidBy, skipped, warning } from "./check.ts";
import type { Installation } from "./installation.ts";

/**
 * A running server. `version`: undefined if it does not answer. `pid`: undefined if the system does not show it.
 */
export type RunningServer = {
  serving: Serving | undefined;
  pid: number | undefined;
  version: { commit: string; startedAt: string } | undefined;
  health: Health;
};

type Health = { ok: true } | { ok: false; reason: string };

const ANSWER_MS = 3000;
const HOLDS = "has the database open and accepts no requests";
/** The offset of SQLite's lock bytes. https://sqlite.org/fileformat.html#the_lock_byte_page */
const LOCK_BYTES_FROM = 0x4000_0000;

/** The process that has locked a database file, by /proc/locks (proc_locks(5)); locks nothing itself. */
const holderOf = (path: string): number | undefined => {
  const lock = `${path}.lock`;
  if (!existsSync(lock) || !existsSync("/proc/locks")) return undefined;
  const inode = statSync(lock).ino;
  const lines = readFileSync("/proc/locks", "utf8").matchAll(/ WRITE (\d+) [\da-f]+:[\da-f]+:(\d+) (\d+) /g);
  const held = [...lines].find(([, , ino, from]) => Number(ino) === inode && Number(from) >= LOCK_BYTES_FROM);
  return held && Number(held[1]);
};

const healthOf = async (serving: Serving): Promise<Health> => {
  const answer = await askOwnServer(serving, "/health/ready", ANSWER_MS);
  const { checks } = (await answer.json()) as { checks: Record<string, string> };
  const bad = Object.entries(checks).flatMap(([name, status]) => (status === "ok" ? [] : [name]));
  return bad.length === 0 ? { ok: true } : { ok: false, reason: `is not ready: ${bad.join(", ")}` };
};

const versionOf = async (serving: Serving): Promise<RunningServer["version"]> => {
  const { commit, subidoEm } = (await (await askOwnServer(serving, "/versao", ANSWER_MS)).json()) as {
    commit: string;
    subidoEm: string;
  };
  return { commit, startedAt: subidoEm };
};

/**
 * The server of this data directory; undefined if none runs. A killed server leaves its address in a file: it counts
 * only if it answers slowly or a process has the database open.
 */
export const serverOf = async (config: Installation["config"]): Promise<RunningServer | undefined> => {
  const path = databaseFile(config);
  const pid = path === undefined ? undefined : holderOf(path);
  const serving = servingOf(config);
  if (!serving)
    return pid === undefined ? undefined : { serving, pid, version: undefined, health: { ok: false, reason: HOLDS } };
  try {
    const [health, version] = await Promise.all([healthOf(serving), versionOf(serving)]);
    return { serving, pid: pid ?? serving.pid, version, health }; // a database on a server has no lock holder
  } catch (error) {
    const isSlow = error instanceof Error && error.name === "TimeoutError";
    if (pid === undefined && !isSlow) return undefined; // the program that listens there now is not Recado
    return {
      serving,
      pid,
      version: undefined,
      health: { ok: false, reason: `does not answer at ${serving.gatewayUrl}: ${saidBy(error)}` },
    };
  }
};

/** Whether the address is free for a server that would be started now. */
const listening = ({ host, port }: Installation["config"]["listen"]): Promise<string | undefined> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });

const LISTEN_REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: "end the program that listens there, or set RECADO_LISTEN to another port",
  EADDRNOTAVAIL: "set RECADO_LISTEN to an address that this machine has",
  EACCES: "set RECADO_LISTEN to a port from 1024 on, behind a reverse proxy",
};

const notRunning = async ({ config }: Installation) => {
  const { host, port } = config.listen;
  const problem = await listening(config.listen);
  if (problem === undefined) return skipped("no server runs on this data directory");
  return fault(
    `no server runs, and none can listen at ${host}:${port} (${problem})`,
    LISTEN_REMEDIES[problem] ?? "set RECADO_LISTEN to another address",
  );
};

/**
 * The running server answers, is ready, and is the same program as this one. Without a server: one could be started.
 */
export const server: Check = {
  name: "server",
  async run(installation) {
    const running = await installation.server();
    if (!running) return notRunning(installation);
    const who = running.pid === undefined ? "the server" : `the server (process ${running.pid})`;
    if (!running.serving)
      return warning(`${who} ${HOLDS}`, "wait until it has started, or until the other command has ended");
    if (!running.health.ok)
      return fault(
        `${who} ${running.health.reason}`,
        "look for the reason in its log, and restart it if there is none",
      );
    const commit = running.version?.commit;
    if (commit !== commitOf())
      return warning(
        `${who} is of commit ${commit}, this program of ${commitOf()}`,
        "restart the server, so that it runs the installed program",
      );
    return ok(`${who} is ready at ${running.serving.gatewayUrl}, since ${running.version?.startedAt}`);
  },
};
