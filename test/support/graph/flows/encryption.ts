import { createPublicKey } from "node:crypto";
import { type Call, type Effect, numberOf, ok, required, SUCCESS } from "../call.ts";
import { badParameter } from "../errors.ts";

/** `GET /{number}/whatsapp_business_encryption`: the key in use; MISMATCH once the number was registered anew. */
export const getPublicKey = (call: Call): Effect => {
  const number = numberOf(call);
  const key = number.publicKeys.at(-1);
  const data =
    key === undefined
      ? []
      : [{ business_public_key: key, business_public_key_signature_status: number.isKeySigned ? "VALID" : "MISMATCH" }];
  return { operation: "key.get", phoneNumberId: call.node, run: () => ok({ data }) };
};

/** `POST /{number}/whatsapp_business_encryption`: a public RSA key of 2048 bits in PEM. */
export const setPublicKey = (call: Call): Effect => {
  const number = numberOf(call);
  const { business_public_key: key } = call.body;
  if (key === undefined) throw required("business_public_key");
  if (typeof key !== "string" || !isRsa2048(key))
    throw badParameter("Param business_public_key must be a valid 2048-bit RSA public key in PEM format.");
  const run = () => {
    number.publicKeys.push(key);
    number.isKeySigned = true;
    return SUCCESS;
  };
  return { operation: "key.set", phoneNumberId: call.node, run };
};

const isRsa2048 = (pem: string): boolean => {
  // a private key would be read as its public half
  if (!pem.trim().startsWith("-----BEGIN PUBLIC KEY-----")) return false;
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem);
    return asymmetricKeyType === "rsa" && asymmetricKeyDetails?.modulusLength === 2048;
  } catch {
    return false;
  }
};
