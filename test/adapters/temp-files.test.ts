import { afterEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createTempFiles } from "../../src/adapters/files/temp-files.ts";
import { createHttp } from "../../src/adapters/http/http.ts";
import type { TempFile, TempFileResult } from "../../src/contract/ports/files.ts";
import { gate } from "../support/databases/temp-database.ts";
import { bodyOf, largeBytes } from "../support/files/file-store-suite.ts";
import { endless, truncating } from "../support/servers/hostile.ts";
import { tempFolders } from "../support/temp-folders.ts";
import { untilTrue } from "../support/waiting.ts";

const { newFolder, removeFolders } = tempFolders();
const newDir = (): string => join(newFolder(), "data", "temp");
afterEach(removeFolders);

const whole = (result: TempFileResult): TempFile => {
  if (!result.ok) throw new Error(result.message);
  return result;
};

const bytesOf = async (body: AsyncIterable<Uint8Array>): Promise<Buffer> => Buffer.concat(await Array.fromAsync(body));

const MANY = { maxBytes: 100_000_000 };

describe("a body that is written to a temp file", () => {
  test.each([
    ["nothing", Buffer.alloc(0)],
    ["fewer bytes than a head", Buffer.from("abc")],
    ["a head exactly", largeBytes().subarray(0, 4100)],
    ["12 MB", largeBytes()],
  ])("comes back as it was, as often as asked, with its size, hash and head: %s", async (_what, bytes) => {
    const tempFile = whole(await createTempFiles(newDir())(bodyOf(bytes), MANY));
    const hash = createHash("sha256").update(bytes);
    const hex = hash.copy().digest("hex");
    expect({ sizeBytes: tempFile.sizeBytes, sha256: tempFile.sha256 }).toEqual({
      sizeBytes: bytes.length,
      sha256: { hex, base64: hash.digest("base64") },
    });
    expect(Buffer.from(tempFile.head).equals(bytes.subarray(0, 4100))).toBe(true);
    for (let i = 0; i < 2; i++) expect((await bytesOf(tempFile.stream())).equals(bytes)).toBe(true);
    expect(Buffer.from(await Bun.file(tempFile.path).bytes()).equals(bytes)).toBe(true);
  });

  test("has a head of many small chunks too", async () => {
    const bytes = largeBytes().subarray(0, 10_000);
    async function* body() {
      for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
    }
    const { head } = whole(await createTempFiles(newDir())(body(), MANY));
    expect(Buffer.from(head).equals(bytes.subarray(0, 4100))).toBe(true);
  });

  test("lies in a file that is nobody else's, until it is disposed of, which may be said twice", async () => {
    const dir = newDir();
    const tempFile = whole(await createTempFiles(dir)(bodyOf("abc"), MANY));
    expect([dir, tempFile.path].map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(["700", "600"]);
    await tempFile.dispose();
    await tempFile.dispose();
    expect(readdirSync(dir)).toEqual([]);
    expect(bytesOf(tempFile.stream())).rejects.toThrow();
  });

  test("is kept apart from all others that come at the same time", async () => {
    const writeTempFile = createTempFiles(newDir());
    const texts = Array.from({ length: 50 }, (_, index) => `${index}|`.repeat(20_000));
    const all = await Promise.all(texts.map((text) => writeTempFile(bodyOf(text), MANY)));
    const back = await Promise.all(all.map(async (one) => String(await bytesOf(whole(one).stream()))));
    expect(back).toEqual(texts);
  });
});

describe("a body that is not kept", () => {
  test("one byte too many is `too-large`; the limit itself is not", async () => {
    const dir = newDir();
    const writeTempFile = createTempFiles(dir);
    expect(await writeTempFile(bodyOf("abcd"), { maxBytes: 3 })).toEqual({
      ok: false,
      failure: "too-large",
      message: "the file has more than 3 bytes",
    });
    expect(readdirSync(dir)).toEqual([]);
    expect(await writeTempFile(bodyOf("abc"), { maxBytes: 3 })).toMatchObject({ ok: true, sizeBytes: 3 });
  });

  test("an endless one takes no more of the disk than it may, and its connection is dropped", async () => {
    const dir = newDir();
    await using endpoint = await endless();
    const http = createHttp({ allow: ["127.0.0.1"], extraCa: undefined });
    const opened = await http.guardedStream({ url: endpoint.url, method: "GET" });
    let mostBytes = 0;
    async function* watched() {
      if (!opened.ok) throw new Error(opened.message);
      for await (const chunk of opened.body) {
        yield chunk;
        mostBytes = Math.max(mostBytes, ...readdirSync(dir).map((name) => statSync(join(dir, name)).size));
      }
    }
    expect(await createTempFiles(dir)(watched(), { maxBytes: 5_000_000 })).toMatchObject({
      ok: false,
      failure: "too-large",
    });
    expect(mostBytes).toBeGreaterThan(4_000_000);
    expect(mostBytes).toBeLessThanOrEqual(5_000_000);
    await untilTrue(() => endpoint.open <= 0);
    expect(readdirSync(dir)).toEqual([]);
    http.close();
  });

  test("one that breaks is `broken` with its reason, however it breaks", async () => {
    const dir = newDir();
    const writeTempFile = createTempFiles(dir);
    await using endpoint = await truncating();
    const http = createHttp({ allow: ["127.0.0.1"], extraCa: undefined });
    const opened = await http.guardedStream({ url: endpoint.url, method: "GET" });
    expect(await writeTempFile(opened.ok ? opened.body : bodyOf(""), MANY)).toEqual({
      ok: false,
      failure: "broken",
      message: "the connection ended before the answer did",
    });
    expect(await writeTempFile(bodyOf("abc", "the sender is gone"), MANY)).toEqual({
      ok: false,
      failure: "broken",
      message: "the sender is gone",
    });
    expect(await writeTempFile(bodyOf(largeBytes(), "the sender is gone"), MANY)).toEqual({
      ok: false,
      failure: "broken",
      message: "the sender is gone",
    });
    expect(readdirSync(dir)).toEqual([]);
    http.close();
  });

  test("our own disk failing is a fault and no outcome, and the source is closed", async () => {
    const dir = newDir();
    const writeTempFile = createTempFiles(dir);
    rmSync(dir, { recursive: true });
    let isDrawn = false;
    async function* body() {
      isDrawn = true;
      yield Buffer.from("abc");
    }
    expect(writeTempFile(body(), MANY)).rejects.toThrow("ENOENT");
    expect(isDrawn).toBe(false);
  });

  test("what a crash left is gone when the next process begins", async () => {
    const dir = newDir();
    const [begun, ended] = [gate(), gate()];
    async function* stuck() {
      yield Buffer.from("half");
      begun.open();
      await ended.opened;
    }
    const crashed = createTempFiles(dir);
    const unfinished = crashed(stuck(), MANY);
    whole(await crashed(bodyOf("never disposed of"), MANY));
    await begun.opened;
    expect(readdirSync(dir)).toHaveLength(2);
    createTempFiles(dir);
    expect(readdirSync(dir)).toEqual([]);
    ended.open();
    await unfinished;
  });
});
