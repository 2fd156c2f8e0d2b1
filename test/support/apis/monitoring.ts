import { resolve } from "node:path";

export const MONITORING = resolve(import.meta.dir, "../../../systemd/monitoring");

export type Rule = {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
};

/** The alert rules that operators are given. */
export const alertRules = async (): Promise<Rule[]> => {
  const { groups } = Bun.YAML.parse(await Bun.file(`${MONITORING}/alerts.yml`).text()) as {
    groups: { rules: Rule[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
};

type Target = { expr: string };
export type Panel = { title: string; type: string; description?: string; targets?: Target[]; panels?: Panel[] };
export type Dashboard = {
  uid: string;
  title: string;
  panels: Panel[];
  templating: { list: { name: string; query?: unknown; definition?: string }[] };
};

export const dashboard = async (): Promise<Dashboard> =>
  (await Bun.file(`${MONITORING}/grafana-dashboard.json`).json()) as Dashboard;

/** Every panel, those within rows too. */
export const panelsOf = ({ panels }: Pick<Dashboard, "panels">): Panel[] =>
  panels.flatMap((panel) => [panel, ...panelsOf({ panels: panel.panels ?? [] })]);

/** The names of the metrics that a PromQL expression asks for, and the labels that it names of each. */
export const namesIn = (expr: string): string[] =>
  [...expr.matchAll(/\b(?:recado|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name);

/** A histogram's series by the name of the histogram. */
export const familyOf = (name: string, families: ReadonlyMap<string, { type: string }>): string => {
  const base = name.replace(/_(?:bucket|sum|count)$/, "");
  return families.get(base)?.type === "histogram" ? base : name;
};
