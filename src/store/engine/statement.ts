import { Column, getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Reader, TakeRows, Tx } from "./db.ts";

/** A value of a parameter. Objects and arrays are bound as JSON: `IN (SELECT value FROM json_each(:ids))`. */
type Value = string | number | bigint | boolean | null | Uint8Array | object;
type Params = Readonly<Record<string, unknown>>;
type Decoders = readonly (readonly [property: string, decode: (value: unknown) => unknown])[];

/** A column by its name in the table with the alias `table`, and the key under which rows have its value. */
type Star = { readonly table?: string; readonly name: string; readonly key: string };
type Flat = Record<string, unknown>;

/** How rows are read: what `*` stands for, and which values SQLite keeps in another form. */
export type Reads<Row> = {
  readonly star: readonly Star[];
  readonly decoders: Decoders;
  /** Gives each table's columns an object of their own. */
  readonly apart?: (row: Flat) => Flat;
  readonly row?: Row;
};

type Table<Row> = SQLiteTable & { readonly $inferSelect: Row };

/** Whether a column's values have another form in the database, as JSON and booleans have. */
const isConverted = (column: Column): boolean =>
  column.mapFromDriverValue !== Column.prototype.mapFromDriverValue ||
  column.mapToDriverValue !== Column.prototype.mapToDriverValue;

const decoderOf = (column: Column) => (value: unknown) => column.mapFromDriverValue(value);

/** Columns are listed with the first statement that runs: a start makes all statements, and runs few. */
const readsOf = <Row>(columns: () => readonly (readonly [property: string, column: Column])[]): Reads<Row> => {
  let [star, decoders]: [(readonly Star[])?, Decoders?] = [];
  return {
    get star() {
      star ??= columns().map(([key, { name }]) => ({ name, key }));
      return star;
    },
    get decoders() {
      decoders ??= columns().flatMap(([property, column]) =>
        isConverted(column) ? [[property, decoderOf(column)] as const] : [],
      );
      return decoders;
    },
  };
};

/** Some columns of a table, or all of them, as `*` stands for them. */
export const columnsOf = <Row extends object, Name extends keyof Row & string = keyof Row & string>(
  table: Table<Row>,
  ...names: Name[]
): Reads<Pick<Row, Name>> =>
  readsOf(() =>
    Object.entries(getTableColumns(table)).filter(
      ([property]) => names.length === 0 || names.includes(property as Name),
    ),
  );

/** All columns of a table but these, such as long ones that a list does not show. */
export const columnsWithout = <Row extends object, Name extends keyof Row & string>(
  table: Table<Row>,
  ...names: readonly Name[]
): Reads<Omit<Row, Name>> =>
  readsOf(() => Object.entries(getTableColumns(table)).filter(([property]) => !names.includes(property as Name)));

/**
 * The rows of joined tables, each an object under the alias of its table: `SELECT * FROM events AS event JOIN …`. It is
 * null where a `LEFT JOIN` finds no row.
 */
export const columnsOfEach = <Rows extends Readonly<Record<string, object>>>(
  tables: {
    readonly [Alias in keyof Rows & string]: Reads<Rows[Alias]>;
  },
): Reads<Rows> => {
  const listed = () => {
    const parts = Object.entries<Reads<object>>(tables).map(([table, { star, decoders }]) => ({
      table,
      columns: star.map(({ name, key }) => ({ table, name, key: `${table}.${key}`, property: key })),
      decoders,
    }));
    const star = parts.flatMap(({ columns }) => columns);
    return { parts, star, keys: new Set(star.map(({ key }) => key)) };
  };
  let known: ReturnType<typeof listed> | undefined;
  const columnsOfAll = () => (known ??= listed());
  const apart = (row: Flat): Flat => {
    const { parts, keys } = columnsOfAll();
    const whole: Flat = {};
    for (const { table, columns, decoders } of parts) {
      const own: Flat = {};
      for (const { key, property } of columns) own[property] = row[key];
      decode(own, decoders);
      whole[table] = columns.some(({ key }) => row[key] !== null) ? own : null;
    }
    for (const key of Object.keys(row)) if (!keys.has(key)) whole[key] = row[key];
    return whole;
  };
  return {
    get star() {
      return columnsOfAll().star;
    },
    decoders: [],
    apart,
  };
};

/**
 * Texts in quotes, parentheses, and each `*` of a list of columns, with the alias and the word before it. The last form is
 * a `*` of a table in any other place or spelling.
 */
