import { adpcmReader } from "./voice-adpcm.ts";

/** Sound in mono, piece by piece, with its rate. */
export type Sound = { rate: number; pieces: Iterable<Float32Array> | AsyncIterable<Float32Array> };

/** What a WAV file has: sound, MPEG audio, or a codec that is not read, by its name. */
export type Wav = { sound: Sound } | { mpeg: Uint8Array } | { name: string };

const PIECE_FRAMES = 16_384;
const MIN_RATE = 8000;
const MAX_RATE = 192_000;
const MAX_CHANNELS = 8;
const [PCM, MS_ADPCM, FLOAT, A_LAW, MU_LAW, IMA_ADPCM] = [1, 2, 3, 6, 7, 0x11];
const EXTENSIBLE = 0xff_fe;
const MPEG: readonly number[] = [0x50, 0x55];

/**
 * TABLE: the codecs in WAV that are not read, by the tag of the format
 * (https://www.rfc-editor.org/rfc/rfc2361#appendix-A).
 */
const CODECS: Readonly<Record<number, string>> = {
  0x10: "OKI ADPCM",
  0x14: "G.723 ADPCM",
  0x17: "Dialogic ADPCM",
  0x20: "Yamaha ADPCM",
  0x22: "TrueSpeech",
  0x31: "GSM 6.10",
  0x40: "G.721 ADPCM",
  0x41: "G.728",
  0x42: "G.723.1",
  0x45: "G.726",
  0x57: "AMR-NB",
  0x58: "AMR-WB",
  0x64: "G.726",
  0x65: "G.722",
  0x83: "G.729",
  0xff: "AAC",
  0x1_60: "Windows Media Audio",
  0x1_61: "Windows Media Audio",
  0x1_62: "Windows Media Audio",
  0x2_8f: "G.722",
  0x16_00: "AAC",
  0x70_4f: "Opus",
  0xa1_06: "AAC",
  0xa1_09: "Speex",
  0xf1_ac: "FLAC",
};

/** Whether a RIFF file of sound begins here, or a large one (https://tech.ebu.ch/docs/tech/tech3306.pdf). */
export const isWav = (bytes: Uint8Array): boolean => {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  return /^(RIFF|RF64|BW64)/.test(head) && head.endsWith("WAVE");
};

export type Format = { tag: number; channels: number; rate: number; bits: number; blockBytes: number; chunk: Buffer };

/** Reads WAV. Undefined if its header is broken, or no chunk has sound. */
export const readWav = (bytes: Uint8Array): Wav | undefined => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const chunks = chunksOf(file);
  const format = formatOf(chunks.get("fmt "));
  const data = chunks.get("data");
  if (!format || !data) return undefined;
  if (MPEG.includes(format.tag)) return { mpeg: data };
  if (format.tag in CODECS) return { name: `${CODECS[format.tag]} in WAV` };
  const { channels, rate, bits, tag } = format;
  if (rate < MIN_RATE || rate > MAX_RATE) return { name: `WAV of ${rate} Hz` };
  if (channels < 1 || channels > MAX_CHANNELS) return { name: `WAV of ${channels} channels` };
  const pieces = piecesIn(data, format, chunks.get("fact"));
  return pieces ? { sound: { rate, pieces } } : { name: `WAV of format ${tag} with ${bits} bits` };
};

/**
 * The chunks by name. A chunk of sound whose size the recorder did not know yet (0, or larger than the file) has the
 * rest.
 */
const chunksOf = (file: Buffer): Map<string, Buffer> => {
  const chunks = new Map<string, Buffer>();
  const large = file.toString("latin1", 12, 16) === "ds64" && file.length >= 36 ? file.readBigUInt64LE(28) : undefined;
  for (let at = 12; at + 8 <= file.length; ) {
    const name = file.toString("latin1", at, at + 4);
    const said = file.readUInt32LE(at + 4);
    const from = at + 8;
    const isSound = name === "data";
    const isUnknown = isSound && said === 0 && !isChunk(file, from);
    const size = isUnknown ? file.length - from : isSound && said === UNKNOWN ? Number(large ?? said) : said;
    if (!chunks.has(name)) chunks.set(name, file.subarray(from, from + size));
    const next = from + size;
    // after an odd size comes a byte that some programs forget
    at = size % 2 === 1 && (isChunk(file, next + 1) || !isChunk(file, next)) ? next + 1 : next;
  }
  return chunks;
};

const UNKNOWN = 0xff_ff_ff_ff;

