import { sessionCookieName } from "../own-requests.ts";

const DAYS_30 = 30 * 24 * 60 * 60;
const MINUTES_10 = 10 * 60;

const cookie = (consoleUrl: string, name: string, value: string, maxAge: number): string =>
  `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${name.startsWith("__Host-") || consoleUrl.startsWith("https:") ? "; Secure" : ""}`;

const stepName = (consoleUrl: string): string => `${sessionCookieName(consoleUrl)}-step`;

/** The cookie of a new session. It replaces the earlier cookie, and ends a waiting sign-in. */
export const sessionCookies = (consoleUrl: string, value: string): string[] => [
  cookie(consoleUrl, sessionCookieName(consoleUrl), value, DAYS_30),
  cookie(consoleUrl, stepName(consoleUrl), "", 0),
];

/** Removes every cookie of the console. */
export const noCookies = (consoleUrl: string): string[] => [
  cookie(consoleUrl, sessionCookieName(consoleUrl), "", 0),
  cookie(consoleUrl, stepName(consoleUrl), "", 0),
];

/** The cookie of a sign-in before its next step. */
export const stepCookie = (consoleUrl: string, value: string): string =>
  cookie(consoleUrl, stepName(consoleUrl), value, MINUTES_10);

export const stepOfRequest = (request: Request, consoleUrl: string): string | undefined =>
  new Bun.CookieMap(request.headers.get("cookie") ?? "").get(stepName(consoleUrl)) || undefined;
