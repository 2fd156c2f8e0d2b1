import type { MessagePrice } from "../../src/contract/outcome.ts";

// Readers for what strangers send: a value of another type reads as missing, never as an error.

/** A text that is not empty, without NUL and halves of characters, which no event may have. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") || undefined : undefined;

/** A finite number, even if it is written as text. */
export const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
};

/** A provider's id of a message. */
export const idOf = (value: unknown): string | undefined => {
  const id = textOf(value);
  return id !== undefined && /^[\w.:~-]{1,200}$/.test(id) ? id : undefined;
};

/** A moment as providers write it, in milliseconds; 0 for none. */
export const timeOf = (value: unknown): number => {
  const at = Date.parse(textOf(value) ?? "");
  return Number.isNaN(at) || at < 0 ? 0 : at;
};

const MAX_PARTS = 1000;
const MILLIONTHS = 1_000_000;
/** A million of the currency: more is no price of a message. */
const MAX_AMOUNT = 1_000_000 * MILLIONTHS;

/** How many parts a provider has made; undefined if it does not say, as before it has chosen a sender. */
export const partsIn = (value: unknown): { parts?: number } => {
  const parts = numberOf(value);
  return parts !== undefined && Number.isInteger(parts) && parts >= 1 && parts <= MAX_PARTS ? { parts } : {};
};

/** A price, which providers write as what the account loses: `-0.00750`, `USD`. */
export const priceIn = (value: unknown, unit: unknown): { price?: MessagePrice } => {
  const [price, currency] = [numberOf(value), textOf(unit)?.toUpperCase()];
  const amount = Math.round(Math.abs(price ?? 0) * MILLIONTHS);
  if (price === undefined || currency === undefined || !/^[A-Z]{3}$/.test(currency)) return {};
  return amount <= MAX_AMOUNT ? { price: { amount, currency } } : {};
};

/** Our id of a message, as the address of a callback or the provider repeats it. */
export const messageIdIn = (value: unknown): { messageId?: string } => {
  const messageId = textOf(value);
  return messageId !== undefined && /^[\w-]{1,64}$/.test(messageId) ? { messageId } : {};
};
