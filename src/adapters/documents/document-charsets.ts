import { encodingOf } from "../../kernel/texts/charsets.ts";

/** The charset that a media type names. */
export const charsetOf = (contentType: string): string | undefined =>
  /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1];

const META_WITHIN_BYTES = 4096;
/**
 * The charset that a page names for itself. A page whose bytes show the name has no UTF-16: it is UTF-8 then, as
 * https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding says.
 */
export const metaCharsetOf = (bytes: Uint8Array): string | undefined => {
  const head = Buffer.from(bytes.subarray(0, META_WITHIN_BYTES)).toString("latin1");
  const label = /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(head)?.[1];
  return label !== undefined && encodingOf(label)?.startsWith("utf-16") ? "utf-8" : label;
};
