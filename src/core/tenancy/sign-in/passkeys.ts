import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { AppError } from "../../../kernel/errors.ts";
import type { Random } from "../../../kernel/random.ts";
import type { PasskeyRow } from "../../../store/tables/tenancy/console-people.ts";

/** The site of passkeys: the console's origin, and the host that they belong to. */
export type PasskeySite = { origin: string; host: string };

const CHALLENGE_BYTES = 32;
const TIMEOUT_MS = 5 * 60_000;

/** The library is loaded with the first passkey: most requests need none. */
const library = () => import("@simplewebauthn/server");

export const newChallenge = (random: Random): string =>
  Buffer.from(random.bytes(CHALLENGE_BYTES)).toString("base64url");

export const passkeyUnusable = (cause?: unknown): AppError =>
  new AppError("PASSKEY_UNUSABLE", { message: "This passkey's answer is not valid here. Try again.", cause });

/**
 * The options with which a browser makes a passkey for a person. A browser that already has one of theirs makes none.
 */
export const registrationOptions = async (
  site: PasskeySite,
  person: { key: string; name: string; email: string; passkeys: readonly PasskeyRow[] },
  challenge: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> => {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: "Recado",
    rpID: site.host,
    userID: new TextEncoder().encode(person.key),
    userName: person.email,
    userDisplayName: person.name,
    challenge: Buffer.from(challenge, "base64url"),
    timeout: TIMEOUT_MS,
    attestationType: "none",
    excludeCredentials: person.passkeys.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
  });
};

/**
 * The passkey that a browser has made.
 * @throws AppError PASSKEY_UNUSABLE.
 */
export const registeredPasskey = async (
  { origin, host }: PasskeySite,
  response: unknown,
  challenge: string,
): Promise<Pick<PasskeyRow, "id" | "publicKey" | "counter" | "transports">> => {
  const { verifyRegistrationResponse } = await library();
  const result = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw passkeyUnusable(error);
  });
  if (!result.verified) throw passkeyUnusable();
  const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential;
  return { id, publicKey: Buffer.from(publicKey).toString("base64url"), counter, transports };
};

/** The options with which a browser signs with a passkey; without `passkeys`, the browser's user chooses one. */
export const authenticationOptions = async (
  { host }: PasskeySite,
  challenge: string,
  passkeys: readonly PasskeyRow[] = [],
): Promise<PublicKeyCredentialRequestOptionsJSON> => {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: host,
    challenge: Buffer.from(challenge, "base64url"),
    timeout: TIMEOUT_MS,
    userVerification: "required",
    allowCredentials: passkeys.map(({ id, transports }) => ({
      id,
      transports,
    })),
  });
};

/** The passkey that an answer names; undefined for an answer of another shape. */
export const passkeyIdIn = (response: unknown): string | undefined => {
  const id = (response as { id?: unknown } | null)?.id;
  return typeof id === "string" && id.length <= 2000 ? id : undefined;
};

/** The new counter of a passkey whose signature is valid; undefined for any other answer. */
export const verifiedCounter = async (
  { origin, host }: PasskeySite,
  { id, publicKey, counter }: PasskeyRow,
  { response, challenge }: { response: unknown; challenge: string },
): Promise<number | undefined> => {
  const { verifyAuthenticationResponse } = await library();
  const result = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")), counter },
    requireUserVerification: true,
  }).catch(() => undefined); // of another shape, host, key or challenge: none of these is a proof
  return result?.verified ? result.authenticationInfo.newCounter : undefined;
};
