import { expect, test } from "bun:test";
import { untilTrue } from "../../support/waiting.ts";
import { axe, overflow, shoot } from "./support/looks.ts";
import { beginTask, keyboardOf } from "./support/tasks.ts";
import { useConsole } from "./support/use-console.ts";

const s = useConsole();

/** In place of a page: two buttons, the second of which changes the title. */
const TWO_BUTTONS = `document.body.replaceChildren(...["First", "Second"].map((text) => {
  const button = Object.assign(document.createElement("button"), { textContent: text });
  button.addEventListener("click", () => { document.title = text; });
  return button;
}))`;

test("a page without a fault passes; its pictures, axe and its width too", async () => {
  const { page, faults } = await s.window.open({ person: s.people.owner });
  await page.goto(`${s.server.consoleUrl}/agents`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await axe(page);
  await overflow(page);
  await shoot(page, "harness");
  expect(faults.list()).toEqual([]);
});

test("errors on the console, exceptions, refused scripts and images, and answers of 400 and more are faults", async () => {
  const { page, faults } = await s.window.open();
  await page.goto(s.server.consoleUrl);
  await page.evaluate(`console.error("one error"); setTimeout(() => { throw new Error("one exception") })`);
  await page.evaluate(`document.body.append(Object.assign(new Image(), { src: "https://other.example/x.png" }))`);
  const areFound = (...wanted: RegExp[]) =>
    untilTrue(() => wanted.every((pattern) => faults.list().some((fault) => pattern.test(fault))));
  await areFound(/^console: one error/, /^exception: .*one exception/, /CSP violation: img-src/);
  await page.goto(`${s.server.url}/no-such-page`);
  await areFound(/^answer: 404 GET .*no-such-page/);
  expect(() => faults.check()).toThrow("the page had faults");
  faults.expect(/./);
  expect(faults.list()).toEqual([]);
});

test("axe names what it finds, also on a document that it has looked at before", async () => {
  const { page } = await s.window.open({ person: s.people.owner });
  await page.goto(`${s.server.consoleUrl}/agents`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await axe(page);
  await page.evaluate(`document.querySelector("main").append(document.createElement("button"))`);
  expect(await axe(page).catch(String)).toContain("button-name");
});

test("a page that is kept stays open after a test, and a fault on it fails that test alone", async () => {
  const { page, faults } = await s.window.open({ isKept: true });
  await page.evaluate(`console.error("one error")`);
  await untilTrue(() => faults.list().length > 0);
  expect(await s.window.closePages().catch(String)).toContain("console: one error");
  expect(page.isClosed()).toBe(false);
  await s.window.closePages();
});

test("a task counts its clicks, and the keyboard reaches a control by its name or fails", async () => {
  const { page } = await s.window.open({ person: s.people.owner });
  await page.goto(s.server.consoleUrl);
  await page.evaluate(TWO_BUTTONS);
  const task = beginTask("two clicks", 1);
  await task.click(page.getByRole("button", { name: "First" }));
  await task.click(page.getByRole("button", { name: "First" }));
  expect(() => task.done()).toThrow("takes 2 clicks, and may take 1");
  await keyboardOf(page).enter("Second", 5);
  expect(await page.title()).toBe("Second");
  expect(keyboardOf(page).reach("Third", 4)).rejects.toThrow("4 tabs do not reach Third");
});
