import { describe, expect, test } from "bun:test";
import { makeVoiceHere } from "../../../src/adapters/voice/voice-making.ts";
import { readOgg } from "../../../src/adapters/voice/voice-ogg-reading.ts";
import { recording } from "../../support/files/recordings.ts";
import { hertzOf, toneWav } from "../../support/files/sounds.ts";
import { played } from "../../support/files/voice-notes.ts";

const made = async (bytes: Uint8Array) => {
  const voice = await makeVoiceHere(bytes);
  if (!voice.ok) throw new Error(`no voice note was made: ${JSON.stringify(voice)}`);
  const ogg = voice.ogg === null ? bytes : Buffer.from(voice.ogg, "base64");
  return { ...voice, ogg, sound: await played(ogg) };
};

/** The tone of a recording, without its ends, where codecs begin and fill up. */
const expectTone = (sound: Int16Array, seconds = 1): void => {
  expect(sound.length / 16_000).toBeGreaterThanOrEqual(seconds - 0.03);
  expect(sound.length / 16_000).toBeLessThan(seconds + 0.2);
  const middle = sound.subarray(4000, Math.floor(seconds * 16_000) - 2000);
  expect(Math.abs(hertzOf(middle, 16_000) - 440)).toBeLessThan(8);
  expect(Math.max(...middle)).toBeGreaterThan(1500);
};

describe("a voice note of what real programs record", () => {
  test.each([
    ["WebM of a browser, whose length is not known", "browser.webm"],
    ["WebM in stereo", "stereo.webm"],
    ["MP4 with Opus", "opus.mp4"],
    ["MP4 with Opus in fragments, as browsers record it", "browser.mp4"],
    ["Ogg of opusenc", "opusenc.opus"],
    ["WAV in A-law", "a-law.wav"],
    ["WAV in mu-law", "mu-law.wav"],
    ["WAV in IMA ADPCM", "ima.wav"],
    ["WAV in IMA ADPCM, stereo", "ima-stereo.wav"],
    ["WAV in Microsoft's ADPCM", "ms.wav"],
    ["WAV in Microsoft's ADPCM, stereo", "ms-stereo.wav"],
    ["WAV with MP3 inside", "mp3.wav"],
    ["MP3 with a variable bit rate and a tag", "vbr.mp3"],
    ["MP3 of 8 kHz", "mpeg-2.5.mp3"],
    ["AMR", "narrow.amr"],
    ["AMR-WB", "wide.amr"],
    ["3GP with AMR", "telephone.3gp"],
  ])("W26-10 has the sound of %s", async (_, name) => {
    expectTone((await made(recording(name))).sound);
  });

  test("W26-10 has all recordings of an Ogg file that was joined of several", async () => {
    expectTone((await made(recording("chained.opus"))).sound, 2);
  });

  test("W26-10 has the packets of WebM as they are, if phones play them", async () => {
    const right = (await made(toneWav({ seconds: 1 }))).ogg;
    const before = readOgg(right);
    if (typeof before !== "object") throw new Error("no Opus");
    const [stream] = before.streams;
    const remuxed = (await made(await webmOf(stream?.packets ?? [], stream?.preSkip ?? 0))).ogg;
    const after = readOgg(remuxed);
    expect(after).toMatchObject({ isIntact: true, streams: [{ packets: stream?.packets, preSkip: 312 }] });
  });
});

/** WebM as mediabunny writes it. */
const webmOf = async (packets: readonly Uint8Array[], preSkip: number): Promise<Uint8Array> => {
  const { BufferTarget, EncodedAudioPacketSource, EncodedPacket, Output, WebMOutputFormat } = await import(
    "mediabunny"
  );
  const output = new Output({ format: new WebMOutputFormat(), target: new BufferTarget() });
  const source = new EncodedAudioPacketSource("opus");
  output.addAudioTrack(source);
  await output.start();
  const description = Buffer.from("OpusHead\x01\x01..\x80\x3e\0\0\0\0\0", "latin1");
  description.writeUInt16LE(preSkip, 10);
  const meta = { decoderConfig: { codec: "opus", sampleRate: 48_000, numberOfChannels: 1, description } };
  for (const [at, packet] of packets.entries())
    await source.add(new EncodedPacket(packet, "key", at * 0.06, 0.06), at === 0 ? meta : undefined);
  await output.finalize();
  return new Uint8Array(output.target.buffer ?? new ArrayBuffer());
};

