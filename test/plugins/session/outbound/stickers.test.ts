import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import sharp from "sharp";
import { stickerHere, thumbnailHere } from "../../../../src/adapters/pictures/sticker-making.ts";
import type { Content } from "../../../../src/contract/content/content.ts";
import type { MadeSticker } from "../../../../src/contract/ports/pictures.ts";
import { fileServer, MOVING_WEBP, WEBP } from "../../../support/session/file-server.ts";
import { openedFile } from "../../../support/session/opened-file.ts";
import { type Session, sendingSession } from "../../../support/session/sending.ts";

let session: Session;
/** What the next stickers become, in place of what this server makes. */
const instead: MadeSticker[] = [];
let made = 0;
beforeAll(async () => {
  session = await sendingSession({
    makeSticker: async (bytes) => (made++, instead.shift() ?? stickerHere(bytes)),
    makeThumbnail: thumbnailHere,
  });
});
afterAll(() => session.stop());

const serving = (body: Uint8Array, contentType = "application/octet-stream") =>
  fileServer(() => new Response(new Uint8Array(body), { headers: { "content-type": contentType } }));
const sent = async (content: Content) => {
  const ana = session.contact();
  const key = session.newKey();
  return { ana, key, outcome: await session.send(content, { to: `pn:${ana.pn}`, key }) };
};
const arrived = async (content: Content) => {
  const { ana, key, outcome } = await sent(content);
  expect(outcome).toEqual({ ok: true, key });
  return (await ana.until(({ id }) => id === key)).message;
};
const stickerAt = (mediaUrl: string): Content => ({ type: "sticker", content: { mediaUrl } });
const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 1 } } });
const gif = async () => {
  const frames = [drawn(40, 20), drawn(40, 20).negate()].map((frame) => frame.png().toBuffer());
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .gif()
    .toBuffer();
};

describe("a sticker", () => {
  test.each([
    ["a PNG", () => drawn(300, 100).png().toBuffer(), false],
    ["a JPEG", () => drawn(300, 100).jpeg().toBuffer(), false],
    ["a GIF that moves", gif, true],
    ["a WebP of another size", () => drawn(300, 100).webp().toBuffer(), false],
  ])("of %s is made, as large as the apps show them", async (_, bytes, isAnimated) => {
    await using server = serving(await bytes());
    const { stickerMessage: sticker } = await arrived(stickerAt(server.url));
    expect(sticker).toMatchObject({ mimetype: "image/webp", isAnimated, width: 512, height: 512 });
    const metadata = await sharp(await openedFile(session.net, sticker, "sticker")).metadata();
    expect(metadata).toMatchObject({ format: "webp", width: 512, height: 512 });
  });

  test("that is one goes as it is, and is not made again", async () => {
    const bytes = await drawn(512, 512).webp().toBuffer();
    await using server = serving(bytes);
    const before = made;
    const { stickerMessage } = await arrived(stickerAt(server.url));
    expect(await openedFile(session.net, stickerMessage, "sticker")).toEqual(bytes);
    expect(made).toBe(before);
  });

  test("of a WebP that cannot be read goes as it is", async () => {
    for (const [bytes, isAnimated] of [
      [WEBP, false],
      [MOVING_WEBP, true],
    ] as const) {
      await using server = serving(bytes);
      const { stickerMessage } = await arrived(stickerAt(server.url));
      expect(stickerMessage).toMatchObject({ isAnimated });
      expect(await openedFile(session.net, stickerMessage, "sticker")).toEqual(Buffer.from(bytes));
    }
  });

  test.each([
    ["a file that is no picture", new Uint8Array(500), undefined, "refused"],
    [
      "a WebP that is too large and cannot be read",
      Buffer.concat([WEBP, Buffer.alloc(1024 * 1024)]),
      undefined,
      "refused",
    ],
    ["a picture while this server cannot make one", new Uint8Array(500), { ok: false, reason: "BROKEN" }, "retry"],
    ["a picture that stays too large", new Uint8Array(500), { ok: false, reason: "TOO_LARGE" }, "refused"],
  ] as const)("of %s is not sent, and nothing is uploaded", async (_, bytes, answer, kind) => {
    if (answer) instead.push(answer);
    await using server = serving(bytes);
    const before = [session.net.stat.uploads.length, session.net.stat.stanzas["message"]];
    expect((await sent(stickerAt(server.url))).outcome).toMatchObject({ ok: false, kind });
    expect([session.net.stat.uploads.length, session.net.stat.stanzas["message"]]).toEqual(before);
  });
});

describe("a document with a picture of its first page", () => {
  const paperWith = (page: string, paper: string): Content => ({
    type: "document",
    content: { mediaUrl: paper, filename: "conta.pdf", thumbnail: { mediaUrl: page } },
  });

  test("shows the picture, small", async () => {
    await using paper = serving(new Uint8Array(1000).fill(3), "application/pdf");
    await using page = serving(await drawn(600, 800).png().toBuffer());
    const { documentMessage: document } = await arrived(paperWith(page.url, paper.url));
    expect(document).toMatchObject({ fileName: "conta.pdf", thumbnailWidth: 240, thumbnailHeight: 320 });
    expect(await sharp(document?.jpegThumbnail ?? undefined).metadata()).toMatchObject({ format: "jpeg", width: 240 });
  });

  test.each([
    ["no picture", (): Response => new Response("<html>"), "refused"],
    ["gone", (): Response => new Response("", { status: 404 }), "refused"],
    ["not there now", (): Response => new Response("", { status: 503 }), "retry"],
  ])("that is %s is not sent", async (_, answer, kind) => {
    await using paper = serving(new Uint8Array(1000).fill(3), "application/pdf");
    await using page = fileServer(answer);
    const before = [session.net.stat.uploads.length, session.net.stat.stanzas["message"]];
    expect((await sent(paperWith(page.url, paper.url))).outcome).toMatchObject({ ok: false, kind });
    expect([session.net.stat.uploads.length, session.net.stat.stanzas["message"]]).toEqual(before);
  });
});
