import { type Static, Type } from "@sinclair/typebox";
import { DEFAULT_LANGUAGE } from "../../contract/content/templates.ts";
import { estimateCost } from "../../core/billing/costs/estimate.ts";
import type { BillingEnv } from "../../core/billing/env.ts";
import type { TenantId } from "../../kernel/ids.ts";
import { described, Nullable, OneOf } from "../../kernel/schema.ts";
import { Id } from "./fields.ts";

/** The query of a route that takes a dry run. Its options state `takesDryRun`. */
export const DryRunQuery = Type.Object({
  dryRun: Type.Optional(
    described(
      OneOf(["true", "false"]),
      "`true`: everything is checked as in the real call and answered with 200, and nothing is done",
    ),
  ),
});

export const isDryRun = ({ dryRun }: Static<typeof DryRunQuery>): boolean => dryRun === "true";

const dryRun = Type.Literal(true, { description: "Nothing was done" });

const CostEstimate = Type.Object(
  {
    isCharged: Type.Boolean({ description: "False if the network does not charge for messages" }),
    category: Type.String({ description: "The network's category of the message", examples: ["UTILITY"] }),
    currency: Type.String({ description: "The currency of the amount, by ISO 4217", examples: ["BRL"] }),
    amountMicros: described(Nullable(Type.Integer()), "Millionths of the currency; null if no price is known"),
  },
  { title: "DryRunCost", description: "Today's price of the message, by the price list" },
);

/** The answer to a dry run of a send. */
export const DryRunMessage = Type.Object(
  {
    dryRun,
    to: Type.String({ description: "The recipient as the channel addresses it", examples: ["5511988887777"] }),
    isRepeat: Type.Boolean({
      description: "A message was accepted with this `idempotencyKey`; it would not be sent again",
    }),
    cost: described(
      Nullable(CostEstimate),
      "The price of the message; null if nothing reaches a network, and for groups",
    ),
  },
  { title: "DryRunMessage" },
);

/** The answer to a dry run of a batch. */
export const DryRunBatch = Type.Object(
  {
    dryRun,
    channelId: Id("The channel that would send", "phone"),
    total: Type.Integer({ description: "Recipients of the batch", examples: [2] }),
    valid: Type.Integer({ description: "Recipients that would be written to" }),
    invalid: Type.Integer({ description: "Recipients that would be left out, because the batch already has them" }),
  },
  { title: "DryRunBatch" },
);

/** The answer to a dry run with a template. */
export const DryRunTemplate = Type.Object(
  {
    dryRun,
    action: described(
      OneOf(["submit", "submit-again", "edit", "nothing"]),
      "The request to the network; `submit-again` is for a template that it has refused",
    ),
    name: Type.String({ description: "The template's name on the network", examples: ["confirmacao_pedido"] }),
    language: Type.String({ description: "A language code, such as pt_BR", examples: ["pt_BR"] }),
  },
  { title: "DryRunTemplate" },
);

type Tried = { channelId: string; to: string; type: string; content: unknown };

/** The answer to a dry run of a send that passes all checks. */
export const dryRunMessage = async (
  env: BillingEnv,
  principal: { tenantId: TenantId; environment?: "live" | "test" },
  { channelId, to, type, content }: Tried,
  { recipient, is }: { recipient: string; is: "accepted" | "repeat" },
): Promise<Static<typeof DryRunMessage>> => {
  const isRepeat = is === "repeat";
  const base = { dryRun: true as const, to: recipient, isRepeat };
  if (principal.environment === "test" || isRepeat) return { ...base, cost: null };
  const { name, language = DEFAULT_LANGUAGE } = content as { name?: string; language?: string };
  const template = type === "template" && name !== undefined ? { name, language } : undefined;
  const estimate = await estimateCost(env, principal, { phoneId: channelId, to: [to], template });
  const { isCharged, category, currency, amountMicros, unrated } = estimate;
  return { ...base, cost: { isCharged, category, currency, amountMicros: unrated > 0 ? null : amountMicros } };
};
