import { createHash } from "node:crypto";

/**
 * Passes a body through. Throws before the first byte beyond `sizeBytes`, and at the end of a shorter body.
 */
export async function* ofLength(body: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let passedBytes = 0;
  for await (const chunk of body) {
    passedBytes += chunk.length;
    if (passedBytes > sizeBytes) throw new Error(`the body has more than the announced ${sizeBytes} bytes`);
    yield chunk;
  }
  if (passedBytes < sizeBytes) throw new Error(`the body ended after ${passedBytes} of ${sizeBytes} bytes`);
}

/** A body that is measured while it is read. Both functions cover what was read so far; call `sha256` once. */
export type Measured = { stream: AsyncIterable<Uint8Array>; sizeBytes(): number; sha256(): Buffer };

/** Counts and hashes a body. */
export const measured = (body: AsyncIterable<Uint8Array>): Measured => {
  const hash = createHash("sha256");
  let passedBytes = 0;
  async function* pass() {
    for await (const chunk of body) {
      passedBytes += chunk.length;
      hash.update(chunk);
      yield chunk;
    }
  }
  return { stream: pass(), sizeBytes: () => passedBytes, sha256: () => hash.digest() };
};
