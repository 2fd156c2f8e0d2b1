import { expect } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { untilTrue } from "../../../support/waiting.ts";
import { WAIT_MS } from "./browser.ts";

// A page goes on after an act: the server answers, an event arrives, an effect moves the focus. What is read once may be
// what stood there before.

/** Repeats expectations until they hold. @throws what they said last, when they do not hold in the time of a page. */
export const settles = async (expectations: () => Promise<unknown>): Promise<void> => {
  let failure: unknown;
  const hold = async (): Promise<boolean> => {
    try {
      await expectations();
      return true;
    } catch (error) {
      failure = error;
      return false;
    }
  };
  await untilTrue(hold, WAIT_MS).catch((error: unknown) => {
    throw failure ?? error;
  });
};

/** Resolves once a page has its heading and loads nothing any more. */
export const untilSettled = async (page: Page): Promise<void> => {
  await page.locator("h1").first().waitFor({ state: "attached" });
  await page.locator(".skeleton").first().waitFor({ state: "detached" });
};

/** Expects that a page lacks something once it has settled. */
export const isAbsent = async (locator: Locator): Promise<void> => {
  await untilSettled(locator.page());
  await settles(async () => expect(await locator.count()).toBe(0));
};
