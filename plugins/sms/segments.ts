/**
 * How a provider makes parts of a text: the characters that a part holds alone and beside others, in seven bits and in
 * Unicode.
 */
export type Splitting = {
  alone: { gsm: number; unicode: number };
  together: { gsm: number; unicode: number };
  /** The characters that go out in Unicode here, although GSM 03.38 has them. */
  refused?: ReadonlySet<string>;
  /** True if a part ends at a space wherever it has one. */
  cutsAtSpaces?: boolean;
};

export type Encoding = "gsm" | "unicode";

/** The size of a text: `chars` counts septets or units of UTF-16, as a part does. */
export type Measure = { encoding: Encoding; chars: number; parts: number };

/** The default alphabet of GSM 03.38 (3GPP TS 23.038, 6.2.1). Each character takes one septet. */
const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** Its extension table (6.2.1.1). Each character takes two septets, which no part divides. */
const EXTENSION = new Set("\f^{}\\[~]|€");

/** A part has 140 bytes; 6 of them number the parts of a longer text: https://www.twilio.com/docs/glossary/what-sms-character-limit. */
export const GSM_SPLITTING: Splitting = {
  alone: { gsm: 160, unicode: 70 },
  together: { gsm: 153, unicode: 67 },
};

/** The size of a text, and into how many parts a provider divides it. An empty text has no part. */
export const measured = (text: string, { alone, together, refused, cutsAtSpaces }: Splitting): Measure => {
  const characters = [...text];
  const isGsm = characters.every((one) => (BASIC.has(one) || EXTENSION.has(one)) && !refused?.has(one));
  const encoding: Encoding = isGsm ? "gsm" : "unicode";
  const sizes = characters.map((one) => (isGsm ? (EXTENSION.has(one) ? 2 : 1) : one.length));
  const chars = sizes.reduce((sum, size) => sum + size, 0);
  if (chars <= alone[encoding]) return { encoding, chars, parts: chars === 0 ? 0 : 1 };
  const spaces = cutsAtSpaces ? characters.map((one) => one === " ") : [];
  return { encoding, chars, parts: partsOf(sizes, spaces, together[encoding]) };
};

/** The number of parts of characters with these sizes. `spaces`: where a part may end, or nothing if anywhere. */
const partsOf = (sizes: readonly number[], spaces: readonly boolean[], most: number): number => {
  let parts = 1;
  let used = 0;
  let sinceSpace: number | undefined; // the size of the last word, once the part has a space before it
  sizes.forEach((size, at) => {
    used += size;
    if (sinceSpace !== undefined) sinceSpace += size;
    if (used > most) {
      parts += 1;
      used = sinceSpace ?? size;
      sinceSpace = undefined;
    }
    if (spaces[at]) sinceSpace = 0;
  });
  return parts;
};
