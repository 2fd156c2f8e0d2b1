import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { WrappedKey } from "../../kernel/crypto.ts";
import type { Reader, Tx } from "../engine/db.ts";
import { columnsOf, insertInto, statement } from "../engine/statement.ts";
import { laws } from "./table-laws.ts";

/** Keys sealed under the master key: the data keys, and the signing keys of earlier master keys. */
export const wrappedKeys = sqliteTable(
  "wrapped_keys",
  {
    purpose: text().$type<WrappedKey["purpose"]>().notNull(),
    id: text().notNull(),
    wrapped: text().notNull(),
    retiredAt: integer("retired_at"),
  },
  (t) => [primaryKey({ columns: [t.purpose, t.id] })],
);

export const wrappedKeysLaws = laws(wrappedKeys, {
  keeps: {
    group: "setup",
    setting: "none",
    rule: "until the next rotation of the master key; a few keys",
    isSwept: false,
  },
  personal: { none: "data of the server" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "a few per rotation of the master key" },
  files: "none",
  backup: "rows alone",
});

const everyKey = statement<WrappedKey>("SELECT * FROM wrapped_keys", columnsOf(wrappedKeys));
const insert = insertInto(wrappedKeys);
const removeAll = statement<never>("DELETE FROM wrapped_keys");

/** Bound: a few keys per rotation of the master key. */
export const listWrappedKeys = (r: Reader): Promise<WrappedKey[]> => everyKey.all(r);

/** Replaces all existing rows. */
export const replaceWrappedKeys = async (tx: Tx, rows: readonly WrappedKey[]): Promise<void> => {
  removeAll.run(tx);
  for (const row of rows) insert(tx, row);
};
