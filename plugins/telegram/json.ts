import { isRecord, type Json, parsedJson } from "../../src/kernel/texts/json.ts";

// Readers for JSON of the network: a value of another type reads as missing, never as an error.

/** A text that is not empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

/** A finite number. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/**
 * An id as its digits. Ids have at most 52 significant bits (https://core.telegram.org/bots/api#chat); a longer id
 * would have lost its last digits.
 */
export const idOf = (value: unknown): string | undefined => (Number.isSafeInteger(value) ? String(value) : undefined);

/** The JSON object in a text; undefined without one. */
export const parseRecord = (text: string): Json | undefined => {
  const value = parsedJson(text);
  return isRecord(value) ? value : undefined;
};
