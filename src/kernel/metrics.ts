import { COUNTERS, DISTRIBUTIONS, type Distribution, type Figure, FROM_ZERO, GAUGES } from "./metrics-table.ts";
import { processFigures } from "./process-figures.ts";

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
  /** The sum of all series of a counter whose first label has this value. */
  sumOf(name: CounterName, first: string): number;
  /** All metrics, with those of the process, in Prometheus' text format. */
  text(): Promise<string>;
};

/** The media type of the text: https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/**
 * The observations of one series: how many fall into each bucket and into no bucket before it, their sum and their
 * count.
 */
type Observed = { buckets: number[]; sum: number; count: number };
/** The values of a metric, by the text of their labels. */
type Series<Value> = Map<string, Value>;

const SPECIAL = /["\\\n]/;
const escaped = (value: string): string =>
  SPECIAL.test(value) ? value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"') : value;

/** The labels as the text has them, without the braces. */
const labelText = (names: readonly string[], labels: Readonly<Record<string, string>>): string => {
  let text = "";
  for (const name of names) text += `${text === "" ? "" : ","}${name}="${escaped(String(labels[name]))}"`;
  return text;
};

const numberText = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";

const sample = (name: string, labels: string, value: number): string =>
  `${name}${labels === "" ? "" : `{${labels}}`} ${numberText(value)}`;

const familyText = (name: string, type: string, { help }: Figure, samples: readonly string[]): string =>
  [
    `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`,
    `# TYPE ${name} ${type}`,
    ...samples,
    "",
  ].join("\n");

const numbersText = (name: string, type: "counter" | "gauge", figure: Figure, series: Series<number>): string =>
  familyText(
    name,
    type,
    figure,
    [...series].map(([labels, value]) => sample(name, labels, value)),
  );

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** The samples of one series of a histogram. A bucket of the text has all observations up to its bound. */
const observedSamples = (
  name: string,
  bounds: readonly number[],
  labels: string,
  { buckets, sum, count }: Observed,
): string[] => {
  const upTo = (bound: string, observations: number): string =>
    sample(`${name}_bucket`, `le="${bound}"${labels === "" ? "" : `,${labels}`}`, observations);
  return [
    ...bounds.map((bound, n) => upTo(numberText(bound), sumOf(buckets.slice(0, n + 1)))),
    upTo("+Inf", count),
    sample(`${name}_sum`, labels, sum),
    sample(`${name}_count`, labels, count),
  ];
};

const seriesOf = <Table extends Record<string, Figure>, Value>(
  table: Table,
  zero: (figure: Table[keyof Table]) => Value,
): Record<keyof Table, Series<Value>> =>
  Object.fromEntries(
    Object.entries(table).map(([name, figure]) => {
      // a series without labels is known, and begins at zero
      const known: [string, Value][] = figure.labels.length === 0 ? [["", zero(figure as Table[keyof Table])]] : [];
      return [name, new Map(known)];
    }),
  ) as Record<keyof Table, Series<Value>>;

const nothingObserved = ({ buckets }: Distribution): Observed => ({ buckets: buckets.map(() => 0), sum: 0, count: 0 });

/**
 * Creates metrics that begin at zero. They are our own: the usual library takes 8 MB of memory, for a format of four
 * kinds of lines (decision 0025).
 */
export const createMetrics = (): Metrics => {
  const counted = seriesOf<typeof COUNTERS, number>(COUNTERS, () => 0);
  const observed = seriesOf<typeof DISTRIBUTIONS, Observed>(DISTRIBUTIONS, nothingObserved);
  const shown = seriesOf<typeof GAUGES, number>(GAUGES, () => 0);
  const count: Metrics["count"] = (name, labels, by = 1) => {
    const key = labelText(COUNTERS[name].labels, labels);
    counted[name].set(key, (counted[name].get(key) ?? 0) + by);
  };
  for (const [name, labels] of FROM_ZERO) count(name, labels as never, 0);
  return {
    count,
    observe(name, labels, value) {
      const figure: Distribution = DISTRIBUTIONS[name];
      const key = labelText(figure.labels, labels);
      let series = observed[name].get(key);
      if (!series) observed[name].set(key, (series = nothingObserved(figure)));
      const bucket = figure.buckets.findIndex((bound) => value <= bound);
      if (bucket >= 0) series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
      series.sum += value;
      series.count++;
    },
    put(name, value) {
      if (value === undefined) shown[name].delete("");
      else shown[name].set("", value);
    },
    set(name, series) {
      shown[name] = new Map(series.map(([labels, value]) => [labelText(GAUGES[name].labels, labels), value]));
    },
    sumOf(name, first) {
      const begin = `${COUNTERS[name].labels[0] ?? ""}="${escaped(first)}"`;
      return [...counted[name]].reduce(
        (sum, [key, value]) => (`${key},`.startsWith(`${begin},`) ? sum + value : sum),
        0,
      );
    },
    text: async () =>
      [
        ...Object.entries(COUNTERS).map(([name, figure]) =>
          numbersText(name, "counter", figure, counted[name as CounterName]),
        ),
        ...Object.entries(DISTRIBUTIONS).map(([name, figure]) =>
          familyText(
            name,
            "histogram",
            figure,
            [...observed[name as DistributionName]].flatMap(([labels, series]) =>
              observedSamples(name, figure.buckets, labels, series),
            ),
          ),
        ),
        ...Object.entries(GAUGES).map(([name, figure]) => numbersText(name, "gauge", figure, shown[name as GaugeName])),
        ...(await processFigures()).map(({ name, type, help, value }) =>
          familyText(name, type, { help, labels: [] }, [sample(name, "", value)]),
        ),
      ].join("\n"),
  };
};
