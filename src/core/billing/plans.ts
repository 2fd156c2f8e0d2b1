import { AppError } from "../../kernel/errors.ts";
import { insertPlan, listPlans, type PlanRow, updatePlan } from "../../store/plans.ts";
import type { Env } from "../env.ts";
import { recordAct } from "../tenancy/audit.ts";

export { PLAN_KINDS, type PlanRow as Plan } from "../../store/plans.ts";

export type PlanFields = Omit<PlanRow, "code" | "createdAt" | "updatedAt">;

export const allPlans = (env: Env): Promise<PlanRow[]> => env.db.read(listPlans);

const NO_TERMS = { currency: "BRL", perMessageCents: 0, perPhoneMonthCents: 0, monthlyFeeCents: 0, includedMessages: 0, overageCents: 0, metadata: {} };

/** What is not said costs nothing. Throws PLAN_EXISTS. */
export const createPlan = async (env: Env, { code, ...fields }: Partial<PlanFields> & Pick<PlanRow, "code" | "kind">): Promise<PlanRow> => {
  const createdAt = env.clock.now();
  const plan = { code, ...NO_TERMS, ...fields, createdAt, updatedAt: createdAt };
  await env.db.write(async (tx) => {
    if (!(await insertPlan(tx, plan))) throw new AppError("PLAN_EXISTS", { message: "There is a plan of this code already." });
    await recordAct(env, tx, { action: "plan.create", target: code, details: { kind: plan.kind } });
  });
  return plan;
};

/** What has been invoiced stays as it is; everything else costs what the plan says then. Throws PLAN_NOT_FOUND. */
export const changePlan = async (env: Env, code: string, changes: Partial<PlanFields>): Promise<PlanRow> => {
  const plan = await env.db.write(async (tx) => {
    const changed = await updatePlan(tx, code, { ...changes, updatedAt: env.clock.now() });
    if (changed) await recordAct(env, tx, { action: "plan.change", target: code, details: { fields: Object.keys(changes) } });
    return changed;
  });
  if (!plan) throw new AppError("PLAN_NOT_FOUND", { message: "There is no such plan." });
  return plan;
};
