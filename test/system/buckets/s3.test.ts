import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { S3Client } from "bun";
import { createS3Reader, createS3Store, type S3Location } from "../../../src/adapters/files/s3-storage.ts";
import type { FileStore } from "../../../src/contract/ports/files.ts";
import { attachmentOf } from "../../../src/kernel/texts/disposition.ts";
import { bodyOf, contentOf, exerciseFileStore, largeBytes } from "../../support/files/file-store-suite.ts";
import { type CuttingProxy, cuttingProxy } from "../../support/servers/cutting-proxy.ts";
import { type Swift, startSwift } from "./swift.ts";

setDefaultTimeout(60_000);

let swift: Swift;
beforeAll(async () => {
  swift = await startSwift();
}, 60_000);
afterAll(() => swift.stop());

const PNG = { contentType: "image/png" };
const open = (other: Partial<S3Location> = {}): FileStore => createS3Store({ ...swift.place, ...other });

const empty = async (): Promise<void> => {
  await swift.setAhead(0);
  const s3 = new S3Client({ ...swift.place, endpoint: swift.place.endpoint ?? "", region: "us-east-1" });
  for (const { key } of (await s3.list()).contents ?? []) await s3.delete(key);
};

exerciseFileStore("S3", async () => ({ store: open({ prefix: "a/prefix" }), holds: swift.holds, close: empty }));

describe("S3", () => {
  afterEach(empty);

  test("files lie below the prefix, under their type", async () => {
    await open({ prefix: "a/prefix" }).put("x/y", bodyOf("abc"), PNG);
    const s3 = new S3Client({ ...swift.place, endpoint: swift.place.endpoint ?? "", region: "us-east-1" });
    expect((await s3.list()).contents?.map(({ key }) => key)).toEqual(["a/prefix/x/y"]);
    expect((await s3.stat("a/prefix/x/y")).type).toBe("image/png");
  });

  test("W26-7 files of another program are read under names of any form; a name without a file is none", async () => {
    const s3 = new S3Client({ ...swift.place, endpoint: swift.place.endpoint ?? "", region: "us-east-1" });
    const names = [
      "7c1f/5511922220001@s.whatsapp.net/image/17_a.jpg",
      "7c1f/55@g.us/document/17_Nota fiscal (1) é+.pdf",
    ];
    for (const name of names) await s3.write(`evolution-api/${name}`, name);
    const reader = createS3Reader({ ...swift.place, prefix: "evolution-api" });
    for (const name of names) {
      const file = await reader.read(name);
      expect(file && (await new Response(file.body).text())).toBe(name);
      expect(file?.sizeBytes).toBe(Buffer.byteLength(name));
    }
    expect(await reader.read("7c1f/nothing.jpg")).toBeUndefined();
    expect(await reader.names("7c1f/55@g.us/document/17_")).toEqual(names.slice(1));
  });

  test("an upload of 200 MB takes little memory", async () => {
    const chunk = Buffer.alloc(256 * 1024, 7);
    let peakBytes = 0;
    async function* body() {
      for (let i = 0; i < 800; i++) {
        peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
        yield chunk;
      }
    }
    const before = process.memoryUsage().rss;
    const stored = await open().put("large", body(), PNG);
    expect(stored.sizeBytes).toBe(800 * chunk.length);
    expect(peakBytes - before).toBeLessThan(100 * 1024 * 1024);
  }, 60_000);
});

describe("an address that the store signs", () => {
  afterEach(empty);

  const FILENAMES = [
    "nota.pdf",
    "Orçamento 2026 — final (1).pdf",
    "发票.png",
    'a "quoted"\\ \r\nname; filename=x.exe',
    "é".repeat(255),
    "100%.txt",
    "it's*.png",
    "👍🏽.webp",
    "half \ud83d emoji",
  ];

  test.each([...FILENAMES, undefined].map((filename) => [filename]))(
    "serves the file as an attachment under the name %p, without a key",
    async (filename) => {
      const store = open({ prefix: "p" });
      await store.put("a/b", bodyOf("abc"), { contentType: "application/octet-stream" });
      const answer = await fetch(
        store.urlOf?.("a/b", { ttlSeconds: 600, filename, contentType: "application/pdf" }) ?? "",
      );
      expect([answer.status, await answer.text(), answer.headers.get("content-type")]).toEqual([
        200,
        "abc",
        "application/pdf",
      ]);
      const disposition = answer.headers.get("content-disposition") ?? "";
      expect(disposition).toBe(attachmentOf(filename));
      expect(disposition).toMatch(/^attachment(; filename="[ -~]+"; filename\*=UTF-8''[\w.~%-]+)?$/);
      const [, encoded] = disposition.split("UTF-8''");
      expect(encoded && decodeURIComponent(encoded)).toBe(filename?.toWellFormed());
    },
  );

  test("is served for its ten minutes and refused after", async () => {
    const store = open();
    await store.put("a/b", bodyOf("abc"), PNG);
    const url = store.urlOf?.("a/b", { ttlSeconds: 600, filename: "a.png", contentType: "image/png" }) ?? "";
    await swift.setAhead(595);
    expect((await fetch(url)).status).toBe(200);
    await swift.setAhead(605);
    const refused = await fetch(url);
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("<Code>AccessDenied</Code>")]);
  });

  test("is refused when anything of it is altered, and for any other method", async () => {
    const store = open();
    for (const key of ["a/b", "a/c"]) await store.put(key, bodyOf("abc"), PNG);
    const url = store.urlOf?.("a/b", { ttlSeconds: 600, filename: "a.png", contentType: "image/png" }) ?? "";
    const altered = [
      url.replace("a/b?", "a/c?"),
      url.replace("X-Amz-Expires=600", "X-Amz-Expires=6000"),
      url.replace("attachment", "inline"),
      url.replace("image%2Fpng", "text%2Fhtml"),
      url.replace(/X-Amz-Signature=(.)/, (_whole, first: string) => `X-Amz-Signature=${first === "0" ? "1" : "0"}`),
      url.replace(/&X-Amz-Signature=[^&]*/, ""),
    ];
    expect(new Set([url, ...altered]).size).toBe(7);
    for (const one of altered) expect([one, (await fetch(one)).status]).toEqual([one, 403]);
    for (const method of ["DELETE", "PUT"]) expect((await fetch(url, { method })).status).toBe(403);
    expect((await fetch(url)).status).toBe(200);
  });
});

