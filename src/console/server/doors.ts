import type { BodyIntake } from "../../apis/shared/http/body-intake.ts";
import { noteOriginal, standIn } from "../../apis/shared/http/request.ts";
import { assignPerson, type Person } from "../../apis/shared/person.ts";
import type { TenancyEnv } from "../../core/tenancy/env.ts";
import { actingIn, type SignedInPerson } from "../../core/tenancy/people/acting.ts";
import { isOwnRequest, sessionCookieOf } from "./own-requests.ts";

type Handle = (request: Request, pathname: string) => Response | Promise<Response>;

/** An API behind a door: the prefix that its routes have, and its handler. */
export type Behind = {
  prefix: string;
  handle: Handle;
  isUrlSigned(method: string, pathname: string): Promise<boolean>;
};

const DOORS = ["gateway", "platform"] as const;
export type Door = (typeof DOORS)[number];

type DoorEnv = Pick<TenancyEnv, "db" | "metrics"> & { intake: Pick<BodyIntake, "release"> };

type Options = {
  /** The path of the console, without a slash at its end. */
  prefix: string;
  consoleUrl: string;
  behind: Record<Door, Behind>;
  /** The person of a session's cookie; undefined for an unknown or ended session. */
  recognise(cookie: string): Promise<SignedInPerson | undefined>;
};

/** The header that names the account in which a person acts. */
/** The account in which a person acts. */
export const ACCOUNT_HEADER = "x-recado-account";

/** Credentials of the APIs, and headers of the console itself. The API behind a door sees none of them. */
const KEPT_OUT = ["cookie", "authorization", "x-api-key", "x-admin-token", "x-recado-tool"];

/** A refusal that both APIs' clients can read. */
const refused = (status: 400 | 401 | 403, code: string, message: string): Response =>
  Response.json(
    { error: { code, message, details: {} }, code, message },
    { status, headers: { "cache-control": "no-store" } },
  );

const foreign = () =>
  refused(
    403,
    "ORIGIN_REFUSED",
    "Only the pages of this console may send this. Open the console at the address that RECADO_CONSOLE_URL names.",
  );
const signedOut = () => refused(401, "SESSION_REQUIRED", "Sign in to go on.");

/** The door and the path behind it, such as `/v1/phones`; undefined for any other path. */
const throughDoor = (prefix: string, pathname: string): { door: Door; rest: string } | undefined => {
  for (const door of DOORS) {
    const start = `${prefix}/${door}`;
    if (pathname.startsWith(`${start}/`)) return { door, rest: pathname.slice(start.length) };
  }
  return undefined;
};

/**
 * The doors from the console to the APIs. They alone turn a session's cookie into a person. A request passes when the
 * console's own page sent it and its session is open. Then the API answers it at its own path, for that person, under
 * the API's own rules. The API gets no credential of the request.
 */
export const consoleDoors = (env: DoorEnv, { prefix, consoleUrl, behind, recognise }: Options) => {
  const personFor = async (cookie: string, accountId: string | null): Promise<Person | undefined> => {
    const signedIn = await recognise(cookie);
    if (!signedIn) return undefined;
    const account = accountId === null ? undefined : await actingIn(env, signedIn, accountId.toLowerCase());
    return { ...signedIn, account, again: () => personFor(cookie, accountId) };
  };

  return {
    /** Whether the path behind a door is part of a signature, and must not be normalised. */
    async isUrlSigned(method: string, pathname: string): Promise<boolean> {
      const through = throughDoor(prefix, pathname);
      if (!through) return false;
      const api = behind[through.door];
      return api.isUrlSigned(method, api.prefix + through.rest);
    },
    /** The answer through a door; undefined for a path without one. */
    async answer(request: Request, pathname: string): Promise<Response | undefined> {
      const through = throughDoor(prefix, pathname);
      if (!through) return undefined;
      const count = (outcome: "passed" | "refused") =>
        env.metrics.count("recado_console_requests_total", { door: through.door, outcome });
      if (!isOwnRequest(request, consoleUrl)) {
        count("refused");
        return foreign();
      }
      const cookie = sessionCookieOf(request, consoleUrl);
      const person = cookie === undefined ? undefined : await personFor(cookie, request.headers.get(ACCOUNT_HEADER));
      count(person ? "passed" : "refused");
      if (!person) return signedOut();
      const { prefix: own, handle } = behind[through.door];
      const inner = behindDoor(request, own + through.rest);
      if (!inner) return refused(400, "PATH_REFUSED", "The path cannot be served.");
      assignPerson(inner, person);
      try {
        return await handle(inner, own + through.rest);
      } finally {
        env.intake.release(inner);
      }
    },
  };
};

/** The request that the API gets. Undefined if its URL has another path than the checked one. */
const behindDoor = (request: Request, pathname: string): Request | undefined => {
  const { origin, search } = new URL(request.url);
  const url = URL.parse(origin + pathname + search);
  if (url?.pathname !== pathname) return undefined;
  const original = new Request(request.url, { method: request.method, headers: request.headers });
  const inner = standIn(new Request(url.href, request), request);
  for (const name of KEPT_OUT) inner.headers.delete(name);
  noteOriginal(inner, original);
  return inner;
};
