import { and, asc, eq, inArray } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
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
  /** When the user proved to own the mailbox. */
  verifiedAt: integer("verified_at"),
  createdAt: integer("created_at").notNull(),
});
export type UserRow = typeof users.$inferSelect;

export const usersLaws = laws(users, {
  keeps: {
    group: "setup",
    setting: "none",
    rule: "an account and what it set up stay until it deletes them",
    isSwept: false,
  },
  personal: { none: "a tenant's own" },
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
    rule: "an account and what it set up stay until it deletes them",
    isSwept: false,
  },
  personal: { none: "a tenant's own" },
  joins: { stay: "an account of the gateway has no members" },
  sealed: "nothing",
  grows: { limit: "members" },
  files: "none",
  backup: "rows alone",
});

/** False when the e-mail is taken. */
export const insertUser = async (tx: Tx, row: UserRow): Promise<boolean> =>
  (await tx.q.insert(users).values(row).onConflictDoNothing({ target: users.emailKey }).returning({ id: users.id }))
    .length > 0;

export const findUserByEmail = (r: Reader, emailKey: string): Promise<UserRow | undefined> =>
  r.q.select().from(users).where(eq(users.emailKey, emailKey)).get();
export const findUser = (r: Reader, id: string): Promise<UserRow | undefined> =>
  r.q.select().from(users).where(eq(users.id, id)).get();

export const updateUser = async (
  tx: Tx,
  id: string,
  changes: Partial<Pick<UserRow, "name" | "email" | "emailKey" | "passwordHash" | "verifiedAt">>,
): Promise<void> => void (await tx.q.update(users).set(changes).where(eq(users.id, id)));

export const deleteUser = async (tx: Tx, id: string): Promise<void> =>
  void (await tx.q.delete(users).where(eq(users.id, id)));

/** False when the user is already a member. */
export const insertMember = async (tx: Tx, row: typeof members.$inferInsert): Promise<boolean> =>
  (await tx.q.insert(members).values(row).onConflictDoNothing().returning({ userId: members.userId })).length > 0;

export const deleteMember = async (tx: Tx, tenantId: TenantId, userId: string): Promise<void> =>
  void (await tx.q.delete(members).where(and(eq(members.tenantId, tenantId), eq(members.userId, userId))));

export const changeMemberRole = async (tx: Tx, tenantId: TenantId, userId: string, role: Role): Promise<void> =>
  void (await tx.q
    .update(members)
    .set({ role })
    .where(and(eq(members.tenantId, tenantId), eq(members.userId, userId))));

/** The role of a user in an institution; undefined for other users. */
export const findRole = async (r: Reader, tenantId: TenantId, userId: string): Promise<Role | undefined> =>
  (
    await r.q
      .select({ role: members.role })
      .from(members)
      .where(and(eq(members.tenantId, tenantId), eq(members.userId, userId)))
      .get()
  )?.role;

export const isMember = async (r: Reader, tenantId: TenantId, userId: string): Promise<boolean> =>
  (await findRole(r, tenantId, userId)) !== undefined;

/** The number of an institution's members besides this one, and how many of them are owners. */
export const countOthers = async (
  r: Reader,
  tenantId: TenantId,
  userId: string,
): Promise<{ members: number; owners: number }> =>
  (
    await r.rows<{ members: number; owners: number }>(
      `SELECT count(*) AS members, count(CASE role WHEN 'OWNER' THEN 1 END) AS owners FROM members
        WHERE tenant_id = ?1 AND user_id <> ?2`,
      [tenantId, userId],
    )
  )[0] ?? { members: 0, owners: 0 };

/** The institutions of a user, in the order of joining. */
export const listInstitutionsOf = (r: Reader, userId: string): Promise<TenantRow[]> =>
  r.q
    .select()
    .from(tenants)
    .innerJoin(members, eq(members.tenantId, tenants.id))
    .where(eq(members.userId, userId))
    .orderBy(asc(members.createdAt), asc(tenants.id))
    .then((rows) => rows.map((row) => row.tenants));

/** The institutions of a user with the user's role in each, in the order of joining. */
export const listMemberships = (r: Reader, userId: string): Promise<{ tenant: TenantRow; role: Role }[]> =>
  r.q
    .select({ tenant: tenants, role: members.role })
    .from(tenants)
    .innerJoin(members, eq(members.tenantId, tenants.id))
    .where(eq(members.userId, userId))
    .orderBy(asc(members.createdAt), asc(tenants.id));

export const listMembers = (r: Reader, tenantId: TenantId): Promise<(UserRow & { role: Role })[]> =>
  r.q
    .select()
    .from(users)
    .innerJoin(members, eq(members.userId, users.id))
    .where(eq(members.tenantId, tenantId))
    .orderBy(asc(members.createdAt), asc(users.id))
    .then((rows) => rows.map((row) => ({ ...row.users, role: row.members.role })));

/** The names of these users, by their ids. The caller has checked that they are members. */
export const namesOfUsers = async (r: Reader, ids: readonly string[]): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map();
  const rows = await r.q
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]));
  return new Map(rows.map(({ id, name }) => [id, name]));
};
