import { startAnew } from "../adapters/exec.ts";
import { tempDirOf } from "../adapters/files.ts";
import { startApp } from "../app.ts";
import type { Config } from "../kernel/config.ts";
import { reasonOf } from "../kernel/errors.ts";
import { createLog, type Log } from "../kernel/log.ts";
import type { Environment } from "../kernel/reading.ts";
import { ConfigFault } from "../setup.ts";
import { VERSION } from "../version.ts";
import { command, EXIT } from "./command.ts";
import { serviceManager, socketActivationFault } from "./service-manager.ts";
import { untilSignal } from "./signals.ts";
import { withConfig } from "./with-config.ts";

/**
 * A network's library writes files of messages where the system says; here they are private, and gone at the next
 * start.
 */
const keepTemporaryFilesIn = (dir: string): void => {
  for (const name of ["TMPDIR", "TMP", "TEMP"]) process.env[name] = dir;
};

/**
 * Requests that Bun's own client has in flight at once; by itself it takes no more than 256, and the media store is
 * reached through it.
 */
const MAX_HTTP_REQUESTS = "BUN_CONFIG_MAX_HTTP_REQUESTS";

/**
 * Bun reads that limit before the program runs, so that a server whose unit has not set it starts itself anew with it.
 */
const withoutHttpLimit = async ({ media }: Config, env: Environment, log: Log): Promise<void> => {
  if (media.kind !== "s3" || env[MAX_HTTP_REQUESTS] !== undefined) return;
  await startAnew({ ...env, [MAX_HTTP_REQUESTS]: "4096" }).catch((error: unknown) =>
    log.warn(
      { error: reasonOf(error) },
      `at most 256 requests to the media store at once: set ${MAX_HTTP_REQUESTS}=4096`,
    ),
  );
};

/**
 * Serves until it is told to stop; told again, it ends at once. What fails in a network's library where nobody waits
 * for it is one channel's trouble: all the others go on. One line on stdout says that requests are accepted, and where.
 */
export const serveCommand = command({ name: "serve", about: "serve both APIs until SIGTERM" }, (context) =>
  withConfig(context, async (config) => {
    const fault = socketActivationFault(context.env);
    if (fault !== undefined) throw new ConfigFault(fault);
    const log = createLog(config.logLevel);
    await withoutHttpLimit(config, context.env, log);
    const stopped = untilSignal();
    process.on("unhandledRejection", (reason) =>
      log.error({ error: String(reason) }, "nobody waited for something that failed"),
    );
    keepTemporaryFilesIn(tempDirOf(config));
    const manager = await serviceManager(context.env, log);
    manager.starting();
    const app = await startApp(config, { log });
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
    const signal = await stopped;
    const again = untilSignal();
    log.info({ signal }, "stopping");
    manager.stopping();
    return Promise.race([app.stop().then(() => ended(log)), again.then((second) => cutShort(log, second))]);
  }),
);

const ended = (log: Log): number => {
  log.info({}, "stopped");
  return EXIT.ok;
};

const cutShort = (log: Log, signal: string): number => {
  log.warn({ signal }, "ended before everything in hand was finished; the next start takes it up");
  return EXIT.fault;
};
