import type { Page, Response } from "playwright-core";

/** What went wrong on a page that nobody expected. */
export type Faults = {
  /** A fault that this test provokes: it is left out. */
  expect(pattern: RegExp): void;
  list(): string[];
  /** The same, and forgets them. */
  take(): string[];
  /** @throws with all unexpected faults. */
  check(): void;
};

export const faultsText = (faults: readonly string[]): string => `the page had faults:\n${faults.join("\n")}`;

/** Puts violations of the content security policy on the page's console, as an error of ours. */
const CSP_WATCH = `document.addEventListener("securitypolicyviolation", (event) =>
  console.error("CSP violation: " + event.violatedDirective + " by " + (event.blockedURI || "inline") + " " + (event.sample || "")))`;

/** Notes every error on the console, exception, CSP violation, failed request and answer of 400 and more. */
export const watchFaults = async (page: Page): Promise<Faults> => {
  const found: string[] = [];
  const expected: RegExp[] = [];
  page.on("console", (message) => {
    // the answer itself is noted below, with its address
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      found.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => found.push(`exception: ${error.stack || error.message}`));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // a page that is left, or a query that is no longer wanted, ends its requests
    if (reason !== "net::ERR_ABORTED") found.push(`request: ${request.method()} ${request.url()} ${reason}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) found.push(answerFault(response));
  });
  page.on("crash", () => found.push("the page crashed"));
  await page.addInitScript(CSP_WATCH);
  const list = (): string[] => found.filter((fault) => !expected.some((pattern) => pattern.test(fault)));
  return {
    expect: (pattern) => void expected.push(pattern),
    list,
    take() {
      const faults = list();
      found.length = 0;
      return faults;
    },
    check() {
      const faults = list();
      if (faults.length > 0) throw new Error(faultsText(faults));
    },
  };
};

const answerFault = (response: Response): string =>
  `answer: ${response.status()} ${response.request().method()} ${response.url()}`;
