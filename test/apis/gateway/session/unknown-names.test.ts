import { afterAll, beforeAll, expect, test } from "bun:test";
import { createUnknowns } from "../../../../src/core/channels/links/unknowns.ts";
import { startWorld, type World } from "../../../support/world.ts";

let w: World;
beforeAll(async () => {
  w = await startWorld();
});
afterAll(() => w.stop());

test("names beyond a hundred count as `other`, and none brings more than 64 characters of letters into the figures", async () => {
  const unknowns = createUnknowns(() => w.app.env);
  unknowns.note("SESSION", `stanza:"} 1\nevil ${"x".repeat(500)}`);
  for (let at = 0; at < 120; at++) unknowns.note("SESSION", `stanza:n${at}`);
  unknowns.note("SESSION", "stanza:n3");
  const text = await (await fetch(`${w.app.url}/metrics`)).text();
  const counted = [...text.matchAll(/^recado_unknown_received_total\{kind="SESSION",what="(.*)"\} (\d+)$/gm)];
  const figures = Object.fromEntries(counted.map(([, what, count]) => [what, Number(count)]));
  expect(Object.keys(figures)).toHaveLength(101);
  expect(Object.keys(figures).every((what) => /^[\w:.-]{1,64}$/.test(what))).toBe(true);
  expect(figures).toMatchObject({ other: 21, "stanza:n3": 2, "stanza:n0": 1 });
});
