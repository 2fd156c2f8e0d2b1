import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createEvolutionApi } from "../../../src/apis/evolution/api.ts";
import { ASKED_NAMES, EVENT_NAMES } from "../../../src/apis/evolution/webhooks/events.ts";
import { EVOLUTION_ENV } from "../../support/apis/evolution.ts";
import { useWorld } from "../../support/use-world.ts";

const w = useWorld({ env: EVOLUTION_ENV });
const guide = readFileSync("docs/from-evolution.md", "utf8");

test("the guide names every route, and every event that is published", () => {
  const { table } = createEvolutionApi(w.app.env, { prefix: "", url: () => "" });
  const parts = table.routes.flatMap(
    ({ name }) =>
      name
        .match(/ \/(\w+)\/(\w+)\/:instance$/)
        ?.slice(1, 3)
        .join("/") ?? [],
  );
  const last = [...new Set(parts)].map((path) => path.split("/")[1] ?? "");
  expect(last.length).toBeGreaterThan(60);
  expect(last.filter((word) => !guide.includes(word))).toEqual([]);
  expect(Object.values(EVENT_NAMES).filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  expect(new Set(ASKED_NAMES).size).toBe(ASKED_NAMES.length);
});
