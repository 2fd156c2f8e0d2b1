import { readFileSync } from "node:fs";
import { type Check, ok, skipped, warning } from "../check.ts";
import { shownSize } from "./disk.ts";

const MIN_FILES = 4096;
const MIN_MEMORY_BYTES = 128 * 1024 * 1024;

/** A file of /proc; undefined if it does not exist or this user may not read it. */
const readProc = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
};

/**
 * The limit of open files is high enough: each connection of clients, webhooks and sessions needs one. Without a
 * server, the limit of this command is checked.
 */
export const openFiles = (minFiles = MIN_FILES): Check => ({
  name: "open-files",
  async run(installation) {
    const running = await installation.server();
    const limits = readProc(`/proc/${running?.pid ?? "self"}/limits`);
    const soft = /^Max open files +(\d+|unlimited)/m.exec(limits ?? "")?.[1];
    if (soft === undefined) return skipped("the system does not show how many files the server may open");
    const found = `${running?.pid === undefined ? "a process started here" : "the server"} may open ${soft} files`;
    return Number(soft) < minFiles
      ? warning(found, `raise it to ${minFiles} or more: LimitNOFILE= in the unit, or ulimit -n before the start`)
      : ok(found);
  },
});

/** The machine has free memory. */
export const memory = (minBytes = MIN_MEMORY_BYTES): Check => ({
  name: "memory",
  async run(installation) {
    const available = /^MemAvailable: +(\d+) kB/m.exec(readProc("/proc/meminfo") ?? "")?.[1];
    if (available === undefined) return skipped("the system does not show how much memory is left");
    const running = await installation.server();
    const used = /^VmRSS:\s+(\d+) kB/m.exec(readProc(`/proc/${running?.pid ?? "none"}/status`) ?? "")?.[1];
    const bytes = Number(available) * 1024;
    const ofServer = used === undefined ? "" : `, the server has ${shownSize(Number(used) * 1024)}`;
    const found = `${shownSize(bytes)} available${ofServer}`;
    return bytes < minBytes ? warning(found, "end other programs on this machine, or add memory") : ok(found);
  },
});

const MIN_REQUESTS = 1024;
/** Bun's own default. */
const REQUESTS_BY_DEFAULT = 256;

/**
 * Bun's limit of requests in flight is high enough for the media bucket. Reads no other variable of the server's
 * environment.
 */
export const httpRequests: Check = {
  name: "http-requests",
  async run(installation) {
    if (installation.config.media.kind !== "s3") return skipped("media is on a disk");
    const running = await installation.server();
    const environment = readProc(`/proc/${running?.pid ?? "none"}/environ`);
    if (environment === undefined) return skipped("no server runs whose environment this user may read");
    const most = Number(/(?:^|\0)BUN_CONFIG_MAX_HTTP_REQUESTS=(\d+)/.exec(environment)?.[1] ?? REQUESTS_BY_DEFAULT);
    const found = `the server sends the bucket at most ${most} requests at once`;
    return most < MIN_REQUESTS
      ? warning(found, "start it with BUN_CONFIG_MAX_HTTP_REQUESTS=4096 in its environment")
      : ok(found);
  },
};
