import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { CHARGE_STATES, type Usage, usageSummary } from "../../../core/billing/costs/summary.ts";
import { iso } from "../../../kernel/clock.ts";
import { DateTime, described, OneOf } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, msOf, REFUSALS } from "../schemas.ts";

const Counters = Type.Object(
  {
    sent: Type.Integer({ description: "Messages that were sent", examples: [120] }),
    received: Type.Integer({ description: "Messages of other people", examples: [95] }),
  },
  { title: "MessageCounts" },
);
const Costs = {
  period: described(
    Type.Object(
      {
        from: described(Instant, "The beginning, inclusive", "2026-11-01T00:00:00.000Z"),
        to: described(Instant, "The end, exclusive", "2026-12-01T00:00:00.000Z"),
      },
      { title: "Period" },
    ),
    "The time that is counted, in UTC",
  ),
  costCents: Type.Integer({
    description: "The cost in cents of BRL, with the costs that are passed on",
    examples: [12990],
  }),
  wabaPassthroughCents: Type.Integer({
    description: "BRL cents: the network's charge, with the account's markup",
    examples: [2990],
  }),
  messagesSent: Type.Integer({ description: "Messages that were sent in the period", examples: [120] }),
  activePhones: Type.Integer({ description: "Phones that sent at least one message" }),
};
const CurrentView = Type.Object(Costs, { title: "CurrentCosts" });
const Charged = Type.Object(
  {
    sent: Type.Integer({ description: "Messages that were sent", examples: [120] }),
    received: Type.Integer({ description: "Messages of other people", examples: [95] }),
    conversations: described(Type.Record(Type.String(), Type.Integer()), "How many, by category", { UTILITY: 20 }),
  },
  { title: "ChargedCounts" },
);

/** The network's charges, in its own currency and before any markup. */
export const NetworkCharge = Type.Object(
  {
    category: Type.String({ description: "The network's category", examples: ["UTILITY"] }),
    state: OneOf(CHARGE_STATES, { title: "ChargeState", description: "Whether a price is known and charged" }),
    currency: Type.String({ description: "ISO 4217", examples: ["BRL"] }),
    count: Type.Integer({ description: "How many messages", examples: [2] }),
    amountMicros: Type.Integer({ description: "Millionths of the currency", examples: [800000] }),
  },
  { title: "NetworkCharge" },
);

export const chargesView = (charges: Usage["charges"]): Static<typeof NetworkCharge>[] =>
  charges.map(({ micros, ...charge }) => ({ ...charge, amountMicros: micros }));

type Breakdown = Record<string, Static<typeof Counters> | Static<typeof Charged>>;

/** The usage by kind of channel. A kind whose network charges for templates also counts conversations. */
const usageSchema = ({ adapters }: GatewayEnv["registry"]) =>
  Type.Object({
    ...Costs,
    messagesReceived: Type.Integer({ description: "Messages that came in during the period", examples: [95] }),
    breakdown: described(
      Type.Unsafe<Breakdown>(
        Type.Object(
          Object.fromEntries(
            adapters.map(({ kind, network }) => [
              kind,
              described(network.chargesForTemplates ? Charged : Counters, `The messages of phones of the type ${kind}`),
            ]),
          ),
        ),
      ),
      "The counts of each type of phone",
      {
        SESSION: { sent: 100, received: 95 },
        WABA: { sent: 20, received: 0, conversations: { UTILITY: 20 } },
        SOCIAL: { sent: 0, received: 0 },
      },
    ),
    networkCharges: Type.Array(NetworkCharge, {
      description:
        "Delivered messages by category: DUE, FREE, UNRATED (no price is known) or UNPRICED (no report of " +
        "the network yet); and messages whose price the network itself states, on no invoice (STATED)",
    }),
  });
type UsageView = Static<ReturnType<typeof usageSchema>>;

const NONE = { sent: 0, received: 0 };

type Summary = Awaited<ReturnType<typeof usageSummary>>;

const currentView = ({ period, cost, sent, activeChannels }: Summary): Static<typeof CurrentView> => ({
  period: { from: iso(period.from), to: iso(period.to) },
  costCents: cost.totalCents,
  wabaPassthroughCents: cost.passthroughCents,
  messagesSent: sent,
  activePhones: activeChannels,
});

const breakdownOf = ({ adapters }: GatewayEnv["registry"], { byKind, conversations }: Usage): Breakdown =>
  Object.fromEntries(
    adapters.map(({ kind, network }) => [
      kind,
      { ...(byKind[kind] ?? NONE), ...(network.chargesForTemplates ? { conversations: { ...conversations } } : {}) },
    ]),
  );

const usageView = ({ registry }: GatewayEnv, summary: Summary): UsageView => ({
  ...currentView(summary),
  messagesReceived: summary.received,
  breakdown: breakdownOf(registry, summary),
  networkCharges: chargesView(summary.charges),
});

export const usage = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1", tags: ["billing"] })
    .use(auth)
    .get(
      "/usage",
      async ({ principal, query: { from, to } }) =>
        usageView(env, await usageSummary(env, principal, { from: msOf(from), to: msOf(to) })),
      {
        query: Type.Object({
          from: Type.Optional(described(DateTime(), "The first day in UTC; with `to`")),
          to: Type.Optional(described(DateTime(), "The end, exclusive; with `from`")),
        }),
        response: { 200: usageSchema(env.registry), ...REFUSALS },
        detail: {
          ...route({ operationId: "getUsage", isolation: "own" }),
          summary: "Get the usage of a period, and its cost",
          description:
            "The current month by default; `from` and `to` go together, at most a year apart. Days in UTC count whole.",
        },
      },
    )
    .get("/billing/current", async ({ principal }) => currentView(await usageSummary(env, principal)), {
      response: { 200: CurrentView, ...REFUSALS },
      detail: {
        ...route({ operationId: "getCurrentBilling", isolation: "own" }),
        summary: "Get the cost of the current month so far",
        description: "The month is that of UTC, and its cost grows until it ends.",
      },
    });
