import { isRecord, type Json, parsedJson, recordOf, SIGNED_JSON } from "../../src/kernel/texts/json.ts";

// Readers for foreign JSON: a value of another type reads as missing, never as an error.

/**
 * A text that is not empty. A number is read as its digits, because official samples mix the two, unless it is so long
 * that its last digits are lost. No event may have halves of characters, which become U+FFFD, or NUL, which is left out.
 */
export const textOf = (value: unknown): string | undefined => {
  if (typeof value === "number")
    return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : undefined;
  return typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") || undefined : undefined;
};

/** The beginning of a text without NUL, and without half a character at its end: no event may have either. */
export const cut = (text: string, max: number): string => text.replaceAll("\0", "").slice(0, max).toWellFormed();

/** A finite number, even if it is written as text. */
export const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
};

/**
 * The JSON object in `text`, or undefined. Non-breaking spaces between the tokens, as in copied samples, are forgiven.
 */
export const parseRecord = (text: string): Json | undefined => {
  const value = parsed(text);
  return isRecord(value) ? value : undefined;
};

/** The JSON objects that `text` lists, or its single object. */
export const parseRecords = (text: string): Json[] => {
  const value = parsed(text);
  return (Array.isArray(value) ? value : [value]).map(recordOf);
};

const parsed = (text: string): unknown =>
  parsedJson(text, SIGNED_JSON) ?? parsedJson(text.replaceAll("\u00a0", " "), SIGNED_JSON);
