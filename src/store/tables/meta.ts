import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../engine/db.ts";
import { insertInto, replacing, statement } from "../engine/statement.ts";
import { laws } from "./table-laws.ts";

/** Small values of the installation itself, by name. */
export const meta = sqliteTable("meta", { name: text().primaryKey(), value: text().notNull() });

export const metaLaws = laws(meta, {
  keeps: { group: "setup", setting: "none", rule: "for ever: a few values of the installation", isSwept: false },
  personal: { none: "data of the server" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "as many as the program has names for values" },
  files: "none",
  backup: "rows alone",
});

export const migrationsLaws = laws("migrations", {
  keeps: { group: "setup", setting: "none", rule: "for ever: the migrations that were applied", isSwept: false },
  personal: { none: "data of the server" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per migration of the program" },
  files: "none",
  backup: "rows alone",
});

const byName = statement<{ value: string }, { name: string }>("SELECT value FROM meta WHERE name = :name");

export const readMeta = async (r: Reader, name: string): Promise<string | undefined> =>
  (await byName.get(r, { name }))?.value;

const upsert = insertInto(meta, replacing(meta, "(name)"));
export const writeMeta = async (tx: Tx, name: string, value: string): Promise<void> => upsert(tx, { name, value });

const remove = statement<never, { name: string }>("DELETE FROM meta WHERE name = :name");
export const deleteMeta = async (tx: Tx, name: string): Promise<void> => remove.run(tx, { name });
