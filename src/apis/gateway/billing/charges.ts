import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { DEFAULT_LANGUAGE } from "../../../contract/content/templates.ts";
import { estimateCost } from "../../../core/billing/costs/estimate.ts";
import { type Ledger, readLedger } from "../../../core/billing/costs/ledger.ts";
import { CHARGE_STATES } from "../../../core/billing/costs/summary.ts";
import { DateTime, described, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import { IDS, Id } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { msOf, REFUSALS } from "../schemas.ts";

const TextOrNull = Nullable(Type.String());
const Compared = {
  day: Type.String({
    format: "date",
    description: "The day of the delivery in `RECADO_BILLING_TZ`",
    examples: ["2026-11-22"],
  }),
  phoneId: Id("The phone that sent the messages", "phone"),
  country: Nullable(
    Type.String({
      description: "The recipients' country, by ISO 3166; null if the network names none",
      examples: ["BR"],
    }),
  ),
  category: described(TextOrNull, "The network's category; null if it names none", "UTILITY"),
  type: described(TextOrNull, "How the network priced the messages, in its word; null if it names none", "regular"),
};
const Amount = {
  currency: Type.String({ description: "ISO 4217", examples: ["BRL"] }),
  count: Type.Integer({ description: "How many messages", examples: [2] }),
};
const LedgerView = Type.Object(
  {
    lines: Type.Array(
      Type.Object({
        ...Compared,
        ...Amount,
        state: OneOf(CHARGE_STATES, { title: "ChargeState", description: "Whether a price is known and charged" }),
        amountMicros: Type.Integer({
          description: "Millionths of the currency, without tiers and markup",
          examples: [800000],
        }),
      }),
      { description: "The cost of the messages, by day, phone, country and category" },
    ),
    reported: Type.Array(
      Type.Object(
        {
          ...Compared,
          ...Amount,
          tier: described(TextOrNull, "The network's volume tier; null without one"),
          amountMicros: Nullable(
            Type.Integer({
              description: "Millionths of the currency; null if no price is known",
              examples: [800000],
            }),
          ),
        },
        { title: "ReportedCharge" },
      ),
      { description: "The network's own count, if the operator reads it (`RECADO_META_COMPARE`)" },
    ),
    differences: Type.Array(
      Type.Object({
        ...Compared,
        counted: Type.Integer({ description: "How many messages Recado counted", examples: [20] }),
        reported: Type.Integer({ description: "How many the network counted", examples: [20] }),
      }),
      { description: "Where the network's count differs from Recado's" },
    ),
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
  phoneId: described(Text(1, 100), "The phone that would send", IDS.phone),
  to: Type.Array(Text(1, 200), {
    minItems: 1,
    maxItems: MAX_RECIPIENTS,
    description: "Numbers of the recipients",
    examples: [["5511988887777"]],
  }),
  template: Type.Optional(
    described(
      Type.Object({
        name: described(Text(1, 512), "A template of the phone", "confirmacao_pedido"),
        language: Type.Optional(described(Text(2, 20), "A language code, such as pt_BR", "pt_BR")),
      }),
      "The template that would be sent",
    ),
  ),
});
const EstimateView = Type.Object(
  {
    isCharged: Type.Boolean({ description: "False if the network does not charge for messages" }),
    category: Type.String({ description: "The network's category of the messages", examples: ["UTILITY"] }),
    currency: Type.String({ description: "The currency of the amounts, by ISO 4217", examples: ["BRL"] }),
    amountMicros: Type.Integer({ description: "Millionths of the currency", examples: [80_000] }),
    rated: Type.Integer({ description: "Recipients with a known price", examples: [2] }),
    unrated: Type.Integer({
      description: "Recipients without a known price: they are not in the amount",
      examples: [0],
    }),
    byCountry: Type.Array(
      Type.Object(
        {
          country: Type.String({ description: "The recipients' country, by ISO 3166", examples: ["BR"] }),
          count: Type.Integer({ description: "How many recipients are in the country", examples: [2] }),
          amountMicros: Type.Integer({ description: "Millionths of the currency", examples: [80_000] }),
        },
        { title: "CountryEstimate" },
      ),
      { description: "The cost of each country, the most expensive first" },
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
        ledgerView(await readLedger(env, principal, { from: msOf(from), to: msOf(to) })),
      {
        query: Type.Object({
          from: Type.Optional(described(DateTime(), "From the day of this time on; with `to`")),
          to: Type.Optional(described(DateTime(), "Until this time, exclusive; with `from`")),
        }),
        response: { 200: LedgerView, ...REFUSALS },
        detail: {
          ...route({ operationId: "getLedger", isolation: "own" }),
          summary: "Get the network's charges for delivered messages, by day",
          description: "The network's own count stands beside it if the operator reads it.",
        },
      },
    )
    .post("/estimate", ({ principal, body }) => estimateCost(env, principal, estimateOf(body)), {
      body: EstimateBody,
      response: { 200: EstimateView, ...REFUSALS },
      detail: {
        ...route({ operationId: "estimateCost", acts: "none: no change", isolation: { phoneId: "channel" } }),
        summary: "Get today's cost of one message to each recipient",
        description: "Nothing is sent. It is an estimate: free tiers and windows are not known in advance.",
      },
    });

const estimateOf = ({ template, ...body }: Static<typeof EstimateBody>) => ({
  ...body,
  template: template && { name: template.name, language: template.language ?? DEFAULT_LANGUAGE },
});
