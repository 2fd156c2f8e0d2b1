import { type SQL, sql } from "drizzle-orm";
import type { TenantId } from "../../kernel/ids.ts";
import type { Reader } from "../engine/db.ts";
import { statement } from "../engine/statement.ts";

/**
 * How rows of a table refer to a file of their account while they wait. `names`: the column or path that names it, by its
 * handle, or by its key in the file store. `waits`: which rows do.
 */
type Reference = { by: "handle" | "key"; names: string; waits: string };

/**
 * TABLE: what waits with a file. Such a row is the reference: it is taken in the write that accepts the work, goes with
 * it to another account, and ends with it, however it ends. Each has a partial index of the same words.
 */
export const FILE_REFERENCES = {
  messages: { by: "handle", names: "content ->> '$.mediaHandle'", waits: "status = 'QUEUED'" },
  scheduled: {
    by: "handle",
    names: "payload ->> '$.content.mediaHandle'",
    waits: "status IN ('PENDING', 'PROCESSING')",
  },
  documents: {
    by: "key",
    names: "source_ref",
    waits: "source = 'OBJECT_FILE' AND status IN ('PENDING', 'PROCESSING')",
  },
} as const satisfies Record<string, Reference>;

/** What the index of a table's references holds, and of which rows. */
export const referenceIndex = (table: keyof typeof FILE_REFERENCES): { on: SQL; where: SQL } => {
  const { names, waits } = FILE_REFERENCES[table];
  return { on: sql.raw(`(${names})`), where: sql.raw(`${waits} AND ${names} IS NOT NULL`) };
};

// +tenant_id: the index of the references finds a row or two
const referencesOf = (table: keyof typeof FILE_REFERENCES): string => {
  const { names, waits } = FILE_REFERENCES[table];
  return `SELECT 1 FROM ${table} WHERE ${waits} AND ${names} = :name
    AND +tenant_id IN (:tenantId, (SELECT joined_into FROM tenants WHERE id = :tenantId))`;
};

const referencesBy = (by: Reference["by"]) =>
  statement<unknown, { tenantId: TenantId; name: string }>(
    `${(Object.keys(FILE_REFERENCES) as (keyof typeof FILE_REFERENCES)[])
      .filter((table) => FILE_REFERENCES[table].by === by)
      .map(referencesOf)
      .join(" UNION ALL ")} LIMIT 1`,
  );
const REFERENCES = { key: referencesBy("key"), handle: referencesBy("handle") };

/** The handles of all files that something waits with. */
export const NEEDED_HANDLES: string = Object.entries(FILE_REFERENCES)
  .filter(([, { by }]) => by === "handle")
  .map(([table, { names, waits }]) => `SELECT ${names} FROM ${table} WHERE ${waits} AND ${names} IS NOT NULL`)
  .join(" UNION ALL ");

/** A file by its key in the store, and the account in whose folder it lies. `handle`: what messages name it by. */
export type FileName = { tenantId: TenantId; key: string; handle: string | undefined };

/** Whether something that waits needs a file: of its account, or of the institution that the account was joined with. */
export const isFileNeeded = async (r: Reader, { tenantId, key, handle }: FileName): Promise<boolean> => {
  const [by, name] = handle === undefined ? (["key", key] as const) : (["handle", handle] as const);
  return (await REFERENCES[by].get(r, { tenantId, name })) !== undefined;
};
