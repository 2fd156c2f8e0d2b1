import { createCipheriv, hkdfSync } from "node:crypto";

/** A key of 32 bytes, derived from another by HKDF-SHA256. */
export const hkdf = (key: Uint8Array, salt: Uint8Array | string, info: string): Buffer =>
  Buffer.from(hkdfSync("sha256", key, salt, info, 32));

/** Seals with AES-256-GCM; the tag follows the ciphertext. */
export const sealed = (key: Buffer, iv: Buffer, plain: Uint8Array): Buffer => {
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
};
