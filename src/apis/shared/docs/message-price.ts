import { Type } from "@sinclair/typebox";
import type { Measured } from "../../../contract/outcome.ts";
import { described } from "../../../kernel/schema.ts";

/** What the network says of a sent message's size and price, beside the other fields of the message. */
export const PRICE_FIELDS = {
  parts: Type.Optional(
    Type.Integer({
      description: "How many parts the network made of it, such as segments of an SMS; absent until it says so",
      examples: [2],
    }),
  ),
  price: Type.Optional(
    described(
      Type.Object(
        {
          amountMicros: Type.Integer({ description: "The amount in millionths of the currency", examples: [15_000] }),
          currency: Type.String({ description: "The currency, as ISO 4217 has it", examples: ["BRL"] }),
        },
        { title: "MessagePrice" },
      ),
      "What the network charges the account for it; absent until it says so",
    ),
  ),
};

/** The same fields of a message. */
export const priceFields = ({ pricing }: { pricing?: Measured | null }) => ({
  ...(pricing?.parts === undefined ? {} : { parts: pricing.parts }),
  ...(pricing?.price === undefined
    ? {}
    : { price: { amountMicros: pricing.price.amount, currency: pricing.price.currency } }),
});
