import { isAmr, isAmrOfChannels, readAmr } from "./voice-amr.ts";
import { type Contained, isMp4, readMp4File, readWebmFile } from "./voice-containers.ts";
import { isFreeBitRate, isMp3, readMp3 } from "./voice-mp3.ts";
import { isOgg, readOgg } from "./voice-ogg-reading.ts";
import type { OpusStream } from "./voice-packets.ts";
import { isWav, readWav, type Sound } from "./voice-wav.ts";
import { isWebm } from "./voice-webm.ts";

/** What a file has: packets of Opus, other sound, or something that is not read, by its name if it is known. */
export type SoundFile =
  | { opus: readonly OpusStream[]; isIntactOgg: boolean }
  | { sound: Sound }
  | { name?: string | undefined };

type Reader = (bytes: Uint8Array) => SoundFile | Promise<SoundFile>;

/** How far sound is looked for behind other bytes: line ends of a script, or a tag that lies about its size. */
const SEARCHED_BYTES = 64 * 1024;
/** A tag within another, as programs write that do not look. */
const MAX_TAGS = 8;

const named = (name: string | undefined): SoundFile => (name === undefined ? {} : { name });
const heard = (sound: Sound | undefined): SoundFile => (sound ? { sound } : {});

const fromOgg: Reader = (bytes) => {
  const ogg = readOgg(bytes);
  return typeof ogg === "object" ? { opus: ogg.streams, isIntactOgg: ogg.isIntact } : named(ogg);
};

const fromMp3: Reader = async (bytes) =>
  isFreeBitRate(bytes) ? named("MP3 of a free bit rate") : heard(await readMp3(bytes));

const fromWav: Reader = async (bytes) => {
  const wav = readWav(bytes);
  if (!wav) return {};
  return "mpeg" in wav ? fromMp3(wav.mpeg) : wav;
};

const fromContainer = async (inside: Contained | undefined): Promise<SoundFile> => {
  if (!inside) return {};
  if ("opus" in inside) return { opus: [inside.opus], isIntactOgg: false };
  if ("name" in inside) return inside;
  return isAmr(inside.file) ? heard(await readAmr(inside.file)) : fromMp3(inside.file);
};

const text = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.subarray(from, to)).toString("latin1");

/** AAC in frames of its own, as telephones and radio send it. */
const isAdts = ([first = 0, second = 0]: Uint8Array): boolean => first === 0xff && (second & 0xf6) === 0xf0;

const ASF = "3026b2758e66cf11";

/** TABLE: formats of sound by their beginning, which nothing else has, and who reads each. */
const FORMATS: readonly (readonly [is: (bytes: Uint8Array) => boolean, read: Reader])[] = [
  [isOgg, fromOgg],
  [isWav, fromWav],
  [isWebm, (bytes) => fromContainer(readWebmFile(bytes))],
  [isMp4, async (bytes) => fromContainer(await readMp4File(bytes))],
  [isAmr, async (bytes) => heard(await readAmr(bytes))],
  [isAmrOfChannels, () => named("AMR of several channels")],
  [isAdts, () => named("AAC")],
  [(bytes) => text(bytes, 0, 4) === "fLaC", () => named("FLAC")],
  [(bytes) => /^FORM....AIF[FC]/s.test(text(bytes, 0, 12)), () => named("AIFF")],
  [(bytes) => text(bytes, 0, 4) === ".snd", () => named("AU")],
  [(bytes) => text(bytes, 0, 4) === "caff", () => named("Core Audio (CAF)")],
  [(bytes) => text(bytes, 0, 4) === "RIFX", () => named("WAV in big-endian order")],
  [(bytes) => text(bytes, 0, 12) === "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb", () => named("Wave64")],
  [(bytes) => Buffer.from(bytes.subarray(0, 8)).toString("hex") === ASF, () => named("Windows Media Audio")],
  [(bytes) => text(bytes, 0, 9) === "#!SILK_V3" || text(bytes, 1, 10) === "#!SILK_V3", () => named("SILK of WeChat")],
  [(bytes) => text(bytes, 0, 4) === "wvpk", () => named("WavPack")],
  [(bytes) => text(bytes, 0, 4) === "MAC ", () => named("Monkey's Audio")],
  [(bytes) => text(bytes, 0, 4) === "MThd", () => named("MIDI")],
  [(bytes) => text(bytes, 0, 4) === ".RMF" || text(bytes, 0, 4) === ".ra\xfd", () => named("RealAudio")],
  [isMp3, fromMp3],
];

/** Reads sound of any known format, also behind tags and other bytes. @throws TooLong, and for broken files */
export const readSound: Reader = async (bytes) => {
  const body = untagged(bytes);
  const known = readerOf(body);
  if (known) return within(await known(body), body.length < bytes.length);
  const end = Math.min(body.length, SEARCHED_BYTES);
  for (let at = 1; at < end; at++) {
    if (!mayBegin(body, at)) continue;
    const rest = body.subarray(at);
    const reader = isMp3(body, at) ? FORMATS.at(-1)?.[1] : readerOf(rest);
    if (reader) return within(await reader(rest), true);
  }
  return {};
};

/** Ogg behind other bytes is no Ogg for a phone. */
const within = (file: SoundFile, isBehind: boolean): SoundFile =>
  isBehind && "opus" in file ? { ...file, isIntactOgg: false } : file;

const readerOf = (bytes: Uint8Array): Reader | undefined => FORMATS.find(([is]) => is(bytes))?.[1];

/** The formats that have anything in front of them: their first bytes are no chance. */
const mayBegin = (bytes: Uint8Array, at: number): boolean => {
  const word = text(bytes, at, at + 4);
  return word === "OggS" || word === "RIFF" || word === "#!AM" || word === "\x1a\x45\xdf\xa3" || isMp3(bytes, at);
};

/** A file without the tags before its sound (https://id3.org/id3v2.4.0-structure; APEv2 begins with its size). */
const untagged = (bytes: Uint8Array): Uint8Array => {
  let body = bytes;
  for (let tag = 0; tag < MAX_TAGS; tag++) {
    const size = tagBytes(body);
    // a size beyond the file is a lie: the sound is looked for
    if (size === 0 || size >= body.length) return body;
    body = body.subarray(size);
  }
  return body;
};

const tagBytes = (bytes: Uint8Array): number => {
  const head = Buffer.from(bytes.subarray(0, 32));
  if (head.toString("latin1", 0, 3) === "ID3" && head.length >= 10) {
    const [flags = 0, ...size] = head.subarray(5, 10);
    return 10 + size.reduce((sum, part) => sum * 128 + (part & 0x7f), 0) + (flags & 0x10 ? 10 : 0);
  }
  return head.toString("latin1", 0, 8) === "APETAGEX" && head.length === 32 ? 32 + head.readUInt32LE(12) : 0;
};
