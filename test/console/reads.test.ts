import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const TESTS = resolve(import.meta.dir, "../system/console");

/** An expectation of what a page shows at one moment, at the beginning of a statement. */
const READ_ONCE =
  /^[ \t]*expect\(\(?\[?[^;]*?await [^;]*?\.(?:inputValue|count|textContent|innerText|all(?:Text|Inner)\w+|is(?:Visible|Hidden|Checked|Enabled|Disabled)|getAttribute|evaluate(?:All)?(?:<[^;]*?>)?)\(/gm;

/** TABLE: how many expectations of a file are about the very moment, with the reason. */
const AT_ONCE: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  "frame/hostile.test.ts": [1, "nothing hostile may be there, and the page has settled before"],
  "frame/keyboard.test.ts": [1, "the browser moves the focus with the key"],
  "frame/stream.test.ts": [1, "what the page was given before is there or lost"],
};

const readsOnce = (text: string): number =>
  [...text.matchAll(READ_ONCE)].filter(({ index }) => !text.slice(0, index).trimEnd().endsWith("settles(async () =>"))
    .length;

test("no test of the console reads once what may still change: it waits with settles or isAbsent", () => {
  const found = readdirSync(TESTS, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => [name, readsOnce(readFileSync(join(TESTS, name), "utf8"))] as const)
    .filter(([, count]) => count > 0);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(AT_ONCE).map(([name, [count]]) => [name, count])),
  );
});

test.each([
  `  expect(await filter.inputValue()).toBe("All");`,
  `  expect(\n    await page.locator("tr").count(),\n  ).toBe(1);`,
  `expect((await row.innerText()).trim()).toMatch(/1/);`,
  `expect([path, await page.locator("img").count()]).toEqual([path, 0]);`,
  "expect(await page.evaluate<boolean>(`true`)).toBe(true);",
])("%s is refused", (text) => expect(readsOnce(text)).toBe(1));

test.each([
  "  await settles(async () => expect(await filter.inputValue()).toBe(''));",
  "  expect(await gateway('chats')).toEqual([]);",
  "  await settles(async () =>\n    expect(await filter.inputValue()).toBe('All of the phones'),\n  );",
  "  expect(sent).toEqual([]);\n  await page.locator('h1').count();",
])("%s is allowed", (text) => expect(readsOnce(text)).toBe(0));
