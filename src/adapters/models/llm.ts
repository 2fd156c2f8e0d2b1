import type { OpenAI } from "openai";
import type { Http, HttpResult } from "../../contract/ports/http.ts";
import type {
  ChatMessage,
  Completion,
  JsonForm,
  Llm,
  LlmFailure,
  LlmProvider,
  LlmResult,
} from "../../contract/ports/llm.ts";
import { delay } from "../../kernel/async.ts";
import type { Clock } from "../../kernel/clock.ts";
import { excessOf, FOREIGN_JSON } from "../../kernel/texts/json.ts";
import { completionOf, vectorsOf } from "./llm-answers.ts";
import { type Trouble, troubleOf } from "./llm-failures.ts";

const WITHIN_MS = 30_000;
const MAX_TRIES = 3;
/** The limit of a completion: more than the longest message that a channel takes. */
const MAX_COMPLETION_BYTES = 256 * 1024;
/** The largest number of dimensions that a provider makes, if it cannot be chosen. */
const MOST_DIMENSIONS = 4096;
/** A number of 17 digits with its sign, exponent, comma and a blank. */
const BYTES_OF_NUMBER = 24;
/** The bytes around the vectors of an answer. */
const AROUND_BYTES = 64 * 1024;
/** The wait before the second attempt, and half of the wait before the third, if the provider names none. */
const PAUSE_MS = 500;
/** The dimensions of a knowledge base's vectors; requested from models whose number can be chosen. */
const DIMENSIONS = 1536;

/** The limits of an answer: its parts are a model's, and any account may name the provider. */
type AnswerLimits = { bytes: number; values: number };
type Order = {
  provider: LlmProvider;
  deadline: number;
  limits: AnswerLimits;
  send(client: OpenAI): Promise<unknown>;
};
type Answer = { ok: true; value: unknown };

/**
 * Language models through OpenAI's client. Its requests are guarded, because any account may set a base URL. Attempts
 * and pauses are ours, by `clock`.
 */
export const createLlm = (http: Pick<Http, "guarded">, clock: Clock): Llm => {
  const attempt = async ({ provider, deadline, limits, send }: Order): Promise<Answer | Trouble> => {
    const { OpenAI } = await import("openai");
    let result: HttpResult | undefined;
    const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const request = url instanceof Request ? url : new Request(url.toString(), init);
      result = withoutKey(
        await http.guarded({
          url: request.url,
          method: "POST",
          headers: headersOf(provider),
          body: await request.text(),
          timeoutMs: Math.max(1, deadline - clock.now()),
          maxResponseBytes: limits.bytes,
        }),
        provider,
      );
      return responseOf(result, limits);
    };
    const client = new OpenAI({ baseURL: provider.baseUrl, apiKey: provider.apiKey, ...CLIENT_OPTIONS, fetch });
    try {
      return { ok: true, value: await send(client) };
    } catch {
      return troubleOf(result, clock.now());
    }
  };
  const ask = async (order: Order): Promise<Answer | LlmFailure> => {
    for (let tries = 1; ; tries++) {
      const outcome = await attempt(order);
      if (outcome.ok) return outcome;
      const { failure, isPassing } = outcome;
      const pauseMs = failure.retryAfterMs ?? (failure.status === undefined ? 0 : PAUSE_MS * tries);
      if (!isPassing || tries === MAX_TRIES || clock.now() + pauseMs >= order.deadline) return failure;
      if (pauseMs > 0) await delay(clock, pauseMs);
    }
  };

  return {
    async complete({ provider, model, messages, json, timeoutMs = WITHIN_MS }) {
      const deadline = clock.now() + timeoutMs;
      const inForm = async (form: Form): Promise<LlmResult<Completion>> => {
        const answer = await ask({
          provider,
          deadline,
          limits: { bytes: MAX_COMPLETION_BYTES, values: FOREIGN_JSON.values },
          send: (client) => client.chat.completions.create({ model, ...form }),
        });
        return answer.ok ? completionOf(answer.value, { model, isJson: json !== undefined }) : answer;
      };
      const [first, ...simpler] = formsOf([...messages], json);
      let result = await inForm(first);
      for (const form of simpler) if (isAboutForm(result)) result = await inForm(form);
      return result;
    },
    async embed({ provider, model, texts }) {
      const wanted = model.includes("text-embedding-3") ? { dimensions: DIMENSIONS } : {};
      const send = (client: OpenAI) => client.embeddings.create({ model, input: [...texts], ...wanted });
      const numbers = texts.length * (wanted.dimensions ?? MOST_DIMENSIONS);
      const limits = {
        bytes: numbers * BYTES_OF_NUMBER + AROUND_BYTES,
        values: numbers + FOREIGN_JSON.values,
      };
      const answer = await ask({ provider, deadline: clock.now() + WITHIN_MS, limits, send });
      return answer.ok ? vectorsOf(answer.value, texts.length) : answer;
    },
  };
};

