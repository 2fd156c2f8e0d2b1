/**
 * A price list in one currency, from one day on: amounts as decimals per delivered message, by market and category. It
 * has no volume tiers, because no receipt names its tier.
 */
export type Card = {
  effectiveFrom: string;
  currency: string;
  rates: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

/** In these markets an authentication message costs what a utility message costs. */
const ratesOf = (marketing: string, utility: string) => ({ marketing, utility, authentication: utility });

const BRAZIL_BRL = ratesOf("0.3217", "0.0350");
const USD = {
  Brazil: ratesOf("0.0625", "0.0068"),
  Argentina: ratesOf("0.0618", "0.0260"),
  Chile: ratesOf("0.0889", "0.0200"),
  Colombia: ratesOf("0.0125", "0.0008"),
  Mexico: ratesOf("0.0397", "0.0085"),
  Peru: ratesOf("0.0703", "0.0300"),
  "Rest of Latin America": ratesOf("0.0740", "0.0113"),
};

/** A service message costs what a utility message costs, since 1 October 2026. */
const withService = <Rates extends Record<string, { utility: string }>>(rates: Rates) =>
  Object.fromEntries(Object.entries(rates).map(([market, one]) => [market, { ...one, service: one.utility }]));

/**
 * TABLE: the prices that come with Recado. Others read them from Meta's cards in autumn 2026. Compare them with your
 * own: Meta offers its cards as files behind links that expire, and by no API.
 */
export const CARDS: readonly Card[] = [
  { effectiveFrom: "2026-07-01", currency: "BRL", rates: { Brazil: BRAZIL_BRL } },
  { effectiveFrom: "2026-10-01", currency: "BRL", rates: withService({ Brazil: BRAZIL_BRL }) },
  { effectiveFrom: "2026-07-01", currency: "USD", rates: USD },
  { effectiveFrom: "2026-10-01", currency: "USD", rates: withService(USD) },
];
