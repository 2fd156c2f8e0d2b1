import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fileTypeOf, fileTypesOf, withEnding } from "../../../src/kernel/texts/file-types.ts";

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));

/** The first page of an Ogg file whose first stream begins with `packet`. */
const ogg = (packet: Buffer): Buffer =>
  bytes(
    "OggS",
    [0, 2],
    Array(8).fill(0),
    [1, 2, 3, 4],
    Array(4).fill(0),
    Array(4).fill(9),
    [1, packet.length],
    packet.toString("latin1"),
    "x".repeat(100),
  );

const riff = (kind: string, rest: Buffer): Buffer => bytes("RIFF", [0x24, 0, 0, 0], kind, rest.toString("latin1"));

const ftyp = (brand: string): Buffer =>
  bytes([0, 0, 0, 0x18], "ftyp", brand, [0, 0, 2, 0], brand, "isom", [0, 0, 0, 8], "free", [0, 0, 0, 8], "mdat");

/** Beginnings of real files, as their formats' specifications lay them down. */
const KINDS: [type: string, head: Buffer][] = [
  ["image/jpeg", bytes([0xff, 0xd8, 0xff, 0xe0, 0, 0x10], "JFIF", [0, 1, 1, 0, 0, 1, 0, 1, 0, 0])],
  [
    "image/png",
    bytes(
      [0x89],
      "PNG\r\n\x1a\n",
      [0, 0, 0, 13],
      "IHDR",
      [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 10],
      "IDAT",
      Array(40).fill(1),
    ),
  ],
  ["image/gif", bytes("GIF89a", [1, 0, 1, 0, 0, 0, 0])],
  ["image/webp", riff("WEBP", bytes("VP8 ", [0x18, 0, 0, 0, 0x30, 1, 0, 0x9d, 1, 0x2a, 1, 0, 1, 0]))],
  ["image/webp", riff("WEBP", bytes("VP8X", [10, 0, 0, 0, 2, 0, 0, 0], Array(6).fill(0), "ANIM"))],
  ["audio/ogg; codecs=opus", ogg(bytes("OpusHead", [1, 1, 0x38, 1, 0x80, 0xbb, 0, 0, 0, 0, 0]))],
  ["audio/ogg", ogg(bytes([1], "vorbis", Array(23).fill(0)))],
  ["audio/ogg", ogg(bytes([0x7f], "FLAC", [1, 0, 0, 1], "fLaC"))],
  ["video/ogg", ogg(bytes([0x80], "theora", [3, 2, 1]))],
  ["application/ogg", ogg(bytes("something else"))],
  ["audio/mpeg", bytes("ID3", [3, 0, 0, 0, 0, 0, 10], Array(10).fill(0), [0xff, 0xfb, 0x90, 0x64], Array(500).fill(0))],
  ["audio/x-m4a", ftyp("M4A ")],
  ["video/mp4", ftyp("mp42")],
  ["video/3gpp", ftyp("3gp4")],
  ["audio/amr", bytes("#!AMR\n", [0x3c, 0x91])],
  ["application/pdf", bytes("%PDF-1.7\n%âãÏÓ\n")],
];

describe("a file shows its type by its first bytes", () => {
  test.each(KINDS)("%s", async (type, head) => {
    expect(await fileTypeOf({ head })).toBe(type);
  });

  test.each([
    ["nothing", Buffer.alloc(0), "application/octet-stream"],
    ["text", Buffer.from("Bom dia, Dona Conceição"), "text/plain"],
    ["text in Latin-1", Buffer.from("Bom dia, Dona Conceição. ".repeat(5), "latin1"), "text/plain"],
    ["text that begins like a picture", Buffer.from("BM é a sigla da loja"), "text/plain"],
    ["zeros", Buffer.alloc(4100), "application/octet-stream"],
  ])("%s shows no other", async (_what, head, type) => {
    expect(await fileTypeOf({ head })).toBe(type);
  });

  test("an Opus voice note is distinguished from other Ogg by its content, whatever else it says of itself", async () => {
    expect(await fileTypeOf({ head: ogg(bytes([1], "vorbis", "OpusHead")) })).toBe("audio/ogg");
    expect(await fileTypeOf({ head: ogg(bytes("OpusHead", [1], "vorbis")) })).toBe("audio/ogg; codecs=opus");
  });
});

test("whatever the first bytes are, sniffing the type ends, and never throws", async () => {
  const begun = fc.constantFrom(
    ...KINDS.map(([, head]) => head),
    bytes("PK\x03\x04"),
    bytes([0x1a, 0x45, 0xdf, 0xa3]),
    bytes([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6, 0xd9]),
  );
  const hostile = fc
    .tuple(begun, fc.nat({ max: 200 }), fc.uint8Array({ maxLength: 4000 }))
    .map(([head, length, noise]) => Buffer.concat([head.subarray(0, length), noise]).subarray(0, 4100));
  await fc.assert(
    fc.asyncProperty(hostile, async (head) => {
      expect(await fileTypeOf({ head, name: "x.pdf", declared: "image/png" })).toMatch(/^[a-z]+\/[\w.+-]+/);
    }),
    { numRuns: 3000 },
  );
}, 120_000);

const PNG = KINDS[1]?.[1] ?? Buffer.alloc(0);
const CFB = bytes([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], Array(600).fill(0));
const ZIP = bytes("PK\x03\x04", [20, 0, 0, 0, 8, 0], Array(40).fill(7));
const NOISE = bytes([1, 2, 3, 0, 0, 200, 7, 9, 1]);
const PAGE = Buffer.from("<!doctype html><title>404</title>");

