// The functions of libSQL that our SQL uses, for a local file. The bytes of a vector are the same in both.

/** The last byte of a vector with one bit per dimension. Its length is odd; that of floats is even. */
const ONE_BIT = 3;

/** The number of one-bits of each byte. */
const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length);

const floatsOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Float32Array =>
  byteOffset % Float32Array.BYTES_PER_ELEMENT === 0
    ? new Float32Array(buffer, byteOffset, byteLength / Float32Array.BYTES_PER_ELEMENT)
    : new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));

/**
 * One bit per dimension, the first one lowest: whether it is greater than zero. The last byte is preceded by the number
 * of bits that are not dimensions.
 */
const bitsOf = (vector: Uint8Array): Uint8Array => {
  const floats = floatsOf(vector);
  const used = Math.ceil(floats.length / 8);
  const bits = new Uint8Array(used + (used % 2 === 0 ? 3 : 2));
  for (const [at, value] of floats.entries())
    if (value > 0) bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
  bits.set([8 * (bits.length - 1) - floats.length, ONE_BIT], bits.length - 2);
  return bits;
};

/** The number of bits in which they differ. */
const hamming = (a: Uint8Array, b: Uint8Array): number => {
  let differing = 0;
  for (let at = 0; at < a.length; at++) differing += ONES[(a[at] as number) ^ (b[at] as number)] as number;
  return differing;
};

/** One minus the cosine of the angle between them. Destructuring both values would take six times as long. */
const cosineDistance = (a: Float32Array, b: Float32Array): number => {
  let dot = 0;
  let ofA = 0;
  let ofB = 0;
  for (let at = 0; at < a.length; at++) {
    const x = a[at] as number;
    const y = b[at] as number;
    dot += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return 1 - dot / Math.sqrt(ofA * ofB);
};

/** TABLE: the functions by their names in SQL. Both vectors of a distance have the same form. */
export const VECTOR_FUNCTIONS = {
  vector1bit: bitsOf,
  vector_distance_cos: (a: Uint8Array, b: Uint8Array): number => {
    if (a.length !== b.length) throw new Error("vectors must have the same length");
    return a.length % 2 === 1 ? hamming(a, b) : cosineDistance(floatsOf(a), floatsOf(b));
  },
} as const;
