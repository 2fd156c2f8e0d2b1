import { AppError } from "../../../kernel/errors.ts";
import { newId, type TenantId } from "../../../kernel/ids.ts";
import { cutPage, unknownCursor } from "../../../kernel/page.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { findPlan } from "../../../store/tables/billing/plans.ts";
import {
  findAccountState,
  findTenant,
  insertTenant,
  listTenants,
  type PlatformPlan,
  type TenantFilter,
  type TenantRow,
  updateTenant,
} from "../../../store/tables/tenancy/tenants.ts";
import { type Requester, recordAct } from "../audit/audit.ts";
import type { TenancyEnv } from "../env.ts";
import { DEFAULT_BILLING_PLAN } from "./plans.ts";

export const ACCOUNT_STATUSES = ["ACTIVE", "CANCELLED", "INACTIVE"] as const;

export type AccountFields = {
  name?: string;
  status?: (typeof ACCOUNT_STATUSES)[number];
  planCode?: string;
  billingEmail?: string | null;
  wabaMarkupPct?: number | null;
};

/** @throws AppError PLAN_NOT_FOUND for a given plan that does not exist. */
export const requirePlan = async (tx: Tx, code: string | undefined): Promise<void> => {
  if (code !== undefined && !(await findPlan(tx, code)))
    throw new AppError("PLAN_NOT_FOUND", { message: "There is no such plan." });
};

/** @throws AppError JOIN_REFUSED for an account that was joined with an institution: only a record of it is left. */
export const requireUnjoined = async (tx: Tx, id: string): Promise<void> => {
  const institutionId = (await findTenant(tx, id as TenantId))?.joinedInto ?? null;
  if (institutionId !== null)
    throw new AppError("JOIN_REFUSED", {
      message: "The account was joined with an institution, which has everything of it now.",
      details: { reason: "already-joined", institutionId },
    });
};

/** `platformPlan`: the plan of an account that has members too. */
type NewAccount = AccountFields & { name: string; platformPlan?: PlatformPlan };

/**
 * Creates an account of the gateway, within a write.
 * @throws AppError PLAN_NOT_FOUND.
 */
export const addAccount = async (
  env: Pick<TenancyEnv, "clock" | "log" | "random">,
  tx: Tx,
  by: Requester,
  input: NewAccount,
): Promise<TenantRow> => {
  const createdAt = env.clock.now();
  const account: TenantRow = {
    id: newId<TenantId>(env),
    name: input.name,
    status: "ACTIVE",
    dunningStage: "NONE",
    planCode: input.planCode ?? DEFAULT_BILLING_PLAN,
    platformPlan: input.platformPlan ?? null,
    createdBy: null,
    billingEmail: input.billingEmail ?? null,
    wabaMarkupPct: input.wabaMarkupPct ?? null,
    reactivatedAt: null,
    reprievedOn: null,
    joinedInto: null,
    createdAt,
    updatedAt: createdAt,
  };
  await requirePlan(tx, input.planCode);
  await insertTenant(tx, account);
  await recordAct(env, tx, by, {
    action: "account.create",
    target: account.id,
    tenantId: account.id,
    details: { planCode: account.planCode },
  });
  return account;
};

/**
 * Creates an account of the gateway, for its administrator.
 * @throws AppError PLAN_NOT_FOUND.
 */
export const createAccount = (
  env: Pick<TenancyEnv, "clock" | "db" | "log" | "random">,
  by: Requester,
  input: NewAccount,
): Promise<TenantRow> => env.db.write((tx) => addAccount(env, tx, by, input));

/** @throws AppError TENANT_NOT_FOUND. */
export const getAccount = async (env: TenancyEnv, id: string): Promise<TenantRow> => {
  const account = await env.db.read((reader) => findTenant(reader, id as TenantId));
  if (!account) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such account." });
  return account;
};

/** The newest accounts, in any state. */
export const accountsOfServer = (env: Pick<TenancyEnv, "db">, limit: number): Promise<TenantRow[]> =>
  env.db.read((reader) => listTenants(reader, { status: undefined, cursor: undefined, limit }));

/**
 * Accounts, newest first. `nextCursor` is the id of the last one when more follow.
 * @throws AppError VALIDATION for a cursor that is not an account.
 */
export const accountsPage = (
  env: TenancyEnv,
  { cursor, limit, ...filter }: TenantFilter,
): Promise<{ items: TenantRow[]; nextCursor: string | null }> =>
  env.db.read(async (reader) => {
    if (cursor !== undefined && !(await findTenant(reader, cursor as TenantId))) throw unknownCursor();
    const found = await listTenants(reader, { ...filter, cursor, limit: limit + 1 });
    return cutPage(found, limit, ({ id }) => id);
  });

type AccountState = { status: string; dunningStage: string };

/**
 * Why an account may not be used: cancelled first, then suspended for debts, then any other state that is not active.
 */
export const accountRefusal = ({
  status,
  dunningStage,
}: AccountState): "ACCOUNT_INACTIVE" | "ACCOUNT_SUSPENDED" | undefined => {
  if (status === "CANCELLED") return "ACCOUNT_INACTIVE";
  if (dunningStage === "SUSPENDED" || status === "SUSPENDED") return "ACCOUNT_SUSPENDED";
  return status === "ACTIVE" ? undefined : "ACCOUNT_INACTIVE";
};

/** The same for an account by its id. A deleted account may not be used. */
export const findRefusal = async (r: Reader, id: TenantId): Promise<ReturnType<typeof accountRefusal>> => {
  const account = await findAccountState(r, id);
  return account ? accountRefusal(account) : "ACCOUNT_INACTIVE";
};

/** Whether an account's sends wait until it has paid. A cancelled account is not suspended, whatever its debts. */
export const isSuspended = (account: AccountState | undefined): boolean =>
  account !== undefined && accountRefusal(account) === "ACCOUNT_SUSPENDED";

/** @throws AppError TENANT_NOT_FOUND when the tenant is not an institution of the platform. */
export const changeInstitutionPlan = (
  env: TenancyEnv,
  by: Requester,
  id: string,
  plan: PlatformPlan,
): Promise<TenantRow> =>
  env.db.write(async (tx) => {
    const tenant = await findTenant(tx, id as TenantId);
    if (!tenant?.platformPlan) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such institution." });
    await recordAct(env, tx, by, {
      action: "institution.change-plan",
      target: tenant.id,
      tenantId: tenant.id,
      details: { from: tenant.platformPlan, to: plan },
    });
    return (await updateTenant(tx, tenant.id, { platformPlan: plan, updatedAt: env.clock.now() })) ?? tenant;
  });

export {
  DUNNING_STAGES,
  PLATFORM_PLANS,
  type PlatformPlan,
  type TenantRow as Account,
} from "../../../store/tables/tenancy/tenants.ts";
