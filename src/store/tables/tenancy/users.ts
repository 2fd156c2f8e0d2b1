import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertNew, statement, updateOf } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";
import { type TenantRow, tenants } from "./tenants.ts";

/** People who sign in to the platform. `emailKey` is the e-mail trimmed and in lower case; it is unique. */
export const users = sqliteTable("users", {
  id: text().primaryKey(),
  name: text().notNull(),
  email: text().notNull(),
  emailKey: text("email_key").notNull().unique(),
  /** Empty for a user without a password yet. */
  passwordHash: text("password_hash").notNull(),
  /** When the user proved that the mailbox is theirs. */
  verifiedAt: integer("verified_at"),
  createdAt: integer("created_at").notNull(),
});
export type UserRow = typeof users.$inferSelect;

export const usersLaws = laws(users, {
  keeps: {
    group: "setup",
    setting: "none",
    rule: "until the user deletes themselves",
    isSwept: false,
  },
  personal: { none: "the account's own data" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by registration, which the operator opens or closes" },
  files: "none",
  backup: "rows alone",
});
export const NO_PASSWORD = "";

export const ROLES = ["OWNER", "ADMIN", "MEMBER", "VIEWER"] as const;
export type Role = (typeof ROLES)[number];

export const members = sqliteTable(
  "members",
  {
    tenantId: text("tenant_id")
      .$type<TenantId>()
      .notNull()
      .references(() => tenants.id),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    role: text().$type<Role>().notNull().default("MEMBER"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.tenantId] }), index("members_by_tenant").on(t.tenantId)],
);

export const membersLaws = laws(members, {
  keeps: {
    group: "setup",
    setting: "none",
    rule: "until the member leaves or is removed",
    isSwept: false,
  },
  personal: { none: "the account's own data" },
  joins: { stay: "an account of the gateway has no members" },
  sealed: "nothing",
  grows: { limit: "members", where: "tenant_id = :owner" },
  files: "none",
  backup: "rows alone",
});

const USER = columnsOf(users);

/** False when the e-mail is taken. */
export const insertUser: (tx: Tx, row: UserRow) => Promise<boolean> = insertNew(users, "(email_key)");

const byEmail = statement<UserRow, { emailKey: string }>("SELECT * FROM users WHERE email_key = :emailKey", USER);
export const findUserByEmail = (r: Reader, emailKey: string): Promise<UserRow | undefined> =>
  byEmail.get(r, { emailKey });

const byId = statement<UserRow, { id: string }>("SELECT * FROM users WHERE id = :id", USER);
export const findUser = (r: Reader, id: string): Promise<UserRow | undefined> => byId.get(r, { id });

const update = updateOf<typeof users, { id: string }>(users, "WHERE id = :id");

export const updateUser = async (
  tx: Tx,
  id: string,
  changes: Partial<Pick<UserRow, "name" | "email" | "emailKey" | "passwordHash" | "verifiedAt">>,
): Promise<void> => void (await update(tx, changes, { id }));

const remove = statement<never, { id: string }>("DELETE FROM users WHERE id = :id");
export const deleteUser = async (tx: Tx, id: string): Promise<void> => remove.run(tx, { id });

/** False when the user is already a member. */
export const insertMember: (tx: Tx, row: typeof members.$inferInsert) => Promise<boolean> = insertNew(members);

type Membership = { tenantId: TenantId; userId: string };
const IS_MEMBERSHIP = "tenant_id = :tenantId AND user_id = :userId";

const removeMember = statement<never, Membership>(`DELETE FROM members WHERE ${IS_MEMBERSHIP}`);
export const deleteMember = async (tx: Tx, tenantId: TenantId, userId: string): Promise<void> =>
  removeMember.run(tx, { tenantId, userId });

const changeRole = statement<never, Membership & { role: Role }>(
  `UPDATE members SET role = :role WHERE ${IS_MEMBERSHIP}`,
);
export const changeMemberRole = async (tx: Tx, tenantId: TenantId, userId: string, role: Role): Promise<void> =>
  changeRole.run(tx, { tenantId, userId, role });

const roleOf = statement<{ role: Role }, Membership>(`SELECT role FROM members WHERE ${IS_MEMBERSHIP}`);

/** The role of a user in an institution; undefined for other users. */
export const findRole = async (r: Reader, tenantId: TenantId, userId: string): Promise<Role | undefined> =>
  (await roleOf.get(r, { tenantId, userId }))?.role;

export const isMember = async (r: Reader, tenantId: TenantId, userId: string): Promise<boolean> =>
  (await findRole(r, tenantId, userId)) !== undefined;

type Others = { members: number; owners: number };
const others = statement<Others, Membership>(
  `SELECT count(*) AS members, count(CASE role WHEN 'OWNER' THEN 1 END) AS owners FROM members
    WHERE tenant_id = :tenantId AND user_id <> :userId`,
);

/** The number of an institution's members besides this one, and how many of them are owners. */
export const countOthers = async (r: Reader, tenantId: TenantId, userId: string): Promise<Others> =>
  (await others.get(r, { tenantId, userId })) ?? { members: 0, owners: 0 };

const institutionsOf = statement<TenantRow & { role: Role }, { userId: string }>(
  `SELECT t.*, m.role FROM tenants AS t JOIN members AS m ON m.tenant_id = t.id WHERE m.user_id = :userId
    ORDER BY m.created_at, t.id`,
  columnsOf(tenants),
);

/**
 * The institutions of a user with the user's role in each, in the order of joining. Bound: the institutions that the
 * user has made or whose invitations they accepted.
 */
export const listMemberships = async (r: Reader, userId: string): Promise<{ tenant: TenantRow; role: Role }[]> =>
  (await institutionsOf.all(r, { userId })).map(({ role, ...tenant }) => ({ tenant, role }));

/** The institutions of a user, in the order of joining. */
export const listInstitutionsOf = async (r: Reader, userId: string): Promise<TenantRow[]> =>
  (await listMemberships(r, userId)).map(({ tenant }) => tenant);

const membersOf = statement<UserRow & { role: Role }, { tenantId: TenantId }>(
  `SELECT u.*, m.role FROM users AS u JOIN members AS m ON m.user_id = u.id WHERE m.tenant_id = :tenantId
    ORDER BY m.created_at, u.id`,
  USER,
);

/** Bound: the institution's limit of members. */
export const listMembers = (r: Reader, tenantId: TenantId): Promise<(UserRow & { role: Role })[]> =>
  membersOf.all(r, { tenantId });

const names = statement<Pick<UserRow, "id" | "name">, { ids: readonly string[] }>(
  "SELECT id, name FROM users WHERE id IN (SELECT value FROM json_each(:ids))",
);

/**
 * The names of these users, by their ids. The caller has checked that they are members. Bound: the ids of the caller.
 */
export const namesOfUsers = async (r: Reader, ids: readonly string[]): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map();
  return new Map((await names.all(r, { ids })).map(({ id, name }) => [id, name]));
};
