import { beforeAll, expect, test } from "bun:test";
import {
  alertRules,
  type Dashboard,
  dashboard,
  familyOf,
  MONITORING,
  namesIn,
  panelsOf,
} from "./support/apis/monitoring.ts";
import { type Family, scrape } from "./support/apis/prometheus.ts";
import { useWorld } from "./support/use-world.ts";

const w = useWorld();
let families: Map<string, Family>;
beforeAll(async () => {
  families = await scrape(w);
});

const expressionsOf = (board: Dashboard): string[] =>
  panelsOf(board).flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const unknownIn = (expr: string): string[] => namesIn(expr).filter((name) => !families.has(familyOf(name, families)));

test("every figure that an alert asks for is published by a server", async () => {
  const rules = await alertRules();
  expect(rules.length).toBeGreaterThan(20);
  expect(rules.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
  expect(rules.filter(({ expr, alert }) => alert !== "RecadoDown" && namesIn(expr).length === 0)).toEqual([]);
});

test("every figure that the dashboard asks for is published by a server, and none that is published is left out", async () => {
  const expressions = expressionsOf(await dashboard());
  expect(expressions.flatMap(unknownIn)).toEqual([]);
  const shown = new Set(expressions.flatMap(namesIn).map((name) => familyOf(name, families)));
  expect([...families.keys()].filter((name) => name.startsWith("recado_") && !shown.has(name))).toEqual([]);
});

test("every label that they ask for is one of its figure", async () => {
  const asked = [...expressionsOf(await dashboard()), ...(await alertRules()).map(({ expr }) => expr)].flatMap(
    (expr) => [...expr.matchAll(/\b(recado_\w+)\{([^}]*)\}/g)],
  );
  const { COUNTERS, DISTRIBUTIONS, GAUGES } = await import("../src/kernel/metrics-table.ts");
  const labelsOf = (name: string): readonly string[] =>
    ({ ...COUNTERS, ...DISTRIBUTIONS, ...GAUGES })[name as "recado_mails_total"]?.labels ?? [];
  const strange = asked.flatMap(([, name = "", selector = ""]) =>
    [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)]
      .map(([, label = ""]) => label)
      .filter((label) => !["job", "instance", "le", ...labelsOf(familyOf(name, families))].includes(label)),
  );
  expect(asked.length).toBeGreaterThan(60);
  expect(strange).toEqual([]);
});

test("every label that they group by is one of a figure in the same expression", async () => {
  const { COUNTERS, DISTRIBUTIONS, GAUGES } = await import("../src/kernel/metrics-table.ts");
  const figures: Record<string, { labels: readonly string[] }> = { ...COUNTERS, ...DISTRIBUTIONS, ...GAUGES };
  const expressions = [...expressionsOf(await dashboard()), ...(await alertRules()).map(({ expr }) => expr)];
  const grouped = expressions.flatMap((expr) => {
    const known = namesIn(expr).flatMap((name) => figures[familyOf(name, families)]?.labels ?? []);
    return [...expr.matchAll(/\b(?:by|without|on|ignoring) \(([^)]*)\)/g)]
      .flatMap(([, labels = ""]) => labels.split(",").map((label) => label.trim()))
      .map((label) => ({ label, isKnown: ["job", "instance", "le", "", ...known].includes(label) }));
  });
  expect(grouped.length).toBeGreaterThan(20);
  expect(grouped.flatMap(({ label, isKnown }) => (isKnown ? [] : [label]))).toEqual([]);
});

test("every alert says how bad it is, what is the matter and what to do", async () => {
  for (const { alert, labels, annotations } of await alertRules()) {
    expect([alert, ["critical", "warning"].includes(labels.severity)]).toEqual([alert, true]);
    expect([alert, annotations.summary.length > 20, annotations.description.length > 20]).toEqual([alert, true, true]);
  }
});

test("the panels of the dashboard have names and places of their own", async () => {
  const panels = panelsOf(await dashboard());
  const places = panels.map((panel) =>
    JSON.stringify((panel as unknown as { gridPos: { x: number; y: number } }).gridPos),
  );
  expect(new Set(places).size).toBe(panels.length);
  expect(
    panels.filter(({ title, type, targets = [] }) => title === "" || (type !== "row" && targets.length === 0)),
  ).toEqual([]);
});

test("the example of a configuration asks under the name that the rules go by", async () => {
  const { scrape_configs, rule_files } = Bun.YAML.parse(await Bun.file(`${MONITORING}/prometheus.yml`).text()) as {
    scrape_configs: { job_name: string }[];
    rule_files: string[];
  };
  expect([scrape_configs.map(({ job_name }) => job_name), rule_files]).toEqual([["recado"], ["alerts.yml"]]);
  const asked = (await alertRules()).flatMap(({ expr }) =>
    [...expr.matchAll(/\b(?:recado|process|nodejs)_\w+(?:\{[^}]*\})?/g)].map(([selector]) => selector),
  );
  expect(asked.filter((selector) => !selector.includes('job="recado"'))).toEqual([]);
});
