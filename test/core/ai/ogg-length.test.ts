import { describe, expect, test } from "bun:test";
import { oggSeconds } from "../../../src/core/ai/voice/ogg-length.ts";

/** A file of headers of pages alone, each a second of its stream. */
const pages = (count: number, streamOf: (n: number) => number): Buffer => {
  const page = (n: number) => {
    const header = Buffer.alloc(27);
    header.write("OggS");
    header.writeBigUInt64LE(48_000n, 6);
    header.writeUInt32LE(streamOf(n), 14);
    return header;
  };
  return Buffer.concat(Array.from({ length: count }, (_, n) => page(n)));
};

describe("the length of a sound is read in a bounded time", () => {
  test("from a chain of 64 streams, and from no longer one", () => {
    expect(oggSeconds(pages(64, (n) => n))).toBe(64);
    expect(oggSeconds(pages(65, (n) => n))).toBeUndefined();
    expect(oggSeconds(pages(200_000, (n) => n))).toBeUndefined();
  });

  test("from 65,536 pages, and from no more", () => {
    expect(oggSeconds(pages(65_536, () => 7))).toBe(1);
    expect(oggSeconds(pages(65_537, () => 7))).toBeUndefined();
  });
});
