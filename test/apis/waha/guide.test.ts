import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createWahaApi } from "../../../src/apis/waha/api.ts";
import { ASKED_NAMES } from "../../../src/apis/waha/events/events.ts";
import { WAHA_ENV } from "../../support/apis/waha.ts";
import { useWorld } from "../../support/use-world.ts";

const w = useWorld({ env: WAHA_ENV });
const guide = readFileSync("docs/from-waha.md", "utf8");

test("the guide names every send and every event of the compatible API", () => {
  const { table } = createWahaApi(w.app.env, { prefix: "", url: () => "" });
  const sends = table.routes.flatMap(
    ({ name }) => /^\w+ \/api\/(\w*[sS]end\w*|forwardMessage|reply)$/.exec(name)?.[1] ?? [],
  );
  expect(sends.length).toBeGreaterThan(12);
  expect([...new Set(sends)].filter((word) => !guide.includes(word))).toEqual([]);
  expect(ASKED_NAMES.filter((name) => name !== "*" && !guide.includes(`\`${name}\``))).toEqual([]);
});
