import type { InboundContent } from "../../contract/content/inbound-content.ts";
import { essenceOf } from "../../kernel/texts/media-types.ts";

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

const MEDIA_TYPE =
  /^[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}(\s*;\s*[\w-]+=("[^"\\\r\n]*"|[\w!#$&^.+,-]+))*$/i;
/** Whether a text is a media type as headers have them (https://www.rfc-editor.org/rfc/rfc9110#name-media-type). */
export const isMediaType = (text: string): boolean => MEDIA_TYPE.test(text);

const familyOf = (mimeType: string): string => essenceOf(mimeType).split("/", 1)[0] ?? "";

/** Types that a browser would run or unpack rather than show. */
const ACTIVE = [
  /^text\/(html|xml|xsl|javascript|ecmascript|x-component|css)$/,
  /^application\/(xml|javascript|ecmascript|x-javascript|x-shockwave-flash)$/,
  /^(.+\+xml|multipart\/.+)$/,
];
export const UNKNOWN_TYPE = "application/octet-stream";
const isActive = (essence: string): boolean => ACTIVE.some((form) => form.test(essence));
const harmless = (mimeType: string): string =>
  isMediaType(mimeType) && !isActive(essenceOf(mimeType)) ? mimeType : UNKNOWN_TYPE;

/**
 * TABLE: container formats whose first bytes do not show the type inside. The declared type is kept when the container
 * can hold it.
 */
const CONTAINERS: readonly { shown: RegExp; holds: RegExp }[] = [
  { shown: /^application\/zip$/, holds: /^application\/(vnd\.|epub|java-archive|x-zip)/ },
  { shown: /^application\/x-cfb$/, holds: /^application\/(msword|vnd\.ms-)/ },
  { shown: /^video\/(mp4|3gpp2?|quicktime)$/, holds: /^(audio|video)\/(mp4|3gpp2?|x-m4a|aac|amr|quicktime)$/ },
  {
    shown: /^(application|audio|video)\/(ogg|webm|x-matroska|matroska)$/,
    holds: /^(audio|video)\/(ogg|opus|webm|x-matroska)$/,
  },
];

const shownType = (sniffed: string, declared: string): string => {
  const isOneOf = CONTAINERS.some(
    ({ shown, holds }) => shown.test(essenceOf(sniffed)) && holds.test(essenceOf(declared)),
  );
  return isOneOf && isMediaType(declared) ? declared : sniffed;
};

/**
 * The type under which a file is stored. The file's bytes decide; if they show nothing, the declared type is kept
 * unless a browser would run it. Undefined when a picture, film or sound has the bytes of another family, such as a
 * program that is declared as a picture.
 */
export const keptType = (
  kind: InboundContent["type"],
  sniffed: string | undefined,
  declared: string,
): string | undefined => {
  if (sniffed === undefined) return harmless(declared);
  const shown = shownType(sniffed, declared);
  const isFamilyKind = kind === "image" || kind === "video" || kind === "audio";
  return isFamilyKind && familyOf(shown) !== kind ? undefined : harmless(shown);
};
