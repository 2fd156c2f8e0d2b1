import { describe, expect, test } from "bun:test";
import { useLlmClient } from "../../support/llm/client.ts";
import { LLM_KEY, REPLIES, type Reply } from "../../support/llm/index.ts";

const { sim, clock, llm } = useLlmClient();

const ORDER = { model: "gpt-4o-mini", messages: [{ role: "user" as const, content: "olá" }] };
const complete = () => llm.complete({ provider: { baseUrl: sim.url, apiKey: LLM_KEY }, ...ORDER });
const raw = (body: unknown, contentType?: string): Reply => ({
  is: "raw",
  body: typeof body === "string" ? body : JSON.stringify(body),
  ...(contentType === undefined ? {} : { contentType }),
});
const choice = (message: object, more: object = {}) => ({ choices: [{ index: 0, message, ...more }] });
const WHOLE = choice({ role: "assistant", content: "Olá!" }, { finish_reason: "stop" });
const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const said = async (reply: Reply): Promise<unknown> => {
  sim.next(reply);
  const result = await complete();
  return result.ok ? result.value.text : result;
};

describe("an answer is read as what it is", () => {
  test.each([
    ["JSON that says to be text", raw(WHOLE, "text/plain")],
    ["JSON that says to be HTML", raw(WHOLE, "text/html; charset=utf-8")],
    ["JSON that says to be a stream", raw(WHOLE, "text/event-stream")],
    ["JSON behind the empty lines that keep a connection open", raw(`\n\n\r\n   ${JSON.stringify(WHOLE)}`)],
    ["JSON with a byte-order mark", raw(`\ufeff${JSON.stringify(WHOLE)}`)],
    ["JSON before the end of a stream", raw(`${JSON.stringify(WHOLE)}\n\ndata: [DONE]\n\n`, "text/event-stream")],
    [
      "a stream that nobody asked for",
      raw(
        `${chunk({ role: "assistant" })}${chunk({ content: "Ol" })}${chunk({ content: "á!" })}${chunk({}, "stop")}data: [DONE]\n\n`,
        "text/event-stream",
      ),
    ],
    [
      "a stream with comments, names and CRLF",
      raw(
        `: OPENROUTER PROCESSING\r\n\r\nevent: message\r\n${chunk({ content: "Olá!" }, "stop").replaceAll("\n", "\r\n")}`,
      ),
    ],
    [
      "a stream of thoughts and parts",
      raw(
        `${chunk({ reasoning_content: "irritado" })}${chunk({
          content: [
            { type: "thinking", thinking: "irritado" },
            { type: "text", text: "Olá!" },
          ],
        })}data: [DONE]`,
      ),
    ],
    ["a stream of one whole answer", raw(`data: ${JSON.stringify(WHOLE)}\n\ndata: [DONE]\n\n`)],
    [
      "a stream with blanks between its words",
      raw(`${chunk({ content: "<think>x</think>" })}${chunk({ content: "Olá" })}${chunk({ content: "!" }, "stop")}`),
    ],
  ])("%s", async (_form, reply) => {
    expect(await said(reply)).toBe("Olá!");
    expect(sim.journal.length).toBe(1);
  });

  test("its template's end mark is cut off, after words, after thoughts and after a JSON document", async () => {
    expect(await said(raw(choice({ content: "Olá!<|im_end|>" })))).toBe("Olá!");
    expect(await said(raw(choice({ content: "<think>x</think>Olá!</s>" })))).toBe("Olá!");
    expect(await said(raw(choice({ content: "<|eot_id|>" })))).toMatchObject({
      ok: false,
      reason: "The provider's answer has no text.",
    });
    sim.next(raw(choice({ content: '{"a":1}<end_of_turn>' })));
    const schema = { type: "object", properties: {}, required: [], additionalProperties: false };
    const provider = { baseUrl: sim.url, apiKey: LLM_KEY };
    expect(await llm.complete({ provider, ...ORDER, json: { name: "thing", schema } })).toMatchObject({
      value: { text: '{"a":1}' },
    });
  });

  test("a stream keeps the blanks, the model and the tokens", async () => {
    const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } })}\n\n`;
    sim.next(raw(`${chunk({ content: "um" })}${chunk({ content: " " })}${chunk({ content: "dois" }, "stop")}${usage}`));
    expect(await complete()).toEqual({
      ok: true,
      value: {
        text: "um dois",
        model: "m",
        usage: { promptTokens: 3, completionTokens: 2 },
        isCut: false,
        toolCalls: [],
      },
    });
  });

  test.each([
    ["an answer in one piece", (content: object[]) => raw(choice({ content }))],
    ["a stream of all parts", (content: object[]) => raw(chunk({ content }, "stop"))],
    [
      "a stream with a part in each chunk",
      (content: object[]) => raw(`${content.map((part) => chunk({ content: [part] })).join("")}${chunk({}, "stop")}`),
    ],
  ])("blank parts of a text stay in it: %s", async (_form, replyOf) => {
    const parts = ["Oi", " ", "Ana", "\n\n", "Tudo bem?"].map((text) => ({ type: "text", text }));
    expect(await said(replyOf(parts))).toBe("Oi Ana\n\nTudo bem?");
  });

  test("a refusal in pieces keeps its blanks", async () => {
    const pieces = ["Não", " ", "posso."].map((refusal) => chunk({ refusal })).join("");
    expect(await said(raw(`${pieces}${chunk({}, "stop")}`))).toMatchObject({
      kind: "refused",
      reason: "The model declined: Não posso.",
    });
  });

  test.each([
    ["a stream that breaks off", raw(chunk({ content: "metade" }))],
    ["a stream with what is no JSON", raw("data: {\n\ndata: [DONE]\n\n")],
    ["a stream of more chunks than a message has tokens", raw(`${"data: {}\n".repeat(20_001)}data: [DONE]`)],
    ["a stream of more than 2 MiB", raw(`${chunk({ content: "x".repeat(2 * 1024 * 1024) })}data: [DONE]`)],
  ])("%s is no answer, and is not asked for again", async (_form, reply) => {
    expect(await said(reply)).toEqual({
      ok: false,
      kind: "unavailable",
      reason: "The provider's answer cannot be read.",
    });
    expect(sim.journal.length).toBe(1);
  });
});

describe("X-103 the key in an answer", () => {
  const saidWith = async (apiKey: string): Promise<unknown> => {
    sim.keys.add(apiKey);
    sim.next({ is: "text", text: `Aceitamos ${apiKey} cartão.`, model: apiKey });
    const result = await llm.complete({ provider: { baseUrl: sim.url, apiKey }, ...ORDER });
    return result.ok && [result.value.text, result.value.model];
  };

  test.each(["qualquer", "anything", "no-key-here", "12345678"])(
    "stays where it may be a word of the answer, as that of a server without keys: %s",
    async (apiKey) => expect(await saidWith(apiKey)).toEqual([`Aceitamos ${apiKey} cartão.`, apiKey]),
  );

  test.each(["sk-12345", "abcdefghijklmnop", "a1b2c3d4"])("is hidden where it is like no word: %s", async (apiKey) =>
    expect(await saidWith(apiKey)).toEqual(["Aceitamos *** cartão.", "***"]),
  );

  test("is hidden in every failure, whatever it is like", async () => {
    const apiKey = "qualquer";
    sim.keys.add(apiKey);
    sim.next(REPLIES.refused(400, `no ${apiKey}`), REPLIES.declined(`not for ${apiKey}`));
    for (const reason of ["no ***", "The model declined: not for ***"])
      expect(await llm.complete({ provider: { baseUrl: sim.url, apiKey }, ...ORDER })).toMatchObject({ reason });
  });
});

describe("an answer without text says why", () => {
  test.each([
    ["length", choice({ content: "" }, { finish_reason: "length" }), "unavailable", "used up its tokens"],
    [
      "thoughts alone",
      choice({ content: "<think>a" }, { finish_reason: "stop" }),
      "unavailable",
      "only the model's thoughts",
    ],
    ["content_filter", choice({ content: "metade" }, { finish_reason: "content_filter" }), "refused", "content_filter"],
    ["Gemini's own name", choice({}, { finish_reason: "SAFETY" }), "refused", "SAFETY"],
    ["a refusal", choice({ content: null, refusal: "Não posso." }), "refused", "Não posso."],
    [
      "a tool",
      choice({ content: null, tool_calls: [{}] }, { finish_reason: "tool_calls" }),
      "unavailable",
      "called a tool",
    ],
    [
      "an unknown end",
      choice({ content: null }, { finish_reason: "pause" }),
      "unavailable",
      "no text (finish_reason: pause)",
    ],
    ["no choice", { choices: [] }, "unavailable", "no text"],
  ])("%s", async (_form, answer, kind, reason) => {
    expect(await said(raw(answer))).toEqual({ ok: false, kind, reason: expect.stringContaining(reason) });
  });
});

describe("an error inside an answer with a good status", () => {
  const OPENROUTER = { error: { message: "Rate limit exceeded: free-models-per-min", code: 429 } };

  test("that passes is asked again, like the status that it names", async () => {
    sim.next(raw({ error: { ...OPENROUTER.error, metadata: { headers: { "X-RateLimit-Reset": "0" } } } }));
    expect(await said(raw({ error: { message: "Provider error, try again in 0s", code: "502" } }))).toBe(
      "You said: olá",
    );
    expect(sim.journal.length).toBe(3);
  });

  test.each([
    [
      "OpenRouter's",
      { error: { message: "No endpoints", code: 404 } },
      { kind: "refused", status: 404, reason: "No endpoints" },
    ],
    [
      "of the provider behind OpenRouter",
      { error: { message: "Provider returned error", code: 400, metadata: { raw: "no such tool" } } },
      { kind: "refused", status: 400, reason: "no such tool" },
    ],
    [
      "of a choice",
      { choices: [{ finish_reason: "error", error: { message: "gone", code: 400 }, message: { content: "half" } }] },
      { kind: "refused", status: 400, reason: "gone" },
    ],
    ["a sentence", { error: "model not loaded" }, { kind: "unavailable", reason: "model not loaded" }],
    ["vLLM's", { object: "error", message: "bad", code: 400 }, { kind: "refused", status: 400, reason: "bad" }],
    [
      "Google's, in a list",
      [{ error: { code: 400, message: "API key not valid", status: "INVALID_ARGUMENT" } }],
      { kind: "refused", status: 400, reason: "API key not valid" },
    ],
    [
      "for want of credit",
      { error: { message: "quota", type: "insufficient_quota", code: "insufficient_quota" } },
      { kind: "refused", reason: "quota" },
    ],
  ])("%s is reported in the provider's own words, once", async (_form, answer, failure) => {
    expect(await said(raw(answer))).toEqual({ ok: false, ...failure });
    expect(sim.journal.length).toBe(1);
  });

  test("in a stream is one too", async () => {
    const answer = `${chunk({ content: "metade" })}data: ${JSON.stringify({ error: { code: 400, message: "cut" } })}\n\n`;
    expect(await said(raw(answer))).toEqual({ ok: false, kind: "refused", status: 400, reason: "cut" });
  });
});

describe("a refusal", () => {
  test.each([
    ["LM Studio's and Ollama's sentence", { error: "no model" }, "no model"],
    [
      "Mistral's",
      { object: "error", message: { detail: [{ msg: "Extra inputs are not permitted" }] } },
      "Extra inputs are not permitted",
    ],
    ["FastAPI's", { detail: [{ msg: "Field required" }] }, "Field required"],
    ["a gateway's", { detail: "Unsupported model" }, "Unsupported model"],
    ["Google's, in a list", [{ error: { message: "Unknown name" } }], "Unknown name"],
    ["anything else", { what: 1 }, '{"what":1}'],
  ])("in the form of %s is reported in its own words", async (_form, body, reason) => {
    sim.answer(() => ({ is: "status", status: 400, body: JSON.stringify(body) }));
    expect(await complete()).toEqual({ ok: false, kind: "refused", status: 400, reason });
  });
});

describe("the wait that a provider asks for", () => {
  const limited = (error: object, headers: Record<string, string> = {}): Reply => ({
    is: "error",
    status: 429,
    error: { message: "Rate limit", type: "requests", ...error },
    headers,
  });

  test.each([
    ["in milliseconds", limited({}, { "retry-after-ms": "31500", "retry-after": "99" }), 31_500],
    ["in OpenAI's sentence", limited({ message: "Rate limit reached. Please try again in 6m0.5s. Visit …" }), 360_500],
    ["in Azure's sentence", limited({ message: "Exceeded call rate limit. Please retry after 42 seconds." }), 42_000],
    ["in Google's sentence", limited({ message: "Quota exceeded. Please retry in 34.5s." }), 34_500],
    ["in Google's details", limited({ details: [{ reason: "x" }, { retryDelay: "58s" }] }), 58_000],
    [
      "by the limit that is used up",
      limited(
        {},
        {
          "x-ratelimit-remaining-requests": "9",
          "x-ratelimit-reset-requests": "9h",
          "x-ratelimit-remaining-tokens": "0",
          "x-ratelimit-reset-tokens": "1m2s",
        },
      ),
      62_000,
    ],
    ["of more than a day", limited({ message: "Please try again in 99h." }), 86_400_000],
  ])("%s is told, when it is longer than the order has", async (_form, reply, retryAfterMs) => {
    expect(await said(reply)).toMatchObject({ ok: false, kind: "busy", status: 429, retryAfterMs });
    expect(sim.journal.length).toBe(1);
  });

  test("as OpenRouter's moment is told as the time until then", async () => {
    const moment = String(clock.now() + 45_000);
    const reply = limited({ metadata: { headers: { "X-RateLimit-Reset": moment } } });
    expect(await said(reply)).toMatchObject({ kind: "busy", retryAfterMs: 45_000 });
  });
});
