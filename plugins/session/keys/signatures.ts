import { createPublicKey, verify } from "node:crypto";

const P = 2n ** 255n - 19n;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** The prefix of the 32 bytes of an Ed25519 key in DER. https://www.rfc-editor.org/rfc/rfc8410#section-10.1 */
const DER_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

const remainder = (value: bigint): bigint => ((value % P) + P) % P;

/** The inverse modulo P by the extended algorithm of Euclid; 0 for 0. The key is public: it need not take constant time. */
const inverseOf = (value: bigint): bigint => {
  let [a, b, x, y] = [remainder(value), P, 1n, 0n];
  while (a > 0n) {
    const quotient = b / a;
    [a, b, x, y] = [b - quotient * a, a, y - quotient * x, x];
  }
  return remainder(y);
};

const numberIn = (littleEndian: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(littleEndian).reverse().toString("hex")}`);

/** The y of the point on Ed25519 for the u of an X25519 key: (u - 1) / (u + 1). */
const edwardsOf = (publicKey: Uint8Array): Buffer => {
  const u = remainder(BigInt.asUintN(255, numberIn(publicKey)));
  const y = remainder((u - 1n) * inverseOf(u + 1n));
  return Buffer.from(y.toString(16).padStart(2 * KEY_BYTES, "0"), "hex").reverse();
};

/**
 * Whether an XEdDSA signature (64 bytes) of a message is that of an X25519 key (32 bytes). False for other lengths.
 * The system's Ed25519 checks it, in a tenth of the time of libsignal's JavaScript, which holds up the event loop.
 * It refuses an `s` that is not reduced, as Signal's own library does.
 * https://signal.org/docs/specifications/xeddsa/
 */
export const isSignature = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean => {
  if (publicKey.length !== KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  const [key, plain] = [edwardsOf(publicKey), Buffer.from(signature)];
  const last = plain.readUInt8(SIGNATURE_BYTES - 1);
  // the sign of the point is in the highest bit of the signature
  key.writeUInt8(key.readUInt8(KEY_BYTES - 1) | (last & 0x80), KEY_BYTES - 1);
  plain.writeUInt8(last & 0x7f, SIGNATURE_BYTES - 1);
  const native = createPublicKey({ key: Buffer.concat([DER_PREFIX, key]), format: "der", type: "spki" });
  return verify(null, message, native, plain);
};
