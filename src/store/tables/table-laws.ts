import { getTableName, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Collection } from "../../kernel/collections.ts";
import type { SettingName } from "../../kernel/settings/settings.ts";
import type { Tx } from "../engine/db.ts";
import { statement } from "../engine/statement.ts";

// What is true of every row of a table, written beside the table. store/laws/ makes its rules of all of them.

/** What a metric of growth stands for: tables that grow for the same reason, and that one setting limits. */
export const GROUPS = [
  "messages",
  "events",
  "conversations",
  "media",
  "batches",
  "usage",
  "audit",
  "mail",
  "work",
  "setup",
] as const;
export type Group = (typeof GROUPS)[number];

/**
 * How long rows stay. `rule`: in the words of the documentation. `isSwept`: core/retention.ts has the sweep that deletes
 * old rows. Rows of other tables stay, or are deleted together with those of another table.
 */
export type Keeps = { group: Group; setting: SettingName | "none"; rule: string; isSwept: boolean };

/**
 * A person with all their ids. `names`: whether a text is one of them, in any spelling. `namesIn`: whether a JSON text
 * contains one. `mentions`: whether any text contains one.
 */
export type Somebody = {
  names(text: unknown): boolean;
  namesIn(json: unknown): boolean;
  mentions(text: unknown): boolean;
  redact(text: string): string;
};

/** A row of a page. `at` is its rowid. `tenantId` is null where only the row's text shows its tenant. */
export type PersonalRow = { at: number; tenantId: string | null; [column: string]: string | number | null | undefined };

/**
 * The effects of an erased row outside the database: its file is deleted before the row; its batch continues after it.
 * `wait`: a job works on the row.
 */
export type Effects = { file?: string; batchId?: string; wait?: true };

/** Where the rows of a page come from, and with which columns: one of them is `tenantId`. `alias`: of the table itself. */
export type PersonalPage = { columns: string; from: string; alias?: string };

/**
 * How rows hold personal data. `rowsOf`: a row's tenant is its own, or that of its channel, or the page says it. `by`: the
 * columns that name the person whose row it is; `isOf` decides instead where a name is no column. `texts`: the columns of
 * other people's rows in which the person's ids are replaced. `bytes`: those in base64 that are emptied where they contain
 * one. `erase`: where a row is not deleted as a whole. `isOpened`: `isOf` also gets the column `sealed`, as `opened`.
 */
export type PersonalLaw = {
  rowsOf: "tenant" | "channel" | PersonalPage;
  by: readonly string[];
  texts: readonly string[];
  bytes?: readonly string[];
  isOf?(row: PersonalRow, who: Somebody): boolean;
  erase?(tx: Tx, row: PersonalRow, who: Somebody): Effects | Promise<Effects>;
  effects?(row: PersonalRow): Effects;
  isOpened?: true;
};

/** What stays of a text of a person who was erased. */
export const REDACTED = "[erased]";

export const deleteRow = (tx: Tx, table: string, { at }: PersonalRow): Effects => {
  statement<never, { at: number }>(`DELETE FROM ${table} WHERE rowid = :at`).run(tx, { at });
  return {};
};

/** Rows of sums: where the institution has one too, both are added. `keep`: columns that are no sums. */
export type Sums = { by: readonly string[]; add: readonly string[]; keep: readonly string[] };

/**
 * How the rows of an account move to an institution. `move`: with another tenant, as `set` says where that is not all.
 * `yield`: a tenant has one per name, and that of the institution stays.
 */
export type MovedRows = "move" | "yield" | { set: string } | Sums;

/**
 * How rows move when an account is joined with an institution. `now`: the rows that move in the write of the join; in
 * `where`, `:from` is the account and `:ids` are its channels; in `set`, `:into` is the institution. "of channels" is for tables that are looked up by a channel. `later`: for
 * rows that nothing depends on, and that may be many: they follow, some per write.
 */
export type Joins =
  | { rows: MovedRows; now: "all" | "of channels" | { where: string }; later: false }
  | { rows: MovedRows; now: "none" | { where: string }; later: true }
  | { stay: string };

/**
 * How rows refer to a file of their account while they wait. `names`: the column or path that names it, by its handle, or
 * by its key in the file store. `waits`: which rows do. Such a row is the reference: it is taken in the write that accepts
 * the work, goes with it to another account, and ends with it, however it ends. The table has a partial index of the same
 * words.
 */
export type FileReference = { by: "handle" | "key"; names: string; waits: string };

/** What the index of a table's references holds, and of which rows. */
export const referenceIndex = ({ names, waits }: FileReference): { on: SQL; where: SQL } => ({
  on: sql.raw(`(${names})`),
  where: sql.raw(`${waits} AND ${names} IS NOT NULL`),
});

/** A database to be backed up. `has`: whether the table has a column, because an older version has fewer. */
export type BackedUp = { has(column: string): boolean; neededHandles: string };

/** SQL for the keys and sizes of the files that rows refer to. Undefined: a database of that version has none. */
export type FilesOfRows = (database: BackedUp) => string | undefined;

/**
 * What a backup takes besides the rows, and what becomes of rows that are restored: they stay, or they are state of a
 * process that is gone.
 */
export type BackupLaw =
  | "rows alone"
  | { rows: "with files"; files: FilesOfRows }
  | { rows: "deleted when restored" }
  | { rows: "changed when restored"; change: string };

/** The collections that are too large to be counted at each request: each change notes their number in `tenant_counts`. */
export type CountedCollection = "contacts" | "stored-bytes" | "keyed-requests";

/** What an owner can add, counted row by row, `where` the rows are of `:owner`; or `count` is SQL for the number. */
type Limited =
  | { limit: CountedCollection; isStored: true }
  | ({ limit: Exclude<Collection, CountedCollection> } & ({ where: string } | { count: string }));

/**
 * What every table says of its rows.
 * - `keeps`: how long they stay, and which setting says so.
 * - `personal`: whose data they are; `none`: why nobody's.
 * - `joins`: how they move when their account becomes part of an institution.
 * - `sealed`: the columns with sealed texts, each with the name that it is bound to: columns stand in braces.
 * - `grows`: the limit of what clients can add and how that is counted, or why there needs to be none.
 * - `files`: each JSON column, and each text that is called like a file: how it names a file that waits to be sent, or why
 *   it does not.
 * - `backup`: what a backup takes, and a restore changes.
 */
export type TableLaws = {
  table: string;
  keeps: Keeps;
  personal: PersonalLaw | { none: string };
  joins: Joins | "of no tenant";
  sealed: Readonly<Record<string, string>> | "nothing";
  grows: Limited | { bound: string };
  files: Readonly<Record<string, FileReference | string>> | "none";
  backup: BackupLaw;
};

type Given<Table> = Omit<TableLaws, "table" | "joins"> & {
  joins: Table extends { tenantId: unknown } ? Joins : "of no tenant";
};

/** The laws of a table: of one that drizzle knows, or of the name of another. */
export const laws = <Table extends SQLiteTable | string>(table: Table, given: Given<Table>): TableLaws => ({
  table: typeof table === "string" ? table : getTableName(table),
  ...given,
});