describe("the content is trusted most, then the name, then the declaration", () => {
  test.each<[string, Buffer, string | undefined, string | undefined, string]>([
    ["a PNG that is declared as nothing", PNG, undefined, "application/octet-stream", "image/png"],
    ["a PNG that is called a JPEG", PNG, "foto.jpg", "image/jpeg", "image/png"],
    ["a Word file by its name", CFB, "carta.doc", "application/octet-stream", "application/msword"],
    ["a Word file by its declaration", CFB, undefined, "application/msword", "application/msword"],
    ["a container that cannot hold a picture", CFB, "foto.png", "image/png", "application/x-cfb"],
    [
      "a workbook by its name",
      ZIP,
      "Preços.xlsx",
      "application/zip",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ],
    ["sound of a film's container", ftyp("mp42"), "voz.m4a", undefined, "audio/mp4"],
    ["a table", Buffer.from("a;b\n1;2;3;4"), "tabela.csv", "application/vnd.ms-excel", "text/csv"],
    [
      "a table that Windows calls a workbook",
      Buffer.from("a;b\n1;2"),
      undefined,
      "application/vnd.ms-excel",
      "text/csv",
    ],
    ["a table that is called a workbook by its name", Buffer.from("a;b\n1;2"), "t.xls", undefined, "text/csv"],
    ["a page that is called a workbook", PAGE, undefined, "application/vnd.ms-excel", "text/plain"],
    ["a workbook", CFB, undefined, "application/vnd.ms-excel", "application/vnd.ms-excel"],
    [
      "a table with its charset",
      Buffer.from("a;b\n1;2;3;4"),
      "t.csv",
      "text/csv; charset=latin1",
      "text/csv; charset=latin1",
    ],
    ["a drawing", Buffer.from("<svg xmlns='x'></svg>"), "a.svg", undefined, "image/svg+xml"],
    ["an error page that is called a picture", PAGE, "foto.jpg", "image/jpeg", "text/plain"],
    ["an error page that is called a PDF", PAGE, "nota.pdf", "application/pdf", "text/plain"],
    ["an error page that says so", PAGE, "foto.jpg", "text/html; charset=utf-8", "text/html; charset=utf-8"],
    [
      "an error in JSON that is called a picture",
      Buffer.from('{"error":"not found"}'),
      "a.png",
      undefined,
      "text/plain",
    ],
    ["unknown bytes by their name", NOISE, "mapa.dwg", "application/pdf", "image/vnd.dwg"],
    ["unknown bytes by their declaration", NOISE, "mapa", "application/x-own", "application/x-own"],
    ["unknown bytes with a declaration that is none", NOISE, undefined, "a b c", "application/octet-stream"],
    [
      "unknown bytes that servers call a download",
      NOISE,
      undefined,
      "application/force-download",
      "application/octet-stream",
    ],
  ])("%s", async (...[, head, name, declared, type]) => {
    expect(await fileTypeOf({ head, name, declared })).toBe(type);
    expect(await fileTypesOf({ head, name, declared })).toEqual({ found: type, shown: await fileTypeOf({ head }) });
  });

  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");
  const PAGE_OF_ERROR = "<!doctype html><title>Não encontrado</title>";
  test.each<[string, Buffer]>([
    ["a line in Latin-1", bytes("Arquivo não encontrado")],
    ["a heading in Latin-1", bytes("<h1>Página não encontrada</h1>")],
    ["a short word in Latin-1", bytes("Não há")],
    ["a word", bytes("Erro")],
    ["a number", bytes("404\n")],
    ["UTF-16", utf16(PAGE_OF_ERROR)],
    ["UTF-16 from the other end", utf16(PAGE_OF_ERROR).swap16()],
    ["UTF-16 of one word", utf16("Erro")],
    ["UTF-16 without its mark", utf16(PAGE_OF_ERROR).subarray(2)],
    ["UTF-8 with its mark", Buffer.from("\ufeffErro")],
  ])("an error in %s is a text, whatever it is called", async (_what, head) => {
    for (const declared of ["image/jpeg", "audio/ogg; codecs=opus", "application/pdf"])
      expect(await fileTypeOf({ head, name: "foto.jpg", declared })).toBe("text/plain");
  });

  test.each<[string, Buffer]>([
    ["one byte", bytes([65])],
    ["zeros", bytes([0, 0, 0, 0])],
    ["the mark of UTF-16 before no letters", bytes([0xff, 0xfe, 0, 0, 1, 0, 2, 0, 7, 0])],
    ["bytes without control characters", bytes([0xff, 0xfe, 0x90, 0x64, 0x80, 0xa5, 0xc3, 0x9f, 0xe1, 0x45, 0xb2])],
    ["samples of sound", bytes([0x80, 0x7f, 0x81, 0x7e, 0x82, 0x7d, 0x81, 0x80, 0x7f, 0x83, 0x7c, 0x80])],
    ["letters among others", bytes([0x6a, 0xd3, 0x50, 0xb7, 0x4e, 0x81, 0x72, 0x99, 0xc2, 0x2f])],
  ])("%s are no text, and have the type that they are called", async (_what, head) => {
    expect(await fileTypeOf({ head, declared: "application/x-own" })).toBe("application/x-own");
    expect(await fileTypeOf({ head, declared: "image/x-own" })).toBe("image/x-own");
  });

  test.each([
    ["download", "application/pdf", "download.pdf"],
    ["file", "image/jpeg", "file.jpg"],
    ["nota.v2.pdf", "image/png", "nota.v2.pdf"],
    ["Relatório 1.2 final", "application/pdf", "Relatório 1.2 final.pdf"],
    ["x", "application/octet-stream", "x"],
    ["x", "application/x-own", "x"],
  ])("a file named %p of the type %s is named %p", async (name, type, named) => {
    expect(await withEnding(name, type)).toBe(named);
  });
});
