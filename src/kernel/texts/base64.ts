const BLANKS = /[\t\n\r ]+/g;
const FOREIGN = /[^\x20-\x7e]/;

/**
 * The bytes of a base64 text, which may have several lines; undefined for any other text. A decoder alone skips unknown
 * characters and makes 6 bytes of `undefined`. This function refuses other characters, both alphabets in one text, 4n+1
 * digits, a wrong padding (it may be missing), and bits behind the last byte, as RFC 4648 (3.5) allows.
 */
export const bytesOfBase64 = (text: string): Uint8Array | undefined => {
  const packed = text.replaceAll(BLANKS, "");
  const count = digitsOf(packed);
  const isPadded = count === packed.length || (packed.length % 4 === 0 && packed.length - count <= 2);
  // a decoder takes the low byte of a character beyond Latin-1
  if (!isPadded || FOREIGN.test(packed) || count % 4 === 1 || (/[+/]/.test(packed) && /[-_]/.test(packed)))
    return undefined;
  const bytes = Buffer.from(packed, "base64");
  if (bytes.length !== Math.floor((count * 3) / 4)) return undefined;
  const rest = packed.slice(count - (count % 4), count);
  return Buffer.from(rest, "base64").toString("base64url") === rest.replaceAll("+", "-").replaceAll("/", "_")
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
    : undefined;
};

/** How many characters stand before the padding. A pattern for it would look at each `=` again and again. */
const digitsOf = (base64: string): number => {
  let length = base64.length;
  while (base64[length - 1] === "=") length -= 1;
  return length;
};
