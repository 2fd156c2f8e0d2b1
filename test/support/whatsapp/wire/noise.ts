import {
  aesDecryptGCM,
  aesEncryptGCM,
  Curve,
  hkdf,
  type KeyPair,
  NOISE_MODE,
  NOISE_WA_HEADER,
  proto,
  sha256,
} from "@whiskeysockets/baileys";

/** The proof of a server: the root key vouches for an intermediate key, which vouches for the server's own. */
export type Certificate = {
  /** The public root key in hex. */
  readonly root: string;
  readonly keys: KeyPair;
  readonly chain: Uint8Array;
};

export const certify = (): Certificate => {
  const [root, intermediate, keys] = [Curve.generateKeyPair(), Curve.generateKeyPair(), Curve.generateKeyPair()];
  const { Details } = proto.CertChain.NoiseCertificate;
  const intermediateDetails = Details.encode({ serial: 1, issuerSerial: 0, key: intermediate.public }).finish();
  const leafDetails = Details.encode({ serial: 2, issuerSerial: 1, key: keys.public }).finish();
  const chain = proto.CertChain.encode({
    intermediate: { details: intermediateDetails, signature: Curve.sign(root.private, intermediateDetails) },
    leaf: { details: leafDetails, signature: Curve.sign(intermediate.private, leafDetails) },
  }).finish();
  return { root: Buffer.from(root.public).toString("hex"), keys, chain };
};

/** Bytes under two keys with a counter each. */
export type Transport = { encrypt(plain: Uint8Array): Buffer; decrypt(cipher: Uint8Array): Buffer };

const NOTHING = Buffer.alloc(0);

const ivOf = (counter: number): Buffer => {
  const iv = Buffer.alloc(12);
  iv.writeUInt32BE(counter, 8);
  return iv;
};

const transportOf = (readKey: Uint8Array, writeKey: Uint8Array): Transport => {
  let reads = 0;
  let writes = 0;
  return {
    encrypt: (plain) => aesEncryptGCM(plain, writeKey, ivOf(writes++), NOTHING),
    decrypt: (cipher) => aesDecryptGCM(cipher, readKey, ivOf(reads++), NOTHING),
  };
};

type Responder = {
  /** Answers the client's first message. */
  hello(message: Uint8Array): Uint8Array;
  /**
   * Reads the client's last message: its identity, its wish, and the keys from here on. Throws if it was not made for
   * this handshake.
   */
  finish(message: Uint8Array): { noiseKey: Buffer; payload: proto.ClientPayload; transport: Transport };
};

/** The pattern after a hello for another one: its name is longer than a hash, and is hashed. */
const FALLBACK_MODE = sha256(Buffer.from("Noise_XXfallback_25519_AESGCM_SHA256"));

/**
 * The server's side of Noise XX. It resumes nobody: a client that sends its key at once, as of an earlier connection,
 * gets the fallback to XX.
 */
export const respond = ({ keys, chain }: Certificate): Responder => {
  const ephemeral = Curve.generateKeyPair();
  let hash: Buffer = Buffer.from(NOISE_MODE);
  let salt: Uint8Array = hash;
  let key: Uint8Array = hash;
  let counter = 0;

  const mix = (bytes: Uint8Array) => {
    hash = sha256(Buffer.concat([hash, bytes]));
  };
  const expand = (secret: Uint8Array): [Uint8Array, Uint8Array] => {
    const expanded = hkdf(secret, 64, { salt: Buffer.from(salt), info: "" });
    return [expanded.subarray(0, 32), expanded.subarray(32)];
  };
  const mixKey = (secret: Uint8Array) => {
    [salt, key] = expand(secret);
    counter = 0;
  };
  const seal = (plain: Uint8Array): Buffer => {
    const sealed = aesEncryptGCM(plain, key, ivOf(counter++), hash);
    mix(sealed);
    return sealed;
  };
  const open = (sealed: Uint8Array): Buffer => {
    const opened = aesDecryptGCM(sealed, key, ivOf(counter++), hash);
    mix(sealed);
    return opened;
  };

  return {
    hello: (message) => {
      const hello = proto.HandshakeMessage.decode(message).clientHello;
      const client = hello?.ephemeral;
      if (!client) throw new Error("the client hello has no key");
      if (hello.static && hello.static.length > 0) hash = salt = key = FALLBACK_MODE;
      mix(NOISE_WA_HEADER);
      mix(client);
      mix(ephemeral.public);
      mixKey(Curve.sharedKey(ephemeral.private, client));
      const sealedStatic = seal(keys.public);
      mixKey(Curve.sharedKey(keys.private, client));
      return proto.HandshakeMessage.encode({
        serverHello: { ephemeral: ephemeral.public, static: sealedStatic, payload: seal(chain) },
      }).finish();
    },
    finish: (message) => {
      const finish = proto.HandshakeMessage.decode(message).clientFinish;
      if (!finish?.static || !finish.payload) throw new Error("the client finish is not whole");
      const noiseKey = open(finish.static);
      mixKey(Curve.sharedKey(ephemeral.private, noiseKey));
      const payload = proto.ClientPayload.decode(open(finish.payload));
      const [readKey, writeKey] = expand(NOTHING);
      return { noiseKey, payload, transport: transportOf(readKey, writeKey) };
    },
  };
};