describe("WAV", () => {
  const wav = Buffer.from(toneWav({ seconds: 1, rate: 8000 }));
  const chunk = (name: string, bytes: Uint8Array): Buffer => {
    const head = Buffer.alloc(8, name, "latin1");
    head.writeUInt32LE(bytes.length, 4);
    return Buffer.concat([head, bytes]);
  };
  /** A file of 8,000 samples from -1 to 1. */
  const wavOf = (
    { tag, bits, extensible = false }: { tag: number; bits: number; extensible?: boolean },
    write: (file: Buffer, at: number, value: number) => void,
  ): Buffer => {
    const bytes = Math.ceil(bits / 8);
    const format = Buffer.alloc(extensible ? 40 : 16);
    format.writeUInt16LE(extensible ? 0xff_fe : tag, 0);
    format.writeUInt16LE(1, 2);
    format.writeUInt32LE(8000, 4);
    format.writeUInt32LE(8000 * bytes, 8);
    format.writeUInt16LE(bytes, 12);
    format.writeUInt16LE(bits, 14);
    if (extensible) format.writeUInt16LE(tag, 24);
    const data = Buffer.alloc(8000 * bytes);
    for (let at = 0; at < 8000; at++) write(data, at * bytes, 0.4 * Math.sin((2 * Math.PI * 440 * at) / 8000));
    return Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVE", "latin1"), chunk("fmt ", format), chunk("data", data)]);
  };
  const integers = (bits: number) => (file: Buffer, at: number, value: number) =>
    file.writeIntLE(Math.round(value * 2 ** (bits - 1)), at, bits / 8);
  const sized = (size: number): Buffer => {
    const copy = Buffer.from(wav);
    copy.writeUInt32LE(size, 40);
    copy.writeUInt32LE(size, 4);
    return copy;
  };

  test.each<[string, Uint8Array]>([
    ["8 bits", wavOf({ tag: 1, bits: 8 }, (file, at, value) => file.writeUInt8(Math.round(value * 127) + 128, at))],
    ["16 bits", wavOf({ tag: 1, bits: 16 }, integers(16))],
    ["20 bits in 24", wavOf({ tag: 1, bits: 20 }, integers(24))],
    ["24 bits", wavOf({ tag: 1, bits: 24 }, integers(24))],
    ["32 bits", wavOf({ tag: 1, bits: 32 }, integers(32))],
    ["floats of 32 bits", wavOf({ tag: 3, bits: 32 }, (file, at, value) => file.writeFloatLE(value, at))],
    ["floats of 64 bits", wavOf({ tag: 3, bits: 64 }, (file, at, value) => file.writeDoubleLE(value, at))],
    ["16 bits in the extensible form", wavOf({ tag: 1, bits: 16, extensible: true }, integers(16))],
    ["a length of 0, as a recorder that died leaves it", sized(0)],
    ["a length of 0xFFFFFFFF, as a pipe has it", sized(0xff_ff_ff_ff)],
    ["a length beyond its end", sized(1_000_000)],
    [
      "a chunk of odd size before the sound",
      Buffer.concat([wav.subarray(0, 36), chunk("LIST", Buffer.alloc(3)), Buffer.alloc(1), wav.subarray(36)]),
    ],
    [
      "a chunk of odd size without the byte after it",
      Buffer.concat([wav.subarray(0, 36), chunk("LIST", Buffer.alloc(3)), wav.subarray(36)]),
    ],
    ["the line ends of a script before it", Buffer.concat([Buffer.from("\r\n\r\n"), wav])],
  ])("W26-10 with %s is heard whole", async (_, bytes) => {
    const { sound } = await made(bytes);
    expectTone(sound);
    expect(sound).toHaveLength(16_000);
  });

  test("W26-10 of the form for large files is heard without the chunks after its sound", async () => {
    const large = Buffer.alloc(28);
    large.writeBigUInt64LE(BigInt(wav.length - 44), 8);
    const sound = Buffer.from(wav.subarray(36));
    sound.writeUInt32LE(0xff_ff_ff_ff, 4);
    const file = Buffer.concat([
      Buffer.from("RF64\xff\xff\xff\xffWAVE", "latin1"),
      chunk("ds64", large),
      wav.subarray(12, 36),
      sound,
      chunk("LIST", Buffer.alloc(16_000, 0x55)),
    ]);
    expect((await made(file)).sound).toHaveLength(16_000);
  });
});

