import { type Static, Type } from "@sinclair/typebox";
import type { Rate, RateCards, RateQuery } from "../../../src/contract/abilities/charges.ts";
import { microsOf } from "../../../src/kernel/numbers/money.ts";
import { issuesOf } from "../../../src/kernel/schema.ts";
import { CARDS, type Card } from "./cards.ts";
import { MARKETS, type Market } from "./markets.ts";

/** The account's currency until the network has named it: the currency of Recado's own invoices. */
const ASSUMED_CURRENCY = "BRL";

const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "must be a day such as 2026-10-01" });
const Currency = Type.String({ pattern: "^[A-Z]{3}$", description: "must be an ISO 4217 code" });
const Amount = Type.String({ pattern: "^\\d{1,6}(\\.\\d{1,6})?$", description: 'must be a decimal such as "0.0350"' });
const Country = Type.String({ pattern: "^[A-Z]{2}$", description: "must be an ISO 3166 code" });
const Prefix = Type.String({ pattern: "^[1-9]\\d{0,6}$", description: "must be the first digits of a number" });

/** The operator's file of prices. */
const RatesFile = Type.Object({
  markets: Type.Optional(
    Type.Record(Type.String(), Type.Object({ countries: Type.Array(Country), prefixes: Type.Array(Prefix) })),
  ),
  cards: Type.Array(
    Type.Object({
      effectiveFrom: Day,
      currency: Currency,
      rates: Type.Record(Type.String(), Type.Record(Type.String(), Amount)),
    }),
  ),
});

/** The operator's own markets and prices. Its cards replace all of Recado's cards in the same currency. */
export type OwnRates = { markets?: Readonly<Record<string, Market>>; cards: readonly Card[] };

/**
 * Reads the operator's file.
 *
 * @throws Error that names the first wrong part, or the market without a definition.
 */
export const readRates = (text: string): OwnRates => {
  const value: unknown = JSON.parse(text);
  const [wrong] = issuesOf(RatesFile, value);
  if (wrong) throw new Error(`${wrong.path}: ${wrong.message}`);
  const file = value as Static<typeof RatesFile>;
  const markets = { ...MARKETS, ...file.markets };
  for (const [index, { rates }] of file.cards.entries())
    for (const market of Object.keys(rates))
      if (!Object.hasOwn(markets, market))
        throw new Error(`cards.${index}.rates: the market ${market} is not known; add it to markets`);
  for (const [market, { countries, prefixes }] of Object.entries(file.markets ?? {}))
    if (countries.length !== prefixes.length && countries.length !== 1)
      throw new Error(`markets.${market}: give each prefix its country, or one country for all prefixes`);
  return { ...(file.markets === undefined ? {} : { markets: file.markets }), cards: file.cards };
};

type Place = { market: string; country: string };

/** The prices of the official network: Recado's, and the operator's own before them. */
export const rateCards = (own: OwnRates = { cards: [] }): RateCards => {
  const places = placesOf({ ...MARKETS, ...own.markets });
  const replaced = new Set(own.cards.map(({ currency }) => currency));
  const cards = [...own.cards, ...CARDS.filter(({ currency }) => !replaced.has(currency))].toSorted((one, other) =>
    // two days: `localeCompare` would load the rules of all languages
    one.effectiveFrom < other.effectiveFrom ? -1 : Number(one.effectiveFrom > other.effectiveFrom),
  );
  const byCurrency = Map.groupBy(cards, ({ currency }) => currency);
  return {
    currencyOf: ({ wabaCurrency }) => (typeof wabaCurrency === "string" ? wabaCurrency : ASSUMED_CURRENCY),
    rateOf: (query) => rateIn(byCurrency.get(query.currency) ?? [], placeOf(places, query.recipient), query),
  };
};

/** The market of a country, and of each prefix of its numbers. */
const placesOf = (markets: Readonly<Record<string, Market>>): ReadonlyMap<string, Place> =>
  new Map(
    Object.entries(markets).flatMap(([market, { countries, prefixes }]) => [
      ...countries.map((country): [string, Place] => [country, { market, country }]),
      ...prefixes.map((prefix, index): [string, Place] => [
        prefix,
        { market, country: countries[index] ?? countries[0] ?? "" },
      ]),
    ]),
  );

const LONGEST_PREFIX = 7;

/** By the longest known prefix of a number, or by the country that a user id begins with. */
const placeOf = (places: ReadonlyMap<string, Place>, recipient: string): Place | undefined => {
  const [scheme, id = ""] = recipient.split(":", 2);
  if (scheme === "bsuid") return places.get(id.slice(0, 2));
  if (scheme !== "pn") return undefined;
  for (let length = LONGEST_PREFIX; length > 0; length--) {
    const place = places.get(id.slice(0, length));
    if (place) return place;
  }
  return undefined;
};

/** The lists have the prices of messages of this type. The price of another type is not known. */
const LISTED = "regular";

/** The price in the newest card that is in force on the day. Before the first card, the first card counts. */
const rateIn = (
  cards: readonly Card[],
  place: Place | undefined,
  { category, day, type = LISTED }: RateQuery,
): Rate => {
  const card = cards.findLast(({ effectiveFrom }) => effectiveFrom <= day) ?? cards[0];
  const rates = (place && card?.rates[place.market]) ?? {};
  const name = category.toLowerCase();
  const amount = type.toLowerCase() === LISTED && Object.hasOwn(rates, name) ? rates[name] : undefined;
  return { country: place?.country ?? null, micros: amount === undefined ? null : microsOf(amount) };
};
