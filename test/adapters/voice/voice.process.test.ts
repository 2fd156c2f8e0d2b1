import { afterAll, afterEach, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { createTempFiles } from "../../../src/adapters/files/temp-files.ts";
import { createVoice } from "../../../src/adapters/voice/voice.ts";
import { recording } from "../../support/files/recordings.ts";
import { bandMp3, hertzOf, toneWav } from "../../support/files/sounds.ts";
import { streamOf } from "../../support/files/voice-notes.ts";
import { tempFolders } from "../../support/temp-folders.ts";

// each starts a process of this program

const { newFolder, removeFolders } = tempFolders();
const dir = newFolder();
const voice = createVoice({ writeTempFile: createTempFiles(dir) });
const makeVoice = (body: AsyncIterable<Uint8Array>) => voice.makeVoice("an-account", body);
const makeWav = (body: AsyncIterable<Uint8Array>) => voice.makeWav("an-account", body);
afterEach(() => expect(readdirSync(dir)).toEqual([]));
afterAll(removeFolders);

async function* bodyOf(...pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
const made = async (bytes: Uint8Array) => {
  const result = await makeVoice(bodyOf(bytes));
  if (!result.ok) throw new Error(`no voice note was made: ${result.reason}`);
  const ogg = Buffer.concat(await Array.fromAsync(result.note.stream()));
  return { ...result.note, ogg };
};

test("W26-10 a voice note is made in another process, of a body in pieces", async () => {
  const wav = toneWav({ seconds: 1 });
  expect(await makeVoice(bodyOf(wav.subarray(0, 100), wav.subarray(100)))).toMatchObject({
    ok: true,
    note: { seconds: 1 },
  });
  expect(await made(bandMp3(200))).toMatchObject({ seconds: 2 });
});

test("W26-10 one that is right already is the file itself, which is gone when it was disposed of", async () => {
  const first = await made(toneWav());
  const again = await made(first.ogg);
  expect(again.ogg).toEqual(first.ogg);
  expect(again.waveform).toHaveLength(64);
  expect(readdirSync(dir)).toHaveLength(1);
  await again.dispose();
});

test("W26-10 several at once are made, one after the other where there are many", async () => {
  const all = await Promise.all([1, 2, 3, 4].map((seconds) => made(toneWav({ seconds, rate: 16_000 }))));
  expect(all.map(({ seconds, ogg }) => [seconds, streamOf(ogg).endGranule])).toEqual(
    [1, 2, 3, 4].map((seconds) => [seconds, 312 + seconds * 48_000]),
  );
});

test("W26-10 a file that is too large, no sound, or breaks off makes none, and leaves nothing", async () => {
  const large = new Uint8Array(17 * 1024 * 1024);
  expect(await makeVoice(bodyOf(large))).toEqual({ ok: false, reason: "TOO_LARGE" });
  expect(await makeVoice(bodyOf(Buffer.from("hello")))).toEqual({ ok: false, reason: "UNSUPPORTED_TYPE" });
  const broken = (async function* () {
    yield toneWav();
    throw new Error("the host has gone");
  })();
  expect(await makeVoice(broken)).toEqual({ ok: false, reason: "BROKEN" });
});

test("W26-10 a file that is not read is named, also by the other process", async () => {
  expect(await makeVoice(bodyOf(recording("gsm.wav")))).toEqual({
    ok: false,
    reason: "UNSUPPORTED_TYPE",
    found: "GSM 6.10 in WAV",
  });
});

test("W26-10 a voice note becomes WAV of 16 kHz in mono, for models that hear nothing else, and leaves nothing", async () => {
  const made = await makeWav(bodyOf(recording("opusenc.opus")));
  if (!made.ok) throw new Error(made.reason);
  const wav = Buffer.from(made.wav);
  expect(made.seconds).toBe(1);
  expect(wav.toString("latin1", 0, 4) + wav.toString("latin1", 8, 16)).toBe("RIFFWAVEfmt ");
  expect([wav.readUInt32LE(4), wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual([
    wav.length - 8,
    1,
    16_000,
    16,
  ]);
  expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
  const samples = new Int16Array(made.wav.slice(44).buffer);
  expect(samples).toHaveLength(16_000);
  expect(Math.abs(hertzOf(samples, 16_000) - 440)).toBeLessThan(5);
  expect(await makeWav(bodyOf(Buffer.from("hello")))).toEqual({ ok: false, reason: "UNSUPPORTED_TYPE" });
});
