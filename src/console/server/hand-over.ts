import { addressOf } from "../../apis/shared/http/request.ts";
import { isSameSecret } from "../../kernel/crypto.ts";
import { sessionCookies } from "./own/cookies.ts";

/**
 * A session that a link opens once. Only the demo offers such a link, for a database that it has made itself. `take`
 * gives the session's cookie once, and undefined afterwards.
 */
export type HandOver = { token: string; take(): string | undefined };

const isOfThisMachine = (address: string): boolean => /^(?:::ffff:)?127\.|^::1$/.test(address);

const NO_STORE = { "cache-control": "no-store", "referrer-policy": "no-referrer" };

/**
 * Signs in the first browser that opens `<console>/demo?token=…`, and shows it the overview. Undefined for every other
 * path. A wrong token, a second use, and another machine get "not found".
 */
export const handOverPage = (
  request: Request,
  {
    pathname,
    prefix,
    consoleUrl,
    handOver,
  }: { pathname: string; prefix: string; consoleUrl: string; handOver: HandOver },
): Response | undefined => {
  if (pathname !== `${prefix}/demo`) return undefined;
  const token = new URL(request.url).searchParams.get("token") ?? "";
  const isWanted =
    request.method === "GET" && isOfThisMachine(addressOf(request)) && isSameSecret(token, handOver.token);
  const cookie = isWanted ? handOver.take() : undefined;
  if (cookie === undefined)
    return new Response("This link has been used, or is not right. Start the demo again.\n", {
      status: 404,
      headers: { ...NO_STORE, "content-type": "text/plain; charset=utf-8" },
    });
  const headers = new Headers({ ...NO_STORE, location: `${prefix}/` });
  for (const one of sessionCookies(consoleUrl, cookie)) headers.append("set-cookie", one);
  return new Response(null, { status: 303, headers });
};
