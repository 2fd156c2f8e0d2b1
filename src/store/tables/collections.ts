import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Collection } from "../../kernel/collections.ts";
import type { TenantId } from "../../kernel/ids.ts";
import type { Reader, Tx } from "../engine/db.ts";
import { type BackedUp, laws } from "./table-laws.ts";

/**
 * The size of a tenant's collections that are too large to count row by row. Updated in the write that changes the
 * collection.
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

export const tenantCountsLaws = laws(tenantCounts, {
  keeps: {
    group: "setup",
    setting: "none",
    rule: "an account and what it set up stay until it deletes them",
    isSwept: false,
  },
  personal: { none: "counters, of nobody" },
  joins: {
    rows: { by: ["collection"], add: ["n"], keep: [] },
    now: {
      where:
        // requests under an idempotency key stay with who made them, for a day
        "tenant_id = ?1 AND collection <> 'keyed-requests'",
    },
    later: false,
  },
  sealed: "nothing",
  grows: { bound: "one per account and collection that is counted so" },
  files: "none",
  backup: "rows alone",
});

/**
 * The stored bytes of a tenant: a file by its key in the file store, an agent's knowledge by `document/<id>`. A row is
 * deleted after its bytes. `name`: of a file that an account uploaded under one. `hiddenAt`: since when a file cannot be
 * used any more, except by what was accepted before. `sha256`: in hexadecimal, of a file that an account keeps to be sent;
 * null for files of earlier versions.
 */
export const storedItems = sqliteTable("stored_items", {
  key: text().primaryKey(),
  tenantId: text("tenant_id").$type<TenantId>().notNull(),
  sizeBytes: integer("size_bytes").notNull(),
  name: text(),
  hiddenAt: integer("hidden_at"),
  sha256: text(),
});

/** The files that are kept to be sent: those with a handle for new messages, and those that waiting messages name. */
const uploads = ({ has, neededHandles }: BackedUp): string | undefined =>
  has("hidden_at")
    ? `SELECT key, size_bytes FROM stored_items WHERE key GLOB '*/uploads/*' AND (hidden_at IS NULL
  OR 'file-' || substr(key, instr(key, '/uploads/') + 9) IN (${neededHandles}))`
    : undefined;

export const storedItemsLaws = laws(storedItems, {
  keeps: {
    group: "media",
    setting: "none",
    rule: "goes with its file, or its document; the file of a message that waits stays until the message has ended",
    isSwept: false,
  },
  personal: { none: "goes with its file" },
  joins: { rows: "move", now: "none", later: true },
  sealed: "nothing",
  grows: { limit: "stored-bytes" },
  files: "none",
  backup: { rows: "with files", files: uploads },
});

/** Collections that are too large to be counted at each request: their number is stored. */
const COUNTED = ["contacts", "stored-bytes", "keyed-requests"] as const;
export type CountedCollection = (typeof COUNTED)[number];
const isCounted = (collection: Collection): collection is CountedCollection =>
  (COUNTED as readonly Collection[]).includes(collection);

/** Counted row by row, up to the limit. ?1 is the owner. */
const ROWS: Record<Exclude<Collection, CountedCollection | "chunks">, string> = {
  institutions: "tenants WHERE created_by = ?1",
  members: "members WHERE tenant_id = ?1",
  keys: "api_keys WHERE tenant_id = ?1 AND revoked_at IS NULL AND api <> 'evolution'",
  channels: "channels WHERE tenant_id = ?1",
  webhooks: "subscriptions WHERE tenant_id = ?1 AND kind IN ('account', 'shared')",
  scheduled: "scheduled WHERE tenant_id = ?1 AND status = 'PENDING'",
  templates: "templates WHERE tenant_id = ?1",
  flows: "flows WHERE tenant_id = ?1",
  groups: "groups WHERE tenant_id = ?1 AND deleted_at IS NULL",
  lookups: "lookups WHERE channel_id = ?1 AND results IS NULL",
  documents: "documents WHERE channel_id = ?1",
};

