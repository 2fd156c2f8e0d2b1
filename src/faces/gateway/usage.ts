import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type Usage, usageSummary } from "../../core/billing/summary.ts";
import { iso } from "../../kernel/clock.ts";
import { DateTime } from "../../kernel/schema.ts";
import type { GatewayAuth } from "./auth.ts";
import type { GatewayEnv } from "./env.ts";
import { Instant, msOf, REFUSALS } from "./schemas.ts";

const Counters = Type.Object({ sent: Type.Integer(), received: Type.Integer() });
const Costs = {
  period: Type.Object({ from: Instant, to: Instant }),
  costCents: Type.Integer({ description: "BRL cents, what is passed through included" }),
  wabaPassthroughCents: Type.Integer({ description: "BRL cents: what the network charges, with the account's markup" }),
  messagesSent: Type.Integer(),
  activePhones: Type.Integer({ description: "Phones that sent at least one message" }),
};
const CurrentView = Type.Object(Costs);
const UsageView = Type.Object({
  ...Costs,
  messagesReceived: Type.Integer(),
  breakdown: Type.Object({
    SESSION: Counters,
    WABA: Type.Object({ sent: Type.Integer(), received: Type.Integer(), conversations: Type.Record(Type.String(), Type.Integer()) }),
    SOCIAL: Counters,
  }),
});

const NONE = { sent: 0, received: 0 };

type Summary = Awaited<ReturnType<typeof usageSummary>>;

const currentView = ({ period, cost, sent, activeChannels }: Summary): Static<typeof CurrentView> => ({
  period: { from: iso(period.from), to: iso(period.to) },
  costCents: cost.totalCents,
  wabaPassthroughCents: cost.passthroughCents,
  messagesSent: sent,
  activePhones: activeChannels,
});

const breakdownOf = ({ byKind, conversations }: Usage): Static<typeof UsageView>["breakdown"] => ({
  SESSION: byKind.SESSION ?? NONE,
  WABA: { ...(byKind.WABA ?? NONE), conversations: { ...conversations } },
  SOCIAL: byKind.SOCIAL ?? NONE,
});

const usageView = (summary: Summary): Static<typeof UsageView> => ({ ...currentView(summary), messagesReceived: summary.received, breakdown: breakdownOf(summary) });

export const usage = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1", tags: ["billing"] })
    .use(auth)
    .get("/usage", async ({ principal, query: { from, to } }) => usageView(await usageSummary(env, principal, { from: msOf(from), to: msOf(to) })), {
      query: Type.Object({ from: Type.Optional(DateTime()), to: Type.Optional(DateTime()) }),
      response: { 200: UsageView, ...REFUSALS },
      detail: {
        operationId: "getUsage",
        summary: "What was used in a period, the current month by default, and what it costs. Days in UTC count whole: `period` says which",
      },
    })
    .get("/billing/current", async ({ principal }) => currentView(await usageSummary(env, principal)), {
      response: { 200: CurrentView, ...REFUSALS },
      detail: { operationId: "getCurrentBilling", summary: "What the current month costs so far" },
    });
