import { writeSync } from "node:fs";
import type { OutboundHttp } from "./adapters/http/http.ts";
import { type Adapters, adaptersFor, compose, type ServerEnv } from "./composition.ts";
import type { HandOver } from "./console/server/hand-over.ts";
import type { ChannelPlugin } from "./contract/plugin.ts";
import { beginBackups } from "./core/backups.ts";
import { beginClosing } from "./core/billing/invoices/closing.ts";
import { settleAdapters } from "./core/channels/links/adapters.ts";
import { renewAddresses } from "./core/channels/links/webhook-addresses.ts";
import { giveBackUnsent } from "./core/messaging/sending/unsent.ts";
import { forgetDrafts } from "./core/messaging/templates/templates.ts";
import { renewSetupLink } from "./core/tenancy/people/first-start.ts";
import { cronLines } from "./core/timetable.ts";
import { hasEndedWithin } from "./kernel/async.ts";
import { type AdvancingClock, type Cancel, systemClock } from "./kernel/clock.ts";
import type { PasswordCost } from "./kernel/crypto.ts";
import { reasonOf } from "./kernel/errors.ts";
import type { Log } from "./kernel/log.ts";
import { createMetrics, type Metrics } from "./kernel/metrics.ts";
import { type Addresses, addressesOf } from "./kernel/network/addresses.ts";
import { rangesOf } from "./kernel/network/networks.ts";
import { type Random, systemRandom } from "./kernel/random.ts";
import type { Environment } from "./kernel/reading.ts";
import type { Config } from "./kernel/settings/config.ts";
import { isLoopbackUrl } from "./kernel/settings/setting-kinds.ts";
import { type Handle, type Listener, listen } from "./listener.ts";
import { PluginFault } from "./loading/folder.ts";
import { reportFolder } from "./loading/report.ts";
import { openSecrets, refuseStale } from "./master-key.ts";
import { type MakeApi, mountApis } from "./mounts.ts";
import { startCron } from "./runtime/cron.ts";
import type { LivingNode } from "./runtime/node.ts";
import type { Runner } from "./runtime/runner.ts";
import { databaseLocation, forgetServing, makeDataDirectory, noteServing, type Serving } from "./setup.ts";
import type { Db, OpenedFiles } from "./store/engine/db.ts";
import { databaseAhead } from "./store/engine/inspection.ts";
import { openStore } from "./store/engine/open.ts";
import { observing, placeOfDatabase, reporting } from "./store-reports.ts";
import { clockOf } from "./test-clock.ts";

/** A running Recado. */
export type App = Addresses & {
  /** The address it listens on. */
  url: string;
  /** The link of the first set-up, which works once within half an hour; undefined when an account exists. */
  setupUrl: string | undefined;
  env: ServerEnv;
  runner: Runner;
  /** Stops accepting requests, finishes requests and jobs, closes all links, each for a bounded time, then the rest. */
  stop(): Promise<void>;
};

/**
 * `simulated`: the simulator serves every kind of channel and answers messages, as in `recado demo`. `clock`: replaces
 * the machine's. `plugins`: replace the compiled-in adapters of their kinds. `random`: replaces the system's.
 * `passwordCost`: the cost of hashing a new password. `makeApi`: makes each API. Only tests set the last three.
 */
export type AppOptions = {
  log: Log;
  simulated?: boolean;
  clock?: AdvancingClock;
  plugins?: readonly ChannelPlugin[];
  random?: Random;
  passwordCost?: PasswordCost;
  makeApi?: MakeApi;
  /**
   * The environment that the configuration was read from. Without it the admin API shows no settings, and its doctor
   * knows none.
   */
  environment?: Environment;
  /** Called for every request and for every group of writes. */
  onWork?: () => void;
  /** A session that a link of the console opens once. Only the demo offers one. */
  handOver?: HandOver;
  machine?: SimulatedMachine;
  /** The metrics from before the start, if there are any. */
  metrics?: Metrics;
};

/**
 * Replaces the disk, the network and the end of the process. `mount`: mounts the APIs, or makes those of an earlier
 * process serve the given environment.
 */
export type SimulatedMachine = {
  disk: OpenedFiles;
  network: OutboundHttp;
  onFatal(error: unknown): void;
  mount: typeof mountApis;
};

/** The maximum time of a stop: requests and jobs may finish in the rest after closing the links. */
const STOP_MS = 20_000;
/** A link closes within 5 s. */
const CLOSING_MS = 6_000;
const GRACE_MS = STOP_MS - CLOSING_MS;

type Opening = { log: Log; metrics: Metrics; random: Random; onWork(): void; machine?: SimulatedMachine | undefined };

