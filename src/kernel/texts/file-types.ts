import { decodeText } from "./charsets.ts";
import { EXCEL, essenceOf, isMediaType, UNKNOWN_TYPE } from "./media-types.ts";

/** What is known of a file: its first 4100 bytes or more, its name, and the type that came with it. */
export type FileSigns = { head: Uint8Array; name?: string | undefined; declared?: string | undefined };

/** Enough of a file to see its type. */
export const HEAD_BYTES = 4100;

/**
 * The media type of a file. Its content is trusted most, then its name, then its declaration:
 *
 * - a type that the first bytes show wins, except that a container may hold what the name or the declaration says;
 * - text is never called a picture, sound, film or archive;
 * - other bytes have the type of the name, else the declared one, else `application/octet-stream`.
 */
export const fileTypeOf = async (signs: FileSigns): Promise<string> => (await fileTypesOf(signs)).found;

/** The media type of a file by all signs, as `fileTypeOf` finds it, and the type that its bytes alone show. */
export const fileTypesOf = async ({ head, name, declared }: FileSigns): Promise<{ found: string; shown: string }> => {
  const bytes = head.subarray(0, HEAD_BYTES);
  const claims = [await typeOfName(name), declared?.trim()].filter(
    (claim): claim is string => claim !== undefined && isMediaType(claim) && !saysNothing(claim),
  );
  const shown = await shownType(bytes);
  const found = shown === undefined ? claimed(claims, bytes) : (heldBy(shown, claims) ?? shown);
  return { found: withParameters(found, claims), shown: shown ?? claimed([], bytes) };
};

/** Types that servers give to files of which they know nothing. */
const SAYS_NOTHING = new Set([
  UNKNOWN_TYPE,
  "binary/octet-stream",
  "application/x-download",
  "application/force-download",
]);
/** Whether a type that came with a file says nothing of it. */
export const saysNothing = (type: string): boolean => SAYS_NOTHING.has(essenceOf(type));

/** The libraries are loaded with the first file. */
const shownType = async (bytes: Uint8Array): Promise<string | undefined> => {
  const { fileTypeFromBuffer } = await import("file-type");
  const shown = (await fileTypeFromBuffer(bytes))?.mime;
  // a text may begin with the signature of another format, such as `BM`
  return shown !== undefined && isText(bytes) && !IN_TEXT.test(shown) ? undefined : shown;
};
/** Formats that may consist of letters alone. */
const IN_TEXT = /^(?:text\/|application\/(?:pdf|rtf|xml|eps|postscript)$|image\/svg)/;

const typeOfName = async (name: string | undefined): Promise<string | undefined> => {
  const ending = name === undefined ? undefined : /\.([a-z0-9]{1,10})$/i.exec(name.trim())?.[1];
  return ending === undefined ? undefined : ((await import("mime")).default.getType(ending.toLowerCase()) ?? undefined);
};

