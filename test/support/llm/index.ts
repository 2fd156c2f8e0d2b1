import type { Server } from "bun";
import { ANSWER, QUESTION } from "../files/speech.ts";
import { type Reply, refusal } from "./replies.ts";
import { chatRefusal, embeddingRefusal, type Models, orderRefusal, someModels, textsOf, wordsIn } from "./requests.ts";
import { readForm, speechRefusal, transcriptionRefusal } from "./sounds.ts";
import { encoded, vectorOf } from "./vectors.ts";

export { REPLIES, type Reply } from "./replies.ts";
export { vectorOf } from "./vectors.ts";

/** A key that the simulated provider knows from the start. */
export const LLM_KEY = "sk-proj-the-key-of-the-tests-4711";

/**
 * A received request, and the status of its answer: null while it waits, or if the connection broke. Header names are
 * in lower case.
 */
export type LlmCall = { path: string; headers: Record<string, string>; body: any; raw: string; status: number | null };
type Script = (call: LlmCall) => Reply | undefined;

/**
 * An OpenAI-compatible provider on 127.0.0.1. It has the refusals of the real one, before any scripted answer: a key it
 * does not know (401), an unknown model (404), a wrong body (400).
 */
export type SimulatedLlm = {
  /** The base URL, which ends in `/v1`. */
  url: string;
  /** The keys it takes; LLM_KEY at first. */
  keys: Set<string>;
  models: Models;
  /** Whether roles must alternate, beginning with the user's after one message of the system's, as many models want. */
  isStrict: boolean;
  /** Every request, in order of arrival. */
  journal: LlmCall[];
  chats(): LlmCall[];
  embeddings(): LlmCall[];
  /** The sounds that were to be heard: the form's texts, and its file as `file`. */
  transcriptions(): LlmCall[];
  /** The texts that were to be spoken. */
  speeches(): LlmCall[];
  /** The replies to the next requests, one each, on any path. They are used up before `answer` applies. */
  next(...replies: Reply[]): void;
  /**
   * Sets how every request is answered from now on. A request that the script does not cover gets the default: a
   * completion repeats the last paragraph, an embedding is computed from the text, a sound is heard and a text spoken as
   * `sounds` say.
   */
  answer(script: Script): void;
  /** The length of vectors, if the request names no length; with `always` in any case. */
  dimensions: { fallback: number; always?: number };
  /** What it hears in every sound, and the file that it makes of every text. */
  sounds: { transcript: string; speech: { bytes: Uint8Array<ArrayBuffer>; contentType: string } };
  /** Resolves when so many requests have come. */
  received(count: number): Promise<LlmCall[]>;
  /** Resets the provider: no script, no journal, one key. */
  reset(): void;
  stop(): Promise<void>;
};

export const startLlm = (): SimulatedLlm => {
  const queue: Reply[] = [];
  let script: Script = () => undefined;
  let waiting: { count: number; resolve(): void }[] = [];

  const refusalOf = (call: LlmCall): Reply | undefined => {
    const key = /^Bearer (.+)$/.exec(call.headers["authorization"] ?? "")?.[1];
    if (key === undefined) return refusal(401, "You didn't provide an API key.");
    if (!llm.keys.has(key)) return refusal(401, `Incorrect API key provided: ${key}.`, { code: "invalid_api_key" });
    if (typeof call.body !== "object") return refusal(400, "We could not parse the JSON body of your request.");
    switch (nameOf(call)) {
      case "chat/completions":
        return chatRefusal(call.body, llm.models) ?? (llm.isStrict ? orderRefusal(call.body) : undefined);
      case "audio/transcriptions":
        return transcriptionRefusal(call.body, llm.models);
      case "audio/speech":
        return speechRefusal(call.body, llm.models);
      default:
        return embeddingRefusal(call.body, llm.models);
    }
  };
  const noted = (call: LlmCall): void => {
    llm.journal.push(call);
    const ready = waiting.filter(({ count }) => llm.journal.length >= count);
    waiting = waiting.filter(({ count }) => llm.journal.length < count);
    for (const { resolve } of ready) resolve();
  };
  const server: Server<undefined> = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0, // a held answer waits for as long as the test wants
    fetch: async (request) => {
      const call = await callOf(request);
      noted(call);
      if (
        request.method !== "POST" ||
        !/^\/v1\/(chat\/completions|embeddings|audio\/transcriptions|audio\/speech)$/.test(call.path)
      )
        return respond(call, refusal(404, `Unknown request URL: ${call.path}.`));
      const reply = refusalOf(call) ?? queue.shift() ?? script(call) ?? trueAnswer(call);
      return reply instanceof Response ? reply : answered(call, reply);
    },
  });
  const answered = async (call: LlmCall, reply: Reply): Promise<Response> => {
    if (typeof reply === "string" || reply.is !== "held") return respond(call, reply);
    await reply.until;
    const next = reply.reply ?? trueAnswer(call);
    return next instanceof Response ? next : answered(call, next);
  };
  const trueAnswer = (call: LlmCall): Reply | Response => {
    if (isChat(call)) return `You said: ${wordsIn(call.body.messages.at(-1)).split("\n\n").at(-1)}`;
    if (nameOf(call) === "audio/speech") return { is: "file", ...llm.sounds.speech };
    if (nameOf(call) === "audio/transcriptions") {
      const usage = {
        type: "tokens",
        input_tokens: 30,
        output_tokens: tokensOf(llm.sounds.transcript),
        total_tokens: 0,
      };
      return json(call, 200, { text: llm.sounds.transcript, usage });
    }
    const { model, dimensions, encoding_format: encoding } = call.body;
    const length = llm.dimensions.always ?? dimensions ?? llm.dimensions.fallback;
    const texts = textsOf(call.body);
    const tokens = texts.reduce((sum, text) => sum + tokensOf(text), 0);
    const data = texts.map((text, index) => ({
      object: "embedding",
      index,
      embedding: encoded(vectorOf(text, length), encoding),
    }));
    return json(call, 200, { object: "list", data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } });
  };

  const llm: SimulatedLlm = {
    url: `http://127.0.0.1:${server.port}/v1`,
    keys: new Set([LLM_KEY]),
    models: someModels(),
    isStrict: true,
    journal: [],
    chats: () => llm.journal.filter(isChat),
    embeddings: () => llm.journal.filter((call) => nameOf(call) === "embeddings"),
    transcriptions: () => llm.journal.filter((call) => nameOf(call) === "audio/transcriptions"),
    speeches: () => llm.journal.filter((call) => nameOf(call) === "audio/speech"),
    sounds: someSounds(),
    next: (...replies) => void queue.push(...replies),
    answer: (next) => void (script = next),
    dimensions: { fallback: 1536 },
    async received(count) {
      if (llm.journal.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }));
      return llm.journal;
    },
    reset() {
      queue.length = 0;
      script = () => undefined;
      Object.assign(llm, {
        keys: new Set([LLM_KEY]),
        models: someModels(),
        isStrict: true,
        journal: [],
        dimensions: { fallback: 1536 },
        sounds: someSounds(),
      });
    },
    stop: () => server.stop(true),
  };
  return llm;
};

