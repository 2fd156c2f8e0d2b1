import { BEGINS, CAPTURE, CONTINUED, ENDS, type OggPage, pagesOf } from "../../kernel/ogg.ts";
import { MAX_PACKETS, TooLong } from "./voice-limits.ts";
import { type OpusStream, opusHeadOf } from "./voice-packets.ts";

/** The streams of a file that are played one after the other. `isIntact`: every program reads it as it is. */
export type OggOpus = { streams: OpusStream[]; isIntact: boolean };

export const isOgg = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(0, 4)).toString("latin1") === CAPTURE;

/** TABLE: the codecs in Ogg by how their first packet begins. */
const CODECS: readonly (readonly [beginning: string, name: string])[] = [
  ["\x01vorbis", "Vorbis"],
  ["Speex   ", "Speex"],
  ["\x7fFLAC", "FLAC"],
  ["\x80theora", "Theora"],
  ["OpusHead", "Opus of more than two channels"],
];

/**
 * Reads Opus, also of a file that was joined of several, and of one that is broken: what can be read is. Otherwise the
 * name of what is inside; undefined if it is unknown.
 */
export const readOgg = (bytes: Uint8Array): OggOpus | string | undefined => {
  const streams: Joining[] = [];
  let isIntact = true;
  let pages = 0;
  let name: string | undefined;
  for (const page of pagesOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))) {
    if (isBeginning(page, streams.at(-1))) {
      const first = page.pieces[0]?.piece ?? new Uint8Array();
      const head = opusHeadOf(first);
      name ??= nameOf(first);
      if (head) streams.push({ ...head, packets: [], endGranule: 0, serial: page.serial, isOver: false });
    }
    const isOurs = take(streams.at(-1), page);
    isIntact &&= isOurs && page.isIntact && page.sequence === pages++;
  }
  const [stream, another] = streams;
  if (stream) return { streams, isIntact: isIntact && !another && stream.isOver };
  return name === undefined ? undefined : `${name} in Ogg`;
};

/** Another stream of the same time has its beginning before the first sound of ours, and is left out. */
const isBeginning = ({ flags }: OggPage, stream: Joining | undefined): boolean =>
  (flags & BEGINS) !== 0 && (!stream || stream.isOver || stream.packets.length > 0);

const nameOf = (packet: Uint8Array): string | undefined => {
  const text = Buffer.from(packet.subarray(0, 8)).toString("latin1");
  return CODECS.find(([beginning]) => text.startsWith(beginning))?.[1];
};

/** A stream whose packets are put together. */
type Joining = OpusStream & { serial: number; isOver: boolean; unfinished?: Uint8Array[] | undefined };

/** Whether the page belongs to the stream. */
const take = (stream: Joining | undefined, page: OggPage): boolean => {
  if (!stream || stream.isOver || page.serial !== stream.serial) return false;
  // the end of its last packet was lost, or the beginning of the first one here
  if (!(page.flags & CONTINUED)) stream.unfinished = undefined;
  const isTail = (page.flags & CONTINUED) !== 0 && !stream.unfinished;
  for (const { piece, isWhole } of page.pieces.slice(isTail ? 1 : 0)) {
    const pieces = [...(stream.unfinished ?? []), piece];
    stream.unfinished = isWhole ? undefined : pieces;
    if (isWhole) takePacket(stream, pieces.length === 1 ? piece : Buffer.concat(pieces));
  }
  if (page.granule > stream.endGranule) stream.endGranule = page.granule;
  stream.isOver = (page.flags & ENDS) !== 0;
  return true;
};

/** Leaves out the two headers, wherever they are. @throws TooLong */
const takePacket = (stream: Joining, packet: Uint8Array): void => {
  const beginning = Buffer.from(packet.subarray(0, 8)).toString("latin1");
  if (beginning === "OpusHead" || beginning === "OpusTags" || packet.length === 0) return;
  if (stream.packets.length >= MAX_PACKETS) throw new TooLong();
  stream.packets.push(packet);
};
