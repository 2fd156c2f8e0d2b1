/** How Opus packs frames: https://www.rfc-editor.org/rfc/rfc6716#section-3 */

/** SILK in wideband, frames of 20 ms: the format that phones themselves record. */
const VOICE_CONFIG = 9;
export const FRAMES_PER_PACKET = 3;
const ANY_COUNT = 3;
const VARIABLE = 0x80;

/** Positions in a stream count samples of 48 kHz. */
export const GRANULE_RATE = 48_000;
/** 120 ms. */
export const MAX_PACKET_SAMPLES = 5760;

/**
 * The packets of one recording in mono or stereo. `preSkip`: the samples of 48 kHz before its beginning. `endGranule`:
 * the position of its end, where those count too; 0 if unknown.
 */
export type OpusStream = { channels: number; preSkip: number; packets: Uint8Array[]; endGranule: number };

/**
 * The header of a stream (https://www.rfc-editor.org/rfc/rfc7845#section-5.1); undefined for another codec, and for
 * more than two channels.
 */
export const opusHeadOf = (packet: Uint8Array): Pick<OpusStream, "channels" | "preSkip"> | undefined => {
  const head = Buffer.from(packet.buffer, packet.byteOffset, packet.length);
  if (head.length < 19 || head.toString("latin1", 0, 8) !== "OpusHead") return undefined;
  const [version = 0, channels = 0] = head.subarray(8, 10);
  const isPlain = version < 16 && head[18] === 0 && (channels === 1 || channels === 2);
  return isPlain ? { channels, preSkip: head.readUInt16LE(10) } : undefined;
};

/** The first byte of a packet: its configuration, whether it is stereo, and how its frames are packed. */
const tocOf = (packet: Uint8Array) => {
  const toc = packet[0] ?? 0;
  return { config: toc >> 3, isStereo: (toc & 4) !== 0, code: toc & 3 };
};

/** The samples of 48 kHz in a frame: SILK, hybrid, then CELT. */
const FRAME_SAMPLES: readonly number[] = [
  ...[0, 1, 2].flatMap(() => [480, 960, 1920, 2880]),
  ...[0, 1].flatMap(() => [480, 960]),
  ...[0, 1, 2, 3].flatMap(() => [120, 240, 480, 960]),
];

/** The samples of 48 kHz that a packet says to have. */
export const samplesIn = (packet: Uint8Array): number => {
  const { config, code } = tocOf(packet);
  const frames = [1, 2, 2, (packet[1] ?? 0) & 0x3f][code] ?? 0;
  return (FRAME_SAMPLES[config] ?? 0) * frames;
};

/**
 * Whether a phone of any make plays the packet: mono, and three frames of 20 ms in SILK wideband (W26 §7.7: iPhones
 * refuse single frames).
 */
export const isVoicePacket = (packet: Uint8Array): boolean => {
  const { config, isStereo, code } = tocOf(packet);
  return config === VOICE_CONFIG && !isStereo && code === ANY_COUNT && ((packet[1] ?? 0) & 0x3f) === FRAMES_PER_PACKET;
};

/**
 * One packet of three, each of which has one frame of the same kind.
 * @throws Error for packets that cannot be joined
 */
export const joined = (packets: readonly Uint8Array[]): Uint8Array => {
  const [first] = packets;
  const isAlike = packets.every((packet) => packet[0] === first?.[0] && tocOf(packet).code === 0);
  if (!first || packets.length !== FRAMES_PER_PACKET || !isAlike || tocOf(first).config !== VOICE_CONFIG)
    throw new Error("the packets cannot be joined");
  const frames = packets.map((packet) => packet.subarray(1));
  const lengths = frames.slice(0, -1).flatMap(({ length }) => lengthOf(length));
  return Buffer.concat([
    Uint8Array.of((first[0] ?? 0) | ANY_COUNT, VARIABLE | FRAMES_PER_PACKET, ...lengths),
    ...frames,
  ]);
};

const lengthOf = (length: number): number[] =>
  length < 252 ? [length] : [252 + (length & 3), (length - (252 + (length & 3))) >> 2];
