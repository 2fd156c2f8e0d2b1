import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { recordStart, START_ORDER } from "../../scripts/build/start-order.ts";

const functionsOf = (lines: readonly string[]): string[] => lines.filter((line) => line.startsWith("F "));

test("most functions that a start runs lie together: if not, record them anew by `npm run start-order`", async () => {
  const laid = new Set(functionsOf((await Bun.file(START_ORDER).text()).split("\n")));
  const ran = functionsOf(await recordStart(resolve(import.meta.dir, "../../dist/recado"), 0));
  expect(ran.length).toBeGreaterThan(500); // else nothing was recorded
  expect(ran.filter((one) => laid.has(one)).length / ran.length).toBeGreaterThan(0.6);
});
