/** A charset by its label in the Encoding Standard. https://encoding.spec.whatwg.org/#names-and-labels */
export type Charset = string;

/** Byte order marks, with the charset of each. https://encoding.spec.whatwg.org/#bom-sniff */
const MARKS: readonly (readonly [Charset, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** The encodings of several bytes. Any bytes are valid in the others, so their declaration proves nothing. */
const OF_SEVERAL_BYTES = /^(?:gbk|gb18030|big5|euc-jp|iso-2022-jp|shift_jis|euc-kr|utf-16[bl]e)$/;
const LOOKED_AT = 4096;
/** Below are the zeros of UTF-16, and the control characters that its punctuation has. A tab is a letter here. */
const FIRST_LETTER = 9;
/** What stands for bytes that are not valid. */
const REPLACEMENT = 0xfffd;

/**
 * Decodes a text as what it is: by its byte order mark, as UTF-16 if every other byte is zero, as UTF-8 if it is valid
 * or nearly so, else by the declared charset if the bytes are valid in it, else as CP850 or Mac Roman if its words show
 * that, else as windows-1252.
 */
export const decodeText = (bytes: Uint8Array, declared?: Charset): { text: string; charset: Charset } => {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0] ?? wideCharset(bytes);
  const charset = marked ?? chosenCharset(bytes, declared);
  const text = charset === CP850 ? textOfCp850(bytes) : (decoderOf(charset, false)?.decode(bytes) ?? "");
  return { text, charset };
};

const chosenCharset = (bytes: Uint8Array, declared: Charset | undefined): Charset => {
  const named = decoderOf(declared, true);
  // letters of ASCII alone are never UTF-16, whatever a server says of them: two of them would be one sign of Chinese
  if (named?.encoding.startsWith("utf-16") && bytes.every((byte) => byte >= FIRST_LETTER && byte < 0x80))
    return "utf-8";
  // another charset of several bytes is believed first: some of its texts are valid UTF-8 by chance
  if (named && OF_SEVERAL_BYTES.test(named.encoding) && isValid(bytes, named)) return named.encoding;
  if (isMostlyUtf8(bytes)) return "utf-8";
  return named && named.encoding !== "utf-8" && isValid(bytes, named) ? named.encoding : oldCharset(bytes);
};

const decoderOf = (charset: Charset | undefined, fatal: boolean): TextDecoder | undefined => {
  try {
    return charset === undefined ? undefined : new TextDecoder(charset as "utf-8", { fatal });
  } catch {
    return undefined; // an unknown charset
  }
};

/** The name of a charset, which has many labels; undefined for an unknown one. */
export const encodingOf = (label: Charset): string | undefined => decoderOf(label, false)?.encoding;

const isValid = (bytes: Uint8Array, decoder: TextDecoder): boolean => {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
};

/** UTF-8, or UTF-8 with a broken place such as a cut end: more characters of several bytes than broken ones. */
const isMostlyUtf8 = (bytes: Uint8Array): boolean => {
  if (isValid(bytes, new TextDecoder("utf-8", { fatal: true }))) return true;
  let whole = 0;
  let broken = 0;
  const text = new TextDecoder().decode(bytes);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === REPLACEMENT) broken += 1;
    else if (code > 0x7f) whole += 1;
  }
  return whole > broken;
};

/** UTF-16 without its mark: zeros at every other place of a text with letters of Europe, and at no other place. */
const wideCharset = (bytes: Uint8Array): Charset | undefined => {
  const sample = bytes.subarray(0, LOOKED_AT);
  const zeros: [number, number] = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2 === 0 ? 0 : 1] += 1;
  const [even, odd] = zeros;
  if (odd > sample.length / 4 && even === 0) return "utf-16le";
  return even > sample.length / 4 && odd === 0 ? "utf-16be" : undefined;
};

/** No charset of the Encoding Standard. The old programs of shops in Brazil write it. */
const CP850 = "ibm850";
const FIRST_OF_CP850 = 0x80;
const LETTERS_OF_CP850 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0";
const charOfCp850 = (byte: number): string =>
  byte < FIRST_OF_CP850 ? String.fromCharCode(byte) : (LETTERS_OF_CP850[byte - FIRST_OF_CP850] ?? "");
const textOfCp850 = (bytes: Uint8Array): string => {
  const table = Array.from({ length: 256 }, (_, byte) => charOfCp850(byte));
  const parts: string[] = [];
  for (const byte of bytes) parts.push(table[byte] ?? "");
  return parts.join("");
};

/** What has never stood within a word in windows-1252: `a‡ao` is ação in CP850. */
const NEVER_IN_WORDS = /[\u0080-\u009f€‚ƒ„†‡ˆ‰‹˜™›¢£¤¥¦§]/;
const OF_PORTUGUESE_OR_SPANISH = /[áàâãéêíóôõúüçñ]/i;
const A_LETTER = /[a-z\u0080-\uffff]/i;

/** windows-1252, unless a sign of it stands within a word, and all such signs are letters in one other charset alone. */
const oldCharset = (bytes: Uint8Array): Charset => {
  const inWords = [...withinWords(bytes)];
  const shown = decodedAs("windows-1252");
  if (!inWords.some((byte) => NEVER_IN_WORDS.test(shown(byte)))) return "windows-1252";
  const fitting = [CP850, "macintosh"].filter((charset) => {
    const letter = charset === CP850 ? charOfCp850 : decodedAs(charset);
    return inWords.every((byte) => OF_PORTUGUESE_OR_SPANISH.test(letter(byte)));
  });
  return fitting.length === 1 ? (fitting[0] as Charset) : "windows-1252";
};

const decodedAs = (charset: Charset) => {
  const decoder = decoderOf(charset, false);
  return (byte: number): string => decoder?.decode(new Uint8Array([byte])) ?? "";
};

/** The bytes beyond ASCII between two letters, each of them once. */
const withinWords = (bytes: Uint8Array): Set<number> => {
  const found = new Set<number>();
  const isLetter = (byte: number | undefined): boolean =>
    byte !== undefined && (byte >= 0x80 || A_LETTER.test(String.fromCharCode(byte)));
  for (const [at, byte] of bytes.entries())
    if (byte >= 0x80 && !found.has(byte) && isLetter(bytes[at - 1]) && isLetter(bytes[at + 1])) found.add(byte);
  return found;
};
