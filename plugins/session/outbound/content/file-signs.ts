/** The first bytes of files that are neither a picture nor sound nor a film. */
const SIGNS: readonly (readonly [what: string, sign: Buffer])[] = [
  ["a PDF", Buffer.from("%PDF-")],
  ["an archive or a document of an office program", Buffer.from("PK\x03\x04", "latin1")],
  ["a document of an office program", Buffer.from("d0cf11e0a1b11ae1", "hex")],
  ["an archive", Buffer.from("1f8b08", "hex")],
  ["an archive", Buffer.from("Rar!")],
  ["an archive", Buffer.from("377abcaf271c", "hex")],
  ["a program", Buffer.from("7f454c46", "hex")],
];
/** The number of bytes that shows whether a file is text. */
const LOOKED_AT = 512;
/** Fewer bytes prove nothing. */
const LEAST = 8;

/** The kind of a file that is not a picture, sound or a film, by its first bytes; undefined if they do not show it. */
export const noMediaIn = (head: Uint8Array): string | undefined => {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length);
  const sign = SIGNS.find(([, sign]) => bytes.subarray(0, sign.length).equals(sign));
  return sign?.[0] ?? (isText(bytes) ? "text, such as an error page" : undefined);
};

/** Bytes that no text has, besides tabs, line ends, form feeds and the escape character. */
const isNoLetter = (byte: number): boolean => byte < 9 || (byte > 13 && byte < 32 && byte !== 27);

/** Whether the bytes are text of UTF-8. A drawing in text (SVG) does not count. */
const isText = (bytes: Buffer): boolean => {
  const looked = bytes.subarray(0, LOOKED_AT);
  if (bytes.length < LEAST && !/^\s*[<{[]/.test(bytes.toString("latin1"))) return false;
  const text = new TextDecoder().decode(looked, { stream: true });
  return !looked.some(isNoLetter) && !text.includes("\ufffd") && !/<svg[\s>]/i.test(text);
};
