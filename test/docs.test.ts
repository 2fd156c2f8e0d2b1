import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { outdatedPages } from "../scripts/docs.ts";
import { STREAM_EVENT_TYPES } from "../src/apis/gateway/events/event-types.ts";
import { EVENT_NAMES } from "../src/apis/platform/events/definitions.ts";
import { COUNTERS, DISTRIBUTIONS, GAUGES } from "../src/kernel/metrics-table.ts";
import { OF_CLIENTS } from "../src/kernel/reading.ts";
import { SETTING_NAMES } from "../src/kernel/settings/settings.ts";
import {
  anchorsOf,
  DECISIONS,
  type Fence,
  fencesOf,
  linksOf,
  PAGES,
  pageText,
  proseOf,
  reasonNotToRun,
} from "./support/laws/pages.ts";

const root = resolve(import.meta.dir, "..");
/** What scripts/release.ts reads. */
const OF_RELEASES = [
  "RECADO_MINISIGN_KEY",
  "RECADO_MINISIGN_PASSWORD",
  "RECADO_GPG_KEY",
  "RECADO_GPG_PASSWORD",
  "RECADO_RELEASE_URL",
  "RECADO_IMAGE",
];
/** Not only for users, but linked from there and back. */
const OTHERS = ["CONTRIBUTING.md", "src/README.md", "plugins/README.md"];

/** Every call of both APIs, whatever the names of its parameters. */
const routes = ["gateway", "platform"].flatMap((api) => {
  const { paths } = JSON.parse(pageText(`test/snapshots/openapi.${api}.json`)) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return calls.map((call) => new RegExp(`^${call.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`));
});

test("the parts of pages that follow from the code are those that npm run docs writes", async () => {
  expect((await outdatedPages()).map(({ path }) => path)).toEqual([]);
});

describe.each([...PAGES, ...DECISIONS, ...OTHERS])("%s", (path) => {
  const page = pageText(path);

  test("links to files and headings that are there", () => {
    const dead = linksOf(page).filter((target) => {
      const [file = "", anchor] = target.split("#");
      const linked = file === "" ? path : join(dirname(path), file);
      if (!existsSync(join(root, linked))) return true;
      return anchor !== undefined && !anchorsOf(pageText(linked)).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  test("has blocks of shell commands that are run, or say why not", () => {
    const shell = fencesOf(page).filter(({ language }) => language === "sh");
    expect(
      shell.filter((fence) => fence.info !== "" && reasonNotToRun(fence) === undefined).map(({ line }) => line),
    ).toEqual([]);
  });
});

test("every page of docs is listed in docs/README.md, and every decision in docs/decisions/README.md", () => {
  const listed = (index: string): string[] => linksOf(pageText(index)).map((target) => join(dirname(index), target));
  expect(PAGES.filter((path) => path !== "docs/README.md" && !listed("docs/README.md").includes(path))).toEqual([]);
  const records = DECISIONS.filter((path) => !path.endsWith("README.md"));
  expect(records.length).toBeGreaterThan(5);
  const index = pageText("docs/decisions/README.md");
  expect(records.filter((path) => !index.includes(`| ${/\/(\d{4})-[a-z0-9-]+\.md$/.exec(path)?.[1]} |`))).toEqual([]);
});

test("every event of both APIs has its section with a sample", () => {
  const page = pageText("docs/events.md");
  const names = [...STREAM_EVENT_TYPES.filter((name) => name !== "call:*"), ...EVENT_NAMES];
  expect(
    names.filter(
      (name) => !new RegExp(`^#### \`${name}\`\n\n[A-Z][^\`]*[\\s\\S]*?\n\n\`\`\`json\n\\{`, "m").test(page),
    ),
  ).toEqual([]);
});

describe("what the pages name is there", () => {
  const text = PAGES.map((path) => pageText(path).replaceAll(/<!-- (\S+) -->[\s\S]*?<!-- \/\1 -->/g, "")).join("\n");
  const named = (pattern: RegExp): string[] => [...new Set([...text.matchAll(pattern)].map(([, one = ""]) => one))];

  test("settings", () => {
    const settings = named(/\b(RECADO_[A-Z0-9_]*[A-Z0-9])(?![_A-Z0-9…])/g).map((name) => name.replace(/_FILE$/, ""));
    expect(settings.length).toBeGreaterThan(30);
    const others = [...OF_CLIENTS, "RECADO_X", ...OF_RELEASES];
    expect(settings.filter((name) => !SETTING_NAMES.some((one) => one === name) && !others.includes(name))).toEqual([]);
  });

  test("figures", () => {
    const figures = named(/\b(recado_[a-z_]+[a-z])/g);
    expect(figures.length).toBeGreaterThan(15);
    expect(
      figures.filter((name) => !Object.keys({ ...COUNTERS, ...DISTRIBUTIONS, ...GAUGES }).some((one) => one === name)),
    ).toEqual([]);
  });

  test("routes of the APIs", () => {
    // the guides from other products name those products' routes too, which have no /v1
    const ofOthers = PAGES.filter((path) => path.startsWith("docs/from-"))
      .map(pageText)
      .join("\n");
    const asked = named(/`((?:GET|POST|PUT|PATCH|DELETE) \/[\w/{}.-]+)/g)
      .filter((route) => route.includes("/v1/") || !ofOthers.includes(`\`${route}`))
      .map((route) => route.replace(/\/(gateway|platform)\//, "/"));
    expect(asked.length).toBeGreaterThan(15);
    const isRoute = (route: string): boolean =>
      routes.some((one) => one.test(route) || one.test(route.replace(" /", " /v1/")));
    expect(asked.filter((route) => !isRoute(route) && route !== "GET /metrics")).toEqual([]);
  });
});

/** What is no sentence: headings, tables, lists of links, generated parts. */
const sentencesOf = (page: string): string[] =>
  proseOf(page)
    .replaceAll(/<!-- (\S+) -->[\s\S]*?<!-- \/\1 -->/g, "")
    .split("\n")
    .filter((line) => !/^(#|\||<|\[.*\] ·)/.test(line))
    .map((line) => line.replaceAll(/`[^`]*`|\]\([^)]*\)/g, "x"))
    .flatMap((line) => line.split(/(?<=[.:;?!])(?:\*\*)? /));

test("sentences are short", () => {
  const long = [...PAGES, ...DECISIONS].flatMap((path) =>
    sentencesOf(pageText(path)).flatMap((one) => (one.split(/\s+/).length > 25 ? [`${path}: ${one}`] : [])),
  );
  expect(long).toEqual([]);
});

test("blocks of programs name the file that a test runs them from", () => {
  const programs = PAGES.flatMap((path) => fencesOf(pageText(path))).filter(({ language }: Fence) =>
    ["js", "python", "php"].includes(language),
  );
  expect(programs.map(({ info }) => info)).toEqual([
    "bot.mjs",
    "send.py",
    "bot.py",
    "verify.mjs",
    "verify.py",
    "verify.php",
    "consume-rabbitmq.mjs",
    "consume-nats.mjs",
    "consume-redis.mjs",
  ]);
});
