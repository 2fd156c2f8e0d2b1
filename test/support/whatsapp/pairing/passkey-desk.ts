import { createDecipheriv, createHash, createHmac, hkdfSync, randomBytes, verify } from "node:crypto";
import { Curve, type KeyPair, proto, S_WHATSAPP_NET } from "@whiskeysockets/baileys";
import type { PasskeyAssertion } from "../../../../src/contract/abilities/pairing.ts";
import type { Account, Network } from "../model.ts";
import { bytesOf, child, firstChild, type Stanza, stanza } from "../wire/stanza.ts";
import type { Visitor } from "./pairing.ts";
import { RefusedByPhone } from "./refused.ts";

/** A linking that waits for the passkey of the account's owner. `secret`: the one that was scanned, or came of a code. */
export type Shortcake = {
  readonly account: Account;
  readonly secret: Buffer;
  readonly challenge: string;
  readonly ref: string;
  /** Vouches for the companion under the secret that it has sent. */
  succeed(secret: Buffer): void;
  refuse(refusal: RefusedByPhone): void;
  identity?: Buffer;
  commitment?: Buffer;
  isProven?: boolean;
  phone?: { ephemeral: KeyPair; nonce: Buffer };
  /** The code that the phone shows, where it has to be compared. */
  code?: string;
};

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTVWXYZ";
const CHROME = 1;

