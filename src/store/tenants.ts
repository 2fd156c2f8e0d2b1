import { and, asc, desc, eq, gt, lt, sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TenantId } from "../kernel/ids.ts";
import { hot, isWrite, type Reader, type Tx } from "./db.ts";

export const DUNNING_STAGES = ["NONE", "WARNING", "CRITICAL", "SUSPENDED"] as const;
export const PLATFORM_PLANS = ["FREE", "STARTER", "PROFESSIONAL", "ENTERPRISE"] as const;
export type PlatformPlan = (typeof PLATFORM_PLANS)[number];

/**
 * An institution of the platform and an account of the gateway are the same row; `platformPlan` is set where it is an institution. `reactivatedAt`: when its last
 * suspension ended.
 */
export const tenants = sqliteTable(
  "tenants",
  {
    id: text().$type<TenantId>().primaryKey(),
    name: text().notNull(),
    status: text().notNull(),
    dunningStage: text("dunning_stage").$type<(typeof DUNNING_STAGES)[number]>().notNull(),
    planCode: text("plan_code").notNull(),
    platformPlan: text("platform_plan").$type<PlatformPlan>(),
    billingEmail: text("billing_email"),
    wabaMarkupPct: real("waba_markup_pct"),
    reactivatedAt: integer("reactivated_at"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [index("tenants_dunned").on(t.id).where(sql`dunning_stage <> 'NONE'`)],
);
export type TenantRow = typeof tenants.$inferSelect;

/** Accepted live sends per UTC day; `day` is days since the epoch. */
export const dailySends = sqliteTable("daily_sends", { tenantId: text("tenant_id").$type<TenantId>().notNull(), day: integer().notNull(), sends: integer().notNull() }, (t) => [
  primaryKey({ columns: [t.tenantId, t.day] }),
]);

export const insertTenant = async (tx: Tx, row: TenantRow): Promise<void> => void (await tx.q.insert(tenants).values(row));

export const findTenant = (r: Reader, id: TenantId): Promise<TenantRow | undefined> => r.q.select().from(tenants).where(eq(tenants.id, id)).get();

const plan = hot((q) =>
  q
    .select({ plan: tenants.platformPlan })
    .from(tenants)
    .where(eq(tenants.id, sql.placeholder("id")))
    .prepare(),
);

/** Whether the tenant is an institution of the platform, or an account of the gateway alone: what it was made as it remains, so that a write may be answered from memory too. */
export const isInstitution = async (r: Reader, id: TenantId): Promise<boolean> => ((await r.kept.through(`institution/${id}`, () => plan(r).get({ id })))?.plan ?? null) !== null;

/** What decides whether an account's work goes on. */
export type AccountState = Pick<TenantRow, "status" | "dunningStage" | "reactivatedAt">;

const state = hot((q) =>
  q
    .select({ status: tenants.status, dunningStage: tenants.dunningStage, reactivatedAt: tenants.reactivatedAt })
    .from(tenants)
    .where(eq(tenants.id, sql.placeholder("id")))
    .prepare(),
);

const keptState = (id: TenantId): string => `account-state/${id}`;

export const findAccountState = (r: Reader, id: TenantId): Promise<AccountState | undefined> => {
  const load = () => state(r).get({ id });
  return isWrite(r) ? load() : r.kept.through(keptState(id), load);
};

/** The accounts at any stage of dunning, in the order of their ids, after a given one. */
export const listDunned = async (r: Reader, { after, limit }: { after: string; limit: number }): Promise<TenantId[]> =>
  (await r.rows<{ id: TenantId }>("SELECT id FROM tenants WHERE dunning_stage <> 'NONE' AND id > ?1 ORDER BY id LIMIT ?2", [after, limit])).map(({ id }) => id);

/** Newest first; `cursor` is the id of the last one seen. Ids begin with their time, so their order is the order of creation. */
export const listTenants = (r: Reader, filter: { status: string | undefined; cursor: string | undefined; limit: number }): Promise<TenantRow[]> =>
  r.q
    .select()
    .from(tenants)
    .where(and(filter.status === undefined ? undefined : eq(tenants.status, filter.status), filter.cursor === undefined ? undefined : lt(tenants.id, filter.cursor as TenantId)))
    .orderBy(desc(tenants.id))
    .limit(filter.limit);

/** API keys are kept together with their tenants, under this and their own name. */
export const KEYS_WITH_TENANTS = "key/";

/** The row as changed; undefined when there is none. */
export const updateTenant = async (tx: Tx, id: TenantId, changes: Partial<Omit<TenantRow, "id">>): Promise<TenantRow | undefined> => {
  tx.atCommit(() => {
    tx.kept.forgetAll(KEYS_WITH_TENANTS);
    tx.kept.forget(keptState(id));
  });
  return (await tx.q.update(tenants).set(changes).where(eq(tenants.id, id)).returning())[0];
};

/** Counts one send of the day, unless the limit is reached: false then, and nothing is counted. */
export const countDailySend = async (tx: Tx, tenantId: TenantId, day: number, limit: number): Promise<boolean> => {
  if (limit < 1) return false;
  const counted = await tx.rows(
    "INSERT INTO daily_sends (tenant_id, day, sends) VALUES (?1, ?2, 1) ON CONFLICT (tenant_id, day) DO UPDATE SET sends = sends + 1 WHERE sends < ?3 RETURNING sends",
    [tenantId, day, limit],
  );
  return counted.length > 0;
};

/** How many sends of the day have been counted. */
export const dailySendsOf = async (r: Reader, tenantId: TenantId, day: number): Promise<number> =>
  (await r.rows<{ sends: number }>("SELECT sends FROM daily_sends WHERE tenant_id = ?1 AND day = ?2", [tenantId, day]))[0]?.sends ?? 0;

/** People who sign in to the platform. `emailKey` is the e-mail trimmed and lower-cased: what is unique. */
export const users = sqliteTable("users", {
  id: text().primaryKey(),
  name: text().notNull(),
  email: text().notNull(),
  emailKey: text("email_key").notNull().unique(),
  passwordHash: text("password_hash").notNull(),
  createdAt: integer("created_at").notNull(),
});
export type UserRow = typeof users.$inferSelect;

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
    createdAt: integer("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.tenantId] }), index("members_by_tenant").on(t.tenantId)],
);

/** False when the e-mail is taken. */
export const insertUser = async (tx: Tx, row: UserRow): Promise<boolean> =>
  (await tx.q.insert(users).values(row).onConflictDoNothing({ target: users.emailKey }).returning({ id: users.id })).length > 0;

export const findUserByEmail = (r: Reader, emailKey: string): Promise<UserRow | undefined> => r.q.select().from(users).where(eq(users.emailKey, emailKey)).get();
export const findUser = (r: Reader, id: string): Promise<UserRow | undefined> => r.q.select().from(users).where(eq(users.id, id)).get();

/** False when the user is a member already. */
export const insertMember = async (tx: Tx, row: typeof members.$inferInsert): Promise<boolean> =>
  (await tx.q.insert(members).values(row).onConflictDoNothing().returning({ userId: members.userId })).length > 0;

/** False when the user was no member, or is the only one left. */
export const deleteMember = async (tx: Tx, tenantId: TenantId, userId: string): Promise<boolean> =>
  (await tx.rows("DELETE FROM members WHERE tenant_id = ?1 AND user_id = ?2 AND (SELECT count(*) FROM members WHERE tenant_id = ?1) > 1 RETURNING user_id", [tenantId, userId]))
    .length > 0;

export const isMember = async (r: Reader, tenantId: TenantId, userId: string): Promise<boolean> =>
  (await r.q
    .select({ userId: members.userId })
    .from(members)
    .where(and(eq(members.tenantId, tenantId), eq(members.userId, userId)))
    .get()) !== undefined;

/** The institutions of a user, in the order of joining. */
export const listInstitutionsOf = (r: Reader, userId: string): Promise<TenantRow[]> =>
  r.q
    .select()
    .from(tenants)
    .innerJoin(members, eq(members.tenantId, tenants.id))
    .where(and(eq(members.userId, userId), gt(tenants.createdAt, 0)))
    .orderBy(asc(members.createdAt), asc(tenants.id))
    .then((rows) => rows.map((row) => row.tenants));

export const listMembers = (r: Reader, tenantId: TenantId): Promise<UserRow[]> =>
  r.q
    .select()
    .from(users)
    .innerJoin(members, eq(members.userId, users.id))
    .where(eq(members.tenantId, tenantId))
    .orderBy(asc(members.createdAt), asc(users.id))
    .then((rows) => rows.map((row) => row.users));

/** Small facts of the installation itself, by name. */
export const meta = sqliteTable("meta", { name: text().primaryKey(), value: text().notNull() });

export const readMeta = async (r: Reader, name: string): Promise<string | undefined> =>
  (await r.q.select({ value: meta.value }).from(meta).where(eq(meta.name, name)).get())?.value;

export const writeMeta = async (tx: Tx, name: string, value: string): Promise<void> =>
  void (await tx.q
    .insert(meta)
    .values({ name, value })
    .onConflictDoUpdate({ target: meta.name, set: { value: sql`excluded.value` } }));
