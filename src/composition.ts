import { statfsSync } from "node:fs";
import { compiledPlugins } from "../plugins/index.ts";
import { type OwnRates, readRates } from "../plugins/waba/rates/rates.ts";
import { createProcessor } from "./adapters/billing/processor.ts";
import { createBrokerTarget } from "./adapters/brokers/broker-target.ts";
import { createBackups } from "./adapters/files/backups.ts";
import { createFiles } from "./adapters/files/files.ts";
import { deliveryTargets } from "./adapters/http/delivery-targets.ts";
import { createHttp, type OutboundHttp } from "./adapters/http/http.ts";
import { createHttpTarget } from "./adapters/http/http-target.ts";
import { measuredHttp } from "./adapters/http/measured-http.ts";
import { createProxies } from "./adapters/http/proxies.ts";
import { OF_FILES } from "./adapters/late-files.ts";
import { createMailer } from "./adapters/mailer.ts";
import { lateLlm } from "./adapters/models/late-llm.ts";
import { createVoice, type Voice } from "./adapters/voice/voice.ts";
import type { GatewayEnv } from "./apis/gateway/env.ts";
import type { MetricsEnv } from "./apis/metrics.ts";
import type { PlatformEnv } from "./apis/platform/env.ts";
import { createBodyIntake } from "./apis/shared/http/body-intake.ts";
import { standardHeaders } from "./apis/shared/standard-webhooks.ts";
import { audiencesOf } from "./audiences.ts";
import type { ChannelPlugin } from "./contract/plugin.ts";
import { createOwners } from "./core/channels/links/owners.ts";
import { createRegistry } from "./core/channels/links/registry.ts";
import { createSupervisor } from "./core/channels/links/supervisor.ts";
import { createChatwootTarget } from "./core/chatwoot/target.ts";
import { signatureHeaders } from "./core/domain-event.ts";
import type { Env } from "./core/env.ts";
import { createPlaces } from "./core/events/places.ts";
import { createEventStream } from "./core/events/stream.ts";
import { createGroupRequests } from "./core/groups/requests.ts";
import { receiveEvents } from "./core/inbound.ts";
import { JOBS, type JobPayloads } from "./core/jobs.ts";
import { openKept } from "./core/media/kept.ts";
import { react } from "./core/reactions.ts";
import type { ScrapedFiles } from "./core/scrape.ts";
import { createActivity } from "./core/tenancy/accounts/activity.ts";
import { createLastingLimiter } from "./core/tenancy/accounts/lasting-limiter.ts";
import { createKeyUse } from "./core/tenancy/keys/key-use.ts";
import { createPasswords } from "./core/tenancy/sign-in/passwords.ts";
import { createRefusals, type Refusals } from "./core/tenancy/sign-in/refusals.ts";
import { createKeyedSemaphore, late, lazily } from "./kernel/async.ts";
import type { AdvancingClock, Clock } from "./kernel/clock.ts";
import type { PasswordCost } from "./kernel/crypto.ts";
import { type Secrets, tokensOf } from "./kernel/crypto.ts";
import { reasonOf } from "./kernel/errors.ts";
import { newId } from "./kernel/ids.ts";
import { countedLog, type Log } from "./kernel/log.ts";
import type { Metrics } from "./kernel/metrics.ts";
import { type Addresses, addressesOf } from "./kernel/network/addresses.ts";
import { type Random, systemRandom } from "./kernel/random.ts";
import type { Environment } from "./kernel/reading.ts";
import type { Config } from "./kernel/settings/config.ts";
import { adaptersIn, type GuardedFolder, installedAs } from "./loading/folder.ts";
import { machineOf } from "./machine.ts";
import { nodeOf } from "./node.ts";
import { createDistributedLock } from "./runtime/distributed-lock.ts";
import { createEnqueuer, type Enqueuer } from "./runtime/jobs.ts";
import type { LivingNode } from "./runtime/node.ts";
import { createRunner, type Runner } from "./runtime/runner.ts";
import { backupSource, ConfigFault, databaseFile, localTokenFrom } from "./setup.ts";
import { localDraft } from "./store/backup/backup.ts";
import { backupKeyOf } from "./store/backup/backup-key.ts";
import type { Db } from "./store/engine/db.ts";
import { readMeta } from "./store/tables/meta.ts";
import { touchConsoleSession } from "./store/tables/tenancy/console-sessions.ts";
import { advance } from "./test-clock.ts";
import { commitOf, VERSION } from "./version.ts";

