import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { bytesOfBase64 } from "../../../src/kernel/texts/base64.ts";

const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

test("what any encoder makes is taken: padded or not, in lines, of either alphabet", () => {
  for (let length = 1; length < 100; length++) {
    const bytes = randomBytes(length);
    const base64 = bytes.toString("base64");
    const lines = base64.replaceAll(/.{1,19}/g, "$&\r\n");
    for (const one of [base64, base64.replaceAll("=", ""), bytes.toString("base64url"), lines, ` ${base64}\t\n`])
      expect(Buffer.from(bytesOfBase64(one) ?? []).equals(bytes)).toBe(true);
  }
  expect(text(bytesOfBase64(""))).toBe("");
});

test.each([
  "undefined",
  "filesystem-v2",
  "filesystem",
  "[object Object]",
  "AAAAA",
  "QQ=",
  "QQ===",
  "QUI==",
  "QUJD=",
  "QUJD====",
  "=",
  "QQ==QQ==",
  "QQ=Q",
  "QR==",
  "QUJ",
  "QUJ=",
  "Q*ID",
  "QU ID.",
  "a+b_",
  "QUJ\u0141",
  "QUJD\u00a0",
  "data:text/plain;base64,QUJD",
  "https://a.test/a.png",
  "C:\\file.pdf",
])("%p is no base64", (given) => {
  expect(bytesOfBase64(given)).toBeUndefined();
});
