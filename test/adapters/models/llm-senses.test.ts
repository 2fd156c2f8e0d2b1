import { describe, expect, test } from "bun:test";
import type { ChatPart } from "../../../src/contract/ports/llm.ts";
import { ANSWER, QUESTION } from "../../support/files/speech.ts";
import { useLlmClient } from "../../support/llm/client.ts";
import { LLM_KEY, REPLIES } from "../../support/llm/index.ts";

const { sim, llm } = useLlmClient();

const provider = () => ({ baseUrl: sim.url, apiKey: LLM_KEY });
const SOUND = { bytes: QUESTION.bytes, filename: "note.ogg", contentType: "audio/ogg" };
const hear = (more: object = {}) => llm.transcribe({ provider: provider(), model: "whisper-1", sound: SOUND, ...more });
const say = (more: object = {}) =>
  llm.speak({ provider: provider(), model: "tts-1", voice: "alloy", text: "Sim, abrimos.", ...more });

describe("a sound that is heard", () => {
  test("goes as a form with its file and the account's key, and comes back as text with its tokens", async () => {
    expect(await hear({ language: "pt" })).toEqual({
      ok: true,
      value: { text: QUESTION.words, usage: { promptTokens: 30, completionTokens: 8 } },
    });
    const [{ body, headers }] = sim.transcriptions() as [any];
    expect(body).toEqual({
      model: "whisper-1",
      response_format: "json",
      language: "pt",
      file: { name: "note.ogg", type: "audio/ogg", bytes: QUESTION.bytes },
    });
    expect(headers.authorization).toBe(`Bearer ${LLM_KEY}`);
  });

  test("is asked for again after a passing failure, with the whole file", async () => {
    sim.next(REPLIES.broken(), REPLIES.busy());
    expect(await hear()).toMatchObject({ ok: true });
    expect(sim.transcriptions().map(({ body }) => body.file.bytes.length)).toEqual(
      Array(3).fill(QUESTION.bytes.length),
    );
  });

  test.each([
    ["a page", { is: "raw", body: "<html>Bad gateway</html>", contentType: "text/html" }, "cannot be read"],
    ["more than 256 KiB", { is: "raw", body: JSON.stringify({ text: "x".repeat(256 * 1024) }) }, "cannot be read"],
    ["no text", { is: "raw", body: '{"segments":[]}' }, "has no text"],
    ["an error in a 200", { is: "raw", body: '{"error":{"message":"no model"}}' }, "no model"],
  ] as const)("has no text if the answer is %s", async (_, reply, reason) => {
    sim.next(reply, reply, reply);
    expect(await hear()).toMatchObject({ ok: false, reason: expect.stringContaining(reason) });
  });

  test.each([
    ["a text", "Vocês abrem domingo?\n", "Vocês abrem domingo?"],
    ["a number", "4711", "4711"],
    ["words that begin like a stream", "data: amanhã às nove", "data: amanhã às nove"],
    ["nothing", "", ""],
    ["JSON", '{"text":" Sim. "}', "Sim."],
  ])("is heard from an answer that says to be plain text, and is %s", async (_, body, text) => {
    sim.next({ is: "raw", body, contentType: "text/plain; charset=utf-8" });
    expect(await hear()).toMatchObject({ ok: true, value: { text } });
  });

  test.each([
    ["a page", "<html>Bad gateway</html>"],
    ["an error", '{"error":{"message":"no model"}}'],
    ["more than 256 KiB", "x".repeat(300 * 1024)],
  ])("has no text if a plain text is %s", async (_, body) => {
    sim.next({ is: "raw", body, contentType: "text/plain" });
    expect(await hear()).toMatchObject({ ok: false });
  });

  test("may be silent, and its text never has the account's key", async () => {
    sim.sounds.transcript = "  ";
    expect(await hear()).toMatchObject({ ok: true, value: { text: "" } });
    sim.sounds.transcript = `a chave é ${LLM_KEY}`;
    expect(await hear()).toMatchObject({ ok: true, value: { text: "a chave é ***" } });
  });

  test("is refused in the provider's words, once", async () => {
    const sound = { ...SOUND, bytes: new TextEncoder().encode("MZ, a program") };
    expect(await hear({ sound })).toMatchObject({
      ok: false,
      kind: "refused",
      reason: "The audio file could not be decoded or its format is not supported.",
    });
    expect(sim.transcriptions()).toHaveLength(1);
  });
});

