import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, columnsOfEach, insertInto, lines, statement } from "../../engine/statement.ts";
import { ifWithin, inScope, type Scope, type TenantScope } from "../scope.ts";
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
    /**
     * The only channel that the key opens; null for all of its tenant. Keys of the APIs `cloud` and `evolution` have
     * such a channel.
     */
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
  keeps: {
    group: "setup",
    setting: "none",
    rule: "for ever, also after it is revoked, because the audit log names it",
    isSwept: false,
  },
  personal: { none: "the account's own data" },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { limit: "keys", where: "tenant_id = :owner AND revoked_at IS NULL AND api <> 'evolution'" },
  files: { allowed_addresses: "holds no content of a message", permissions: "holds no content of a message" },
  backup: "rows alone",
});

const KEY = columnsOf(apiKeys);

const insert = insertInto(apiKeys);
export const insertKey = async (tx: Tx, row: KeyRow): Promise<void> => insert(tx, row);

const cacheKeyOf = (api: KeyApi, hash: string): string => `${KEYS_WITH_TENANTS}${api}/${hash}`;

export type KeyWithTenant = { key: KeyRow; tenant: TenantRow };

const byHash = statement<KeyWithTenant, { hash: string; api: KeyApi }>(
  `SELECT * FROM api_keys AS key JOIN tenants AS tenant ON tenant.id = key.tenant_id
    WHERE key.hash = :hash AND key.api = :api`,
  columnsOfEach({ key: KEY, tenant: columnsOf(tenants) }),
);

/**
 * The key with this hash and its tenant, in any state. Possession of the key gives the scope. `lastUsedAt` may be old.
 */
export const findKeyByHash = (r: Reader, api: KeyApi, hash: string): Promise<KeyWithTenant | undefined> =>
  r.cache.through(cacheKeyOf(api, hash), () => byHash.get(r, { hash, api }));

const NOT_REVOKED = "revoked_at IS NULL";
type OfApi = { api: KeyApi };

/** The keys that are not revoked, newest first. Bound: the account's limit of keys, or one per instance. */
export const listKeys = (r: Reader, scope: Scope, api: KeyApi): Promise<KeyRow[]> =>
  statement<KeyRow, Scope & OfApi>(
    `SELECT * FROM api_keys WHERE api = :api AND ${NOT_REVOKED} ${inScope(scope)} ORDER BY id DESC`,
    KEY,
  ).all(r, { ...scope, api });

type KeyPage = { withRevoked: boolean; beforeId: string | undefined; limit: number };

/** A page, newest first, of the keys before `beforeId`. */
export const listKeysBefore = (
  r: Reader,
  { tenantId }: TenantScope,
  api: KeyApi,
  { withRevoked, beforeId, limit }: KeyPage,
): Promise<KeyRow[]> =>
  statement<KeyRow, TenantScope & OfApi & Pick<KeyPage, "beforeId" | "limit">>(
    lines(
      "SELECT * FROM api_keys WHERE tenant_id = :tenantId AND api = :api",
      !withRevoked && `AND ${NOT_REVOKED}`,
      beforeId !== undefined && "AND id < :beforeId",
      "ORDER BY id DESC LIMIT :limit",
    ),
    KEY,
  ).all(r, { tenantId, api, beforeId, limit });

const byId = statement<KeyRow, OfApi & { id: string }>("SELECT * FROM api_keys WHERE id = :id AND api = :api", KEY);

export const findKey = async (r: Reader, scope: Scope, api: KeyApi, id: string): Promise<KeyRow | undefined> =>
  ifWithin(await byId.get(r, { id, api }), scope);

type Revoked = Pick<KeyRow, "api" | "hash">;

const forget = (tx: Tx, revoked: readonly Revoked[]): void => {
  for (const { api, hash } of revoked) tx.atCommit(() => tx.cache.forget(cacheKeyOf(api, hash)));
};

/** False when there is no such key, or it is already revoked. */
export const revokeKey = async (
  tx: Tx,
  scope: Scope,
  { api, id, atMs }: { api: KeyApi; id: string; atMs: number },
): Promise<boolean> => {
  const revoked = await statement<Revoked, Scope & OfApi & { id: string; atMs: number }>(
    `UPDATE api_keys SET revoked_at = :atMs WHERE id = :id AND api = :api AND ${NOT_REVOKED} ${inScope(scope)}
      RETURNING api, hash`,
  ).all(tx, { ...scope, api, id, atMs });
  forget(tx, revoked);
  return revoked.length > 0;
};

const withHash = statement<unknown, { hash: string }>("SELECT 1 FROM api_keys WHERE hash = :hash");

/** Whether a key of any API and tenant, in any state, has this hash. Bound: one row. */
export const isHashTaken = async (r: Reader, hash: string): Promise<boolean> =>
  (await withHash.all(r, { hash })).length > 0;

const OPENS_CHANNEL = `channel_id = :channelId AND channel_id IS NOT NULL AND ${NOT_REVOKED}`; // in the words of the index

const ofChannel = statement<KeyRow, { channelId: ChannelId }>(
  `SELECT * FROM api_keys WHERE ${OPENS_CHANNEL} ORDER BY id DESC`,
  KEY,
);

/** The keys that open this channel alone and are not revoked, newest first. Bound: the account's limit of keys. */
export const listKeysOfChannel = (r: Reader, channelId: ChannelId): Promise<KeyRow[]> =>
  ofChannel.all(r, { channelId });

const revokeOfChannel = statement<Revoked, { channelId: ChannelId; atMs: number }>(
  `UPDATE api_keys SET revoked_at = :atMs WHERE ${OPENS_CHANNEL} RETURNING api, hash`,
);

/** Revokes the keys that open a deleted channel alone. */
export const revokeKeysOfChannel = async (tx: Tx, channelId: ChannelId, atMs: number): Promise<void> =>
  forget(tx, await revokeOfChannel.all(tx, { channelId, atMs }));

const touch = statement<never, { id: string; atMs: number }>("UPDATE api_keys SET last_used_at = :atMs WHERE id = :id");
export const touchKey = async (tx: Tx, id: string, atMs: number): Promise<void> => touch.run(tx, { id, atMs });
