import type { SendOutcome } from "../../src/contract/outcome.ts";
import type { UpstreamError } from "../../src/contract/upstream.ts";
import { DAY_MS, SECOND_MS } from "../../src/kernel/clock.ts";

const MAX_TEXT_LENGTH = 500;
const LIMIT_WAIT_MS = 30 * SECOND_MS;

/**
 * Why a call did not succeed.
 * - `error`: a negative answer; `code` is Graph's, and missing if another server answered in its place.
 * - `unreadable`: a positive answer without the expected content.
 * - `silence`: no answer; `mayHaveArrived` is false only when no byte can have left.
 */
export type GraphFault =
  | { kind: "error"; status: number; code?: number; text: string; regainAccessMs: number; said: UpstreamError }
  | { kind: "unreadable"; status: number }
  | { kind: "silence"; failure: string; mayHaveArrived: boolean };

export type Answered = Extract<GraphFault, { kind: "error" }>;

/** A send that did not succeed. */
export type SendFailure = Extract<SendOutcome, { ok: false }>;

export const retry = (code: SendFailure["code"], reason: string): SendFailure => ({
  ok: false,
  kind: "retry",
  code,
  reason,
});
export const unknown = (reason: string): SendFailure => ({
  ok: false,
  kind: "unknown",
  code: "OUTCOME_UNKNOWN",
  reason,
});

/**
 * The meaning of a failed call for a send. A call without an answer, or whose success cannot be read, is `unknown`
 * unless it is certain that nothing left; each network defines the meaning of an answer (`ofAnswer`).
 */
export const failuresBy =
  (ofAnswer: (fault: Answered) => SendFailure) =>
  (fault: GraphFault): SendFailure => {
    if (fault.kind === "error") return ofAnswer(fault);
    if (fault.kind === "unreadable") return unknown(`the answer (HTTP ${fault.status}) could not be read`);
    return fault.mayHaveArrived
      ? unknown(`no answer came (${fault.failure})`)
      : retry("UPSTREAM_UNAVAILABLE", `the network could not be reached (${fault.failure})`);
  };

/** The wait after a limit: as long as the network says, within reason. */
export const limitWaitMs = ({ regainAccessMs }: Pick<Answered, "regainAccessMs">): number =>
  Math.min(Math.max(LIMIT_WAIT_MS, regainAccessMs), DAY_MS);

/** The text of an upstream error as a customer sees it: the number first, then title and details, each once. */
export const upstreamText = (code: number, title?: string, details?: string): string => {
  const bare = (title ?? "").replace(/^\(#\d+\)\s*/, "");
  const parts = [...new Set([bare, details ?? ""])].filter(Boolean);
  return `(#${code}) ${parts.join(": ")}`.trim().slice(0, MAX_TEXT_LENGTH);
};
