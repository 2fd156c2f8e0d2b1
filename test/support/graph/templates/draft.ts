import { OneOf } from "../../../../src/kernel/schema.ts";
import { CATEGORIES, PARAMETER_FORMATS } from "../seeds.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";
import { checkedForm } from "./form.ts";
import type { Category, Component, ParameterFormat } from "./model.ts";
import { refusedParameter } from "./refusals.ts";

// Graph reads the words of its lists in either case, and answers with them in capitals.
const upper = (value: unknown): unknown => (typeof value === "string" ? value.toUpperCase() : value);

/** A category in Graph's reading. Throws 100 for an unknown category. */
export const categoryOf = (value: unknown): Category => checkedForm(OneOf(CATEGORIES), upper(value), "category");

/** POSITIONAL by default. Throws 100 for an unknown format. */
export const parameterFormatOf = (value: unknown): ParameterFormat =>
  checkedForm(OneOf(PARAMETER_FORMATS), upper(value ?? "POSITIONAL"), "parameter_format");

/** Components with their types and formats in capitals. Throws 100 when it is no list of objects. */
export const componentsOf = (value: unknown): Component[] => {
  const list: unknown = typeof value === "string" ? parsed(value) : value;
  if (!Array.isArray(list) || list.length === 0) throw refusedParameter("Param components must be a non-empty array.");
  return list.map(fieldsOf).map(inCapitals);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw refusedParameter("Param components must be a JSON array.");
  }
};

const inCapitals = (component: Fields): Component => {
  const { type, format, buttons, cards } = component;
  return {
    ...component,
    type: textOf(upper(type)),
    ...(format === undefined ? {} : { format: upper(format) }),
    ...(Array.isArray(buttons) ? { buttons: buttons.map(fieldsOf).map(buttonInCapitals) } : {}),
    ...(Array.isArray(cards)
      ? {
          cards: cards.map(fieldsOf).map((card) => ({
            ...card,
            components: (Array.isArray(card["components"]) ? card["components"] : []).map(fieldsOf).map(inCapitals),
          })),
        }
      : {}),
  };
};

const buttonInCapitals = (button: Fields): Fields => ({
  ...button,
  type: upper(button["type"]),
  ...(button["otp_type"] === undefined ? {} : { otp_type: upper(button["otp_type"]) }),
});

/**
 * The most that 1,000 deliveries may cost, in minor units; undefined without a request. Throws 100 for another form or
 * category.
 */
export const bidOf = (value: unknown, category: Category): number | undefined => {
  if (value === undefined) return undefined;
  const { bid_strategy: strategy, bid_amount: amount } = fieldsOf(value);
  if (category !== "MARKETING") throw refusedParameter("Param optimization_spec is for marketing templates.");
  if (strategy === "LOWEST_COST_WITH_BID_CAP" && typeof amount === "number" && Number.isInteger(amount) && amount > 0)
    return amount;
  throw refusedParameter("Param optimization_spec is not valid.");
};

/** Each category's span of `message_send_ttl_seconds`; -1 stands for 30 days. */
const TTL_SECONDS: Record<Category, { min: number; max: number; mayBeUnlimited: boolean }> = {
  AUTHENTICATION: { min: 30, max: 900, mayBeUnlimited: true },
  UTILITY: { min: 30, max: 43_200, mayBeUnlimited: true },
  MARKETING: { min: 43_200, max: 2_592_000, mayBeUnlimited: false },
};

/**
 * The seconds that messages of the category may be tried for; undefined without a request. Throws 100 outside of the
 * category's span.
 */
export const ttlOf = (value: unknown, category: Category): number | undefined => {
  if (value === undefined) return undefined;
  const { min, max, mayBeUnlimited } = TTL_SECONDS[category];
  if (
    typeof value === "number" &&
    Number.isInteger(value) &&
    ((value >= min && value <= max) || (value === -1 && mayBeUnlimited))
  )
    return value;
  throw refusedParameter(
    `Param message_send_ttl_seconds must be between ${min} and ${max} for templates of category ${category}.`,
  );
};
