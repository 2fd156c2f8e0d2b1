/** The charset that a media type names. */
export const charsetOf = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1];

const META_WITHIN_BYTES = 4096;
/** The charset that a page names for itself. */
export const metaCharsetOf = (bytes: Uint8Array): string | undefined =>
  /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(
    Buffer.from(bytes.subarray(0, META_WITHIN_BYTES)).toString("latin1"),
  )?.[1];
