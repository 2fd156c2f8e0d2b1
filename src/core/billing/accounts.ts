import { AppError } from "../../kernel/errors.ts";
import type { TenantId } from "../../kernel/ids.ts";
import { type TenantRow, updateTenant } from "../../store/tables/tenancy/tenants.ts";
import { type AccountFields, requirePlan, requireUnjoined } from "../tenancy/accounts/accounts.ts";
import { type Requester, recordAct } from "../tenancy/audit/audit.ts";
import type { BillingEnv } from "./env.ts";
import { reprieve } from "./stages.ts";

/** The changed fields, with the new values of those that are not personal data. */
const changedIn = ({ status, planCode, wabaMarkupPct, ...others }: AccountFields) => ({
  ...(status === undefined ? {} : { status }),
  ...(planCode === undefined ? {} : { planCode }),
  ...(wabaMarkupPct === undefined ? {} : { wabaMarkupPct }),
  fields: Object.keys(others),
});

/**
 * Changes an account. Status ACTIVE also ends a suspension, even while invoices are overdue.
 * @throws AppError TENANT_NOT_FOUND, PLAN_NOT_FOUND, JOIN_REFUSED for an account that was joined with an institution.
 */
export const changeAccount = async (
  env: BillingEnv,
  by: Requester,
  id: string,
  changes: AccountFields,
): Promise<TenantRow> => {
  const account = await env.db.write(async (tx) => {
    await requirePlan(tx, changes.planCode);
    await requireUnjoined(tx, id);
    tx.afterCommit(() => env.endStreams(id as TenantId)); // a client that still has access opens its streams again
    const changed = await updateTenant(tx, id as TenantId, { ...changes, updatedAt: env.clock.now() });
    if (!changed) return undefined;
    await recordAct(env, tx, by, {
      action: "account.change",
      target: changed.id,
      tenantId: changed.id,
      details: changedIn(changes),
    });
    return changes.status === "ACTIVE" ? reprieve(env, tx, by, changed) : changed;
  });
  if (!account) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such account." });
  return account;
};