const someSounds = (): SimulatedLlm["sounds"] => ({
  transcript: QUESTION.words,
  speech: { bytes: ANSWER.bytes, contentType: "audio/ogg" },
});

/** The name of a call: its path without the version. */
const nameOf = ({ path }: LlmCall): string => path.split("/").slice(2).join("/");
const isChat = (call: LlmCall): boolean => nameOf(call) === "chat/completions";

const callOf = async (request: Request): Promise<LlmCall> => {
  const bytes = new Uint8Array(await request.arrayBuffer());
  const type = request.headers.get("content-type") ?? "";
  const raw = new TextDecoder().decode(bytes);
  return {
    path: new URL(request.url).pathname,
    headers: Object.fromEntries(request.headers),
    body: type.startsWith("multipart/form-data") ? await readForm(bytes, type) : parsed(raw),
    raw,
    status: null,
  };
};

const parsed = (raw: string): unknown => {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
};

/** About four characters make a token. */
const tokensOf = (text: string): number => Math.ceil(text.length / 4);

const respond = (call: LlmCall, reply: Exclude<Reply, { is: "held" }>): Response => {
  if (typeof reply === "string") return completion(call, { is: "text", text: reply });
  switch (reply.is) {
    case "text":
      return completion(call, reply);
    case "calls":
      return completion(call, { is: "text", text: reply.text ?? null }, reply.calls);
    case "error":
      return json(call, reply.status, { error: { param: null, code: null, ...reply.error } }, reply.headers);
    case "status":
      return body(call, reply.status, reply.body, { "content-type": "application/json" });
    case "raw":
      return body(call, 200, reply.body, { "content-type": reply.contentType ?? "application/json" });
    case "file":
      return body(call, 200, reply.bytes, { "content-type": reply.contentType });
    case "dropped":
      return new Response(new ReadableStream({ pull: (stream) => stream.error() }));
  }
};

const completion = (
  call: LlmCall,
  { text, finishReason = "stop", refusal: declined, model = call.body.model }: Extract<Reply, { is: "text" }>,
  calls: Extract<Reply, { is: "calls" }>["calls"] = [],
): Response => {
  const promptTokens = tokensOf(JSON.stringify(call.body.messages));
  const completionTokens = tokensOf(text ?? "");
  const toolCalls = calls.map(({ name, arguments: given }, at) => ({
    id: `call_${call.body.messages.length}x${at}`,
    type: "function",
    function: { name, arguments: typeof given === "string" ? given : JSON.stringify(given) },
  }));
  const message = {
    role: "assistant",
    content: text,
    refusal: declined ?? null,
    ...(calls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
  const finish = calls.length === 0 ? finishReason : "tool_calls";
  return json(call, 200, {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  });
};

const json = (call: LlmCall, status: number, value: unknown, headers: Record<string, string> = {}): Response =>
  body(call, status, JSON.stringify(value), { "content-type": "application/json", ...headers });

const body = (
  call: LlmCall,
  status: number,
  content: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Response => {
  Object.assign(call, { status });
  return new Response(content, { status, headers: { "x-request-id": "req_1", ...headers } });
};
