import type { World } from "../world.ts";

export type Sample = { name: string; labels: Record<string, string>; value: number };
export type Family = { name: string; type: string; help: string; samples: Sample[] };

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (\\S+)$`);
const SUFFIXES: Record<string, readonly string[]> = {
  counter: [""],
  gauge: [""],
  histogram: ["_bucket", "_sum", "_count"],
};

const valueOf = (text: string): number => {
  const value = text === "+Inf" ? Number.POSITIVE_INFINITY : Number(text);
  if (Number.isNaN(value)) throw new Error(`no value: ${text}`);
  return value;
};

const labelsOf = (text = ""): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(new RegExp(LABEL, "g"))].map(([label]) => [
      label.slice(0, label.indexOf("=")),
      JSON.parse(label.slice(label.indexOf("=") + 1)) as string,
    ]),
  );

const sampleOf = (line: string): Sample => {
  const [, name = "", labels, value = ""] = SAMPLE.exec(line) ?? [];
  if (name === "") throw new Error(`no sample: ${line}`);
  return { name, labels: labelsOf(labels), value: valueOf(value) };
};

/** Takes a line that belongs to the last family: its type, or a sample. */
const takeLine = (
  family: Family | undefined,
  line: string,
  typed: { name: string; type: string } | undefined,
): void => {
  if (!family || (typed && (family.name !== typed.name || !(typed.type in SUFFIXES))))
    throw new Error(`a line in the wrong place, or of no type: ${line}`);
  if (typed) return void (family.type = typed.type);
  const sample = sampleOf(line);
  if (!SUFFIXES[family.type]?.some((suffix) => `${family.name}${suffix}` === sample.name))
    throw new Error(`a sample in the wrong place: ${line}`);
  family.samples.push(sample);
};

/**
 * The families that Prometheus would read. Throws if the text breaks a rule of its format, or if `promtool check
 * metrics` would refuse it.
 */
export const parseMetrics = (text: string): Map<string, Family> => {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  const families = new Map<string, Family>();
  let current: Family | undefined;
  for (const line of text.split("\n")) {
    const [, word, name = "", rest = ""] = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`).exec(line) ?? [];
    if (word === "HELP") {
      if (families.has(name)) throw new Error(`${name} is there twice`);
      current = { name, type: "", help: rest, samples: [] };
      families.set(name, current);
    } else if (line !== "") takeLine(current, line, word === "TYPE" ? { name, type: rest } : undefined);
  }
  for (const family of families.values()) checkFamily(family);
  return families;
};

const keyOf = ({ name, labels }: Sample): string =>
  JSON.stringify([name, Object.entries(labels).toSorted(([a], [b]) => a.localeCompare(b))]);

const checkFamily = ({ name, type, samples }: Family): void => {
  if (type === "") throw new Error(`${name} has no type`);
  if ((type === "counter") !== name.endsWith("_total")) throw new Error(`${name} is a ${type}`);
  if (new Set(samples.map(keyOf)).size < samples.length) throw new Error(`${name} has a series twice`);
  if (type !== "histogram") return;
  for (const { labels, value } of samples.filter((one) => one.name === `${name}_count`)) {
    const buckets = samples.filter(
      (one) =>
        one.name === `${name}_bucket` && Object.entries(labels).every(([label, text]) => one.labels[label] === text),
    );
    const counts = buckets
      .toSorted(
        (a, b) =>
          Number(a.labels["le"]?.replace("+Inf", "Infinity")) - Number(b.labels["le"]?.replace("+Inf", "Infinity")),
      )
      .map((one) => one.value);
    if (counts.length < 2 || counts.at(-1) !== value || counts.some((count, index) => count < (counts[index - 1] ?? 0)))
      throw new Error(`${name} does not add up`);
  }
};

/** The figures of a server now. Its clock moves past the time for which the last answer is cached. */
export const scrape = async (w: World): Promise<Map<string, Family>> => {
  w.clock.advance(5000);
  const answer = await fetch(`${w.app.url}/metrics`);
  if (answer.status !== 200) throw new Error(`no figures: ${answer.status}`);
  return parseMetrics(await answer.text());
};

/**
 * The value of a series: the sum of all series with these labels. The value of a histogram is its number of
 * measurements.
 */
export const valueIn = (families: Map<string, Family>, name: string, labels: Record<string, string> = {}): number => {
  const family = families.get(name);
  if (!family) throw new Error(`there is no figure ${name}`);
  const counted = family.samples.filter((one) => family.type !== "histogram" || one.name.endsWith("_count"));
  return counted
    .filter((one) => Object.entries(labels).every(([label, text]) => one.labels[label] === text))
    .reduce((sum, { value }) => sum + value, 0);
};
