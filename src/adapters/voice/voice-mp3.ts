// by its path: what the package exports needs a worker, which is not there in one binary
import MpegDecoder from "../../../node_modules/mpg123-decoder/src/MPEGDecoder.js";
import type { Sound } from "./voice-wav.ts";

const FED_BYTES = 16 * 1024;

/** Whether a file begins with a frame of MPEG audio, or with a tag before one (https://id3.org). */
export const isMp3 = (bytes: Uint8Array): boolean => {
  if (Buffer.from(bytes.subarray(0, 3)).toString("latin1") === "ID3") return true;
  const [first = 0, second = 0, third = 0] = bytes;
  const isLayer = ((second >> 1) & 3) !== 0 && ((second >> 3) & 3) !== 1;
  return first === 0xff && second >> 5 === 7 && isLayer && third >> 4 !== 15 && ((third >> 2) & 3) !== 3;
};

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
