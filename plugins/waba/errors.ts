import type { FailureCode } from "../../src/contract/outcome.ts";
import type { UpstreamFailure } from "../../src/contract/upstream.ts";
import { MINUTE_MS, SECOND_MS } from "../../src/kernel/clock.ts";
import {
  type Answered,
  failuresBy,
  type GraphFault,
  limitWaitMs,
  retry,
  type SendFailure,
  unknown,
} from "../meta/fault.ts";
import { resultsBy } from "../meta/graph.ts";

/**
 * TABLE: refusals that the same request would get again, whatever their HTTP status. Those since 2025 are from
 * https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes and Meta's changelog of 2026.
 */
const DETERMINISTIC: ReadonlySet<number> = new Set(
  [
    // template problems, closed conversation window, recipient not on the network, type not supported
    [132000, 132005, 132012, 132015, 132016, 132018, 131047, 131026, 131051],
    [131042, 131044], // no payment method: for messages, for calls
    [131049, 131050], // the network, or the person, accepts no more marketing
    [131055, 131061, 131062, 131063, 131065], // the wrong endpoint, or no marketing message there
    [2046, 2047], // an order's state that cannot follow, an order that the chat does not have
    [131064, 131070], // limited for misclassified templates; another app holds the conversation
    [147005, 2494191], // a username of another number; not this app's conversation to take
  ].flat(),
);
/**
 * The values of a send do not fit its template: their number, their format, or what its buttons take. The last two are
 * said of any missing or wrong parameter, such as that of a button.
 */
const TEMPLATE_MISFITS: ReadonlySet<number> = new Set([132000, 132012, 132018, 131008, 131009]);
/** A template that is not known yet at the endpoint for marketing: that takes some ten minutes after its creation. */
const NOT_SYNCED: ReadonlySet<number> = new Set([134100, 134101]);
const NOT_SYNCED_WAIT_MS = 10 * MINUTE_MS;
const THREAD_HELD = 131070;
/** The business has switched marketing off at the ordinary endpoint. */
const MARKETING_ELSEWHERE = 131063;
const MARKETING_HINT = "set marketingMessages of the phone's settings to fallback or strict";
/**
 * The same holds for every refusal of a call that is not a limit; some come with a 401, which says nothing about the
 * token.
 */
const isCallRefused = ({ code = 0, status }: Answered): boolean => code >= 138_000 && code < 139_000 && status < 500;
/** Limits of the app, the user, the page, the business account, the number, the pair and the registration. */
const RATE_LIMITS: ReadonlySet<number> = new Set([4, 17, 32, 80007, 613, 130429, 131048, 131056, 133016]);
/** The network's own trouble, whatever its HTTP status. 131057 is maintenance of the number, over within minutes. */
const TRANSIENT: ReadonlySet<number> = new Set([1, 2, 131000, 131016, 131057]);
const TOKEN_REFUSED = 190;
const FILE_REFUSED = 131053;
const PAIR_LIMIT = 131056;

const PAIR_WAIT_MS = 6 * SECOND_MS; // one message per 6 s to the same user

/**
 * Whether the network refused a file for its format. It has one code for that and for a link that it could not fetch.
 * Only its text distinguishes them, such as "Downloading media from weblink failed with http code 404" and "Unsupported
 * Voice mime type audio/opus." seen in failed statuses.
 */
export const isFormatRefused = (code: number | undefined, text: string): boolean =>
  code === FILE_REFUSED && !text.includes("Downloading media");

/** Whether the network refused the values of a send because its template takes others, which contracts call a misfit. */
export const misfitOf = (code: number | undefined): { isTemplateMisfit?: true } =>
  code !== undefined && TEMPLATE_MISFITS.has(code) ? { isTemplateMisfit: true } : {};

/** The scope of a limit: the channel, or one pair of number and person. */
const reachOf = (code: number | undefined) => (code === PAIR_LIMIT ? { isOfChat: true } : {});

