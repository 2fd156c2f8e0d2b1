import { spoolDirOf } from "../adapters/files.ts";
import { startApp } from "../app.ts";
import { createLog } from "../kernel/log.ts";
import { VERSION } from "../version.ts";
import { command, EXIT } from "./command.ts";
import { withConfig } from "./with-config.ts";

/** Resolves with the first of the signals that end a server. */
export const untilSignal = (): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
  });

/** A network's library writes files of messages where the system says; here they are private, and gone at the next start. */
const keepTemporaryFilesIn = (dir: string): void => {
  for (const name of ["TMPDIR", "TMP", "TEMP"]) process.env[name] = dir;
};

/**
 * Serves until it is told to stop. What fails in a network's library where nobody waits for it is one channel's trouble: all the others go on. One line on stdout says that requests are accepted, and where.
 */
export const serveCommand = command({ name: "serve", about: "serve both APIs until SIGTERM" }, (context) =>
  withConfig(context, async (config) => {
    const log = createLog(config.logLevel);
    const stopped = untilSignal();
    process.on("unhandledRejection", (reason) => log.error({ error: String(reason) }, "nobody waited for something that failed"));
    keepTemporaryFilesIn(spoolDirOf(config));
    const app = await startApp(config, { log });
    const { url, publicUrl, platformUrl, gatewayUrl } = app;
    context.out(JSON.stringify({ event: "ready", url, publicUrl, platformUrl, gatewayUrl, version: VERSION, pid: process.pid }));
    const signal = await stopped;
    log.info({ signal }, "stopping");
    await app.stop();
    log.info({}, "stopped");
    return EXIT.ok;
  }),
);
