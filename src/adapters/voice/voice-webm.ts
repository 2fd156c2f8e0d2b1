import { MAX_PACKETS, TooLong } from "./voice-limits.ts";
import { MAX_PACKET_SAMPLES, type OpusStream, opusHeadOf, samplesIn } from "./voice-packets.ts";

/** The first sound of WebM or Matroska (https://www.rfc-editor.org/rfc/rfc9559): the name of its codec, and its packets. */
export type WebmSound = { codec: string; packets: Uint8Array[]; opus?: OpusStream | undefined };

const EBML = Buffer.from("1a45dfa3", "hex");
const CLUSTER = Buffer.from("1f43b675", "hex");
/** Elements of others: what is inside them is read as if it stood beside them, so that no size of theirs is believed. */
const MASTERS: ReadonlySet<number> = new Set([0x18_53_80_67, 0x16_54_ae_6b, 0xae, 0xe1, 0x1f_43_b6_75, 0xa0]);
const [TRACK, NUMBER, TYPE, CODEC, PRIVATE, CHANNELS] = [0xae, 0xd7, 0x83, 0x86, 0x63_a2, 0x9f];
const [SIMPLE_BLOCK, BLOCK, PADDING, ENCODINGS] = [0xa3, 0xa1, 0x75_a2, 0x6d_80];
const NOTHING = Buffer.alloc(0);
const SOUND = 2;
const LONGEST_ID = 4;
const LONGEST_SIZE = 8;
const PER_NANOSECOND = 48_000 / 1e9;

/** Whether WebM or Matroska begins here. */
export const isWebm = (bytes: Uint8Array): boolean => EBML.equals(bytes.subarray(0, EBML.length));

type Track = { number: number; type: number; codec: string; head: Buffer; channels: number; isCoded: boolean };

/** Reads what can be read of a file, also of one that breaks off. Undefined without sound. @throws TooLong */
export const readWebm = (bytes: Uint8Array): WebmSound | undefined => {
  const packets: Uint8Array[] = [];
  let padding = 0;
  let track: Track | undefined;
  let firstSound: Track | undefined;
  let sound: Track | undefined;
  for (const { id, data } of elementsOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))) {
    if (id === TRACK) track = { number: 0, type: 0, codec: "", head: NOTHING, channels: 1, isCoded: false };
    else if (id === SIMPLE_BLOCK || id === BLOCK) {
      sound ??= firstSound;
      const found = sound ? packetsOf(data, sound.number) : [];
      if (packets.length + found.length > MAX_PACKETS) throw new TooLong();
      packets.push(...found);
      padding = 0;
    } else if (id === PADDING) padding = numberIn(data);
    else if (track) describe(track, id, data);
    // a hostile file has a track and a block in each few bytes: no list of its tracks is searched for each block
    if (track?.type === SOUND) firstSound ??= track;
  }
  if (!sound) return undefined;
  // encrypted, or packed in a way that no browser writes
  if (sound.isCoded) return { codec: "an encrypted or packed codec", packets: [] };
  return { codec: sound.codec, packets, opus: opusOf(sound, packets, padding) };
};

const describe = (track: Track, id: number, data: Buffer): void => {
  if (id === NUMBER) track.number = numberIn(data);
  if (id === TYPE) track.type = numberIn(data);
  if (id === CODEC) track.codec = data.toString("latin1", 0, 64).replace(/\0.*/s, "");
  if (id === PRIVATE) track.head = data;
  if (id === CHANNELS) track.channels = numberIn(data);
  if (id === ENCODINGS) track.isCoded = true;
};

/** Undefined for another codec, and for more than two channels. `padding` is in nanoseconds, of the last block. */
const opusOf = ({ codec, head, channels }: Track, packets: Uint8Array[], padding: number): OpusStream | undefined => {
  const said = head.length > 0 ? opusHeadOf(head) : { channels, preSkip: 0 };
  if (codec !== "A_OPUS" || !said || said.channels > 2) return undefined;
  const filled = Math.round(padding * PER_NANOSECOND);
  const isKnown = filled > 0 && filled < MAX_PACKET_SAMPLES;
  const all = packets.reduce((sum, packet) => sum + samplesIn(packet), 0);
  return { ...said, packets, endGranule: isKnown ? all - filled : 0 };
};

