import { Curve, generateSignalPubKey, WA_CERT_DETAILS } from "@whiskeysockets/baileys";
import { isSignature } from "./signatures.ts";

/**
 * Importing this file enables the checks of signatures in the whole process. Baileys ignores libsignal's results, so
 * that it would accept any certificate of the network, and any key of a contact. libsignal also prints private keys;
 * plugins/session/libsignal@6.0.0.patch removes that.
 */
Curve.verify = (publicKey, message, signature) => {
  try {
    return isSignature(generateSignalPubKey(publicKey).subarray(1), message, signature);
  } catch {
    return false;
  }
};

/**
 * Sets, for the whole process, the root key (32 bytes in hexadecimal) of the only network that is trusted. The
 * simulated network has its own.
 */
export const setTrustRoot = (hex: string): void => {
  const key = Buffer.from(hex, "hex");
  if (key.length !== 32) throw new Error("the root key of the network must be 32 bytes in hexadecimal");
  WA_CERT_DETAILS.PUBLIC_KEY = key;
};

/**
 * Whether the pre-key for a new session is present and signed by its identity. libsignal does not check the signature.
 */
export const isSignedBy = (
  identityKey: Uint8Array,
  signed: { publicKey: Uint8Array; signature: Uint8Array } | undefined,
): boolean =>
  signed !== undefined && Curve.verify(identityKey, generateSignalPubKey(signed.publicKey), signed.signature);
