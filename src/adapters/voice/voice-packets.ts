/** How Opus packs frames: https://www.rfc-editor.org/rfc/rfc6716#section-3 */

/** SILK in wideband, frames of 20 ms: the format that phones themselves record. */
const VOICE_CONFIG = 9;
export const FRAMES_PER_PACKET = 3;
const ANY_COUNT = 3;
const VARIABLE = 0x80;

/** The first byte of a packet: its configuration, whether it is stereo, and how its frames are packed. */
const tocOf = (packet: Uint8Array) => {
  const toc = packet[0] ?? 0;
  return { config: toc >> 3, isStereo: (toc & 4) !== 0, code: toc & 3 };
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
