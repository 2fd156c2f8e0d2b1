import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type CommandHelp, commandHelps } from "../../scripts/release/manual.ts";
import { checksFor } from "../../src/doctor/checks.ts";
import { SETTING_NAMES } from "../../src/kernel/settings/settings.ts";
import { places } from "../support/processes/doctor.ts";

const root = resolve(import.meta.dir, "../..");
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");
const trouble = textOf("docs/trouble.md");

/** Every text in quotes in a source, comments apart. */
const textsIn = (source: string): string[] =>
  [
    ...source
      .replaceAll(/^\s*(\/\/|\/?\*).*$/gm, "")
      .matchAll(/"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g),
  ].map(([, ...said]) => said.find(Boolean) ?? "");

const sources = [
  ...readdirSync(join(root, "src/doctor"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `src/doctor/${name}`),
  "src/commands/doctor.ts",
  "src/kernel/file-faults.ts",
];
/** All that the doctor may say, a remedy or another: where a text names something, it has to be there. */
const texts = sources.flatMap((path) => textsIn(textOf(path)).map((said) => ({ path, said })));

/** What the texts name by this pattern, once each. */
const named = (pattern: RegExp, among = texts.map(({ said }) => said)): string[] => [
  ...new Set(among.flatMap((said) => [...said.matchAll(pattern)].map(([, one = ""]) => one))),
];

const routes = ["gateway", "platform"].flatMap((api) => {
  const { paths } = JSON.parse(textOf(`test/snapshots/openapi.${api}.json`)) as {
    paths: Record<string, Record<string, unknown>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
});
const isRoute = (route: string): boolean =>
  routes.some((one) => new RegExp(`^${one.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`).test(route));

let commands: CommandHelp[];
beforeAll(async () => {
  commands = await commandHelps();
}, 120_000);

/**
 * What a `recado …` names that there is not: its command, the word behind it where the command takes one, its flags.
 */
const unknownOf = (line: string): string[] => {
  const [, name = "", ...words] = line.split(/ +/);
  const help = commands.find((one) => one.name === name)?.help;
  if (help === undefined) return [name];
  const [, wanted] = new RegExp(`^recado ${name} ([a-z|]+):`).exec(help) ?? [];
  const verb = wanted === undefined || wanted.split("|").includes(words[0] ?? "") ? [] : [`${name} ${words[0] ?? ""}`];
  return [...verb, ...words.filter((word) => word.startsWith("--") && !help.includes(`  ${word}`))];
};

describe("what the doctor says to do can be done", () => {
  test("commands, with their words and flags", () => {
    const lines = named(/\b(recado [a-z-]+(?: (?:--)?[a-z]+)*)/g);
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.flatMap((line) => unknownOf(line).map((unknown) => `${unknown} in: ${line}`))).toEqual([]);
  });

  test("settings", () => {
    const settings = named(/\b(RECADO_[A-Z0-9_]*[A-Z0-9])/g);
    expect(settings.length).toBeGreaterThan(10);
    expect(settings.filter((name) => !SETTING_NAMES.some((one) => one === name))).toEqual([]);
  });

  test("routes of the APIs", () => {
    const asked = named(/\b((?:GET|POST|PUT|PATCH|DELETE) \/v1\/[\w/{}-]+)/g);
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.filter((route) => !isRoute(route))).toEqual([]);
  });

  test("sections of the documentation", () => {
    const sections = named(/(docs\/[a-z-]+\.md: [A-Z][^):;,"}]+)/g);
    expect(sections.length).toBeGreaterThan(2);
    const isThere = (section: string): boolean => {
      const [page = "", heading = ""] = section.split(": ");
      return new RegExp(`^#+ ${heading}`, "m").test(textOf(page));
    };
    expect(sections.filter((section) => !isThere(section))).toEqual([]);
  });

  test("a name that is not there would be found", () => {
    expect(["recado mend", "recado account remove", "recado doctor --mend"].flatMap(unknownOf)).toEqual([
      "mend",
      "account remove",
      "--mend",
    ]);
    expect([
      isRoute("POST /v1/admin/jobs/backup/run"),
      isRoute("POST /v1/admin/jobs/backup"),
      isRoute("GET /v1/nowhere"),
    ]).toEqual([true, false, false]);
  });
});

describe("every check", () => {
  const { installation } = places();

  test("stands in the table of docs/trouble.md", async () => {
    const names = (await checksFor(installation({ RECADO_DATA_DIR: "/nowhere" }))).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(25);
    expect(names.filter((name) => !new RegExp(`^\\| .*\`${name}\`.* \\|`, "m").test(trouble))).toEqual([]);
  });

  test("that warns or finds a fault says what to do", () => {
    const bare = sources
      .flatMap((path) =>
        [...textOf(path).matchAll(/\b(?:fault|warning)\([^()]*(?:\([^()]*\)[^()]*)*\)/g)].map(([call]) => call),
      )
      .filter((call) => !call.includes(","));
    expect(bare).toEqual([]);
  });
});
