import type { HttpAnswer, HttpNoAnswer } from "../../contract/ports/http.ts";
import type { LlmFailure } from "../../contract/ports/llm.ts";
import { parsedJson, recordOf } from "../../kernel/texts/json.ts";
import { isAboutRequest } from "./llm-manners.ts";
import { at, cleaned, textAt } from "./llm-reading.ts";
import { waitMsOf } from "./llm-waits.ts";

/** A failed attempt. `isPassing`: another attempt may succeed. */
export type Trouble = { ok: false; failure: LlmFailure; isPassing: boolean };

/** Another attempt would most likely fail in the same way. */
export const UNREADABLE: Trouble = {
  ok: false,
  failure: { ok: false, kind: "unavailable", reason: "The provider's answer cannot be read." },
  isPassing: false,
};

/** No answer. A forbidden address and an untrusted certificate fail every time. */
export const noAnswer = ({ failure, message }: HttpNoAnswer): Trouble => ({
  ok: false,
  failure: {
    ok: false,
    kind: failure === "blocked" ? "refused" : "unavailable",
    reason: cleaned(`The provider could not be reached (${failure}): ${message}`),
  },
  isPassing: failure !== "blocked" && failure !== "tls",
});

/** The places of a provider's own words: OpenAI's, Ollama's and LM Studio's, Mistral's and vLLM's, FastAPI's, Google's. */
const WORDS = [
  ["error", "message"],
  ["error"],
  ["message"],
  ["detail"],
  ["detail", 0, "msg"],
  ["message", "detail", 0, "msg"],
  ["error", "error", "message"],
  [0, "error", "message"],
] as const;

/** OpenRouter's own sentence for every failure of the provider behind it, whose words stand beside it. */
const BEHIND = /^provider returned error$/i;

const wordsIn = (answer: unknown): string | undefined => {
  const words = WORDS.map((path) => textAt(answer, ...path)).find((text) => text !== undefined);
  return BEHIND.test(words ?? "") ? (textAt(answer, "error", "metadata", "raw") ?? words) : words;
};

/** The names of an error, in the fields where providers put them. */
const namesIn = (answer: unknown): (string | undefined)[] =>
  ["code", "type", "status"].map((field) => textAt(answer, "error", field) ?? textAt(answer, 0, "error", field));

const CREDIT = "insufficient_quota";
const RATE = /^(?:rate_limit|too_many_requests|resource_exhausted|429$)/i;
/** 408: too late. 498: no capacity left at Groq. */
const BROKEN = [408, 498];

type Refusal = { status: number | undefined; headers: HttpAnswer["headers"]; answer: unknown; text: string };

const isBroken = (status: number | undefined): boolean =>
  status !== undefined && (BROKEN.includes(status) || status >= 500);

/** An account without credit gets 429, but waiting does not help. An error without a status may be anything. */
const kindOf = (status: number | undefined, names: readonly (string | undefined)[]): LlmFailure["kind"] => {
  const isLimited = status === 429 || (status === undefined && names.some((name) => RATE.test(name ?? "")));
  if (names.includes(CREDIT)) return "refused";
  if (isLimited) return "busy";
  return status === undefined || isBroken(status) ? "unavailable" : "refused";
};

/** An answer with an error, in the provider's words. */
const refused = ({ status, headers, answer, text }: Refusal, nowMs: number): Trouble => {
  const kind = kindOf(status, namesIn(answer));
  const reason = cleaned(wordsIn(answer) ?? text) || `The provider answered ${status}.`;
  const isPassing = kind === "busy" || (isBroken(status) && !isAboutRequest(reason));
  const waitMs = kind === "refused" ? undefined : waitMsOf({ headers, answer, reason }, nowMs);
  return {
    ok: false,
    failure: {
      ok: false,
      kind,
      reason,
      ...(status === undefined ? {} : { status }),
      ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
    },
    isPassing,
  };
};

/** The failure of an answer with a status that is no success. */
export const refusal = ({ status, headers, body }: HttpAnswer, nowMs: number): Trouble => {
  const text = new TextDecoder().decode(body);
  return refused({ status, headers, answer: parsedJson(text), text }, nowMs);
};

/** The status that an error names, as a number or as its digits. */
const statusIn = (error: unknown): number | undefined => {
  const code = Number(at(error, "code") ?? at(error, "status") ?? Number.NaN);
  return Number.isInteger(code) && code >= 400 && code <= 599 ? code : undefined;
};

/**
 * The failure inside an answer with a good status, as OpenRouter and other gateways give it; undefined without one. Its
 * code counts like a status.
 */
export const errorInside = (answer: unknown, headers: HttpAnswer["headers"], nowMs: number): Trouble | undefined => {
  const inside = at(answer, "error") ?? at(answer, "choices", 0, "error") ?? at(answer, 0, "error");
  const isError = typeof inside === "string" ? inside !== "" : Object.keys(recordOf(inside)).length > 0;
  if (isError) {
    const told = { error: inside };
    return refused({ status: statusIn(inside), headers, answer: told, text: JSON.stringify(told) }, nowMs);
  }
  if (at(answer, "object") !== "error") return undefined;
  return refused({ status: statusIn(answer), headers, answer, text: JSON.stringify(answer) }, nowMs);
};

/**
 * Whether there is no such page at this address: the base URL may lack a part. A missing model is another matter, and so
 * is a model without tools.
 */
export const isNoSuchPage = ({ failure: { status, reason } }: Trouble): boolean =>
  (status === 404 || status === 405) && !/model|deployment|tool use/i.test(reason);
