import { tempDirOf } from "../../adapters/files/files.ts";
import { restartWith } from "../../adapters/machine/exec.ts";
import { giveMemoryBack } from "../../adapters/machine/memory.ts";
import { type App, startApp } from "../../app.ts";
import { monotonicClock } from "../../kernel/clock.ts";
import { reasonOf } from "../../kernel/errors.ts";
import { createLog, type Log } from "../../kernel/log.ts";
import { createMetrics } from "../../kernel/metrics.ts";
import type { Environment } from "../../kernel/reading.ts";
import type { Config } from "../../kernel/settings/config.ts";
import { startRest } from "../../runtime/rest.ts";
import { ConfigFault } from "../../setup.ts";
import { shrinkCaches } from "../../store/engine/shrink.ts";
import { clockFault, SET_CLOCK } from "../../store/laws/clock-fault.ts";
import { committedAt, VERSION } from "../../version.ts";
import { command, EXIT } from "../command.ts";
import { untilSignal } from "../signals.ts";
import { withConfig } from "../with-config.ts";
import { runtimeSettings } from "./runtime-settings.ts";
import { serviceManager, socketActivationFault } from "./service-manager.ts";
import { watchUncaught } from "./uncaught.ts";

/** Moves the temporary files of libraries to a private folder, which the next start empties: some hold messages. */
const keepTemporaryFilesIn = (dir: string): void => {
  for (const name of ["TMPDIR", "TMP", "TEMP"]) process.env[name] = dir;
};

/** Restarts this process with the settings of the runtime that fit the machine and the configuration. */
const fitRuntime = async (config: Config, env: Environment, log: Log): Promise<void> => {
  const missing = runtimeSettings(config, env, process.constrainedMemory());
  if (Object.keys(missing).length === 0) return;
  await restartWith({ ...env, ...missing }).catch((error: unknown) =>
    log.warn(
      { error: reasonOf(error) },
      `the runtime keeps its own limits: set ${Object.entries(missing)
        .map(([name, value]) => `${name}=${value}`)
        .join(" ")}`,
    ),
  );
};

/**
 * Serves until SIGTERM or SIGINT; a second signal ends it at once, and so does a signal while it starts. A rejection or
 * an exception that no code handles, as in a network's library, is logged and ends nothing. One line of JSON on stdout
 * gives the address when requests are accepted.
 */
export const serveCommand = command({ name: "serve", about: "serve both APIs until SIGTERM" }, (context) =>
  withConfig(context, async (config) => {
    const fault = socketActivationFault(context.env);
    if (fault !== undefined) throw new ConfigFault(fault);
    const log = createLog(config.logLevel);
    await fitRuntime(config, context.env, log);
    const stopped = untilSignal();
    const metrics = createMetrics();
    watchUncaught(config.pluginDir, { clock: monotonicClock(), log, metrics });
    keepTemporaryFilesIn(tempDirOf(config));
    const manager = await serviceManager(context.env, log);
    manager.starting();
    let rest: ReturnType<typeof startRest> | undefined;
    const starting = startApp(config, { log, metrics, environment: context.env, onWork: () => rest?.worked() });
    const app = await Promise.race([starting, stopped.then((signal) => ({ signal }))]);
    if ("signal" in app) return endedAtStart(log, app.signal);
    await warnOfClock(app.env, log);
    const { url, publicUrl, platformUrl, gatewayUrl, setupUrl } = app;
    context.out(
      JSON.stringify({
        event: "ready",
        url,
        publicUrl,
        platformUrl,
        gatewayUrl,
        setupUrl,
        version: VERSION,
        pid: process.pid,
      }),
    );
    if (setupUrl !== undefined) context.err(`Set up Recado: ${setupUrl}`);
    manager.ready(app);
    rest = startRest({ clock: monotonicClock(), giveBack: () => giveBack(app.env, log) });
    const signal = await stopped;
    const secondSignal = untilSignal();
    log.info({ signal }, "stopping");
    manager.stopping();
    rest.stop();
    return Promise.race([app.stop().then(() => ended(log)), secondSignal.then((second) => endAtOnce(log, second))]);
  }),
);

/**
 * Logs a wrong clock, which would go unnoticed: after a power cut, a machine without a clock of its own starts years
 * ago.
 */
const warnOfClock = async ({ db, clock }: App["env"], log: Log): Promise<void> => {
  const times = { nowMs: clock.now(), builtAt: committedAt() };
  const fault = await db.read((reader) => clockFault(reader, times));
  if (fault !== undefined) log.warn({}, `${fault}: ${SET_CLOCK}`);
};

/** Gives memory back: SQLite's caches, garbage, and memory that native libraries have freed. */
const giveBack = async ({ db }: App["env"], log: Log): Promise<void> => {
  const before = process.memoryUsage.rss();
  try {
    await shrinkCaches(db);
    await giveMemoryBack();
    log.debug({ bytes: before - process.memoryUsage.rss() }, "memory was given back");
  } catch (error) {
    log.warn({ error: reasonOf(error) }, "memory could not be given back");
  }
};

const ended = (log: Log): number => {
  log.info({}, "stopped");
  return EXIT.ok;
};

/** The work that the start waits for, such as an adapter's file or a database, is left as after a crash. */
const endedAtStart = (log: Log, signal: string): number => {
  log.info({ signal }, "ended while it started");
  return EXIT.ok;
};

const endAtOnce = (log: Log, signal: string): number => {
  log.warn({ signal }, "ended before all requests and jobs were finished; the next start runs those jobs again");
  return EXIT.fault;
};