const openServerStore = async (config: Config, { log, metrics, random, onWork, machine }: Opening) => {
  const observer = observing({ metrics, log, onWork, place: placeOfDatabase(config) });
  const db = await openStore(databaseLocation(config), {
    nowMs: systemClock().now(),
    onFatal: machine?.onFatal ?? endFor,
    opened: machine?.disk,
    observer,
    ...reporting(log),
  });
  const secrets = await openSecrets(db, config, random).catch(closing(db));
  forgetServing(config); // of a server that was killed
  return { db, secrets, takeFull: observer.takeFull };
};

/** Opens the database, composes the process, releases the jobs of an earlier one, and listens. */
export const startApp = async (config: Config, options: AppOptions): Promise<App> => {
  const {
    log,
    simulated = false,
    clock: givenClock,
    plugins: given = [],
    random = systemRandom(),
    passwordCost,
    onWork = () => {},
    machine,
    metrics = createMetrics(),
  } = options;
  makeDataDirectory(config);
  const adapters = await adaptersFor(config, { simulated, given });
  refuseFaulty(config, adapters);
  reportFolder(adapters, log);
  const { db, secrets, takeFull } = await openServerStore(config, { log, metrics, random, onWork, machine });
  const clock = givenClock ?? (await clockOf(config, db));
  const checkClock = givenClock === undefined && !config.isTestClock ? checkingClock(db, clock, log) : undefined;
  let port = config.listen.port;
  const onLost = () => endFor("other nodes have taken over the jobs and channels of this one");
  const ports = { log, metrics, simulated, db, secrets, clock, random };
  const { env, runner, node } = compose(config, {
    ...ports,
    passwordCost,
    adapters,
    outbound: machine?.network,
    environment: options.environment,
    addresses: () => addressesOf(config, port),
    onLost,
    checkClock,
  });
  // on a shared database drafts may be those of other nodes: there they expire
  if (!db.isShared) await forgetDrafts(env);
  await beginClosing(env);
  await beginBackups(env);
  await env.limiter.resume();
  await env.stream.begin();
  const setupToken = await renewSetupLink(env);
  const host = config.listen.host.includes(":") ? `[${config.listen.host}]` : config.listen.host;
  const mount = machine?.mount ?? mountApis;
  let handle: Handle = () => Response.json({ error: "starting" }, { status: 503, headers: { "retry-after": "2" } });
  const listener = listen({ ...config.listen, isTrusted: rangesOf(config.trustedProxies) }, () => handle, clock);
  port = listener.port;
  const addresses = addressesOf(config, port);
  const url = `http://${host}:${listener.port}`;
  await node.enter(nodeUrlOf(config, url));
  await refuseStale(db, secrets);
  const parts = { ...config, handOver: options.handOver, makeApi: options.makeApi };
  handle = notingWork(mount({ ...env, db: db.replicaReads }, addresses, parts), onWork);
  await runner.start();
  const stopCron = await startTimetable(env, config, takeFull);
  await settleAdapters(env);
  await env.supervisor.start();
  await renewAddresses(env);
  noteServing(config, servingAt(url, addresses.gatewayUrl));
  const setupUrl = setupToken && `${addresses.consoleUrl}/setup?token=${setupToken}`;
  return {
    ...addresses,
    url,
    setupUrl,
    env,
    runner,
    stop() {
      // the APIs with all their routes end with the server
      const dropApis = () => void (handle = () => new Response(null, { status: 503 }));
      return stop({ config, env, runner, node, listener, stopCron }, dropApis);
    },
  };
};

/** @throws PluginFault with every fault, if the operator wants all adapters or none. */
const refuseFaulty = ({ plugins }: Config, { unavailable, unowned }: Adapters): void => {
  const faults = [...unavailable.map(({ fault }) => fault), ...unowned];
  if (plugins === "strict" && faults.length > 0) throw new PluginFault(faults.join("\n"));
};

/** The same handle, which reports each request first. */
const notingWork =
  (handle: Handle, onWork: () => void): Handle =>
  (request) => {
    onWork();
    return handle(request);
  };

/** Starts the jobs at fixed times, and the watch that needs no database. */
const startTimetable = async (env: ServerEnv, config: Config, takeFull: () => boolean): Promise<Cancel> => {
  const { watchStorage } = await import("./core/alerts/watching.ts");
  const cancels = [
    startCron(cronLines(env), env),
    watchStorage(
      { ...env, config },
      { isReady: async () => Object.values(await env.readiness()).every(Boolean), takeFull },
    ),
  ];
  return () => {
    for (const cancel of cancels) cancel();
  };
};

