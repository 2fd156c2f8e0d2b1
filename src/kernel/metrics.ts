import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { COUNTERS, DISTRIBUTIONS, type Distribution, type Figure, FROM_ZERO, GAUGES } from "./metrics-table.ts";

type CounterName = keyof typeof COUNTERS;
type DistributionName = keyof typeof DISTRIBUTIONS;
type GaugeName = keyof typeof GAUGES;
/** The gauges without labels. */
type PlainGauge = {
  [Name in GaugeName]: (typeof GAUGES)[Name]["labels"] extends readonly [] ? Name : never;
}[GaugeName];
type Labels<F extends Figure> = Record<F["labels"][number], string>;

/**
 * The program's metrics: those of `metrics-table.ts` and no others. Counting takes less than a microsecond and never
 * fails.
 */
export type Metrics = {
  count<Name extends CounterName>(name: Name, labels: Labels<(typeof COUNTERS)[Name]>, by?: number): void;
  observe<Name extends DistributionName>(name: Name, labels: Labels<(typeof DISTRIBUTIONS)[Name]>, value: number): void;
  /** Sets a gauge. Undefined, an unknown value, leaves it out. */
  put(name: PlainGauge, value: number | undefined): void;
  /** Replaces all series of a gauge. */
  set<Name extends GaugeName>(name: Name, series: readonly (readonly [Labels<(typeof GAUGES)[Name]>, number])[]): void;
  /** All metrics, with those of the process, in Prometheus' text format. */
  text(): Promise<string>;
};

/** The media type of the text. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

const mapped = <Table extends Record<string, Figure>, Made>(
  table: Table,
  make: (name: string, figure: Table[keyof Table]) => Made,
): Record<keyof Table, Made> =>
  Object.fromEntries(
    Object.entries(table).map(([name, figure]) => [name, make(name, figure as Table[keyof Table])]),
  ) as Record<keyof Table, Made>;

/** Creates metrics that begin at zero. */
export const createMetrics = (): Metrics => {
  const registry = new Registry();
  const optionsOf = (name: string, { help, labels }: Figure) => ({
    name,
    help,
    labelNames: labels,
    registers: [registry],
  });
  const counters = mapped(COUNTERS, (name, figure: Figure) => new Counter(optionsOf(name, figure)));
  const distributions = mapped(
    DISTRIBUTIONS,
    (name, figure: Distribution) => new Histogram({ ...optionsOf(name, figure), buckets: [...figure.buckets] }),
  );
  const gauges = mapped(GAUGES, (name, figure: Figure) => new Gauge(optionsOf(name, figure)));
  for (const [name, labels] of FROM_ZERO) counters[name].inc(labels, 0);
  const ofProcess = processFigures();
  return {
    count: (name, labels, by = 1) => counters[name].inc(labels, by),
    observe: (name, labels, value) => distributions[name].observe(labels, value),
    put(name, value) {
      if (value === undefined) gauges[name].remove({});
      else gauges[name].set(value);
    },
    set(name, series) {
      gauges[name].reset();
      for (const [labels, value] of series) gauges[name].set(labels, value);
    },
    text: async () => `${await registry.metrics()}\n${await ofProcess.metrics()}`,
  };
};

/** The process metrics of prom-client that are meaningful on this runtime. */
const OF_PROCESS: ReadonlySet<string> = new Set([
  "process_cpu_user_seconds_total", // looks up the two below
  "process_cpu_system_seconds_total",
  "process_cpu_seconds_total",
  "process_start_time_seconds",
  "process_resident_memory_bytes",
  "process_open_fds",
  "process_max_fds",
  "nodejs_eventloop_lag_seconds", // looks up the three below
  "nodejs_eventloop_lag_p50_seconds",
  "nodejs_eventloop_lag_p99_seconds",
  "nodejs_eventloop_lag_max_seconds",
  "nodejs_heap_size_total_bytes", // looks up the two below
  "nodejs_heap_size_used_bytes",
  "nodejs_external_memory_bytes",
]);
const LAG_RESOLUTION_MS = 20;

let ofThisProcess: Registry | undefined;

/** The metrics of the process. A process has one event loop, so all servers in it share them. */
const processFigures = (): Registry => {
  if (ofThisProcess) return ofThisProcess;
  ofThisProcess = new Registry();
  collectDefaultMetrics({ register: ofThisProcess, eventLoopMonitoringPrecision: LAG_RESOLUTION_MS });
  for (const { name } of ofThisProcess.getMetricsAsArray())
    if (!OF_PROCESS.has(name)) ofThisProcess.removeSingleMetric(name);
  return ofThisProcess;
};
