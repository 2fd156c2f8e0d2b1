import { pageBeginnings } from "../../../kernel/ogg.ts";

/** Opus counts 48,000 samples a second. */
const RATE = 48_000;
const UNKNOWN = 0xffff_ffff_ffff_ffffn;
/** Files beyond these are made to be slow: a recording has one stream, and 50 pages a second at most. */
const MAX_STREAMS = 64;
const MAX_PAGES = 65_536;

/**
 * The seconds of an Ogg file, rounded up: those of all its streams together, so that a chain of them is not taken for
 * its last one. Pages within pages count too, as no table of a page may hide others. Undefined for another file, for one
 * without a position, and for one of too many streams or pages.
 */
export const oggSeconds = (bytes: Uint8Array): number | undefined => {
  const ends = new Map<number, bigint>();
  let pages = 0;
  for (const { at, granule, serial } of pageBeginnings(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))) {
    if (pages === 0 && at !== 0) return undefined;
    const position = BigInt.asUintN(64, granule);
    if (position !== UNKNOWN && position > (ends.get(serial) ?? 0n)) ends.set(serial, position);
    if (++pages > MAX_PAGES || ends.size > MAX_STREAMS) return undefined;
  }
  const samples = [...ends.values()].reduce((sum, end) => sum + end, 0n);
  return samples === 0n ? undefined : Math.ceil(Number(samples) / RATE);
};
