import type { TenantId } from "../../kernel/ids.ts";
import type { Reader } from "../engine/db.ts";
import { statement } from "../engine/statement.ts";
import { type FileReference, type FilesWithin, waitsWithin } from "../tables/table-laws.ts";
import { TABLE_LAWS } from "./table-list.ts";

type OfTable = FileReference & { table: string };

/** The rows that wait with a file, table by table. */
export const FILE_REFERENCES: readonly OfTable[] = TABLE_LAWS.flatMap(({ table, files }) =>
  files === "none"
    ? []
    : Object.values(files).flatMap((file) =>
        typeof file === "string" ? [] : [file].flat().map((one) => ({ ...one, table })),
      ),
);

const OF_ACCOUNT = "tenant_id IN (:tenantId, (SELECT joined_into FROM tenants WHERE id = :tenantId))";

const referencesOf = (one: OfTable): string =>
  "within" in one
    ? `SELECT 1 FROM ${one.table} WHERE ${waitsWithin(one)} AND ${OF_ACCOUNT}
    AND instr(${one.within}, '"mediaHandle":"' || :name || '"') > 0`
    : // +tenant_id: the index of the references finds a row or two
      `SELECT 1 FROM ${one.table} WHERE ${one.waits} AND ${one.names} = :name AND +${OF_ACCOUNT}`;

const handlesWithin = ({ table, ...one }: FilesWithin & { table: string }): string =>
  `SELECT field.value FROM (SELECT ${one.within} AS document FROM ${table} WHERE ${waitsWithin(one)}) AS waiting,
    json_tree(waiting.document) AS field WHERE field.key = 'mediaHandle'`;

const referencesBy = (by: FileReference["by"]) =>
  statement<unknown, { tenantId: TenantId; name: string }>(
    `${FILE_REFERENCES.filter((one) => one.by === by)
      .map(referencesOf)
      .join(" UNION ALL ")} LIMIT 1`,
  );
const REFERENCES = { key: referencesBy("key"), handle: referencesBy("handle") };

/** The handles of all files that a waiting row names. */
export const NEEDED_HANDLES: string = FILE_REFERENCES.filter(({ by }) => by === "handle")
  .map((one) =>
    "within" in one
      ? handlesWithin(one)
      : `SELECT ${one.names} FROM ${one.table} WHERE ${one.waits} AND ${one.names} IS NOT NULL`,
  )
  .join(" UNION ALL ");

/** A file by its key in the store, and the account in whose folder it lies. `handle`: its name in messages. */
export type FileName = { tenantId: TenantId; key: string; handle: string | undefined };

/**
 * Whether a waiting row needs a file. The row is of the file's account, or of the institution that the account was
 * joined with.
 */
export const isFileNeeded = async (r: Reader, { tenantId, key, handle }: FileName): Promise<boolean> => {
  const [by, name] = handle === undefined ? (["key", key] as const) : (["handle", handle] as const);
  return (await REFERENCES[by].get(r, { tenantId, name })) !== undefined;
};
