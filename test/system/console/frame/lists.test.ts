import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { axe } from "../support/looks.ts";
import { isAbsent, settles } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

/** Answers the questions for contacts in place of the server, in turn; the last answer is given again. */
const answerContacts = async (page: Page, answers: readonly { status?: number; body: object }[]): Promise<void> => {
  let asked = 0;
  await page.route(/\/v1\/contacts(\?|$)/, async (route) => {
    const { status = 200, body } = answers[Math.min(asked, answers.length - 1)] ?? { body: {} };
    asked += 1;
    await route.fulfill({ status, json: body });
  });
};
const open = async (path: string) => {
  const watched = await s.window.open({ person: s.people.owner, language: "en" });
  return { ...watched, go: () => watched.page.goto(`${s.server.consoleUrl}${path}`) };
};
const NOTHING = { items: [], nextCursor: null };

test("a list that failed says so, and is there after another try", async () => {
  const { page, faults, go } = await open("/contacts");
  faults.expect(/500 GET .*\/v1\/contacts/);
  const error = { code: "INTERNAL", message: "The disk is full" };
  await answerContacts(page, [{ status: 500, body: { error } }, { body: NOTHING }]);
  await go();
  await page.getByRole("alert").waitFor();
  await axe(page);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("No contacts yet").waitFor();
  await isAbsent(page.getByRole("alert"));
  await isAbsent(page.getByRole("navigation", { name: "Next page" }));
});

test("a page on which nothing matches leads on while more follows, and back from the last one", async () => {
  const { page, go } = await open("/contacts?q=none");
  await answerContacts(page, [{ body: { items: [], nextCursor: "c2" } }, { body: NOTHING }]);
  await go();
  await page.getByText("Nothing matches on this page, but further entries follow.").waitFor();
  await axe(page);
  await page.getByRole("button", { name: "Next page" }).click();
  await page.waitForURL(/cursor=c2/);
  await page.getByText("No contact was found").waitFor();
  await page.getByRole("button", { name: "First page" }).click();
  await page.waitForURL((url) => !url.search.includes("cursor"));
  await settles(async () => expect(new URL(page.url()).search).toBe("?q=none"));
});

test("a later page without rows is no list without rows", async () => {
  const { page, go } = await open("/contacts?cursor=c9");
  await answerContacts(page, [{ body: NOTHING }]);
  await go();
  await page.getByText("No contact was found").waitFor();
  await isAbsent(page.getByText("No contacts yet"));
});
