/** The longest sound that is read. */
export const MAX_SECONDS = 15 * 60;

/** Packets of Opus have 2.5 ms at least. */
export const MAX_PACKETS = MAX_SECONDS * 400;

export class TooLong extends Error {
  override name = "TooLong";
}
