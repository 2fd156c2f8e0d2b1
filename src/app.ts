import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compiledPlugins } from "../plugins/index.ts";
import { createFiles } from "./adapters/files.ts";
import { createHttp } from "./adapters/http.ts";
import { CHANNEL_KINDS, type ChannelPlugin } from "./contract/plugin.ts";
import { createRegistry } from "./core/channels/registry.ts";
import { createSupervisor } from "./core/channels/supervisor.ts";
import type { Env } from "./core/env.ts";
import { createEventStream } from "./core/events/stream.ts";
import { receiveEvents } from "./core/inbound.ts";
import { cronLines, JOB_KINDS, type JobPayloads } from "./core/jobs.ts";
import { forgetDrafts } from "./core/messaging/templates.ts";
import { createKeyUse } from "./core/tenancy/key-use.ts";
import { createRateLimiter } from "./core/tenancy/limits.ts";
import { gatewayFace } from "./faces/gateway/face.ts";
import { gatewayRenderer } from "./faces/gateway/render.ts";
import { platformFace } from "./faces/platform/face.ts";
import { platformRenderer } from "./faces/platform/render.ts";
import type { FaceEnv } from "./faces/shared/face-env.ts";
import { type AdvancingClock, systemClock } from "./kernel/clock.ts";
import { type Addresses, addressesOf, type Config, readConfig } from "./kernel/config.ts";
import { tokensOf } from "./kernel/crypto.ts";
import { newId } from "./kernel/ids.ts";
import { createLog, type Log } from "./kernel/log.ts";
import { systemRandom } from "./kernel/random.ts";
import { type Listener, listen, placeOf, routeBetween } from "./listener.ts";
import { loadPlugins } from "./plugin-loader.ts";
import { startCron } from "./runtime/cron.ts";
import { createEnqueuer } from "./runtime/jobs.ts";
import { createRunner, type Runner } from "./runtime/runner.ts";
import { createTurns } from "./runtime/turns.ts";
import { databasePath, forgetServing, localTokenFrom, noteServing, type Serving, secretsFor } from "./setup.ts";
import { type Db, openDatabase } from "./store/db.ts";
import { readMeta, writeMeta } from "./store/tenants.ts";
import { commitOf, VERSION } from "./version.ts";

/** A running Recado. */
export type App = Addresses & {
  /** The address it listens on. */
  url: string;
  env: FaceEnv;
  runner: Runner;
  /** Stops accepting, finishes requests and jobs for at most 20 s, closes everything. */
  stop(): Promise<void>;
};

/**
 * `simulated`: the simulator serves every kind of channel and answers what it is sent; what `recado demo` shows. `clock`: the time to go by
 * instead of the machine's. `plugins`: adapters that serve their kinds in place of those compiled in.
 */
export type AppOptions = { log: Log; simulated?: boolean; clock?: AdvancingClock; plugins?: readonly ChannelPlugin[] };

const GRACE_MS = 20_000;
const MAX_DOWNLOADS_PER_KIND = 64;
const MAX_UPLOADS_PER_TENANT = 4;
const CLOCK_OFFSET = "test-clock-offset-ms";

const clockOf = async (config: Config, db: Db): Promise<AdvancingClock> =>
  systemClock(config.isTestClock ? Number((await db.read((reader) => readMeta(reader, CLOCK_OFFSET))) ?? 0) : 0);

/** Webhooks of both of Meta's networks come to one address, signed with the secret of either app. */
const pluginsCompiledIn = ({ meta, instagram, whatsappWeb }: Config, simulated: boolean): readonly ChannelPlugin[] => {
  const { url, root, sendsPerMinute: perMinute } = whatsappWeb;
  return compiledPlugins({
    session: { url, root: root && Buffer.from(root).toString("hex"), perMinute },
    waba: { ...meta, otherSecrets: instagram.appSecrets },
    social: { ...instagram, otherSecrets: meta.appSecrets, verifyToken: meta.verifyToken, graphVersion: meta.graphVersion },
    simulator: { echo: simulated },
  });
};

/** Opens the database, puts everything together, gives back what an earlier process left, and listens. */
export const startApp = async (config: Config, { log, simulated = false, clock: givenClock, plugins: given = [] }: AppOptions): Promise<App> => {
  const path = databasePath(config);
  const compiledIn = [...given, ...pluginsCompiledIn(config, simulated).filter(({ kind }) => !given.some((one) => one.kind === kind))];
  const plugins = [...compiledIn, ...(await loadPlugins(config.pluginDir, compiledIn))];
  const onFatal = (error: unknown) => {
    log.error({ error: String(error) }, "the database failed; the process ends so that it starts anew");
    process.exit(1);
  };
  const db = openDatabase(path, { nowMs: systemClock().now(), onFatal });
  const clock = givenClock ?? (await clockOf(config, db));
  let port = config.listen.port;
  const { env, runner } = compose(config, { log, simulated, db, clock, plugins, gatewayUrl: () => addressesOf(config, port).gatewayUrl });
  await forgetDrafts(env);
  const host = config.listen.host.includes(":") ? `[${config.listen.host}]` : config.listen.host;
  let handle = routeBetween([]);
  const listener = listen(config.listen, () => handle, clock);
  port = listener.port;
  const addresses = addressesOf(config, port);
  handle = routeBetween(mountFaces(env, addresses));
  await runner.start();
  const stopCron = startCron(cronLines(env.jobs), env);
  await env.supervisor.start();
  const url = `http://${host}:${listener.port}`;
  noteServing(config, servingAt(url, addresses.gatewayUrl));
  return { ...addresses, url, env, runner, stop: () => stop({ config, env, runner, listener, stopCron }) };
};

