import { AppError } from "../../kernel/errors.ts";
import type { Role } from "../../store/users.ts";
import { PERMISSIONS, type Permission } from "./keys.ts";

/** What people may do besides what keys may. */
export type Power = "members.read" | "members.write" | "keys.read" | "keys.write";

const READS = PERMISSIONS.filter((one) => one.endsWith(".read"));
const WORK: readonly Permission[] = ["messages.send", "conversations.write", "contacts.write", "bulk-send.write"];
const ADMINISTRATION = {
  permissions: PERMISSIONS,
  powers: ["members.read", "members.write", "keys.read", "keys.write"],
} as const;

/** TABLE: what each role may do. Owners alone make, change and remove owners. */
export const ROLE_MAY: Record<Role, { permissions: readonly Permission[]; powers: readonly Power[] }> = {
  OWNER: ADMINISTRATION,
  ADMIN: ADMINISTRATION,
  MEMBER: { permissions: [...READS, ...WORK], powers: ["members.read"] },
  VIEWER: { permissions: READS, powers: ["members.read"] },
};

const roleRefused = (message: string): AppError => new AppError("ROLE_REFUSED", { message });

/** Throws ROLE_REFUSED where the role lacks the power. */
export const requirePower = (role: Role, power: Power): void => {
  if (!ROLE_MAY[role].powers.includes(power)) throw roleRefused(`Your role in this institution lacks ${power}.`);
};

/** Throws ROLE_REFUSED where somebody who is no owner would give, change or take away the role of one. */
export const requireOwnerFor = (role: Role, touched: readonly Role[]): void => {
  if (role !== "OWNER" && touched.includes("OWNER"))
    throw roleRefused("Only an owner may give or take away the role OWNER.");
};

export { ROLES, type Role } from "../../store/users.ts";