/** TABLE: container formats whose first bytes do not show what is inside, and the types that each can hold. */
const CONTAINERS: readonly { shown: RegExp; holds: RegExp }[] = [
  { shown: /^application\/zip$/, holds: /^application\/(vnd\.|epub|java-archive|x-zip)/ },
  { shown: /^application\/x-cfb$/, holds: /^application\/(msword|vnd\.ms-)/ },
  { shown: /^text\//, holds: /^text\// },
  { shown: /^application\/xml$/, holds: /^text\/|[/+]xml$/ },
  { shown: /^video\/(mp4|3gpp2?|quicktime)$/, holds: /^(audio|video)\/(mp4|3gpp2?|x-m4a|aac|amr|quicktime)$/ },
  {
    shown: /^(application|audio|video)\/(ogg|webm|x-matroska|matroska)$/,
    holds: /^(audio|video)\/(ogg|opus|webm|x-matroska)$/,
  },
];

const heldBy = (shown: string, claims: readonly string[]): string | undefined => {
  const container = CONTAINERS.find((one) => one.shown.test(essenceOf(shown)));
  return container && claims.find((claim) => container.holds.test(essenceOf(claim)));
};

/** TABLE: types of the other family whose format holds sound alone, or a film, as well. */
const PLAYED_AS = {
  audio: /^(?:application|video)\/(?=(?:mp4|3gpp2?|webm|quicktime|(?:x-)?matroska|ogg|mpeg)\b)/,
  // the bytes of MP3 and of Ogg show that they are sound
  video: /^(?:application|audio)\/(?=(?:mp4|3gpp2?|webm|quicktime|(?:x-)?matroska)\b)/,
};

/** The type as that of sound or of a film, where its format can hold either: `Gravação.mp4` may be a recording. */
export const playedAs = (family: "audio" | "video", type: string): string =>
  type.replace(PLAYED_AS[family], `${family}/`);

/** The type of bytes that show none. */
const claimed = (claims: readonly string[], bytes: Uint8Array): string => {
  if (!isText(bytes)) return claims[0] ?? UNKNOWN_TYPE;
  const ofText = claims.find((claim) => !NO_TEXT.test(essenceOf(claim)));
  if (ofText !== undefined) return ofText;
  // Windows calls a table of text by the program that opens it
  const isTable = claims.some((claim) => essenceOf(claim) === EXCEL) && !isMarkup(bytes);
  return isTable ? "text/csv" : "text/plain";
};
/** Whether a text is HTML, XML or JSON by how it begins. */
export const isMarkup = (bytes: Uint8Array): boolean =>
  /^\s*[<{[]/.test(decodeText(bytes.subarray(0, HEAD_BYTES)).text);
/** Whether a type is that of a text for people or programs, and not of a drawing. */
export const isTextType = (type: string): boolean => /^text\/|^application\/(?:json|xml)$/.test(type);
const NO_TEXT =
  /^(?:(?:image|audio|video|font)\/(?!svg)|application\/(?:pdf|zip|gzip|msword|vnd\.(?:ms-|openxml|oasis)))/;

/** The same type with what a claim says besides, such as its charset. */
const withParameters = (found: string, claims: readonly string[]): string =>
  found.includes(";") ? found : (claims.find((claim) => essenceOf(claim) === found && claim.includes(";")) ?? found);

/** So many bytes of valid UTF-8 are text. */
const ENOUGH_OF_UTF8 = 8;
/** Of a hundred bytes that are no text, one is below 32 but for an accident of one in 50,000. */
const ENOUGH_WITHOUT_CONTROLS = 100;
/** Bytes that no text has, besides tabs, line ends, form feeds and the escape character. */
const isNoLetter = (code: number): boolean => code < 9 || (code > 13 && code < 32 && code !== 27);

/** Whether the first bytes of a file are text, in UTF-8, in UTF-16 or in a charset of one byte. */
const isText = (bytes: Uint8Array): boolean => {
  const { text, charset } = decodeText(bytes);
  if (charset.startsWith("utf-16")) return isReadable(text);
  if (bytes.some(isNoLetter)) return false;
  if (bytes.length >= ENOUGH_WITHOUT_CONTROLS) return true;
  const isUtf8 = !new TextDecoder().decode(bytes, { stream: true }).includes("\ufffd");
  return (isUtf8 && (bytes.length >= ENOUGH_OF_UTF8 || /^\s*[<{[]/.test(text))) || isReadable(text);
};

/** So many characters are a word: fewer prove nothing. */
const LEAST = 4;
/** Whether a text has the words of an error: mostly signs of ASCII, and half of all signs letters or digits. */
const isReadable = (text: string): boolean => {
  if (text.length < LEAST || [...text].some((letter) => isNoLetter(letter.charCodeAt(0)))) return false;
  const share = (signs: RegExp): number => (text.match(signs)?.length ?? 0) / text.length;
  return share(/[\s!-~]/g) >= 2 / 3 && share(/[a-z\d ]/gi) >= 1 / 2;
};

/**
 * The name of a file with an ending that says its type, if it has none: `download` of a PDF is `download.pdf`. A name is
 * never changed otherwise.
 */
export const withEnding = async (name: string, type: string): Promise<string> => {
  if (/\.[\p{L}\p{N}]{1,10}$/u.test(name) || essenceOf(type) === UNKNOWN_TYPE) return name;
  const ending = (await import("mime")).default.getExtension(essenceOf(type));
  return ending === null ? name : `${name}.${ending}`;
};
