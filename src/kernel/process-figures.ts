import { readdirSync, readFileSync } from "node:fs";
import { lazily } from "./async.ts";

/** A figure of this process. The names are those that every dashboard for this kind of program knows. */
export type ProcessFigure = { name: string; type: "counter" | "gauge"; help: string; value: number };

const LAG_RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

/** Measured only from the first scrape on, because measuring wakes the process 50 times a second. */
const delays = lazily(async () => {
  const { monitorEventLoopDelay } = await import("node:perf_hooks");
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  lag.enable();
  return lag;
});

/** The delays of the event loop since the last call, in seconds. A process has one loop, so its servers share them. */
const lagFigures = async (): Promise<{ p50: number; p99: number; max: number }> => {
  const lag = await delays();
  const seconds = (nanoseconds: number): number => (Number.isFinite(nanoseconds) ? nanoseconds / NANOSECONDS : 0);
  const found = { p50: seconds(lag.percentile(50)), p99: seconds(lag.percentile(99)), max: seconds(lag.max) };
  lag.reset();
  return found;
};

/** The most files that this process may open; undefined if the system does not say. */
const maxOpenFiles = (): number | undefined => {
  const limit = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  return limit === undefined ? undefined : Number(limit);
};

/** The time of this process, which only goes forward, and its memory. */
export const machineMeter = {
  nowMs: (): number => performance.now(),
  rssBytes: (): number => process.memoryUsage.rss(),
};

const startedAtSeconds = Math.round(Date.now() / 1000 - process.uptime());

/** Processor time, memory, open files and the delays of the event loop of this process, now. */
export const processFigures = async (): Promise<ProcessFigure[]> => {
  const { user, system } = process.cpuUsage();
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  const { p50, p99, max } = await lagFigures();
  const gauge = (name: string, help: string, value: number): ProcessFigure => ({ name, type: "gauge", help, value });
  const maxFiles = maxOpenFiles();
  return [
    {
      name: "process_cpu_seconds_total",
      type: "counter",
      help: "Processor time that was used, in seconds.",
      value: (user + system) / 1e6,
    },
    gauge("process_start_time_seconds", "When the process began, in seconds since 1970.", startedAtSeconds),
    gauge("process_resident_memory_bytes", "Memory of the process that is in the machine's.", rss),
    gauge("process_open_fds", "Open files and connections.", readdirSync("/proc/self/fd").length - 1),
    ...(maxFiles === undefined ? [] : [gauge("process_max_fds", "The most that may be open.", maxFiles)]),
    gauge("nodejs_eventloop_lag_p50_seconds", "Delay of the event loop since the last scrape: the median.", p50),
    gauge("nodejs_eventloop_lag_p99_seconds", "Delay of the event loop since the last scrape: 99 % were shorter.", p99),
    gauge("nodejs_eventloop_lag_max_seconds", "Delay of the event loop since the last scrape: the longest.", max),
    gauge("nodejs_heap_size_total_bytes", "Size of the JavaScript heap.", heapTotal),
    gauge("nodejs_heap_size_used_bytes", "Used part of the JavaScript heap.", heapUsed),
    gauge("nodejs_external_memory_bytes", "Memory that the JavaScript heap refers to.", external),
  ];
};
