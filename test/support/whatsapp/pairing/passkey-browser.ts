import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { PasskeyAssertion } from "../../../../src/contract/abilities/pairing.ts";

/** What an account knows of a passkey of its owner. */
export type PasskeyCredential = { readonly id: Buffer; readonly publicKey: KeyObject };

/** A browser that holds a passkey, and a page in it that has a challenge signed. */
export type PasskeyBrowser = {
  readonly credential: PasskeyCredential;
  /** Signs the network's options, as `navigator.credentials.get` does, on a page of this origin. */
  sign(
    options: Readonly<Record<string, unknown>>,
    wrong?: "challenge" | "origin" | "signature" | "flags",
  ): PasskeyAssertion;
};

const USER_PRESENT_AND_VERIFIED = 0b101;

export const passkeyBrowser = (): PasskeyBrowser => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const id = randomBytes(16);
  return {
    credential: { id, publicKey },
    sign(options, wrong) {
      const clientData = Buffer.from(
        JSON.stringify({
          type: "webauthn.get",
          challenge: wrong === "challenge" ? "AAAA" : options["challenge"],
          origin: wrong === "origin" ? "https://recado.example.com" : "https://web.whatsapp.com",
          crossOrigin: false,
        }),
      );
      const authenticatorData = Buffer.concat([
        createHash("sha256").update(String(options["rpId"])).digest(),
        Buffer.from([wrong === "flags" ? 0 : USER_PRESENT_AND_VERIFIED, 0, 0, 0, 1]),
      ]);
      const signed = Buffer.concat([authenticatorData, createHash("sha256").update(clientData).digest()]);
      const signature = sign("sha256", wrong === "signature" ? randomBytes(8) : signed, privateKey);
      return {
        id: id.toString("base64url"),
        rawId: id.toString("base64url"),
        type: "public-key",
        response: {
          clientDataJSON: clientData.toString("base64url"),
          authenticatorData: authenticatorData.toString("base64url"),
          signature: signature.toString("base64url"),
        },
      };
    },
  };
};
