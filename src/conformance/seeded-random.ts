import type { Random } from "../kernel/random.ts";

/** Repeatable randomness: the same seed and calls give the same values (splitmix32, which has a full period). */
export const seededRandom = (seed: number): Random => {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  return {
    bytes: (count) => Uint8Array.from({ length: count }, () => next() & 0xff),
    float: () => next() / 2 ** 32,
  };
};
