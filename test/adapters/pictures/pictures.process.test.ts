import { expect, test } from "bun:test";
import sharp from "sharp";
import { makeStandard, makeSticker, makeThumbnail } from "../../../src/adapters/pictures/pictures.ts";

const png = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: "red" } })
    .png()
    .toBuffer();

test("a sticker and a thumbnail are made in another process", async () => {
  const [sticker, thumbnail] = [
    await makeSticker("an-account", await png(300)),
    await makeThumbnail("an-account", await png(900)),
  ];
  expect(sticker).toMatchObject({ ok: true, isAnimated: false });
  expect(await sharp(sticker.ok ? sticker.webp : undefined).metadata()).toMatchObject({ format: "webp", width: 512 });
  expect(thumbnail).toMatchObject({ ok: true, width: 320, height: 320 });
  expect(await sharp(thumbnail.ok ? thumbnail.jpeg : undefined).metadata()).toMatchObject({ format: "jpeg" });
});

test("a picture in standard quality is made in another process", async () => {
  const standard = await makeStandard("an-account", await png(2000));
  expect(standard).toMatchObject({ ok: true, size: { width: 1600, height: 1600 }, of: { width: 2000, height: 2000 } });
  expect(await sharp(standard.ok ? standard.jpeg : undefined).metadata()).toMatchObject({
    format: "jpeg",
    width: 1600,
  });
});

test("what is no picture is said to be none", async () => {
  expect(await makeSticker("an-account", new Uint8Array(100))).toEqual({ ok: false, reason: "UNREADABLE" });
  expect(await makeThumbnail("an-account", new Uint8Array(100))).toEqual({ ok: false, reason: "UNREADABLE" });
  expect(await makeStandard("an-account", new Uint8Array(100))).toEqual({ ok: false, reason: "UNREADABLE" });
});
