import { type Connection, openConnection } from "../engine/connection.ts";
import type { Reader } from "../engine/db.ts";
import { MIGRATIONS } from "../engine/migrations.ts";
import { migrate } from "../engine/migrator.ts";

/**
 * A table, index, view or trigger that no migration of ours has made. `isHarmless` is false if it can refuse or
 * change what Recado writes: a trigger or a unique index on a table of ours, and a table with a foreign key to one.
 */
export type ForeignObject = { type: string; name: string; isHarmless: boolean };

/**
 * A database's schema, compared with that of this program's migrations. `missing`: the first object that differs from
 * ours.
 */
export type ComparedSchema = { missing: string | undefined; foreign: ForeignObject[] };

type SchemaRow = {
  type: string;
  name: string;
  tbl: string;
  sql: string;
  refuses: number | null;
  refersTo: string | null;
};

/** Without the tables of a backup, and without the internal tables of SQLite and libSQL. */
const SCHEMA = `SELECT type, name, tbl_name AS tbl, coalesce(sql, '') AS sql,
  CASE type WHEN 'index' THEN (SELECT "unique" FROM pragma_index_list(m.tbl_name) AS l WHERE l.name = m.name) END AS refuses,
  CASE WHEN type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
    THEN (SELECT group_concat("table") FROM pragma_foreign_key_list(m.name)) END AS refersTo
  FROM sqlite_master AS m
  WHERE name NOT IN ('backup_info', 'backup_media') AND name NOT GLOB 'sqlite_stat[0-9]' AND name NOT GLOB 'libsql_*'
  ORDER BY type, name`;

const rowsIn = (connection: Connection): SchemaRow[] => connection.prepare(SCHEMA).objects([]) as SchemaRow[];

/** The schema that the first migrations make. */
const schemaAfter = (migrations: number): SchemaRow[] => {
  const empty = openConnection(":memory:", []);
  try {
    migrate(empty, 0, ":memory:", { migrations: MIGRATIONS.slice(0, migrations) });
    return rowsIn(empty);
  } finally {
    empty.close();
  }
};

const keyOf = ({ type, name }: SchemaRow): string => `${type} ${name}`;

const compare = (found: readonly SchemaRow[], migrations: number): ComparedSchema => {
  const expected = new Map(schemaAfter(migrations).map((row) => [keyOf(row), row]));
  const there = new Map(found.map((row) => [keyOf(row), row]));
  const isOurTable = (name: string): boolean =>
    [...expected.values()].some((row) => row.type === "table" && row.name.toLowerCase() === name.toLowerCase());
  const isHarmless = ({ type, tbl, refuses, refersTo }: SchemaRow): boolean => {
    if (type === "table") return !(refersTo ?? "").split(",").some(isOurTable);
    return !isOurTable(tbl) || (type !== "trigger" && refuses !== 1);
  };
  return {
    missing: [...expected].find(([key, row]) => there.get(key)?.sql !== row.sql)?.[0],
    foreign: found
      .filter((row) => !expected.has(keyOf(row)) && !row.name.startsWith("sqlite_"))
      .map((row) => ({ type: row.type, name: row.name, isHarmless: isHarmless(row) })),
  };
};

/** Compares a file's schema with that of the first `migrations` migrations. */
export const compareSchema = (connection: Connection, migrations: number): ComparedSchema =>
  compare(rowsIn(connection), migrations);

/** The same for a database that may be on a server, and has all migrations. */
export const compareSchemaOf = async (r: Pick<Reader, "rows">): Promise<ComparedSchema> =>
  compare(await r.rows<SchemaRow>(SCHEMA), MIGRATIONS.length);

const FEW = 20;

/** The objects as people read them: `table _litestream_seq, index my_report`. */
export const shownObjects = (objects: readonly ForeignObject[]): string => {
  const more = objects.length > FEW ? [`${objects.length - FEW} more`] : [];
  return [...objects.slice(0, FEW).map(({ type, name }) => `${type} ${name}`), ...more].join(", ");
};

/** The possible harm of these objects, in one sentence; undefined if all are harmless. */
export const harmOf = (objects: readonly ForeignObject[]): string | undefined => {
  const harmful = objects.filter(({ isHarmless }) => !isHarmless);
  return harmful.length === 0
    ? undefined
    : `${shownObjects(harmful)} can refuse or change what Recado writes: drop what you do not need`;
};
