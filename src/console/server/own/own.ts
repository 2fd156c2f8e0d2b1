import { SHARED_ERRORS } from "../../../apis/shared/errors.ts";
import { TooLarge } from "../../../apis/shared/http/body-intake.ts";
import { addressOf, pathBelow } from "../../../apis/shared/http/request.ts";
import { allowAddress, secondsUntilReset } from "../../../core/tenancy/accounts/limits.ts";
import { requireStrong } from "../../../core/tenancy/sign-in/console-sessions.ts";
import { AppError, reasonOf } from "../../../kernel/errors.ts";
import { parsedJson } from "../../../kernel/texts/json.ts";
import type { ConsoleEnv } from "../env.ts";
import { CONSOLE_HEADER, isOwnRequest } from "../own-requests.ts";
import { type Asked, type AskedBy, askedBy, askedOf, type ConsolePlace, type Own } from "./endpoint.ts";
import {
  changeOwn,
  changePassword,
  deleteOtherSessions,
  deletePasskey,
  deleteSession,
  deleteTotp,
  postPasskey,
  postPasskeyOptions,
  postProofOptions,
  postRecoveryCodes,
  postTotp,
  postTotpCode,
  profile,
  prove,
} from "./profile.ts";
import { personAsking, session } from "./session.ts";
import { forgot, passkeyOptions, setup, signOut, withPassword, withSecond } from "./sign-in.ts";

/**
 * An endpoint of the console itself. `open`: for everybody. `guessed`: also counted by address, because its input can
 * be guessed. `person`: for a signed-in person. `strong`: for a person who has also proved their identity in the last
 * ten minutes.
 */
type Endpoint =
  | { access: "open" | "guessed"; answer(asked: Asked): Promise<Own> }
  | { access: "person" | "strong"; answer(asked: AskedBy): Promise<Own> };

const open = (answer: (asked: Asked) => Promise<Own>): Endpoint => ({ access: "open", answer });
const guessed = (answer: (asked: Asked) => Promise<Own>): Endpoint => ({ access: "guessed", answer });
const person = (answer: (asked: AskedBy) => Promise<Own>): Endpoint => ({ access: "person", answer });
const strong = (answer: (asked: AskedBy) => Promise<Own>): Endpoint => ({ access: "strong", answer });

/** TABLE: the console's own endpoints. A `*` at the end of a path stands for an id. */
const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  "GET /session": open(session),
  "POST /setup": guessed(setup),
  "POST /sign-in": guessed(withPassword),
  "POST /sign-in/second": guessed(withSecond),
  "POST /sign-in/passkey": guessed(passkeyOptions),
  "POST /sign-in/forgot": guessed(forgot),
  "POST /sign-out": person(signOut),
  "GET /profile": person(profile),
  "PATCH /profile": person(changeOwn),
  "POST /profile/password": strong(changePassword),
  "POST /profile/proof": person(prove),
  "POST /profile/proof/options": person(postProofOptions),
  "POST /profile/totp": strong(postTotp),
  "POST /profile/totp/confirm": person(postTotpCode),
  "DELETE /profile/totp": strong(deleteTotp),
  "POST /profile/recovery-codes": strong(postRecoveryCodes),
  "POST /profile/passkeys/options": strong(postPasskeyOptions),
  "POST /profile/passkeys": strong(postPasskey), // the challenge of a proof would also serve for a new passkey
  "DELETE /profile/passkeys/*": strong(deletePasskey),
  "DELETE /profile/sessions": person(deleteOtherSessions),
  "DELETE /profile/sessions/*": person(deleteSession),
};
const PATHS = new Set(Object.keys(ENDPOINTS).map((name) => name.split(" ")[1]));

const MAX_BODY_BYTES = 32 * 1024;
const HEADERS = { "cache-control": "no-store", "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" };

/**
 * Answers a request to an endpoint of the console itself, always with JSON. Undefined for a path without an endpoint,
 * and for a program's post to the set-up link: without the console's header that is the page for programs.
 */
export const ownEndpoints =
  (env: ConsoleEnv, place: ConsolePlace) =>
  async (request: Request): Promise<Response | undefined> => {
    const path = pathBelow(place.prefix, request);
    const starred = withStar(path);
    const pattern = PATHS.has(path) ? path : PATHS.has(starred) ? starred : undefined;
    if (pattern === undefined || isForPages(request, pattern)) return undefined;
    const endpoint = ENDPOINTS[`${request.method} ${pattern}`];
    try {
      const id = pattern.endsWith("*") ? decodeURIComponent(path.slice(pattern.length - 1)) : "";
      if (!isOwnRequest(request, place.consoleUrl)) return refusal(403, "ORIGIN_REFUSED", FOREIGN);
      if (!endpoint) return refusal(405, "METHOD_NOT_ALLOWED", "This path does not take this method.");
      return answerOf(await answered(env, request, { endpoint, place, id }));
    } catch (thrown) {
      return faultOf(env, thrown);
    }
  };

