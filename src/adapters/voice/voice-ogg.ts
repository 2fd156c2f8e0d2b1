import { BEGINS, CAPTURE, ENDS, HEADER_BYTES, pageChecksum } from "../../kernel/ogg.ts";

/** Writes Ogg with Opus: https://www.rfc-editor.org/rfc/rfc3533 and https://www.rfc-editor.org/rfc/rfc7845 */

const SERIAL = 0x52_65_63_61;
/** A second of sound in a page. */
const PACKETS_PER_PAGE = 16;

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
