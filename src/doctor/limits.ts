import { readFileSync } from "node:fs";
import { type Check, ok, skipped, warning } from "./check.ts";
import { shownSize } from "./disk.ts";

const MIN_FILES = 4096;
const MIN_MEMORY_BYTES = 128 * 1024 * 1024;

/** What the system says of a process; undefined where it says nothing, or not to us. */
const told = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
};

/**
 * The server may hold a file open for each connection: clients, webhooks, sessions. Without a server, what this command
 * was started with.
 */
export const openFiles = (minFiles = MIN_FILES): Check => ({
  name: "open-files",
  async run(installation) {
    const running = await installation.server();
    const limits = told(`/proc/${running?.pid ?? "self"}/limits`);
    const soft = /^Max open files +(\d+|unlimited)/m.exec(limits ?? "")?.[1];
    if (soft === undefined) return skipped("the system does not tell how many files the server may open");
    const found = `${running?.pid === undefined ? "a process started here" : "the server"} may open ${soft} files`;
    return Number(soft) < minFiles
      ? warning(found, `raise it to ${minFiles} or more: LimitNOFILE= in the unit, or ulimit -n before the start`)
      : ok(found);
  },
});

/** There is memory left, and how much the server has. */
export const memory = (minBytes = MIN_MEMORY_BYTES): Check => ({
  name: "memory",
  async run(installation) {
    const available = /^MemAvailable: +(\d+) kB/m.exec(told("/proc/meminfo") ?? "")?.[1];
    if (available === undefined) return skipped("the system does not tell how much memory is left");
    const running = await installation.server();
    const held = /^VmRSS:\s+(\d+) kB/m.exec(told(`/proc/${running?.pid ?? "none"}/status`) ?? "")?.[1];
    const bytes = Number(available) * 1024;
    const found = `${shownSize(bytes)} available${held === undefined ? "" : `, the server has ${shownSize(Number(held) * 1024)}`}`;
    return bytes < minBytes ? warning(found, "end what else runs on this machine, or give it more memory") : ok(found);
  },
});

const MIN_REQUESTS = 1024;
/** What Bun allows where nothing is said. */
const REQUESTS_BY_DEFAULT = 256;

/**
 * A bucket is asked through Bun's own client, which asks so much at once and no more. Of the server's environment
 * nothing else is read out.
 */
export const httpRequests: Check = {
  name: "http-requests",
  async run(installation) {
    if (installation.config.media.kind !== "s3") return skipped("media lies on a disk");
    const running = await installation.server();
    const environment = told(`/proc/${running?.pid ?? "none"}/environ`);
    if (environment === undefined) return skipped("no server runs whose environment this user may read");
    const most = Number(/(?:^|\0)BUN_CONFIG_MAX_HTTP_REQUESTS=(\d+)/.exec(environment)?.[1] ?? REQUESTS_BY_DEFAULT);
    const found = `the server asks the bucket ${most} things at once at most`;
    return most < MIN_REQUESTS
      ? warning(found, "start it with BUN_CONFIG_MAX_HTTP_REQUESTS=4096 in its environment")
      : ok(found);
  },
};
