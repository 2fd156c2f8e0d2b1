import { describe, expect, test } from "bun:test";
import { LOCALES, type Look, SIZES, THEMES, type Watched } from "./support/browser.ts";
import { axe, overflow, shootOnce } from "./support/looks.ts";
import { PAGES, type Visitor } from "./support/pages.ts";
import { ROUTED } from "./support/routed.ts";
import { settles, untilSettled } from "./support/settled.ts";
import { useConsole } from "./support/use-console.ts";

const s = useConsole();

const LANGUAGES = Object.keys(LOCALES) as Look["language"][];

const tabs = new Map<string, Watched>();
/** The tab of a visitor who reads a language: it loads every page, and the program of the console once. */
const tabOf = async (language: Look["language"], visitor: Visitor): Promise<Watched> => {
  const key = `${language} ${visitor}`;
  const known = tabs.get(key);
  if (known) return known;
  const person = visitor === "visitor" ? {} : { person: s.people[visitor] };
  const made = await s.window.open({ language, isKept: true, ...person });
  if (visitor === "visitor") made.faults.expect(/401 GET .*\/session|404 GET .*\/pair\/.*\/state/);
  tabs.set(key, made);
  return made;
};

/** Axe reads no language: it looks at each theme and size in this one, of which pictures are made. */
const THOROUGH: Look["language"] = "pt";

/** Axe takes a minute for the longest page on a busy machine. */
const LONG_MS = 180_000;

test("every page of the console's own table is visited", () => {
  const visited = new Set(PAGES.map(({ path }) => path));
  expect(ROUTED.filter((path) => !visited.has(path))).toEqual([]);
});

describe.each(LANGUAGES)("in %s", (language) => {
  test.each(PAGES)(
    "$name: no fault, no finding of axe, no scroll to the side, light and dark, 1280 and 390 px",
    async ({ name, path, as }) => {
      const isFull = language === THOROUGH;
      const { page } = await tabOf(language, as);
      const address = `${s.server.consoleUrl}${path}`;
      const found: string[] = [];
      const note = (what: string) => (error: unknown) => void found.push(`${what}: ${String(error)}`);
      for (const theme of isFull ? THEMES : THEMES.slice(0, 1)) {
        // loaded anew: Chromium keeps some inherited colours of `light-dark()` when the theme changes alone
        await page.emulateMedia({ colorScheme: theme });
        await page.setViewportSize(SIZES.wide);
        await page.goto(address);
        await untilSettled(page);
        for (const [size, viewport] of Object.entries(SIZES)) {
          await page.setViewportSize(viewport);
          await overflow(page).catch(note(size));
          if (isFull || size === "wide") await axe(page).catch(note(`${size} ${theme}`));
          if (isFull) await shootOnce(page, `${name}-${size}-${theme}`);
        }
      }
      await settles(async () => expect(await page.locator("html").getAttribute("lang")).toStartWith(language));
      expect(found).toEqual([]);
    },
    LONG_MS,
  );
});

test("two languages show two texts: no page stays in the language before", async () => {
  const titles = await Promise.all(
    LANGUAGES.map(async (language) => {
      const { page } = await s.window.open({ language, person: s.people.owner });
      await page.goto(`${s.server.consoleUrl}/messages`);
      await untilSettled(page);
      return page.title();
    }),
  );
  expect(new Set(titles).size).toBe(LANGUAGES.length);
});
