import type { PlatformPlan } from "../../../store/tables/tenancy/tenants.ts";

export type PlanLimits = { requestsPerMinute: number; messagesPerDay: number; channels: number };

/** The limits of the platform's plans. */
const PLAN_LIMITS: Record<PlatformPlan, PlanLimits> = {
  FREE: { requestsPerMinute: 20, messagesPerDay: 100, channels: 1 },
  STARTER: { requestsPerMinute: 60, messagesPerDay: 1000, channels: 3 },
  PROFESSIONAL: { requestsPerMinute: 200, messagesPerDay: 10_000, channels: 10 },
  ENTERPRISE: { requestsPerMinute: 1000, messagesPerDay: Number.MAX_SAFE_INTEGER, channels: Number.MAX_SAFE_INTEGER },
};

/** A tenant without a platform plan is an account of the gateway only; no platform limit applies. */
export const planLimits = (plan: PlatformPlan | null): PlanLimits => PLAN_LIMITS[plan ?? "ENTERPRISE"];

/** The default price of an account: nothing. */
export const DEFAULT_BILLING_PLAN = "free_tier";
