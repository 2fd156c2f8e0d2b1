import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { type App, startApp } from "../../src/app.ts";
import { oneClick, setUpDemo } from "../../src/commands/demo/console.ts";
import { accountsPage } from "../../src/core/tenancy/accounts/accounts.ts";
import { createLog } from "../../src/kernel/log.ts";
import { configOf } from "../seed/config.ts";
import { type Load, seedLoad } from "../seed/load.ts";
import { ms, type Section } from "./report.ts";

/** The path of Debian's package `chromium`. */
const CHROMIUM = "/usr/bin/chromium";
const MOST_PAINT_MS = 1000;
const MOST_REQUEST_MS = 200;
const REPEATS = 5;

/** TABLE: the pages, and lists with a filter, below the console. */
const PATHS = [
  "/",
  "/?range=7d",
  "/?range=30d",
  "/inbox",
  "/messages",
  "/messages?status=FAILED",
  "/messages?q=bolo",
  "/messages?q=5511980000042",
  "/contacts",
  "/contacts?q=Carla",
  "/batches",
  "/scheduled",
  "/templates",
  "/phones",
  "/agents",
  "/groups",
  "/calls",
  "/webhooks",
  "/deliveries",
  "/deliveries?state=DELIVERED",
  "/keys",
  "/api",
  "/billing",
  "/team",
  "/accounts",
  "/system",
  "/audit",
  "/profile",
];

/** `shownMs`: from the click until the page has no skeleton and no open request. */
type Visit = { path: string; paintMs: number; shownMs: number };
type Request = { path: string; cpuMs: number; wallMs: number; kb: number };

/**
 * The cost of the console with an account of 100,000 messages. Measures the first paint of each page in Chromium, and
 * the processor time of its requests. Server and measurement share this process; the browser does not.
 */
export const consoleSection = async (load: Load): Promise<Section> => {
  const dataDir = mkdtempSync(join(tmpdir(), "recado-bench-console-"));
  const { handOver, setCookie } = oneClick();
  const limits = { RECADO_GATEWAY_RATE: "100000", RECADO_ADDRESS_RATE: "100000" };
  const app = await startApp(configOf(dataDir, limits), { log: createLog("error"), simulated: true, handOver });
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ["--disable-dev-shm-usage", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
  });
  try {
    const { cookie } = await setUpDemo(app);
    setCookie(cookie);
    const { items } = await accountsPage(app.env, { status: undefined, cursor: undefined, limit: 1 });
    const [account] = items;
    if (!account) throw new Error("there is no account");
    await seedLoad(app.env, account.id, load);
    const context = await signedIn(browser, `${app.consoleUrl}/demo?token=${handOver.token}`);
    const asked = new Set<string>();
    const visits: Visit[] = [];
    for (const path of PATHS) visits.push(await visit(context, app, path, asked));
    const requests: Request[] = [];
    for (const path of asked) requests.push(await measured(path, { cookie, accountId: account.id }));
    return sectionOf(visits, requests, load);
  } finally {
    await browser.close();
    await app.stop();
    rmSync(dataDir, { recursive: true });
  }
};

const signedIn = async (browser: Browser, link: string): Promise<BrowserContext> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(link);
  await page.locator("h1").waitFor();
  await page.close();
  return context;
};

/** The requests that nobody waits for: the stream never ends, and the doctor asks the networks. */
const UNAWAITED = /\/stream|\/admin\/doctor/;
const isQuestion = (url: string): boolean => /\/console\/(?:gateway|platform)\//.test(url) && !UNAWAITED.test(url);

/** Opens a page in a browser that has the program already, and notes its requests. */
const visit = async (
  context: BrowserContext,
  { consoleUrl }: App,
  path: string,
  asked: Set<string>,
): Promise<Visit> => {
  const page = await context.newPage();
  let isAsking = 0;
  let answeredAt = performance.now();
  page.on("request", (request) => {
    if (!isQuestion(request.url())) return;
    isAsking += 1;
    if (request.method() === "GET") asked.add(request.url());
  });
  const onEnd = (request: { url(): string }): void => {
    if (!isQuestion(request.url())) return;
    isAsking -= 1;
    answeredAt = performance.now();
  };
  page.on("requestfinished", onEnd);
  page.on("requestfailed", onEnd);
  const startedAt = performance.now();
  await page.goto(`${consoleUrl}${path}`);
  await page.locator("h1").waitFor();
  const headAt = performance.now();
  await page.locator(".skeleton").first().waitFor({ state: "detached", timeout: 30_000 });
  while (isAsking > 0 || performance.now() - answeredAt < 150) await Bun.sleep(20);
  const paintMs = await firstPaint(page);
  await page.close();
  return { path, paintMs, shownMs: Math.max(headAt, answeredAt) - startedAt };
};

const firstPaint = (page: Page): Promise<number> =>
  page.evaluate<number>(`performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0`);

/**
 * The processor time of a request, as the median of some. It includes the client's part, which is less than a
 * millisecond.
 */
const measured = async (
  url: string,
  { cookie, accountId }: { cookie: string; accountId: string },
): Promise<Request> => {
  const headers = {
    cookie: `recado=${cookie}`,
    "x-recado-console": "1",
    "x-recado-account": accountId,
    "sec-fetch-site": "same-origin",
  };
  const samples: Omit<Request, "path">[] = [];
  for (let n = 0; n < REPEATS; n++) {
    const [startedAt, before] = [performance.now(), process.cpuUsage()];
    const answer = await fetch(url, { headers });
    const { length } = await answer.text();
    const { user, system } = process.cpuUsage(before);
    samples.push({ cpuMs: (user + system) / 1000, wallMs: performance.now() - startedAt, kb: length / 1000 });
  }
  const sorted = samples.toSorted((a, b) => a.cpuMs - b.cpuMs);
  const median = sorted[Math.floor(sorted.length / 2)] ?? { cpuMs: 0, wallMs: 0, kb: 0 };
  return { path: url.replace(/^.*\/console/, ""), ...median };
};

const SLOWEST_SHOWN = 12;

const sectionOf = (visits: readonly Visit[], requests: readonly Request[], load: Load): Section => ({
  title: "The console with a large account",
  figures: [
    ...visits.map(({ path, paintMs, shownMs }) => ({
      what: `\`${path}\`: first paint, and all answers shown`,
      value: `${ms(paintMs)}, ${ms(shownMs)}`,
      aim: { text: `< ${MOST_PAINT_MS} ms`, isMet: Math.max(paintMs, shownMs) < MOST_PAINT_MS },
    })),
    ...requests
      .toSorted((a, b) => b.cpuMs - a.cpuMs)
      .slice(0, SLOWEST_SHOWN)
      .map(({ path, cpuMs, wallMs, kb }) => ({
        what: `processor time of \`GET ${path.slice(0, 90)}\``,
        value: `${ms(cpuMs)} (${ms(wallMs)} on the clock, ${kb.toFixed(0)} kB)`,
        aim: { text: `< ${MOST_REQUEST_MS} ms`, isMet: cpuMs < MOST_REQUEST_MS },
      })),
  ],
  notes: [
    `${load.conversations * load.messagesEach} messages, ${load.conversations} conversations, ${load.phones} phones, ${load.deadLetters} dead letters in one account`,
    "the browser runs on the same cores; its first visit of each page is measured with the program in its cache",
    `the ${SLOWEST_SHOWN} slowest of ${requests.length} different requests`,
  ],
});
