import { dayIn } from "../../../kernel/clock.ts";
import { invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";
import { findTemplateByName } from "../../../store/tables/messaging/templates.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { getChannel } from "../../channels/channel.ts";
import { requireRecipient } from "../../messaging/sending/sendable.ts";
import type { BillingEnv } from "../env.ts";

export type EstimateInput = {
  phoneId: string;
  to: readonly string[];
  template?: { name: string; language: string } | undefined;
};

/** The cost of sends, by the price list. It is never an amount due: free tiers and windows are not known in advance. */
export type Estimate = {
  /** False if the network does not charge for messages. */
  isCharged: boolean;
  category: string;
  currency: string;
  /** The sum over the rated recipients, in millionths of the currency. */
  amountMicros: number;
  rated: number;
  /** Recipients without a known price. */
  unrated: number;
  byCountry: { country: string; count: number; amountMicros: number }[];
};

/**
 * Estimates today's cost of one message to each of these recipients: of the template's category, or of a service
 * message. A network that does not charge for messages costs nothing.
 * @throws AppError CHANNEL_NOT_FOUND; RECIPIENT_INVALID, ADDRESS_INVALID; VALIDATION for an unknown template.
 */
export const estimateCost = async (
  env: BillingEnv,
  scope: TenantScope,
  { phoneId, to, template: named }: EstimateInput,
): Promise<Estimate> => {
  const channel = await getChannel(env, scope, phoneId);
  const cards = env.registry.declared(channel.kind)?.rates;
  const recipients = await Promise.all(
    to.map((one) => requireRecipient(env, channel, one, { environment: "live", mustBeConnected: false })),
  );
  const template = named && (await env.db.read((reader) => findTemplateByName(reader, channel.id, named)));
  if (named && !template) throw invalid(issue("template.name", "enum", "is not a template of this phone"));
  const category = template?.category ?? SERVICE;
  if (!cards) return { isCharged: false, category, ...NOTHING };
  const currency = cards.currencyOf(channel.profile);
  const day = dayIn(env.config.billingTz, env.clock.now());
  const byCountry = new Map<string, { country: string; count: number; amountMicros: number }>();
  let unrated = 0;
  for (const recipient of recipients) {
    const { country, micros } = cards.rateOf({ recipient, category, currency, day });
    if (country === null || micros === null) unrated++;
    else {
      const known = byCountry.get(country) ?? { country, count: 0, amountMicros: 0 };
      byCountry.set(country, { country, count: known.count + 1, amountMicros: known.amountMicros + micros });
    }
  }
  const rated = [...byCountry.values()];
  return {
    isCharged: true,
    category,
    currency,
    amountMicros: rated.reduce((sum, { amountMicros }) => sum + amountMicros, 0),
    rated: recipients.length - unrated,
    unrated,
    byCountry: rated.toSorted((one, other) => one.country.localeCompare(other.country)),
  };
};

/** The category of every message that is not a template. */
const SERVICE = "SERVICE";
const NOTHING = { currency: "BRL", amountMicros: 0, rated: 0, unrated: 0, byCountry: [] };
