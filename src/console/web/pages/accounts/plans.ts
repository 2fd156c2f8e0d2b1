import type { InstitutionPlan } from "../../../../../clients/typescript/src/generated/gateway.ts";

/** The plans of institutions, the smallest first. */
export const PLANS: readonly InstitutionPlan[] = ["FREE", "STARTER", "PROFESSIONAL", "ENTERPRISE"];
