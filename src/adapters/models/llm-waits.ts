import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../kernel/clock.ts";
import { retryAfterMs } from "../../kernel/network/retry-after.ts";
import { listOf } from "../../kernel/texts/json.ts";
import { at, textAt } from "./llm-reading.ts";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
const DURATION = /^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[smhd])){1,5}$/;
const PART = /(\d{1,9}(?:\.\d{1,9})?)(ms|[smhd])/g;

/** The milliseconds of a duration such as `6m0s`, `7.66s` or `862ms`; undefined for anything else. */
const durationMs = (text: string | undefined): number | undefined => {
  if (text === undefined || !DURATION.test(text)) return undefined;
  return [...text.matchAll(PART)].reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ""] ?? 0), 0);
};

/** OpenAI and Azure say it with a fraction of a second, in a header of their own. */
const inMs = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}(?:\.\d{1,9})?$/.test(text) ? Number(text) : undefined;

/** Google's wait is in the error's details. Its door may wrap the error in a list. */
const googleMs = (answer: unknown): number | undefined => {
  const details = listOf(at(answer, "error", "details") ?? at(answer, 0, "error", "details"));
  return durationMs(details.map((detail) => textAt(detail, "retryDelay")).find((delay) => delay !== undefined));
};

const SENTENCE =
  /(?:try again in|retry (?:again )?(?:after|in)) (?:((?:\d{1,9}(?:\.\d{1,9})?(?:ms|[smhd])){1,5})|(\d{1,9}) seconds?)/i;

/** OpenAI, Groq, Google and Azure say the wait in their sentence. */
const saidMs = (reason: string): number | undefined => {
  const [, duration, seconds] = SENTENCE.exec(reason) ?? [];
  return seconds === undefined ? durationMs(duration) : Number(seconds) * SECOND_MS;
};

/** The reset of each rate limit that is used up: the longest of them. */
const resetMs = (headers: Readonly<Record<string, string>>): number | undefined => {
  const waits = ["requests", "tokens"].flatMap((kind) =>
    headers[`x-ratelimit-remaining-${kind}`] === "0"
      ? (durationMs(headers[`x-ratelimit-reset-${kind}`]) ??
        retryAfterMs(headers[`x-ratelimit-reset-${kind}`], 0) ??
        [])
      : [],
  );
  return waits.length === 0 ? undefined : Math.max(...waits);
};

/** OpenRouter names the moment, in milliseconds since 1970, within its answer. */
const momentMs = (answer: unknown, nowMs: number): number | undefined => {
  const moment = inMs(textAt(answer, "error", "metadata", "headers", "X-RateLimit-Reset"));
  return moment === undefined ? undefined : Math.max(0, moment - nowMs);
};

type Told = { headers: Readonly<Record<string, string>>; answer: unknown; reason: string };

/** How long a provider wants to be left alone, wherever it says so; undefined if it does not. At most a day. */
export const waitMsOf = ({ headers, answer, reason }: Told, nowMs: number): number | undefined => {
  const waitMs =
    inMs(headers["retry-after-ms"]) ??
    retryAfterMs(headers["retry-after"], nowMs) ??
    googleMs(answer) ??
    momentMs(answer, nowMs) ??
    saidMs(reason) ??
    resetMs(headers);
  return waitMs === undefined ? undefined : Math.min(waitMs, DAY_MS);
};
