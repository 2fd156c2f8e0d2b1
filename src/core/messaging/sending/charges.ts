import type { Identity, Receipt, ReceiptPricing } from "../../../contract/events.ts";
import type { MessagePrice } from "../../../contract/outcome.ts";
import { dayIn, utcDayOf } from "../../../kernel/clock.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type ChargeEntry, type ChargeState, countCharge } from "../../../store/tables/billing/charges.ts";
import type { MessageCharge, MessageRow } from "../../../store/tables/messaging/messages.ts";
import type { InboundContext } from "../../channels/identity.ts";
import type { MessagingEnv } from "../env.ts";

/** One receipt of a message, and the message's known charges by recipient. */
type Charged = { message: MessageRow; receipt: Receipt; charges: Readonly<Record<string, MessageCharge>> };

/**
 * Enters a receipt in the ledger, and returns the message's charges after it; undefined if nothing has changed. A
 * message is charged once it is delivered, by the first price that the network reports for it; in a group each
 * participant counts. The order of the receipts does not matter.
 */
export const enterCharge = (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  { message, receipt, charges }: Charged,
): Record<string, MessageCharge> | undefined => {
  const { channel, environment } = context;
  if (environment !== "live" || !env.registry.declared(channel.kind)?.rates) return undefined;
  const recipient = recipientOf(message, receipt.to, charges);
  const before = charges[recipient] ?? {};
  const after = chargeAfter(before, receipt);
  if (after === before) return undefined;
  const entry = entryOf(env, context, recipient, after);
  if (before.entry) countCharge(tx, before.entry, -1);
  if (entry) countCharge(tx, entry, 1);
  return { ...charges, [recipient]: { ...after, ...(entry ? { entry } : {}) } };
};

/** A message, the price that its network names now, and the earlier price's entry. */
type Stated = { message: MessageRow; price: MessagePrice | undefined; before: ChargeEntry | undefined };

/**
 * Enters the price that a network names, which replaces an earlier one, and returns its entry; undefined if nothing has
 * changed. Where there are price lists, receipts are charged by these instead.
 */
export const enterStatedPrice = (
  { registry, clock, config }: MessagingEnv,
  tx: Tx,
  { channel, environment }: InboundContext,
  { message, price, before }: Stated,
): ChargeEntry | undefined => {
  if (!price || environment !== "live" || registry.declared(channel.kind)?.rates) return undefined;
  const { amount: micros, currency } = price;
  if (before?.micros === micros && before.currency === currency) return undefined;
  const now = clock.now();
  const entry: ChargeEntry = {
    tenantId: message.tenantId,
    day: utcDayOf(now),
    localDay: dayIn(config.billingTz, now),
    channelId: channel.id,
    country: "",
    category: "",
    type: "",
    state: "STATED",
    currency,
    micros,
  };
  if (before) countCharge(tx, before, -1);
  countCharge(tx, entry, 1);
  return entry;
};

/**
 * Each participant of a group is charged for. One receipt may name a participant by the id and the number, and the next
 * one by the id alone: both are the same charge.
 */
const recipientOf = ({ recipient }: MessageRow, to: Identity | undefined, charges: Charged["charges"]): string => {
  if (!recipient.startsWith("group:") || !to) return recipient;
  const names = [
    ...(to.bsuid === undefined ? [] : [`bsuid:${to.bsuid}`]),
    ...(to.pn === undefined ? [] : [`pn:${to.pn}`]),
  ];
  return names.find((name) => Object.hasOwn(charges, name)) ?? names[0] ?? recipient;
};

/** The same object if the receipt reports nothing new: only the first price and the first delivery count. */
const chargeAfter = (before: MessageCharge, { status, at, pricing }: Receipt): MessageCharge => {
  const isPriced = pricing !== undefined && before.price === undefined;
  const isDelivered = (status === "delivered" || status === "read") && before.deliveredAt === undefined;
  if (!isPriced && !isDelivered) return before;
  const { entry: _, ...known } = before;
  return { ...known, ...(isPriced ? { price: pricing } : {}), ...(isDelivered ? { deliveredAt: at } : {}) };
};

/** The ledger entry of a charge; undefined before the delivery, which is what costs. */
const entryOf = (
  { registry, clock, config }: MessagingEnv,
  { channel }: InboundContext,
  recipient: string,
  { price, deliveredAt }: MessageCharge,
): ChargeEntry | undefined => {
  const cards = registry.declared(channel.kind)?.rates;
  if (!cards || deliveredAt === undefined) return undefined;
  const category = categoryOf(price);
  const localDay = dayIn(config.billingTz, deliveredAt);
  const accountCurrency = cards.currencyOf(channel.profile);
  const rate = cards.rateOf({ recipient, category, currency: accountCurrency, day: localDay, type: price?.type });
  const { micros, currency } = price?.cost ?? { micros: rate.micros, currency: accountCurrency };
  const state = stateOf(price, micros);
  return {
    tenantId: channel.tenantId,
    day: utcDayOf(clock.now()),
    localDay,
    channelId: channel.id,
    country: rate.country ?? "",
    category,
    type: price?.type?.toLowerCase() ?? "",
    state,
    currency,
    micros: state === "DUE" ? (micros ?? 0) : 0,
  };
};

/** The network writes `authentication-international` in one place and `authentication_international` in another. */
const categoryOf = (price: ReceiptPricing | undefined): string =>
  price?.category.toUpperCase().replaceAll("-", "_") ?? "";

const stateOf = (price: ReceiptPricing | undefined, micros: number | null): ChargeState => {
  if (!price) return "UNPRICED";
  if (!price.isBillable) return "FREE";
  return micros === null ? "UNRATED" : "DUE";
};
