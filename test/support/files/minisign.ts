import { createHash, generateKeyPairSync, sign } from "node:crypto";

/** A key as minisign makes it: its public part as text, and what signs a file's bytes. `isWhole`: the older form. */
export const minisignKey = () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const id = Buffer.from("0123456789abcdef", "hex");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  const key = Buffer.concat([Buffer.from("Ed"), id, raw]).toString("base64");
  return {
    text: `untrusted comment: minisign public key\n${key}\n`,
    line: key,
    signatureOf(bytes: Uint8Array, { isWhole = false } = {}): string {
      const signed = isWhole ? bytes : createHash("blake2b512").update(bytes).digest();
      const made = Buffer.concat([Buffer.from(isWhole ? "Ed" : "ED"), id, sign(null, signed, privateKey)]);
      return `untrusted comment: signature\n${made.toString("base64")}\ntrusted comment: x\nAAAA\n`;
    },
  };
};
