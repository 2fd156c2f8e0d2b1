import { isLoopbackUrl } from "../../kernel/settings/setting-kinds.ts";

/** The header that every request of the console's own program has. A form cannot send it. */
export const CONSOLE_HEADER = "x-recado-console";

/** `__Host-` binds a cookie to this very host over https. A browser refuses such a cookie over http. */
export const sessionCookieName = (consoleUrl: string): string =>
  consoleUrl.startsWith("http:") && isLoopbackUrl(consoleUrl) ? "recado" : "__Host-recado";

/** The value of the session's cookie; undefined for a request without one. */
export const sessionCookieOf = (request: Request, consoleUrl: string): string | undefined =>
  new Bun.CookieMap(request.headers.get("cookie") ?? "").get(sessionCookieName(consoleUrl)) || undefined;

/**
 * Whether an `Origin` is the console's: the configured origin, or the origin under which this request reached the
 * server. Another port of the same host is another origin.
 */
const isOwnOrigin = (origin: string, request: Request, consoleUrl: string): boolean => {
  const given = URL.parse(origin);
  const own = new URL(consoleUrl);
  if (given === null || given.origin !== origin || given.protocol !== own.protocol) return false;
  return given.host === own.host || given.host === new URL(request.url).host;
};

/**
 * Whether the console's own pages sent a request: with the header, and with an `Origin` or a `Sec-Fetch-Site` of our
 * own. A browser writes both by itself. A request with neither, or with another origin, is refused.
 */
export const isOwnRequest = (request: Request, consoleUrl: string): boolean => {
  const { headers } = request;
  if (headers.get(CONSOLE_HEADER) !== "1") return false;
  const [origin, site] = [headers.get("origin"), headers.get("sec-fetch-site")];
  if (origin === null && site === null) return false;
  return (site === null || site === "same-origin") && (origin === null || isOwnOrigin(origin, request, consoleUrl));
};
