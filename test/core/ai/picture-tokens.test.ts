import { expect, test } from "bun:test";
import sharp from "sharp";
import { pictureTokens } from "../../../src/core/ai/words.ts";

const jpeg = (width: number, height: number, progressive = false): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: "#c93" } })
    .jpeg({ progressive })
    .toBuffer();

test.each([
  [10, 10, 258],
  [512, 512, 350],
  [1024, 512, 700],
  [1024, 1024, 1399],
])("a picture of %d to %d takes about %d tokens", async (width, height, tokens) => {
  for (const isProgressive of [false, true])
    expect(pictureTokens(await jpeg(width, height, isProgressive))).toBe(tokens);
});

test.each([
  ["nothing", new Uint8Array()],
  ["other bytes", new Uint8Array(100).fill(7)],
  ["marks without an end", new Uint8Array(1000).fill(0xff)],
  ["a head that is cut", new Uint8Array([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8])],
])("a picture that does not say its size, %s, counts as the largest", (_, bytes) => {
  expect(pictureTokens(bytes)).toBe(1399);
});
