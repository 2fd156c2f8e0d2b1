import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { sniffedType } from "../../src/adapters/files/sniff.ts";

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
    expect(await sniffedType(head)).toBe(type);
  });

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["text", Buffer.from("Bom dia, Dona Conceição")],
    ["a page of HTML", Buffer.from("<!doctype html><script>alert(1)</script>")],
    ["zeros", Buffer.alloc(4100)],
  ])("%s shows none", async (_what, head) => {
    expect(await sniffedType(head)).toBeUndefined();
  });

  test("an Opus voice note is distinguished from other Ogg by its content, whatever else it says of itself", async () => {
    expect(await sniffedType(ogg(bytes([1], "vorbis", "OpusHead")))).toBe("audio/ogg");
    expect(await sniffedType(ogg(bytes("OpusHead", [1], "vorbis")))).toBe("audio/ogg; codecs=opus");
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
      expect(["string", "undefined"]).toContain(typeof (await sniffedType(head)));
    }),
    { numRuns: 3000 },
  );
}, 120_000);
