import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { untilTrue } from "../../../support/waiting.ts";
import { axe } from "../support/looks.ts";
import { PAGES } from "../support/pages.ts";
import { gatewayOf } from "../support/seeds.ts";
import { settles } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

const LONG_MS = 240_000;

const focused = (page: Page) =>
  page.evaluate<string>(`(document.activeElement?.tagName ?? "") + " " + (document.activeElement?.textContent ?? "")`);
const isAtHeading = (page: Page) =>
  untilTrue(() => page.evaluate<boolean>(`document.activeElement === document.querySelector("main h1")`));

describe("the focus is never lost to the page", () => {
  test.each(["operator", "owner", "viewer"] as const)(
    "every page of the navigation, opened by the keyboard, has the focus at its heading (%s)",
    async (who) => {
      const { page } = await s.window.open({ person: s.people[who] });
      await page.goto(`${s.server.consoleUrl}/profile`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      const links = page.locator("nav.pages a");
      const count = await links.count();
      expect(count).toBeGreaterThan(8);
      for (let at = 0; at < count; at++) {
        const before = page.url();
        await links.nth(at).focus();
        await page.keyboard.press("Enter");
        await page.waitForURL((url) => url.href !== before);
        await isAtHeading(page).catch(async () => {
          throw new Error(`${page.url()}: the focus is at ${await focused(page)}`);
        });
      }
      await page.goBack();
      await isAtHeading(page);
    },
    LONG_MS,
  );

  test("a row that is gone leaves the focus at the heading, a dialog at its opener", async () => {
    const gateway = gatewayOf(s.server, s.people);
    const { id } = await gateway("webhooks", { label: "Loja", url: "https://example.com/x", secret: "x".repeat(20) });
    const { page } = await s.window.open({ person: s.people.owner, language: "en" });
    await page.goto(`${s.server.consoleUrl}/webhooks/${id}`);
    const opener = page.getByRole("button", { name: "Delete", exact: true });
    await opener.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await settles(async () => expect(await opener.evaluate((node) => node.matches(":focus"))).toBe(true));
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button").last().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/webhooks$/);
    await isAtHeading(page);
  });
});

/** TABLE: dialogs into which somebody types, each with its page and its opener. */
const DIALOGS = [
  ["webhooks", "Add a webhook"],
  ["contacts", "Add a contact"],
  ["keys", "Make a key"],
  ["phones", "Add a phone"],
  ["team", "Invite"],
  ["inbox", "New message"],
] as const;

test.each(DIALOGS)(
  "a dialog of %s asks before it goes with what was typed",
  async (path, opener) => {
    const { page } = await s.window.open({ person: s.people.owner, language: "en" });
    await page.goto(`${s.server.consoleUrl}/${path}`);
    await page
      .getByRole("button", { name: new RegExp(`^${opener}`) })
      .first()
      .click();
    const dialog = page.getByRole("dialog");
    const field = dialog
      .locator("input:is([type=text], [type=url], [type=email]):visible:not([role=combobox])")
      .first();
    await field.fill("something@example.com");
    const byEscape = () => page.keyboard.press("Escape");
    for (const leave of [
      byEscape,
      () => page.mouse.click(3, 3),
      () => dialog.getByRole("button", { name: "Close" }).click(),
    ]) {
      await leave();
      await dialog.getByText("Discard what you typed?").waitFor();
      if (leave === byEscape) await axe(page);
      await dialog.getByRole("button", { name: "Go on writing" }).click();
      await settles(async () => expect(await field.inputValue()).toBe("something@example.com"));
      const isInside = `document.activeElement.closest("dialog > *") !== null`;
      await settles(async () => expect(await page.evaluate<boolean>(isInside)).toBe(true));
    }
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Discard", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    await untilTrue(() => page.evaluate<boolean>("document.activeElement !== document.body"));
  },
  LONG_MS,
);

/** The controls of a page that a bar covers when they get the focus while they stand at the edge of the window. */
const COVERED = `(() => {
  const covered = [];
  for (const control of document.querySelectorAll("main :is(input, select, textarea, button)")) {
    if (control.disabled || !control.checkVisibility({ visibilityProperty: true }) || control.type === "hidden") continue;
    for (const edge of ["top", "bottom"]) {
      document.activeElement?.blur();
      const before = control.getBoundingClientRect();
      scrollBy(0, edge === "top" ? before.top - 2 : before.bottom - innerHeight + 2);
      control.focus();
      const { left, top: y, width, height } = control.getBoundingClientRect();
      if (width < 2 || document.activeElement !== control) continue;
      const at = document.elementFromPoint(left + width / 2, y + height / 2);
      if (at?.closest("header.top, nav.below")) covered.push(control.tagName + " " + (control.name || control.textContent) + " at " + y);
    }
  }
  return covered;
})()`;

test.each(["wide", "narrow"] as const)(
  "no field or button that gets the focus is under a bar of the frame (%s)",
  async (size) => {
    const found: string[] = [];
    for (const as of ["owner", "operator"] as const) {
      const { page } = await s.window.open({ person: s.people[as], size });
      for (const { path } of PAGES.filter((one) => one.as === as)) {
        await page.goto(`${s.server.consoleUrl}${path}`);
        await page.locator("h1").first().waitFor();
        await page.locator(".skeleton").first().waitFor({ state: "detached" });
        const covered = await page.evaluate<string[]>(COVERED);
        found.push(...covered.map((one) => `${path}: ${one}`));
      }
    }
    expect(found).toEqual([]);
  },
  LONG_MS,
);
