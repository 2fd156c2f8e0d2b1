import { createHash, createHmac } from "node:crypto";
import { Curve, type KeyPair, proto } from "@whiskeysockets/baileys";
import type { Random } from "../../../src/kernel/random.ts";
import { hkdf, sealed } from "./pairing-ciphers.ts";

// The ceremony that links a device with a passkey, as other clients implement it: https://github.com/tulir/whatsmeow
// (pair-passkey.go), https://github.com/oxidezap/whatsapp-rust (src/passkey/flow.rs)

/** The companion's commitment, until the phone has shown its own key. */
export type Commitment = { readonly ephemeral: KeyPair; readonly nonce: Buffer; readonly ref: string };

/** The values that the phone has shown. */
export type PhoneKey = { publicKey: Buffer; nonce: Buffer };

/** Chrome, as the identity is registered (`DeviceProps.PlatformType`). */
const DEVICE_TYPE = proto.DeviceProps.PlatformType.CHROME;
const HANDOFF = "shortcake-passkey-handoff-v1";
/** The alphabet of the codes to type; each character is five bits. */
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTVWXYZ";
const KEY_BYTES = 32;

/** The key that proves that the used QR code or typed code is ours. `secret`: in base64. */
const handoffKey = (secret: string): Buffer => hkdf(Buffer.from(secret, "base64"), "", HANDOFF);

/** Commits to a new key and nonce for the linking that `ref` names. */
const commit = (random: Random, ref: string): Commitment => ({
  ephemeral: Curve.generateKeyPair(),
  nonce: Buffer.from(random.bytes(KEY_BYTES)),
  ref,
});

/** The public part of a commitment: the key, and only the hash of the nonce. */
const prologue = ({ ephemeral, nonce, ref }: Commitment): Buffer => {
  const identity = proto.CompanionEphemeralIdentity.encode({
    publicKey: ephemeral.public,
    deviceType: DEVICE_TYPE,
    ref,
  }).finish();
  const hash = createHash("sha256").update(identity).update(nonce).digest();
  return Buffer.from(
    proto.ProloguePayload.encode({ companionEphemeralIdentity: identity, commitment: { hash } }).finish(),
  );
};

const proof = (key: Buffer, payload: Buffer): Buffer => createHmac("sha256", key).update(payload).digest();

/** Throws if the phone's key is invalid. */
const phoneKey = (bytes: Uint8Array): PhoneKey => {
  const { publicKey, nonce } = proto.PrimaryEphemeralIdentity.decode(bytes);
  if (publicKey?.length !== KEY_BYTES || nonce?.length !== KEY_BYTES) throw new Error("the phone has sent no key");
  return { publicKey: Buffer.from(publicKey), nonce: Buffer.from(nonce) };
};

/** The code that both sides show: eight characters, which are 40 bits of both nonces. */
const codeOf = ({ nonce }: Commitment, phone: PhoneKey): string => {
  const own = createHash("sha256").update(nonce).update(phone.publicKey).digest();
  const bits = Array.from(phone.nonce.subarray(0, 5), (byte, index) =>
    (byte ^ (own[index] ?? 0)).toString(2).padStart(8, "0"),
  ).join("");
  const characters = (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET.charAt(Number.parseInt(five, 2))).join("");
  return `${characters.slice(0, 4)}-${characters.slice(4)}`;
};

type Request = { noise: Uint8Array; identity: Uint8Array; secret: string };

/** The identity and the secret for it, which only the phone can read. */
const sealRequest = (
  random: Random,
  { ephemeral, ref }: Commitment,
  phone: PhoneKey,
  { noise, identity, secret }: Request,
): Buffer => {
  const shared = Curve.sharedKey(ephemeral.private, phone.publicKey);
  const key = hkdf(shared, `Companion Pairing ${DEVICE_TYPE} with ref ${ref}`, "Pairing Information Encryption Key");
  const iv = Buffer.from(random.bytes(12));
  const plain = proto.PairingRequest.encode({
    companionPublicKey: noise,
    companionIdentityKey: identity,
    advSecret: Buffer.from(secret, "base64"),
  }).finish();
  const encryptedPayload = sealed(key, iv, plain);
  return Buffer.from(proto.EncryptedPairingRequest.encode({ encryptedPayload, iv }).finish());
};

export const passkeyCrypto = { handoffKey, commit, prologue, proof, phoneKey, codeOf, sealRequest };
