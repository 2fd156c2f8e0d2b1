import type { Receipt } from "../../contract/events.ts";
import { DEFAULT_LANGUAGE } from "../../contract/templates.ts";
import { DAY_MS } from "../../kernel/clock.ts";
import type { Tx } from "../../store/db.ts";
import { type MessageRow, type Pricing, recordPricing } from "../../store/messages.ts";
import { findTemplateByName } from "../../store/templates.ts";
import { beginChargeWindow } from "../../store/usage.ts";
import type { InboundContext } from "../channels/identity.ts";
import { publish } from "../events/publish.ts";
import type { MessagingEnv } from "./env.ts";

type PricedReceipt = { message: MessageRow; receipt: Receipt };

/** Counts what the network charges for; no event is published. Only the first receipt with a price counts. */
export const takePricing = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  { message, receipt }: PricedReceipt,
): Promise<void> => {
  if (message.pricing !== null) return;
  const pricing = receipt.pricing ?? (await presumedPricing(env, tx, context, { message, receipt }));
  if (!pricing) return;
  await recordPricing(tx, message.id, pricing);
  if (pricing.isBillable)
    await publish(
      env,
      tx,
      { tenantId: context.channel.tenantId, ...context },
      { type: "message.priced", messageId: message.id, category: pricing.category },
    );
};

/**
 * The price of a template that the network reports as sent without one. One charge counts for each recipient, category
 * and 24 hours, because only one of its receipts may have a price. A deleted template has none.
 */
const presumedPricing = async (
  { registry }: MessagingEnv,
  tx: Tx,
  { channel, environment }: InboundContext,
  { message, receipt: { status, at } }: PricedReceipt,
): Promise<Pricing | undefined> => {
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
    recipient: message.recipient,
    category: template.category,
  };
  return {
    isBillable: await beginChargeWindow(tx, window, { at, lastsMs: DAY_MS }),
    category: template.category.toLowerCase(),
  };
};