const sha256 = (...parts: (Uint8Array | string)[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const optionsFor = ({ account, challenge }: Shortcake): Buffer =>
  Buffer.from(
    JSON.stringify({
      challenge,
      rpId: "whatsapp.com",
      userVerification: "required",
      allowCredentials: [{ type: "public-key", id: account.passkey?.id.toString("base64url") }],
      timeout: 600_000,
      extensions: {},
    }),
  );

/** Asks the companion for the passkey; the QR code or code that was used stays good. */
export const askPasskey = (
  network: Network,
  visitor: Visitor,
  given: Pick<Shortcake, "account" | "secret" | "succeed" | "refuse">,
): void => {
  const shortcake: Shortcake = {
    ...given,
    challenge: randomBytes(32).toString("base64url"),
    ref: randomBytes(16).toString("base64"),
  };
  visitor.shortcake = shortcake;
  const isWithheld = network.rules.withheldOptions.take(undefined, given.account);
  visitor.link.send(
    stanza(
      "notification",
      { from: S_WHATSAPP_NET, type: "passkey_prologue_request", id: network.newId(), t: String(network.now()) },
      isWithheld ? [] : [stanza("passkey_request_options", {}, optionsFor(shortcake))],
    ),
  );
};

const isSigned = ({ account, challenge }: Shortcake, { response }: PasskeyAssertion): boolean => {
  const clientData = Buffer.from(response.clientDataJSON, "base64url");
  const data = Buffer.from(response.authenticatorData, "base64url");
  const { type, challenge: signed, origin } = JSON.parse(clientData.toString());
  return (
    type === "webauthn.get" &&
    signed === challenge &&
    /^https:\/\/(?:[a-z]+\.)?whatsapp\.com$/.test(origin) &&
    data.subarray(0, 32).equals(sha256("whatsapp.com")) &&
    ((data[32] ?? 0) & 0b101) === 0b101 &&
    account.passkey !== undefined &&
    verify(
      "sha256",
      Buffer.concat([data, sha256(clientData)]),
      account.passkey.publicKey,
      Buffer.from(response.signature, "base64url"),
    )
  );
};

/** What is wrong with a prologue; undefined where nothing is. */
const faultIn = (shortcake: Shortcake, asked: Stanza): string | undefined => {
  const payload = bytesOf(asked, "prologue_payload");
  const { companionEphemeralIdentity, commitment } = proto.ProloguePayload.decode(payload);
  const identity = Buffer.from(companionEphemeralIdentity ?? []);
  const { ref, deviceType } = proto.CompanionEphemeralIdentity.decode(identity);
  const assertion: PasskeyAssertion = JSON.parse(bytesOf(asked, "webauthn_assertion").toString());
  const proof = child(asked, "pairing_handoff_proof") && bytesOf(asked, "pairing_handoff_proof");
  const key = Buffer.from(hkdfSync("sha256", shortcake.secret, "", "shortcake-passkey-handoff-v1", 32));
  if (ref !== shortcake.ref || deviceType !== CHROME) return "another linking";
  if (!bytesOf(asked, "credential_id").equals(shortcake.account.passkey?.id ?? Buffer.alloc(0)))
    return "no such passkey";
  if (!isSigned(shortcake, assertion)) return "the signature is wrong";
  if (proof && !proof.equals(createHmac("sha256", key).update(payload).digest())) return "the proof is wrong";
  shortcake.identity = identity;
  shortcake.commitment = Buffer.from(commitment?.hash ?? []);
  shortcake.isProven = proof !== undefined;
  return undefined;
};

const continueWith = (network: Network, visitor: Visitor, shortcake: Shortcake): void => {
  shortcake.phone = { ephemeral: Curve.generateKeyPair(), nonce: randomBytes(32) };
  const { ephemeral, nonce } = shortcake.phone;
  const shown = proto.PrimaryEphemeralIdentity.encode({ publicKey: ephemeral.public, nonce }).finish();
  visitor.link.send(
    stanza(
      "notification",
      { from: S_WHATSAPP_NET, type: "crsc_continuation", id: network.newId(), t: String(network.now()) },
      [stanza("primary_ephemeral_identity", {}, shown)],
    ),
  );
};

/** Whether the nonce is the one that the companion had committed itself to. The phone then shows its code. */
const isCommitted = (shortcake: Shortcake, nonce: Buffer): boolean => {
  const { identity, commitment, phone } = shortcake;
  if (!identity || !commitment || !phone || !sha256(identity, nonce).equals(commitment)) return false;
  const own = sha256(nonce, phone.ephemeral.public);
  let bits = 0n;
  for (let index = 0; index < 5; index++) bits = (bits << 8n) | BigInt((phone.nonce[index] ?? 0) ^ (own[index] ?? 0));
  const text = Array.from({ length: 8 }, (_, index) => ALPHABET[Number((bits >> BigInt(35 - 5 * index)) & 31n)]).join(
    "",
  );
  if (!shortcake.isProven) shortcake.code = `${text.slice(0, 4)}-${text.slice(4)}`;
  return true;
};

/** The secret in a request that is sealed for the phone, where the request is this companion's. */
const secretIn = (visitor: Visitor, { identity, phone, ref }: Shortcake, sealed: Buffer): Buffer | undefined => {
  if (!identity || !phone) return undefined;
  const { publicKey } = proto.CompanionEphemeralIdentity.decode(identity);
  const { encryptedPayload, iv } = proto.EncryptedPairingRequest.decode(sealed);
  const payload = Buffer.from(encryptedPayload ?? []);
  const key = Buffer.from(
    hkdfSync(
      "sha256",
      Curve.sharedKey(phone.ephemeral.private, publicKey ?? new Uint8Array()),
      `Companion Pairing ${CHROME} with ref ${ref}`,
      "Pairing Information Encryption Key",
      32,
    ),
  );
  const decipher = createDecipheriv("aes-256-gcm", key, iv ?? new Uint8Array());
  decipher.setAuthTag(payload.subarray(-16));
  const request = proto.PairingRequest.decode(
    Buffer.concat([decipher.update(payload.subarray(0, -16)), decipher.final()]),
  );
  const isOurs =
    visitor.noiseKey.equals(request.companionPublicKey ?? new Uint8Array()) &&
    visitor.identity.equals(request.companionIdentityKey ?? new Uint8Array());
  return isOurs && request.advSecret?.length === 32 ? Buffer.from(request.advSecret) : undefined;
};

/** Takes what a companion asks or says about its passkey; false where it is about something else. */
export const takePasskey = (network: Network, visitor: Visitor, iq: Stanza): boolean => {
  const { shortcake } = visitor;
  const asked = firstChild(iq);
  if (!shortcake || !asked) return false;
  const answer = (children: Stanza[] = [], type = "result") =>
    visitor.link.send(stanza("iq", { id: iq.attrs["id"], from: S_WHATSAPP_NET, type }, children));
  const refuse = (why: string) => {
    delete visitor.shortcake;
    answer([stanza("error", { code: "400", text: why })], "error");
    shortcake.refuse(new RefusedByPhone(why));
  };
  switch (asked.tag) {
    case "passkey_request_options":
      answer([stanza("passkey_request_options", {}, optionsFor(shortcake))]);
      return true;
    case "ref":
      answer([stanza("ref", {}, Buffer.from(shortcake.ref))]);
      return true;
    case "passkey_prologue": {
      const fault = faultIn(shortcake, asked);
      if (fault !== undefined) refuse(fault);
      else {
        answer();
        continueWith(network, visitor, shortcake);
      }
      return true;
    }
    case "companion_nonce":
      if (isCommitted(shortcake, Buffer.from(asked.content as Uint8Array))) answer();
      else refuse("the nonce is another");
      network.changed();
      return true;
    case "encrypted_pairing_request": {
      const secret = secretIn(visitor, shortcake, Buffer.from(asked.content as Uint8Array));
      if (!secret) refuse("the request cannot be read");
      else {
        delete visitor.shortcake;
        answer();
        network.stat.passkeysUsed++;
        network.rules.vouchings.pass(() => shortcake.succeed(secret));
        network.changed();
      }
      return true;
    }
    default:
      return false;
  }
};
