import type { UpstreamResult } from "../upstream.ts";

// The charges of a network for delivered messages. Amounts are integers, in millionths of their currency: some messages
// cost less than a cent.

/**
 * A message whose price is wanted. `recipient` is its canonical key, `category` the network's category in capitals
 * (`MARKETING`), `currency` an ISO 4217 code. `day` (`YYYY-MM-DD`) is the day of the delivery: prices change at
 * midnight. `type`: the network's word for how it charges the message, once it is known.
 */
export type RateQuery = {
  recipient: string;
  category: string;
  currency: string;
  day: string;
  type?: string | undefined;
};

/** `country` is an ISO 3166 code. Null: no market, or no price, is known. A price that is not known is never 0. */
export type Rate = { country: string | null; micros: number | null };

/** The price lists of a network. Present on an adapter whose network charges for messages. Pure. */
export type RateCards = {
  /** The currency in which the network charges a channel with this profile. */
  currencyOf(profile: Readonly<Record<string, unknown>>): string;
  rateOf(query: RateQuery): Rate;
};

/** What the network itself counted on one day. Recado compares its own ledger with it. */
export type ReportedCharge = {
  day: string;
  /** The business number, as digits. */
  phoneNumber: string;
  country: string;
  category: string;
  type: string;
  tier: string | null;
  count: number;
  /** Null if the network hides it. */
  micros: number | null;
};

/** Present if the network reports what it has charged. */
export type ChargesApi = {
  /** The network's data about the billing of the channel's account: attributes for its profile. Never throws. */
  account(): Promise<UpstreamResult<Record<string, unknown>>>;
  /** The charges for the numbers of this channel's account, from `fromMs` to just before `toMs`. Never throws. */
  reported(span: { fromMs: number; toMs: number }): Promise<UpstreamResult<ReportedCharge[]>>;
};