const STARS =
  /(?<=(\bSELECT|\bALL|\bDISTINCT|\bRETURNING|,)\s*)(?:(\w+|"[^"]*")\s*\.\s*)?\*|'[^']*'|"[^"]*"|[()]|\.\s*\*/g;

/**
 * The text with `columns` in place of each `*`. A `UNION` has a `*` in each part.
 *
 * @throws Error at a further `*` of a list, at one in parentheses, and at one of a single table of `columnsOfEach`:
 * `reads` has no columns for these
 */
const withColumns = (sql: string, reads: Reads<unknown>, columns: (alias?: string) => string): string => {
  let depth = 0;
  return sql.replace(STARS, (part: string, before?: string, alias?: string) => {
    if (part === "(") depth++;
    if (part === ")") depth--;
    const isStar = before !== undefined || part.startsWith(".");
    if (!isStar) return part;
    if (before === undefined || depth > 0 || before === "," || (alias !== undefined && reads.apart !== undefined))
      throw new Error(`${part} is not the first of a list of columns, which stands for all that is read, in: ${sql}`);
    return columns(alias);
  });
};

const requireColumns = (sql: string, reads: Reads<unknown>): void => void withColumns(sql, reads, () => "");

const expanded = (sql: string, reads: Reads<unknown>): string =>
  withColumns(sql, reads, (alias) =>
    reads.star
      .map(({ table = alias, name, key }) => {
        const column = table === undefined ? name : `${table}.${name}`;
        return name === key ? column : `${column} AS "${key}"`;
      })
      .join(", "),
  );

const TEXTS_AND_NAMES = /'[^']*'|"[^"]*"|:(\w+)/g;

/** A text for the engine, and the parameters by their places in it. `isLimited`: `limit` is the bound of its rows. */
type Compiled = { text: string; names: readonly string[]; isLimited: boolean };

/** Numbers the named parameters, which the engine's statements have by their places. */
const compile = (sql: string, reads: Reads<unknown> | undefined): Compiled => {
  const names: string[] = [];
  const text = (reads ? expanded(sql, reads) : sql).replace(TEXTS_AND_NAMES, (part, name?: string) => {
    if (name === undefined) return part;
    if (!names.includes(name)) names.push(name);
    return `?${names.indexOf(name) + 1}`;
  });
  return { text, names, isLimited: /\bLIMIT :limit\b/.test(sql) };
};

const bound = (value: object | null): unknown =>
  value === null || value instanceof Uint8Array ? value : JSON.stringify(value);

/** The most rows of a page, of a slice of work, or of what people may have: SQLite takes -1 for all rows. */
const MOST_LIMIT = 20_000;
const isLimit = (value: unknown): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MOST_LIMIT;

const valueOf = (params: Params, name: string, { text, isLimited }: Compiled): unknown => {
  const value = params[name];
  if (value === undefined) throw new Error(`the parameter ${name} has no value, in: ${text}`);
  if (isLimited && name === "limit" && !isLimit(value))
    throw new Error(`the limit ${JSON.stringify(value)} is no bound, in: ${text}`);
  return typeof value === "object" ? bound(value) : value;
};

const valuesOf = (compiled: Compiled, params: Params): unknown[] => {
  const values: unknown[] = [];
  // a loop, because every statement runs this, and `map` is slower
  for (const name of compiled.names) values.push(valueOf(params, name, compiled));
  return values;
};

const readRows = async <Row>(
  r: Reader,
  text: string,
  values: readonly unknown[],
  reads: Reads<unknown> | undefined,
): Promise<Row[]> => {
  const rows = await r.rows<Flat>(text, values);
  if (reads && reads.decoders.length > 0) for (const row of rows) decode(row, reads.decoders);
  return (reads?.apart ? rows.map(reads.apart) : rows) as Row[];
};

/** A statement without parameters needs no values. */
type Asked<Given> = object extends Given ? [params?: Given] : [params: Given];

/** One SQL statement. Each function takes the reader or the write that it runs in. */
export type Statement<Row, Given> = {
  all(r: Reader, ...asked: Asked<Given>): Promise<Row[]>;
  /** The first row. The statement runs to its end, so it should find one row or name a limit. */
  get(r: Reader, ...asked: Asked<Given>): Promise<Row | undefined>;
  /** Runs it in order with the write's other statements, without waiting. A failure fails the write. */
  run(tx: Tx, ...asked: Asked<Given>): void;
  /** The same, for a statement that gives rows: `take` gets them if it succeeds, before the hooks of the commit run. */
  take(tx: Tx, given: Given, take: TakeRows | undefined): void;
};

const NO_PARAMS: Params = {};

const TEXTS_AND_COMMENTS = /'[^']*'|"[^"]*"|--[^\n]*|\/\*[^]*?\*\//g;

