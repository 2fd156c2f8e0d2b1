import { isRecord, type Json, parsedJson } from "../../src/kernel/texts/json.ts";

// Readers for JSON of the network: a value of another type reads as missing, never as an error.

/**
 * A text that is not empty. Halves of characters and NUL, which no event may have, become U+FFFD: places within the text
 * stay where they are.
 */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value.toWellFormed().replaceAll("\0", "\ufffd") : undefined;

/** Neither a letter, a digit, a sign nor a picture: spaces, controls, fillers and half a character. */
const VISIBLE = /[^\p{Z}\p{C}\u115f\u1160\u2800\u3164\uffa0]/u;

/**
 * A name that a person chose: at most `max` characters, without NUL and halves of characters. A name without anything
 * to see reads as missing.
 */
export const nameOf = (value: unknown, max: number): string | undefined => {
  if (typeof value !== "string") return undefined;
  const name = [
    ...value
      .slice(0, 2 * max)
      .toWellFormed()
      .replaceAll("\0", "")
      .trim(),
  ]
    .slice(0, max)
    .join("");
  return VISIBLE.test(name) ? name : undefined;
};

/** A finite number. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;

/** A finite number within bounds. */
export const numberWithin = (value: unknown, least: number, most: number): number | undefined => {
  const number = numberOf(value);
  return number === undefined || number < least || number > most ? undefined : number;
};

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
