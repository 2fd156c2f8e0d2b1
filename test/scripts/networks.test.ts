import { describe, expect, test } from "bun:test";
import { resolve } from "node:path";
import {
  type NetworkObservation,
  networksTable,
  OBSERVATIONS,
  oldObservations,
  refusalOfOld,
} from "../../scripts/networks/observations.ts";
import { iso } from "../../src/kernel/clock.ts";
import { pageText } from "../support/laws/pages.ts";

const FACT: NetworkObservation = {
  name: "one",
  what: "a number",
  value: "7",
  seenOn: "2026-09-01",
  lookedOn: "2026-10-09",
  source: "somebody",
};
const FRESH: NetworkObservation = { ...FACT, name: "other", lookedOn: "2026-11-20" };
const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);

describe("the facts of networks", () => {
  test("are those of the code: a value that changes asks for the day of its observation", () => {
    const named = OBSERVATIONS.filter(({ inCode }) => inCode !== undefined);
    expect(named.map(({ name }) => name)).toEqual(["whatsapp-web-client", "graph-version", "whatsapp-prices"]);
    expect(named.map(({ name, value }) => [name, value])).toEqual(named.map(({ name, inCode = "" }) => [name, inCode]));
  });

  test("have names of their own, days of the past and a source", () => {
    expect(new Set(OBSERVATIONS.map(({ name }) => name)).size).toBe(OBSERVATIONS.length);
    for (const { name, seenOn, lookedOn, source } of OBSERVATIONS) {
      expect([name, iso(at(lookedOn)).slice(0, 10), at(seenOn) <= at(lookedOn)]).toEqual([name, lookedOn, true]);
      expect([name, iso(at(seenOn)).slice(0, 10)]).toEqual([name, seenOn]);
      expect([name, at(seenOn) < Date.now(), source.length > 10]).toEqual([name, true, true]);
    }
  });

  test("stand in docs/networks.md, and the day of the client version in the pages of sessions", () => {
    expect(pageText("docs/networks.md")).toContain(networksTable());
    const client = OBSERVATIONS.find(({ name }) => name === "whatsapp-web-client");
    const day = (language: string): string =>
      new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(at(client?.seenOn ?? ""));
    expect(pageText("docs/sessions.md")).toContain(`was reported to be in use on ${day("en-GB")} by one source`);
    expect(pageText("docs/pt-BR/sessions.md")).toContain(`estava em uso em ${day("pt-BR")}, segundo uma fonte`);
  });

  test("are old from the 31st day after the last look on, whatever the day of their source", () => {
    expect(oldObservations(at("2026-11-08"), [FACT])).toEqual([]);
    expect(oldObservations(at("2026-11-09"), [FACT])).toEqual([FACT]);
  });
});

describe("a release", () => {
  test("is refused while a fact is old, which it names with its age", () => {
    expect(refusalOfOld(at("2026-11-30"), [], [FACT, FRESH])).toBe(
      "these facts of networks are older than 30 days; renew them, or name each with --old-network:\n  one: 7, 52 days old",
    );
    expect(refusalOfOld(at("2026-11-01"), [], [FACT])).toBeUndefined();
  });

  test("goes on if each old fact is accepted by its name, and no other", () => {
    const facts = [FACT, { ...FACT, name: "third" }];
    expect(refusalOfOld(at("2026-11-30"), ["one", "third"], facts)).toBeUndefined();
    expect(refusalOfOld(at("2026-11-30"), ["one"], facts)).toContain("third: 7");
    expect(refusalOfOld(at("2026-11-30"), ["one"], facts)).not.toContain("one: 7");
  });

  test("is refused if a name is not in the table", () => {
    expect(refusalOfOld(at("2026-11-01"), ["all"], [FACT])).toBe("docs/networks.md has no fact all");
  });

  test("asks so before it makes or deletes anything", async () => {
    const text = await Bun.file(resolve(import.meta.dir, "../../scripts/release.ts")).text();
    expect(text.indexOf("\ncheckNetworks();")).toBeGreaterThan(0);
    expect(text.indexOf("\ncheckNetworks();")).toBeLessThan(text.search(/\n(?:await|const release = await)/));
  });
});
