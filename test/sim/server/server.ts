import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, startApp } from "../../../src/app.ts";
import type { ServerEnv } from "../../../src/composition.ts";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { createLog } from "../../../src/kernel/log.ts";
import { readConfig } from "../../../src/kernel/settings/config.ts";
import { mountApis } from "../../../src/mounts.ts";
import type { Chance } from "./chance.ts";
import { type Disk, type DiskFaults, type Image, openDisk } from "./disk.ts";
import { listener, type Machine, type Serving } from "./machine.ts";
import type { Network } from "./network.ts";

export const ADMIN_TOKEN = "Zk3vQ8w2Lr9TnB5xYp7HsD4c";
export const APP_SECRET = "the-meta-app-secret-of-the-simulation";
export const GRAPH_URL = "https://graph.example";
const PORT = 8080;

/** What a caller got. Undefined where no answer came: whether the request was carried out is not known. */
export type Answer = { status: number; text: string; body: any };
export type Call = { method?: string; headers?: Record<string, string>; body?: unknown; raw?: string };
export type Death = "killed" | "power cut";

/** The process of the server, on a simulated machine. It is started again whenever it dies. */
export type Server = {
  readonly isUp: boolean;
  readonly app: App | undefined;
  readonly log: readonly string[];
  /** How often it died, and how. */
  readonly deaths: readonly string[];
  /** A request over the simulated port. */
  ask(path: string, call?: Call): Promise<Answer | undefined>;
  /** It dies at the operation so many from now. */
  killAt(operations: number, how: Death): void;
  /** It does not die of its own or ours any more. */
  spare(): void;
  /** Ends it in good order, and starts it again. */
  restart(): Promise<void>;
  start(): void;
  /** Ends it in good order. */
  stop(): Promise<Image>;
  /** Ends everything, without an order. */
  drop(): void;
};

/** Nothing of it is in the data directory but what a start makes there. */
export const config = (() => {
  const read = readConfig({
    RECADO_DATA_DIR: mkdtempSync(join(tmpdir(), "recado-simulation-")),
    RECADO_LISTEN: `127.0.0.1:${PORT}`,
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    RECADO_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
    RECADO_META_APP_SECRET: APP_SECRET,
    RECADO_META_VERIFY_TOKEN: "the-verify-token-of-the-simulation",
    RECADO_META_GRAPH_URL: GRAPH_URL,
    RECADO_ADDRESS_RATE: "1000000",
    RECADO_GATEWAY_RATE: "1000000",
    RECADO_GATEWAY_SEND_RATE: "1000000",
    RECADO_UPDATE_URL: "off",
  });
  if (!read.ok) throw new Error(read.faults.join("\n"));
  return read.config;
})();

const PASSWORD_COST = { memoryCost: 8, timeCost: 1, parallelism: 1 };
const RESTART_MS = 1000;

/** The process is dead: whatever it still tries fails. */
export class Dead extends Error {}

let mounted: { env: ServerEnv; handle: ReturnType<typeof mountApis> } | undefined;

/** Mounting takes most of a start. The APIs keep nothing of a process but its environment, which is replaced. */
const mount: typeof mountApis = (env, addresses, parts) => {
  if (mounted) Object.assign(mounted.env, env);
  else mounted = { env, handle: mountApis(env, addresses, parts) };
  return mounted.handle;
};

type Parts = {
  machine: Machine;
  chance: Chance;
  network: Network;
  faults: DiskFaults;
  folder: string;
  image: Image;
  seed: number;
  /** Called with an error that no server may have. */
  onWrong(what: string): void;
};

type Process = { id: number; disk: Disk; app?: App; handle?: Serving };

const PEER = { requestIP: () => ({ address: "127.0.0.1", port: 1, family: "IPv4" }) };

/** Has the listener answer, as the runtime does: by the route with so many segments. */
const answerOf = async (handle: Serving | undefined, request: Request): Promise<Response | undefined> => {
  const parts = new URL(request.url).pathname.split("/").slice(1);
  const route = handle?.routes[`/${parts.map((_, index) => `:p${index}`).join("/")}`];
  const params = Object.fromEntries(parts.map((part, index) => [`p${index}`, part]));
  return route?.(Object.assign(request, { params }), PEER);
};

