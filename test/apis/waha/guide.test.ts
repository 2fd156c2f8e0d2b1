import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createWahaApi } from "../../../src/apis/waha/api.ts";
import { ASKED_NAMES } from "../../../src/apis/waha/events/events.ts";
import { WAHA_ENV } from "../../support/apis/waha.ts";
import { useWorld } from "../../support/use-world.ts";

const w = useWorld({ env: WAHA_ENV });
const guide = readFileSync("docs/from-waha.md", "utf8");

/** TABLE: resources whose routes the guide names together. */
const TOGETHER = [/\/labels\b/, /\/channels\b/, /\/apps\b/, /\/keys\b/];

test("the guide names every route, and every event that a webhook may ask for", () => {
  const { table } = createWahaApi(w.app.env, { prefix: "", url: () => "" });
  const names = table.routes.map(({ name }) => name).filter((name) => !TOGETHER.some((one) => one.test(name)));
  const words = new Set(names.map((name) => name.split("/").findLast((part) => part !== "" && !part.startsWith(":"))));
  expect(words.size).toBeGreaterThan(70);
  expect([...words].filter((word) => !new RegExp(`[/\`]${word}[\`/?]`).test(guide))).toEqual([]);
  expect(ASKED_NAMES.filter((name) => name !== "*" && !guide.includes(`\`${name}\``))).toEqual([]);
});