/** The address of the gateway on this machine, with the host of its public address. */
const servingAt = (url: string, gatewayUrl: string): Serving => {
  const { host, pathname } = new URL(gatewayUrl);
  return { gatewayUrl: url + pathname.replace(/\/$/, ""), host };
};

/** Ends the process, so that its manager restarts it. Writes to stderr directly, because the log is asynchronous. */
const endFor = (error: unknown): never => {
  writeSync(process.stderr.fd, `recado: ${reasonOf(error)}; the process ends, to be restarted\n`);
  process.exit(1);
};

/**
 * Logs a wrong clock of the machine. The check ends the process when the clock was set since: a new start reads it
 * again.
 */
const checkingClock = (db: Db, { offsetMs, now }: AdvancingClock, log: Log): (() => Promise<void>) => {
  if (offsetMs !== 0)
    log.error(
      { aheadMs: -offsetMs },
      "the clock of this machine differs from the database's, whose time is used; synchronise both by NTP",
    );
  let wasWrong = false;
  return async () => {
    const isWrong = (await db.read((reader) => databaseAhead(reader, now))) !== 0;
    // an answer may be late while a clock is set a little, so that one look proves nothing
    if (isWrong && wasWrong) endFor("the clock of this machine or of the database's was set");
    wasWrong = isWrong;
  };
};

const closing =
  (db: Db) =>
  async (fault: unknown): Promise<never> => {
    await db.close();
    throw fault;
  };

/**
 * Composes the process for a command, without running anything.
 *
 * @throws DatabaseInUse while a server runs on the database.
 */
export const composeOffline = async (config: Config, log: Log): Promise<{ env: ServerEnv; close(): Promise<void> }> => {
  const db = await openStore(databaseLocation(config), {
    nowMs: systemClock().now(),
    onFatal: (error) => {
      throw error;
    },
  });
  const secrets = await openSecrets(db, config, systemRandom()).catch(closing(db));
  const addresses = () => addressesOf(config, config.listen.port);
  const onLost = () => {}; // it takes no lease
  const { env } = compose(config, {
    log,
    metrics: createMetrics(),
    simulated: false,
    db,
    secrets,
    clock: await clockOf(config, db),
    adapters: await adaptersFor(config).catch(closing(db)),
    addresses,
    onLost,
  });
  return {
    env,
    async close() {
      await env.activity.stop(); // counts in memory are not written once the database is closed
      await env.keyUse.flush();
      await env.sessionUse.flush();
      await db.close();
      env.target.close();
      env.http.close();
    },
  };
};

/**
 * The address of this node for other nodes: the configured one, else its listening address; null if that is not
 * reachable.
 */
const nodeUrlOf = ({ nodeUrl, databaseUrl }: Config, url: string): string | null => {
  if (nodeUrl !== undefined) return nodeUrl;
  const isEverywhere = ["0.0.0.0", "[::]"].includes(new URL(url).hostname);
  return isEverywhere || (isLoopbackUrl(url) && !isLoopbackUrl(databaseUrl)) ? null : url;
};

type Started = {
  config: Config;
  env: ServerEnv;
  runner: Runner;
  node: LivingNode;
  listener: Listener;
  stopCron(): void;
};

/**
 * Runs the steps in order, each also after a failed one, and throws the first failure. Steps that wait for nothing take
 * no turn of the loop: the grace of a stop begins when it is asked for.
 */
const inOrder = async (steps: readonly (() => unknown)[]): Promise<void> => {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      const done = step();
      if (done instanceof Promise) await done;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
};

const stop = ({ config, env, runner, node, listener, stopCron }: Started, dropApis: () => void): Promise<void> =>
  inOrder([
    stopCron,
    () => node.retire(),
    () => env.stream.end(),
    () => env.supervisor.endWaits(),
    () => env.backups?.stop(),
    () => Promise.all([runner.stop(GRACE_MS), listener.stop(GRACE_MS)]),
    async () => {
      if (!(await hasEndedWithin(env.clock, CLOSING_MS, env.supervisor.stop())))
        env.log.warn({}, "links of channels did not close in time: the stop goes on without them");
    },
    () => env.keyUse.flush(),
    () => env.activity.stop(),
    () => env.sessionUse.flush(),
    () =>
      giveBackUnsent(env).catch((error: unknown) =>
        env.log.error({ error: reasonOf(error) }, "sends that never left could not be given back: they are uncertain"),
      ),
    () => node.leave(),
    () => forgetServing(config),
    () => env.db.close(),
    () => env.target.close(),
    () => env.http.close(),
    dropApis,
  ]);
