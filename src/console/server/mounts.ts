import { LONG_TARGET_MESSAGE } from "../../apis/shared/http/paths.ts";
import { recogniseSession } from "../../core/tenancy/sign-in/console-sessions.ts";
import { lazily } from "../../kernel/async.ts";
import type { Addresses } from "../../kernel/network/addresses.ts";
import { type Behind, consoleDoors, type Door } from "./doors.ts";
import type { ConsoleEnv } from "./env.ts";
import { type HandOver, handOverPage } from "./hand-over.ts";
import { isLinkPage } from "./link-pages.ts";

type Place = { host: string | undefined; prefix: string };
type Mounted = Place & {
  handle(request: Request, pathname: string): Response | Promise<Response>;
  isUrlSigned?(method: string, pathname: string): Promise<boolean>;
  refuseLong?(): Response;
};

/**
 * `place`: the place of the console. `root`: the root of the public URL. `isOn`: false serves only the pages of links
 * in mails. `handOver`: a session that the demo offers.
 */
type Options = {
  place: Place;
  root: Place;
  isOn: boolean;
  behind: Record<Door, Behind>;
  handOver: HandOver | undefined;
};

/** Pages that people reach by a link in a mail, also while the console is off. */
const isOfLink = ({ prefix }: Place, pathname: string): boolean => {
  const page = pathname.slice(prefix.length + 1);
  return page === "setup" || isLinkPage(page);
};
const refuseLong = (): Response =>
  guarded(
    Response.json({ error: { code: "URI_TOO_LONG", message: LONG_TARGET_MESSAGE, details: {} } }, { status: 414 }),
  );
const none = (): Response => Response.json({ error: "not found" }, { status: 404 });

/** TABLE: the default headers of the console's answers, which are those of data, not of a page. */
const GUARDS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** The answer with the guards that it lacks. */
const guarded = (answer: Response): Response => {
  for (const [name, value] of Object.entries(GUARDS)) if (!answer.headers.has(name)) answer.headers.set(name, value);
  return answer;
};

/** The console's parts for the listener: its pages, the doors to the APIs, and the redirect from the root. */
export const consoleMounts = (
  env: ConsoleEnv,
  addresses: Addresses,
  { place, root, isOn, behind, handOver }: Options,
): Mounted[] => {
  const loaded = lazily(async () => {
    const [{ consolePages }, { pairPage }] = await Promise.all([import("./console.ts"), import("./pair.ts")]);
    return { pages: consolePages(env, place, addresses), pairPage };
  });
  const pages = async (request: Request): Promise<Response> => (await loaded()).pages(request);
  if (!isOn)
    return [
      {
        ...place,
        refuseLong,
        handle: async (request, pathname) => guarded(isOfLink(place, pathname) ? await pages(request) : none()),
      },
    ];
  const doors = consoleDoors(env, {
    prefix: place.prefix,
    consoleUrl: addresses.consoleUrl,
    behind,
    recognise: (cookie) => recogniseSession(env, cookie),
  });
  const console: Mounted = {
    ...place,
    refuseLong,
    isUrlSigned: doors.isUrlSigned,
    handle: async (request, pathname) =>
      guarded(
        (await doors.answer(request, pathname)) ??
          (handOver &&
            handOverPage(request, { pathname, prefix: place.prefix, consoleUrl: addresses.consoleUrl, handOver })) ??
          (await (await loaded()).pairPage(env, request, { prefix: place.prefix, pathname })) ??
          (await pages(request)),
      ),
  };
  // a console with its own host does not show itself at the APIs' root
  const from = place.host === undefined ? root : { host: place.host, prefix: "" };
  return from.prefix === place.prefix ? [console] : [console, redirectRoot(place.prefix, from)];
};

/**
 * Redirects the root to a page; other paths are not found. The location is relative, because people may reach the
 * server by another name than the public one.
 */
const redirectRoot = (page: string, { host, prefix }: Place): Mounted => ({
  host,
  prefix,
  handle: (_, pathname) =>
    pathname.replace(/\/$/, "") === prefix ? new Response(null, { status: 302, headers: { location: page } }) : none(),
});