type Element = { id: number; data: Buffer };

/** The elements in the order of the file. Behind bytes that are none, it goes on with the next cluster. */
function* elementsOf(bytes: Buffer): Generator<Element> {
  for (let at = 0; at !== -1 && at < bytes.length; ) {
    const id = integerAt(bytes, at, LONGEST_ID);
    const size = id && integerAt(bytes, at + id.bytes, LONGEST_SIZE);
    if (!id || !size) {
      at = bytes.indexOf(CLUSTER, at + 1);
      continue;
    }
    const from = at + id.bytes + size.bytes;
    const isMaster = MASTERS.has(id.marked);
    const isWhole = from + size.value <= bytes.length;
    yield { id: id.marked, data: isMaster ? bytes.subarray(from, from) : bytes.subarray(from, from + size.value) };
    at = isMaster ? from : isWhole ? from + size.value : bytes.indexOf(CLUSTER, from);
  }
}

/** A number whose first byte says how many follow: with that mark, and without; undefined if it breaks off. */
const integerAt = (bytes: Buffer, at: number, longest: number) => {
  const length = Math.clz32(bytes[at] ?? 0) - 23;
  if (length > longest || at + length > bytes.length) return undefined;
  // with its mark, a size of eight bytes would not be exact
  let value = (bytes[at] ?? 0) & (0xff >> length);
  for (let place = at + 1; place < at + length; place++) value = value * 256 + (bytes[place] ?? 0);
  return { bytes: length, marked: value + 2 ** (7 * length), value };
};

const numberIn = (data: Uint8Array): number =>
  data.subarray(0, LONGEST_SIZE).reduce((sum, byte) => sum * 256 + byte, 0);

/** The packets of a block, if it is one of the track: alone, or several with their sizes. */
const packetsOf = (block: Buffer, track: number): Uint8Array[] => {
  const number = integerAt(block, 0, LONGEST_SIZE);
  if (!number || number.value !== track || block.length < number.bytes + 3) return [];
  const lacing = ((block[number.bytes + 2] ?? 0) >> 1) & 3;
  const body = block.subarray(number.bytes + 3);
  if (lacing === 0) return body.length > 0 ? [body] : [];
  const count = (body[0] ?? 0) + 1;
  const { sizes, at } = LACINGS[lacing]?.(body, count) ?? { sizes: [], at: body.length };
  let from = at;
  return [...sizes, body.length].map((size) => body.subarray(from, (from += size))).filter(({ length }) => length > 0);
};

type Laced = { sizes: number[]; at: number };

/** TABLE: how the sizes of the packets in a block are written: all but the last one, and where the packets begin. */
const LACINGS: Readonly<Record<number, (body: Buffer, count: number) => Laced>> = {
  1(body, count) {
    const sizes: number[] = [];
    let at = 1;
    while (sizes.length < count - 1 && at < body.length) {
      let size = 0;
      while (body[at] === 255) size += body[at++] ?? 0;
      sizes.push(size + (body[at++] ?? 0));
    }
    return { sizes, at };
  },
  2: (body, count) => ({
    sizes: Array.from({ length: count - 1 }, () => Math.floor((body.length - 1) / count)),
    at: 1,
  }),
  3(body, count) {
    const sizes: number[] = [];
    let at = 1;
    for (let last = 0; sizes.length < count - 1; ) {
      const part = integerAt(body, at, LONGEST_SIZE);
      if (!part) return { sizes: [], at: body.length };
      at += part.bytes;
      // the first is a size, and each other one a difference from the one before
      last += sizes.length === 0 ? part.value : part.value - (2 ** (7 * part.bytes - 1) - 1);
      sizes.push(Math.max(0, last));
    }
    return { sizes, at };
  },
};
