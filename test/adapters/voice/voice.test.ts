import { describe, expect, test } from "bun:test";
import { makeVoiceHere, type VoiceHere } from "../../../src/adapters/voice/voice-making.ts";
import { oggOf } from "../../../src/adapters/voice/voice-ogg.ts";
import { openOpus } from "../../../src/adapters/voice/voice-opus.ts";
import { createResampler, ratioOf } from "../../../src/adapters/voice/voice-resampling.ts";
import { BAND_HERTZ, bandMp3, hertzOf, likeness, toneWav } from "../../support/files/sounds.ts";
import { played, streamOf } from "../../support/files/voice-notes.ts";

type Made = Extract<VoiceHere, { ok: true }>;
const made = async (bytes: Uint8Array): Promise<Made> => {
  const voice = await makeVoiceHere(bytes);
  if (!voice.ok) throw new Error(`no voice note was made: ${voice.reason}`);
  return voice;
};
const oggIn = ({ ogg }: Made): Buffer => Buffer.from(ogg ?? "", "base64");
const waveformIn = ({ waveform }: Made): number[] => [...Buffer.from(waveform, "base64")];

/** The checksum of RFC 3533, bit by bit. */
const checksumOf = (page: Uint8Array): number => {
  let crc = 0;
  for (const byte of page)
    for (let bit = 7; bit >= 0; bit--) {
      const isOut = ((crc >>> 31) & 1) !== ((byte >> bit) & 1);
      crc = ((crc << 1) ^ (isOut ? 0x04_c1_1d_b7 : 0)) >>> 0;
    }
  return crc;
};

type Page = { flags: number; granule: number; sequence: number; isWhole: boolean; packets: number };
const pagesOf = (ogg: Buffer): Page[] => {
  const pages: Page[] = [];
  for (let at = 0; at < ogg.length; ) {
    expect(ogg.toString("latin1", at, at + 4)).toBe("OggS");
    const lacing = ogg.subarray(at + 27, at + 27 + (ogg[at + 26] ?? 0));
    const end = at + 27 + lacing.length + lacing.reduce((sum, one) => sum + one, 0);
    const page = Buffer.from(ogg.subarray(at, end));
    const said = page.readUInt32LE(22);
    page.writeUInt32LE(0, 22);
    pages.push({
      flags: page[5] ?? 0,
      granule: Number(page.readBigInt64LE(6)),
      sequence: page.readUInt32LE(18),
      isWhole: checksumOf(page) === said,
      packets: lacing.filter((one) => one < 255).length,
    });
    at = end;
  }
  return pages;
};

