import type { Db, Tx } from "../engine/db.ts";
import { type Statement, statement } from "../engine/statement.ts";
import {
  deleteRow,
  type PersonalLaw,
  type PersonalPage,
  type PersonalRow,
  type Somebody,
  type TableLaws,
} from "../tables/table-laws.ts";
import { boundName } from "./sealed.ts";
import { TABLE_LAWS } from "./table-list.ts";

type Page = Statement<PersonalRow, { after: number; limit: number }>;

/**
 * How a table holds personal data. `page`: the next rows after one. `isOf`: whether the row belongs to the person.
 * `erase` deletes the row, or the person's part of it. `sealed`: the row's binding, for a column that is opened first.
 */
export type Personal = Pick<PersonalLaw, "texts" | "bytes" | "effects"> & {
  page: Page;
  isOf(row: PersonalRow, who: Somebody): boolean;
  erase: NonNullable<PersonalLaw["erase"]>;
  sealed?(row: PersonalRow): string;
};

const pageFrom = (table: string, rowsOf: PersonalLaw["rowsOf"]): PersonalPage => {
  if (rowsOf === "tenant") return { columns: `${table}.*, tenant_id AS tenantId`, from: table };
  if (rowsOf === "channel")
    return {
      columns: `${table}.*, channels.tenant_id AS tenantId`,
      from: `${table} JOIN channels ON channels.id = ${table}.channel_id`,
    };
  return rowsOf;
};

// the rowid comes last, because a table may have a column of its own named `at`
const pageOf = (table: string, rowsOf: PersonalLaw["rowsOf"]): Page => {
  const { columns, from, alias = table } = pageFrom(table, rowsOf);
  return statement<PersonalRow, { after: number; limit: number }>(
    `SELECT ${columns}, ${alias}.rowid AS at FROM ${from} WHERE ${alias}.rowid > :after
      ORDER BY ${alias}.rowid LIMIT :limit`,
  );
};

const personalOf = ({ table, personal, sealed }: TableLaws): Personal | undefined => {
  if ("none" in personal) return undefined;
  const { rowsOf, by, isOpened, ...own } = personal;
  const name = isOpened && sealed !== "nothing" ? sealed["sealed"] : undefined;
  return {
    isOf: (row, who) => by.some((column) => who.names(row[column])),
    erase: (tx, row) => deleteRow(tx, table, row),
    ...own,
    page: pageOf(table, rowsOf),
    ...(name === undefined ? {} : { sealed: (row: PersonalRow) => boundName(name, row) }),
  };
};

/**
 * The order of erasure, which a running erasure remembers: a row is erased before the rows that it refers to. So a
 * table that is not named here comes first. Events come last, because running work writes them.
 */
const ERASED_IN_ORDER = [
  "batch_recipients",
  "batches",
  "scheduled",
  "lookups",
  "jobs",
  "discarded_jobs",
  "media",
  "cached_messages",
  "key_rows",
  "early_acts",
  "conversation_holders",
  "call_permissions",
  "charge_windows",
  "ai_tool_calls",
  "ai_turns",
  "ai_conversations",
  "idempotency_keys",
  "keyed_requests",
  "groups",
  "message_acts",
  "fallbacks",
  "messages",
  "received_messages",
  "conversations",
  "contacts",
  "inbox",
  "upstream_envelopes",
  "attempts",
  "events",
  "calls",
  "identities",
];

/** The personal data, in the order of erasure. A tenant's own texts (templates, knowledge, prompts) are not included. */
export const PERSONAL: Readonly<Record<string, Personal>> = Object.fromEntries(
  TABLE_LAWS.toSorted(
    (one, other) => ERASED_IN_ORDER.indexOf(one.table) - ERASED_IN_ORDER.indexOf(other.table),
  ).flatMap((one) => {
    const personal = personalOf(one);
    return personal ? [[one.table, personal]] : [];
  }),
);

/** The number of rows per turn of the event loop; some rows are long. */
export const ROWS_A_TURN = 25;

/**
 * The next rows of a table after one, in a separate turn of the event loop, so that reading a whole table blocks
 * nobody.
 */
export const readPersonalPage = async (
  db: Pick<Db, "read">,
  { page }: Personal,
  after: number,
): Promise<PersonalRow[]> => {
  await new Promise<void>((resolve) => void setImmediate(resolve));
  return db.read((reader) => page.all(reader, { after, limit: ROWS_A_TURN }));
};

/** The columns of a row in which a text, or bytes in base64, contain an id of the person. */
const naming = ({ texts, bytes = [] }: Personal, row: PersonalRow, who: Somebody) => ({
  texts: texts.filter((column) => who.mentions(row[column])),
  bytes: bytes.filter((column) => who.mentions(Buffer.from(String(row[column] ?? ""), "base64").toString("latin1"))),
});

/** Whether a row of somebody else contains an id of the person. */
export const isNaming = (personal: Personal, row: PersonalRow, who: Somebody): boolean => {
  const { texts, bytes } = naming(personal, row, who);
  return texts.length + bytes.length > 0;
};

/** Replaces the person's ids in another row. True when there were any. */
export const redactTexts = (tx: Tx, table: string, row: PersonalRow, who: Somebody): boolean => {
  const personal = PERSONAL[table];
  if (!personal) return false;
  const { texts, bytes } = naming(personal, row, who);
  const change = (column: string, text: string | null) =>
    statement<never, { at: number; text: string | null }>(
      `UPDATE ${table} SET ${column} = :text WHERE rowid = :at`,
    ).run(tx, { at: row.at, text });
  for (const column of texts) change(column, who.redact(String(row[column])));
  for (const column of bytes) change(column, null);
  return texts.length + bytes.length > 0;
};
