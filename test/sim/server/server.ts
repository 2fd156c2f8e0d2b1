// The server of a simulation: one process on a simulated machine, which dies and starts again. Its promises:
//
// - At most one process lives. It starts again within a second after its death, until `abandon`.
// - A process dies at an operation, never between two: each use of the disk, of the network and of the port is one.
//   `planDeath` counts operations, so the same seed dies at the same place.
// - After its death a process changes nothing: what it still tries fails with `Dead`, and its late answers are lost.
// - The disk of the next process has what the death left: all that was written after a kill, and after a power cut
//   all that was synced and a torn part of the rest.
// - A death leaves each open request without an answer. The caller does not know whether it was carried out.
// - A server that refuses to start is wrong, unless the disk is full or has failed.

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

/** What a caller got. Undefined if no answer came: whether the request was carried out is not known. */
export type Answer = { status: number; text: string; body: any };
export type Call = { method?: string; headers?: Record<string, string>; body?: unknown; raw?: string };
export type Death = "killed" | "power cut";

export type Server = {
  /** Whether the process takes requests now. */
  readonly isUp: boolean;
  /** The app of the process that lives; undefined while none has started. */
  readonly app: App | undefined;
  readonly log: readonly string[];
  /** How and where each process died, oldest first. */
  readonly deaths: readonly string[];
  /** A request over the simulated port; an operation of the process that takes it. */
  ask(path: string, call?: Call): Promise<Answer | undefined>;
  /** The process dies at its n-th operation from now: 1 is the next one. Replaces an earlier plan. */
  planDeath(operations: number, how: Death): void;
  /** Drops the plan: from now on a process dies only of a fatal fault of its disk. */
  cancelDeath(): void;
  /** Starts a process on the disk that the last one left; nothing while a process lives. */
  start(): void;
  /** Ends the process in good order. Resolves with what it leaves on the disk. @throws while no app has started */
  stop(): Promise<Image>;
  /** Ends the process in good order, and starts the next one; nothing while no app has started. */
  restart(): Promise<void>;
  /** Ends the simulation: the process is gone without an order, and no other follows. */
  abandon(): void;
};

/** The settings of every process. The data directory has only what a start makes there. */
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

/** `app` and `handle`: since the process has started. */
type Process = { readonly id: number; disk: Disk; app?: App; handle?: Serving };

type State = {
  readonly parts: Omit<Parts, "image">;
  readonly deaths: string[];
  readonly log: string[];
  /** The callers of open requests. */
  readonly callers: Set<(answer: Answer | undefined) => void>;
  /** What is on the disk while no process lives. */
  image: Image;
  /** How many processes have been started. */
  starts: number;
  alive: Process | undefined;
  plan: { operationsLeft: number; how: Death } | undefined;
};

const PEER = { requestIP: () => ({ address: "127.0.0.1", port: 1, family: "IPv4" }) };

/** The answer of the listener, which the runtime finds by the route with so many segments. */
const responseTo = async (handle: Serving | undefined, request: Request): Promise<Response | undefined> => {
  const parts = new URL(request.url).pathname.split("/").slice(1);
  const route = handle?.routes[`/${parts.map((_, index) => `:p${index}`).join("/")}`];
  const params = Object.fromEntries(parts.map((part, index) => [`p${index}`, part]));
  return route?.(Object.assign(request, { params }), PEER);
};

export const createServer = ({ image, ...parts }: Parts): Server => {
  const self: State = {
    parts,
    deaths: [],
    log: [],
    callers: new Set(),
    image,
    starts: 0,
    alive: undefined,
    plan: undefined,
  };
  return {
    get isUp() {
      return self.alive?.handle !== undefined;
    },
    get app() {
      return self.alive?.app;
    },
    log: self.log,
    deaths: self.deaths,
    ask: (path, call = {}) => ask(self, path, call),
    planDeath(operations, how) {
      self.plan = { operationsLeft: operations, how };
    },
    cancelDeath() {
      self.plan = undefined;
    },
    start: () => start(self),
    stop: () => stop(self),
    restart: () => restart(self),
    abandon() {
      const process = self.alive;
      self.alive = undefined;
      parts.machine.endProcess();
      process?.disk.abandon();
    },
  };
};

/** No process lives any more. What it had open is gone: its timers, its connections and the requests of its callers. */
const endOpenWork = ({ parts: { machine, network }, callers }: State): void => {
  machine.endProcess();
  network.forget();
  for (const resolve of callers) resolve(undefined);
  callers.clear();
};