/**
 * A path with a `*` for its last segment. A path with a slash at its end stays. A pattern without a fixed beginning
 * would take quadratic time, and everybody may send a path.
 */
const withStar = (path: string): string => {
  const from = path.lastIndexOf("/") + 1;
  return from === path.length ? path : `${path.slice(0, from)}*`;
};

/** A browser opens a page at the same address; programs set the server up without the console's header. */
const isForPages = ({ method, headers }: Request, pattern: string): boolean =>
  (["GET", "HEAD"].includes(method) && (headers.get("accept")?.includes("text/html") ?? false)) ||
  (pattern === "/setup" && !headers.has(CONSOLE_HEADER));

const FOREIGN =
  "Only the pages of this console may send this. Open the console at its own address, over https or on this machine.";

type Found = { endpoint: Endpoint; place: ConsolePlace; id: string };

const answered = async (env: ConsoleEnv, request: Request, { endpoint, place, id }: Found): Promise<Own> => {
  if (endpoint.access === "guessed") requireFewer(env, request);
  // the person is known before the body is read
  const by = endpoint.access === "open" ? undefined : await personAsking(env, request, place.consoleUrl);
  if ((endpoint.access === "person" || endpoint.access === "strong") && !by)
    return { status: 401, body: { error: { code: "SESSION_REQUIRED", message: "Sign in to go on." } } };
  const asked = askedOf(env, request, { place, body: await bodyOf(env, request), id });
  if (endpoint.access === "open" || endpoint.access === "guessed") return endpoint.answer(asked);
  if (!by) throw new Error("a person is missing");
  if (endpoint.access === "strong") requireStrong(env, by);
  return endpoint.answer(askedBy(asked, by));
};

/** @throws AppError TOO_MANY_GUESSES when the address has sent too many guesses. */
const requireFewer = (env: ConsoleEnv, request: Request): void => {
  const allowance = allowAddress(env, {
    at: "console-sign-in",
    address: addressOf(request),
    perMinute: env.rates.addressPerMinute,
  });
  if (!allowance.isExceeded) return;
  throw new AppError("TOO_MANY_GUESSES", {
    message: "Too many tries from your address. Try again in a minute.",
    retryAfterSeconds: secondsUntilReset(env, allowance),
  });
};

const bodyOf = async (env: ConsoleEnv, request: Request): Promise<Record<string, unknown>> => {
  if (request.method === "GET" || request.body === null) return {};
  const parsed = parsedJson(new TextDecoder().decode(await env.intake.read(request, MAX_BODY_BYTES)));
  return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
    ? (parsed as Record<string, unknown>)
    : {};
};

const answerOf = ({ status = 200, body, cookies = [] }: Own): Response => {
  const headers = new Headers(HEADERS);
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return body === undefined ? new Response(null, { status: 204, headers }) : Response.json(body, { status, headers });
};

type Fault = { fieldErrors?: Record<string, string[]>; retryAfterSeconds?: number | undefined };

/** A refusal, always of this one shape. */
const refusal = (status: number, code: string, message: string, more: Fault = {}): Response => {
  const { fieldErrors, retryAfterSeconds } = more;
  const error = { code, message, details: fieldErrors ? { fieldErrors } : {} };
  const headers = retryAfterSeconds === undefined ? HEADERS : { ...HEADERS, "retry-after": String(retryAfterSeconds) };
  return Response.json({ error }, { status, headers });
};

const faultOf = (env: ConsoleEnv, thrown: unknown): Response => {
  if (thrown instanceof TooLarge) return refusal(413, "PAYLOAD_TOO_LARGE", "That is too much for one request.");
  if (!(thrown instanceof AppError)) {
    env.log.error({ error: reasonOf(thrown) }, "request failed");
    return refusal(500, "INTERNAL_ERROR", "Something went wrong here; the log says what.");
  }
  const { code, message, issues, retryAfterSeconds } = thrown;
  const [status, name] = statusOf(code);
  const fieldErrors = Object.fromEntries(issues.map(({ path, message: says }) => [path, [says]]));
  return refusal(status, name, message, { ...(issues.length > 0 ? { fieldErrors } : {}), retryAfterSeconds });
};

/** Codes whose status both APIs decide for themselves. */
const OWN_STATUSES: Partial<Record<AppError["code"], readonly [number, string]>> = {
  LOGIN_REFUSED: [401, "LOGIN_REFUSED"],
  TOO_MANY_GUESSES: [429, "TOO_MANY_GUESSES"],
  EMAIL_IN_USE: [409, "EMAIL_IN_USE"],
  OVERLOADED: [503, "OVERLOADED"],
  BODY_TIMEOUT: [408, "REQUEST_TIMEOUT"],
};

const statusOf = (code: AppError["code"]): readonly [number, string] => {
  const shared = SHARED_ERRORS as Partial<Record<AppError["code"], readonly [number, string]>>;
  return OWN_STATUSES[code] ?? shared[code] ?? [400, code];
};
