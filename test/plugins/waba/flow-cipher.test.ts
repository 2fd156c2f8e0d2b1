import { describe, expect, test } from "bun:test";
import { constants, createCipheriv, publicEncrypt, randomBytes } from "node:crypto";
import { flowCipher } from "../../../plugins/waba/flows/flow-cipher.ts";
// sealed with the Web Crypto API, by its own implementation of the same standards
import vector from "../fixtures/flow-vector.json";

const { sealed, privateKey } = vector;
const flipped = (base64: string, at: number): string => {
  const bytes = Buffer.from(base64, "base64");
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString("base64");
};

/** Sealed for `publicKey` as the network does it, around any text and with an AES key of any length. */
const seal = (publicKey: string, text: string, keyBytes = 16, oaepHash = "sha256") => {
  const [key, iv] = [randomBytes(keyBytes), randomBytes(16)];
  const cipher = createCipheriv(keyBytes === 16 ? "aes-128-gcm" : "aes-256-gcm", key, iv);
  const data = Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString("base64");
  const wrapped = publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash }, key).toString(
    "base64",
  );
  return { encrypted_flow_data: data, encrypted_aes_key: wrapped, initial_vector: iv.toString("base64") };
};

describe("the encryption of flow endpoints", () => {
  test("G-029 the checked-in vector opens, and its answer is sealed to the very same bytes", () => {
    const opened = flowCipher.open(sealed, privateKey);
    expect(opened?.request).toEqual(vector.request);
    expect(opened?.seal(vector.answer)).toBe(vector.sealedAnswer);
  });

  for (const [what, field, at] of [
    ["ciphertext", "encrypted_flow_data", 0],
    ["tag", "encrypted_flow_data", -1],
    ["wrapped key", "encrypted_aes_key", 5],
    ["IV", "initial_vector", 3],
  ] as const)
    test(`GAP-G63 one altered bit of the ${what} is noticed`, () => {
      const bytes = Buffer.from(sealed[field], "base64").length;
      expect(
        flowCipher.open({ ...sealed, [field]: flipped(sealed[field], at < 0 ? bytes + at : at) }, privateKey),
      ).toBeUndefined();
    });

  for (const [what, altered] of [
    ["nothing", { encrypted_flow_data: "", encrypted_aes_key: "", initial_vector: "" }],
    ["what is no base64", { encrypted_flow_data: "!", encrypted_aes_key: "?", initial_vector: "#" }],
    ["less than a tag", { ...sealed, encrypted_flow_data: "AAAA" }],
  ] as const)
    test(`GAP-G63 ${what} does not open, and does not throw`, () =>
      expect(flowCipher.open(altered, privateKey)).toBeUndefined());

  test("GAP-G63 another key pair, AES key length or hash does not open; nor does text that is no request", async () => {
    const { publicKey, privateKey: own } = await flowCipher.newKeyPair();
    expect(flowCipher.open(sealed, own)).toBeUndefined();
    expect(flowCipher.open(seal(publicKey, '{"action":"ping"}'), own)?.request).toEqual({ action: "ping" });
    expect(flowCipher.open(seal(publicKey, '{"action":"ping"}', 32), own)).toBeUndefined();
    expect(flowCipher.open(seal(publicKey, '{"action":"ping"}', 16, "sha1"), own)).toBeUndefined();
    for (const text of ["[]", "null", "nonsense", "{}", '{"action":""}'])
      expect(flowCipher.open(seal(publicKey, text), own)).toBeUndefined();
  });
});