const MAX_DOWNLOADS_PER_KIND = 64;
const MAX_UPLOADS_PER_TENANT = 4;
const MAX_LLM_CALLS_PER_TENANT = 2;
/** Documents that wait to be read are in memory, 10 MB each at most. */
const MAX_DOCUMENTS_FETCHED = 16;
const MAX_DOCUMENTS_READ = 2;

/** The compiled-in adapters. The two Meta adapters share a webhook address, and know the secrets of both apps. */
export const pluginsCompiledIn = (config: Config, simulated: boolean): readonly ChannelPlugin[] => {
  const { meta, instagram, whatsappWeb } = config;
  const { root, sendsPerMinute: perMinute, broadcasts: receives, newChatsADay: chatsADay, ...session } = whatsappWeb;
  const { version, versionSource: source } = whatsappWeb;
  return compiledPlugins({
    session: {
      ...session,
      root: root && Buffer.from(root).toString("hex"),
      perMinute,
      receives,
      chatsADay,
      client: { version, source },
    },
    waba: {
      ...meta,
      otherSecrets: instagram.appSecrets,
      gatewayUrl: addressesOf(config, config.listen.port).gatewayUrl,
      rates: ownRates(meta),
    },
    social: {
      ...instagram,
      otherSecrets: meta.appSecrets,
      verifyToken: meta.verifyToken,
      webhookClientHeader: meta.webhookClientHeader,
      graphVersion: meta.graphVersion,
    },
    simulator: { echo: simulated, reviews: simulated },
  });
};

const ownRates = ({ rates }: Config["meta"]): OwnRates | undefined => {
  try {
    return rates === undefined ? undefined : readRates(rates);
  } catch (error) {
    throw new ConfigFault(`RECADO_META_RATES: ${reasonOf(error)}`);
  }
};

/** The adapters of a process. Everything beside `plugins` is about the operator's folder. */
export type Adapters = { plugins: readonly ChannelPlugin[] } & GuardedFolder;

/**
 * All adapters for these settings: the compiled-in ones, replaced by those of `given` with the same kind, then those of
 * the operator's folder. Unusable adapters of the folder are listed beside them.
 *
 * @throws ConfigFault for an unusable file of prices.
 */
export const adaptersFor = async (
  config: Config,
  { simulated = false, given = [] }: { simulated?: boolean; given?: readonly ChannelPlugin[] } = {},
): Promise<Adapters> => {
  const compiledIn = pluginsCompiledIn(config, simulated).map(
    (own) => given.find(({ kind }) => kind === own.kind) ?? own,
  );
  const known = [...compiledIn, ...given.filter((one) => !compiledIn.includes(one))];
  const folder = await adaptersIn(config.pluginDir, known, config.adapterEnv, {
    tried: late(async () => (await import("./adapters/machine/adapter-trial.ts")).tryAdapters),
  });
  return { ...folder, plugins: [...known, ...folder.loaded.map(({ plugin }) => plugin)] };
};

/** The whole environment of this process: what the core, the APIs and the pages need. */
export type ServerEnv = GatewayEnv & PlatformEnv & MetricsEnv & { jobs: Enqueuer<JobPayloads> };

/**
 * The parts of a composition. `onLost`: called when other nodes have taken over this one's jobs and channels.
 * `checkClock`: called every 2 s if other nodes share the database.
 */
