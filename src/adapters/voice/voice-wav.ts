/** Sound in mono, piece by piece, with its rate. */
export type Sound = { rate: number; pieces: Iterable<Float32Array> | AsyncIterable<Float32Array> };

const PIECE_FRAMES = 16_384;
const MIN_RATE = 8000;
const MAX_RATE = 192_000;
const MAX_CHANNELS = 8;
const [PCM, FLOAT, EXTENSIBLE] = [1, 3, 0xff_fe];

export const isWav = (bytes: Uint8Array): boolean => {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  return /^(RIFF|RF64)/.test(head) && head.endsWith("WAVE");
};

type Format = { tag: number; channels: number; rate: number; bits: number };

/** Reads WAV of whole numbers or floats; undefined for any other file. */
export const readWav = (bytes: Uint8Array): Sound | undefined => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const chunks = chunksOf(file);
  const format = formatOf(chunks.get("fmt "));
  const data = chunks.get("data");
  const read = format && readerOf(format);
  if (!format || !data || !read) return undefined;
  return { rate: format.rate, pieces: piecesOf(data, format, read) };
};

/** The chunks by name. The last one may be shorter than it says, as recorders that do not know the end write it. */
const chunksOf = (file: Buffer): Map<string, Buffer> => {
  const chunks = new Map<string, Buffer>();
  let at = 12;
  while (at + 8 <= file.length) {
    const name = file.toString("latin1", at, at + 4);
    const size = file.readUInt32LE(at + 4);
    if (!chunks.has(name)) chunks.set(name, file.subarray(at + 8, at + 8 + size));
    at += 8 + size + (size % 2);
  }
  return chunks;
};

const formatOf = (chunk: Buffer | undefined): Format | undefined => {
  if (!chunk || chunk.length < 16) return undefined;
  const said = chunk.readUInt16LE(0);
  const tag = said === EXTENSIBLE && chunk.length >= 26 ? chunk.readUInt16LE(24) : said;
  const format = { tag, channels: chunk.readUInt16LE(2), rate: chunk.readUInt32LE(4), bits: chunk.readUInt16LE(14) };
  const { channels, rate } = format;
  return channels >= 1 && channels <= MAX_CHANNELS && rate >= MIN_RATE && rate <= MAX_RATE ? format : undefined;
};

type Reader = (data: Buffer, at: number) => number;

const readerOf = ({ tag, bits }: Format): Reader | undefined => {
  if (tag === PCM && bits === 8) return (data, at) => (data.readUInt8(at) - 128) / 128;
  if (tag === PCM && (bits === 16 || bits === 24 || bits === 32))
    return (data, at) => data.readIntLE(at, bits / 8) / 2 ** (bits - 1);
  if (tag === FLOAT && bits === 32) return (data, at) => finite(data.readFloatLE(at));
  if (tag === FLOAT && bits === 64) return (data, at) => finite(data.readDoubleLE(at));
  return undefined;
};

const finite = (value: number): number => (Number.isFinite(value) ? value : 0);

function* piecesOf(data: Buffer, { channels, bits }: Format, read: Reader): Generator<Float32Array> {
  const sampleBytes = bits / 8;
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
