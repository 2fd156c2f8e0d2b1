import { constants, createCipheriv, createDecipheriv, generateKeyPair, privateDecrypt } from "node:crypto";
import { promisify } from "node:util";
import type { FlowCipher, FlowRequest, SealedExchange } from "../../../src/contract/abilities/flows.ts";
import { recordOf } from "../../../src/kernel/texts/json.ts";
import { parseRecord, textOf } from "../../meta/json.ts";

const KEY_BITS = 2048;
const AES_KEY_BYTES = 16;
const TAG_BYTES = 16;

/**
 * The encryption of flow endpoints, as in the network's documents: an AES-128 key wrapped by RSA-OAEP with SHA-256;
 * AES-GCM with a 16-byte IV and the tag at the end; the answer under the same key, with every bit of the IV inverted.
 */
export const flowCipher: FlowCipher = {
  async newKeyPair() {
    const pem = {
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    } as const;
    return promisify(generateKeyPair)("rsa", { modulusLength: KEY_BITS, ...pem });
  },
  open(sealed, privateKey) {
    try {
      const key = privateDecrypt(
        { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" },
        bytesOf(sealed.encrypted_aes_key),
      );
      const iv = bytesOf(sealed.initial_vector);
      const request = key.length === AES_KEY_BYTES ? requestOf(decrypted(sealed, key, iv)) : undefined;
      return request && { request, seal: (answer) => encrypted(JSON.stringify(answer), key, inverted(iv)) };
    } catch {
      return undefined; // any fault of the ciphertext means that it was not made for this key
    }
  },
};

const bytesOf = (base64: string): Uint8Array => Buffer.from(base64, "base64");
const inverted = (iv: Uint8Array): Uint8Array => iv.map((byte) => byte ^ 0xff);

const decrypted = ({ encrypted_flow_data }: SealedExchange, key: Uint8Array, iv: Uint8Array): string => {
  const data = bytesOf(encrypted_flow_data);
  const decipher = createDecipheriv("aes-128-gcm", key, iv).setAuthTag(data.subarray(-TAG_BYTES));
  return decipher.update(data.subarray(0, -TAG_BYTES)).toString("utf8") + decipher.final("utf8");
};

const encrypted = (text: string, key: Uint8Array, iv: Uint8Array): string => {
  const cipher = createCipheriv("aes-128-gcm", key, iv);
  return Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64");
};

const requestOf = (text: string): FlowRequest | undefined => {
  const request = parseRecord(text);
  const action = textOf(request?.["action"]);
  if (!request || action === undefined) return undefined;
  const [version, screen, token] = ["version", "screen", "flow_token"].map((name) => textOf(request[name]));
  return {
    ...(version === undefined ? {} : { version }),
    action,
    ...(screen === undefined ? {} : { screen }),
    ...(request["data"] === undefined ? {} : { data: { ...recordOf(request["data"]) } }),
    ...(token === undefined ? {} : { flow_token: token }),
  };
};