export type Parts = {
  log: Log;
  metrics: Metrics;
  simulated: boolean;
  db: Db;
  secrets: Secrets;
  clock: AdvancingClock;
  /** @default the system's */
  random?: Random;
  passwordCost?: PasswordCost | undefined;
  adapters: Adapters;
  /** Replaces the client of all outgoing requests. */
  outbound?: OutboundHttp | undefined;
  /** The environment that the configuration was read from: the doctor reads it again, and the settings are shown. */
  environment?: Environment | undefined;
  addresses(): Addresses;
  onLost(): void;
  checkClock?: (() => Promise<void>) | undefined;
};

/** Wires every port of the environment; starts nothing. */
export const compose = (
  config: Config,
  {
    log: plainLog,
    metrics,
    simulated,
    db,
    secrets,
    clock,
    random = systemRandom(),
    passwordCost,
    adapters,
    outbound,
    environment,
    addresses,
    onLost,
    checkClock = async () => {},
  }: Parts,
): { env: ServerEnv; runner: Runner; node: LivingNode } => {
  const log = countedLog(plainLog, (level) => metrics.count("recado_log_lines_total", { level }));
  const registry = registryOf(adapters, { clock, log, metrics, simulated });
  const supervisor = createSupervisor(
    () => env,
    (tx, channel, events) => receiveEvents(env, tx, channel, events),
  );
  const processId = newId({ clock, random });
  const node = nodeOf({ config, db, log, processId, onLost, checkClock, env: () => env, runner: () => runner });
  const runner = createRunner<Env, JobPayloads>({ db, clock, log, metrics, node, kinds: JOBS, env: () => env });
  const stream = createEventStream({ db, node, log });
  const scraping = lazily(async () =>
    (await import("./core/scrape.ts")).createScrape(() => env, {
      running: () => runner.running,
      bodyBytes: () => env.intake.bytes,
      files: filesOf(config),
    }),
  );
  const env: ServerEnv = {
    clock,
    random,
    log,
    metrics,
    config,
    db,
    secrets,
    ...tokensFor(config, { secrets, clock }),
    ...clientsOf(config, { clock, metrics, outbound }, () => env),
    ...storageOf(config, { db, secrets, metrics }),
    jobs: createEnqueuer<JobPayloads>(JOBS, { now: clock.now, intake: runner.intake, isShared: db.isShared }),
    registry,
    node,
    owners: createOwners({ db, node }),
    supervisor,
    ...linksTo(addresses, config, () => env),
    ...aboutMachine(config, { clock, metrics, environment }),
    places: createPlaces(db.isShared ? { most: 0 } : {}),
    stream,
    endStreams: stream.end,
    react: (tx, published) => react(env, tx, published),
    ...useOf({ clock, db, log }),
    groupRequests: createGroupRequests(clock),
    beingAccepted: new Set(),
    ...remembered(),
    openClaims: new Set(),
    ...semaphoresOf({ clock, db, node, log, passwordCost, refusals: createRefusals({ clock, log }) }),
    ...limitsOf(config, { clock, db, log, node }),
    readiness: () => readiness(env, runner, config),
    scrape: async () => (await scraping())(),
    advanceClock: config.isTestClock ? (byMs, by) => advance(env, by, { clock, runner }, byMs) : undefined,
  };
  return { env, runner, node };
};

/** Data in memory: until the database takes it, or for as long as the process lives. */
const remembered = (): Pick<ServerEnv, "rememberedAlerts" | "unsentTries" | "templateLists"> => ({
  rememberedAlerts: new Map(),
  unsentTries: new Map(),
  templateLists: new Map(),
});

