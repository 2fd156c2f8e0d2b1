import type { UpstreamFailure } from "../../src/contract/upstream.ts";
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

const RATE_LIMITS: ReadonlySet<number> = new Set([4, 17, 32, 613]);
/**
 * The window of 24 hours is closed, the person cannot be written to, the app may not, the request is wrong: a repeat
 * would fail too.
 */
const DETERMINISTIC: ReadonlySet<number> = new Set([10, 100, 200, 551, 2500]);
/** The network's own trouble, after which the message may still have been sent (as its owners admit). */
const UNCERTAIN: ReadonlySet<number> = new Set([1, 2]);
const TOKEN_REFUSED = 190;
/** Another app leads the conversation: a subcode of 10. */
const THREAD_HELD = 2018300;
/** The account may not send for now: subcodes of several codes, seen with messages of Pages too. */
const RESTRICTED: ReadonlySet<number> = new Set([1893063, 2534029, 2534122]);

const errorFailure = (fault: Answered): SendFailure => {
  const { status, code, text } = fault;
  const upstream = code === undefined ? {} : { upstreamCode: code };
  if (code === TOKEN_REFUSED || (code === undefined && status === 401))
    return { ...retry("IG_TOKEN_BAD", text), ...upstream };
  if (status === 429 || (code !== undefined && RATE_LIMITS.has(code)))
    return { ...retry("UPSTREAM_RATE_LIMIT", text), ...upstream, isRateLimit: true, retryAfterMs: limitWaitMs(fault) };
  if (isFinal(fault)) return { ok: false, kind: "refused", code: refusalCodeOf(fault), reason: text, ...upstream };
  if (code === undefined ? status === 504 : UNCERTAIN.has(code)) return { ...unknown(text), ...upstream };
  if (code === undefined && status >= 500) return { ...retry("UPSTREAM_UNAVAILABLE", text), isUncertain: true };
  return { ...retry(status >= 500 ? "UPSTREAM_UNAVAILABLE" : "UPSTREAM_BAD_REQUEST", text), ...upstream };
};

const isFinal = (fault: Answered): boolean =>
  (fault.code !== undefined && DETERMINISTIC.has(fault.code)) || isRestricted(fault);

const isRestricted = ({ said }: Answered): boolean => said.error_subcode !== null && RESTRICTED.has(said.error_subcode);

const refusalCodeOf = (fault: Answered) => {
  if (isRestricted(fault)) return "UPSTREAM_ACCOUNT_RESTRICTED";
  return fault.said.error_subcode === THREAD_HELD ? "THREAD_HELD" : "UPSTREAM_BAD_REQUEST";
};

/** The meaning of a failed call for a send; decided by code, never by text or HTTP status. */
export const failureOf = failuresBy(errorFailure);

/** The meaning of a failed call for a customer's request. */
const upstreamFailureOf = (fault: GraphFault): UpstreamFailure => {
  const { kind, code, reason, retryAfterMs, isUncertain = false } = failureOf(fault);
  if (code === "IG_TOKEN_BAD") return { ok: false, kind: "token", reason };
  if (fault.kind === "error" && (kind === "refused" || code === "UPSTREAM_BAD_REQUEST"))
    return { ok: false, kind: "refused", error: fault.said };
  return {
    ok: false,
    kind: "unavailable",
    reason,
    mayHaveHappened: kind === "unknown" || isUncertain,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
};

/** The result of a call, in the words of the contract. */
export const upstreamResult = resultsBy(upstreamFailureOf);
