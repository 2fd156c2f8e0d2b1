import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { makeVoiceHere } from "../../../src/adapters/voice/voice-making.ts";
import { type Fault, faults, withFaults } from "../../support/files/broken.ts";
import { recording } from "../../support/files/recordings.ts";
import { hertzOf, toneWav } from "../../support/files/sounds.ts";
import { played, streamOf } from "../../support/files/voice-notes.ts";
import { shareOf } from "../../support/rounds.ts";
import { nextSeed } from "../../support/seeds.ts";

const oggOf = async (bytes: Uint8Array): Promise<Buffer> => {
  const voice = await makeVoiceHere(bytes);
  if (!voice.ok) throw new Error(`no voice note was made: ${JSON.stringify(voice)}`);
  return voice.ogg === null ? Buffer.from(bytes) : Buffer.from(voice.ogg, "base64");
};

const pagesOf = (ogg: Buffer): Buffer[] => {
  const starts = [...ogg.toString("latin1").matchAll(/OggS/g)].map(({ index }) => index);
  return starts.map((start, at) => ogg.subarray(start, starts[at + 1]));
};

describe("broken Ogg", () => {
  // four seconds, whose pages have one each
  const ogg = oggOf(toneWav({ seconds: 4 }));
  const changed = async (change: (pages: Buffer[]) => Buffer[]): Promise<Buffer> =>
    Buffer.concat(change(pagesOf(await ogg)));
  const copied = (page: Buffer, write: (copy: Buffer) => void): Buffer => {
    const copy = Buffer.from(page);
    write(copy);
    return copy;
  };

  test.each<[string, (pages: Buffer[]) => Buffer[]]>([
    ["two stray bytes between its pages", (pages) => [...pages.slice(0, 3), Buffer.from("xy"), ...pages.slice(3)]],
    ["the line ends of a script in front", (pages) => [Buffer.from("\r\n"), ...pages]],
    ["a text behind it", (pages) => [...pages, Buffer.from("<br />\nWarning: OggS")]],
    [
      "no page that ends it",
      (pages) => pages.map((page) => copied(page, (copy) => copy.writeUInt8(copy.readUInt8(5) & 2, 5))),
    ],
    ["checksums of 0 everywhere", (pages) => pages.map((page) => copied(page, (copy) => copy.writeUInt32LE(0, 22)))],
    [
      "the pattern of a page within a gap",
      (pages) => [...pages.slice(0, 4), Buffer.from("OggS\0\0junkOggS"), ...pages.slice(4)],
    ],
    ["no comments", (pages) => pages.filter((_, at) => at !== 1)],
    [
      "another stream between its pages",
      (pages) => pages.flatMap((page, at) => (at === 2 ? [otherPage(page), page] : [page])),
    ],
  ])("W26-10 with %s is heard to its end, and its packets stay as they are", async (_, change) => {
    const mended = await oggOf(await changed(change));
    expect(streamOf(mended).packets).toEqual(streamOf(await ogg).packets);
    expect(await played(mended)).toHaveLength(64_000);
    // and every program reads it
    expect(mended.toString("latin1", 0, 4)).toBe("OggS");
    expect(await makeVoiceHere(mended)).toMatchObject({ ok: true, seconds: 4, ogg: null });
  });

  test("W26-10 whose page was lost has the sound of the others", async () => {
    const sound = await played(await oggOf(await changed((pages) => pages.filter((_, at) => at !== 3))));
    expect(sound.length / 16_000).toBeCloseTo(3.04, 1);
  });

  test("W26-10 that breaks off has the sound until there", async () => {
    const whole = await ogg;
    const sound = await played(await oggOf(whole.subarray(0, Math.floor(whole.length / 2))));
    expect(sound.length).toBeGreaterThan(24_000);
    expect(sound.length).toBeLessThan(40_000);
    expect(Math.abs(hertzOf(sound.subarray(4000), 16_000) - 440)).toBeLessThan(5);
  });

  test("W26-10 whose packets are damaged is silent there, and as long as before", async () => {
    const file = Buffer.from(recording("opusenc.opus"));
    const { packets } = streamOf(file);
    // a packet of two frames of different sizes, which has no sizes
    for (const packet of packets.filter((_, at) => at % 10 === 5)) packet.fill(0xff);
    const sound = await played(await oggOf(file));
    expect(sound).toHaveLength(16_000);
  });

  test("W26-10 whose packets are mostly damaged is refused", async () => {
    const file = Buffer.from(recording("opusenc.opus"));
    for (const packet of streamOf(file).packets) packet.fill(0xff);
    expect(await makeVoiceHere(file)).toEqual({ ok: false, reason: "UNREADABLE" });
  });
});

/** A page of a stream that is something else. */
const otherPage = (page: Buffer): Buffer => {
  const copy = Buffer.from(page);
  copy.writeUInt32LE(7, 14);
  return copy;
};

/** MPEG audio is not here: its decoder can loop for ever, and needs a process of its own. */
const FILES = [
  "a-law.wav",
  "aac.m4a",
  "alac.m4a",
  "browser.mp4",
  "browser.webm",
  "chained.opus",
  "ima-stereo.wav",
  "ms-stereo.wav",
  "narrow.amr",
  "opus.mp4",
  "opusenc.opus",
  "stereo.webm",
  "telephone.3gp",
  "vorbis.ogg",
  "wide.amr",
];

test("W26-10 files of all formats, broken in any way, end with a note or without, and have no more sound than bytes can have", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...FILES), faults, async (name: string, all: Fault[]) => {
      const voice = await makeVoiceHere(withFaults(recording(name), all));
      if (voice.ok) expect(voice.seconds).toBeLessThanOrEqual(901);
      else expect(voice.reason).toMatch(/^(UNSUPPORTED_TYPE|UNREADABLE|TOO_LONG|EMPTY)$/);
    }),
    { seed: nextSeed(), numRuns: shareOf(100) },
  );
});

test("W26-10 what only begins like sound is refused", async () => {
  const BEGINNINGS = ["OggS", "RIFF....WAVEfmt ", "\x1a\x45\xdf\xa3", "\0\0\0\x18ftypM4A ", "#!AMR\n", "ID3", "fLaC"];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...BEGINNINGS), fc.uint8Array({ maxLength: 3000 }), async (beginning, rest) => {
      const voice = await makeVoiceHere(Buffer.concat([Buffer.from(beginning, "latin1"), rest]));
      // any bytes are frames of AMR
      if (beginning !== "#!AMR\n") expect(voice.ok).toBe(false);
    }),
    { seed: nextSeed(), numRuns: shareOf(400) },
  );
});

test.each([
  ["OggS"],
  [`OggS\0\0${"\0".repeat(20)}\xff`],
  ["\x1f\x43\xb6\x75\x81"],
  ["\xa3\x86\x81\0\0\x86\x7f\x7f"],
  ["\xae\x80\xa3\x80"], // a track and a block
  ["\0\0\0\x08free"],
  ["\0\xff\xff\xffmoov"],
  ["junk\0\0\0\0"],
  ["ID3\x04\0\0\0\0\0\0"],
])(
  "W26-10 a million bytes of %j behind the beginning of every container are read once, and have no sound",
  async (piece) => {
    const filling = Buffer.alloc(1_000_000, piece, "latin1");
    for (const beginning of ["", "OggS", "RIFF\0\0\0\0WAVE", "\x1a\x45\xdf\xa3\x80", "\0\0\0\x10ftypM4A \0\0\0\0"])
      expect(await makeVoiceHere(Buffer.concat([Buffer.from(beginning, "latin1"), filling]))).toMatchObject({
        ok: false,
      });
  },
);
