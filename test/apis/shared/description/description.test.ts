import { expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { fixedText } from "../../../../src/apis/shared/description/served.ts";

const TEXT = JSON.stringify({ openapi: "3.1.1", paths: {}, note: "the same words ".repeat(200) });
const document = fixedText(TEXT);
const ask = (headers: Record<string, string> = {}) => document.answer(new Request("http://localhost/", { headers }));

test("a client gets the coding that it takes, and the same text in each", async () => {
  const cases: [accepted: string, coding: string | null, read: (bytes: Uint8Array) => string][] = [
    ["", null, (bytes) => new TextDecoder().decode(bytes)],
    ["gzip, deflate, br", "br", (bytes) => brotliDecompressSync(bytes).toString()],
    ["gzip", "gzip", (bytes) => gunzipSync(bytes).toString()],
    ["br;q=0, gzip;q=0.5", "gzip", (bytes) => gunzipSync(bytes).toString()],
    ["*", "gzip", (bytes) => gunzipSync(bytes).toString()],
    ["identity", null, (bytes) => new TextDecoder().decode(bytes)],
  ];
  for (const [accepted, coding, read] of cases) {
    const answer = ask({ "accept-encoding": accepted });
    expect([accepted, answer.status, answer.headers.get("content-encoding")]).toEqual([accepted, 200, coding]);
    expect(answer.headers.get("content-type")).toBe("application/json");
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(read(bytes)).toBe(TEXT);
    if (coding !== null) expect(bytes.length).toBeLessThan(TEXT.length / 2);
  }
});

test("each coding has a strong ETag of its own, and a client that has it gets nothing again", async () => {
  const etags = ["", "gzip", "br"].map((accepted) => ask({ "accept-encoding": accepted }).headers.get("etag") ?? "");
  expect(new Set(etags).size).toBe(3);
  for (const etag of etags) expect(etag).toMatch(/^"[\w-]{27}"$/);
  const [plain = "", gzip = ""] = etags;
  for (const known of [plain, `"other", ${plain}`, "*"]) {
    const answer = ask({ "if-none-match": known });
    expect([known, answer.status, answer.headers.get("etag"), await answer.text()]).toEqual([known, 304, plain, ""]);
  }
  expect(ask({ "if-none-match": gzip }).status).toBe(200);
  expect(ask({ "if-none-match": '"other"' }).status).toBe(200);
});

test("every answer says that it depends on the codings taken, so that no cache gives one for another", () => {
  const { etag = "" } = Object.fromEntries(ask().headers);
  for (const headers of [{}, { "accept-encoding": "br" }, { "if-none-match": etag }])
    expect(ask(headers).headers.get("vary")).toBe("Accept-Encoding");
});

test("another text has another ETag", () => {
  expect(fixedText("{}").answer(new Request("http://localhost/")).headers.get("etag")).not.toBe(
    ask().headers.get("etag"),
  );
});
