import type { InboundContent } from "../../contract/inbound-content.ts";
import { essenceOf } from "../../kernel/media-types.ts";

const MIB = 1024 * 1024;
const LARGEST_BYTES = 100 * MIB;

/** TABLE: how large a file may be that comes with a message: of all networks' limits the most generous. */
const INBOUND_MAX_BYTES: Partial<Record<InboundContent["type"], number>> = {
  image: 8 * MIB,
  sticker: 8 * MIB,
  audio: 25 * MIB,
  video: 25 * MIB,
};
export const inboundMaxBytes = (kind: InboundContent["type"]): number => INBOUND_MAX_BYTES[kind] ?? LARGEST_BYTES;

/** TABLE: how large a file may be that is uploaded, by the first half of its type. */
const UPLOAD_MAX_BYTES: Readonly<Record<string, number>> = { image: 5 * MIB, audio: 16 * MIB, video: 16 * MIB };
export const uploadMaxBytes = (mimeType: string): number => UPLOAD_MAX_BYTES[familyOf(mimeType)] ?? LARGEST_BYTES;
/** Of a resumable upload, whatever its type. */
export const RESUMABLE_MAX_BYTES = LARGEST_BYTES;

const MEDIA_TYPE =
  /^[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}(\s*;\s*[\w-]+=("[^"\\\r\n]*"|[\w!#$&^.+,-]+))*$/i;
/** Whether it is a media type as headers have them. */
export const isMediaType = (text: string): boolean => MEDIA_TYPE.test(text);

const familyOf = (mimeType: string): string => essenceOf(mimeType).split("/", 1)[0] ?? "";

/** What a browser would run or unpack rather than show, whatever it was sent as. */
const ACTIVE =
  /^(text\/(html|xml|xsl|javascript|ecmascript|x-component|css)|application\/(xml|javascript|ecmascript|x-javascript|x-shockwave-flash)|.+\+xml|multipart\/.+)$/;
export const UNKNOWN_TYPE = "application/octet-stream";
const harmless = (mimeType: string): string =>
  isMediaType(mimeType) && !ACTIVE.test(essenceOf(mimeType)) ? mimeType : UNKNOWN_TYPE;

/**
 * TABLE: forms that hold files of many types, which their first bytes do not tell apart: what was declared stands, if
 * it can be one of them.
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
 * The type that a file is kept under: what its bytes show, and where they show nothing what was declared, unless a
 * browser would run it. Undefined when the bytes of a picture, a film or a sound show something of another family: a
 * program with the face of a picture.
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
