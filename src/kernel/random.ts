import { randomFillSync } from "node:crypto";

/** The only source of randomness. */
export type Random = {
  bytes(count: number): Uint8Array;
  /** Uniform in [0, 1). */
  float(): number;
};

const POOL_BYTES = 8192;

/** Cryptographic randomness. Bytes are drawn from the system in pools, because each draw is expensive. */
export const systemRandom = (): Random => {
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  const bytes = (count: number): Uint8Array => {
    if (count > POOL_BYTES) return randomFillSync(new Uint8Array(count));
    if (used + count > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const drawn = pool.slice(used, used + count);
    pool.fill(0, used, used + count); // returned bytes are not kept
    used += count;
    return drawn;
  };
  return { bytes, float: () => unitFloat(bytes(4)) };
};

/** The number in [0, 1) from four random bytes. */
export const unitFloat = (four: Uint8Array): number =>
  new DataView(four.buffer, four.byteOffset, 4).getUint32(0) / 2 ** 32;
