import { afterAll, describe, expect, test } from "bun:test";
import sharp from "sharp";
import { type FileOrder, withFile } from "../../../../plugins/session/outbound/content/contents.ts";
import { openFile } from "../../../../plugins/session/outbound/content/files.ts";
import { type Failure, Unsendable } from "../../../../plugins/session/outbound/outcomes.ts";
import { createHttp } from "../../../../src/adapters/http/http.ts";
import type { HttpOpenRequest } from "../../../../src/contract/ports/http.ts";
import { MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { fileServer, MOVING_WEBP, OPUS, VORBIS, WEBP } from "../../../support/session/file-server.ts";

const http = createHttp({ allow: ["127.0.0.1"], extraCa: undefined });
const strict = createHttp({ allow: [], extraCa: undefined });
afterAll(() => {
  http.close();
  strict.close();
});

const failureOf = async (work: Promise<unknown>): Promise<Failure> => {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof Unsendable) return thrown.failure;
  throw new Error(`it was not refused: ${String(thrown)}`);
};

const allOf = async (url: string, maxBytes = 1000): Promise<Buffer> => {
  const file = await openFile(http, url, maxBytes);
  return Buffer.concat(await Array.fromAsync(file.stream() as AsyncIterable<Uint8Array>));
};

const photo = async (format: "png" | "jpeg"): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(
    await sharp({ create: { width: 8, height: 4, channels: 3, background: "red" } })
      .toFormat(format)
      .toBuffer(),
  );

const REFUSED = { ok: false, kind: "refused", code: "UPSTREAM_BAD_REQUEST" };
const LATER = { ok: false, kind: "retry", code: "UPSTREAM_UNAVAILABLE" };

describe("a file behind a mediaUrl", () => {
  test("comes whole, with its type and name", async () => {
    await using server = fileServer(() => new Response(OPUS, { headers: { "content-type": "audio/ogg" } }));
    const file = await openFile(http, `${server.url}/a/minha%20voz.ogg?x=1`, 1000);
    expect(file).toMatchObject({ contentType: "audio/ogg", name: "minha voz.ogg", head: OPUS });
    expect(Buffer.concat(await Array.fromAsync(file.stream() as AsyncIterable<Uint8Array>))).toEqual(Buffer.from(OPUS));
  });

  test("is fetched within two minutes, however slowly its host gives it away", async () => {
    const limits: unknown[] = [];
    const watched = {
      guardedStream: (request: HttpOpenRequest) => (limits.push(request.timeoutMs), http.guardedStream(request)),
    };
    await using server = fileServer(() => new Response("abc"));
    (await openFile(watched, server.url, 1000)).drop();
    expect(limits).toEqual([2 * MINUTE_MS]);
  });

  test("may be a few redirects away", async () => {
    await using server = fileServer((path) =>
      path === "/d" ? new Response("abc") : Response.redirect(`/${String.fromCharCode(path.charCodeAt(1) + 1)}`, 302),
    );
    expect(String(await allOf(`${server.url}/a`))).toBe("abc");
    expect(server.asked).toEqual(["/a", "/b", "/c", "/d"]);
  });

  test("is given up after three", async () => {
    await using server = fileServer(() => Response.redirect("/again", 302));
    expect(await failureOf(allOf(`${server.url}/`))).toMatchObject(REFUSED);
    expect(server.asked).toHaveLength(4);
  });

  test("is refused where its host may not be reached, and nothing is asked of it", async () => {
    await using server = fileServer(() => new Response("secret"));
    expect(await failureOf(openFile(strict, `${server.url}/`, 1000))).toMatchObject(REFUSED);
    expect(server.asked).toEqual([]);
  });

  test("a redirect to a host that may not be reached is refused too", async () => {
    await using server = fileServer(() => Response.redirect("http://169.254.169.254/latest", 302));
    expect(await failureOf(allOf(`${server.url}/`))).toMatchObject(REFUSED);
  });

  test.each([400, 401, 403, 404, 410, 304])("status %d is for good", async (status) => {
    await using server = fileServer(() => new Response(null, { status }));
    expect(await failureOf(allOf(`${server.url}/`))).toMatchObject(REFUSED);
  });

  test.each([408, 429, 500, 502, 503])("status %d may be over later", async (status) => {
    await using server = fileServer(() => new Response(null, { status }));
    expect(await failureOf(allOf(`${server.url}/`))).toMatchObject(LATER);
  });

  test("a host that does not answer may later", async () => {
    expect(await failureOf(allOf("http://127.0.0.1:1/"))).toMatchObject(LATER);
  });

  test("an empty file is refused", async () => {
    await using server = fileServer(() => new Response(""));
    expect(await failureOf(allOf(`${server.url}/`))).toMatchObject(REFUSED);
  });

  test("one byte too many is refused, announced or not", async () => {
    const chunks = async function* () {
      for (let count = 0; count < 11; count++) yield new Uint8Array(100);
    };
    await using server = fileServer((path) =>
      path === "/announced" ? new Response(new Uint8Array(1001)) : new Response(chunks),
    );
    expect(await failureOf(allOf(`${server.url}/announced`))).toMatchObject(REFUSED);
    expect(await failureOf(allOf(`${server.url}/streamed`))).toMatchObject(REFUSED);
    expect(await allOf(`${server.url}/streamed`, 1100)).toHaveLength(1100);
  });
});

