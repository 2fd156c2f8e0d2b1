import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { ANSWER, QUESTION } from "../files/speech.ts";
import { LLM_KEY, REPLIES, type SimulatedLlm, startLlm, vectorOf } from "./index.ts";

let llm: SimulatedLlm;
beforeAll(() => {
  llm = startLlm();
});
afterAll(() => llm.stop());
beforeEach(() => llm.reset());

const CHAT = { model: "gpt-4o-mini", messages: [{ role: "user", content: "olá" }] };
const EMBEDDING = { model: "text-embedding-3-small", input: ["um", "dois"] };
const post = async (path: string, body: object, key: string | undefined = LLM_KEY) => {
  const headers = { "content-type": "application/json", ...(key === "" ? {} : { authorization: `Bearer ${key}` }) };
  const response = await fetch(llm.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
};
const chat = (more: object = {}, key?: string) => post("/chat/completions", { ...CHAT, ...more }, key);
const embed = (more: object = {}) => post("/embeddings", { ...EMBEDDING, ...more });
const AUTHORIZED = { authorization: `Bearer ${LLM_KEY}` };
const sound = (name: string, bytes = QUESTION.bytes) => new File([bytes], name, { type: "audio/ogg" });
const hear = (patch: Record<string, string | File | undefined>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model: "whisper-1", file: sound("n.ogg"), ...patch }))
    if (value !== undefined) form.set(name, value);
  return fetch(`${llm.url}/audio/transcriptions`, { method: "POST", headers: AUTHORIZED, body: form });
};
const speak = (body: object) =>
  fetch(`${llm.url}/audio/speech`, {
    method: "POST",
    headers: { ...AUTHORIZED, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

describe("the simulated provider", () => {
  test("completes in the shape of the contract, and notes what it was asked with its headers", async () => {
    const { status, body } = await chat();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: "chat.completion",
      model: "gpt-4o-mini",
      choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "You said: olá" } }],
    });
    expect(body.usage.total_tokens).toBe(body.usage.prompt_tokens + body.usage.completion_tokens);
    expect(llm.chats()).toMatchObject([
      { path: "/v1/chat/completions", status: 200, body: CHAT, headers: { authorization: `Bearer ${LLM_KEY}` } },
    ]);
  });

  test.each([
    ["a wrong key", () => chat({}, "sk-wrong"), 401, "invalid_api_key"],
    ["no key", () => chat({}, ""), 401, null],
    ["an unknown model", () => chat({ model: "gpt-0" }), 404, "model_not_found"],
    ["no messages", () => chat({ messages: [] }), 400, null],
    ["a strange role", () => chat({ messages: [{ role: "customer", content: "x" }] }), 400, null],
    ["a strange argument", () => chat({ tool: 1 }), 400, null],
    ["json_object without the word", () => chat({ response_format: { type: "json_object" } }), 400, null],
    [
      "an open strict schema",
      () =>
        chat({
          response_format: {
            type: "json_schema",
            json_schema: { name: "x", strict: true, schema: { type: "object" } },
          },
        }),
      400,
      null,
    ],
    ["an empty text", () => embed({ input: [""] }), 400, null],
    ["a length that the model cannot", () => embed({ model: "text-embedding-ada-002", dimensions: 1536 }), 400, null],
  ])("refuses %s in the shape of the contract, before any scripted answer", async (_, ask, status, code) => {
    llm.next("scripted");
    const answer = await ask();
    expect([answer.status, answer.body.error.code, typeof answer.body.error.message]).toEqual([status, code, "string"]);
    expect((await chat()).body.choices[0].message.content).toBe("scripted");
  });

  test("has vectors of length one, near for texts that share words, of 1536 dimensions or as many as are asked for, as numbers or base64", async () => {
    const [one, two] = (await embed({ encoding_format: "float" })).body.data;
    expect([one.embedding.length, two.index]).toEqual([1536, 1]);
    const based = (await embed({ encoding_format: "base64", dimensions: 8 })).body.data[0].embedding as string;
    expect([...new Float32Array(new Uint8Array(Buffer.from(based, "base64")).buffer)]).toEqual([...vectorOf("um", 8)]);
    llm.dimensions.always = 768;
    expect((await embed()).body.data[0].embedding.length).toBe(768);
    const dot = (a: string, b: string) =>
      vectorOf(a, 1536).reduce((sum, value, at) => sum + value * (vectorOf(b, 1536)[at] ?? 0), 0);
    expect(dot("o prazo de entrega", "qual o prazo de entrega?")).toBeGreaterThan(
      dot("o prazo de entrega", "horário da loja"),
    );
  });

  test("fails as it is set to: the queue first, then by the request, and breaks connections", async () => {
    llm.next(REPLIES.busy({ retryAfter: "7" }), REPLIES.noCredit(), REPLIES.broken());
    llm.answer(({ body }) => (body.temperature === 1 ? REPLIES.cut("half") : undefined));
    const busy = await chat();
    expect([busy.status, busy.headers.get("retry-after")]).toEqual([429, "7"]);
    expect((await chat()).body.error.code).toBe("insufficient_quota");
    expect((await chat()).status).toBe(500);
    expect((await chat({ temperature: 1 })).body.choices[0].finish_reason).toBe("length");
    llm.next(REPLIES.dropped(), REPLIES.noChoices());
    expect(await chat().catch(() => "broken")).toBe("broken");
    expect((await chat()).body.choices).toEqual([]);
  });

  test.each([
    ["an unknown ending", { file: sound("note.opus") }, 400],
    ["a file of more than 25 MB", { file: sound("note.ogg", new Uint8Array(25 * 1024 * 1024 + 1)) }, 413],
    ["an empty file", { file: sound("note.ogg", new Uint8Array()) }, 400],
    ["a file that is no sound", { file: sound("note.ogg", new TextEncoder().encode("<html>")) }, 400],
    ["no file", { file: undefined }, 400],
    ["a language with its country", { language: "pt_BR" }, 400],
    ["an unknown model", { model: "whisper-0" }, 404],
    ["a strange field", { seconds: "3" }, 400],
  ])("refuses to hear %s", async (_, patch, status) => {
    expect((await hear(patch)).status).toBe(status);
  });

  test("hears a form with a file, and speaks a text as a file, with the refusals of the real one", async () => {
    expect(await (await hear({ language: "pt" })).json()).toMatchObject({ text: QUESTION.words });
    expect(llm.transcriptions()[0]?.body).toMatchObject({
      model: "whisper-1",
      language: "pt",
      file: { name: "n.ogg" },
    });
    expect(llm.transcriptions()[0]?.body.file.bytes).toEqual(QUESTION.bytes);
    const speech = { model: "tts-1", input: "olá", voice: "alloy" };
    const spoken = await speak({ ...speech, response_format: "opus" });
    expect([spoken.headers.get("content-type"), await spoken.bytes()]).toEqual(["audio/ogg", ANSWER.bytes]);
    for (const patch of [{ voice: "maria" }, { input: "x".repeat(4097) }, { input: " " }, { response_format: "amr" }])
      expect((await speak({ ...speech, ...patch })).status).toBe(400);
  });

  test("takes pictures as parts of a user's message, for models that see alone", async () => {
    const seen = (model: string, url = "data:image/png;base64,AAAA") =>
      chat({
        model,
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "que bolo é este?" },
              { type: "image_url", image_url: { url } },
            ],
          },
        ],
      });
    expect((await seen("gpt-4o")).body.choices[0].message.content).toBe("You said: que bolo é este?");
    expect((await seen("gpt-5-mini")).body.error.message).toContain("image_url is only supported by certain models");
    expect((await seen("gpt-4o", "data:text/html;base64,AAAA")).status).toBe(400);
  });

  test("holds an answer back until the gate opens", async () => {
    const gate = Promise.withResolvers<void>();
    llm.next(REPLIES.held(gate.promise, "late"));
    const answer = chat();
    expect((await llm.received(1))[0]?.status).toBeNull();
    gate.resolve();
    expect((await answer).body.choices[0].message.content).toBe("late");
  });
});