/** The adapters of all kinds, with their metrics at 0. Those of the operator's folder are guarded. */
const registryOf = (
  { plugins, guard, loaded, unavailable }: Adapters,
  { simulated, ...ports }: Pick<Parts, "clock" | "log" | "metrics" | "simulated">,
): ServerEnv["registry"] => {
  const guarded = plugins.map((plugin) => {
    const from = loaded.find((one) => one.plugin === plugin);
    return from && guard ? guard(plugin, { ...ports, hosts: from.hosts }) : plugin;
  });
  const registry = createRegistry(guarded, { isSimulated: simulated, installed: loaded.map(installedAs), unavailable });
  for (const { kind, endings = [] } of registry.adapters)
    for (const reason of endings) ports.metrics.count("recado_link_endings_total", { kind, reason }, 0);
  return registry;
};

/** The last use of keys and sessions, and the counts of events. */
const useOf = (ports: { clock: Clock; db: Db; log: Log }): Pick<ServerEnv, "keyUse" | "sessionUse" | "activity"> => ({
  activity: createActivity(ports),
  keyUse: createKeyUse(ports),
  sessionUse: createKeyUse({ ...ports, touch: touchConsoleSession }),
});

/** The makers and checkers of tokens. */
const tokensFor = (
  { adminToken }: Config,
  { secrets, clock }: Pick<Parts, "secrets" | "clock">,
): Pick<ServerEnv, "tokens" | "adminToken" | "localToken"> => ({
  tokens: tokensOf(secrets, clock),
  adminToken,
  localToken: localTokenFrom(secrets),
});

/** The clients of customers' addresses and of the operator's services, each counted under its own label. */
const clientsOf = (
  { outboundAllow, extraCa, processor, mail }: Config,
  {
    clock,
    metrics,
    outbound = createHttp({ allow: outboundAllow, extraCa }),
  }: Pick<Parts, "clock" | "metrics" | "outbound">,
  env: () => ServerEnv,
): Pick<ServerEnv, "http" | "target" | "llm" | "processor" | "mailer" | "proxies"> => {
  const httpTo = (peer: string) => measuredHttp(outbound, metrics, peer);
  const http = { ...outbound, ...httpTo("customer"), to: httpTo };
  return {
    http,
    target: deliveryTargets(
      createHttpTarget({ http, clock }),
      createBrokerTarget({ http: outbound, extraCa }),
      createChatwootTarget(env),
    ),
    llm: lateLlm(httpTo("llm"), clock),
    processor: createProcessor({ ...processor, version: VERSION }, httpTo("processor")),
    mailer: createMailer(mail),
    proxies: createProxies(outbound, extraCa),
  };
};

/** Files, documents and backups. */
const storageOf = (
  config: Config,
  { db, secrets, metrics }: Pick<Parts, "db" | "secrets" | "metrics">,
): Pick<ServerEnv, "files" | "backups" | keyof typeof OF_FILES | keyof Voice | "openKeptFile"> => {
  const { backup, dataDir } = config;
  const from = backupSource(config);
  const files = createFiles(config, metrics);
  return {
    files,
    backups:
      backup &&
      createBackups({
        ...backup,
        from,
        dataDir,
        key: backupKeyOf(secrets),
        draftOf: (what) => localDraft(from, dataDir, what),
      }),
    ...OF_FILES,
    ...createVoice(files),
    openKeptFile: (tenantId, handle) => openKept({ db, files }, tenantId, handle),
  };
};

/** The data about this machine for operators, and the needs of notices to them. */
const aboutMachine = (
  config: Config,
  { clock, metrics, environment = {} }: Pick<Parts, "clock" | "metrics" | "environment">,
): Pick<ServerEnv, "disk" | "machine" | "signed" | "version"> => ({
  version: buildOf(clock, metrics),
  machine: machineOf(config, environment, filesOf(config)),
  disk() {
    const { bavail, blocks, bsize } = statfsSync(config.dataDir);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  },
  signed: ({ id, body, secret }) =>
    secret === undefined
      ? {}
      : {
          ...signatureHeaders("X-Gateway-Signature", { body, secret, previousSecret: undefined }),
          ...standardHeaders({
            eventId: id,
            eventType: "trouble",
            body,
            secret,
            previousSecret: undefined,
            attempt: 1,
            atMs: clock.now(),
          }),
        },
});