/** A process dies; nothing if it is dead already. The next one starts within a second. */
const die = (self: State, process: Process, how: Death, where: string): void => {
  if (self.alive !== process) return;
  const { machine, chance } = self.parts;
  machine.note(`${how} at ${where}`);
  self.deaths.push(`${how} at ${where}`);
  self.image = process.disk.image(how, chance);
  self.alive = undefined;
  self.plan = undefined;
  endOpenWork(self);
  machine.after(chance.between(1, RESTART_MS), "start", () => {
    process.disk.abandon();
    start(self);
  });
};

/** Counts an operation of a process. True if it is dead, or dies of this operation. */
const isLast = (self: State, process: Process, what: string): boolean => {
  if (self.alive !== process) return true;
  const { plan } = self;
  if (!plan || --plan.operationsLeft > 0) return false;
  die(self, process, plan.how, what);
  return true;
};

/** The disk of a process, whose every use is an operation of it. */
const diskOf = (self: State, process: Process): Disk => {
  const { machine, faults, folder } = self.parts;
  const operation = (what: string) => {
    machine.note(what.length > 40 ? String(Bun.hash.crc32(what)) : what);
    if (isLast(self, process, what)) throw new Dead("the process is dead");
  };
  return openDisk(folder, self.image, { machine, faults, operation });
};

const start = (self: State): void => {
  if (self.alive) return;
  const { chance, faults, network, seed, onWrong } = self.parts;
  const process = { id: ++self.starts } as Process; // its disk names it
  self.alive = process;
  process.disk = diskOf(self, process);
  const onFatal = (error: unknown): never => {
    die(self, process, chance.isHit(1 / 2) ? "killed" : "power cut", `its end: ${String(error)}`);
    throw new Dead("the process is dead");
  };
  const whenStarted = (app: App) => {
    if (self.alive !== process) return;
    process.app = app;
    const handle = listener();
    if (handle) process.handle = handle;
  };
  const whenRefused = (error: unknown) => {
    if (self.alive !== process) return;
    if (!faults.isFull && faults.failed === 0) onWrong(`the server does not start: ${String(error)}`);
    die(self, process, "killed", `its start: ${String(error)}`);
  };
  startApp(config, {
    log: createLog("warn", { write: (line) => void self.log.push(`${process.id} ${line.trim()}`) }),
    random: seededRandom(Bun.hash.crc32(`${self.starts}`, seed >>> 0)),
    passwordCost: PASSWORD_COST,
    machine: {
      disk: process.disk.opened,
      network: network.clientOf((what) => isLast(self, process, what)),
      onFatal,
      mount,
    },
  }).then(whenStarted, whenRefused);
};

const stop = async (self: State): Promise<Image> => {
  const process = self.alive;
  if (!process?.app) throw new Error("nothing runs that could be stopped");
  await process.app.stop();
  if (self.alive !== process) return self.image; // it died of its stop
  self.image = process.disk.closed();
  self.alive = undefined;
  endOpenWork(self);
  return self.image;
};

const restart = async (self: State): Promise<void> => {
  const process = self.alive;
  if (!process?.app) return;
  await stop(self);
  if (self.alive === undefined && self.starts === process.id) start(self); // else it died, and starts by itself
};

const requestOf = (path: string, { method, headers = {}, body, raw }: Call): Request => {
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const host = `127.0.0.1:${PORT}`;
  const ofBody =
    text === undefined ? {} : { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) };
  return new Request(`http://${host}${path}`, {
    method: method ?? (text === undefined ? "GET" : "POST"),
    headers: { host, ...ofBody, ...headers },
    ...(text === undefined ? {} : { body: text }),
  });
};

const answerTo = async (handle: Serving | undefined, request: Request): Promise<Answer | undefined> => {
  const response = await responseTo(handle, request);
  if (!response) return undefined;
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true && text !== "";
  return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined };
};

const ask = async (self: State, path: string, call: Call): Promise<Answer | undefined> => {
  const process = self.alive;
  if (!process?.handle || isLast(self, process, `request ${path}`)) return undefined;
  const answered = answerTo(process.handle, requestOf(path, call));
  if (self.alive !== process) return undefined; // it died while it began
  return new Promise((resolve, reject) => {
    self.callers.add(resolve);
    answered.then((answer) => {
      if (self.callers.delete(resolve)) resolve(answer);
    }, reject);
  });
};
