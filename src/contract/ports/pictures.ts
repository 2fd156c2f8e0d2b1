/**
 * A picture as language models take it: a JPEG of at most 1024 pixels a side, upright. Undefined for a file that is no
 * JPEG, PNG, WebP or GIF, that is broken, or that has more than 40 million pixels. Never throws.
 */
export type ShrinkPicture = (bytes: Uint8Array) => Promise<Uint8Array | undefined>;

/**
 * Why a file cannot become a sticker or a thumbnail. `BROKEN`: this machine could not do it now; a later try may
 * succeed.
 */
export type Unpictured = { ok: false; reason: "UNREADABLE" | "TOO_LARGE" | "BROKEN" };

/** A sticker: a WebP of 512 by 512 pixels and at most 1 MiB. */
export type MadeSticker = { ok: true; webp: Uint8Array; isAnimated: boolean } | Unpictured;

/**
 * Makes a sticker of a PNG, JPEG, WebP or GIF, whole and upright, on a transparent ground. A picture that moves goes on
 * moving, for ten seconds at most. A picture that needs too much time or memory is unreadable. Never throws.
 */
export type MakeSticker = (bytes: Uint8Array) => Promise<MadeSticker>;

/** A small JPEG of a picture. */
export type MadeThumbnail = { ok: true; jpeg: Uint8Array; width: number; height: number } | Unpictured;

/**
 * Makes a small JPEG of at most 320 pixels a side and 48 KiB, upright, of a PNG, JPEG, WebP or GIF. Never throws.
 */
export type MakeThumbnail = (bytes: Uint8Array) => Promise<MadeThumbnail>;

type Size = { width: number; height: number };

/** A picture in standard quality, with its size and that of the picture that it was made of, both upright. */
export type MadeStandard = { ok: true; jpeg: Uint8Array; size: Size; of: Size } | Unpictured;

/**
 * Makes a JPEG of at most 1600 pixels a side, upright, of a PNG, JPEG, WebP or GIF: what apps send of a photo that is not
 * in HD. Never throws.
 */
export type MakeStandard = (bytes: Uint8Array) => Promise<MadeStandard>;
