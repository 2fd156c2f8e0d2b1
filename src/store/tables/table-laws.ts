import { getTableName, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Collection } from "../../kernel/collections.ts";
import type { SettingName } from "../../kernel/settings/settings.ts";
import { FILE_HANDLE_PREFIX } from "../../kernel/texts/file-names.ts";
import type { Tx } from "../engine/db.ts";
import { statement } from "../engine/statement.ts";

// The facts that hold for every row of a table, written beside the table. store/laws/ makes its rules from them.

/** The label of a metric of growth. It stands for tables that grow for the same reason, and that one setting limits. */
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
 * How long rows stay. `rule`: in the words of the documentation. `isSwept`: core/retention.ts has the sweep that
 * deletes old rows. Without it rows stay, or are deleted together with rows of another table.
 */
export type Keeps = { group: Group; setting: SettingName | "none"; rule: string; isSwept: boolean };

/**
 * A person with all their ids. `names`: whether a text is one of the ids, in any spelling. `namesIn`: whether a JSON
 * text contains one. `mentions`: whether any text contains one.
 */
export type Somebody = {
  names(text: unknown): boolean;
  namesIn(json: unknown): boolean;
  mentions(text: unknown): boolean;
  redact(text: string): string;
};

/** A row of a page. `at` is its rowid. `tenantId` is null if only the row's text shows its tenant. */
export type PersonalRow = { at: number; tenantId: string | null; [column: string]: string | number | null | undefined };

/**
 * The effects of an erased row outside the database: its file is deleted before the row; its batch continues after it.
 * `wait`: a job works on the row.
 */
export type Effects = { file?: string; batchId?: string; wait?: true };

/**
 * The source of the rows of a page, and their columns, which include `tenantId`. `alias`: the alias of the table
 * itself.
 */
export type PersonalPage = { columns: string; from: string; alias?: string };

/**
 * How rows hold personal data. `rowsOf`: a row's tenant is its own, or that of its channel, or the page says it. `by`:
 * the columns that name the person whose row it is; `isOf` decides instead if the name is no column. `texts`: the
 * columns of other people's rows in which the person's ids are replaced. `bytes`: the columns in base64 that are
 * emptied if they contain an id. `erase`: the change of a row that is not deleted as a whole. `isOpened`: `isOf` also
 * gets the column `sealed`, as `opened`.
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

/** The text that stands in place of an erased person's text. */
export const REDACTED = "[erased]";

export const deleteRow = (tx: Tx, table: string, { at }: PersonalRow): Effects => {
  statement<never, { at: number }>(`DELETE FROM ${table} WHERE rowid = :at`).run(tx, { at });
  return {};
};

/** Rows of sums: if the institution has the same row, both are added. `keep`: columns without sums. */
export type Sums = { by: readonly string[]; add: readonly string[]; keep: readonly string[] };

/**
 * How the rows of an account move to an institution. `move`: they get another tenant, and the further changes of `set`.
 * `yield`: a tenant has one row per name, and the institution's row stays.
 */
export type MovedRows = "move" | "yield" | { set: string } | Sums;

/**
 * How rows move when an account is joined with an institution. `now`: the rows that move in the write of the join; in
 * `where`, `:from` is the account and `:ids` are its channels; in `set`, `:into` is the institution. "of channels" is
 * for tables that are looked up by a channel. `later`: for many rows that nothing depends on; they follow, some per
 * write.
 */
export type Joins =
  | { rows: MovedRows; now: "all" | "of channels" | { where: string }; later: false }
  | { rows: MovedRows; now: "none" | { where: string }; later: true }
  | { stay: string };

/** How rows refer to one file: `names` is the column or path with its handle, or with its key in the file store. */
export type OneFile = { by: "handle" | "key"; names: string; waits: string };
/** How rows refer to any number of files: `within` is a JSON document, whose fields `mediaHandle` have their handles. */
export type FilesWithin = { by: "handle"; within: string; waits: string };
/**
 * How rows refer to files of their account while they wait. `waits`: which rows wait. Such a row is the reference. The
 * write that accepts the work makes it. It goes to another account with the work, and ends with it. A table with many
 * rows has a partial index of the same words.
 */
export type FileReference = OneFile | FilesWithin;

/** The contents of the index of a table's references, and its rows. */
export const referenceIndex = ({ names, waits }: OneFile): { on: SQL; where: SQL } => ({
  on: sql.raw(`(${names})`),
  where: sql.raw(`${waits} AND ${names} IS NOT NULL`),
});

/** SQL: whether a row waits with a file of its account. Handles of the network have another form. */
export const waitsWithin = ({ within, waits }: FilesWithin): string =>
  `${waits} AND instr(${within}, '"mediaHandle":"${FILE_HANDLE_PREFIX}') > 0`;

/** A database to be backed up. `has`: whether the table has a column, because an older version has fewer. */
export type BackedUp = { has(column: string): boolean; neededHandles: string };

/** SQL for the keys and sizes of the files that rows refer to. Undefined: a database of that version has none. */
export type FilesOfRows = (database: BackedUp) => string | undefined;

/**
 * The parts of a backup besides the rows, and the fate of restored rows. They stay, or they are deleted because their
 * process is gone.
 */
export type BackupLaw =
  | "rows alone"
  | { rows: "with files"; files: FilesOfRows }
  | { rows: "deleted when restored" }
  | { rows: "changed when restored"; change: string };

/**
 * The collections that are too large to be counted at each request. Each change notes their number in `tenant_counts`.
 */
export type CountedCollection = "contacts" | "stored-bytes" | "keyed-requests";

/**
 * The rows that an owner can add. `where`: the condition for the rows of `:owner`, which are counted one by one. Or
 * `count`: SQL for the number.
 */
type Limited =
  | { limit: CountedCollection; isStored: true }
  | ({ limit: Exclude<Collection, CountedCollection> } & ({ where: string } | { count: string }));

/**
 * The statements of every table about its rows.
 * - `keeps`: how long rows stay, and the setting for it.
 * - `personal`: whose data they are; `none`: why nobody's.
 * - `joins`: how they move when their account becomes part of an institution.
 * - `sealed`: the columns with sealed texts, each with the name that it is bound to: columns stand in braces.
 * - `grows`: the limit of what clients can add and how that is counted, or why there needs to be none.
 * - `files`: for each JSON column, and each text with the name of a file: how it names a waiting file, or why it does
 *   not.
 * - `backup`: what a backup takes, and a restore changes.
 */
export type TableLaws = {
  table: string;
  keeps: Keeps;
  personal: PersonalLaw | { none: string };
  joins: Joins | "of no tenant";
  sealed: Readonly<Record<string, string>> | "nothing";
  grows: Limited | { bound: string };
  files: Readonly<Record<string, FileReference | readonly FileReference[] | string>> | "none";
  backup: BackupLaw;
};

type Given<Table> = Omit<TableLaws, "table" | "joins"> & {
  joins: Table extends { tenantId: unknown } ? Joins : "of no tenant";
};

/** The laws of a table of drizzle, or of another table by its name. */
export const laws = <Table extends SQLiteTable | string>(table: Table, given: Given<Table>): TableLaws => ({
  table: typeof table === "string" ? table : getTableName(table),
  ...given,
});
