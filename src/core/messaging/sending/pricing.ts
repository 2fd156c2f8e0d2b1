import { DEFAULT_LANGUAGE } from "../../../contract/content/templates.ts";
import type { Receipt } from "../../../contract/events.ts";
import type { Measured } from "../../../contract/outcome.ts";
import { DAY_MS, utcDayOf } from "../../../kernel/clock.ts";
import { personKeyOf } from "../../../kernel/numbers/phone-numbers.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { beginChargeWindow, uncountConversation } from "../../../store/tables/billing/usage.ts";
import { findChannel } from "../../../store/tables/channels/channels.ts";
import { findMessage, type MessageRow, type Pricing, recordPricing } from "../../../store/tables/messaging/messages.ts";
import { findTemplateByName } from "../../../store/tables/messaging/templates.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import type { InboundContext } from "../../channels/identity.ts";
import { publish } from "../../events/publish.ts";
import type { MessagingEnv } from "../env.ts";
import { enterCharge, enterStatedPrice } from "./charges.ts";

type PricedReceipt = { message: MessageRow; receipt: Receipt };

/**
 * Records the price in a receipt: the ledger counts delivered messages, and usage counts messages that the network
 * charges for.
 */
export const takePricing = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  priced: PricedReceipt,
): Promise<void> => {
  const before: Pricing = priced.message.pricing ?? {};
  const charges = enterCharge(env, tx, context, { ...priced, charges: before.charges ?? {} });
  const counted = await countedPricing(env, tx, context, { ...priced, before });
  const said = measuredIn(priced.receipt);
  if (!charges && !counted && !said) return;
  const { message } = priced;
  const entered = enterStatedPrice(env, tx, context, { message, price: said?.price, before: before.stated });
  const [known, stated] = [charges ?? before.charges, entered ?? before.stated];
  await recordPricing(tx, message.id, {
    ...(counted ? { ...counted, ...measuredIn(before) } : before),
    ...said,
    ...(known ? { charges: known } : {}),
    ...(stated ? { stated } : {}),
  });
};

/** Undefined if nothing is said. */
const measuredIn = ({ parts, price }: Measured): Measured | undefined =>
  parts === undefined && price === undefined
    ? undefined
    : { ...(parts === undefined ? {} : { parts }), ...(price === undefined ? {} : { price }) };

/** Records the parts and the price in the outcome of a send. A receipt that came before it has the last word. */
export const takeMeasured = async (
  env: MessagingEnv,
  tx: Tx,
  { id, channelId, environment }: MessageRow,
  outcome: Measured,
): Promise<void> => {
  const said = measuredIn(outcome);
  if (!said) return;
  const [message, channel] = [await findMessage(tx, EVERY_TENANT, id), await findChannel(tx, EVERY_TENANT, channelId)];
  if (!message) return;
  const pricing = { ...said, ...message.pricing };
  const priced = { message, price: pricing.price, before: pricing.stated };
  const stated = channel && enterStatedPrice(env, tx, { channel, environment }, priced);
  await recordPricing(tx, id, { ...pricing, ...(stated ? { stated } : {}) });
};

type Counted = Omit<Pricing, "charges" | "stated" | keyof Measured>;

/**
 * The usage of the message after this receipt; undefined if nothing has changed. Only the first price counts. It
 * replaces a presumed price, and a failed message withdraws a presumed price.
 */
const countedPricing = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  { before, ...priced }: PricedReceipt & { before: Counted },
): Promise<Counted | undefined> => {
  const { message, receipt } = priced;
  const isOpen = before.isBillable === undefined || before.isPresumed === true;
  const isRefuted = receipt.status === "failed" && before.isPresumed === true && before.isBillable === true;
  if (isOpen && (receipt.pricing || isRefuted)) {
    forgetPresumed(tx, message, before);
    if (!receipt.pricing) return { isBillable: false };
    const { isBillable, category } = receipt.pricing;
    if (isBillable) await count(env, tx, context, { message, category });
    return { isBillable, category };
  }
  if (before.isBillable !== undefined) return undefined;
  const presumed = await presumedPricing(env, tx, context, priced);
  if (presumed?.isBillable === true && presumed.category !== undefined)
    await count(env, tx, context, { message, category: presumed.category });
  return presumed;
};

const forgetPresumed = (tx: Tx, { tenantId }: MessageRow, { presumedDay: day, category }: Counted): void => {
  if (day !== undefined && category !== undefined)
    uncountConversation(tx, { tenantId, day, category: category.toUpperCase() });
};

const count = (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  { message, category }: { message: MessageRow; category: string },
): Promise<void> =>
  publish(
    env,
    tx,
    { tenantId: context.channel.tenantId, ...context },
    { type: "message.priced", messageId: message.id, category },
  );

/**
 * The presumption for a template that the network reports as sent without a price: one conversation for each recipient,
 * category and 24 hours. It is counted, and costs nothing: the ledger waits for the price. A deleted template gets no
 * presumption.
 */
const presumedPricing = async (
  { registry, clock }: MessagingEnv,
  tx: Tx,
  { channel, environment }: InboundContext,
  { message, receipt: { status, at } }: PricedReceipt,
): Promise<Counted | undefined> => {
  if (
    status !== "sent" ||
    !registry.declared(channel.kind)?.network.chargesForTemplates ||
    environment !== "live" ||
    message.type !== "template"
  )
    return undefined;
  // stored as it was checked
  const { name, language = DEFAULT_LANGUAGE } = message.content as { name: string; language?: string };
  const template = await findTemplateByName(tx, channel.id, { name, language });
  if (!template) return undefined;
  const window = {
    tenantId: channel.tenantId,
    channelId: channel.id,
    recipient: personKeyOf(message.recipient),
    category: template.category,
  };
  const isBillable = await beginChargeWindow(tx, window, { at, lastsMs: DAY_MS });
  return {
    isBillable,
    category: template.category.toLowerCase(),
    isPresumed: true,
    ...(isBillable ? { presumedDay: utcDayOf(clock.now()) } : {}),
  };
};
