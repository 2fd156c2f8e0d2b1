import type { EncodedPacket, InputAudioTrack } from "mediabunny";
import { amrOf } from "./voice-amr.ts";
import { MAX_PACKETS, TooLong } from "./voice-limits.ts";
import { GRANULE_RATE, MAX_PACKET_SAMPLES, type OpusStream, opusHeadOf, samplesIn } from "./voice-packets.ts";
import { readWebm } from "./voice-webm.ts";

/** What a container has: Opus, a file of another format in pieces, or a codec that is not read, by its name. */
export type Contained = { opus: OpusStream } | { file: Uint8Array } | { name: string };

/** The boxes with which files of MP4 and QuickTime begin. */
const BOXES = /^(ftyp|moov|mdat|wide|free|skip|styp|moof|pnot)$/;

/** Whether MP4, M4A, 3GP or QuickTime begins here. */
export const isMp4 = (bytes: Uint8Array): boolean =>
  BOXES.test(Buffer.from(bytes.subarray(4, 8)).toString("latin1")) && (bytes[0] ?? 0) === 0;

/** TABLE: the codecs of containers that are not read, by the names that mediabunny or the container has for them. */
const CODECS: readonly (readonly [is: RegExp, name: string])[] = [
  [/^(aac|mp4a|A_AAC)/, "AAC"],
  [/^(A_)?vorbis/i, "Vorbis"],
  [/^(A_)?flac/i, "FLAC"],
  [/^(A_)?alac/i, "Apple Lossless"],
  [/^(A_)?e?-?ac-?3/i, "Dolby Digital"],
  [/^(A_PCM|pcm|ulaw|alaw)/, "PCM"],
  [/^(A_)?opus/i, "Opus of more than two channels"],
  [/^agsm/, "GSM 6.10"],
  [/^(evrc|sevc)/, "EVRC"],
  [/^(sqcp|Qclp)/, "QCELP"],
];

/** A codec that the table does not have is called as the file calls it. */
const named = (codec: string, where: string): { name: string } => {
  const written = codec.replaceAll(/[^\w./-]/g, "").slice(0, 32);
  return { name: `${CODECS.find(([is]) => is.test(codec))?.[1] ?? (written || "an unknown codec")} in ${where}` };
};

/** Reads the first sound of WebM or Matroska. Undefined if the file has none. @throws TooLong */
export const readWebmFile = (bytes: Uint8Array): Contained | undefined => {
  const { codec, packets, opus } = readWebm(bytes) ?? {};
  if (opus) return { opus };
  if (codec === "A_MPEG/L3" && packets) return { file: Buffer.concat(packets) };
  return codec === undefined ? undefined : named(codec, "WebM");
};

/** Reads the first sound of MP4, M4A, 3GP or QuickTime. Undefined if the file has none. @throws TooLong */
export const readMp4File = async (bytes: Uint8Array): Promise<Contained | undefined> => {
  const { BufferSource, EncodedPacketSink, Input, Logging, LogLevel, MP4, QTFF } = await import("mediabunny");
  Logging.level = LogLevel.Silent;
  using input = new Input({ formats: [MP4, QTFF], source: new BufferSource(bytes) });
  const track = await input.getPrimaryAudioTrack();
  if (!track) return undefined;
  const packets = await gathered(new EncodedPacketSink(track).packets());
  const data = packets.map((packet) => packet.data);
  const inside = String(track.internalCodecId ?? "");
  const opus = track.codec === "opus" ? await opusOf(track, packets) : undefined;
  if (opus) return { opus };
  if (track.codec === "mp3") return { file: Buffer.concat(data) };
  if (inside === "samr" || inside === "sawb") return { file: amrOf(data, inside === "sawb") };
  return named(track.codec ?? inside, "MP4");
};

const gathered = async (packets: AsyncIterable<EncodedPacket>): Promise<EncodedPacket[]> => {
  const all: EncodedPacket[] = [];
  for await (const packet of packets) {
    if (all.length >= MAX_PACKETS) throw new TooLong();
    all.push(packet);
  }
  return all;
};

/** Undefined for more than two channels. */
const opusOf = async (track: InputAudioTrack, all: readonly EncodedPacket[]): Promise<OpusStream | undefined> => {
  // its types are those of browsers, which are not here
  const config = (await track.getDecoderConfig()) as { description?: unknown } | null;
  const said = config?.description;
  const head = said instanceof Uint8Array ? opusHeadOf(said) : { channels: track.numberOfChannels, preSkip: 0 };
  if (!head || head.channels > 2) return undefined;
  const packets = all.map(({ data }) => data);
  return { ...head, packets, endGranule: endOf(head.preSkip, packets, all.at(-1)) };
};

/**
 * What fills the last packet up is not played, if its duration is known. Times that say more than this are not believed.
 */
const endOf = (preSkip: number, packets: readonly Uint8Array[], last: EncodedPacket | undefined): number => {
  if (!last || last.duration === 0) return 0;
  const end = preSkip + Math.round((last.timestamp + last.duration) * GRANULE_RATE);
  const filled = packets.reduce((sum, packet) => sum + samplesIn(packet), 0) - end;
  return filled > 0 && filled < MAX_PACKET_SAMPLES ? end : 0;
};