/** A comment may stand between SELECT and `*`, and have quotes and colons. */
const withoutComments = (sql: string): string =>
  /--|\/\*/.test(sql)
    ? sql.replace(TEXTS_AND_COMMENTS, (part) => (part.startsWith("--") || part.startsWith("/*") ? " " : part))
    : sql;

/** Compiled with its first run: a start makes some 600 statements, and runs a tenth of them. */
const statementOf = (written: string, reads: Reads<unknown> | undefined): Statement<unknown, Params> => {
  const sql = withoutComments(written);
  if (reads) requireColumns(sql, reads);
  let known: Compiled | undefined;
  const compiled = () => (known ??= compile(sql, reads));
  const all = (r: Reader, params = NO_PARAMS) => readRows(r, compiled().text, valuesOf(compiled(), params), reads);
  const run = (tx: Tx, params = NO_PARAMS, take?: TakeRows) =>
    tx.run(compiled().text, valuesOf(compiled(), params), take);
  return {
    all: async (r, params) => await all(r, params),
    get: async (r, params) => (await all(r, params))[0],
    run,
    take: run,
  };
};

/**
 * Statements by their text, each with how its rows are read. Texts come from the program; which columns an update
 * changes, and which conditions a list has, come from requests.
 */
const knownStatements = new Map<string, { reads: Reads<unknown> | undefined; made: Statement<unknown, Params> }>();
const MOST_TEXTS = 1000;

/**
 * SQL with named parameters such as `:id`. `*` after SELECT or RETURNING stands for the columns of `reads`; all other
 * columns are named by the SQL itself (`AS chatName`). Rows have the types of the table's columns: JSON is parsed.
 * Conditions that depend on a filter are parts of the text (`lines`), never values in it. A text that was met before,
 * with the same `reads`, is the same statement: `reads` are made once, beside their table.
 *
 * `LIMIT :limit` is the bound of a list, at most 20,000 rows.
 *
 * @throws Error when a parameter has no value, or `limit` is no such bound
 */
export const statement = <Row, Given extends { readonly [Name in keyof Given]: Value | undefined } = object>(
  sql: string,
  reads?: Reads<Partial<Row>>,
): Statement<Row, Given> => {
  const known = knownStatements.get(sql);
  if (known && known.reads === reads) return known.made as Statement<Row, Given>;
  const made = statementOf(sql, reads);
  if (knownStatements.size >= MOST_TEXTS) knownStatements.clear();
  knownStatements.set(sql, { reads, made });
  return made as Statement<Row, Given>;
};

const decode = (row: Flat, decoders: Decoders): void => {
  for (const [property, decoded] of decoders)
    if (row[property] !== null && row[property] !== undefined) row[property] = decoded(row[property]);
};

/** A text of the lines that apply. */
export const lines = (...some: readonly (string | false | undefined | null)[]): string =>
  some.filter(Boolean).join("\n");

/**
 * SQL: whether a column has one of the words of a list, such as statuses. It cannot use an index of the column. It is
 * faster than `json_each`, which takes twice as long as the rest of an update.
 */
export const isWordOf = (column: string, list: string): string => `instr(:${list}, '"' || ${column} || '"') > 0`;

/** A column to write. `converted`: where its values have another form in the database. */
type Writable = { property: string; name: string; converted: Column | undefined };

const writables = new WeakMap<SQLiteTable, readonly Writable[]>();

/** Computed once per table, because walking through drizzle's columns at every write is slow. */
const writablesOf = (table: SQLiteTable): readonly Writable[] => {
  const known = writables.get(table);
  if (known) return known;
  const made = Object.entries(getTableColumns(table)).map(([property, column]) => ({
    property,
    name: column.name,
    converted: isConverted(column) ? column : undefined,
  }));
  writables.set(table, made);
  return made;
};

