import { createPrivateKey, createPublicKey } from "node:crypto";
import { BufferJSON, type KeyPair } from "@whiskeysockets/baileys";
import { isDeeperThan, isRecord } from "../../../src/kernel/texts/json.ts";

/** Deeper than any key is nested. */
const MAX_DEPTH = 32;
const KEY_BYTES = 32;
/** The byte before public keys of Signal. */
const DJB = 5;
/** The prefix of the 32 bytes of a private X25519 key in DER. https://www.rfc-editor.org/rfc/rfc8410#section-7 */
const DER_PREFIX = Buffer.from("302e020100300506032b656e04220420", "hex");
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Bytes in any form that versions of Baileys have written. */
const reviver = (name: string, value: unknown): unknown =>
  isRecord(value) && value["type"] === "Buffer" && Array.isArray(value["data"])
    ? Buffer.from(value["data"].map(Number))
    : BufferJSON.reviver(name, value);

/**
 * The value of a JSON text, with its bytes. A text that holds JSON is read a second time, as Evolution stores it.
 * Undefined if it is not JSON, or nested too deeply.
 */
export const valueIn = (text: string): unknown => {
  if (isDeeperThan(text, MAX_DEPTH)) return undefined;
  try {
    const value: unknown = JSON.parse(text, reviver);
    return typeof value === "string" && value.startsWith("{") && !isDeeperThan(value, MAX_DEPTH)
      ? JSON.parse(value, reviver)
      : value;
  } catch {
    return undefined;
  }
};

/**
 * The bytes of a value: as bytes, in base64, or as a list of numbers. Undefined for other values, and other lengths.
 */
export const bytesIn = (value: unknown, length?: number): Buffer | undefined => {
  const bytes = bytesOf(value);
  return bytes && bytes.length > 0 && (length === undefined || bytes.length === length) ? bytes : undefined;
};

const bytesOf = (value: unknown): Buffer | undefined => {
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (typeof value === "string" && value.length % 4 === 0 && BASE64.test(value)) return Buffer.from(value, "base64");
  const isNumbers = Array.isArray(value) && value.every((one) => Number.isInteger(one) && one >= 0 && one <= 255);
  return isNumbers ? Buffer.from(value as number[]) : undefined;
};

/** A public key of 32 bytes; a key of 33 bytes loses its type. */
export const publicKeyIn = (value: unknown): Buffer | undefined => {
  const bytes = bytesIn(value);
  if (bytes?.length === KEY_BYTES + 1 && bytes[0] === DJB) return bytes.subarray(1);
  return bytes?.length === KEY_BYTES ? bytes : undefined;
};

/** A public key with its type, as Signal signs it. */
export const typed = (publicKey: Uint8Array): Buffer => Buffer.concat([Buffer.of(DJB), publicKey]);

/** The pair of a private key; undefined for any other value. */
export const pairOf = (value: unknown): KeyPair | undefined => {
  const privateKey = bytesIn(value, KEY_BYTES);
  if (!privateKey) return undefined;
  const key = createPrivateKey({ key: Buffer.concat([DER_PREFIX, privateKey]), format: "der", type: "pkcs8" });
  const spki = createPublicKey(key).export({ format: "der", type: "spki" });
  return { private: privateKey, public: spki.subarray(-KEY_BYTES) };
};

/** A whole number in a range; a text of digits counts as one. */
export const wholeIn = (value: unknown, least: number, most: number): number | undefined => {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= least && number <= most
    ? number
    : undefined;
};

/** A text of at most `most` characters. */
export const textIn = (value: unknown, most: number): string | undefined =>
  typeof value === "string" && value !== "" && value.length <= most ? value : undefined;
