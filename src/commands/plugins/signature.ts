import { createHash, createPublicKey, verify } from "node:crypto";

const ED25519_DER = Buffer.from("302a300506032b6570032100", "hex");
const KEY_BYTES = 42;
const SIGNATURE_BYTES = 74;

/** The bytes of a line of base64 of this length; undefined for any other line. */
const bytesOf = (line: string | undefined, length: number): Buffer | undefined => {
  const bytes = Buffer.from(line?.trim() ?? "", "base64");
  return bytes.length === length ? bytes : undefined;
};

/** The line with the key or the signature: minisign writes a comment before it. */
const lineIn = (text: string): string | undefined =>
  text.split("\n").find((line) => line.trim() !== "" && !line.startsWith("untrusted comment:"));

/**
 * Whether a signature of minisign is of these bytes, by this key: the text of a public key, or of its file.
 * https://jedisct1.github.io/minisign/#signature-format
 */
export const isSignedBy = (bytes: Uint8Array, signatureText: string, keyText: string): boolean => {
  const key = bytesOf(lineIn(keyText), KEY_BYTES);
  const signature = bytesOf(lineIn(signatureText), SIGNATURE_BYTES);
  if (!key || !signature || key.toString("latin1", 0, 2) !== "Ed") return false;
  if (!key.subarray(2, 10).equals(signature.subarray(2, 10))) return false; // of another key
  const form = signature.toString("latin1", 0, 2);
  if (form !== "ED" && form !== "Ed") return false;
  const signed = form === "ED" ? createHash("blake2b512").update(bytes).digest() : bytes;
  const publicKey = createPublicKey({
    key: Buffer.concat([ED25519_DER, key.subarray(10)]),
    format: "der",
    type: "spki",
  });
  return verify(null, signed, publicKey, signature.subarray(10));
};
