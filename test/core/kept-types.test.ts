import { describe, expect, test } from "bun:test";
import { keptType } from "../../src/core/media/checks.ts";
import { fileTypeOf } from "../../src/kernel/texts/file-types.ts";

const latin1 = (...parts: string[]): Buffer => Buffer.from(parts.join(""), "latin1");
const film = (brand: string): Buffer =>
  latin1("\0\0\0\x18ftyp", brand, "\0\0\x02\0", brand, "isom\0\0\0\x08free\0\0\0\x08mdat");
const WEBM = latin1("\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm\x42\x87\x81\x04", "\0".repeat(60));
const MP3 = latin1("ID3\x03\0\0\0\0\0\x0a", "\0".repeat(10), "\xff\xfb\x90\x64", "\0".repeat(500));
/** MP3 without the tag that shows it. */
const BARE = latin1("\0\0\x01\x03", "\0".repeat(200));

const keptAs = async (kind: "audio" | "video" | "image", head: Buffer, name: string, declared: string) =>
  keptType(kind, {
    found: await fileTypeOf({ head, name, declared }),
    shown: await fileTypeOf({ head }),
    declared,
  });

describe("a received file is stored as its message calls it, where its format can hold that", () => {
  test.each<["audio" | "video", string, Buffer, string, string]>([
    ["audio", "Gravação.mp4", film("mp42"), "audio/mp4", "audio/mp4"],
    ["audio", "Gravação.mp4", film("isom"), "video/mp4", "audio/mp4"],
    ["audio", "voz.3gp", film("3gp4"), "audio/3gpp", "audio/3gpp"],
    ["audio", "voz.webm", WEBM, "audio/webm", "audio/webm"],
    ["audio", "voz.mov", film("qt  "), "audio/mp4", "audio/quicktime"],
    ["audio", "voz.mpeg", BARE, "audio/mpeg", "audio/mpeg"],
    ["video", "filme.m4a", film("mp42"), "video/mp4", "video/mp4"],
    ["video", "filme.mp4", film("mp42"), "video/mp4; codecs=avc1", "video/mp4; codecs=avc1"],
  ])("%s named %p", async (...[kind, name, head, declared, type]) => {
    expect(await keptAs(kind, head, name, declared)).toBe(type);
  });

  test("what looks like text is what the network calls it", async () => {
    for (const head of [Buffer.alloc(500, 9), latin1("\xff\xd8\xff\xe0", "a".repeat(500))])
      expect(await keptAs("image", head, "foto.jpg", "image/jpeg")).toBe("image/jpeg");
    expect(await keptAs("audio", Buffer.from("Erro ao gerar"), "", "audio/ogg")).toBe("audio/ogg");
    expect(await keptAs("image", BARE, "foto.pdf", "image/jpeg")).toBe("image/jpeg");
  });

  test("a picture is no sound, a film is no picture, and sound without pictures is no film", async () => {
    const jpeg = latin1("\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
    expect(await keptAs("audio", jpeg, "voz.mp4", "audio/mp4")).toBeUndefined();
    expect(await keptAs("image", film("mp42"), "foto.jpg", "image/jpeg")).toBeUndefined();
    expect(await keptAs("video", MP3, "filme.mp4", "video/mp4")).toBeUndefined();
    expect(await keptAs("video", latin1("#!AMR\n\x3c\x91"), "filme.mp4", "video/mp4")).toBeUndefined();
  });
});
