import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TenantId } from "../../../kernel/ids.ts";
import { isWrite, type Reader, type Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, lines, statement, updateOf } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";

export const DUNNING_STAGES = ["NONE", "WARNING", "CRITICAL", "SUSPENDED"] as const;
export const PLATFORM_PLANS = ["FREE", "STARTER", "PROFESSIONAL", "ENTERPRISE"] as const;
export type PlatformPlan = (typeof PLATFORM_PLANS)[number];

/**
 * An institution of the platform and an account of the gateway are the same row. `platformPlan` is set for an
 * institution. `reactivatedAt`: when its last suspension ended. `reprievedOn`: the day (`YYYY-MM-DD`) on which an
 * administrator last ended a suspension although an invoice was overdue. `joinedInto`: the institution that has all
 * data of this account since they were joined; the row stays as a record.
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
    /** The user who created the institution. */
    createdBy: text("created_by"),
    billingEmail: text("billing_email"),
    wabaMarkupPct: real("waba_markup_pct"),
    reactivatedAt: integer("reactivated_at"),
    reprievedOn: text("reprieved_on"),
    joinedInto: text("joined_into").$type<TenantId>(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    index("tenants_by_creator").on(t.createdBy).where(sql`created_by IS NOT NULL`),
    index("tenants_dunned").on(t.id).where(sql`dunning_stage <> 'NONE'`),
    index("tenants_joined").on(t.joinedInto).where(sql`joined_into IS NOT NULL`),
  ],
);
export type TenantRow = typeof tenants.$inferSelect;

