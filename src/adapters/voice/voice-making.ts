import type { VoiceFailure } from "../../contract/ports/voice.ts";
import { isMp3, readMp3 } from "./voice-mp3.ts";
import { GRANULE_RATE, isOgg, type OggOpus, oggOf, readOgg } from "./voice-ogg.ts";
import { FRAME_SAMPLES, LOOKAHEAD_SAMPLES, OPUS_RATE, type Opus, openOpus } from "./voice-opus.ts";
import { FRAMES_PER_PACKET, isVoicePacket, joined } from "./voice-packets.ts";
import { createResampler } from "./voice-resampling.ts";
import { isWav, readWav, type Sound } from "./voice-wav.ts";

/** `ogg` is null if the file is already right. `waveform` and `ogg` are in base64. */
export type VoiceHere =
  | { ok: true; seconds: number; waveform: string; ogg: string | null }
  | { ok: false; reason: VoiceFailure };

const MAX_SECONDS = 15 * 60;
const MAX_SAMPLES = MAX_SECONDS * OPUS_RATE;
const WAVEFORM_BINS = 64;
const WAVEFORM_TOP = 100;
const GRANULES = GRANULE_RATE / OPUS_RATE;

class TooLong extends Error {
  override name = "TooLong";
}

/** Makes a voice note in this process, without limits of time. Never throws. */
export const makeVoiceHere = async (bytes: Uint8Array): Promise<VoiceHere> => {
  try {
    const opus = await openOpus();
    const ogg = isOgg(bytes) ? readOgg(bytes) : undefined;
    const samples = ogg ? samplesOf(opus, ogg) : await samplesIn(bytes);
    if (!samples) return { ok: false, reason: "UNSUPPORTED_TYPE" };
    if (samples.length === 0) return { ok: false, reason: "EMPTY" };
    return {
      ok: true,
      seconds: Math.ceil(samples.length / OPUS_RATE),
      waveform: Buffer.from(waveformOf(samples)).toString("base64"),
      ogg: ogg && isRight(ogg) ? null : Buffer.from(encoded(opus, samples)).toString("base64"),
    };
  } catch (thrown) {
    return { ok: false, reason: thrown instanceof TooLong ? "TOO_LONG" : "UNREADABLE" };
  }
};

/** The last packet of a recording may have fewer frames. */
const isRight = ({ channels, packets }: OggOpus): boolean =>
  channels === 1 && packets.length > 0 && packets.every((one, at) => isVoicePacket(one) || at === packets.length - 1);

/** The sound of an Ogg file, without the samples before its beginning and after its end. */
const samplesOf = (opus: Opus, { preSkip, packets, endGranule }: OggOpus): Int16Array => {
  const collected = collector();
  for (const packet of packets) if (packet.length > 0) collected.add(opus.decode(packet));
  const first = Math.round(preSkip / GRANULES);
  const all = collected.all();
  return all.subarray(
    first,
    endGranule > preSkip ? Math.min(all.length, Math.round(endGranule / GRANULES)) : all.length,
  );
};

const samplesIn = async (bytes: Uint8Array): Promise<Int16Array | undefined> => {
  const sound = await soundIn(bytes);
  if (!sound) return undefined;
  const resampler = createResampler(sound.rate, OPUS_RATE);
  const collected = collector();
  for await (const piece of sound.pieces) collected.add(whole(resampler.push(piece)));
  collected.add(whole(resampler.end()));
  return collected.all();
};

const soundIn = async (bytes: Uint8Array): Promise<Sound | undefined> => {
  if (isWav(bytes)) return readWav(bytes);
  return isMp3(bytes) ? readMp3(bytes) : undefined;
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

/** The mean loudness of 64 equal parts, where the loudest part is 100. */
const waveformOf = (samples: Int16Array): Uint8Array => {
  const means = Array.from({ length: WAVEFORM_BINS }, (_, bin) => {
    const part = samples.subarray(
      Math.floor((bin * samples.length) / WAVEFORM_BINS),
      Math.floor(((bin + 1) * samples.length) / WAVEFORM_BINS),
    );
    return part.length === 0 ? 0 : part.reduce((sum, sample) => sum + Math.abs(sample), 0) / part.length;
  });
  const loudest = Math.max(...means);
  return Uint8Array.from(means, (mean) => (loudest === 0 ? 0 : Math.round((mean / loudest) * WAVEFORM_TOP)));
};

const encoded = (opus: Opus, samples: Int16Array): Uint8Array => {
  const packetSamples = FRAME_SAMPLES * FRAMES_PER_PACKET;
  const count = Math.ceil((samples.length + LOOKAHEAD_SAMPLES) / packetSamples);
  const padded = new Int16Array(count * packetSamples);
  padded.set(samples);
  const packets = Array.from({ length: count }, (_, at) =>
    joined(
      Array.from({ length: FRAMES_PER_PACKET }, (_unused, frame) => {
        const from = at * packetSamples + frame * FRAME_SAMPLES;
        return opus.encode(padded.subarray(from, from + FRAME_SAMPLES));
      }),
    ),
  );
  return oggOf(packets, {
    packetSamples: packetSamples * GRANULES,
    preSkip: LOOKAHEAD_SAMPLES * GRANULES,
    samples: samples.length * GRANULES,
    inputRate: OPUS_RATE,
  });
};
