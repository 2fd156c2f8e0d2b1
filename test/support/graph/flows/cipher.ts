import { constants, createCipheriv, createDecipheriv, publicEncrypt } from "node:crypto";
import type { Random } from "../../../../src/kernel/random.ts";

const ALGORITHM = "aes-128-gcm";
const TAG_BYTES = 16;

/** The secret that one request and its answer share. */
export type Session = { key: Uint8Array; iv: Uint8Array };

/** A key of 128 bits and an initial vector of as many. */
export const newSession = (random: Random): Session => ({ key: random.bytes(16), iv: random.bytes(16) });

/** AES-128-GCM, the tag behind the text. */
export const sealed = ({ key, iv }: Session, plaintext: string): Buffer => {
  const cipher = createCipheriv(ALGORITHM, key, iv);
  return Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
};

/** RSA-OAEP with SHA-256, also for the mask. */
export const wrapped = ({ key }: Session, publicKey: string): Buffer =>
  publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" }, key);

/** The text of an answer: base64, sealed with every bit of the initial vector inverted. Throws for any other. */
export const answered = ({ key, iv }: Session, base64: string): string => {
  const bytes = Buffer.from(base64, "base64");
  const decipher = createDecipheriv(
    ALGORITHM,
    key,
    iv.map((byte) => byte ^ 0xff),
  );
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString("utf8");
};
