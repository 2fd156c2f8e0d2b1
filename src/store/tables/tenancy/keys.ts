import { and, desc, eq, isNull, lt, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import { hot, type Reader, type Tx } from "../../engine/db.ts";
import { type Scope, type TenantScope, within } from "../scope.ts";
import { laws } from "../table-laws.ts";
import { KEYS_WITH_TENANTS, type TenantRow, tenants } from "./tenants.ts";

export type KeyApi = "platform" | "gateway" | "cloud" | "evolution";
export type Environment = "live" | "test";

/** API keys of all APIs. The key itself is not stored: `hash` is its SHA-256. A JSON column holds its list as text. */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id")
      .$type<TenantId>()
      .notNull()
      .references(() => tenants.id),
    api: text().$type<KeyApi>().notNull(),
    name: text().notNull(),
    hash: text().notNull().unique(),
    prefix: text().notNull(),
    permissions: text({ mode: "json" }).$type<string[]>().notNull(),
    environment: text().$type<Environment>().notNull(),
    /** The only channel that the key opens; null for all of its tenant. Keys of the APIs `cloud` and `evolution` have one. */
    channelId: text("channel_id").$type<ChannelId>(),
    requestsPerMinute: integer("requests_per_minute"),
    isReadOnly: integer("is_read_only", { mode: "boolean" }).notNull().default(false),
    /** The addresses and CIDRs that may use the key; empty means all. */
    allowedAddresses: text("allowed_addresses", { mode: "json" }).$type<string[]>().notNull().default([]),
    expiresAt: integer("expires_at"),
    lastUsedAt: integer("last_used_at"),
    revokedAt: integer("revoked_at"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    index("api_keys_by_tenant").on(t.tenantId, t.id),
    index("api_keys_live").on(t.tenantId).where(sql`revoked_at IS NULL`),
    index("api_keys_by_channel").on(t.channelId, t.id).where(sql`channel_id IS NOT NULL`),
  ],
);
export type KeyRow = typeof apiKeys.$inferSelect;

export const apiKeysLaws = laws(apiKeys, {
  keeps: { group: "setup", setting: "none", rule: "a revoked one stays: the audit log names it", isSwept: false },
  personal: { none: "a tenant's own" },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { limit: "keys" },
  files: { allowed_addresses: "holds no content of a message", permissions: "holds no content of a message" },
  backup: "rows alone",
});

export const insertKey = async (tx: Tx, row: KeyRow): Promise<void> => void (await tx.q.insert(apiKeys).values(row));

const byHash = hot((q) =>
  q
    .select()
    .from(apiKeys)
    .innerJoin(tenants, eq(tenants.id, apiKeys.tenantId))
    .where(and(eq(apiKeys.hash, sql.placeholder("hash")), eq(apiKeys.api, sql.placeholder("api"))))
    .prepare(),
);

const cacheKeyOf = (api: KeyApi, hash: string): string => `${KEYS_WITH_TENANTS}${api}/${hash}`;

export type KeyWithTenant = { key: KeyRow; tenant: TenantRow };

/**
 * The key with this hash and its tenant, in any state. Possession of the key gives the scope. `lastUsedAt` may be old.
 */
export const findKeyByHash = (r: Reader, api: KeyApi, hash: string): Promise<KeyWithTenant | undefined> =>
  r.cache.through(cacheKeyOf(api, hash), async () => {
    const row = await byHash(r).get({ hash, api });
    return row && { key: row.api_keys, tenant: row.tenants };
  });

/** Newest first. */
export const listKeys = (r: Reader, scope: Scope, api: KeyApi, options: { withRevoked: boolean }): Promise<KeyRow[]> =>
  r.q
    .select()
    .from(apiKeys)
    .where(
      and(
        within(apiKeys.tenantId, scope),
        eq(apiKeys.api, api),
        options.withRevoked ? undefined : isNull(apiKeys.revokedAt),
      ),
    )
    .orderBy(desc(apiKeys.id));

/** A page, newest first, of the keys before `beforeId`. */
export const listKeysBefore = (
  r: Reader,
  { tenantId }: TenantScope,
  api: KeyApi,
  { withRevoked, beforeId, limit }: { withRevoked: boolean; beforeId: string | undefined; limit: number },
): Promise<KeyRow[]> =>
  r.q
    .select()
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.tenantId, tenantId),
        eq(apiKeys.api, api),
        withRevoked ? undefined : isNull(apiKeys.revokedAt),
        beforeId === undefined ? undefined : lt(apiKeys.id, beforeId),
      ),
    )
    .orderBy(desc(apiKeys.id))
    .limit(limit);

export const findKey = (r: Reader, scope: Scope, api: KeyApi, id: string): Promise<KeyRow | undefined> =>
  r.q
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), eq(apiKeys.api, api), within(apiKeys.tenantId, scope)))
    .get();

/** The name of a key of any API, also of a revoked one. */
export const nameOfKey = async (r: Reader, { tenantId }: Scope, id: string): Promise<string | undefined> =>
  (
    await r.rows<{ name: string }>("SELECT name FROM api_keys WHERE id = ?1 AND tenant_id = ?2", [id, tenantId ?? ""])
  )[0]?.name;

/** False when there is no such key, or it is already revoked. */
export const revokeKey = async (
  tx: Tx,
  scope: Scope,
  { api, id, atMs }: { api: KeyApi; id: string; atMs: number },
): Promise<boolean> => {
  const revoked = await tx.q
    .update(apiKeys)
    .set({ revokedAt: atMs })
    .where(and(eq(apiKeys.id, id), eq(apiKeys.api, api), isNull(apiKeys.revokedAt), within(apiKeys.tenantId, scope)))
    .returning({ hash: apiKeys.hash });
  for (const { hash } of revoked) tx.atCommit(() => tx.cache.forget(cacheKeyOf(api, hash)));
  return revoked.length > 0;
};

/** Whether a key of any API and tenant, in any state, has this hash. */
export const isHashTaken = async (r: Reader, hash: string): Promise<boolean> =>
  (await r.q.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.hash, hash)).get()) !== undefined;

/** The keys that open this channel alone and are not revoked, newest first. */
export const listKeysOfChannel = (r: Reader, channelId: ChannelId): Promise<KeyRow[]> =>
  r.q
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.channelId, channelId), sql`channel_id IS NOT NULL`, isNull(apiKeys.revokedAt)))
    .orderBy(desc(apiKeys.id));

/** Revokes the keys that open a deleted channel alone. */
export const revokeKeysOfChannel = async (tx: Tx, channelId: ChannelId, atMs: number): Promise<void> => {
  const revoked = await tx.q
    .update(apiKeys)
    .set({ revokedAt: atMs })
    .where(and(eq(apiKeys.channelId, channelId), sql`channel_id IS NOT NULL`, isNull(apiKeys.revokedAt)))
    .returning({ hash: apiKeys.hash, api: apiKeys.api });
  for (const { hash, api } of revoked) tx.atCommit(() => tx.cache.forget(cacheKeyOf(api, hash)));
};

export const touchKey = async (tx: Tx, id: string, atMs: number): Promise<void> =>
  void (await tx.q.update(apiKeys).set({ lastUsedAt: atMs }).where(eq(apiKeys.id, id)));
