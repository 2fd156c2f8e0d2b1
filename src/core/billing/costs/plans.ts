import { AppError, invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";
import { insertPlan, listPlans, type PlanRow, updatePlan } from "../../../store/tables/billing/plans.ts";
import { type Requester, recordAct } from "../../tenancy/audit/audit.ts";
import type { BillingEnv } from "../env.ts";

export { PLAN_KINDS, type PlanRow as Plan } from "../../../store/tables/billing/plans.ts";

export type PlanFields = Omit<PlanRow, "code" | "createdAt" | "updatedAt">;

export const allPlans = (env: BillingEnv): Promise<PlanRow[]> => env.db.read(listPlans);

const NO_TERMS = {
  currency: "BRL",
  perMessageCents: 0,
  perPhoneMonthCents: 0,
  monthlyFeeCents: 0,
  includedMessages: 0,
  overageCents: 0,
  metadata: {},
};

/**
 * A rate in millionths of the currency.
 * @throws AppError VALIDATION for a rate with a smaller part.
 */
const checkRates = ({ metadata }: Partial<PlanFields>): void => {
  // numbers, by the schema of the request
  const rates = Object.entries((metadata?.["wabaCents"] ?? {}) as Record<string, number>);
  const [tooFine] = rates.find(([, cents]) => Number(cents.toFixed(4)) !== cents) ?? [];
  if (tooFine !== undefined)
    throw invalid(issue(`metadata.wabaCents.${tooFine}`, "pattern", "must have at most four decimals"));
};

/**
 * Creates a plan. A missing price is 0.
 * @throws AppError PLAN_EXISTS, VALIDATION for a rate with more than four decimals of a cent.
 */
export const createPlan = async (
  env: BillingEnv,
  by: Requester,
  { code, ...fields }: Partial<PlanFields> & Pick<PlanRow, "code" | "kind">,
): Promise<PlanRow> => {
  checkRates(fields);
  const createdAt = env.clock.now();
  const plan = { code, ...NO_TERMS, ...fields, createdAt, updatedAt: createdAt };
  await env.db.write(async (tx) => {
    if (!(await insertPlan(tx, plan)))
      throw new AppError("PLAN_EXISTS", { message: "There is a plan with this code already." });
    await recordAct(env, tx, by, { action: "plan.create", target: code, details: { kind: plan.kind } });
  });
  return plan;
};

/**
 * Changes a plan. Existing invoices stay unchanged; later invoices use the new prices.
 * @throws AppError PLAN_NOT_FOUND, VALIDATION for a rate with more than four decimals of a cent.
 */
export const changePlan = async (
  env: BillingEnv,
  by: Requester,
  code: string,
  changes: Partial<PlanFields>,
): Promise<PlanRow> => {
  checkRates(changes);
  const plan = await env.db.write(async (tx) => {
    const changed = await updatePlan(tx, code, { ...changes, updatedAt: env.clock.now() });
    if (changed)
      await recordAct(env, tx, by, { action: "plan.change", target: code, details: { fields: Object.keys(changes) } });
    return changed;
  });
  if (!plan) throw new AppError("PLAN_NOT_FOUND", { message: "There is no such plan." });
  return plan;
};
