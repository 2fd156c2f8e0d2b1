import type { FailureCode } from "../../src/contract/outcome.ts";
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

// The table of README.md. Meta's list: https://developers.facebook.com/docs/messenger-platform/error-codes

const TOKEN_REFUSED: ReadonlySet<number> = new Set([102, 190]);
const RATE_LIMITS: ReadonlySet<number> = new Set([4, 17, 32, 613, 80006]);
/** A repeat would fail too. 10 is also the window of 24 hours. */
const DETERMINISTIC: ReadonlySet<number> = new Set([3, 10, 100, 200, 230, 368, 551, 2500]);
/** The network's own trouble, after which the message may still have been sent (as its owners admit). */
const UNCERTAIN: ReadonlySet<number> = new Set([1, 2]);
/** "Temporary send message failure": the network says that it sent nothing. */
const NOT_SENT = 1200;

/** Another app leads the conversation: a subcode of 10. */
export const THREAD_HELD = 2_018_300;

/** TABLE: refusals with a meaning of their own, by code or by subcode. */
const BY_CODE: ReadonlyMap<number, FailureCode> = new Map([
  [368, "UPSTREAM_ACCOUNT_RESTRICTED"],
  [551, "RECIPIENT_UNREACHABLE"],
]);
const BY_SUBCODE: ReadonlyMap<number, FailureCode> = new Map([
  [1_545_041, "RECIPIENT_UNREACHABLE"], // the person takes no messages
  [2_018_001, "RECIPIENT_UNREACHABLE"], // no such person, as this page sees people
  [2_018_108, "RECIPIENT_UNREACHABLE"], // the person has blocked the page
  [THREAD_HELD, "THREAD_HELD"],
  [1_893_063, "UPSTREAM_ACCOUNT_RESTRICTED"],
]);

const refusalCodeOf = ({ code = 0, said }: Answered): FailureCode =>
  BY_SUBCODE.get(said.error_subcode ?? 0) ?? BY_CODE.get(code) ?? "UPSTREAM_BAD_REQUEST";

const errorFailure = (fault: Answered): SendFailure => {
  const { status, code, text } = fault;
  if (code === undefined) return failureWithoutCode(fault);
  const upstream = { upstreamCode: code };
  if (TOKEN_REFUSED.has(code)) return { ...retry("CREDENTIALS_REFUSED", text), ...upstream };
  if (RATE_LIMITS.has(code)) return { ...limited(fault), ...upstream };
  if (DETERMINISTIC.has(code))
    return { ok: false, kind: "refused", code: refusalCodeOf(fault), reason: text, ...upstream };
  if (code === NOT_SENT) return { ...retry("UPSTREAM_UNAVAILABLE", text), ...upstream };
  if (UNCERTAIN.has(code)) return { ...unknown(text), ...upstream };
  return { ...retry(status >= 500 ? "UPSTREAM_UNAVAILABLE" : "UPSTREAM_BAD_REQUEST", text), ...upstream };
};

const limited = (fault: Answered): SendFailure => ({
  ...retry("UPSTREAM_RATE_LIMIT", fault.text),
  isRateLimit: true,
  retryAfterMs: limitWaitMs(fault),
});

/** Another server answered in the network's place. */
const failureWithoutCode = (fault: Answered): SendFailure => {
  const { status, text } = fault;
  if (status === 401) return retry("CREDENTIALS_REFUSED", text);
  if (status === 429) return limited(fault);
  if (status === 504) return unknown(text);
  if (status >= 500) return { ...retry("UPSTREAM_UNAVAILABLE", text), isUncertain: true };
  return retry("UPSTREAM_BAD_REQUEST", text);
};

/** The meaning of a failed call for a send; decided by codes, never by text. */
export const failureOf = failuresBy(errorFailure);

export const isTokenRefused = (fault: GraphFault): boolean => failureOf(fault).code === "CREDENTIALS_REFUSED";

/** The meaning of a failed call that is no send. */
const upstreamFailureOf = (fault: GraphFault): UpstreamFailure => {
  const { kind, code, reason, retryAfterMs, isUncertain = false } = failureOf(fault);
  if (code === "CREDENTIALS_REFUSED") return { ok: false, kind: "token", reason };
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
