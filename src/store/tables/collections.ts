import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Collection } from "../../kernel/collections.ts";
import type { TenantId } from "../../kernel/ids.ts";
import { FILE_HANDLE_PREFIX } from "../../kernel/texts/file-names.ts";
import type { Reader, Tx } from "../engine/db.ts";
import { columnsOf, insertNew, statement } from "../engine/statement.ts";
import { type BackedUp, type CountedCollection, laws } from "./table-laws.ts";

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
    rule: "for ever, as their account",
    isSwept: false,
  },
  personal: { none: "counters, which name no person" },
  joins: {
    rows: { by: ["collection"], add: ["n"], keep: [] },
    now: {
      where:
        // requests under an idempotency key stay with the tenant that made them, for a day
        "tenant_id = :from AND collection <> 'keyed-requests'",
    },
    later: false,
  },
  sealed: "nothing",
  grows: { bound: "one per account and counted collection" },
  files: "none",
  backup: "rows alone",
});

/**
 * The stored bytes of a tenant: a file by its key in the file store, an agent's knowledge by `document/<id>`. A row is
 * deleted after its bytes. `name`: the file name that an account gave at the upload. `hiddenAt`: since when new
 * messages cannot use the file; accepted messages still can. `sha256`: in hexadecimal, for files that an account keeps
 * to be sent; null for files of earlier versions.
 */
export const storedItems = sqliteTable("stored_items", {
  key: text().primaryKey(),
  tenantId: text("tenant_id").$type<TenantId>().notNull(),
  sizeBytes: integer("size_bytes").notNull(),
  name: text(),
  hiddenAt: integer("hidden_at"),
  sha256: text(),
});

/** The files that are kept to be sent: files with a handle for new messages, and files that waiting messages name. */
const uploads = ({ has, neededHandles }: BackedUp): string | undefined =>
  has("hidden_at")
    ? `SELECT key, size_bytes FROM stored_items WHERE key GLOB '*/uploads/*' AND (hidden_at IS NULL
  OR '${FILE_HANDLE_PREFIX}' || substr(key, instr(key, '/uploads/') + 9) IN (${neededHandles}))`
    : undefined;

export const storedItemsLaws = laws(storedItems, {
  keeps: {
    group: "media",
    setting: "none",
    rule: "until its file or its document is deleted; the file of a waiting message stays until the message has ended",
    isSwept: false,
  },
  personal: { none: "deleted together with its file" },
  joins: { rows: "move", now: "none", later: true },
  sealed: "nothing",
  grows: { limit: "stored-bytes", isStored: true },
  files: "none",
  backup: { rows: "with files", files: uploads },
});

const storedCount = statement<{ n: number }, { owner: string; collection: CountedCollection }>(
  "SELECT n FROM tenant_counts WHERE tenant_id = :owner AND collection = :collection",
);

/** The stored number of a collection. */
export const readStoredCount = async (r: Reader, owner: string, collection: CountedCollection): Promise<number> =>
  (await storedCount.get(r, { owner, collection }))?.n ?? 0;

const add = statement<never, { owner: string; collection: CountedCollection; by: number }>(
  `INSERT INTO tenant_counts (tenant_id, collection, n) VALUES (:owner, :collection, :by)
    ON CONFLICT (tenant_id, collection) DO UPDATE SET n = n + excluded.n`,
);

/** Adds `by`, which may be negative, to the count of a tenant or another owner of a collection. */
export const addToCount = (tx: Tx, owner: string, collection: CountedCollection, by: number): void =>
  add.run(tx, { owner, collection, by });

type StoredItem = typeof storedItems.$inferSelect;
const insert = insertNew(storedItems);

/** Records stored bytes. Nothing happens when they are already recorded. */
export const insertStored = async (tx: Tx, item: typeof storedItems.$inferInsert): Promise<void> => {
  if (await insert(tx, item)) addToCount(tx, item.tenantId, "stored-bytes", item.sizeBytes);
};

const details = statement<Pick<StoredItem, "name" | "sha256">, { key: string }>(
  "SELECT name, sha256 FROM stored_items WHERE key = :key",
);

/** The name under which a file was uploaded, and its hash; null if it had no name. */
export const storedDetails = async (r: Reader, key: string): Promise<Pick<StoredItem, "name" | "sha256">> =>
  (await details.get(r, { key })) ?? { name: null, sha256: null };

const removeStored = statement<Pick<StoredItem, "tenantId" | "sizeBytes">, { keys: readonly string[] }>(
  "DELETE FROM stored_items WHERE key IN (SELECT value FROM json_each(:keys)) RETURNING *",
  columnsOf(storedItems, "tenantId", "sizeBytes"),
);

/** Records that bytes were deleted. Nothing happens for unrecorded ones. */
export const deleteStored = async (tx: Tx, ...keys: string[]): Promise<void> => {
  if (keys.length === 0) return;
  const gone = await removeStored.all(tx, { keys });
  for (const { tenantId, sizeBytes } of gone) addToCount(tx, tenantId, "stored-bytes", -sizeBytes);
};

const usable = statement<{ key: string }, { keys: readonly string[] }>(
  "SELECT key FROM stored_items WHERE key IN (SELECT value FROM json_each(:keys)) AND hidden_at IS NULL",
);

/** The keys among these whose files can be used. Bound: the keys of the caller. */
export const listUsable = async (r: Reader, keys: readonly string[]): Promise<string[]> =>
  (await usable.all(r, { keys })).map(({ key }) => key);

const hide = statement<{ hiddenAt: number }, { key: string; atMs: number }>(
  `UPDATE stored_items SET hidden_at = coalesce(hidden_at, :atMs) WHERE key = :key
    RETURNING hidden_at AS hiddenAt`,
);

/** Hides a file. Gives since when it is hidden; undefined if no bytes are recorded. */
export const hideStored = async (tx: Tx, key: string, atMs: number): Promise<number | undefined> =>
  (await hide.get(tx, { key, atMs }))?.hiddenAt;

const largest = statement<{ n: number }, { collection: CountedCollection }>(
  "SELECT n FROM tenant_counts WHERE collection = :collection ORDER BY n DESC LIMIT 1",
);

/** The largest count of any tenant. */
export const largestCount = async (r: Reader, collection: CountedCollection): Promise<number> =>
  (await largest.get(r, { collection }))?.n ?? 0;

const total = statement<{ n: number | null }, { collection: CountedCollection }>(
  "SELECT sum(n) AS n FROM tenant_counts WHERE collection = :collection",
);

/** The sum over all tenants. */
export const totalCount = async (r: Reader, collection: CountedCollection): Promise<number> =>
  (await total.get(r, { collection }))?.n ?? 0;
