import { describe, expect, test } from "bun:test";
import sharp from "sharp";
import { pixelsOf } from "../../../../plugins/session/outbound/content/pixels.ts";

const picture = sharp({ create: { width: 301, height: 203, channels: 4, background: "#1234" } });
const noted = (jpeg: Buffer, notes: number): Buffer => {
  const segment = Buffer.alloc(2 + notes, 0xc0);
  segment.writeUInt16BE(0xffe1, 0);
  segment.writeUInt16BE(notes, 2);
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]);
};

describe("how many pixels a picture has", () => {
  test.each([
    ["PNG", () => picture.clone().png()],
    ["interlaced PNG", () => picture.clone().png({ progressive: true })],
    ["JPEG", () => picture.clone().jpeg()],
    ["progressive JPEG", () => picture.clone().jpeg({ progressive: true })],
    ["WebP with an alpha channel", () => picture.clone().webp()],
    ["WebP", () => picture.clone().removeAlpha().webp()],
    ["lossless WebP", () => picture.clone().removeAlpha().webp({ lossless: true })],
  ])("of a %s its beginning says", async (_, encoded) => {
    expect(pixelsOf(await encoded().toBuffer())).toBe(301 * 203);
  });

  test("in a photo behind what the camera says of itself", async () => {
    expect(pixelsOf(noted(await picture.clone().jpeg().toBuffer(), 60_000))).toBe(301 * 203);
  });

  test("is not known of other formats, of what ends before it, and of nothing", async () => {
    const [gif, png, jpeg] = [
      await picture.clone().gif().toBuffer(),
      await picture.clone().png().toBuffer(),
      await picture.clone().jpeg().toBuffer(),
    ];
    for (const bytes of [gif, png.subarray(0, 20), jpeg.subarray(0, 100), Buffer.from("<svg/>"), Buffer.alloc(0)])
      expect(pixelsOf(bytes)).toBeUndefined();
  });

  test("is not known of a JPEG that hides a frame behind a marker without a length", async () => {
    const jpeg = await picture.clone().jpeg().toBuffer();
    expect(pixelsOf(Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0x01]), jpeg.subarray(2)]))).toBeUndefined();
  });
});