/** The chunks of an agent are the sum over its documents, which are few. */
const SUM_OF_CHUNKS = "SELECT coalesce(sum(chunk_count), 0) AS n FROM documents WHERE channel_id = ?1";
const TENANT_COUNT = "SELECT n FROM tenant_counts WHERE tenant_id = ?1 AND collection = ?2";

/** The size of a collection, counted up to `most`. `owner` is the id of the user, tenant or channel with the limit. */
export const countCollection = async (
  r: Reader,
  collection: Collection,
  owner: string,
  most: number,
): Promise<number> => {
  if (isCounted(collection)) return (await r.rows<{ n: number }>(TENANT_COUNT, [owner, collection]))[0]?.n ?? 0;
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

const ADD = `INSERT INTO tenant_counts (tenant_id, collection, n) VALUES (?1, ?2, ?3)
    ON CONFLICT (tenant_id, collection) DO UPDATE SET n = n + excluded.n`;

/** Adds `by`, which may be negative, to the count of a tenant, or of another owner of a collection. */
export const addToCount = (tx: Tx, owner: string, collection: CountedCollection, by: number): void =>
  tx.run(ADD, [owner, collection, by]);

/** Records stored bytes. Nothing happens when they are already recorded. */
export const insertStored = async (tx: Tx, item: typeof storedItems.$inferInsert): Promise<void> => {
  const isNew =
    (await tx.q.insert(storedItems).values(item).onConflictDoNothing().returning({ key: storedItems.key })).length > 0;
  if (isNew) addToCount(tx, item.tenantId, "stored-bytes", item.sizeBytes);
};

/** The name under which a file was uploaded, and its hash; null where it had none. */
export const storedDetails = async (
  r: Reader,
  key: string,
): Promise<Pick<typeof storedItems.$inferSelect, "name" | "sha256">> =>
  (
    await r.rows<{ name: string | null; sha256: string | null }>(
      "SELECT name, sha256 FROM stored_items WHERE key = ?1",
      [key],
    )
  )[0] ?? { name: null, sha256: null };

const DELETE_STORED = `DELETE FROM stored_items WHERE key IN (SELECT value FROM json_each(?1))
    RETURNING tenant_id AS tenantId, size_bytes AS sizeBytes`;

/** Records that bytes were deleted. Nothing happens for unrecorded ones. */
export const deleteStored = async (tx: Tx, ...keys: string[]): Promise<void> => {
  if (keys.length === 0) return;
  const gone = await tx.rows<{ tenantId: TenantId; sizeBytes: number }>(DELETE_STORED, [JSON.stringify(keys)]);
  for (const { tenantId, sizeBytes } of gone) addToCount(tx, tenantId, "stored-bytes", -sizeBytes);
};

/** Those of these keys whose files can be used. */
export const listUsable = async (r: Reader, keys: readonly string[]): Promise<string[]> =>
  (
    await r.rows<{ key: string }>(
      "SELECT key FROM stored_items WHERE key IN (SELECT value FROM json_each(?1)) AND hidden_at IS NULL",
      [JSON.stringify(keys)],
    )
  ).map(({ key }) => key);

/** Hides a file, and gives since when it is hidden; undefined where no bytes are recorded. */
export const hideStored = async (tx: Tx, key: string, atMs: number): Promise<number | undefined> =>
  (
    await tx.rows<{ hiddenAt: number }>(
      "UPDATE stored_items SET hidden_at = coalesce(hidden_at, ?2) WHERE key = ?1 RETURNING hidden_at AS hiddenAt",
      [key, atMs],
    )
  )[0]?.hiddenAt;

const LARGEST = "SELECT n FROM tenant_counts WHERE collection = ?1 ORDER BY n DESC LIMIT 1";

/** The largest count of any tenant. */
export const largestCount = async (r: Reader, collection: CountedCollection): Promise<number> =>
  (await r.rows<{ n: number }>(LARGEST, [collection]))[0]?.n ?? 0;

/** The counted number of all tenants together. */
export const totalCount = async (r: Reader, collection: CountedCollection): Promise<number> =>
  (await r.rows<{ n: number | null }>("SELECT sum(n) AS n FROM tenant_counts WHERE collection = ?1", [collection]))[0]
    ?.n ?? 0;