describe("what a file may be sent as", () => {
  const served = async (order: FileOrder, body: Uint8Array<ArrayBuffer> | string, contentType: string) => {
    await using server = fileServer(() => new Response(body, { headers: { "content-type": contentType } }));
    const content = { ...order.content, mediaUrl: `${server.url}/dir/f%20x.bin` };
    return await withFile({ http }, { ...order, content } as FileOrder, async (made) => ({ ...made }));
  };
  const order = <Type extends FileOrder["type"]>(type: Type, content: object = {}) =>
    ({ messageId: "m", to: "pn:5511911110001", type, content }) as unknown as FileOrder;

  test("G-320 a voice note is Ogg Opus, whatever it is called", async () => {
    expect(await served(order("audio", { ptt: true, mimeType: "audio/mpeg" }), OPUS, "audio/mpeg")).toMatchObject({
      ptt: true,
      mimetype: "audio/ogg; codecs=opus",
    });
  });

  test.each([
    ["Ogg Vorbis", VORBIS],
    ["a text", "ID3 this is no voice"],
    ["three bytes", "Ogg"],
  ])("G-320 a voice note of %s is INVALID_PTT_FORMAT", async (_, body) => {
    expect(
      await failureOf(
        served(order("audio", { ptt: true, mimeType: "audio/ogg; codecs=opus" }), body, "audio/ogg; codecs=opus"),
      ),
    ).toMatchObject({
      kind: "refused",
      code: "INVALID_PTT_FORMAT",
    });
  });

  test("audio that is no voice note may have any format", async () => {
    expect(await served(order("audio"), "ID3", "audio/mpeg")).toMatchObject({ mimetype: "audio/mpeg" });
  });

  test("sound and films of one format go as their message calls them", async () => {
    const mp4 = "\0\0\0\x18ftypmp42\0\0\x02\0mp42isom\0\0\0\x08free";
    const mp3 = new Uint8Array(
      Buffer.from(`ID3\x03\0\0\0\0\0\n${"\0".repeat(10)}\xff\xfb\x90\x64${"\0".repeat(500)}`, "latin1"),
    );
    expect(await served(order("audio"), mp4, "video/mp4")).toMatchObject({ mimetype: "audio/mp4" });
    expect(await served(order("video"), mp4, "audio/mp4")).toMatchObject({ mimetype: "video/mp4" });
    expect(await served(order("video"), mp3, "audio/mpeg")).toMatchObject({ mimetype: "video/mp4" });
  });

  test("a sticker is WebP, and says whether it moves", async () => {
    expect(await served(order("sticker"), WEBP, "image/png")).toMatchObject({
      mimetype: "image/webp",
      isAnimated: false,
    });
    expect(await served(order("sticker"), MOVING_WEBP, "image/webp")).toMatchObject({ isAnimated: true });
    expect(await failureOf(served(order("sticker"), "\x89PNG", "image/webp"))).toMatchObject(REFUSED);
  });

  test("a declared type counts before the one that came, and neither when it is of another family", async () => {
    expect(await served(order("image", { mimeType: "image/png" }), "x", "image/gif")).toMatchObject({
      mimetype: "image/png",
    });
    expect(await served(order("image"), "x", "image/gif")).toMatchObject({ mimetype: "image/gif" });
    expect(await served(order("image"), "x", "application/octet-stream")).toMatchObject({
      mimetype: "image/jpeg",
      jpegThumbnail: "",
    });
    expect(await served(order("video"), "x", "binary/octet-stream")).toMatchObject({
      mimetype: "video/mp4",
      jpegThumbnail: "",
    });
  });

  test("a web page in the place of a picture is refused; as a document it goes", async () => {
    expect(await failureOf(served(order("image"), "<html>", "text/html; charset=utf-8"))).toMatchObject(REFUSED);
    expect(await served(order("document"), "<html>", "text/html; charset=utf-8")).toMatchObject({
      mimetype: "text/html; charset=utf-8",
      fileName: "f x.bin",
    });
  });

  test.each<[string, Uint8Array<ArrayBuffer> | string]>([
    ["a web page", "<!DOCTYPE html><html><body>403"],
    ["JSON of an error", '\n{"error":"not found"}'],
    ["XML of an error", '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'],
    ["words of an error", "Não encontrado"],
    ["a PDF", "%PDF-1.7\n%âãÏÓ"],
    ["a workbook", new Uint8Array(Buffer.from("PK\x03\x04\x14\0\x06\0", "latin1"))],
  ])("%s is no picture, sound or film, whatever type it was given; as a document it goes", async (_what, body) => {
    for (const type of ["image", "video", "audio"] as const)
      for (const [declared, came] of [
        [{ mimeType: `${type}/x` }, "application/octet-stream"],
        [{}, type === "image" ? "image/jpeg" : `${type}/mp4`],
        [{}, "application/json"],
      ] as const)
        expect(await failureOf(served(order(type, declared), body, came))).toMatchObject(REFUSED);
    expect(await served(order("document"), body, "image/jpeg")).toMatchObject({ fileName: "f x.bin" });
  });

  test("a drawing in text is a picture", async () => {
    const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>';
    expect(await served(order("image"), svg, "image/svg+xml")).toMatchObject({ mimetype: "image/svg+xml" });
  });

  test("the type is that of the bytes, then of the name, then the declared one", async () => {
    const png = await photo("png");
    expect(await served(order("image"), png, "application/octet-stream")).toMatchObject({ mimetype: "image/png" });
    expect(await served(order("image", { mimeType: "image/gif" }), png, "image/jpeg")).toMatchObject({
      mimetype: "image/png",
    });
    expect(await served(order("document", { filename: "conta.pdf" }), "\0noise", "text/css")).toMatchObject({
      mimetype: "application/pdf",
    });
    const word = new Uint8Array(600);
    word.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    expect(await served(order("document", { filename: "carta.doc" }), word, "binary/octet-stream")).toMatchObject({
      mimetype: "application/msword",
    });
    for (const type of ["video", "audio"] as const)
      expect(await served(order(type), png, `${type}/mp4`)).toMatchObject({ mimetype: `${type}/mp4` });
  });

  test.each([
    ["/download", "attachment; filename*=UTF-8''or%C3%A7amento.pdf", "orçamento.pdf"],
    ["/download", 'attachment; filename="../conta 1.pdf"', "conta 1.pdf"],
    ["/download", undefined, "download.pdf"],
    ["/b/", undefined, "file.pdf"],
    ["/nota.v2", "inline", "nota.v2"],
  ])("a document at %s with the header %p keeps its name, and says its type", async (path, disposition, name) => {
    const headers = { "content-type": "application/pdf", ...(disposition && { "content-disposition": disposition }) };
    await using server = fileServer(() => new Response("%PDF-1.7\n%âãÏÓ", { headers }));
    const content = { mediaUrl: `${server.url}${path}` };
    const made = await withFile({ http }, order("document", content), async (made) => ({ ...made }));
    expect(made).toMatchObject({ fileName: name, mimetype: "application/pdf" });
  });

  test("a name in an address is held to the rule for names that are given", async () => {
    await using server = fileServer(() => new Response("abc"));
    for (const [path, name] of [
      ["x%2F..%2Fy.pdf", "y.pdf"],
      ["a%5Cb.pdf", "b.pdf"],
      ["nota%E2%80%AEfdp.exe", "notafdp.exe"],
      ["a%00b.pdf", "ab.pdf"],
      ["%2e%2e%2F..", "file.txt"],
    ] as const) {
      const content = { mediaUrl: `${server.url}/dir/${path}` };
      const made = await withFile({ http }, order("document", content), async (made) => ({ ...made }));
      expect(made).toMatchObject({ fileName: name });
    }
  });

  test("a document has the name it was given, or that of its address", async () => {
    expect(
      await served(order("document", { filename: "conta.pdf", caption: "março" }), "%PDF", "application/pdf"),
    ).toMatchObject({
      fileName: "conta.pdf",
      caption: "março",
      mimetype: "application/pdf",
    });
  });
});