export const tenantsLaws = laws(tenants, {
  keeps: {
    group: "setup",
    setting: "none",
    rule: "for ever",
    isSwept: false,
  },
  personal: { none: "the account's own data" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { limit: "institutions", where: "created_by = :owner" },
  files: "none",
  backup: "rows alone",
});

/** Accepted live sends per UTC day. `day` is days since the epoch. */
export const dailySends = sqliteTable(
  "daily_sends",
  { tenantId: text("tenant_id").$type<TenantId>().notNull(), day: integer().notNull(), sends: integer().notNull() },
  (t) => [primaryKey({ columns: [t.tenantId, t.day] })],
);

export const dailySendsLaws = laws(dailySends, {
  keeps: { group: "usage", setting: "RECADO_KEEP_USAGE", rule: "as in usage_days", isSwept: false },
  personal: { none: "counters, which name no person" },
  joins: { rows: { by: ["day"], add: ["sends"], keep: [] }, now: "all", later: false },
  sealed: "nothing",
  grows: { bound: "one per account and day" },
  files: "none",
  backup: "rows alone",
});

const TENANT = columnsOf(tenants);

const insert = insertInto(tenants);
export const insertTenant = async (tx: Tx, row: TenantRow): Promise<void> => insert(tx, row);

type ById = { id: TenantId };
const byId = statement<TenantRow, ById>("SELECT * FROM tenants WHERE id = :id", TENANT);
export const findTenant = (r: Reader, id: TenantId): Promise<TenantRow | undefined> => byId.get(r, { id });

const owner = statement<Pick<TenantRow, "platformPlan" | "joinedInto">, ById>(
  "SELECT * FROM tenants WHERE id = :id",
  columnsOf(tenants, "platformPlan", "joinedInto"),
);

const ownerCacheKey = (id: TenantId): string => `owner/${id}`;

/**
 * The tenant that has the data of a given tenant: itself, or the institution that it was joined with. Says also whether
 * it is an institution.
 */
export type Owner = { tenantId: TenantId; isInstitution: boolean };

/** A write may use the cache too: `updateTenant` removes changed tenants from it. */
export const findOwner = async (r: Reader, id: TenantId): Promise<Owner> => {
  const row = await r.cache.through(ownerCacheKey(id), () => owner.get(r, { id }));
  return row?.joinedInto
    ? { tenantId: row.joinedInto, isInstitution: true }
    : { tenantId: id, isInstitution: (row?.platformPlan ?? null) !== null };
};

const joined = statement<ById, ById>("SELECT id FROM tenants WHERE joined_into = :id ORDER BY id");

/**
 * The accounts that were joined with an institution. Files that were stored before lie in folders of their names.
 * Bound: the joins that the administrator made.
 */
export const listJoined = async (r: Reader, id: TenantId): Promise<TenantId[]> =>
  (await joined.all(r, { id })).map((row) => row.id);

/** The columns that decide whether an account may work. */
export type AccountState = Pick<TenantRow, "status" | "dunningStage" | "reactivatedAt">;

const state = statement<AccountState, ById>(
  "SELECT * FROM tenants WHERE id = :id",
  columnsOf(tenants, "status", "dunningStage", "reactivatedAt"),
);

const stateCacheKey = (id: TenantId): string => `account-state/${id}`;

export const findAccountState = (r: Reader, id: TenantId): Promise<AccountState | undefined> => {
  const load = () => state.get(r, { id });
  return isWrite(r) ? load() : r.cache.through(stateCacheKey(id), load);
};

const dunned = statement<ById, { after: string; limit: number }>(
  "SELECT id FROM tenants WHERE dunning_stage <> 'NONE' AND id > :after ORDER BY id LIMIT :limit",
);

/** The accounts in any stage of dunning, by id, after a given one. */
export const listDunned = async (r: Reader, { after, limit }: { after: string; limit: number }): Promise<TenantId[]> =>
  (await dunned.all(r, { after, limit })).map(({ id }) => id);

export type TenantFilter = {
  status: string | undefined;
  /** Part of a name or a billing address, or a whole id. */
  search?: string | undefined;
  /** Only institutions of the platform, or only other tenants. */
  isInstitution?: boolean | undefined;
  cursor: string | undefined;
  limit: number;
};

const HAS_TEXT = "(name LIKE :part ESCAPE '\\' OR billing_email LIKE :part ESCAPE '\\' OR id = :search)";

/** Newest first. `cursor` is the last id of the page before. Ids begin with their time, so they sort by creation. */
export const listTenants = (r: Reader, filter: TenantFilter): Promise<TenantRow[]> =>
  statement<TenantRow, TenantFilter & { part: string | undefined }>(
    lines(
      "SELECT * FROM tenants WHERE true",
      filter.status !== undefined && "AND status = :status",
      filter.search !== undefined && `AND ${HAS_TEXT}`,
      filter.isInstitution !== undefined && `AND platform_plan IS ${filter.isInstitution ? "NOT NULL" : "NULL"}`,
      filter.cursor !== undefined && "AND id < :cursor",
      "ORDER BY id DESC LIMIT :limit",
    ),
    TENANT,
  ).all(r, { ...filter, part: `%${filter.search?.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%` });

/** API keys are cached with their tenants, under this prefix and their own name. */
export const KEYS_WITH_TENANTS = "key/";

const update = updateOf<typeof tenants, ById>(tenants, "WHERE id = :id RETURNING *");

/** The changed row; undefined without such a tenant. */
export const updateTenant = async (
  tx: Tx,
  id: TenantId,
  changes: Partial<Omit<TenantRow, "id">>,
): Promise<TenantRow | undefined> => {
  tx.atCommit(() => {
    tx.cache.forgetAll(KEYS_WITH_TENANTS);
    tx.cache.forget(stateCacheKey(id));
    tx.cache.forget(ownerCacheKey(id));
  });
  return (await update(tx, changes, { id }))[0];
};

type Day = Pick<typeof dailySends.$inferSelect, "tenantId" | "day">;
const countSend = statement<unknown, Day & { limit: number }>(
  `INSERT INTO daily_sends (tenant_id, day, sends) VALUES (:tenantId, :day, 1) ON CONFLICT (tenant_id, day) DO UPDATE
    SET sends = sends + 1 WHERE sends < :limit RETURNING 1`,
);

/** Counts one send of the day; false, and nothing is counted, when the limit is reached. */
export const countDailySend = async (tx: Tx, tenantId: TenantId, day: number, limit: number): Promise<boolean> =>
  limit >= 1 && (await countSend.all(tx, { tenantId, day, limit })).length > 0;

const sendsOf = statement<{ sends: number }, Day>(
  "SELECT sends FROM daily_sends WHERE tenant_id = :tenantId AND day = :day",
);

/** The number of counted sends of the day. */
export const listDailySends = async (r: Reader, tenantId: TenantId, day: number): Promise<number> =>
  (await sendsOf.get(r, { tenantId, day }))?.sends ?? 0;