/** The values of a row, in the database's form. `which`: 1 for each column with a value, else 0. */
const written = (columns: readonly Writable[], row: Params): { which: string; values: unknown[] } => {
  const values: unknown[] = [];
  let which = "";
  for (const { property, converted } of columns) {
    const value = row[property];
    which += value === undefined ? "0" : "1";
    if (value !== undefined) values.push(value === null || !converted ? value : converted.mapToDriverValue(value));
  }
  return { which, values };
};

/** Calls `make` once for each set of written columns, and remembers its result. */
const perColumns = <Made>(table: SQLiteTable, make: (some: readonly Writable[]) => Made) => {
  let known: Map<string, Made> | undefined;
  return (which: string): Made => {
    known ??= new Map();
    const before = known.get(which);
    if (before !== undefined) return before;
    const made = make(writablesOf(table).filter((_, index) => which[index] === "1"));
    if (known.size >= MOST_TEXTS) known.clear();
    known.set(which, made);
    return made;
  };
};

/** The statement that inserts a row of a table, with its values. */
const insertOf = (table: SQLiteTable, rest: string) => {
  const textFor = perColumns(table, (some) => {
    const places = some.map((_, index) => `?${index + 1}`).join(", ");
    return `INSERT INTO ${getTableName(table)} (${some.map(({ name }) => name).join(", ")}) VALUES (${places}) ${rest}`;
  });
  return (row: Params): [sql: string, values: unknown[]] => {
    const { which, values } = written(writablesOf(table), row);
    return [textFor(which), values];
  };
};

/**
 * Inserts a row; columns that it does not name get their defaults. `rest`: what follows, such as `ON CONFLICT (id) DO
 * NOTHING`.
 */
export const insertInto = <Row extends SQLiteTable>(table: Row, rest = "") => {
  const insert = insertOf(table, rest);
  return (tx: Tx, row: Row["$inferInsert"]): void => tx.run(...insert(row));
};

/** Inserts a row unless there is one with the same key; `keys`: the columns of a key, or nothing for every key. */
export const insertNew = <Row extends SQLiteTable>(table: Row, keys = "") => {
  const insert = insertOf(table, `ON CONFLICT ${keys} DO NOTHING RETURNING 1`);
  return async (tx: Tx, row: Row["$inferInsert"]): Promise<boolean> => (await tx.rows(...insert(row))).length > 0;
};

/** The end of an insert that replaces the row with the same key. The new row has a value for every column. */
export const replacing = (table: SQLiteTable, keys: string): string => {
  const isKey = new Set(keys.match(/\w+/g)); // SQLite would write its index anew
  const others = Object.values(getTableColumns(table)).filter(({ name }) => !isKey.has(name));
  return `ON CONFLICT ${keys} DO UPDATE SET ${others.map(({ name }) => `${name} = excluded.${name}`).join(", ")}`;
};

/**
 * Changes columns that are known only when it runs, in the rows that `rest` names (`WHERE id = :id RETURNING *`).
 * Without RETURNING it does not wait. `by`: SQL in place of a property's plain value, which it has as `:new_<property>`.
 */
export const updateOf = <Row extends SQLiteTable, Given extends object>(
  table: Row,
  rest: string,
  by: Partial<Record<keyof Row["$inferSelect"] & string, string>> = {},
) => {
  type Changes = Partial<Row["$inferSelect"]>;
  const sqlBy: Readonly<Record<string, string | undefined>> = by;
  const reads = columnsOf<Row["$inferSelect"]>(table);
  const givesRows = /\bRETURNING\b/.test(rest);
  const updateFor = perColumns(table, (some) => {
    if (some.length === 0) throw new Error(`no column of ${getTableName(table)} changes`);
    const set = some.map(({ property, name }) => `${name} = ${sqlBy[property] ?? `:new_${property}`}`);
    const compiled = compile(`UPDATE ${getTableName(table)} SET ${set.join(", ")} ${rest}`, reads);
    const places = compiled.names.map((name) => some.findIndex(({ property }) => name === `new_${property}`));
    return { compiled, places };
  });
  return async (tx: Tx, changes: Changes, params: Given): Promise<Row["$inferSelect"][]> => {
    const { which, values: changed } = written(writablesOf(table), changes);
    const { compiled, places } = updateFor(which);
    const values: unknown[] = [];
    for (const [index, name] of compiled.names.entries()) {
      const place = places[index] ?? -1;
      values.push(place === -1 ? valueOf(params as Params, name, compiled) : changed[place]);
    }
    if (givesRows) return await readRows(tx, compiled.text, values, reads);
    tx.run(compiled.text, values);
    return [];
  };
};