describe("a voice note", () => {
  test("W26-10 has packets of three frames of 20 ms in SILK wideband, mono, and nothing else", async () => {
    const { packets, channels } = streamOf(oggIn(await made(toneWav({ seconds: 3 }))));
    expect(channels).toBe(1);
    expect(packets).toHaveLength(51);
    for (const packet of packets) {
      const [toc = 0, count = 0] = packet;
      expect([toc >> 3, (toc >> 2) & 1, toc & 3, count & 0x3f]).toEqual([9, 0, 3, 3]);
    }
  });

  test("W26-10 is Ogg with right checksums, sequence, positions, beginning and end", async () => {
    const seconds = 3.1;
    const pages = pagesOf(oggIn(await made(toneWav({ seconds, rate: 16_000 }))));
    expect(pages.every(({ isWhole }) => isWhole)).toBe(true);
    expect(pages.map(({ sequence }) => sequence)).toEqual(pages.map((_, at) => at));
    expect(pages.map(({ flags }) => flags)).toEqual([2, ...Array(pages.length - 2).fill(0), 4]);
    expect(pages.slice(0, 2).map(({ granule, packets }) => [granule, packets])).toEqual([
      [0, 1],
      [0, 1],
    ]);
    let samples = 0;
    for (const { granule, packets } of pages.slice(2, -1)) {
      samples += packets * 2880;
      expect(granule).toBe(samples);
    }
    expect(pages.at(-1)?.granule).toBe(312 + seconds * 48_000);
  });

  test.each([
    ["16 kHz mono", { rate: 16_000 }],
    ["44.1 kHz stereo", { rate: 44_100, channels: 2 }],
    ["48 kHz of 24 bits", { rate: 48_000, bits: 24 }],
    ["8 kHz", { rate: 8000 }],
  ] as const)("W26-10 sounds like the WAV it was made of: %s", async (_, options) => {
    const seconds = 2;
    const voice = await made(toneWav({ ...options, seconds }));
    const sound = await played(oggIn(voice));
    const wanted = Array.from({ length: seconds * 16_000 }, (_value, at) =>
      Math.sin((2 * Math.PI * 440 * at) / 16_000),
    );
    expect(sound).toHaveLength(wanted.length);
    expect(voice.seconds).toBe(2);
    expect(likeness(sound, wanted)).toBeGreaterThan(0.97);
  });

  test("W26-10 sounds like the MPEG audio it was made of", async () => {
    const voice = await made(bandMp3(250));
    const sound = await played(oggIn(voice));
    expect(voice.seconds).toBe(2);
    expect(Math.abs(hertzOf(sound.subarray(4000), 16_000) - BAND_HERTZ)).toBeLessThan(30);
  });

  test("W26-10 shows where it is loud: 64 values up to 100, and the seconds are rounded up", async () => {
    const voice = await made(toneWav({ seconds: 3.2, rate: 16_000, loudness: (second) => (second < 1.6 ? 0.1 : 0.8) }));
    const waveform = waveformIn(voice);
    expect(voice.seconds).toBe(4);
    expect(waveform).toHaveLength(64);
    expect(Math.max(...waveform)).toBe(100);
    expect(waveform.slice(0, 31).every((one) => one > 8 && one < 17)).toBe(true);
    expect(waveform.slice(33).every((one) => one > 90)).toBe(true);
  });

  test("W26-10 silence has a flat waveform", async () => {
    const voice = await made(toneWav({ loudness: 0 }));
    expect(waveformIn(voice)).toEqual(Array(64).fill(0));
  });

  test("W26-10 that is right already stays as it is", async () => {
    const right = oggIn(await made(toneWav()));
    expect(await makeVoiceHere(right)).toMatchObject({ ok: true, seconds: 2, ogg: null });
  });

  test("W26-10 of single frames, as other programs write it, is made anew", async () => {
    const opus = await openOpus();
    const frames = Array.from({ length: 50 }, (_, frame) =>
      opus.encode(
        Int16Array.from(
          { length: 320 },
          (_value, at) => 9000 * Math.sin((2 * Math.PI * 440 * (frame * 320 + at)) / 16_000),
        ),
      ),
    );
    const single = oggOf(frames, { packetSamples: 960, preSkip: 312, samples: 48_000 - 312, inputRate: 16_000 });
    const voice = await made(single);
    const sound = await played(oggIn(voice));
    expect(streamOf(oggIn(voice)).packets.every((packet) => ((packet[0] ?? 0) & 3) === 3)).toBe(true);
    expect(sound).toHaveLength(16_000 - 104);
    expect(Math.abs(hertzOf(sound, 16_000) - 440)).toBeLessThan(5);
  });
});

describe("what cannot be a voice note", () => {
  test.each<[string, Uint8Array, string]>([
    ["a text", Buffer.from("hello"), "UNSUPPORTED_TYPE"],
    ["nothing", new Uint8Array(), "UNSUPPORTED_TYPE"],
    ["WAV without a sample", toneWav({ seconds: 0 }), "EMPTY"],
    ["a sound of more than 15 minutes", toneWav({ seconds: 902, rate: 8000, loudness: 0 }), "TOO_LONG"],
  ])("W26-10 %s", async (_, bytes, reason) => {
    expect(await makeVoiceHere(bytes)).toEqual({ ok: false, reason: reason as "EMPTY" });
  });
});

describe("resampling", () => {
  test("makes as many samples as the time has, however the pieces are cut", () => {
    const sound = Float32Array.from({ length: 44_100 }, (_, at) => Math.sin(at / 20));
    const inOne = createResampler(44_100, 16_000);
    const inMany = createResampler(44_100, 16_000);
    const whole = [...inOne.push(sound), ...inOne.end()];
    const cut: number[] = [];
    for (let at = 0; at < sound.length; at += 777) cut.push(...inMany.push(sound.subarray(at, at + 777)));
    cut.push(...inMany.end());
    expect(whole).toHaveLength(16_000);
    expect(cut).toEqual(whole);
  });

  test.each([
    [8000, [1, 2]],
    [11_025, [441, 640]],
    [44_100, [441, 160]],
    [192_000, [12, 1]],
  ])("keeps the rates of recorders as they are: %d", (rate, ratio) => {
    expect(ratioOf(rate, 16_000)).toEqual(ratio as [number, number]);
  });

  test("makes few filters of any rate, and stays close to it", () => {
    for (const rate of [8001, 11_027, 44_099, 96_001, 191_999]) {
      const [step, phases] = ratioOf(rate, 16_000);
      expect(phases).toBeLessThanOrEqual(640);
      expect(Math.abs(step / phases / (rate / 16_000) - 1)).toBeLessThan(0.002);
    }
  });

  test("takes away what the new rate cannot have", () => {
    const high = Float32Array.from({ length: 48_000 }, (_, at) => Math.sin((2 * Math.PI * 12_000 * at) / 48_000));
    const resampler = createResampler(48_000, 16_000);
    const left = resampler.push(high).subarray(100);
    expect(Math.max(...left.map(Math.abs))).toBeLessThan(0.01);
  });
});
