import { sha256 } from "../../../src/kernel/crypto.ts";
import type { Random } from "../../../src/kernel/random.ts";

/** A message id in the form of the real ones: base64 of the user's number, the direction and random hex digits. */
export const newWamid = (random: Random, user: string, direction: "outbound" | "inbound"): string => {
  const digits = Buffer.from(user.replace(/\D/g, "").slice(0, 20) || "0");
  const tail = Buffer.from(Buffer.from(random.bytes(9)).toString("hex").toUpperCase());
  const head = Buffer.from([0x1c, 0x18, digits.length]);
  const middle = Buffer.from([0x15, 0x02, 0x00, direction === "outbound" ? 0x11 : 0x12, 0x18, tail.length]);
  return `wamid.${Buffer.concat([head, digits, middle, tail, Buffer.from([0x00])]).toString("base64")}`;
};

/** `fbtrace_id`: 23 characters. */
export const newTraceId = (random: Random): string => `A${Buffer.from(random.bytes(16)).toString("base64url")}`;

/**
 * A numeric id of 16 digits, as media, requests and templates have; a number holds it, for webhooks write it as one.
 */
export const newNumericId = (random: Random): string =>
  String(1_000_000_000_000_000 + Math.floor(random.float() * 8_000_000_000_000_000));

/** The business-scoped id of a number: always the same one, so that a test can name it. */
export const bsuidOf = (waId: string): string => {
  const country = waId.startsWith("55") ? "BR" : "US";
  return `${country}.${BigInt(`0x${sha256(waId).slice(0, 13)}`).toString()}`;
};

export const BSUID = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/;
