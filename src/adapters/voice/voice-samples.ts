import type { Unheard } from "../../contract/ports/voice.ts";
import { MAX_SECONDS, TooLong } from "./voice-limits.ts";
import { OPUS_RATE, type Opus, openOpus } from "./voice-opus.ts";
import { GRANULE_RATE, type OpusStream } from "./voice-packets.ts";
import { readSound } from "./voice-reading.ts";
import { createResampler } from "./voice-resampling.ts";
import type { Sound } from "./voice-wav.ts";

/** The sound of a file in 16 kHz mono. `streams` are its packets if it is Opus. */
export type Decoded = { ok: true; samples: Int16Array; streams: readonly OpusStream[]; isIntactOgg: boolean };

const MAX_SAMPLES = MAX_SECONDS * OPUS_RATE;
const GRANULES = GRANULE_RATE / OPUS_RATE;

/** Decodes a file of any known format in this process, without limits of time. Never throws. */
export const decodeHere = async (bytes: Uint8Array): Promise<Decoded | Unheard> => {
  try {
    const heard = await readSound(bytes);
    if (!("opus" in heard) && !("sound" in heard))
      return { ok: false, reason: "UNSUPPORTED_TYPE", ...(heard.name === undefined ? {} : { found: heard.name }) };
    const isOpus = "opus" in heard;
    const samples = isOpus ? samplesOf(await openOpus(), heard.opus) : await resampled(heard.sound);
    if (samples.length === 0) return { ok: false, reason: "EMPTY" };
    return { ok: true, samples, streams: isOpus ? heard.opus : [], isIntactOgg: isOpus && heard.isIntactOgg };
  } catch (thrown) {
    return { ok: false, reason: thrown instanceof TooLong ? "TOO_LONG" : "UNREADABLE" };
  }
};

/** The sound of streams, one after the other, each without the samples before its beginning and after its end. */
const samplesOf = (opus: Opus, streams: readonly OpusStream[]): Int16Array => {
  const collected = collector();
  for (const { preSkip, packets, endGranule } of streams) {
    const all = joinedOf(opus, packets);
    const first = Math.round(preSkip / GRANULES);
    const end = endGranule > preSkip ? Math.min(all.length, Math.round(endGranule / GRANULES)) : all.length;
    collected.add(all.subarray(first, end));
  }
  return collected.all();
};

/**
 * A packet that is damaged is silence, as long as the packet before: what follows it can be heard.
 * @throws Error if most packets are damaged
 */
const joinedOf = (opus: Opus, packets: readonly Uint8Array[]): Int16Array => {
  const collected = collector();
  let [length, broken] = [0, 0];
  for (const packet of packets) {
    const samples = opus.decode(packet);
    if (samples) length = samples.length;
    else broken++;
    collected.add(samples ?? new Int16Array(length));
  }
  if (broken * 2 > packets.length) throw new Error("most packets are damaged");
  return collected.all();
};

const resampled = async (sound: Sound): Promise<Int16Array> => {
  const resampler = createResampler(sound.rate, OPUS_RATE);
  const collected = collector();
  for await (const piece of sound.pieces) collected.add(whole(resampler.push(piece)));
  collected.add(whole(resampler.end()));
  return collected.all();
};

/** Samples from -1 to 1 as whole numbers of 16 bits. */
const whole = (samples: Float32Array): Int16Array => {
  const rounded = new Int16Array(samples.length);
  for (const [at, sample] of samples.entries())
    rounded[at] = Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)));
  return rounded;
};

const collector = () => {
  const pieces: Int16Array[] = [];
  let length = 0;
  return {
    /** @throws TooLong */
    add(piece: Int16Array): void {
      length += piece.length;
      // an Ogg file has samples before its beginning
      if (length > MAX_SAMPLES + OPUS_RATE) throw new TooLong();
      pieces.push(piece);
    },
    all(): Int16Array {
      const samples = new Int16Array(length);
      let at = 0;
      for (const piece of pieces) {
        samples.set(piece, at);
        at += piece.length;
      }
      return samples;
    },
  };
};
