import { expect, test } from "bun:test";
import { costsPage } from "./support/costs.ts";

test("a message costs what scripts/costs.md says", async () => {
  const page = await Bun.file(new URL("../scripts/costs.md", import.meta.url)).text();
  expect(await costsPage()).toBe(page);
}, 60_000);
