import { sha256 } from "../../../kernel/crypto.ts";
import type { Random } from "../../../kernel/random.ts";
import { base32 } from "./totp.ts";

const CODES = 10;
/** 80 bits: too many to find a code by its hash. */
const CODE_BYTES = 10;

const plainOf = (code: string): string => code.toUpperCase().replace(/[^A-Z2-7]/g, "");

/** The hash under which a recovery code is stored, however it was typed. */
export const recoveryHash = (code: string): string => sha256(`recovery:${plainOf(code)}`);

/** Ten new codes as a person reads them, in groups of four. */
export const newRecoveryCodes = (random: Random): string[] =>
  Array.from({ length: CODES }, () => base32(random.bytes(CODE_BYTES)).replace(/(.{4})(?=.)/g, "$1-"));
