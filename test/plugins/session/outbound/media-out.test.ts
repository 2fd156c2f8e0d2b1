import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { MediaType } from "@whiskeysockets/baileys";
import sharp, { type Sharp } from "sharp";
import type { Content } from "../../../../src/contract/content/content.ts";
import { truncating } from "../../../support/servers/hostile.ts";
import { fileServer, OPUS, WEBP } from "../../../support/session/file-server.ts";
import { openedFile } from "../../../support/session/opened-file.ts";
import { type Session, sendingSession } from "../../../support/session/sending.ts";
import type { Received } from "../../../support/whatsapp/people/person.ts";

let session: Session;
beforeAll(async () => {
  session = await sendingSession();
});
afterEach(() => session.net.faults.clear());
afterAll(() => session.stop());

type FileType = "image" | "video" | "audio" | "document" | "sticker";
const serving = (body: Uint8Array<ArrayBuffer>, contentType: string) =>
  fileServer(() => new Response(body, { headers: { "content-type": contentType } }));
const contentWith = (type: FileType, mediaUrl: string, more: object = {}) =>
  ({ type, content: { mediaUrl, ...more } }) as Content;

/** Sends a file to somebody new. */
const sent = async (content: Content) => {
  const ana = session.contact();
  const key = session.newKey();
  return { ana, key, outcome: await session.send(content, { to: `pn:${ana.pn}`, key }) };
};
const arrived = async (content: Content): Promise<Received> => {
  const { ana, key, outcome } = await sent(content);
  expect(outcome).toEqual({ ok: true, key });
  return ana.until(({ id }) => id === key);
};

const opened = (file: Parameters<typeof openedFile>[1], type: MediaType): Promise<Buffer> =>
  openedFile(session.net, file, type);

const photo = async ({ width, height } = { width: 640, height: 320 }) =>
  new Uint8Array(
    await sharp({ create: { width, height, channels: 3, background: "red" } })
      .png()
      .toBuffer(),
  );

