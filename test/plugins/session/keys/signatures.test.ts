import { expect, test } from "bun:test";
import { Curve } from "@whiskeysockets/baileys";
import { verifySignature } from "libsignal/src/curve.js";
import { isSignature } from "../../../../plugins/session/keys/signatures.ts";
import { seededRandom } from "../../../../src/conformance/seeded-random.ts";
import { nextSeed } from "../../../support/seeds.ts";

const L = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;

/** A signature and its message with one bit flipped, at a place that is drawn. */
const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at >> 3) ^ (1 << (at & 7)), at >> 3);
  return copy;
};

test("takes what libsignal signs, for keys of either sign, and refuses every change of key, message and signature", () => {
  const random = seededRandom(nextSeed());
  const signs = new Set<number>();
  for (let round = 0; round < 40; round++) {
    const keys = Curve.generateKeyPair();
    const message = Buffer.from(random.bytes(1 + round * 3));
    const signature = Buffer.from(Curve.sign(keys.private, message));
    signs.add(signature.readUInt8(63) >> 7);
    expect(isSignature(keys.public, message, signature)).toBe(true);
    const draw = (bytes: Uint8Array) => Math.floor(random.float() * (bytes.length * 8));
    const key = Buffer.from(keys.public);
    for (const [one, text, signed] of [
      [Buffer.from(Curve.generateKeyPair().public), message, signature],
      [key, flipped(message, draw(message)), signature],
      [key, message, flipped(signature, draw(signature))],
    ] as const) {
      expect(isSignature(one, text, signed)).toBe(false);
      expect(verifySignature(Buffer.concat([Buffer.of(5), one]), text, signed)).toBe(false);
    }
  }
  expect([...signs].toSorted((a, b) => a - b)).toEqual([0, 1]);
});

test("refuses other lengths, keys that are no points, and an s that is not reduced", () => {
  const { private: secret, public: key } = Curve.generateKeyPair();
  const message = Buffer.from("text");
  const signature = Buffer.from(Curve.sign(secret, message));
  expect(isSignature(key.subarray(1), message, signature)).toBe(false);
  expect(isSignature(key, message, signature.subarray(1))).toBe(false);
  expect(isSignature(Buffer.alloc(32), message, signature)).toBe(false);
  expect(isSignature(Buffer.alloc(32, 0xff), message, signature)).toBe(false);
  const minusOne = Buffer.concat([Buffer.of(0xec), Buffer.alloc(30, 0xff), Buffer.of(0x7f)]);
  expect(isSignature(minusOne, message, signature)).toBe(false);
  const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString("hex")}`) & (2n ** 255n - 1n);
  const longer = Buffer.from((s + L).toString(16).padStart(64, "0"), "hex").reverse();
  longer.writeUInt8(longer.readUInt8(31) | (signature.readUInt8(63) & 0x80), 31);
  expect(isSignature(key, message, Buffer.concat([signature.subarray(0, 32), longer]))).toBe(false);
});
