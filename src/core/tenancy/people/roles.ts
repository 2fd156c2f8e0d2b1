import { AppError } from "../../../kernel/errors.ts";
import type { Role } from "../../../store/tables/tenancy/users.ts";
import { PERMISSIONS, type Permission } from "../keys/keys.ts";

/** Powers of people beyond the permissions of keys. */
export type Power = "members.read" | "members.write" | "keys.read" | "keys.write" | "accounts.join";

const READS = PERMISSIONS.filter((one) => one.endsWith(".read"));
const WORK: readonly Permission[] = ["messages.send", "conversations.write", "contacts.write", "bulk-send.write"];
const ADMINISTRATION = {
  permissions: PERMISSIONS,
  powers: ["members.read", "members.write", "keys.read", "keys.write"],
} as const;

/** TABLE: the powers of each role. Only owners make, change and remove owners, and take accounts over. */
export const ROLE_MAY: Record<Role, { permissions: readonly Permission[]; powers: readonly Power[] }> = {
  OWNER: { ...ADMINISTRATION, powers: [...ADMINISTRATION.powers, "accounts.join"] },
  ADMIN: ADMINISTRATION,
  MEMBER: { permissions: [...READS, ...WORK], powers: ["members.read"] },
  VIEWER: { permissions: READS, powers: ["members.read"] },
};

/** Resources of an account that everybody in it may look at. Money, keys and the audit log are not among them. */
export const SHARED_RESOURCES = [
  "phones",
  "messages",
  "chats",
  "media",
  "flows",
  "groups",
  "calls",
  "lookup",
  "templates",
  "webhooks",
  "ai",
  "events",
] as const;
const SEEN = SHARED_RESOURCES.map((resource) => `${resource}.read`);
/** The channel scopes that follow from the permissions to send, and to work in conversations. */
const WORKED = ["messages.write", "chats.write", "media.write", "lookup.write"];

/**
 * TABLE: the scopes of each role when its holder acts on an account's channels, as those of a key; null for all. They
 * follow the permissions above.
 */
export const ROLE_SCOPES: Record<Role, readonly string[] | null> = {
  OWNER: null,
  ADMIN: null,
  MEMBER: [...SEEN, ...WORKED],
  VIEWER: SEEN,
};

const roleRefused = (message: string): AppError => new AppError("ROLE_REFUSED", { message });

/** @throws AppError ROLE_REFUSED when the role lacks the power. */
export const requirePower = (role: Role, power: Power): void => {
  if (!ROLE_MAY[role].powers.includes(power)) throw roleRefused(`Your role in this institution lacks ${power}.`);
};

/** @throws AppError ROLE_REFUSED when a user who is not an owner would give, change or remove the role of an owner. */
export const requireOwnerFor = (role: Role, touched: readonly Role[]): void => {
  if (role !== "OWNER" && touched.includes("OWNER"))
    throw roleRefused("Only an owner may give or take away the role OWNER.");
};

export { ROLES, type Role } from "../../../store/tables/tenancy/users.ts";
