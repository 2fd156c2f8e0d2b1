import type { Unheard } from "../../contract/ports/voice.ts";
import { OPUS_RATE } from "./voice-opus.ts";
import { decodeHere } from "./voice-samples.ts";

const HEADER_BYTES = 44;
const SAMPLE_BYTES = 2;

/** Makes WAV of 16 kHz, mono, 16 bits in this process, without limits of time. Never throws. */
export const makeWavHere = async (
  bytes: Uint8Array,
): Promise<{ ok: true; seconds: number; wav: Uint8Array<ArrayBuffer> } | Unheard> => {
  const decoded = await decodeHere(bytes);
  if (!decoded.ok) return decoded;
  const { samples } = decoded;
  return { ok: true, seconds: Math.ceil(samples.length / OPUS_RATE), wav: wavOf(samples) };
};

const wavOf = (samples: Int16Array): Uint8Array<ArrayBuffer> => {
  const file = Buffer.alloc(HEADER_BYTES + samples.length * SAMPLE_BYTES);
  file.write("RIFF", 0, "latin1");
  file.writeUInt32LE(file.length - 8, 4);
  file.write("WAVEfmt ", 8, "latin1");
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(OPUS_RATE, 24);
  file.writeUInt32LE(OPUS_RATE * SAMPLE_BYTES, 28);
  file.writeUInt16LE(SAMPLE_BYTES, 32);
  file.writeUInt16LE(SAMPLE_BYTES * 8, 34);
  file.write("data", 36, "latin1");
  file.writeUInt32LE(file.length - HEADER_BYTES, 40);
  for (const [at, sample] of samples.entries()) file.writeInt16LE(sample, HEADER_BYTES + at * SAMPLE_BYTES);
  return file;
};
