import type { Http, HttpAnswer, HttpResult } from "../../contract/ports/http.ts";
import type { Completion, Llm, LlmProvider, LlmResult, ToolCall } from "../../contract/ports/llm.ts";
import { delay } from "../../kernel/async.ts";
import type { Clock } from "../../kernel/clock.ts";
import { FOREIGN_JSON, isRecord, parsedJson, recordOf } from "../../kernel/texts/json.ts";
import { completionOf } from "./llm-answers.ts";
import { type AnswerLimits, bodyValue, MAX_STREAM_BYTES, plainText } from "./llm-body.ts";
import { embedAll } from "./llm-embeddings.ts";
import { endpointOf } from "./llm-endpoint.ts";
import { errorInside, isNoSuchPage, noAnswer, refusal, type Trouble, UNREADABLE } from "./llm-failures.ts";
import { type Habits, habitStore } from "./llm-habits.ts";
import { lastingOf } from "./llm-lasting.ts";
import { BEST_MANNERS, chatBody, type Manners, simplerAfter } from "./llm-manners.ts";
import { type Answer, type Ask, type Order, sentBody } from "./llm-order.ts";
import { hideInAnswer, hideInReason } from "./llm-reading.ts";

const WITHIN_MS = 30_000;
const MAX_TRIES = 3;
/** The limit of a completion: more than the longest message that a channel takes. */
const COMPLETION_LIMITS: AnswerLimits = { bytes: 256 * 1024, values: FOREIGN_JSON.values };
/**
 * The wait before the second attempt, and half of the wait before the third, if the provider names none. A wait of 0
 * counts as none: three attempts at once would meet the same trouble.
 */
export const PAUSE_MS = 500;

/**
 * Language models of providers with OpenAI's API. The requests are guarded, because any account may set a base URL.
 * Attempts and pauses are by `clock`.
 */
export const createLlm = (http: Pick<Http, "guarded">, clock: Clock): Llm => {
  const habits = habitStore();
  const attemptAt = async (url: string, headers: Record<string, string>, order: Order): Promise<Answer | Trouble> => {
    const { deadline, limits, wants } = order;
    const { body, contentType } = await sentBody(order);
    const result = await http.guarded({
      url,
      method: "POST",
      headers: { ...headers, "content-type": contentType },
      body,
      timeoutMs: Math.max(1, deadline - clock.now()),
      maxResponseBytes: Math.max(limits.bytes, MAX_STREAM_BYTES),
    });
    return answerOf(result, { limits, wants }, clock.now());
  };
  const attempt = async (order: Order): Promise<Answer | Trouble> => {
    const { urls, headers } = endpointOf(order.provider, order.call, order.body.model);
    let outcome: Answer | Trouble = UNREADABLE;
    for (const url of urls) {
      const next = await attemptAt(url, headers, order);
      // the first address says why, where no other one is right
      if (outcome === UNREADABLE || next.ok || !isNoSuchPage(next)) outcome = next;
      if (next.ok || !isNoSuchPage(next)) break;
    }
    return outcome;
  };
  const ask: Ask = async (order) => {
    for (let tries = 1; ; tries++) {
      const outcome = await attempt(order);
      if (outcome.ok) return outcome;
      const { isPassing } = outcome;
      const failure = { ...outcome.failure, reason: hideInReason(outcome.failure.reason, order.provider.apiKey) };
      const pauseMs = failure.retryAfterMs || PAUSE_MS * tries;
      if (!isPassing || tries === MAX_TRIES || clock.now() + pauseMs >= order.deadline) return failure;
      await delay(clock, pauseMs);
    }
  };

  return {
    async complete({ provider, model, messages, timeoutMs = WITHIN_MS, ...asked }) {
      const deadline = clock.now() + timeoutMs;
      const { instructions, tools, empty, pictures } = { ...BEST_MANNERS, ...habits.of(provider, model) };
      let manners: Manners = { ...BEST_MANNERS, instructions, tools, empty, pictures };
      const learnt: Habits = {};
      const whole = { messages, ...asked };
      for (;;) {
        const body = chatBody({ model, ...whole }, manners);
        const answer = await ask({ provider, call: "chat/completions", body, deadline, limits: COMPLETION_LIMITS });
        if (answer.ok) {
          if (Object.keys(learnt).length > 0) habits.learn(provider, model, learnt);
          const order = { model, ...whole, isWorded: manners.tools === "words" };
          return withoutKey(completionOf(answer.value, order), provider);
        }
        const simpler = simplerAfter(answer, manners, whole);
        if (!simpler) return answer;
        Object.assign(learnt, lastingOf(answer, manners, simpler));
        manners = simpler;
      }
    },
    async transcribe(order) {
      const { transcribe } = await import("./llm-sounds.ts");
      const heard = await transcribe({ ask, habits, now: () => clock.now() }, order);
      if (!heard.ok) return heard;
      return { ok: true, value: { ...heard.value, text: hideInAnswer(heard.value.text, order.provider.apiKey) } };
    },
    async speak(order) {
      const { speak } = await import("./llm-sounds.ts");
      return speak({ ask, habits, now: () => clock.now() }, order);
    },
    embed: (order) => embedAll({ ask, habits, deadline: () => clock.now() + WITHIN_MS }, order),
  };
};

/** The text or JSON of an answer that should be a file: an error, or a page of something in between. */
const isWritten = ({ headers }: HttpAnswer): boolean =>
  /^(?:text\/|application\/json\b)/i.test(headers["content-type"] ?? "");

const answerOf = (
  result: HttpResult,
  { limits, wants }: { limits: AnswerLimits; wants: Order["wants"] },
  nowMs: number,
): Answer | Trouble => {
  if (!result.ok) return noAnswer(result);
  if (result.status < 200 || result.status > 299) return refusal(result, nowMs);
  if (wants === "file" && !isWritten(result))
    return result.isCut || result.body.length === 0 ? UNREADABLE : { ok: true, value: result.body };
  if (result.isCut) return UNREADABLE;
  const value = bodyValue(result.body, limits);
  if (wants === "words" && !isRecord(value)) {
    const text = plainText(result.body, result.headers["content-type"] ?? "", limits);
    if (text !== undefined) return { ok: true, value: text };
  }
  if (value === undefined) return UNREADABLE;
  return errorInside(value, result.headers, nowMs) ?? { ok: true, value };
};

/** The completion without the API key, so that it reaches no contact, no list of models and no log. */
const withoutKey = (result: LlmResult<Completion>, { apiKey }: LlmProvider): LlmResult<Completion> => {
  if (!result.ok) return { ...result, reason: hideInReason(result.reason, apiKey) };
  const { text, model, ...rest } = result.value;
  const value = { ...rest, text: hideInAnswer(text, apiKey), model: hideInAnswer(model, apiKey) };
  return { ok: true, value: { ...value, toolCalls: value.toolCalls.map((call) => withoutKeyInCall(call, apiKey)) } };
};

const withoutKeyInCall = (call: ToolCall, apiKey: string): ToolCall => {
  const written = JSON.stringify(call.arguments);
  const hidden = hideInAnswer(written, apiKey);
  return hidden === written ? call : { ...call, arguments: recordOf(parsedJson(hidden)) };
};
