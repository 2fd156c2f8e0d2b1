import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { WrappedKey } from "../../kernel/crypto.ts";
import type { Reader, Tx } from "../engine/db.ts";
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
    rule: "a few keys; one that has ended goes at the next rotation",
    isSwept: false,
  },
  personal: { none: "of the server" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "a few per rotation of the master key" },
  files: "none",
  backup: "rows alone",
});

export const listWrappedKeys = (r: Reader): Promise<WrappedKey[]> => r.q.select().from(wrappedKeys);

/** Replaces all existing rows. */
export const replaceWrappedKeys = async (tx: Tx, rows: readonly WrappedKey[]): Promise<void> => {
  tx.run("DELETE FROM wrapped_keys");
  await tx.q.insert(wrappedKeys).values([...rows]);
};
