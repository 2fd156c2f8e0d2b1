import type { Unheard } from "../../contract/ports/voice.ts";
import { oggOf } from "./voice-ogg.ts";
import { FRAME_SAMPLES, LOOKAHEAD_SAMPLES, OPUS_RATE, type Opus, openOpus } from "./voice-opus.ts";
import { FRAMES_PER_PACKET, GRANULE_RATE, isVoicePacket, joined, type OpusStream, samplesIn } from "./voice-packets.ts";
import { decodeHere } from "./voice-samples.ts";

/** `ogg` is null if the file is already right. `waveform` and `ogg` are in base64. */
export type VoiceHere = { ok: true; seconds: number; waveform: string; ogg: string | null } | Unheard;

const WAVEFORM_BINS = 64;
const WAVEFORM_TOP = 100;
const GRANULES = GRANULE_RATE / OPUS_RATE;

/** Makes a voice note in this process, without limits of time. Never throws. */
export const makeVoiceHere = async (bytes: Uint8Array): Promise<VoiceHere> => {
  const decoded = await decodeHere(bytes);
  if (!decoded.ok) return decoded;
  const { samples, streams, isIntactOgg } = decoded;
  const [stream] = streams;
  const isReady = stream !== undefined && streams.length === 1 && isRight(stream);
  const ogg = isReady ? remuxed(stream) : encoded(await openOpus(), samples);
  return {
    ok: true,
    seconds: Math.ceil(samples.length / OPUS_RATE),
    waveform: Buffer.from(waveformOf(samples)).toString("base64"),
    ogg: isReady && isIntactOgg ? null : Buffer.from(ogg).toString("base64"),
  };
};

/** The last packet of a recording may have fewer frames. */
const isRight = ({ channels, packets }: OpusStream): boolean =>
  channels === 1 && packets.length > 0 && packets.every((one, at) => isVoicePacket(one) || at === packets.length - 1);

/** The same packets in a file that every phone plays. */
const remuxed = ({ packets, preSkip, endGranule }: OpusStream): Uint8Array => {
  const all = packets.reduce((sum, packet) => sum + samplesIn(packet), 0);
  const end = endGranule > preSkip ? Math.min(all, endGranule) : all;
  const packetSamples = FRAMES_PER_PACKET * FRAME_SAMPLES * GRANULES;
  return oggOf(packets, { packetSamples, preSkip, samples: end - preSkip, inputRate: OPUS_RATE });
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