/** Whether a chunk may begin here: its name has four letters, and it ends within the file. */
const isChunk = (file: Buffer, at: number): boolean =>
  at === file.length ||
  (at + 8 <= file.length &&
    /^[A-Za-z][\w ]{3}$/.test(file.toString("latin1", at, at + 4)) &&
    at + 8 + file.readUInt32LE(at + 4) <= file.length);

const formatOf = (chunk: Buffer | undefined): Format | undefined => {
  if (!chunk || chunk.length < 14) return undefined;
  const said = chunk.readUInt16LE(0);
  return {
    tag: said === EXTENSIBLE && chunk.length >= 26 ? chunk.readUInt16LE(24) : said,
    channels: chunk.readUInt16LE(2),
    rate: chunk.readUInt32LE(4),
    blockBytes: chunk.readUInt16LE(12),
    bits: chunk.length >= 16 ? chunk.readUInt16LE(14) : 8,
    chunk,
  };
};

const piecesIn = (data: Buffer, format: Format, fact: Buffer | undefined): Iterable<Float32Array> | undefined => {
  const { tag } = format;
  if (tag !== IMA_ADPCM && tag !== MS_ADPCM) {
    const read = readerOf(format);
    return read && framesOf(data, format, read);
  }
  const read = adpcmReader(tag === IMA_ADPCM ? "IMA" : "MS", format);
  const frames = fact && fact.length >= 4 ? fact.readUInt32LE(0) : 0;
  return read && firstOf(blocksOf(data, format.blockBytes, read), frames || Number.POSITIVE_INFINITY);
};

type Reader = (data: Buffer, at: number) => number;

const readerOf = ({ tag, bits }: Format): Reader | undefined => {
  const bytes = Math.ceil(bits / 8);
  if (tag === PCM && bytes === 1) return (data, at) => (data.readUInt8(at) - 128) / 128;
  // 12 or 20 bits fill the upper ones of their bytes
  if (tag === PCM && bytes >= 2 && bytes <= 4) return (data, at) => data.readIntLE(at, bytes) / 2 ** (bytes * 8 - 1);
  if (tag === FLOAT && bits === 32) return (data, at) => finite(data.readFloatLE(at));
  if (tag === FLOAT && bits === 64) return (data, at) => finite(data.readDoubleLE(at));
  if (tag === A_LAW && bits === 8) return (data, at) => fromALaw(data.readUInt8(at));
  if (tag === MU_LAW && bits === 8) return (data, at) => fromMuLaw(data.readUInt8(at));
  return undefined;
};

const finite = (value: number): number => (Number.isFinite(value) ? value : 0);

/** G.711 (https://www.itu.int/rec/T-REC-G.711): a sign, three bits of a segment, four within it. */
const fromALaw = (byte: number): number => {
  const code = byte ^ 0x55;
  const segment = (code >> 4) & 7;
  const within = ((code & 15) << 4) + 8;
  const height = segment === 0 ? within : (within + 0x1_00) << (segment - 1);
  return (code & 0x80 ? height : -height) / 32_768;
};

const fromMuLaw = (byte: number): number => {
  const code = ~byte;
  const height = ((((code & 15) << 3) + 0x84) << ((code >> 4) & 7)) - 0x84;
  return (code & 0x80 ? -height : height) / 32_768;
};

function* framesOf(data: Buffer, { channels, bits }: Format, read: Reader): Generator<Float32Array> {
  const sampleBytes = Math.ceil(bits / 8);
  const frameBytes = sampleBytes * channels;
  const frames = Math.floor(data.length / frameBytes);
  for (let first = 0; first < frames; first += PIECE_FRAMES) {
    const piece = new Float32Array(Math.min(PIECE_FRAMES, frames - first));
    for (let frame = 0; frame < piece.length; frame++) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel++)
        sum += read(data, (first + frame) * frameBytes + channel * sampleBytes);
      piece[frame] = sum / channels;
    }
    yield piece;
  }
}

function* blocksOf(data: Buffer, size: number, read: (block: Buffer) => Float32Array): Generator<Float32Array> {
  for (let at = 0; at < data.length; at += size) yield read(data.subarray(at, at + size));
}

/** The last block of a file is filled up; `frames` says how long the sound is. */
function* firstOf(pieces: Iterable<Float32Array>, frames: number): Generator<Float32Array> {
  let left = frames;
  for (const piece of pieces) {
    yield piece.subarray(0, left);
    left -= piece.length;
    if (left <= 0) return;
  }
}
