import { and, count, desc, eq, inArray, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ContactId, TenantId } from "../kernel/ids.ts";
import { wordsOf } from "../kernel/words.ts";
import { addToCount } from "./collections.ts";
import { hot, hotUpdate, type Reader, type Tx } from "./db.ts";
import { ifWithin, type Scope, type TenantScope, within } from "./scope.ts";

/**
 * People whom an institution writes with, whichever its channel. `numberKey` is the number as it is compared: two spellings of one number are one. `alias` is
 * the canonical key of somebody whose number is not known. `name` is null until somebody says it. What is searched for lies in `contacts_search`, by `seq`.
 */
export const contacts = sqliteTable(
  "contacts",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().$type<ContactId>().notNull().unique(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    phoneNumber: text("phone_number"),
    numberKey: text("number_key"),
    alias: text(),
    name: text(),
    email: text(),
    tags: text({ mode: "json" }).$type<string[]>().notNull(),
    metadata: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    index("contacts_by_tenant").on(t.tenantId, t.seq),
    uniqueIndex("contacts_by_number").on(t.tenantId, t.numberKey).where(sql`number_key IS NOT NULL`),
    uniqueIndex("contacts_by_alias").on(t.tenantId, t.alias).where(sql`alias IS NOT NULL`),
  ],
);
export type ContactRow = typeof contacts.$inferSelect;

/** A number as it is compared: a Brazilian mobile number is the same with its ninth digit and without. */
export const numberKeyOf = (phoneNumber: string): string => phoneNumber.replace(/^(55\d\d)9([6-9]\d{7})$/, "$1$2");

const byId = hot((q) =>
  q
    .select()
    .from(contacts)
    .where(eq(contacts.id, sql.placeholder("id")))
    .prepare(),
);

export const findContact = async (r: Reader, scope: Scope, id: string): Promise<ContactRow | undefined> => ifWithin(await byId(r).get({ id }), scope);

const byNumber = hot((q) =>
  q
    .select()
    .from(contacts)
    .where(and(eq(contacts.tenantId, sql.placeholder("tenantId")), eq(contacts.numberKey, sql.placeholder("numberKey"))))
    .prepare(),
);

/** Whoever has this number, however it is spelled. */
export const findContactByNumber = (r: Reader, { tenantId }: TenantScope, phoneNumber: string): Promise<ContactRow | undefined> =>
  byNumber(r).get({ tenantId, numberKey: numberKeyOf(phoneNumber) });

const byAlias = hot((q) =>
  q
    .select()
    .from(contacts)
    .where(and(eq(contacts.tenantId, sql.placeholder("tenantId")), eq(contacts.alias, sql.placeholder("alias"))))
    .prepare(),
);

export const findContactByAlias = (r: Reader, { tenantId }: TenantScope, alias: string): Promise<ContactRow | undefined> => byAlias(r).get({ tenantId, alias });

const insert = hot((q) =>
  q
    .insert(contacts)
    .values({
      id: sql.placeholder("id"),
      tenantId: sql.placeholder("tenantId"),
      phoneNumber: sql.placeholder("phoneNumber"),
      numberKey: sql.placeholder("numberKey"),
      alias: sql.placeholder("alias"),
      name: sql.placeholder("name"),
      email: sql.placeholder("email"),
      tags: sql.placeholder("tags"),
      metadata: sql.placeholder("metadata"),
      createdAt: sql.placeholder("createdAt"),
      updatedAt: sql.placeholder("updatedAt"),
    })
    .onConflictDoNothing()
    .returning()
    .prepare(),
);

export type NewContact = Omit<ContactRow, "seq" | "numberKey">;

/** Undefined when the tenant has a contact of this number, or alias, already. */
export const insertContact = async (tx: Tx, row: NewContact): Promise<ContactRow | undefined> => {
  const [inserted] = await insert(tx).all({ ...row, numberKey: row.phoneNumber === null ? null : numberKeyOf(row.phoneNumber) });
  if (!inserted) return undefined;
  makeFindable(tx, inserted);
  addToCount(tx, inserted.tenantId, "contacts", 1);
  return inserted;
};

const update = hotUpdate((q, columns) =>
  q
    .update(contacts)
    .set(columns as Partial<ContactRow>) // placeholders, filled by the columns' own types
    .where(and(eq(contacts.id, sql.placeholder("rowId")), eq(contacts.tenantId, sql.placeholder("ofTenant"))))
    .returning()
    .prepare(),
);

