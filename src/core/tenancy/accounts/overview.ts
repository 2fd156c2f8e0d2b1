import { utcDayOf } from "../../../kernel/clock.ts";
import { COLLECTION_NAMES, COLLECTIONS, type Collection } from "../../../kernel/collections.ts";
import { AppError } from "../../../kernel/errors.ts";
import { countCollection } from "../../../store/laws/collections.ts";
import { findPlan, type PlanRow } from "../../../store/tables/billing/plans.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { findKey, type KeyApi, type KeyRow } from "../../../store/tables/tenancy/keys.ts";
import { findTenant, listDailySends, type TenantRow } from "../../../store/tables/tenancy/tenants.ts";
import type { TenancyEnv } from "../env.ts";
import { planLimits } from "./plans.ts";

/** A collection of an account: the number of its items, and the limit. */
export type CollectionUse = { collection: Collection; used: number; limit: number };

/** An account with its price, its collections, and the number of its live sends on the platform this UTC day. */
export type Overview = {
  account: TenantRow;
  plan: PlanRow | undefined;
  collections: CollectionUse[];
  sentToday: number;
};

const OF_ACCOUNTS = COLLECTION_NAMES.filter((name) => COLLECTIONS[name].per === "account");

/** @throws AppError TENANT_NOT_FOUND for an account that was deleted meanwhile */
export const accountOverview = (env: TenancyEnv, { tenantId }: TenantScope): Promise<Overview> =>
  env.db.read(async (reader) => {
    const account = await findTenant(reader, tenantId);
    if (!account) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such account." });
    const collections: CollectionUse[] = [];
    for (const collection of OF_ACCOUNTS) {
      const ofPlan = collection === "channels" ? planLimits(account.platformPlan).channels : Number.POSITIVE_INFINITY;
      const limit = Math.min(env.config.limits[collection], ofPlan);
      collections.push({ collection, limit, used: await countCollection(reader, collection, tenantId, limit) });
    }
    const sentToday = await listDailySends(reader, tenantId, utcDayOf(env.clock.now()));
    return { account, plan: await findPlan(reader, account.planCode), collections, sentToday };
  });

/**
 * A key of an account, with the time of its last use.
 * @throws AppError KEY_NOT_FOUND
 */
export const requireKey = async (
  env: TenancyEnv,
  scope: TenantScope,
  { api, id }: { api: KeyApi; id: string },
): Promise<KeyRow> => {
  const key = await env.db.read((reader) => findKey(reader, scope, api, id));
  if (!key) throw new AppError("KEY_NOT_FOUND", { message: "There is no such API key." });
  return { ...key, lastUsedAt: env.keyUse.lastUsedAt(id) ?? key.lastUsedAt };
};
