import { createHmac, timingSafeEqual } from "node:crypto";
import {
  aesDecryptCTR,
  aesEncryptCTR,
  Curve,
  derivePairingCodeKey,
  type KeyPair,
  proto,
} from "@whiskeysockets/baileys";
import type { Random } from "../../../src/kernel/random.ts";
import { childOf, type Stanza } from "../active-socket.ts";
import { hkdf, sealed } from "./pairing-ciphers.ts";
import { bytesIn } from "./pairing-socket.ts";
import { passkeyCrypto } from "./passkey-crypto.ts";

/** The parts of linking that need the network's library, which is loaded late. */
export type PairingCrypto = typeof pairingCrypto;

/** The key that is used while a code is shown. */
export type CodeKey = KeyPair;

type Finish = { code: string; codeKey: CodeKey; identity: KeyPair; phoneKey: Buffer; wrapped: Buffer };

/** A signature for an account that a provider hosts begins with these bytes. */
const HOSTED = Buffer.from([6, 5]);

/** The public key that a code wraps, and the values to unwrap it. */
const wrap = async (random: Random, code: string, { public: publicKey }: CodeKey): Promise<Buffer> => {
  const [salt, iv] = [Buffer.from(random.bytes(32)), Buffer.from(random.bytes(16))];
  return Buffer.concat([salt, iv, aesEncryptCTR(publicKey, await derivePairingCodeKey(code, salt), iv)]);
};

const unwrap = async (code: string, wrapped: Buffer): Promise<Buffer> =>
  aesDecryptCTR(
    wrapped.subarray(48, 80),
    await derivePairingCodeKey(code, wrapped.subarray(0, 32)),
    wrapped.subarray(32, 48),
  );

/**
 * The proof to the phone that its owner typed this code, and the secret under which it then vouches for the identity.
 */
const finish = async (random: Random, { code, codeKey, identity, phoneKey, wrapped }: Finish) => {
  const shared = Buffer.from(Curve.sharedKey(codeKey.private, await unwrap(code, wrapped)));
  const [salt, iv, nonce] = [32, 12, 32].map((size) => Buffer.from(random.bytes(size))) as [Buffer, Buffer, Buffer];
  const key = hkdf(shared, salt, "link_code_pairing_key_bundle_encryption_key");
  const bundle = sealed(key, iv, Buffer.concat([identity.public, phoneKey, nonce]));
  const secrets = Buffer.concat([shared, Curve.sharedKey(identity.private, phoneKey), nonce]);
  return {
    bundle: Buffer.concat([salt, iv, bundle]),
    secret: hkdf(secrets, "", "adv_secret").toString("base64"),
  };
};

/**
 * The secret (base64) under which a pair-success is vouched for. Undefined if it is none of these; throws if it cannot
 * be read.
 */
const vouchedUnder = (stanza: Stanza, secrets: readonly string[]): string | undefined => {
  const signed = bytesIn(childOf(stanza, "pair-success"), "device-identity");
  const { details, hmac, accountType } = proto.ADVSignedDeviceIdentityHMAC.decode(signed ?? Buffer.alloc(0));
  if (!details || !hmac) throw new Error("the pair-success has no device identity");
  const prefix = accountType === proto.ADVEncryptionType.HOSTED ? HOSTED : Buffer.alloc(0);
  return secrets.find((secret) => {
    const own = createHmac("sha256", Buffer.from(secret, "base64")).update(prefix).update(details).digest();
    return own.length === hmac.length && timingSafeEqual(own, hmac);
  });
};

/** The cryptography of linking, which needs the network's library. */
export const pairingCrypto = {
  newKeyPair: (): KeyPair => Curve.generateKeyPair(),
  wrap,
  finish,
  vouchedUnder,
  passkey: passkeyCrypto,
};
