import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { isVoicePacket } from "../../../../../src/adapters/voice/voice-packets.ts";
import { receivedBy } from "../../../../support/customers/customer.ts";
import { toneWav } from "../../../../support/files/sounds.ts";
import { ANSWER, QUESTION } from "../../../../support/files/speech.ts";
import { played, streamOf } from "../../../../support/files/voice-notes.ts";
import { type SimulatedLlm, startLlm } from "../../../../support/llm/index.ts";
import { giveAgent, giveKey, passPauses } from "../../../../support/llm/world.ts";
import { openedFile } from "../../../../support/session/opened-file.ts";
import { pairedPhone, type SessionWorld, sessionWorld, untilEvents } from "../../../../support/session/world.ts";

// each answer starts a process of this program

let llm: SimulatedLlm;
let s: SessionWorld;
beforeAll(async () => {
  llm = startLlm();
  s = await sessionWorld({ RECADO_LLM_URL: llm.url });
  passPauses(s.w);
});
afterAll(async () => {
  await s.stop();
  await llm.stop();
});
beforeEach(() => llm.reset());

/** A phone whose agent hears and speaks, and a person who says the question to it. */
const conversation = async () => {
  const { customer, hook, owner } = await pairedPhone(s);
  await giveKey(s.w, customer);
  await giveAgent(s.w, customer, { transcribesVoice: true, speaks: true, voice: "coral" });
  llm.answer(({ path }) => (path.endsWith("/chat/completions") ? ANSWER.words : undefined));
  const ana = s.contact();
  await ana.sendMedia("ptt", QUESTION.bytes, { to: owner, mimetype: "audio/ogg; codecs=opus" });
  return { customer, hook, ana };
};

test("W26-10 a voice note to a session becomes text, and is answered by a voice note that every phone plays", async () => {
  const { customer, hook, ana } = await conversation();
  expect(await untilEvents(s.w, hook, "message:transcribed")).toMatchObject([{ text: QUESTION.words, reason: null }]);
  const { message, mediatype } = await ana.until(({ message: { audioMessage } }) => Boolean(audioMessage));
  expect(mediatype).toBe("ptt");
  expect(message.audioMessage).toMatchObject({
    ptt: true,
    mimetype: "audio/ogg; codecs=opus",
    seconds: ANSWER.seconds,
  });
  expect(message.audioMessage?.waveform).toHaveLength(64);
  expect(Math.max(...(message.audioMessage?.waveform ?? []))).toBe(100);
  const ogg = await openedFile(s.net, message.audioMessage, "audio");
  const { channels, packets } = streamOf(ogg);
  expect([channels, packets.slice(0, -1).every(isVoicePacket)]).toEqual([1, true]);
  expect(Math.ceil((await played(ogg)).length / 16_000)).toBe(ANSWER.seconds);
  const { items } = (await s.w.gateway(`/v1/messages?phoneId=${customer.phone.id}`, { key: customer.key })).body;
  expect(items.map(({ direction, transcript }: any) => [direction, transcript])).toEqual([
    ["outbound", ANSWER.words],
    ["inbound", QUESTION.words],
  ]);
  expect(receivedBy(hook, "message:received")).toMatchObject([{ type: "audio" }]);
});

test("W26-10 a provider that speaks WAV alone is heard on a session as a voice note too", async () => {
  llm.models.sounds = new Set(["wav"]);
  llm.sounds.speech = { bytes: toneWav({ seconds: 2 }), contentType: "audio/wav" };
  const { ana } = await conversation();
  const { message, mediatype } = await ana.until(({ message: { audioMessage } }) => Boolean(audioMessage));
  expect([mediatype, message.audioMessage?.seconds]).toEqual(["ptt", 2]);
  const { packets } = streamOf(await openedFile(s.net, message.audioMessage, "audio"));
  expect(packets.slice(0, -1).every(isVoicePacket)).toBe(true);
});

test("a voice note that nobody can hear is told to the agent of a session, which asks for words", async () => {
  const { customer, hook, owner } = await pairedPhone(s);
  await giveKey(s.w, customer);
  await giveAgent(s.w, customer, { transcribesVoice: true });
  const ana = s.contact();
  await ana.sendMedia("ptt", new TextEncoder().encode("not a sound"), { to: owner, mimetype: "audio/ogg" });
  expect(await untilEvents(s.w, hook, "message:transcribed")).toMatchObject([
    { text: null, reason: "UNSUPPORTED_TYPE" },
  ]);
  const { text } = await ana.until(({ text }) => text !== "");
  expect(text).toContain("You said: ");
});
