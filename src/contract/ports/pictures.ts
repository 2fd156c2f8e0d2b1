/**
 * A picture as language models take it: a JPEG of at most 1024 pixels a side, upright. Undefined for a file that is no
 * JPEG, PNG, WebP or GIF, that is broken, or that has more than 40 million pixels. Never throws.
 */
export type ShrinkPicture = (bytes: Uint8Array) => Promise<Uint8Array | undefined>;