/** The version, the commit and the start of this process; also a metric. */
const buildOf = (clock: Clock, metrics: Metrics): ServerEnv["version"] => {
  const commit = commitOf();
  metrics.set("recado_build_info", [[{ version: VERSION, commit }, 1]]);
  return { version: VERSION, commit, startedAt: clock.now() };
};

/** Limits of requests that apply before their handlers. */
const limitsOf = (
  { bodies, rates }: Config,
  ports: { clock: AdvancingClock; db: Db; log: Log; node: LivingNode },
): Pick<ServerEnv, "intake" | "limiter" | "rates"> => ({
  intake: createBodyIntake(bodies, ports.clock),
  limiter: createLastingLimiter(ports),
  rates,
});

/** URLs of this server, which are known once it listens. */
const linksTo = (
  addresses: () => Addresses,
  { isConsoleOn }: Config,
  env: () => ServerEnv,
): Pick<ServerEnv, "audiences" | "cloudUrl" | "gatewayUrl" | "linkTo" | "pairingPage" | "passkeyPage"> => {
  const gatewayUrl = () => addresses().gatewayUrl;
  return {
    audiences: audiencesOf(env, addresses),
    gatewayUrl,
    cloudUrl: () => addresses().cloudUrl,
    passkeyPage: (token) => `${addresses().publicUrl}/pairing/passkey/${token}`,
    pairingPage: (token) => (isConsoleOn ? `${addresses().consoleUrl}/pair/${token}` : undefined),
    linkTo: (page, token) => `${addresses().consoleUrl}/${page}?token=${token}`,
  };
};

/** Semaphores and locks: for work that needs much memory, and for work that must not run twice at once. */
const semaphoresOf = (ports: {
  clock: Clock;
  db: Db;
  node: LivingNode;
  log: Log;
  passwordCost: PasswordCost | undefined;
  refusals: Refusals;
}): Pick<
  Env,
  | "passwords"
  | "refusals"
  | "llmTurns"
  | "fetching"
  | "reading"
  | "downloads"
  | "uploads"
  | "charging"
  | "callActs"
  | "templateSyncs"
> => ({
  refusals: ports.refusals,
  passwords: createPasswords({ ...ports, cost: ports.passwordCost }),
  llmTurns: createKeyedSemaphore(MAX_LLM_CALLS_PER_TENANT),
  fetching: createKeyedSemaphore(MAX_DOCUMENTS_FETCHED),
  reading: createKeyedSemaphore(MAX_DOCUMENTS_READ),
  downloads: createKeyedSemaphore(MAX_DOWNLOADS_PER_KIND),
  uploads: createKeyedSemaphore(MAX_UPLOADS_PER_TENANT),
  charging: createDistributedLock("charging", ports),
  callActs: createDistributedLock("calls", ports),
  templateSyncs: createKeyedSemaphore(),
});

/** The files whose sizes are metrics; a database on a server has none here. */
const filesOf = (config: Config): ScrapedFiles => {
  const database = databaseFile(config);
  return { dataDir: config.dataDir, ...(database === undefined ? {} : { database, wal: `${database}-wal` }) };
};

const readiness = async ({ db, files }: Env, runner: Runner, { mustBeDurable }: Pick<Config, "mustBeDurable">) => {
  const asked = [db.read((reader) => readMeta(reader, "ready")), files.store.check()];
  const [database, storage] = (await Promise.allSettled(asked)).map(({ status }) => status === "fulfilled");
  const isDurable = db.isDurable === true || !mustBeDurable;
  return { database: database === true && isDurable, cache: runner.isRunning, storage: storage === true };
};