/** The failure code of a final refusal, even if a status reports it. */
export const refusalCodeOf = (code: number | undefined): FailureCode =>
  code === THREAD_HELD ? "THREAD_HELD" : "UPSTREAM_BAD_REQUEST";

const refused = ({ code, text }: Answered): SendFailure => ({
  ok: false,
  kind: "refused",
  code: refusalCodeOf(code),
  reason: code === MARKETING_ELSEWHERE ? `${text} (${MARKETING_HINT})` : text,
  ...(code === undefined ? {} : { upstreamCode: code }),
  ...misfitOf(code),
});

/** The failure of a code that is clear by itself, whatever its HTTP status; undefined for any other code. */
const knownRefusal = (fault: Answered): SendFailure | undefined => {
  const { code, text } = fault;
  if (code === undefined) return undefined;
  if (DETERMINISTIC.has(code)) return refused(fault);
  return NOT_SYNCED.has(code)
    ? { ...retry("UPSTREAM_BAD_REQUEST", text), upstreamCode: code, retryAfterMs: NOT_SYNCED_WAIT_MS }
    : undefined;
};

const rateLimited = (fault: Answered, upstream: { upstreamCode?: number }): SendFailure => ({
  ...retry("UPSTREAM_RATE_LIMIT", fault.text),
  ...upstream,
  isRateLimit: true,
  ...reachOf(fault.code),
  retryAfterMs: waitMs(fault),
});

const errorFailure = (fault: Answered): SendFailure => {
  const { status, code, text } = fault;
  const upstream = code === undefined ? {} : { upstreamCode: code };
  const isOneOf = (codes: ReadonlySet<number>) => code !== undefined && codes.has(code);
  if (isOneOf(RATE_LIMITS) || status === 429) return rateLimited(fault, upstream);
  if (isCallRefused(fault)) return refused(fault);
  if (code === TOKEN_REFUSED || status === 401) return { ...retry("WABA_TOKEN_INVALID", text), ...upstream };
  if (isOneOf(TRANSIENT)) return { ...retry("UPSTREAM_UNAVAILABLE", text), ...upstream };
  // a proxy answered in Graph's place: it may have passed the request on, and has if it gave up waiting
  if (status === 504 && code === undefined) return unknown(text);
  if (status >= 500 && code === undefined) return { ...retry("UPSTREAM_UNAVAILABLE", text), isUncertain: true };
  const isOurFault = status >= 400 && status < 500;
  return {
    ...retry(isOurFault || status < 300 ? "UPSTREAM_BAD_REQUEST" : "UPSTREAM_UNAVAILABLE", text),
    ...upstream,
    ...misfitOf(code),
  };
};

/** The meaning of a failed call for a send. Decided by code, not by HTTP status: the documents differ on the latter. */
export const failureOf = failuresBy((fault) => knownRefusal(fault) ?? errorFailure(fault));

/** The meaning of a failed call for a customer's request. */
const upstreamFailureOf = (fault: GraphFault): UpstreamFailure => {
  const { kind, code, reason, retryAfterMs } = failureOf(fault);
  if (code === "WABA_TOKEN_INVALID") return { ok: false, kind: "token", reason };
  if (fault.kind === "error" && (kind === "refused" || code === "UPSTREAM_BAD_REQUEST"))
    return { ok: false, kind: "refused", error: fault.said };
  const mayHaveHappened = kind === "unknown" || (fault.kind === "error" && fault.code === undefined);
  return {
    ok: false,
    kind: "unavailable",
    reason,
    mayHaveHappened,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
};

/** The result of a call, in the words of the contract. */
export const upstreamResult = resultsBy(upstreamFailureOf);

/** Whether the network no longer accepts the token that the call was made with. */
export const isTokenRefused = (fault: GraphFault): boolean => failureOf(fault).code === "WABA_TOKEN_INVALID";

const waitMs = (fault: Answered): number => (fault.code === PAIR_LIMIT ? PAIR_WAIT_MS : limitWaitMs(fault));
