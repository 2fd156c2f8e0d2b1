/** Byte order marks, with the charset of each. https://encoding.spec.whatwg.org/#bom-sniff */
const MARKS: readonly (readonly [string, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

const markedCharset = (bytes: Uint8Array): string | undefined =>
  MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];

/** The charset that a media type names. */
export const charsetOf = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1];

const META_WITHIN_BYTES = 4096;
/** The charset that a page names for itself. */
export const metaCharsetOf = (bytes: Uint8Array): string | undefined =>
  /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(
    Buffer.from(bytes.subarray(0, META_WITHIN_BYTES)).toString("latin1"),
  )?.[1];

const decoderOf = (charset: string | undefined, fatal: boolean): TextDecoder | undefined => {
  try {
    return charset === undefined ? undefined : new TextDecoder(charset as Bun.Encoding, { fatal });
  } catch {
    return undefined; // an unknown charset
  }
};

const asUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/**
 * Decodes a text: by its byte order mark, else by the declared charset, else as UTF-8 if it is valid, else as
 * windows-1252.
 */
export const decoded = (bytes: Uint8Array, declared: string | undefined): string =>
  decoderOf(markedCharset(bytes) ?? declared, false)?.decode(bytes) ??
  asUtf8(bytes) ??
  new TextDecoder("windows-1252").decode(bytes);
