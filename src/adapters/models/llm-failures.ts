import type { HttpAnswer, HttpNoAnswer, HttpResult } from "../../contract/ports/http.ts";
import type { LlmFailure } from "../../contract/ports/llm.ts";
import { retryAfterMs } from "../../kernel/network/retry-after.ts";
import { parsedJson } from "../../kernel/texts/json.ts";
import { textAt } from "./llm-reading.ts";

/** A failed attempt. `isPassing`: another attempt may succeed. */
export type Trouble = { ok: false; failure: LlmFailure; isPassing: boolean };

/** Why an attempt with this result failed; undefined `result`: no request was sent. */
export const troubleOf = (result: HttpResult | undefined, nowMs: number): Trouble => {
  if (!result) return unreadable("The provider could not be asked.");
  if (!result.ok) return noAnswer(result);
  return result.status < 200 || result.status > 299
    ? refusal(result, nowMs)
    : unreadable("The provider's answer cannot be read.");
};

/** Another attempt would most likely fail in the same way. */
const unreadable = (reason: string): Trouble => ({
  ok: false,
  failure: { ok: false, kind: "unavailable", reason },
  isPassing: false,
});

/** No answer. A forbidden address and an untrusted certificate fail every time. */
const noAnswer = ({ failure, message }: HttpNoAnswer): Trouble => ({
  ok: false,
  failure: {
    ok: false,
    kind: failure === "blocked" ? "refused" : "unavailable",
    reason: cleaned(`The provider could not be reached (${failure}): ${message}`),
  },
  isPassing: failure !== "blocked" && failure !== "tls",
});

/** An answer with an error, in the provider's words. An account without credit gets 429, but waiting does not help. */
const refusal = ({ status, headers, body }: HttpAnswer, nowMs: number): Trouble => {
  const text = new TextDecoder().decode(body);
  const answer = parsedJson(text);
  const isBusy =
    status === 429 &&
    ![textAt(answer, "error", "code"), textAt(answer, "error", "type")].includes("insufficient_quota");
  const isBroken = status === 408 || status >= 500;
  const kind = isBusy ? "busy" : isBroken ? "unavailable" : "refused";
  const waitMs = isBusy || isBroken ? retryAfterMs(headers["retry-after"], nowMs) : undefined;
  const reason = cleaned(textAt(answer, "error", "message") ?? text) || `The provider answered ${status}.`;
  return {
    ok: false,
    failure: { ok: false, kind, reason, status, ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }) },
    isPassing: isBusy || isBroken,
  };
};

const MAX_REASON = 300;

/** The text in one line of at most 300 characters. */
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
