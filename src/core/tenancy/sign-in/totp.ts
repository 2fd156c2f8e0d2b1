import type { Clock } from "../../../kernel/clock.ts";
import type { Random } from "../../../kernel/random.ts";

/** Codes of an authenticator app (RFC 6238): six digits, 30 seconds, with one step of tolerance on either side. */

const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Text in base32 without padding. */
export const base32 = (bytes: Uint8Array): string => {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return Array.from(bits.match(/.{1,5}/g) ?? [], (five) => BASE32[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
};

export const newTotpSecret = (random: Random): string => base32(random.bytes(SECRET_BYTES));

/** The address that an authenticator app reads from a QR code. */
export const totpAddress = async (secret: string, { label, issuer }: { label: string; issuer: string }) => {
  const { generateURI } = await import("otplib");
  return generateURI({ issuer, label, secret });
};

/**
 * The time step of a valid code, which must be later than the step of the last code: a code works once. Undefined for
 * any other text.
 */
export const totpStepOf = async (
  { clock }: { clock: Pick<Clock, "now"> },
  { secret, code, after }: { secret: string; code: string; after: number | null },
): Promise<number | undefined> => {
  const digits = code.replace(/[\s-]/g, "");
  if (!/^\d{6}$/.test(digits)) return undefined;
  const { verify } = await import("otplib"); // loaded with the first code
  const result = await verify({
    secret,
    token: digits,
    epoch: Math.floor(clock.now() / 1000),
    epochTolerance: PERIOD_SECONDS,
    ...(after === null ? {} : { afterTimeStep: after }),
  });
  return result.valid && "timeStep" in result ? result.timeStep : undefined;
};
