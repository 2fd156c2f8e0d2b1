// by its path: what the package exports needs a worker, which is not there in one binary
import MpegDecoder from "../../../node_modules/mpg123-decoder/src/MPEGDecoder.js";
import type { Sound } from "./voice-wav.ts";

const FED_BYTES = 16 * 1024;

/** The frames in a row that are no chance. */
const SURE_FRAMES = 3;
const MPEG_1 = 3;
/** kbit/s by the number in the header: of MPEG-1 by layer, then of MPEG-2. */
const KBITS = {
  one: [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ],
  twoOfI: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  two: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const RATES = [44_100, 48_000, 32_000];

/** A frame by its header: what all frames of a file share, and its size; 0 for a free bit rate, which says none. */
type Frame = { kind: number; bytes: number };

const frameAt = (bytes: Uint8Array, at: number): Frame | undefined => {
  const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 4);
  const version = (second >> 3) & 3;
  const layer = 4 - ((second >> 1) & 3);
  const isFrame = first === 0xff && second >> 5 === 7 && version !== 1 && layer !== 4 && at + 4 <= bytes.length;
  const rate = RATES[(third >> 2) & 3];
  if (!isFrame || rate === undefined || third >> 4 === 15) return undefined;
  return { kind: (second & 0xfe) * 4 + ((third >> 2) & 3), bytes: bytesOf({ version, layer, rate, third }) };
};

const bytesOf = ({ version, layer, rate, third }: Record<"version" | "layer" | "rate" | "third", number>): number => {
  const isOne = version === MPEG_1;
  const kbits = (isOne ? KBITS.one[layer - 1] : layer === 1 ? KBITS.twoOfI : KBITS.two)?.[third >> 4] ?? 0;
  if (kbits === 0) return 0;
  const bitsPerSample = (1000 * kbits) / (rate / (isOne ? 1 : version === 2 ? 2 : 4));
  const padding = (third >> 1) & 1;
  if (layer === 1) return (Math.floor(12 * bitsPerSample) + padding) * 4;
  return Math.floor((layer === 3 && !isOne ? 72 : 144) * bitsPerSample) + padding;
};

/** Whether frames of MPEG audio begin at a place: some in a row, or all up to the end of the file. */
export const isMp3 = (bytes: Uint8Array, at = 0): boolean => {
  const first = frameAt(bytes, at);
  // a free bit rate, which nobody would find behind other bytes
  if (first?.bytes === 0) return at === 0;
  let place = at;
  for (let frames = 0; frames < SURE_FRAMES; frames++) {
    const frame = frameAt(bytes, place);
    if (!frame || frame.bytes === 0 || frame.kind !== first?.kind)
      return at === 0 && frames > 0 && place >= bytes.length;
    place += frame.bytes;
  }
  return true;
};

/** Whether the frames say no bit rate: libmpg123 decodes the first two of them, and drops the rest without a word. */
export const isFreeBitRate = (bytes: Uint8Array): boolean => frameAt(bytes, 0)?.bytes === 0;

/**
 * Decodes MPEG audio by libmpg123. Undefined for a file without a frame. A stream whose rate changes keeps the first
 * rate. The decoder may loop for ever over a broken file: the caller limits the time.
 */
export const readMp3 = async (bytes: Uint8Array): Promise<Sound | undefined> => {
  const decoder = new MpegDecoder();
  await decoder.ready;
  const decoded = decodedBy(decoder, bytes);
  const first = decoded.next();
  if (first.done) return undefined;
  const pieces = function* () {
    yield first.value.piece;
    for (const { piece } of decoded) yield piece;
  };
  return { rate: first.value.rate, pieces: pieces() };
};

function* decodedBy(
  decoder: MpegDecoder,
  bytes: Uint8Array,
): Generator<{ piece: Float32Array; rate: number }, undefined> {
  try {
    for (let at = 0; at < bytes.length; at += FED_BYTES) {
      const { channelData, samplesDecoded, sampleRate } = decoder.decode(bytes.subarray(at, at + FED_BYTES));
      const [left, right = left] = channelData;
      if (samplesDecoded > 0 && left && right)
        yield { piece: left.map((sample, index) => (sample + (right[index] ?? 0)) / 2), rate: sampleRate };
    }
  } finally {
    decoder.free();
  }
  return undefined;
}
