import {
  type Claim,
  type Completion,
  checkRequest,
  claimRequest,
  completeWithin,
  endClaim,
  type KeptAnswer,
  type KeyedRequest,
  type KeyedRequestEnv,
  type KeyOwner,
} from "../../core/tenancy/keys/keyed-requests.ts";
import { sha256 } from "../../kernel/crypto.ts";
import { invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";
import { canonicalJson, OWN_JSON, parsedJson } from "../../kernel/texts/json.ts";
import type { CommonRouteOptions } from "./route-table.ts";

/** The header of https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header. */
export const KEY_HEADER = "Idempotency-Key";
/** The header of a repeated answer. */
export const REPLAYED_HEADER = "Idempotent-Replayed";
export const KEY_PATTERN = "^[!-~]{1,255}$";
const KEY = new RegExp(KEY_PATTERN);
/** The header as a string of structured fields (https://www.rfc-editor.org/rfc/rfc9651#name-strings). */
const QUOTED = /^"(?:[^"\\]|\\["\\])*"$/;

/** The headers that belong to an answer. All others belong to the request that it answers. */
const KEPT_HEADERS = ["content-type", "location", "cache-control", "content-language"];
const JSON_HEADERS = { "content-type": "application/json" };

/** Whether requests of a method take the header, if a credential opens the route. */
export const takesKey = (method: string): boolean => method.toUpperCase() === "POST";

type Running = { claim: Claim };
/** The claims of the requests that are being carried out. */
const running = new WeakMap<Request, Running>();

type Options = {
  /** The caller of an authenticated request. */
  keyOwnerOf(request: Request): KeyOwner | undefined;
  routeOf(request: Request): { routeOptions: CommonRouteOptions };
  /**
   * Names in `Location` the thing that an answer has made: answers that were stored with their effect lack the header.
   */
  locate(
    request: Request,
    answer: { code: number; response: unknown },
    set: { headers: Record<string, unknown> },
  ): void;
};

/**
 * Makes the hook that runs last before a handler, when credentials, limits and the body have been checked. It answers a
 * repeated request, and claims a new one. It costs nothing without the header and `dryRun`.
 */
export const repeats =
  (env: KeyedRequestEnv, { keyOwnerOf, routeOf, locate }: Options) =>
  (request: Request, body: unknown): Promise<Response | undefined> | undefined => {
    const isDry = checkedDryRun(request, routeOf);
    const given = takesKey(request.method) ? request.headers.get(KEY_HEADER) : null;
    const caller = given === null ? undefined : keyOwnerOf(request);
    if (given === null || !caller) return undefined;
    const key = keyIn(given);
    const isAtomic = routeOf(request).routeOptions.storesAnswer;
    const asked = { ...caller, key, fingerprint: fingerprintOf(request, body), isAtomic };
    return isDry ? checkRequest(env, asked).then(() => undefined) : claimed(env, { request, asked, locate });
  };

type Claiming = { request: Request; asked: KeyedRequest; locate: Options["locate"] };

const claimed = async (env: KeyedRequestEnv, { request, asked, locate }: Claiming): Promise<Response | undefined> => {
  const outcome = await claimRequest(env, asked);
  if (outcome.is === "claimed") {
    running.set(request, outcome);
    return undefined;
  }
  const { status, headers, body } = outcome.answer;
  if (asked.isAtomic) locate(request, { code: status, response: parsedJson(body ?? "", OWN_JSON) }, { headers });
  return replayed({ status, headers, body });
};

const BODILESS = new Set([204, 205, 304]);

const replayed = ({ status, headers, body }: KeptAnswer): Response =>
  new Response(BODILESS.has(status) ? null : body, { status, headers: { ...headers, [REPLAYED_HEADER]: "true" } });

/** The key of the header, in its plain or its quoted form. Throws VALIDATION. */
const keyIn = (given: string): string => {
  const text = given.trim();
  const key = QUOTED.test(text) ? text.slice(1, -1).replaceAll(/\\(["\\])/g, "$1") : text;
  if (!KEY.test(key))
    throw invalid(issue(KEY_HEADER, "pattern", "must be 1 to 255 visible ASCII characters without spaces"));
  return key;
};

/**
 * Whether a request is a dry run. A route without dry runs refuses it, because it would carry out an act that was only
 * to be tried. The name may be percent-encoded. A repeated name is refused: the handler would read only one of the two.
 */
const checkedDryRun = (request: Request, routeOf: Options["routeOf"]): boolean => {
  if (request.method === "GET" || !request.url.includes("?")) return false;
  const given = new URL(request.url).searchParams.getAll(DRY_RUN);
  if (given.length === 0) return false;
  if (!routeOf(request).routeOptions.takesDryRun)
    throw invalid(issue(DRY_RUN, "forbidden", "is not accepted by this route"));
  if (given.length > 1) throw invalid(issue(DRY_RUN, "maxItems", "must be given once"));
  return given[0] === "true";
};
const DRY_RUN = "dryRun";

/**
 * A hash of the request: method, path, query, phone and body. A file that is streamed counts by its type, and by its
 * length unless it comes in a form, whose boundary changes.
 */
const fingerprintOf = (request: Request, body: unknown): string => {
  const { pathname, searchParams } = new URL(request.url);
  searchParams.delete(DRY_RUN);
  searchParams.sort();
  const { headers } = request;
  return sha256(
    JSON.stringify([
      request.method,
      pathname,
      searchParams.toString(),
      headers.get("x-phone-id"),
      body === undefined ? streamIn(headers) : bodyIn(body),
    ]),
  );
};

const bodyIn = (body: unknown): string => sha256(body instanceof Uint8Array ? body : canonicalJson(body));

const streamIn = (headers: Headers): string => {
  const type = (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return type === "multipart/form-data" ? type : `${type} ${headers.get("content-length")}`;
};

/** Ends the claim of a request, when its response is known. Gives the response to send. */
export const recordAnswer = (
  env: KeyedRequestEnv,
  request: Request,
  response: Response,
): Response | Promise<Response> => {
  const run = running.get(request);
  return run ? answeredOnce(env, run, response) : response;
};

const answeredOnce = async (env: KeyedRequestEnv, { claim }: Running, response: Response): Promise<Response> => {
  const { status } = response;
  const { text, body } = await readWithin(response, MOST_READ_BYTES);
  const headers = Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  await endClaim(env, claim, { status, headers, body: text });
  return new Response(BODILESS.has(status) ? null : body, response);
};

type BodyReader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

/** More than any stored answer. The rest of a longer answer is passed on as it comes. */
const MOST_READ_BYTES = 1024 * 1024;

/** Reads a body up to a length. `text` is undefined for a longer one; `body` has all of it. */
const readWithin = async (
  response: Response,
  maxBytes: number,
): Promise<{ text: string | undefined; body: string | ReadableStream<Uint8Array> }> => {
  if (response.body === null) return { text: "", body: "" };
  const reader: BodyReader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  for (let bytes = 0; bytes <= maxBytes; ) {
    const { value, done } = await reader.read();
    if (done) {
      const text = Buffer.concat(chunks).toString();
      return { text, body: text };
    }
    chunks.push(value);
    bytes += value.byteLength;
  }
  return { text: undefined, body: continued(chunks, reader) };
};

/** A stream of the chunks already read, then of the rest. */
const continued = (read: readonly Uint8Array[], reader: BodyReader): ReadableStream<Uint8Array> => {
  const chunks = [...read];
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const value = chunks.shift() ?? (await reader.read()).value;
      if (value) controller.enqueue(value);
      else controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
};

/** Ends the claim of a request whose only answer is an error of the server. */
export const recordServerError = (env: KeyedRequestEnv, request: Request): Promise<void> | undefined => {
  const run = running.get(request);
  return run && endClaim(env, run.claim, { status: 500, headers: {}, body: undefined });
};

/**
 * For a route that states `storesAnswer`: the option of a core function by which the effect and the answer become one
 * write. `answerOf` makes the handler's answer, as JSON.
 */
export const storingAnswer = <Result>(
  env: KeyedRequestEnv,
  request: Request,
  answerOf: (result: Result) => { status: number; body: object },
): { completes?: Completion<Result> } => {
  const run = running.get(request);
  if (!run) return {};
  return {
    completes: (tx, result) => {
      const { status, body } = answerOf(result);
      return completeWithin(env, tx, run.claim, { status, headers: JSON_HEADERS, body: JSON.stringify(body) });
    },
  };
};
