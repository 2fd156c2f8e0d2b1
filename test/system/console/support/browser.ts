import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { type Faults, faultsText, watchFaults } from "./faults.ts";
import { consoleHeaders, type Person } from "./people.ts";
import type { ConsoleServer } from "./server.ts";

/**
 * Where Debian's packages put it, the first that is installed. `chromium-headless-shell` draws no window of its own,
 * which takes a third of the processor time.
 */
const PROGRAMS = ["/usr/lib/chromium/chromium-headless-shell", "/usr/bin/chromium"] as const;

/** How long a page may take: less than a test, whose end by time would end the browser of all. */
export const WAIT_MS = 20_000;

export const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } } as const;
export const LOCALES = { pt: "pt-BR", en: "en-US", es: "es-ES" } as const;
export const THEMES = ["light", "dark"] as const;

export type Look = { size: keyof typeof SIZES; language: keyof typeof LOCALES; theme: (typeof THEMES)[number] };
const LOOK: Look = { size: "wide", language: "pt", theme: "light" };

/** A page whose faults fail the test: call `faults.check()` at the end of the test. */
export type Watched = { page: Page; context: BrowserContext; faults: Faults; look: Look };

/** One browser for the tests of a file. Each test has a context of its own. */
export type Window = {
  /**
   * Opens a page in a fresh context, signed in as `person` where one is named. `isKept`: it stays open for the tests of
   * this file that follow, which only look. The first document of a context takes four times as long as the next.
   */
  open(options?: Partial<Look> & { person?: Person; isKept?: boolean }): Promise<Watched>;
  /** Closes the pages of a test. @throws when a page had a fault that its test did not expect. */
  closePages(): Promise<void>;
  stop(): Promise<void>;
};

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Starts Chromium. @throws where the package is missing: these tests are never skipped. */
export const openBrowser = async (server: ConsoleServer): Promise<Window> => {
  const executablePath = PROGRAMS.find((path) => existsSync(path));
  if (executablePath === undefined)
    throw new Error(`none of ${PROGRAMS.join(", ")}: the tests of the console need Debian's package chromium`);
  const args = ["--disable-dev-shm-usage", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])];
  const browser = await chromium.launch({ executablePath, headless: true, args });
  const sessions = new Map<string, Session>();
  const opened: Watched[] = [];
  const kept: Watched[] = [];
  const sessionOf = async (person: Person): Promise<Session> => {
    const known = sessions.get(person.email);
    if (known) return known;
    const made = await signIn(browser, server, person);
    sessions.set(person.email, made);
    return made;
  };
  return {
    async open({ person, isKept = false, ...wanted } = {}) {
      const look = { ...LOOK, ...wanted };
      const context = await browser.newContext({
        viewport: SIZES[look.size],
        locale: LOCALES[look.language],
        colorScheme: look.theme,
        reducedMotion: "reduce",
        timezoneId: "America/Sao_Paulo",
        hasTouch: look.size === "narrow",
        ...(person ? { storageState: await sessionOf(person) } : {}),
      });
      context.setDefaultTimeout(WAIT_MS);
      if (person?.accountId !== undefined) await context.addInitScript(choosing(person.accountId));
      const page = await context.newPage();
      const watched = { page, context, faults: await watchFaults(page), look };
      (isKept ? kept : opened).push(watched);
      return watched;
    },
    async closePages() {
      const all = opened.splice(0);
      for (const { context } of all) await context.close();
      const found = [...all, ...kept].flatMap(({ faults }) => faults.take());
      if (found.length > 0) throw new Error(faultsText(found));
    },
    stop: () => browser.close(),
  };
};

/** Chooses the account of a tab, as the person did the last time. */
const choosing = (accountId: string): string =>
  `if (!sessionStorage.getItem("recado-account")) localStorage.setItem("recado-account", ${JSON.stringify(accountId)})`;

/** Signs in as the page does, without the page. Resolves with the cookies. */
const signIn = async (browser: Browser, server: ConsoleServer, person: Person): Promise<Session> => {
  const context = await browser.newContext();
  const answer = await context.request.post(`${server.consoleUrl}/sign-in`, {
    headers: consoleHeaders(server),
    data: { email: person.email, password: person.password },
  });
  if (!answer.ok()) throw new Error(`${person.email} cannot sign in: ${answer.status()} ${await answer.text()}`);
  const session = await context.storageState();
  await context.close();
  return session;
};