export const createServer = (parts: Parts): Server => {
  const { machine, chance, network, faults, folder, seed, onWrong } = parts;
  const deaths: string[] = [];
  const log: string[] = [];
  const waiting = new Set<(answer: undefined) => void>();
  let image = parts.image;
  let starts = 0;
  let alive: Process | undefined;
  let deathIn: { operations: number; how: Death } | undefined;

  const die = (process: Process, how: Death, where: string) => {
    if (alive !== process) return;
    machine.note(`${how} at ${where}`);
    deaths.push(`${how} at ${where}`);
    image = process.disk.image(how, chance);
    alive = undefined;
    deathIn = undefined;
    machine.endProcess();
    network.forget();
    for (const resolve of waiting) resolve(undefined);
    waiting.clear();
    machine.after(chance.between(1, RESTART_MS), "start", () => {
      process.disk.abandon();
      start();
    });
  };
  /** An operation of this process: whether it is its last. */
  const isLast = (process: Process, what: string): boolean => {
    if (alive !== process) return true;
    if (!deathIn || --deathIn.operations > 0) return false;
    die(process, deathIn.how, what);
    return true;
  };

  const start = () => {
    if (alive) return;
    const process = { id: ++starts } as Process;
    alive = process;
    const operation = (what: string) => {
      machine.note(what.length > 40 ? String(Bun.hash.crc32(what)) : what);
      if (isLast(process, what)) throw new Dead("the process is dead");
    };
    process.disk = openDisk(folder, image, { machine, faults, operation });
    const onFatal = (error: unknown): never => {
      die(process, chance.isHit(1 / 2) ? "killed" : "power cut", `its end: ${String(error)}`);
      throw new Dead("the process is dead");
    };
    const whenStarted = (app: App) => {
      if (alive !== process) return;
      process.app = app;
      const handle = listener();
      if (handle) process.handle = handle;
    };
    const whenRefused = (error: unknown) => {
      if (alive !== process) return;
      if (!faults.isFull && faults.failed === 0) onWrong(`the server does not start: ${String(error)}`);
      die(process, "killed", `its start: ${String(error)}`);
    };
    startApp(config, {
      log: createLog("warn", { write: (line) => void log.push(`${process.id} ${line.trim()}`) }),
      random: seededRandom(Bun.hash.crc32(`${starts}`, seed >>> 0)),
      passwordCost: PASSWORD_COST,
      machine: {
        disk: process.disk.opened,
        network: network.clientOf((what) => isLast(process, what)),
        onFatal,
        mount,
      },
    }).then(whenStarted, whenRefused);
  };

  const ask: Server["ask"] = async (path, { method, headers = {}, body, raw } = {}) => {
    const process = alive;
    if (!process?.handle || isLast(process, `request ${path}`)) return undefined;
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const request = new Request(`http://127.0.0.1:${PORT}${path}`, {
      method: method ?? (text === undefined ? "GET" : "POST"),
      headers: {
        host: `127.0.0.1:${PORT}`,
        ...(text === undefined
          ? {}
          : { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
    });
    const answered = (async () => {
      const response = await answerOf(process.handle, request);
      if (!response) return undefined;
      const said = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json") === true && said !== "";
      return { status: response.status, text: said, body: isJson ? JSON.parse(said) : undefined };
    })();
    if (alive !== process) return undefined; // it died while it began
    return new Promise((resolve, reject) => {
      waiting.add(resolve);
      answered.then((answer) => {
        if (waiting.delete(resolve)) resolve(answer);
      }, reject);
    });
  };

  const stop = async (): Promise<Image> => {
    const process = alive;
    if (!process?.app) throw new Error("nothing runs that could be stopped");
    await process.app.stop();
    if (alive !== process) return image;
    image = process.disk.closed();
    alive = undefined;
    machine.endProcess();
    network.forget();
    for (const resolve of waiting) resolve(undefined);
    waiting.clear();
    return image;
  };

  return {
    get isUp() {
      return alive?.handle !== undefined;
    },
    get app() {
      return alive?.app;
    },
    log,
    deaths,
    ask,
    killAt(operations, how) {
      deathIn = { operations, how };
    },
    spare() {
      deathIn = undefined;
    },
    async restart() {
      if (!alive?.app) return;
      const before = alive;
      await stop();
      if (alive === undefined && starts === before.id) start();
    },
    start,
    stop,
    drop() {
      const process = alive;
      alive = undefined;
      machine.endProcess();
      process?.disk.abandon();
    },
  };
};
