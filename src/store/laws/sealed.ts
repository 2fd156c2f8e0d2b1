import type { Reader, Tx } from "../engine/db.ts";
import { statement } from "../engine/statement.ts";
import { noteSubscriptionChange } from "../tables/events/subscriptions.ts";
import { TABLE_LAWS } from "./table-list.ts";

/** A column with sealed texts. `row`: SQL for the name of the row that a text is bound to, the same as at its sealing. */
export type SealedColumn = { table: string; column: string; row: string };

const COLUMNS_IN_BRACES = /\{(\w+)\}/;

/** SQL for a name whose odd parts are columns. */
const nameInSql = (name: string): string =>
  name
    .split(COLUMNS_IN_BRACES)
    .map((part, index) => (index % 2 === 1 ? part : `'${part}'`))
    .filter((part) => part !== "''")
    .join(" || ");

/** The name of a row that a sealed text is bound to. */
export const boundName = (name: string, row: Readonly<Record<string, unknown>>): string =>
  name
    .split(COLUMNS_IN_BRACES)
    .map((part, index) => (index % 2 === 1 ? String(row[part]) : part))
    .join("");

/** Every column with sealed texts. */
export const SEALED: readonly SealedColumn[] = TABLE_LAWS.flatMap(({ table, sealed }) =>
  sealed === "nothing" ? [] : Object.entries(sealed).map(([column, name]) => ({ table, column, row: nameInSql(name) })),
);

/** SQL for the id of the key that sealed a text. */
export const keyIdIn = (column: string): string => `substr(${column}, 3, 8)`;

/** A sealed text with its row's name and its rowid. */
export type SealedText = { at: number; row: string; sealed: string };

const select = ({ table, column, row }: SealedColumn, where: string): string =>
  `SELECT rowid AS at, ${row} AS row, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL AND ${where}`;

/** One text of each column that has texts. */
export const sampleSealed = async (r: Reader): Promise<(SealedText & { table: string })[]> => {
  const found = await Promise.all(
    SEALED.map(async (place) =>
      (await statement<SealedText>(`${select(place, "1")} LIMIT 1`).all(r)).map((one) => ({
        ...one,
        table: place.table,
      })),
    ),
  );
  return found.flat();
};

type After = { keyId: string; after: number; limit: number };

/** The texts of a column after `at` that another key sealed. */
export const listSealedByOthers = (r: Reader, place: SealedColumn, after: After): Promise<SealedText[]> =>
  statement<SealedText, After>(
    `${select(place, `rowid > :after AND ${keyIdIn(place.column)} <> :keyId`)} ORDER BY rowid LIMIT :limit`,
  ).all(r, after);

type Replacing = Pick<SealedText, "at" | "sealed"> & { by: string };

/** Replaces a text, unless it has changed meanwhile. */
export const replaceSealed = (tx: Tx, { table, column }: SealedColumn, { at, sealed, by }: Replacing): void => {
  statement<never, Replacing>(`UPDATE ${table} SET ${column} = :by WHERE rowid = :at AND ${column} = :sealed`).run(tx, {
    at,
    sealed,
    by,
  });
  if (table === "subscriptions") noteSubscriptionChange(tx);
};

/** Whether this key has sealed anything; with `isOther`, whether another key has. */
export const hasSealed = async (r: Reader, keyId: string, { isOther }: { isOther: boolean }): Promise<boolean> => {
  const exists = SEALED.map(
    ({ table, column }) =>
      `EXISTS (SELECT 1 FROM ${table} WHERE ${column} IS NOT NULL AND ${keyIdIn(column)} ${isOther ? "<>" : "="} :keyId)`,
  );
  const has = statement<{ has: number }, { keyId: string }>(`SELECT ${exists.join(" OR ")} AS has`);
  const found = await has.get(r, { keyId });
  return found?.has === 1;
};