/** The row as changed; undefined when there is none in scope. */
export const updateContact = async (tx: Tx, { tenantId }: TenantScope, id: ContactId, changes: Partial<NewContact>): Promise<ContactRow | undefined> => {
  const columns = { ...changes, ...(changes.phoneNumber ? { numberKey: numberKeyOf(changes.phoneNumber) } : {}) };
  const [changed] = await update(tx, columns, []).all({ ...columns, rowId: id, ofTenant: tenantId });
  if (changed) makeFindable(tx, changed);
  return changed;
};

/** False when there is none in scope. */
export const deleteContact = async (tx: Tx, scope: TenantScope, id: string): Promise<boolean> => {
  const [gone] = await tx.q
    .delete(contacts)
    .where(and(eq(contacts.id, id as ContactId), within(contacts.tenantId, scope)))
    .returning({ seq: contacts.seq });
  if (!gone) return false;
  tx.run("DELETE FROM contacts_search WHERE rowid = ?1", [gone.seq]);
  addToCount(tx, scope.tenantId, "contacts", -1);
  return true;
};

/** The ends of a number: a word that begins one of them stands somewhere in the number. */
const endsOf = (digits: string): string[] => Array.from({ length: Math.max(0, digits.length - SHORTEST_END + 1) }, (_, start) => digits.slice(start));
const SHORTEST_END = 4;

/** A tenant's words begin like no other's, and lie together: a search passes by whatever else there is. */
const ownWord = ({ tenantId }: TenantScope, word: string): string => tenantId.replaceAll("-", "") + word;

/** Writes what a contact is found by, which its row is written with. */
export const makeFindable = (tx: Tx, contact: ContactRow): void => {
  const { seq, name, email, tags, phoneNumber, numberKey } = contact;
  const words = new Set([...wordsOf([name, email, ...tags].join(" ")), ...endsOf(phoneNumber ?? ""), ...endsOf(numberKey ?? "")]);
  tx.run("INSERT OR REPLACE INTO contacts_search (rowid, words) VALUES (?1, ?2)", [seq, [...words].map((word) => ownWord(contact, word)).join(" ")]);
};

/** What is asked of a contact, each once: whoever has a word that begins with one asked for has all that this one begins with. */
export const askedOf = (search: string): string[] => {
  const words = [...new Set(wordsOf(search).map(numberKeyOf))];
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)));
};

/** Undefined for a text without words. They are letters and digits alone, which are no syntax of a search. */
const matchOf = (scope: TenantScope, search: string): string | undefined => {
  const words = askedOf(search).map((word) => `"${ownWord(scope, word)}" *`);
  return words.length === 0 ? undefined : words.join(" AND ");
};

/** `search`: only those of whom every word of it begins a word, or stands in the number. */
export type ContactFilter = { search: string | undefined };

/** Newest first. */
export const listContacts = async (r: Reader, scope: TenantScope, filter: ContactFilter & { limit: number; offset: number }): Promise<ContactRow[]> => {
  const { search, limit, offset } = filter;
  const own = within(contacts.tenantId, scope);
  if (search === undefined) return r.q.select().from(contacts).where(own).orderBy(desc(contacts.seq)).limit(limit).offset(offset);
  const match = matchOf(scope, search);
  const found = match === undefined ? [] : (await r.rows<{ seq: number }>(FOUND, [match, limit, offset])).map(({ seq }) => seq);
  return r.q
    .select()
    .from(contacts)
    .where(and(own, inArray(contacts.seq, found)))
    .orderBy(desc(contacts.seq));
};
const FOUND = "SELECT rowid AS seq FROM contacts_search WHERE contacts_search MATCH ?1 ORDER BY rowid DESC LIMIT ?2 OFFSET ?3";

export const countContacts = async (r: Reader, scope: TenantScope, { search }: ContactFilter): Promise<number> => {
  if (search === undefined) return (await r.q.select({ n: count() }).from(contacts).where(within(contacts.tenantId, scope)).get())?.n ?? 0;
  const match = matchOf(scope, search);
  return match === undefined ? 0 : ((await r.rows<{ n: number }>("SELECT count(*) AS n FROM contacts_search WHERE contacts_search MATCH ?1", [match]))[0]?.n ?? 0);
};