describe("what is wrong is said in the operator's words, without secrets", () => {
  afterEach(empty);

  /** What each function says that cannot do its work. */
  const saidBy = async (store: FileStore): Promise<Record<string, string>> => {
    const works = {
      put: store.put("a/b", bodyOf("abc"), PNG),
      putLarge: store.put("a/b", bodyOf(largeBytes()), PNG),
      read: store.read("a/b"),
      remove: store.remove("a/b"),
      check: store.check(),
    };
    const said = await Promise.all(
      Object.entries(works).map(([name, work]) =>
        work.then(
          () => [name, "worked"],
          (error: unknown) => [name, String(error)],
        ),
      ),
    );
    return Object.fromEntries(said);
  };

  test("a wrong secret", async () => {
    await open().put("a/b", bodyOf("before"), PNG);
    const secretAccessKey = "another-secret";
    const said = await saidBy(open({ secretAccessKey }));
    const wrong = "Error: bucket media: the secret access key is not that of the access key (SignatureDoesNotMatch)";
    expect(said).toEqual({
      put: wrong,
      putLarge: wrong,
      remove: wrong,
      check: wrong,
      read: "Error: bucket media: refused without a reason, as for a wrong key (UnknownError)",
    });
    expect(JSON.stringify(said)).not.toContain(secretAccessKey);
    expect(Buffer.from((await contentOf(open(), "a/b")) ?? []).toString()).toBe("before");
  });

  test("an unknown access key", async () => {
    const said = await saidBy(open({ accessKeyId: "nobody" }));
    for (const name of ["put", "putLarge", "remove", "check"])
      expect(said[name]).toMatch(/^Error: bucket media: the (secret )?access key is /);
    await swift.holds(0);
  });

  test("a bucket that is not there", async () => {
    const said = await saidBy(open({ bucket: "elsewhere" }));
    const missing = "Error: bucket elsewhere: there is no such bucket (NoSuchBucket)";
    expect(said).toMatchObject({ put: missing, remove: missing, check: missing });
    expect(said["putLarge"]).toStartWith("Error: bucket elsewhere: ");
  });
});

describe("a connection that is cut in the middle", () => {
  let proxy: CuttingProxy;
  afterEach(async () => {
    await proxy.close();
    await empty();
  });

  test.each([
    ["of a small file", 300_000, "PUT /media/", 100_000],
    ["of the first part", 12_000_000, "partNumber=1&", 1_000_000],
    ["of a later part", 12_000_000, "partNumber=2&", 1_000_000],
    ["of the last word", 12_000_000, "<CompleteMultipartUpload", 1],
  ])(
    "%s leaves nothing that is seen, and what was there before stays",
    async (_where, sizeBytes, marker, afterBytes) => {
      await open().put("old", bodyOf("before"), PNG);
      proxy = await cuttingProxy({ toPort: swift.port, marker, afterBytes });
      const store = open({ endpoint: proxy.url });
      for (const key of ["new", "old"]) {
        expect(store.put(key, bodyOf(largeBytes().subarray(0, sizeBytes)), PNG)).rejects.toThrow(
          "bucket media: the connection broke off (ConnectionClosed)",
        );
      }
      expect(proxy.cuts).toBeGreaterThan(1);
      expect(await open().read("new")).toBeUndefined();
      expect(Buffer.from((await contentOf(open(), "old")) ?? []).toString()).toBe("before");
      await swift.holds(1);
    },
  );

  test("of a file that is read makes the reading fail", async () => {
    await open().put("a/b", bodyOf(largeBytes()), PNG);
    proxy = await cuttingProxy({ toPort: swift.port, marker: "HTTP/1.1 200 OK", afterBytes: 1_000_000 });
    const found = await open({ endpoint: proxy.url }).read("a/b");
    expect(new Response(found?.body).bytes()).rejects.toThrow(
      "bucket media: the connection broke off (ConnectionClosed)",
    );
  });
});
