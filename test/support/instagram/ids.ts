import { sha256 } from "../../../src/kernel/crypto.ts";
import type { Random } from "../../../src/kernel/random.ts";

const digits = (random: Random, count: number): string => Array.from(random.bytes(count), (byte) => byte % 10).join("");

/** A message id in the form of the real ones: base64 in which `Z` is written `ZA` and `=` is written `ZD`. */
export const newMid = (random: Random, igUserId: string): string => {
  const text = `ig_dm_item:1:IGMessageID:${igUserId}:${digits(random, 39)}:${digits(random, 35)}`;
  return Buffer.from(text).toString("base64").replaceAll("Z", "ZA").replaceAll("=", "ZD");
};

export const newToken = (random: Random): string => `IGAA${Buffer.from(random.bytes(96)).toString("base64url")}ZD`;

export const newCode = (random: Random): string => `AQ${Buffer.from(random.bytes(60)).toString("base64url")}`;

/** The app-scoped id of an account: always the same one, and never the account's own. */
export const appScopedIdOf = (igUserId: string): string =>
  `2${BigInt(`0x${sha256(igUserId).slice(0, 13)}`)
    .toString()
    .padStart(16, "0")}`;
