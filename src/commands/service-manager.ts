import { type Notify, notifierTo } from "../adapters/notify.ts";
import type { App } from "../app.ts";
import { monotonicClock } from "../kernel/clock.ts";
import { reasonOf } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import type { Environment } from "../kernel/reading.ts";
import { type Proofs, startHeartbeat } from "../runtime/heartbeat.ts";
import { MOST_COUNTED, readStatusSummary, type StatusSummary, writeHeartbeat } from "../store/heartbeat.ts";

/**
 * What started this process and waits to hear of it, by systemd's protocol (sd_notify). Where nothing does, nothing is
 * told and nothing loaded.
 */
export type ServiceManager = {
  /** It may take long until the server is ready: a large database may be brought up to date. */
  starting(): void;
  /** Requests are accepted; from now on it hears that the server lives, and how it goes. */
  ready(app: Pick<App, "env" | "runner">): void;
  stopping(): void;
};

/** How long opening the database may take, in microseconds, where the unit allows less. */
const START_USEC = 10 * 60 * 1_000_000;
/** The status line is no older, while it changes. */
const STATUS_MS = 10_000;

/**
 * A fault when somebody else listens for us: Bun's server cannot take over a socket, and would listen elsewhere without
 * a word.
 */
export const socketActivationFault = ({ LISTEN_FDS: fds, LISTEN_PID: pid }: Environment): string | undefined =>
  fds && Number(fds) > 0 && (!pid || Number(pid) === process.pid)
    ? "LISTEN_FDS: Recado cannot take over sockets. Start it without a .socket unit; RECADO_LISTEN says where it listens"
    : undefined;

export const serviceManager = async (env: Environment, log: Log): Promise<ServiceManager> => {
  const notify = env["NOTIFY_SOCKET"]
    ? await notifierTo(env["NOTIFY_SOCKET"]).catch((error: unknown) => log.warn({ error: reasonOf(error) }, UNHEARD))
    : undefined;
  return notify ? managerBehind(notify, watchdogMsOf(env), log) : { starting() {}, ready() {}, stopping() {} };
};

const UNHEARD =
  "the service manager cannot be told of anything: its unit needs Type=exec, without WatchdogSec, or must allow writable code (MemoryDenyWriteExecute=no)";

/** How long the manager waits for a sign of life; undefined when it waits for none of this process. */
const watchdogMsOf = ({ WATCHDOG_USEC: usec, WATCHDOG_PID: pid }: Environment): number | undefined =>
  Number(usec) > 0 && (!pid || Number(pid) === process.pid) ? Number(usec) / 1000 : undefined;

const managerBehind = (notify: Notify, watchdogMs: number | undefined, log: Log): ServiceManager => {
  let told: string | undefined;
  let endHeartbeat = () => {};
  /**
   * READY=1 goes with every change: the first may have found no room in the socket, and a further one says nothing new.
   */
  const tellStatus = (status: string) => {
    if (status !== told && notify("READY=1", `STATUS=${status}`)) told = status;
  };

  return {
    starting: () => void notify("STATUS=opening the database", `EXTEND_TIMEOUT_USEC=${START_USEC}`),
    ready({ env, runner }) {
      process.on("SIGHUP", () =>
        log.warn({}, "nothing is read anew while Recado serves: restart it to change settings"),
      );
      tellStatus("ready");
      const proofs: Proofs = {
        "the database": () => env.db.write((tx) => writeHeartbeat(tx, env.clock.now())),
        "the runner of jobs": () => runner.caughtUp(),
      };
      // a server that is away is not brought back by starting its nodes anew: of those nothing is asked but that they
      // go on
      const asked = watchdogMs === undefined || env.db.isShared ? {} : proofs;
      endHeartbeat = startHeartbeat({
        // the manager's time is moved neither by a test nor by whoever sets the machine's clock
        clock: monotonicClock(),
        everyMs: Math.min(STATUS_MS, (watchdogMs ?? Number.POSITIVE_INFINITY) / 3),
        proofs: asked,
        beat() {
          if (watchdogMs !== undefined) notify("WATCHDOG=1");
          env.db.read(readStatusSummary).then(
            (statusSummary) => tellStatus(statusOf(statusSummary)),
            (error: unknown) => tellStatus(`serving; its state cannot be read: ${reasonOf(error)}`),
          );
        },
        missed(faults) {
          log.error({ faults }, "the watchdog gets no sign of life");
          tellStatus(faults.join("; "));
        },
      });
    },
    stopping() {
      endHeartbeat();
      notify("STOPPING=1", "STATUS=finishing what is in hand");
    },
  };
};

const counted = (count: number): string => (count < MOST_COUNTED ? String(count) : `${MOST_COUNTED} or more`);

const statusOf = ({ connected, connecting, queue }: StatusSummary): string =>
  `${counted(connected)} ${connected === 1 ? "channel" : "channels"} connected, ${counted(connecting)} connecting, queue ${counted(queue)}`;
