import { expect, test } from "bun:test";
import { costsPage } from "./support/databases/costs.ts";

/** The page without the last column of its tables: the times. */
const counted = (page: string): string => page.replace(/^(\|.*\|)[^|\n]*\|$/gm, "$1");

test("a message costs what scripts/costs.md says", async () => {
  const page = await Bun.file(new URL("../scripts/costs.md", import.meta.url)).text();
  expect(counted(await costsPage(3))).toBe(counted(page));
}, 60_000);