describe("a file that is sent", () => {
  test("image: whole, with its caption, size and preview", async () => {
    const bytes = await photo();
    await using server = serving(bytes, "image/png");
    const { message, mediatype } = await arrived(contentWith("image", `${server.url}/a.png`, { caption: "a frente" }));
    expect(mediatype).toBe("image");
    expect(message.imageMessage).toMatchObject({ caption: "a frente", mimetype: "image/png", width: 640, height: 320 });
    expect(message.imageMessage?.jpegThumbnail?.length).toBeGreaterThan(100);
    expect(await opened(message.imageMessage, "image")).toEqual(Buffer.from(bytes));
    expect(server.asked).toEqual(["/a.png"]);
  });

  test("an image that is large once it is unpacked goes without preview, whole", async () => {
    const bytes = await photo({ width: 4001, height: 4000 });
    await using server = serving(bytes, "image/png");
    const { message } = await arrived(contentWith("image", server.url));
    expect(message.imageMessage?.jpegThumbnail?.length ?? 0).toBe(0);
    expect(await opened(message.imageMessage, "image")).toEqual(Buffer.from(bytes));
  });

  test("an image that nothing can be seen in goes without preview", async () => {
    await using server = serving(new Uint8Array(500), "image/jpeg");
    expect((await arrived(contentWith("image", server.url))).message.imageMessage?.jpegThumbnail?.length ?? 0).toBe(0);
  });

  test("a photo has the size, and the preview, that its EXIF orientation shows", async () => {
    const lying = new Uint8Array(
      await sharp({ create: { width: 640, height: 320, channels: 3, background: "red" } })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer(),
    );
    await using server = serving(lying, "image/jpeg");
    const { message } = await arrived(contentWith("image", server.url));
    expect(message.imageMessage).toMatchObject({ width: 320, height: 640 });
    const preview = await sharp(message.imageMessage?.jpegThumbnail ?? undefined).metadata();
    expect([preview.width, preview.height]).toEqual([32, 64]);
  });

  const drawn = sharp({ create: { width: 64, height: 32, channels: 3, background: "red" } });
  const clear = sharp({ create: { width: 64, height: 32, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0.5 } } });

  test.each([
    ["an AVIF", () => drawn.clone().avif(), "image/avif", "jpeg"],
    ["a TIFF", () => drawn.clone().tiff(), "image/tiff", "jpeg"],
    ["a TIFF that is called a JPEG", () => drawn.clone().tiff(), "image/jpeg", "jpeg"],
    ["a still GIF", () => clear.clone().gif(), "image/gif", "png"],
  ] as const)("%s goes as a picture that every phone shows", async (_, made, type, format) => {
    await using server = serving(new Uint8Array(await made().toBuffer()), type);
    const { message } = await arrived(contentWith("image", server.url, { caption: "veja" }));
    const { imageMessage: image } = message;
    expect(image).toMatchObject({ caption: "veja", mimetype: `image/${format}`, width: 64, height: 32 });
    expect(await sharp(await opened(image, "image")).metadata()).toMatchObject({ format, width: 64, height: 32 });
  });

  /** A picture that is red above and blue below, once it is turned as its EXIF says. */
  const lying = async () => {
    const [red, blue] = ["red", "blue"].map((background) =>
      sharp({ create: { width: 32, height: 32, channels: 3, background } })
        .png()
        .toBuffer(),
    );
    const both = sharp([await red, await blue] as Buffer[], { join: { across: 2 } });
    return both.withMetadata({ orientation: 6 });
  };
  /** A PNG whose EXIF stands before its pixels, where cameras write it. */
  const exifFirst = (png: Buffer): Buffer => {
    const at = png.indexOf("eXIf") - 4;
    const end = at + 12 + png.readUInt32BE(at);
    return Buffer.concat([png.subarray(0, 33), png.subarray(at, end), png.subarray(33, at), png.subarray(end)]);
  };

  test.each([
    ["a PNG with EXIF behind its pixels", async () => (await lying()).png().toBuffer(), "png"],
    ["a PNG with EXIF before its pixels", async () => exifFirst(await (await lying()).png().toBuffer()), "png"],
    ["a WebP with EXIF", async () => (await lying()).webp().toBuffer(), "webp"],
    ["a TIFF that lies", async () => (await lying()).tiff().toBuffer(), "jpeg"],
    ["an AVIF that lies", async () => (await lying()).avif().toBuffer(), "jpeg"],
  ] as const)("%s goes upright", async (_, made, format) => {
    await using server = serving(new Uint8Array(await made()), "application/octet-stream");
    const { imageMessage: image } = (await arrived(contentWith("image", server.url))).message;
    expect(image).toMatchObject({ mimetype: `image/${format}`, width: 32, height: 64 });
    const picture = sharp(await opened(image, "image"));
    const { data, info } = await picture.clone().raw().toBuffer({ resolveWithObject: true });
    const last = data.subarray((info.width * info.height - 1) * info.channels);
    expect((await picture.metadata()).orientation ?? 1).toBe(1);
    expect([info.width, info.height, (data[0] ?? 0) > 200, (last[2] ?? 0) > 200]).toEqual([32, 64, true, true]);
  });

  test.each([
    ["a PNG that lies", (picture: Sharp) => picture.png()],
    ["a TIFF that something shines through", (picture: Sharp) => picture.tiff({ compression: "lzw" })],
  ] as const)("%s keeps all its colours when it is changed", async (_, encoded) => {
    const side = 64;
    const pixels = Buffer.from(Array.from({ length: side * side }, (_, at) => [at % side, at / side, 90, 200]).flat());
    const colours = sharp(pixels, { raw: { width: side, height: side, channels: 4 } }).withMetadata({ orientation: 6 });
    const made = await encoded(colours).toBuffer();
    await using server = serving(new Uint8Array(made), "application/octet-stream");
    const { imageMessage: image } = (await arrived(contentWith("image", server.url))).message;
    const sent = await sharp(await opened(image, "image"))
      .raw()
      .toBuffer();
    expect(sent).toEqual(await sharp(made).autoOrient().raw().toBuffer());
  });

  test("a WebP that stands, and a photo that lies, go as they are", async () => {
    for (const [made, type] of [
      [drawn.clone().webp(), "image/webp"],
      [(await lying()).jpeg(), "image/jpeg"],
    ] as const) {
      const bytes = await made.toBuffer();
      await using server = serving(new Uint8Array(bytes), type);
      const { imageMessage: image } = (await arrived(contentWith("image", server.url))).message;
      expect(await opened(image, "image")).toEqual(bytes);
    }
  });

  const SVG = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  const moving = async () => {
    const frames = ["red", "blue"].map((background) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .png()
        .toBuffer(),
    );
    return sharp(await Promise.all(frames), { join: { animated: true } })
      .gif()
      .toBuffer();
  };

  const largeAvif = () =>
    sharp({ create: { width: 2001, height: 2000, channels: 3, background: "red" } })
      .avif({ effort: 0 })
      .toBuffer();

  test("a PNG that moves goes as a PNG, as it is", async () => {
    const png = await drawn.clone().png().toBuffer();
    // a picture of one frame: its control stands between the header and the pixels
    const control = Buffer.from("000000086163544c0000000100000000b92d1f2f", "hex");
    const bytes = new Uint8Array(Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]));
    await using server = serving(bytes, "image/apng");
    const { imageMessage: image } = (await arrived(contentWith("image", server.url))).message;
    expect(image).toMatchObject({ mimetype: "image/png" });
    expect(await opened(image, "image")).toEqual(Buffer.from(bytes));
  });

  test.each([
    ["a GIF that moves", moving, "image/gif", "a.gif"],
    ["a drawing", async () => SVG, "image/svg+xml", "a.svg"],
    ["an AVIF of more than four megapixels", largeAvif, "image/avif", "a.avif"],
    ["half an AVIF", async () => (await drawn.clone().avif().toBuffer()).subarray(0, 150), "image/avif", "a.avif"],
  ] as const)("%s goes as a document, whole", async (_, made, type, name) => {
    const bytes = new Uint8Array(await made());
    await using server = serving(bytes, type);
    const { message } = await arrived(contentWith("image", `${server.url}/${name}`, { caption: "veja" }));
    const document = message.documentMessage ?? message.documentWithCaptionMessage?.message?.documentMessage;
    expect(document).toMatchObject({ caption: "veja", mimetype: type, fileName: name });
    expect(await opened(document, "document")).toEqual(Buffer.from(bytes));
  });

  test("video, audio and sticker", async () => {
    const film = new Uint8Array(Buffer.from("\0\0\0\x18ftypmp42\0\0\0\0mp42isom", "latin1"));
    await using films = serving(film, "application/octet-stream");
    await using server = serving(WEBP, "image/webp");
    const { video, audio, sticker } = {
      video: (await arrived(contentWith("video", films.url, { caption: "v" }))).message.videoMessage,
      audio: (await arrived(contentWith("audio", films.url, { mimeType: "audio/mp4" }))).message.audioMessage,
      sticker: (await arrived(contentWith("sticker", server.url))).message.stickerMessage,
    };
    expect(video).toMatchObject({ caption: "v", mimetype: "video/mp4" });
    expect(audio).toMatchObject({ mimetype: "audio/mp4" });
    expect(audio?.ptt ?? false).toBe(false);
    expect(sticker).toMatchObject({ mimetype: "image/webp" });
    expect(await opened(sticker, "sticker")).toEqual(Buffer.from(WEBP));
  });

  const FILM = new Uint8Array(Buffer.from("\0\0\0\x18ftypmp42\0\0\0\0mp42isom", "latin1"));

  test("what may be seen once says so, in the envelope of its type", async () => {
    await using pictures = serving(await photo(), "image/png");
    await using films = serving(FILM, "video/mp4");
    await using notes = serving(OPUS, "audio/ogg");
    const once = { viewOnce: true };
    const image = await arrived(contentWith("image", pictures.url, { ...once, caption: "senha" }));
    const video = await arrived(contentWith("video", films.url, once));
    const audio = await arrived(contentWith("audio", notes.url, { ...once, ptt: true }));
    expect(image.message.viewOnceMessage?.message?.imageMessage).toMatchObject({ viewOnce: true, caption: "senha" });
    expect(video.message.viewOnceMessage?.message?.videoMessage).toMatchObject({ viewOnce: true });
    expect(audio.message.viewOnceMessageV2Extension?.message?.audioMessage).toMatchObject({
      viewOnce: true,
      ptt: true,
    });
    expect([image, video, audio].map(({ type }) => type)).toEqual(["media", "media", "media"]);
    expect(image.message.imageMessage ?? null).toBeNull();
  });

  test("a video note is a note, and a film that plays as a GIF says so", async () => {
    await using films = serving(FILM, "video/mp4");
    const note = await arrived(contentWith("video", films.url, { videoNote: true }));
    const gif = await arrived(contentWith("video", films.url, { gifPlayback: true, caption: "oi" }));
    expect(note.message.ptvMessage).toMatchObject({ mimetype: "video/mp4" });
    expect(note.message.videoMessage ?? null).toBeNull();
    expect(await opened(note.message.ptvMessage, "video")).toEqual(Buffer.from(FILM));
    expect(gif).toMatchObject({ mediatype: "gif", message: { videoMessage: { gifPlayback: true, caption: "oi" } } });
  });

  test("G-318 a voice note is one", async () => {
    await using server = serving(OPUS, "application/octet-stream");
    const { message, mediatype } = await arrived(contentWith("audio", server.url, { ptt: true }));
    expect(mediatype).toBe("ptt");
    expect(message.audioMessage).toMatchObject({ ptt: true, mimetype: "audio/ogg; codecs=opus" });
    expect(await opened(message.audioMessage, "audio")).toEqual(Buffer.from(OPUS));
  });

  test("document: under its name", async () => {
    await using server = serving(new Uint8Array(1000).fill(3), "application/pdf");
    const { message } = await arrived(contentWith("document", server.url, { filename: "conta.pdf", caption: "março" }));
    expect(message.documentMessage).toMatchObject({
      fileName: "conta.pdf",
      caption: "março",
      mimetype: "application/pdf",
    });
    expect(Number(message.documentMessage?.fileLength)).toBe(1000);
  });

  test("G-320 what is no voice note is refused, and nothing is uploaded or sent", async () => {
    const before = [session.net.stat.uploads.length, session.net.stat.stanzas["message"]];
    await using server = serving(WEBP, "audio/ogg");
    expect((await sent(contentWith("audio", server.url, { ptt: true }))).outcome).toMatchObject({
      kind: "refused",
      code: "INVALID_PTT_FORMAT",
    });
    expect([session.net.stat.uploads.length, session.net.stat.stanzas["message"]]).toEqual(before);
  });

  test("that breaks off may come whole later; nothing is uploaded", async () => {
    const before = session.net.stat.uploads.length;
    await using server = await truncating();
    expect((await sent(contentWith("document", server.url))).outcome).toMatchObject({
      kind: "retry",
      code: "UPSTREAM_UNAVAILABLE",
    });
    expect(session.net.stat.uploads).toHaveLength(before);
  });

  test("again under the same id: fetched and uploaded once", async () => {
    await using server = serving(WEBP, "application/pdf");
    const { ana, key, outcome } = await sent(contentWith("document", server.url));
    expect(outcome).toMatchObject({ ok: true });
    const uploads = session.net.stat.uploads.length;
    expect(await session.send(contentWith("document", server.url), { to: `pn:${ana.pn}`, key })).toMatchObject({
      ok: true,
    });
    expect([server.asked.length, session.net.stat.uploads.length]).toEqual([1, uploads]);
    expect(ana.received).toHaveLength(1);
  });
});

