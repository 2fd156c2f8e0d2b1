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
 * What this program tells of itself in figures: those of `metrics-table.ts` and no others. Counting costs less than a
 * microsecond, and never fails.
 */
export type Metrics = {
  count<Name extends CounterName>(name: Name, labels: Labels<(typeof COUNTERS)[Name]>, by?: number): void;
  observe<Name extends DistributionName>(name: Name, labels: Labels<(typeof DISTRIBUTIONS)[Name]>, value: number): void;
  /** Undefined is told of nothing: it is not known. */
  put(name: PlainGauge, value: number | undefined): void;
  /** Replaces all series of a gauge. */
  set<Name extends GaugeName>(name: Name, series: readonly (readonly [Labels<(typeof GAUGES)[Name]>, number])[]): void;
  /** All of it, and what is known of the process, in Prometheus' text format. */
  text(): Promise<string>;
};

/** The media type of that text. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

const mapped = <Table extends Record<string, Figure>, Made>(
  table: Table,
  make: (name: string, figure: Table[keyof Table]) => Made,
): Record<keyof Table, Made> =>
  Object.fromEntries(
    Object.entries(table).map(([name, figure]) => [name, make(name, figure as Table[keyof Table])]),
  ) as Record<keyof Table, Made>;

/** Figures that begin at zero. */
export const createMetrics = (): Metrics => {
  const registry = new Registry();
  const facts = (name: string, { help, labels }: Figure) => ({ name, help, labelNames: labels, registers: [registry] });
  const counters = mapped(COUNTERS, (name, figure: Figure) => new Counter(facts(name, figure)));
  const distributions = mapped(
    DISTRIBUTIONS,
    (name, figure: Distribution) => new Histogram({ ...facts(name, figure), buckets: [...figure.buckets] }),
  );
  const gauges = mapped(GAUGES, (name, figure: Figure) => new Gauge(facts(name, figure)));
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

/** What prom-client finds out about a process, as far as it says something on this runtime. */
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

/** There is one process, however many servers it runs: its event loop is watched once. */
const processFigures = (): Registry => {
  if (ofThisProcess) return ofThisProcess;
  ofThisProcess = new Registry();
  collectDefaultMetrics({ register: ofThisProcess, eventLoopMonitoringPrecision: LAG_RESOLUTION_MS });
  for (const { name } of ofThisProcess.getMetricsAsArray())
    if (!OF_PROCESS.has(name)) ofThisProcess.removeSingleMetric(name);
  return ofThisProcess;
};
