import type { UpstreamResult } from "../upstream.ts";

// What a network charges its business for delivered messages. Amounts are integers of a millionth of their currency:
// networks charge less than a cent for some messages.

/**
 * A message whose price is wanted. `recipient` is its canonical key, `category` the network's category in capitals
 * (`MARKETING`), `currency` an ISO 4217 code. `day` (`YYYY-MM-DD`) is the day of the delivery: prices change at
 * midnight. `type`: the network's word for how the message is charged, once it has said one.
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

/** What the network itself has counted on one day: the truth that an own ledger is compared with. */
export type ReportedCharge = {
  day: string;
  /** The business number, as digits. */
  phoneNumber: string;
  country: string;
  category: string;
  type: string;
  tier: string | null;
  count: number;
  /** Null where the network hides it. */
  micros: number | null;
};

/** Present where the network reports what it has charged. */
export type ChargesApi = {
  /** What the network says of the money of the channel's account: attributes for its profile. Never throws. */
  account(): Promise<UpstreamResult<Record<string, unknown>>>;
  /** What was charged for the numbers of this channel's account, from one moment until before another. Never throws. */
  reported(span: { fromMs: number; toMs: number }): Promise<UpstreamResult<ReportedCharge[]>>;
};
