import { eq, sql } from "drizzle-orm";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../engine/db.ts";
import { laws } from "./table-laws.ts";

/** Small values of the installation itself, by name. */
export const meta = sqliteTable("meta", { name: text().primaryKey(), value: text().notNull() });

export const metaLaws = laws(meta, {
  keeps: { group: "setup", setting: "none", rule: "a few values of the installation", isSwept: false },
  personal: { none: "of the server" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "as many as the program has names" },
  files: "none",
  backup: "rows alone",
});

export const migrationsLaws = laws("migrations", {
  keeps: { group: "setup", setting: "none", rule: "which migrations were applied", isSwept: false },
  personal: { none: "of the server" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per migration of the program" },
  files: "none",
  backup: "rows alone",
});

export const readMeta = async (r: Reader, name: string): Promise<string | undefined> =>
  (await r.q.select({ value: meta.value }).from(meta).where(eq(meta.name, name)).get())?.value;

export const writeMeta = async (tx: Tx, name: string, value: string): Promise<void> =>
  void (await tx.q
    .insert(meta)
    .values({ name, value })
    .onConflictDoUpdate({ target: meta.name, set: { value: sql`excluded.value` } }));

export const deleteMeta = async (tx: Tx, name: string): Promise<void> =>
  void (await tx.q.delete(meta).where(eq(meta.name, name)));