/** The client reads nothing from the environment, tries once, waits longer than we do, and writes no log. */
const CLIENT_OPTIONS = {
  organization: null,
  project: null,
  adminAPIKey: null,
  webhookSecret: null,
  maxRetries: 0,
  timeout: 2 * WITHIN_MS,
  logLevel: "off",
} as const;

/** All headers that are sent: those that the client adds describe this machine. */
const headersOf = ({ apiKey }: LlmProvider): Record<string, string> => ({
  authorization: `Bearer ${apiKey}`,
  "content-type": "application/json",
  accept: "application/json",
  "user-agent": "recado",
});

/**
 * Removes the API key from an answer that repeats it, so that it reaches no contact, no list of models and no log.
 */
const withoutKey = (result: HttpResult, { apiKey }: LlmProvider): HttpResult => {
  if (!result.ok) return result;
  const { buffer, byteOffset, length } = result.body;
  const text = Buffer.from(buffer, byteOffset, length);
  return text.includes(apiKey) ? { ...result, body: Buffer.from(text.toString().replaceAll(apiKey, "***")) } : result;
};

const BODILESS = [204, 205, 304];

/**
 * Throws if there is no whole answer, or if parsing it would block other requests: the client then gives up, and the
 * caller reads the failure from `result`.
 */
const responseOf = (result: HttpResult, { values }: AnswerLimits): Response => {
  if (!result.ok || result.isCut || excessOf(result.body, { ...FOREIGN_JSON, values }) !== undefined)
    throw new Error("no whole answer");
  return new Response(BODILESS.includes(result.status) ? null : result.body.slice(), {
    status: result.status,
    headers: result.headers,
  });
};

type Form = {
  messages: ChatMessage[];
  response_format?:
    | { type: "json_object" }
    | { type: "json_schema"; json_schema: { name: string; strict: boolean; schema: Record<string, unknown> } };
};

/**
 * The messages as every provider accepts them: many refuse consecutive messages of one role, and blank ones.
 * Consecutive messages are joined by a blank line; a blank message is left out.
 */
const inTurns = (messages: readonly ChatMessage[]): ChatMessage[] => {
  const turns: ChatMessage[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.content.trim() === "") continue;
    if (last?.role === message.role) last.content += `\n\n${message.content}`;
    else turns.push({ ...message });
  }
  return turns;
};

/** The forms of a request for a completion, the best first: some providers support only a simpler one. */
const formsOf = (messages: ChatMessage[], json: JsonForm | undefined): [Form, ...Form[]] => {
  if (!json) return [{ messages: inTurns(messages) }];
  const instruction: ChatMessage = {
    role: "system",
    content: `Answer with nothing but one JSON document that fits this JSON schema: ${JSON.stringify(json.schema)}`,
  };
  const schema = { ...json.schema }; // the client's type asks for a record
  return [
    {
      messages: inTurns(messages),
      response_format: { type: "json_schema", json_schema: { name: json.name, strict: true, schema } },
    },
    { messages: inTurns([instruction, ...messages]), response_format: { type: "json_object" } },
    { messages: inTurns([instruction, ...messages]) },
  ];
};

const isAboutForm = (result: LlmResult<unknown>): boolean =>
  !result.ok && (result.status === 400 || result.status === 422) && /response_format|json/i.test(result.reason);
