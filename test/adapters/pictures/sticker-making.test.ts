import { describe, expect, test } from "bun:test";
import sharp from "sharp";
import { standardHere, stickerHere, thumbnailHere } from "../../../src/adapters/pictures/sticker-making.ts";

const RED = { r: 255, g: 0, b: 0, alpha: 1 };
const drawn = (width: number, height: number, background: string | typeof RED = RED) =>
  sharp({ create: { width, height, channels: 4, background } });
const png = (width: number, height: number) => drawn(width, height).png().toBuffer();
/** A picture that moves: red, blue, red …, each frame for so many milliseconds. */
const moving = async (frames: number, frameMs: number) => {
  const pictures = Array.from({ length: frames }, (_, at) =>
    drawn(40, 20, at % 2 ? "blue" : "red")
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(pictures), { join: { animated: true } })
    .gif({ delay: Array<number>(frames).fill(frameMs) })
    .toBuffer();
};
const stickerOf = async (bytes: Uint8Array) => {
  const made = await stickerHere(bytes);
  if (!made.ok) throw new Error(made.reason);
  const { data, info } = await sharp(made.webp).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4).subarray(0, 4)];
  return { ...made, metadata: await sharp(made.webp).metadata(), at };
};

describe("a sticker", () => {
  test.each([
    ["a PNG", () => png(300, 100)],
    ["a JPEG", () => drawn(300, 100).jpeg().toBuffer()],
    ["a WebP", () => drawn(300, 100).webp().toBuffer()],
    ["a still GIF", () => drawn(300, 100).gif().toBuffer()],
  ])("of %s has 512 by 512 pixels: the whole picture, and nothing around it", async (_, bytes) => {
    const { metadata, at, isAnimated, webp } = await stickerOf(await bytes());
    expect(metadata).toMatchObject({ format: "webp", width: 512, height: 512 });
    expect(isAnimated).toBe(false);
    expect(webp.length).toBeLessThan(100 * 1024);
    expect([at(256, 5)[3], at(256, 505)[3]]).toEqual([0, 0]);
    for (const x of [5, 256, 505]) expect(at(x, 256)[0]).toBeGreaterThan(230);
  });

  test("of a photo that lies stands", async () => {
    const lying = await drawn(300, 100).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { at } = await stickerOf(lying);
    expect([at(5, 256)[3], at(256, 5)[3]]).toEqual([0, 255]);
  });

  test("of a picture that moves moves for ever, at its pace", async () => {
    for (const bytes of [
      await moving(4, 200),
      await sharp(await moving(4, 200), { animated: true })
        .webp()
        .toBuffer(),
    ]) {
      const { metadata, isAnimated } = await stickerOf(bytes);
      expect(isAnimated).toBe(true);
      expect(metadata).toMatchObject({ width: 512, pages: 4, delay: [200, 200, 200, 200], loop: 0 });
    }
  });

  test("that would move for more than ten seconds ends there", async () => {
    expect((await stickerOf(await moving(5, 3000))).metadata.pages).toBe(3);
    expect((await stickerOf(await moving(2, 11_000))).isAnimated).toBe(false);
  });

  test("of more than a hundred frames moves for the first hundred, however short they are", async () => {
    const { metadata, isAnimated } = await stickerOf(await moving(130, 20));
    expect([isAnimated, metadata.pages]).toEqual([true, 100]);
  });

  test("of a noisy picture is made smaller until it fits", async () => {
    const noise = sharp({
      create: {
        width: 600,
        height: 600,
        channels: 3,
        background: "red",
        noise: { type: "gaussian", mean: 128, sigma: 90 },
      },
    });
    const { webp } = await stickerOf(await noise.png().toBuffer());
    expect(webp.length).toBeLessThan(1024 * 1024);
  });

  test.each([
    [
      "a drawing",
      async () => new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ],
    ["no picture", async () => new Uint8Array(500)],
    ["nothing", async () => new Uint8Array()],
    ["half a PNG", async () => (await png(300, 300)).subarray(0, 300)],
    ["more than 40 million pixels", () => png(8000, 5001)],
  ])("of %s is refused", async (_, made) => {
    const bytes = await made();
    expect(await stickerHere(bytes)).toEqual({ ok: false, reason: "UNREADABLE" });
    expect(await thumbnailHere(bytes)).toEqual({ ok: false, reason: "UNREADABLE" });
    expect(await standardHere(bytes)).toEqual({ ok: false, reason: "UNREADABLE" });
  });
});

describe("a thumbnail", () => {
  test("is a small JPEG, upright, on white", async () => {
    const made = await thumbnailHere(
      await drawn(1000, 500, { ...RED, alpha: 0 })
        .png()
        .toBuffer(),
    );
    if (!made.ok) throw new Error(made.reason);
    expect([made.width, made.height]).toEqual([320, 160]);
    const { data, info } = await sharp(made.jpeg).raw().toBuffer({ resolveWithObject: true });
    expect([info.format, [...data.subarray(0, 3)]]).toEqual(["raw", [255, 255, 255]]);
    expect(await sharp(made.jpeg).metadata()).toMatchObject({ format: "jpeg", width: 320, height: 160 });
    const lying = await thumbnailHere(await drawn(300, 100).withMetadata({ orientation: 6 }).jpeg().toBuffer());
    expect(lying).toMatchObject({ ok: true, width: 100, height: 300 });
  });

  test("of a noisy picture travels within a message", async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 90 } as const;
    const made = await thumbnailHere(
      await sharp({ create: { width: 900, height: 900, channels: 3, background: "red", noise } })
        .png()
        .toBuffer(),
    );
    expect(made.ok && made.jpeg.length).toBeLessThan(48 * 1024 + 1);
  });
});

test("a picture in standard quality is upright, 1600 pixels at its longest side, and says how large it was", async () => {
  const lying = await standardHere(await drawn(2000, 1000).withMetadata({ orientation: 6 }).jpeg().toBuffer());
  expect(lying).toMatchObject({ ok: true, size: { width: 800, height: 1600 }, of: { width: 1000, height: 2000 } });
  expect(await sharp(lying.ok ? lying.jpeg : undefined).metadata()).toMatchObject({ format: "jpeg", width: 800 });
  const small = await standardHere(await png(300, 200));
  expect(small).toMatchObject({ ok: true, size: { width: 300, height: 200 }, of: { width: 300, height: 200 } });
});
