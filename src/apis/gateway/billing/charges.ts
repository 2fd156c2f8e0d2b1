import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { DEFAULT_LANGUAGE } from "../../../contract/content/templates.ts";
import { estimateCost } from "../../../core/billing/estimate.ts";
import { type Ledger, ledgerOf } from "../../../core/billing/ledger.ts";
import { CHARGE_STATES } from "../../../core/billing/summary.ts";
import { DateTime, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { msOf, REFUSALS } from "../schemas.ts";

const TextOrNull = Nullable(Type.String());
const Compared = {
  day: Type.String({ format: "date", description: "The day of the delivery in `RECADO_BILLING_TZ`" }),
  phoneId: Type.String(),
  country: Nullable(Type.String({ description: "ISO 3166" })),
  category: TextOrNull,
  type: TextOrNull,
};
const Amount = {
  currency: Type.String({ description: "ISO 4217" }),
  count: Type.Integer(),
};
const LedgerView = Type.Object(
  {
    lines: Type.Array(
      Type.Object({
        ...Compared,
        ...Amount,
        state: OneOf(CHARGE_STATES, { title: "ChargeState" }),
        amountMicros: Type.Integer({ description: "Millionths of the currency, without tiers and markup" }),
      }),
    ),
    reported: Type.Array(
      Type.Object(
        { ...Compared, ...Amount, tier: TextOrNull, amountMicros: Nullable(Type.Integer()) },
        { title: "ReportedCharge" },
      ),
      { description: "The network's own count, where the operator reads it (`RECADO_META_COMPARE`)" },
    ),
    differences: Type.Array(Type.Object({ ...Compared, counted: Type.Integer(), reported: Type.Integer() })),
  },
  { title: "Ledger" },
);

const phoned = <Line extends { channelId: string }>({ channelId: phoneId, ...line }: Line) => ({ phoneId, ...line });

const ledgerView = ({ lines, reported, differences }: Ledger): Static<typeof LedgerView> => ({
  lines: lines.map(phoned),
  reported: reported.map(phoned),
  differences: differences.map(phoned),
});

const MAX_RECIPIENTS = 1000;
const EstimateBody = Type.Object({
  phoneId: Text(1, 100),
  to: Type.Array(Text(1, 200), { minItems: 1, maxItems: MAX_RECIPIENTS }),
  template: Type.Optional(Type.Object({ name: Text(1, 512), language: Type.Optional(Text(2, 20)) })),
});
const EstimateView = Type.Object(
  {
    isCharged: Type.Boolean({ description: "False where the network does not charge for messages" }),
    category: Type.String(),
    currency: Type.String({ description: "ISO 4217" }),
    amountMicros: Type.Integer({ description: "Millionths of the currency" }),
    rated: Type.Integer({ description: "Recipients with a known price" }),
    unrated: Type.Integer({ description: "Recipients without one: they are not in the amount" }),
    byCountry: Type.Array(
      Type.Object(
        { country: Type.String(), count: Type.Integer(), amountMicros: Type.Integer() },
        { title: "CountryEstimate" },
      ),
    ),
  },
  { title: "CostEstimate" },
);

export const charges = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/billing", tags: ["billing"] })
    .use(auth)
    .get(
      "/ledger",
      async ({ principal, query: { from, to } }) =>
        ledgerView(await ledgerOf(env, principal, { from: msOf(from), to: msOf(to) })),
      {
        query: Type.Object({ from: Type.Optional(DateTime()), to: Type.Optional(DateTime()) }),
        response: { 200: LedgerView, ...REFUSALS },
        detail: {
          operationId: "getLedger",
          summary: "Get what the network charged for delivered messages, by day",
          description: "Beside it stands the network's own count, where the operator reads it.",
        },
      },
    )
    .post("/estimate", ({ principal, body }) => estimateCost(env, principal, estimateOf(body)), {
      body: EstimateBody,
      response: { 200: EstimateView, ...REFUSALS },
      detail: {
        operationId: "estimateCost",
        summary: "Get what one message to each recipient would cost today",
        description: "Nothing is sent. It is an estimate: free tiers and windows are not known before.",
      },
    });

const estimateOf = ({ template, ...body }: Static<typeof EstimateBody>) => ({
  ...body,
  template: template && { name: template.name, language: template.language ?? DEFAULT_LANGUAGE },
});