describe("a text that is spoken", () => {
  test("comes as the file of the provider, as Ogg Opus", async () => {
    expect(await say()).toEqual({ ok: true, value: ANSWER.bytes });
    expect(sim.speeches()[0]?.body).toEqual({
      model: "tts-1",
      voice: "alloy",
      input: "Sim, abrimos.",
      response_format: "opus",
    });
  });

  test("comes in another form where the provider makes no Ogg, which is learnt", async () => {
    sim.models.sounds = new Set(["wav"]);
    expect(await say()).toMatchObject({ ok: true });
    expect(await say()).toMatchObject({ ok: true });
    expect(sim.speeches().map(({ body }) => body.response_format)).toEqual(["opus", "mp3", "wav", "wav"]);
  });

  test.each([
    ["a page", { is: "raw", body: "<html>", contentType: "text/html" }],
    ["nothing", { is: "raw", body: "", contentType: "audio/ogg" }],
    ["JSON", { is: "raw", body: '{"audio":"AAAA"}' }],
  ] as const)("is no sound if the answer is %s", async (_, reply) => {
    sim.next(reply);
    expect(await say()).toMatchObject({ ok: false, kind: "unavailable" });
  });

  test("comes in another form after a refusal inside a good answer, without any status", async () => {
    sim.next({ is: "raw", body: JSON.stringify({ error: { message: "response_format opus is not supported" } }) });
    expect(await say()).toMatchObject({ ok: true });
    expect(sim.speeches().map(({ body }) => body.response_format)).toEqual(["opus", "mp3"]);
  });

  test("is refused in the provider's words for an unknown voice", async () => {
    expect(await say({ voice: "maria" })).toMatchObject({ ok: false, reason: expect.stringContaining("maria") });
    expect(sim.speeches()).toHaveLength(1);
  });
});

describe("a picture", () => {
  const PICTURE: ChatPart = { type: "image", contentType: "image/png", bytes: new Uint8Array([1, 2, 3]) };
  const ask = (model = "gpt-4o", parts: ChatPart[] = [{ type: "text", text: "que bolo é este?" }, PICTURE]) =>
    llm.complete({
      provider: provider(),
      model,
      messages: [
        { role: "system", content: "Seja breve." },
        { role: "user", content: "oi" },
        { role: "user", content: parts },
      ],
    });
  const contents = () => sim.chats().map(({ body }) => body.messages.at(-1).content);

  test("goes as a part of its message, beside the texts that it is joined with", async () => {
    expect(await ask()).toMatchObject({ ok: true });
    expect(contents()).toEqual([
      [
        { type: "text", text: "oi" },
        { type: "text", text: "que bolo é este?" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
      ],
    ]);
  });

  test("is named where the model takes none, and later ones at once", async () => {
    expect(await ask("gpt-5-mini")).toMatchObject({ ok: true });
    expect(await ask("gpt-5-mini")).toMatchObject({ ok: true });
    expect(contents().map((content) => typeof content)).toEqual(["object", "string", "string"]);
    expect(contents()[2]).toBe("oi\n\nque bolo é este?\n\n(A picture came with this message. You cannot see it.)");
  });

  test.each([
    [404, "No endpoints found that support image input"],
    [400, "llava-x is not a multimodal model"],
    [500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"],
    [422, "Failed to deserialize: messages[1]: unknown variant `image_url`, expected `text`"],
    [400, "messages.1.content must be a string"],
  ])("is named after a refusal with %d: %s", async (status, words) => {
    sim.next(REPLIES.refused(status, words));
    expect(await ask()).toMatchObject({ ok: true });
    await ask();
    expect(contents().map((content) => typeof content)).toEqual(["object", "string", "string"]);
  });

  test("that is refused for itself teaches nothing of the next", async () => {
    sim.next(REPLIES.refused(400, "Invalid base64 image_url."));
    expect(await ask()).toMatchObject({ ok: true });
    await ask();
    expect(contents().map((content) => typeof content)).toEqual(["object", "string", "object"]);
  });

  test("alone is a message of its own, and parts without one are a text", async () => {
    await ask("gpt-4o", [{ type: "text", text: " " }, PICTURE]);
    await ask("gpt-4o", [
      { type: "text", text: "um" },
      { type: "text", text: "dois" },
    ]);
    expect(contents()).toEqual([
      [
        { type: "text", text: "oi" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
      ],
      "oi\n\num\n\ndois",
    ]);
  });
});
