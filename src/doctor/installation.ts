import { statSync } from "node:fs";
import { type Resolve, resolveName } from "../adapters/http/addresses.ts";
import { certificateEnd } from "../adapters/http/certificates.ts";
import { createHttp, type OutboundHttp } from "../adapters/http/http.ts";
import type { HttpResult } from "../contract/ports/http.ts";
import { withTimeout } from "../kernel/async.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import type { Config } from "../kernel/settings/config.ts";
import { databaseFile } from "../setup.ts";
import { type Inspection, inspectFile, inspectServer } from "../store/engine/inspection.ts";
import { committedAt } from "../version.ts";
import { type Adapter, type Upstream, upstreamsInUse } from "./network/upstreams.ts";
import { type RunningServer, serverOf } from "./server.ts";

/** An upstream with its answer. */
export type Answered = Upstream & { result: HttpResult; atMs: number };

/** The usable adapters, the faults of the others, and variables that belong to no adapter. */
export type FoundAdapters = {
  plugins: readonly Adapter[];
  unavailable: readonly { fault: string }[];
  unowned: readonly string[];
};

/** The things that checks examine. Each part is read once, however many checks need it. */
export type Installation = {
  config: Config;
  /** The machine's own clock, not the test clock. */
  clock: Clock;
  http: OutboundHttp;
  /** When this program was made; undefined if unknown. */
  builtAt(): number | undefined;
  /** The database, opened for reading; rejects when it cannot be read, undefined if there is none yet. */
  database(): Promise<Inspection | undefined>;
  /** The server of this data directory; undefined if none runs. */
  server(): Promise<RunningServer | undefined>;
  /** The adapters of a server with these settings; rejects when it would not start with their folder. */
  adapters(): Promise<FoundAdapters>;
  /** The upstreams in use. */
  upstreams(): Promise<readonly Upstream[]>;
  /** Asks an upstream; further calls get the same answer. */
  ask(upstream: Upstream): Promise<Answered>;
  /** When the certificate of an https address expires, in ms since the epoch. */
  certificateEnd(url: string): Promise<number>;
  close(): Promise<void>;
};

/** The machine's clock and resolver of names. `builtAt`: when the program on it was made. */
export type Machine = { clock?: Clock; resolve?: Resolve; builtAt?: () => number | undefined };

const CONNECT_MS = 3000;
const OPEN_MS = 4000;

const once = <Value>(get: () => Promise<Value>): (() => Promise<Value>) => {
  let value: Promise<Value> | undefined;
  return () => (value ??= get());
};

const openedFor = async (config: Config): Promise<Inspection | undefined> => {
  const path = databaseFile(config);
  if (path === undefined) return inspectServer({ url: config.databaseUrl, token: config.databaseToken });
  // throws if it may not be read: a database that this user may not see is not missing
  return statSync(path, { throwIfNoEntry: false }) ? inspectFile(path) : undefined;
};

/** The installation of a configuration. Reads nothing before a check needs it. */
export const installationOf = (
  config: Config,
  adapters: () => Promise<FoundAdapters>,
  { clock = systemClock(), resolve = resolveName, builtAt = committedAt }: Machine = {},
): Installation => {
  const http = createHttp({
    allow: config.outboundAllow,
    extraCa: config.extraCa,
    connectTimeoutMs: CONNECT_MS,
    resolve,
  });
  const opened = once(() =>
    withTimeout(OPEN_MS, openedFor(config), { message: `no answer within ${OPEN_MS / 1000} s` }),
  );
  const asked = new Map<string, Promise<Answered>>();
  const ask = async (upstream: Upstream): Promise<Answered> => {
    const result = await upstream.ask(installation);
    return { ...upstream, result, atMs: clock.now() };
  };
  const installation: Installation = {
    config,
    clock,
    builtAt,
    http,
    database: opened,
    server: once(() => serverOf(config)),
    adapters: once(adapters),
    upstreams: once(() => upstreamsInUse(installation)),
    ask(upstream) {
      const answer = asked.get(upstream.name) ?? ask(upstream);
      asked.set(upstream.name, answer);
      return answer;
    },
    certificateEnd: (url) => certificateEnd(url, config.extraCa, resolve),
    async close() {
      http.close();
      (await opened().catch(() => undefined))?.close(); // the check `database` has reported the error
    },
  };
  return installation;
};
