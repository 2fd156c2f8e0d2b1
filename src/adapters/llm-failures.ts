import type { HttpAnswer, HttpNoAnswer, HttpResult } from "../contract/http.ts";
import type { LlmFailure } from "../contract/llm.ts";
import { parsedJson } from "../kernel/json.ts";
import { retryAfterMs } from "../kernel/retry-after.ts";
import { textAt } from "./llm-reading.ts";

/** A try that gave nothing. `isPassing`: another may. */
export type Trouble = { ok: false; failure: LlmFailure; isPassing: boolean };

/** Why a try whose request had this result gave nothing. */
export const troubleOf = (result: HttpResult | undefined, nowMs: number): Trouble => {
  if (!result) return unreadable("The provider could not be asked.");
  if (!result.ok) return noAnswer(result);
  return result.status < 200 || result.status > 299
    ? refusal(result, nowMs)
    : unreadable("The provider's answer cannot be read.");
};

/** Asking again would most likely bring another of its kind. */
const unreadable = (reason: string): Trouble => ({
  ok: false,
  failure: { ok: false, kind: "unavailable", reason },
  isPassing: false,
});

/** An address that may not be reached, and a certificate that nobody vouches for, stay as they are. */
const noAnswer = ({ failure, message }: HttpNoAnswer): Trouble => ({
  ok: false,
  failure: {
    ok: false,
    kind: failure === "blocked" ? "refused" : "unavailable",
    reason: cleaned(`The provider could not be reached (${failure}): ${message}`),
  },
  isPassing: failure !== "blocked" && failure !== "tls",
});

/** Said in the provider's own words. An account without credit is told 429, as if it only had to wait. */
const refusal = ({ status, headers, body }: HttpAnswer, nowMs: number): Trouble => {
  const said = new TextDecoder().decode(body);
  const answer = parsedJson(said);
  const isBusy =
    status === 429 &&
    ![textAt(answer, "error", "code"), textAt(answer, "error", "type")].includes("insufficient_quota");
  const isBroken = status === 408 || status >= 500;
  const kind = isBusy ? "busy" : isBroken ? "unavailable" : "refused";
  const waitMs = isBusy || isBroken ? retryAfterMs(headers["retry-after"], nowMs) : undefined;
  const reason = cleaned(textAt(answer, "error", "message") ?? said) || `The provider answered ${status}.`;
  return {
    ok: false,
    failure: { ok: false, kind, reason, status, ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }) },
    isPassing: isBusy || isBroken,
  };
};

const MAX_REASON = 300;

/** One line of bounded length, whatever was said. */
export const cleaned = (text: string): string =>
  [
    ...text
      .slice(0, 10 * MAX_REASON)
      .replaceAll(/[\p{Cc}\s]+/gu, " ")
      .trim(),
  ]
    .slice(0, MAX_REASON)
    .join("")
    .toWellFormed();
