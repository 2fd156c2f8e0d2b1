import type { TenantId } from "../../../src/kernel/ids.ts";
import type { PlatformPlan, TenantRow } from "../../../src/store/tables/tenancy/tenants.ts";

/** The row of an active tenant: an institution of the platform if it has a plan. */
export const tenantRow = (id: TenantId, platformPlan: PlatformPlan | null = "FREE"): TenantRow => ({
  id,
  name: id,
  status: "ACTIVE",
  dunningStage: "NONE",
  planCode: "free",
  platformPlan,
  createdBy: null,
  billingEmail: null,
  wabaMarkupPct: null,
  reactivatedAt: null,
  reprievedOn: null,
  joinedInto: null,
  createdAt: 1,
  updatedAt: 1,
});
