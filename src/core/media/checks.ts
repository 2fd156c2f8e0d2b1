import type { InboundContent } from "../../contract/content/inbound-content.ts";
import { isTextType, playedAs } from "../../kernel/texts/file-types.ts";
import { essenceOf, familyOf, isMediaType, isPlayable, UNKNOWN_TYPE } from "../../kernel/texts/media-types.ts";

const MIB = 1024 * 1024;
const LARGEST_BYTES = 100 * MIB;

/** TABLE: the largest file of an inbound message, by type: the highest limit among all networks. */
const INBOUND_MAX_BYTES: Partial<Record<InboundContent["type"], number>> = {
  image: 8 * MIB,
  sticker: 8 * MIB,
  audio: 25 * MIB,
  video: 25 * MIB,
};
export const inboundMaxBytes = (kind: InboundContent["type"]): number => INBOUND_MAX_BYTES[kind] ?? LARGEST_BYTES;

/** TABLE: the largest file of an upload, by the first half of its media type. */
const UPLOAD_MAX_BYTES: Readonly<Record<string, number>> = { image: 5 * MIB, audio: 16 * MIB, video: 16 * MIB };
export const uploadMaxBytes = (mimeType: string): number => UPLOAD_MAX_BYTES[familyOf(mimeType)] ?? LARGEST_BYTES;
/** The largest resumable upload of any type. */
export const RESUMABLE_MAX_BYTES = LARGEST_BYTES;

/** Types that a browser would run or unpack rather than show. */
const ACTIVE = [
  /^text\/(html|xml|xsl|javascript|ecmascript|x-component|css)$/,
  /^application\/(xml|javascript|ecmascript|x-javascript|x-shockwave-flash)$/,
  /^(.+\+xml|multipart\/.+)$/,
];
const isActive = (essence: string): boolean => ACTIVE.some((form) => form.test(essence));
const harmless = (mimeType: string): string =>
  isMediaType(mimeType) && !isActive(essenceOf(mimeType)) ? mimeType : UNKNOWN_TYPE;

/** `found`: by all signs. `shown`: by the bytes alone. `declared`: what the network calls it. */
type ReceivedTypes = { found: string; shown: string; declared: string };

/**
 * The type under which a received file is stored: the type that was found, unless a browser would run it. Undefined when
 * the bytes of a picture, film or sound show another format, such as a program. Bytes that show none, or look like text,
 * are what the network calls them: it has taken the file for that, and nothing that it delivers is lost.
 */
export const keptType = (
  kind: InboundContent["type"],
  { found, shown, declared }: ReceivedTypes,
): string | undefined => {
  if (!isPlayable(`${kind}/*`)) return harmless(found);
  const type = kind === "audio" || kind === "video" ? playedAs(kind, found) : found;
  if (familyOf(type) === kind) return harmless(type);
  return shown === UNKNOWN_TYPE || isTextType(essenceOf(shown)) ? harmless(declared) : undefined;
};
