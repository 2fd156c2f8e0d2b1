import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Collection } from "../kernel/collections.ts";
import type { TenantId } from "../kernel/ids.ts";
import type { Reader, Tx } from "./db.ts";

/**
 * How much a tenant has of what is too much to be counted row by row. Changed in the write that changes what is
 * counted.
 */
export const tenantCounts = sqliteTable(
  "tenant_counts",
  {
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    collection: text().$type<Collection>().notNull(),
    n: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.collection] }), index("tenant_counts_largest").on(t.collection, t.n)],
);

/**
 * What is stored for a tenant: a file by its key in the file store, what an agent has learnt by `document/<id>`. A row
 * goes when its bytes have gone.
 */
export const storedItems = sqliteTable("stored_items", {
  key: text().primaryKey(),
  tenantId: text("tenant_id").$type<TenantId>().notNull(),
  sizeBytes: integer("size_bytes").notNull(),
});

/** Counted row by row, up to the limit: whose they are is ?1. */
const ROWS: Record<Exclude<Collection, "contacts" | "stored-bytes" | "chunks">, string> = {
  institutions: "tenants WHERE created_by = ?1",
  members: "members WHERE tenant_id = ?1",
  keys: "api_keys WHERE tenant_id = ?1 AND revoked_at IS NULL",
  channels: "channels WHERE tenant_id = ?1",
  webhooks: "subscriptions WHERE tenant_id = ?1 AND kind IN ('account', 'shared')",
  scheduled: "scheduled WHERE tenant_id = ?1 AND status = 'PENDING'",
  templates: "templates WHERE tenant_id = ?1",
  flows: "flows WHERE tenant_id = ?1",
  groups: "groups WHERE tenant_id = ?1 AND deleted_at IS NULL",
  lookups: "lookups WHERE channel_id = ?1 AND results IS NULL",
  documents: "documents WHERE channel_id = ?1",
};

/** What an agent knows is a sum over its documents, of which it has few. */
const SUM_OF_CHUNKS = "SELECT coalesce(sum(chunk_count), 0) AS n FROM documents WHERE channel_id = ?1";
const KEPT = "SELECT n FROM tenant_counts WHERE tenant_id = ?1 AND collection = ?2";

/**
 * How many there are of a collection; counting stops at `most`. `owner` is the id of the user, tenant or channel whose
 * limit it is.
 */
export const countOf = async (r: Reader, collection: Collection, owner: string, most: number): Promise<number> => {
  if (collection === "contacts" || collection === "stored-bytes")
    return (await r.rows<{ n: number }>(KEPT, [owner, collection]))[0]?.n ?? 0;
  if (collection === "chunks") return (await r.rows<{ n: number }>(SUM_OF_CHUNKS, [owner]))[0]?.n ?? 0;
  return (
    (
      await r.rows<{ n: number }>(`SELECT count(*) AS n FROM (SELECT 1 FROM ${ROWS[collection]} LIMIT ?2)`, [
        owner,
        most,
      ])
    )[0]?.n ?? 0
  );
};

const ADD =
  "INSERT INTO tenant_counts (tenant_id, collection, n) VALUES (?1, ?2, ?3) ON CONFLICT (tenant_id, collection) DO UPDATE SET n = n + excluded.n";

/** Notes that a tenant has so many more, or fewer. */
export const addToCount = (tx: Tx, tenantId: TenantId, collection: "contacts" | "stored-bytes", by: number): void =>
  tx.run(ADD, [tenantId, collection, by]);

/** Notes bytes that are stored. Nothing happens when they are noted already. */
export const insertStored = async (tx: Tx, item: typeof storedItems.$inferSelect): Promise<void> => {
  const isNew =
    (await tx.q.insert(storedItems).values(item).onConflictDoNothing().returning({ key: storedItems.key })).length > 0;
  if (isNew) addToCount(tx, item.tenantId, "stored-bytes", item.sizeBytes);
};

const DELETE_STORED =
  "DELETE FROM stored_items WHERE key IN (SELECT value FROM json_each(?1)) RETURNING tenant_id AS tenantId, size_bytes AS sizeBytes";

/** Notes that bytes have gone. Nothing happens for those that were not noted. */
export const deleteStored = async (tx: Tx, ...keys: string[]): Promise<void> => {
  if (keys.length === 0) return;
  const gone = await tx.rows<{ tenantId: TenantId; sizeBytes: number }>(DELETE_STORED, [JSON.stringify(keys)]);
  for (const { tenantId, sizeBytes } of gone) addToCount(tx, tenantId, "stored-bytes", -sizeBytes);
};

const LARGEST = "SELECT n FROM tenant_counts WHERE collection = ?1 ORDER BY n DESC LIMIT 1";

/** The most that any tenant has. */
export const largestCount = async (r: Reader, collection: "contacts" | "stored-bytes"): Promise<number> =>
  (await r.rows<{ n: number }>(LARGEST, [collection]))[0]?.n ?? 0;