describe("MP3", () => {
  const mp3 = Buffer.from(recording("vbr.mp3"));
  const bare = mp3.subarray(mp3.indexOf(Buffer.from("fffb", "hex")));
  const id3 = Buffer.concat([Buffer.from("ID3\x04\0\0\0\0\x07\x68", "latin1"), Buffer.alloc(1000, "APIC")]);
  const ape = Buffer.alloc(132, "APETAGEX", "latin1");
  ape.writeUInt32LE(100, 12);
  const lying = Buffer.concat([Buffer.from("ID3\x03\0\0\x7f\x7f\x7f\x7f", "latin1"), Buffer.alloc(500)]);

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["the line ends of a script", Buffer.from("\r\n")],
    ["a mark of UTF-8", Buffer.from("\uFEFF")],
    ["a tag", id3],
    ["two tags", Buffer.concat([id3, id3])],
    ["a tag of APE", ape],
    ["a tag that lies about its size", lying],
    ["the answer of a web server", Buffer.from("HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n")],
    ["4,000 bytes of anything", Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 167 + (at >> 3)) % 256))],
  ])("W26-10 is heard behind %s", async (_, front) => {
    expectTone((await made(Buffer.concat([front, bare]))).sound);
  });

  const free = Buffer.from(recording("free.mp3"));
  const cbr = Buffer.from(recording("cbr.mp3"));
  /** The header of Fraunhofer's encoder in the place of LAME's. */
  const vbri = Buffer.from(cbr);
  vbri.write("VBRI\0\x01", vbri.indexOf("Info"), "latin1");

  test.each<[string, Uint8Array]>([
    ["a constant bit rate and LAME's header", cbr],
    ["the header of a variable bit rate of Fraunhofer's encoder", vbri],
    ["a last frame that breaks off", cbr.subarray(0, -100)],
    ["an old tag behind it", Buffer.concat([cbr, Buffer.from("TAG".padEnd(128, "x"), "latin1")])],
  ])("W26-10 with %s is heard", async (_, bytes) => {
    expectTone((await made(bytes)).sound, 0.9);
  });

  test("W26-10 with other bytes in its midst is heard to its end", async () => {
    const midst = Math.floor(cbr.length / 2);
    const broken = Buffer.concat([cbr.subarray(0, midst), Buffer.from("<br>Warning</br>"), cbr.subarray(midst)]);
    const { sound } = await made(broken);
    expect(sound.length / 16_000).toBeGreaterThan(0.9);
    expect(Math.abs(hertzOf(sound.subarray(-6000, -1500), 16_000) - 440)).toBeLessThan(8);
  });

  test.each([
    ["alone", free],
    ["behind a tag", Buffer.concat([id3, free])],
  ])(
    "W26-10 G-320 of a free bit rate, %s, is refused by its name: its decoder would drop all but its beginning",
    async (_, bytes) => {
      const found = "MP3 of a free bit rate";
      expect(await makeVoiceHere(bytes)).toEqual({ ok: false, reason: "UNSUPPORTED_TYPE", found });
    },
  );
});

describe("what is not decoded is refused by its name", () => {
  const named = (beginning: string, rest = 100) =>
    Buffer.concat([Buffer.from(beginning, "latin1"), Buffer.alloc(rest)]);
  const tagged = (tag: number): Buffer => {
    const file = Buffer.from(toneWav({ seconds: 0.1, rate: 8000 }));
    file.writeUInt16LE(tag, 20);
    return file;
  };

  test.each<[string, Uint8Array]>([
    ["GSM 6.10 in WAV", recording("gsm.wav")],
    ["G.726 in WAV", recording("g726.wav")],
    ["G.729 in WAV", tagged(0x83)],
    ["G.723.1 in WAV", tagged(0x42)],
    ["G.722 in WAV", tagged(0x2_8f)],
    ["TrueSpeech in WAV", tagged(0x22)],
    ["WAV of format 51966 with 16 bits", tagged(0xca_fe)],
    ["WAV of 4000 Hz", toneWav({ rate: 4000 })],
    ["AAC in MP4", recording("aac.m4a")],
    ["AAC", recording("aac.aac")],
    ["Apple Lossless in MP4", recording("alac.m4a")],
    ["Vorbis in Ogg", recording("vorbis.ogg")],
    ["AMR of several channels", named("#!AMR_MC1.0\n")],
    ["FLAC", named("fLaC")],
    ["AIFF", named("FORM\0\0\0\x10AIFF")],
    ["AU", named(".snd")],
    ["Core Audio (CAF)", named("caff")],
    ["Windows Media Audio", named("\x30\x26\xb2\x75\x8e\x66\xcf\x11")],
    ["SILK of WeChat", named("\x02#!SILK_V3")],
  ])("W26-10 G-320 %s", async (found, bytes) => {
    expect(await makeVoiceHere(bytes)).toEqual({ ok: false, reason: "UNSUPPORTED_TYPE", found });
  });
});
