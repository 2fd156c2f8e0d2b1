/** Ogg with Opus: https://www.rfc-editor.org/rfc/rfc3533 and https://www.rfc-editor.org/rfc/rfc7845 */

/** Positions in such a file count samples of 48 kHz. */
export const GRANULE_RATE = 48_000;
const CAPTURE = "OggS";
const HEADER_BYTES = 27;
const SERIAL = 0x52_65_63_61;
const BEGINS = 2;
const ENDS = 4;
const CONTINUED = 1;
/** A second of sound in a page. */
const PACKETS_PER_PAGE = 16;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80_00_00_00 ? (crc << 1) ^ 0x04_c1_1d_b7 : crc << 1;
  return crc >>> 0;
});

/** The checksum of a page, in which the field of the checksum is 0. */
const pageChecksum = (page: Uint8Array): number => {
  let crc = 0;
  for (const byte of page) crc = ((crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return crc;
};

type Page = { flags: number; granule: number; sequence: number; packets: readonly Uint8Array[] };

const pageOf = ({ flags, granule, sequence, packets }: Page): Uint8Array => {
  const lacing = packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / 255) }, () => 255),
    length % 255,
  ]);
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(CAPTURE, "latin1");
  header[5] = flags;
  header.writeBigInt64LE(BigInt(granule), 6);
  header.writeUInt32LE(SERIAL, 14);
  header.writeUInt32LE(sequence, 18);
  header[26] = lacing.length;
  const page = Buffer.concat([header, Uint8Array.from(lacing), ...packets]);
  page.writeUInt32LE(pageChecksum(page), 22);
  return page;
};

/**
 * A file of Opus packets in mono. `packetSamples`: the samples of each packet, `preSkip` and `samples`: those before and
 * of the sound, all of 48 kHz.
 */
export const oggOf = (
  packets: readonly Uint8Array[],
  { packetSamples, preSkip, samples, inputRate }: Record<"packetSamples" | "preSkip" | "samples" | "inputRate", number>,
): Uint8Array => {
  const head = Buffer.alloc(19);
  head.write("OpusHead", "latin1");
  head[8] = 1;
  head[9] = 1;
  head.writeUInt16LE(preSkip, 10);
  head.writeUInt32LE(inputRate, 12);
  const vendor = "Recado";
  const tags = Buffer.alloc(8 + 4 + vendor.length + 4);
  tags.write("OpusTags", "latin1");
  tags.writeUInt32LE(vendor.length, 8);
  tags.write(vendor, 12, "latin1");
  const pages = [
    pageOf({ flags: BEGINS, granule: 0, sequence: 0, packets: [head] }),
    pageOf({ flags: 0, granule: 0, sequence: 1, packets: [tags] }),
  ];
  for (let at = 0; at < packets.length; at += PACKETS_PER_PAGE) {
    const isLast = at + PACKETS_PER_PAGE >= packets.length;
    pages.push(
      pageOf({
        flags: isLast ? ENDS : 0,
        // the end of the sound, not of the last packet, so that the filling is not played
        granule: isLast ? preSkip + samples : (at + PACKETS_PER_PAGE) * packetSamples,
        sequence: pages.length,
        packets: packets.slice(at, at + PACKETS_PER_PAGE),
      }),
    );
  }
  return Buffer.concat(pages);
};

/** The packets of an Ogg Opus file. `endGranule` is the last position that a page names. */
export type OggOpus = { channels: number; preSkip: number; packets: Uint8Array[]; endGranule: number };

export const isOgg = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(0, 4)).toString("latin1") === CAPTURE;

/**
 * Reads the first stream of a file. Undefined if it is not Opus, or is broken before its first sound; a file that
 * breaks off later has the part before.
 */
export const readOgg = (bytes: Uint8Array): OggOpus | undefined => {
  const { packets, endGranule } = packetsIn(bytes);
  const [head, , ...sound] = packets;
  const said = head && headIn(Buffer.from(head));
  return said && { ...said, packets: sound, endGranule };
};

const packetsIn = (bytes: Uint8Array): Pick<OggOpus, "packets" | "endGranule"> => {
  const packets: Uint8Array[] = [];
  let unfinished: Uint8Array[] = [];
  let endGranule = 0;
  let serial: number | undefined;
  for (const page of pagesOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))) {
    serial ??= page.serial;
    if (page.serial !== serial) continue;
    if (!(page.flags & CONTINUED)) unfinished = [];
    for (const { piece, isWhole } of page.pieces) {
      unfinished.push(piece);
      if (!isWhole) continue;
      packets.push(unfinished.length === 1 ? piece : Buffer.concat(unfinished));
      unfinished = [];
    }
    if (page.granule > 0) endGranule = page.granule;
    if (page.flags & ENDS) break;
  }
  return { packets, endGranule };
};

/** The header in the first packet; undefined for another codec, and for more than two channels. */
const headIn = (head: Buffer): Pick<OggOpus, "channels" | "preSkip"> | undefined => {
  if (head.length < 19 || head.toString("latin1", 0, 8) !== "OpusHead") return undefined;
  const [version = 0, channels = 0] = head.subarray(8, 10);
  const isPlain = version < 16 && head[18] === 0 && (channels === 1 || channels === 2);
  return isPlain ? { channels, preSkip: head.readUInt16LE(10) } : undefined;
};

type ReadPage = {
  flags: number;
  granule: number;
  serial: number;
  pieces: { piece: Uint8Array; isWhole: boolean }[];
};

function* pagesOf(bytes: Buffer): Generator<ReadPage> {
  let at = 0;
  while (at + HEADER_BYTES <= bytes.length && bytes.toString("latin1", at, at + 4) === CAPTURE) {
    const lacing = bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + (bytes[at + 26] ?? 0));
    let from = at + HEADER_BYTES + lacing.length;
    const pieces: ReadPage["pieces"] = [];
    let size = 0;
    for (const [index, length] of lacing.entries()) {
      size += length;
      if (length === 255 && index < lacing.length - 1) continue;
      if (from + size > bytes.length) return;
      pieces.push({ piece: bytes.subarray(from, from + size), isWhole: length < 255 });
      from += size;
      size = 0;
    }
    yield {
      flags: bytes[at + 5] ?? 0,
      granule: Number(bytes.readBigInt64LE(at + 6)),
      serial: bytes.readUInt32LE(at + 14),
      pieces,
    };
    at = from;
  }
}
