import { type Notify, notifierTo } from "../../adapters/machine/notify.ts";
import type { App } from "../../app.ts";
import { monotonicClock } from "../../kernel/clock.ts";
import { reasonOf } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Environment } from "../../kernel/reading.ts";
import { type Proofs, startHeartbeat } from "../../runtime/heartbeat.ts";
import { MOST_COUNTED } from "../../store/engine/bounded-counts.ts";
import { readStatusSummary, type StatusSummary, writeHeartbeat } from "../../store/tables/heartbeat.ts";

/**
 * Notifies the service manager that started this process, by systemd's protocol
 * (https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html). Does nothing without NOTIFY_SOCKET.
 */
export type ServiceManager = {
  /** Asks for more time to start: migrating a large database may take long. */
  starting(): void;
  /** Reports readiness, then the watchdog's signs of life and a status line. */
  ready(app: Pick<App, "env" | "runner">): void;
  stopping(): void;
};

/** The maximum time for opening the database, in microseconds. */
const START_USEC = 10 * 60 * 1_000_000;
/** How often the status line is updated. */
const STATUS_MS = 10_000;

/**
 * The fault of a unit with socket activation; undefined without it. Bun's server cannot take over a socket, and would
 * silently listen elsewhere.
 */
export const socketActivationFault = ({ LISTEN_FDS: fds, LISTEN_PID: pid }: Environment): string | undefined =>
  fds && Number(fds) > 0 && (!pid || Number(pid) === process.pid)
    ? "LISTEN_FDS: Recado cannot take over sockets. Start it without a .socket unit; RECADO_LISTEN sets the address"
    : undefined;

export const serviceManager = async (env: Environment, log: Log): Promise<ServiceManager> => {
  const notify = env["NOTIFY_SOCKET"]
    ? await notifierTo(env["NOTIFY_SOCKET"]).catch((error: unknown) =>
        log.warn({ error: reasonOf(error) }, CANNOT_NOTIFY),
      )
    : undefined;
  return notify ? managerBehind(notify, watchdogMsOf(env), log) : { starting() {}, ready() {}, stopping() {} };
};

const CANNOT_NOTIFY = [
  "the service manager cannot be notified: its unit needs Type=exec without WatchdogSec,",
  "or must allow writable code (MemoryDenyWriteExecute=no)",
].join(" ");

/** The time that the manager waits for a sign of life, in ms; undefined without a watchdog for this process. */
const watchdogMsOf = ({ WATCHDOG_USEC: usec, WATCHDOG_PID: pid }: Environment): number | undefined =>
  Number(usec) > 0 && (!pid || Number(pid) === process.pid) ? Number(usec) / 1000 : undefined;

const managerBehind = (notify: Notify, watchdogMs: number | undefined, log: Log): ServiceManager => {
  let shown: string | undefined;
  let endHeartbeat = () => {};
  /** READY=1 is part of every message, because the socket may have been full for the first one. */
  const showStatus = (status: string) => {
    if (status !== shown && notify("READY=1", `STATUS=${status}`)) shown = status;
  };

  return {
    starting: () => void notify("STATUS=opening the database", `EXTEND_TIMEOUT_USEC=${START_USEC}`),
    ready({ env, runner }) {
      process.on("SIGHUP", () => log.warn({}, "settings are read only at the start: restart Recado to change them"));
      showStatus("ready");
      const proofs: Proofs = {
        "the database": () => env.db.write((tx) => writeHeartbeat(tx, env.clock.now())),
        "the runner of jobs": () => runner.caughtUp(),
      };
      // restarting a node does not bring back its database server
      const asked = watchdogMs === undefined || env.db.isShared ? {} : proofs;
      endHeartbeat = startHeartbeat({
        // neither the test clock nor a change of the machine's clock may move the watchdog
        clock: monotonicClock(),
        everyMs: Math.min(STATUS_MS, (watchdogMs ?? Number.POSITIVE_INFINITY) / 3),
        proofs: asked,
        onAlive() {
          if (watchdogMs !== undefined) notify("WATCHDOG=1");
          env.db.read(readStatusSummary).then(
            (statusSummary) => showStatus(statusOf(statusSummary)),
            (error: unknown) => showStatus(`serving; its state cannot be read: ${reasonOf(error)}`),
          );
        },
        onMissed(faults) {
          log.error({ faults }, "a check of the watchdog failed");
          showStatus(faults.join("; "));
        },
      });
    },
    stopping() {
      endHeartbeat();
      notify("STOPPING=1", "STATUS=finishing requests and jobs");
    },
  };
};

const counted = (count: number): string => (count < MOST_COUNTED ? String(count) : `${MOST_COUNTED} or more`);

const statusOf = ({ connected, connecting, queue }: StatusSummary): string => {
  const channels = `${counted(connected)} ${connected === 1 ? "channel" : "channels"} connected`;
  return `${channels}, ${counted(connecting)} connecting, queue ${counted(queue)}`;
};
