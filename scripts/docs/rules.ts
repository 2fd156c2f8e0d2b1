import type * as ESTree from "oxc-parser";
import { parseSync, Visitor } from "oxc-parser";
import { RULE_AREAS } from "./rule-areas.ts";

/** A test's statement about a rule, and the test's file. */
export type Guarantee = { rule: string; text: string; path: string };

const ID = /^(?:[GPX]-\d{3}|(?:GAP|EP)-[CGPX]\d{2})$/;
const CALLS = new Set(["test", "it", "describe"]);

/** The ids at the beginning of a text, and the text behind them. */
const split = (text: string): { rules: string[]; says: string } => {
  const words = text.split(/\s+/);
  const end = words.findIndex((word) => !ID.test(word));
  const count = end < 0 ? words.length : end;
  return { rules: words.slice(0, count), says: words.slice(count).join(" ").replace(/^:\s*/, "") };
};

const textOf = (node: ESTree.Node | null | undefined): string | undefined => {
  if (node?.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node?.type !== "TemplateLiteral") return undefined;
  return node.quasis.map(({ value }) => value.cooked ?? "").join("…");
};

/** Whether this calls `test`, `describe`, or one of their forms such as `test.each(rows)`. */
const isTestCall = (callee: ESTree.Node): boolean => {
  if (callee.type === "Identifier") return CALLS.has(callee.name);
  if (callee.type === "MemberExpression") return isTestCall(callee.object);
  return callee.type === "CallExpression" && isTestCall(callee.callee);
};

/** A title as a sentence, without the values of a row of cases. */
const plain = (title: string): string =>
  title
    .replaceAll(/%[sjpdo]|\$\w+(?:\.\w+)*/g, "…")
    .replaceAll(/\s+/g, " ")
    .trim();

type Found = { start: number; end: number; text: string };

/** The titles of tests and groups with their part of the file, and every other text that begins with an id. */
const textsIn = (program: ESTree.Program): { titles: Found[]; others: Found[] } => {
  const titles: Found[] = [];
  const others: Found[] = [];
  const known = new Set<number>();
  const add = (node: ESTree.Node | null | undefined) => {
    const text = textOf(node);
    if (node && text !== undefined && !known.has(node.start) && split(text).rules.length > 0)
      others.push({ start: node.start, end: node.end, text });
  };
  new Visitor({
    CallExpression({ callee, arguments: [title], start, end }) {
      const text = isTestCall(callee) ? textOf(title) : undefined;
      if (title === undefined || text === undefined) return;
      known.add(title.start);
      titles.push({ start, end, text });
    },
    ArrayExpression({ elements: [first, second] }) {
      // a row of cases with only ids in its first cell: the next cell names the case
      const [ids, says] = [textOf(first), textOf(second)];
      if (!first || !second || ids === undefined || says === undefined || split(ids).says !== "") return;
      known.add(first.start);
      if (split(ids).rules.length > 0) others.push({ start: first.start, end: second.end, text: `${ids} ${says}` });
    },
    Literal: add,
    TemplateLiteral: add,
  }).visit(program);
  return { titles, others };
};

/** The guarantees that the tests of a file state, by the rules that their titles and rows begin with. */
export const guaranteesIn = (path: string, source: string): Guarantee[] => {
  const { titles, others } = textsIn(parseSync(path, source).program);
  const within = ({ start, end }: Found): string[] =>
    titles
      .filter((outer) => outer.start < start && end <= outer.end)
      .sort((a, b) => a.start - b.start)
      .map(({ text }) => plain(split(text).says))
      .filter((says) => says !== "" && says !== "…");
  return [...titles, ...others].flatMap((found) => {
    const { rules, says } = split(found.text);
    const text = [...within(found), plain(says)].filter((part) => part !== "").join(": ") || "a case of this file";
    return rules.map((rule) => ({ rule, text, path }));
  });
};

const PARTS = ["P", "G", "X", "EP", "GAP"];
const partOf = (rule: string): string => PARTS.find((part) => rule.startsWith(`${part}-`)) ?? "";
const numberOf = (rule: string): number => Number(/\d+$/.exec(rule)?.[0] ?? 0);

/** The heading of a rule: the area of its number. */
const areaOf = (rule: string): string => {
  const part = partOf(rule);
  const area = RULE_AREAS.filter(([of, from]) => of === part && from <= numberOf(rule)).at(-1);
  return area === undefined ? part : `${part}: ${area[2]}`;
};

const order = (rule: string): string =>
  `${PARTS.indexOf(partOf(rule))} ${rule.replace(/\d+$/, "")} ${String(numberOf(rule)).padStart(4, "0")}`;

/** Every rule with the statements of these tests about it, as the body of a page. */
export const rulesTable = (files: Readonly<Record<string, string>>): string => {
  const all = Object.entries(files).flatMap(([path, source]) => guaranteesIn(path, source));
  const byRule = Map.groupBy(all, ({ rule }) => rule);
  const rules = [...byRule.keys()].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const byArea = Map.groupBy(rules, areaOf);
  const fileOf = (path: string) => path.replace(/^test\//, "").replace(/\.test\.ts$/, "");
  const lineOf = ({ text, path }: Guarantee) => `  - ${text.replaceAll(/[<>|]/g, "\\$&")} (\`${fileOf(path)}\`)`;
  return [...byArea]
    .map(([area, ids]) => {
      const lines = ids.map((id) => [`- **${id}**`, ...new Set((byRule.get(id) ?? []).map(lineOf))].join("\n"));
      return `## ${area}\n\n${lines.join("\n")}`;
    })
    .join("\n\n");
};
