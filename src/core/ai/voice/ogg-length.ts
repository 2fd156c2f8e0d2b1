/** A page of Ogg: https://www.rfc-editor.org/rfc/rfc3533#section-6. Opus counts 48,000 samples a second. */
const PAGE = Buffer.from("OggS");
const HEADER_BYTES = 27;
const RATE = 48_000;
const UNKNOWN = 0xffff_ffff_ffff_ffffn;

/**
 * The seconds of an Ogg file, rounded up: those of all its streams together, so that a chain of them is not taken for
 * its last one. Undefined for another file, and for one without a position.
 */
export const oggSeconds = (bytes: Uint8Array): number | undefined => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (file.indexOf(PAGE) !== 0) return undefined;
  const ends = new Map<number, bigint>();
  for (let at = 0; at !== -1 && at + HEADER_BYTES <= file.length; at = file.indexOf(PAGE, at + PAGE.length)) {
    const [position, stream] = [file.readBigUInt64LE(at + 6), file.readUInt32LE(at + 14)];
    if (position !== UNKNOWN && position > (ends.get(stream) ?? 0n)) ends.set(stream, position);
  }
  const samples = [...ends.values()].reduce((sum, end) => sum + end, 0n);
  return samples === 0n ? undefined : Math.ceil(Number(samples) / RATE);
};
