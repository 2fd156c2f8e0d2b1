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

/**
 * What the network charges for is a fact of its own, which nobody is told: it is counted. The first receipt that says
 * it counts, and no later one.
 */
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
 * A template of which the network says that it was sent and not what it costs: one charge for each recipient, category
 * and 24 hours. Its other receipts may come without a price, and before the one that has it. Nothing is presumed of a
 * template that has been deleted since.
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
