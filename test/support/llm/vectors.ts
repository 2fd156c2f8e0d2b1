/** The dimensions of a word, by a small hash of it (FNV-1a). */
const hashOf = (word: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

const PLACES_PER_WORD = 8;

/** A vector of length one for a text, the same for the same text: texts that share words are near each other. */
export const vectorOf = (text: string, dimensions: number): Float32Array => {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]) {
    for (let n = 0; n < PLACES_PER_WORD; n++) {
      const hash = hashOf(`${word}#${n}`);
      const at = hash % dimensions;
      vector[at] = (vector[at] ?? 0) + ((hash >>> 16) % 2 === 0 ? 1 : -1);
    }
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
};

/** A vector in the provider's form: numbers, or the bytes of little-endian floats in base64. */
export const encoded = (vector: Float32Array, encoding: string | undefined): number[] | string =>
  encoding === "base64" ? Buffer.from(vector.buffer).toString("base64") : [...vector];