/** The gateway as this machine reaches it, whatever its public address is. */
const servingAt = (url: string, gatewayUrl: string): Serving => {
  const { host, pathname } = new URL(gatewayUrl);
  return { gatewayUrl: url + pathname.replace(/\/$/, ""), host };
};

type Parts = { log: Log; simulated: boolean; db: Db; clock: AdvancingClock; plugins: readonly ChannelPlugin[]; gatewayUrl(): string };

/** The composition: every port of the Env, wired once. */
const compose = (config: Config, { log, simulated, db, clock, plugins, gatewayUrl }: Parts): { env: FaceEnv; runner: Runner } => {
  const random = systemRandom();
  const secrets = secretsFor(config, random);
  const registry = createRegistry(plugins, { for: simulated ? CHANNEL_KINDS : [] });
  const supervisor = createSupervisor(
    () => env,
    (tx, place, events) => receiveEvents(env, tx, place, events),
  );
  const runner = createRunner<Env, JobPayloads>({ db, clock, log, boot: newId({ clock, random }), kinds: JOB_KINDS, env: () => env });
  const env: FaceEnv = {
    clock,
    random,
    log,
    config,
    db,
    secrets,
    tokens: tokensOf(secrets.derive("user-tokens"), clock),
    http: createHttp({ allow: config.outboundAllow, extraCa: config.extraCa }),
    files: createFiles(config),
    jobs: createEnqueuer<JobPayloads>(JOB_KINDS, { now: clock.now, wake: runner.wake }),
    registry,
    supervisor,
    renderers: { gateway: gatewayRenderer(gatewayUrl), platform: platformRenderer },
    gatewayUrl,
    stream: createEventStream(),
    keyUse: createKeyUse({ clock, db, log }),
    beingAccepted: new Set(),
    downloads: createTurns(MAX_DOWNLOADS_PER_KIND),
    uploads: createTurns(MAX_UPLOADS_PER_TENANT),
    limiter: createRateLimiter(),
    rates: config.rates,
    adminToken: config.adminToken,
    localToken: localTokenFrom(secrets),
    version: { version: VERSION, commit: commitOf(), startedAt: clock.now() },
    readiness: () => readiness(env, runner),
    advanceClock: config.isTestClock ? (byMs) => advance({ clock, db, runner }, byMs) : undefined,
  };
  return { env, runner };
};

/** What a command does without serving: the same composition, with nothing running. Throws DatabaseInUse while a server runs on the database. */
export const composeOffline = async (config: Config, log: Log): Promise<{ env: FaceEnv; close(): Promise<void> }> => {
  const db = openDatabase(databasePath(config), {
    nowMs: systemClock().now(),
    onFatal: (error) => {
      throw error;
    },
  });
  const { gatewayUrl } = addressesOf(config, config.listen.port);
  const { env } = compose(config, { log, simulated: false, db, clock: await clockOf(config, db), plugins: pluginsCompiledIn(config, false), gatewayUrl: () => gatewayUrl });
  return {
    env,
    async close() {
      await db.close();
      env.http.close();
    },
  };
};

/** An API's description as a server with the default settings serves it. */
export const descriptionOf = async (api: "platform" | "gateway"): Promise<unknown> => {
  const dataDir = mkdtempSync(join(tmpdir(), "recado-description-"));
  try {
    const read = readConfig({ RECADO_DATA_DIR: dataDir });
    if (!read.ok) throw new Error(read.faults.join("; "));
    const { env, close } = await composeOffline(read.config, createLog("error"));
    const mounts = mountFaces(env, addressesOf(read.config, read.config.listen.port));
    const response = await routeBetween(mounts)(new Request(`http://localhost/${api}/openapi.json`));
    await close();
    return await response.json();
  } finally {
    rmSync(dataDir, { recursive: true });
  }
};

const mountFaces = (env: FaceEnv, addresses: Addresses) => {
  const gateway = placeOf(addresses.gatewayUrl, addresses);
  const platform = placeOf(addresses.platformUrl, addresses);
  const gatewayApp = gatewayFace(env, { prefix: gateway.prefix, url: addresses.gatewayUrl });
  const platformApp = platformFace(env, { prefix: platform.prefix, url: addresses.platformUrl });
  return [
    { ...gateway, handle: gatewayApp.compile().fetch },
    { ...platform, handle: platformApp.compile().fetch },
  ];
};

const hasWorked = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

const readiness = async ({ db, files }: Env, runner: Runner) => {
  const [database, storage] = await Promise.all([hasWorked(db.read((reader) => readMeta(reader, "ready"))), hasWorked(files.store.check())]);
  return { database, cache: runner.isRunning, storage };
};

/** The offset is on disk before anything happens by the new time, so that a restart does not go back behind it. */
const advance = async ({ clock, db, runner }: { clock: AdvancingClock; db: Db; runner: Runner }, byMs: number): Promise<number> => {
  await db.write((tx) => writeMeta(tx, CLOCK_OFFSET, String(clock.offsetMs + byMs)));
  clock.advance(byMs);
  await runner.caughtUp();
  return clock.now();
};

type Started = { config: Config; env: FaceEnv; runner: Runner; listener: Listener; stopCron(): void };

const stop = async ({ config, env, runner, listener, stopCron }: Started): Promise<void> => {
  stopCron();
  env.stream.end();
  env.supervisor.endWaits();
  await Promise.all([listener.stop(GRACE_MS), runner.stop(GRACE_MS)]);
  await env.supervisor.stop();
  await env.keyUse.flush();
  forgetServing(config);
  await env.db.close();
  env.http.close();
};
