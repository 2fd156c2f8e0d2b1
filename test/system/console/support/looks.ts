import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { untilTrue } from "../../../support/waiting.ts";
import { SIZES, THEMES } from "./browser.ts";

/** The folder for pictures. They are for people to look at, so none are made where it is not named. */
const PICTURES = process.env["RECADO_TEST_PICTURES"];

/** Writes one picture of the page as it looks now, as `<name>.png`. */
export const shootOnce = async (page: Page, name: string): Promise<void> => {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true, animations: "disabled" });
};

/** Writes pictures of a page: light and dark, at 1280 and at 390 px, as `<name>-<size>-<theme>.png`. */
export const shoot = async (page: Page, name: string): Promise<void> => {
  if (!PICTURES) return;
  const before = page.viewportSize();
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await shootOnce(page, `${name}-${size}-${theme}`);
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  if (before) await page.setViewportSize(before);
};

/** In place of axe's source, half a megabyte, for a page that has it already. */
const NOTHING = ";";

/**
 * @throws when axe finds a violation, with each place of it. The console has no frame of another site: so axe may do
 * without a page of its own for the results.
 */
export const axe = async (page: Page): Promise<void> => {
  const isThere = await page.evaluate<boolean>(`typeof axe === "object"`);
  const { violations } = await new AxeBuilder({ page, ...(isThere ? { axeSource: NOTHING } : {}) })
    .options({ resultTypes: ["violations"] })
    .setLegacyMode()
    .analyze();
  if (violations.length === 0) return;
  const said = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ target, failureSummary }) => `    ${target.join(" ")}\n      ${failureSummary}`).join("\n")}`,
  );
  throw new Error(`axe finds on ${page.url()}:\n${said.join("\n")}`);
};

const WIDER = `(() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const clipped = (node) => {
    for (let up = node.parentElement; up; up = up.parentElement)
      if (getComputedStyle(up).overflowX !== "visible") return true;
    return false;
  };
  return [...document.body.querySelectorAll("*")]
    .filter((node) => node.getBoundingClientRect().right > width + 1 && !clipped(node))
    .map((node) => node.tagName.toLowerCase() + "." + node.className).slice(0, 8);
})()`;

const FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth";
/** How long a page may take to be laid out anew after its window has changed. */
const LAYOUT_MS = 3000;

/** @throws when the page goes on to scroll sideways, with the elements that are too wide. */
export const overflow = async (page: Page): Promise<void> => {
  const fits = untilTrue(() => page.evaluate<boolean>(FITS), LAYOUT_MS);
  const isFit = await fits.then(
    () => true,
    () => false,
  );
  if (isFit) return;
  const wide = await page.evaluate<string[]>(WIDER);
  throw new Error(`${page.url()} is wider than its window: ${wide.join(", ")}`);
};