describe("the network's media hosts", () => {
  test("that refuse are asked once more with a fresh permit", async () => {
    await using server = serving(WEBP, "application/pdf");
    await sent(contentWith("document", server.url)); // with a permit that is kept
    session.net.faults.upload(401, { times: 1 });
    const permits = session.net.stat.iqs["w:m"] ?? 0;
    expect((await sent(contentWith("document", server.url))).outcome).toMatchObject({ ok: true });
    expect((session.net.stat.iqs["w:m"] ?? 0) - permits).toBe(1);
  });

  test("that take nothing leave the message for later; nothing is sent", async () => {
    await using server = serving(WEBP, "application/pdf");
    session.net.faults.upload(500);
    const before = session.net.stat.stanzas["message"];
    expect((await sent(contentWith("document", server.url))).outcome).toMatchObject({
      kind: "retry",
      code: "UPSTREAM_UNAVAILABLE",
    });
    expect(session.net.stat.stanzas["message"]).toBe(before);
  });

  test("of which nothing is said leave it for later too, and the next file goes", async () => {
    await using server = serving(WEBP, "application/pdf");
    session.net.faults.upload(401, { times: 1 });
    const heal = session.net.faults.dropIq(({ attrs }) => attrs["xmlns"] === "w:m");
    expect((await sent(contentWith("document", server.url))).outcome).toMatchObject({
      kind: "retry",
      code: "UPSTREAM_UNAVAILABLE",
    });
    heal();
    expect((await sent(contentWith("document", server.url))).outcome).toMatchObject({ ok: true });
  });
});
