import { expect, test } from "bun:test";
import { type Chat, newChat } from "../../../../support/customers/agents/ai-chat.ts";
import { noteArrives, noteFrom } from "../../../../support/customers/agents/voice-notes.ts";
import { receivedBy, rowsOf, sendsOf, TO } from "../../../../support/customers/customer.ts";
import { toneWav } from "../../../../support/files/sounds.ts";
import { ANSWER, QUESTION } from "../../../../support/files/speech.ts";
import { streamOf } from "../../../../support/files/voice-notes.ts";
import { REPLIES } from "../../../../support/llm/index.ts";
import { useLlmCustomer } from "../../../../support/llm/world.ts";
import { untilTrue } from "../../../../support/waiting.ts";

// each answer starts a process of this program

const { w, llm } = useLlmCustomer();

const chat = (more: object = {}): Promise<Chat> =>
  newChat({ w }, { transcribesVoice: true, speaks: true, voice: "coral", ...more });
const kinds = (a: Chat): string[] => sendsOf(w, a).map(({ type }) => type);
/** The file of the last voice note that the network got. */
const sentFile = (a: Chat): Uint8Array => {
  const { audio } = sendsOf(w, a).at(-1);
  const file = w.graph.media.get(audio.id);
  expect([audio.voice, file?.mimeType]).toEqual([true, "audio/ogg"]);
  return file?.bytes ?? new Uint8Array();
};

test("a recorded voice conversation: a note comes in, becomes text, and is answered by a voice note of Ogg Opus", async () => {
  const a = await chat();
  llm.answer(({ path }) => (path.endsWith("/chat/completions") ? ANSWER.words : undefined));
  await noteFrom(w, a);
  expect(
    a.hook.arrived
      .map(({ body }) => body.type)
      .filter((type) => type?.startsWith("message:"))
      .slice(0, 2),
  ).toEqual(["message:received", "message:transcribed"]);
  expect(receivedBy(a.hook, "message:transcribed")).toMatchObject([{ text: QUESTION.words, seconds: 3 }]);
  expect(llm.speeches().map(({ body }) => [body.input, body.voice])).toEqual([[ANSWER.words, "coral"]]);
  expect(kinds(a)).toEqual(["audio"]);
  const ogg = streamOf(sentFile(a));
  expect(ogg.packets.length).toBeGreaterThan(30);
  expect(await a.turns()).toMatchObject([
    { role: "USER", content: QUESTION.words },
    { role: "ASSISTANT", content: ANSWER.words },
  ]);
  const { items } = (await w.gateway(`/v1/messages?phoneId=${a.phone.id}`, { key: a.key })).body;
  expect(items.map(({ direction, transcript }: any) => [direction, transcript])).toEqual([
    ["outbound", ANSWER.words],
    ["inbound", QUESTION.words],
  ]);
});

test("a provider that makes WAV alone is answered with Ogg Opus too", async () => {
  const a = await chat();
  llm.models.sounds = new Set(["wav"]);
  llm.sounds.speech = { bytes: toneWav({ seconds: 1 }), contentType: "audio/wav" };
  await noteFrom(w, a);
  expect(kinds(a)).toEqual(["audio"]);
  expect(streamOf(sentFile(a)).packets.length).toBeGreaterThan(10);
});

test("an answer to what was written is written, and so is that of an agent that does not speak", async () => {
  const a = await chat();
  await a.says("oi");
  const silent = await chat({ speaks: false });
  await noteFrom(w, silent);
  expect([kinds(a), kinds(silent), llm.speeches()]).toEqual([["text"], ["text"], []]);
});

test.each([
  ["a link", "Veja https://padaria.example/cardapio"],
  ["more than a minute of words", "muito pão ".repeat(120)],
])("an answer with %s is written", async (_, words) => {
  const a = await chat();
  llm.answer(({ path }) => (path.endsWith("/chat/completions") ? words : undefined));
  await noteFrom(w, a);
  expect([kinds(a), llm.speeches()]).toEqual([["text"], []]);
});

test.each([
  ["refuses the voice", REPLIES.refused(400, "Invalid voice."), undefined],
  ["is away", REPLIES.garbage(), undefined],
  ["sends a page", { is: "raw", body: "<html>", contentType: "text/html" } as const, undefined],
  ["sends what is no sound", undefined, new TextEncoder().encode("not a sound")],
])("an answer is written where the provider %s", async (_, reply, bytes) => {
  const a = await chat();
  if (bytes) llm.sounds.speech = { bytes, contentType: "audio/ogg" };
  llm.answer(({ path }) => (path.endsWith("/audio/speech") ? reply : undefined));
  await noteFrom(w, a);
  expect(a.sent()).toEqual([`${TO}: You said: ${QUESTION.words}`]);
});

test("a voice answer counts against the agent's budget", async () => {
  const a = await chat();
  const spent = async () =>
    (await w.gateway(`/v1/ai/agents?phoneId=${a.phone.id}`, { key: a.key })).body.items[0].usedTokens;
  const silent = await chat({ speaks: false });
  await noteFrom(w, silent);
  await noteFrom(w, a);
  const written = (await w.gateway(`/v1/ai/agents?phoneId=${silent.phone.id}`, { key: silent.key })).body.items[0];
  expect((await spent()) - written.usedTokens).toBe(10 * ANSWER.seconds);
});

test("a voice that is no sound counts too, by the length of its words", async () => {
  const a = await chat();
  llm.sounds.speech = { bytes: new TextEncoder().encode("not a sound"), contentType: "audio/ogg" };
  await noteFrom(w, a);
  const seconds = Math.ceil(`You said: ${QUESTION.words}`.length / 15);
  expect(
    await rowsOf(
      w,
      "SELECT calls, completion_tokens AS tokens FROM llm_usage WHERE tenant_id = ?1 AND model = 'gpt-4o-mini-tts'",
      [a.accountId],
    ),
  ).toEqual([{ calls: 1, tokens: 10 * seconds }]);
});

test("an answer is written where it has used up the budget of the day: the voice is not paid for", async () => {
  const a = await chat({ budget: { dailyTokens: 60 } });
  await noteFrom(w, a);
  expect([kinds(a), llm.chats().length, llm.speeches()]).toEqual([["text"], 1, []]);
});

test("nothing is sent where a person takes the chat over while the answer is spoken", async () => {
  const a = await chat();
  const gate = Promise.withResolvers<void>();
  llm.answer(({ path }) => (path.endsWith("/audio/speech") ? REPLIES.held(gate.promise) : undefined));
  await noteArrives(w, a);
  await untilTrue(() => llm.speeches().length === 1);
  await a.talk(`/${encodeURIComponent(`pn:${TO}`)}/handoff`, { method: "POST", body: { reason: "manual" } });
  gate.resolve();
  await w.settle();
  expect(kinds(a)).toEqual([]);
  expect(await rowsOf(w, "SELECT id FROM messages WHERE channel_id = ?1", [a.phone.id])).toEqual([]);
});
