import { afterEach, expect, test } from "bun:test";
import type { BrowserContext, Page, Request } from "playwright-core";
import { untilTrue } from "../../../support/waiting.ts";
import { gatewayOf } from "../support/seeds.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

const gateway = (path: string, body?: unknown): Promise<any> => gatewayOf(s.server, s.people)(path, body);
const LATENCY_MS = 800;
const MESSAGE_EVERY_MS = 600; // each brings about six events: ten a second
const MESSAGES = 50;

/** Makes the line of a page as slow as from another continent. */
const slowDown = async (page: Page): Promise<void> => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
};

let stop = (): void => undefined;
afterEach(() => stop());
/** Sends messages all the time until the test ends. */
const keepWriting = (): { written: () => number } => {
  let written = 0;
  const timer = setInterval(() => {
    written += 1;
    const content = { text: `mensagem ${written}` };
    void gateway("messages", { phoneId: s.seeds.phoneId, to: "5511988880001", type: "text", content });
  }, MESSAGE_EVERY_MS);
  stop = () => clearInterval(timer);
  return { written: () => written };
};

const isQuestion = (request: Request): boolean => request.method() === "GET" && request.url().includes("/v1/");
/** The questions of a person's pages, and those that were broken off. */
const watch = (context: BrowserContext) => {
  const asked: string[] = [];
  const broken: string[] = [];
  const running = new Map<string, number>();
  let isDoubled = false;
  const ended = (request: Request): void => {
    const key = `${request.frame().page().url()} ${request.url()}`;
    running.set(key, (running.get(key) ?? 1) - 1);
  };
  context.on("request", (request) => {
    if (!isQuestion(request)) return;
    asked.push(request.url());
    const key = `${request.frame().page().url()} ${request.url()}`;
    running.set(key, (running.get(key) ?? 0) + 1);
    isDoubled ||= (running.get(key) ?? 0) > 1;
  });
  context.on("requestfinished", (request) => isQuestion(request) && ended(request));
  context.on("requestfailed", (request) => {
    if (!isQuestion(request)) return;
    ended(request);
    if (!request.url().includes("/v1/events")) broken.push(request.url());
  });
  return { asked, broken, isDoubled: () => isDoubled };
};

test("live lists load and stay loaded on a line of 800 ms with ten events a second; nothing is broken off", async () => {
  const { written } = keepWriting();
  const { page, context } = await s.window.open({ person: s.people.owner, language: "en" });
  await slowDown(page);
  const { broken, isDoubled } = watch(context);
  await page.goto(`${s.server.consoleUrl}/messages`);
  await page.locator("tbody tr").first().waitFor();
  for (let round = 0; round < 3; round += 1)
    await page
      .getByText(`mensagem ${written() + 1}`, { exact: true })
      .first()
      .waitFor();
  await page.goto(`${s.server.consoleUrl}/inbox`);
  await page.locator(".chat-row").first().waitFor();
  broken.length = 0; // leaving a page ends its questions
  for (let round = 0; round < 3; round += 1)
    await page
      .locator(".chat-row", { hasText: `mensagem ${written() + 1}` })
      .or(page.locator(".message", { hasText: `mensagem ${written() + 1}` }))
      .first()
      .waitFor();
  expect([broken, isDoubled()]).toEqual([[], false]);
});

test("four tabs of a busy inbox ask together within the budget, and go on when one of them is closed", async () => {
  const { written } = keepWriting();
  const { page, context } = await s.window.open({ person: s.people.owner, language: "en" });
  const tabs = [page, await context.newPage(), await context.newPage(), await context.newPage()];
  for (const tab of tabs) {
    await tab.goto(`${s.server.consoleUrl}/inbox`);
    await tab.locator(".chat-row").first().waitFor();
    await tab.getByText("Live", { exact: true }).waitFor();
  }
  const { asked, broken } = watch(context);
  const until = written() + MESSAGES;
  await untilTrue(() => written() >= until, 60_000);
  // 16 questions follow a message where each tab asks for itself; asking.test.ts has the exact figures
  expect(asked.length).toBeLessThanOrEqual(2 * MESSAGES);
  expect(asked.length).toBeGreaterThan(MESSAGES / 5);
  expect(broken).toEqual([]);
  await page.close(); // it had the stream for the others
  const next = `mensagem ${written() + 2}`;
  for (const tab of tabs.slice(1)) await tab.getByText(next).first().waitFor();
});
