import { and, asc, desc, eq, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ContactId, TenantId } from "../../../kernel/ids.ts";
import { numberKeyOf, numberKeysOf } from "../../../kernel/numbers/phone-numbers.ts";
import { wordsOf } from "../../../kernel/texts/words.ts";
import { type Part, type Passed, passRows } from "../../engine/counting.ts";
import { type Db, hot, hotUpdate, type Reader, type Tx } from "../../engine/db.ts";
import { addToCount, countCollection } from "../collections.ts";
import { ifSeen, seenBy, type TenantScope, type Viewer, within } from "../scope.ts";
import { laws } from "../table-laws.ts";
import type { Environment } from "../tenancy/keys.ts";
import { findOwner } from "../tenancy/tenants.ts";

/**
 * The people that a tenant exchanges messages with, whatever the channel. `numberKey` is the number in its
 * comparable form: two spellings of a number are equal. `alias` is the canonical key of a person without a known
 * number. `name` is null until it is known. `contacts_search` holds the words by
 * which an institution searches, by `seq`. Each environment has its own contacts: a test key must not read people of
 * live conversations.
 */
export const contacts = sqliteTable(
  "contacts",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().$type<ContactId>().notNull().unique(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    environment: text().$type<Environment>().notNull().default("live"),
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
    uniqueIndex("contacts_by_number").on(t.tenantId, t.numberKey, t.environment).where(sql`number_key IS NOT NULL`),
    uniqueIndex("contacts_by_alias").on(t.tenantId, t.alias, t.environment).where(sql`alias IS NOT NULL`),
    index("contacts_test").on(t.tenantId, t.seq).where(sql`environment = 'test'`),
  ],
);
export type ContactRow = typeof contacts.$inferSelect;

export const contactsLaws = laws(contacts, {
  keeps: {
    group: "conversations",
    setting: "none",
    rule: "an address book stays until its institution deletes from it, or the person is erased",
    isSwept: false,
  },
  personal: {
    rowsOf: "tenant",
    by: ["phone_number", "number_key", "alias"],
    texts: ["metadata"],
    async erase(tx, { id, tenantId }) {
      await deleteContact(tx, { tenantId: tenantId as TenantId }, String(id));
      return {};
    },
  },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { limit: "contacts" },
  files: { metadata: "holds no content of a message", tags: "holds no content of a message" },
  backup: "rows alone",
});

export const contactsSearchLaws = laws("contacts_search", {
  keeps: { group: "conversations", setting: "none", rule: "goes with its contact", isSwept: false },
  personal: { none: "goes with its contact" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per contact" },
  files: "none",
  backup: "rows alone",
});

const byId = hot((q) =>
  q
    .select()
    .from(contacts)
    .where(eq(contacts.id, sql.placeholder("id")))
    .prepare(),
);

export const findContact = async (r: Reader, viewer: Viewer, id: string): Promise<ContactRow | undefined> =>
  ifSeen(await byId(r).get({ id }), viewer);

const byNumber = hot((q) =>
  q
    .select()
    .from(contacts)
    .where(
      and(
        eq(contacts.tenantId, sql.placeholder("tenantId")),
        eq(contacts.numberKey, sql.placeholder("numberKey")),
        eq(contacts.environment, sql.placeholder("environment")),
      ),
    )
    .prepare(),
);

/**
 * The contacts with this number in the environment, however it is spelled, the oldest first. There is more than one only
 * where two were made before their numbers were known for one.
 */
export const listContactsByNumber = async (
  r: Reader,
  { tenantId, environment }: Viewer,
  phoneNumber: string,
): Promise<ContactRow[]> => {
  const found: ContactRow[] = [];
  for (const numberKey of numberKeysOf(phoneNumber)) {
    const contact = await byNumber(r).get({ tenantId, environment, numberKey });
    if (contact) found.push(contact);
  }
  return found.toSorted((a, b) => a.seq - b.seq);
};

/** The oldest of them. */
export const findContactByNumber = async (
  r: Reader,
  viewer: Viewer,
  phoneNumber: string,
): Promise<ContactRow | undefined> => (await listContactsByNumber(r, viewer, phoneNumber))[0];

const byAlias = hot((q) =>
  q
    .select()
    .from(contacts)
    .where(
      and(
        eq(contacts.tenantId, sql.placeholder("tenantId")),
        eq(contacts.alias, sql.placeholder("alias")),
        eq(contacts.environment, sql.placeholder("environment")),
      ),
    )
    .prepare(),
);

export const findContactByAlias = (
  r: Reader,
  { tenantId, environment }: Viewer,
  alias: string,
): Promise<ContactRow | undefined> => byAlias(r).get({ tenantId, environment, alias });

const insert = hot((q) =>
  q
    .insert(contacts)
    .values({
      id: sql.placeholder("id"),
      tenantId: sql.placeholder("tenantId"),
      environment: sql.placeholder("environment"),
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

/** Undefined when the tenant already has a contact with this number or alias. */
export const insertContact = async (tx: Tx, row: NewContact): Promise<ContactRow | undefined> => {
  const [inserted] = await insert(tx).all({
    ...row,
    numberKey: row.phoneNumber === null ? null : numberKeyOf(row.phoneNumber),
  });
  if (!inserted) return undefined;
  await updateWords(tx, inserted);
  addToCount(tx, inserted.tenantId, "contacts", 1);
  return inserted;
};

const update = hotUpdate((q, columns) =>
  q
    .update(contacts)
    .set(columns as Partial<ContactRow>) // placeholders, bound by the columns' types
    .where(and(eq(contacts.id, sql.placeholder("rowId")), eq(contacts.tenantId, sql.placeholder("ofTenant"))))
    .returning()
    .prepare(),
);

/** The changed row; undefined when there is none in scope. */
export const updateContact = async (
  tx: Tx,
  { tenantId }: TenantScope,
  id: ContactId,
  changes: Partial<NewContact>,
): Promise<ContactRow | undefined> => {
  const columns = { ...changes, ...(changes.phoneNumber ? { numberKey: numberKeyOf(changes.phoneNumber) } : {}) };
  const [changed] = await update(tx, columns, []).all({ ...columns, rowId: id, ofTenant: tenantId });
  if (changed) await updateWords(tx, changed);
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

/** All endings of a number: a word that begins one of them occurs in the number. */
const endsOf = (digits: string): string[] =>
  Array.from({ length: Math.max(0, digits.length - SHORTEST_END + 1) }, (_, start) => digits.slice(start));
const SHORTEST_END = 4;

/** The number of contacts, of any tenant, that one statement searches: a few milliseconds at most. */
const SLICE = 4096;
const sliceOf = (seq: number): number => Math.floor(seq / SLICE);

/** A tenant's words of a slice share a prefix of their own, so a search skips all others. */
const ownWord = ({ tenantId }: TenantScope, slice: number, word: string): string =>
  tenantId.replaceAll("-", "") + slice.toString(36).padStart(8, "0") + word;

/** Writes the search words of a contact, in the write of its row. Only institutions search by them. */
const updateWords = async (tx: Tx, contact: ContactRow): Promise<void> => {
  if ((await findOwner(tx, contact.tenantId)).isInstitution) makeFindable(tx, contact);
};

/** A tenant's contacts after one, in the order in which they were made. */
export const listContactsAfter = (
  r: Reader,
  { tenantId }: TenantScope,
  { after, limit }: { after: number; limit: number },
): Promise<ContactRow[]> =>
  r.q
    .select()
    .from(contacts)
    .where(and(eq(contacts.tenantId, tenantId), gt(contacts.seq, after)))
    .orderBy(asc(contacts.seq))
    .limit(limit);

/** Writes the search words of an institution's contact. */
export const makeFindable = (tx: Tx, contact: ContactRow): void => {
  const { seq, name, email, tags, phoneNumber, numberKey } = contact;
  const words = new Set([
    ...wordsOf([name, email, ...tags].join(" ")),
    ...endsOf(phoneNumber ?? ""),
    ...endsOf(numberKey ?? ""),
  ]);
  const own = [...words].map((word) => ownWord(contact, sliceOf(seq), word));
  tx.run("INSERT OR REPLACE INTO contacts_search (rowid, words) VALUES (?1, ?2)", [seq, own.join(" ")]);
};

/**
 * The words of a search, without those that begin another one: a contact found by the longer word is found by the
 * shorter too.
 */
export const searchedWords = (search: string): string[] => {
  const words = [...new Set(wordsOf(search).map(numberKeyOf))];
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)));
};

type Page = { limit: number; offset: number };

/** Newest first, from before a place on. */
export const listContacts = (
  r: Reader,
  viewer: Viewer,
  { limit, offset, before }: Page & { before?: number | undefined },
): Promise<ContactRow[]> =>
  r.q
    .select()
    .from(contacts)
    .where(and(own(viewer), before === undefined ? undefined : lt(contacts.seq, before)))
    .orderBy(desc(contacts.seq))
    .limit(limit)
    .offset(offset);

/** Passes part of the contacts that this viewer sees. */
export const passContacts = (r: Reader, viewer: Viewer, part: Part<number>): Promise<Passed<number>> =>
  passRows(r, { table: contacts, key: contacts.seq, where: own(viewer) }, part);

/** The number of contacts that this viewer sees, where a counter has it; those of test keys are few. */
export const countedContacts = async (r: Reader, viewer: Viewer): Promise<number | undefined> =>
  viewer.environment === "live" ? countCollection(r, "contacts", viewer.tenantId, 0) : undefined;

const own = (viewer: Viewer): SQL | undefined =>
  and(within(contacts.tenantId, viewer), seenBy(contacts.environment, viewer));

/** Words of live and test contacts are stored together. Test contacts are few, so the result is filtered. */
const SEARCHED = {
  live: "FROM contacts_search WHERE contacts_search MATCH ?1 AND ?2 IS NOT NULL",
  test: `FROM contacts_search WHERE contacts_search MATCH ?1 AND +rowid IN (SELECT seq FROM contacts
    WHERE tenant_id = ?2 AND environment = 'test')`,
};
const NEWEST_BEFORE = "SELECT max(seq) AS seq FROM contacts WHERE tenant_id = ?1 AND seq < ?2";
const found = (searched: string): string => `SELECT rowid AS seq ${searched} ORDER BY rowid DESC LIMIT ?3 OFFSET ?4`;
/** Search results are counted up to this number, or to the end of the page. */
const FOUND_UP_TO = 10_000;

/**
 * The contacts for which every search word begins a word or occurs in the number: a page, newest first, and their
 * number up to a bound. Reads slice by slice, so that other work runs between slices.
 */
export const searchContacts = async (
  db: Pick<Db, "read">,
  viewer: Viewer,
  { search, limit, offset }: Page & { search: string },
): Promise<{ rows: ContactRow[]; total: number }> => {
  const words = searchedWords(search); // only letters and digits, which are no search syntax
  const most = Math.max(FOUND_UP_TO, offset + limit + 1);
  const seqs: number[] = [];
  let total = 0;
  let before = words.length === 0 ? 0 : Number.MAX_SAFE_INTEGER;
  while (before > 0 && total < most) {
    const slice = await db.read((r) =>
      searchBefore(r, viewer, { words, before, limit: limit - seqs.length, offset: offset - total }),
    );
    seqs.push(...slice.seqs);
    total += slice.n;
    before = slice.from;
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
  const rows = await db.read((r) =>
    r.q
      .select()
      .from(contacts)
      .where(and(own(viewer), inArray(contacts.seq, seqs)))
      .orderBy(desc(contacts.seq)),
  );
  return { rows, total: Math.min(total, most) };
};

/** The results in the newest slice before a contact. `from` is where the slice begins; 0 when there is none. */
const searchBefore = async (
  r: Reader,
  viewer: Viewer,
  { words, before, limit, offset }: Page & { words: string[]; before: number },
) => {
  const { tenantId, environment } = viewer;
  const newest = (await r.rows<{ seq: number | null }>(NEWEST_BEFORE, [tenantId, before]))[0]?.seq ?? 0;
  const slice = sliceOf(newest);
  const wordIn = (word: string) => `"${ownWord(viewer, slice, word)}" *`;
  const match = words.map((word) => `(${numberKeysOf(word).map(wordIn).join(" OR ")})`).join(" AND ");
  const searched = SEARCHED[environment];
  const n =
    newest === 0
      ? 0
      : ((await r.rows<{ n: number }>(`SELECT count(*) AS n ${searched}`, [match, tenantId]))[0]?.n ?? 0);
  const isOnPage = n > offset && limit > 0;
  const seqs = isOnPage
    ? (await r.rows<{ seq: number }>(found(searched), [match, tenantId, limit, Math.max(0, offset)])).map(
        ({ seq }) => seq,
      )
    : [];
  return { n, seqs, from: slice * SLICE };
};

const PAGES_MERGED = 200;
const CHANGES = "SELECT total_changes() AS n";

/**
 * Rewrites part of the search index without the words of deleted rows. `isFirst`: marks the whole index for rewriting.
 * True when there is more.
 */
export const mergeSearch = async (tx: Tx, { isFirst }: { isFirst: boolean }): Promise<boolean> => {
  const [before] = await tx.rows<{ n: number }>(CHANGES);
  tx.run("INSERT INTO contacts_search (contacts_search, rank) VALUES ('merge', ?1)", [
    isFirst ? -PAGES_MERGED : PAGES_MERGED,
  ]);
  const [after] = await tx.rows<{ n: number }>(CHANGES);
  return isFirst || (after?.n ?? 0) - (before?.n ?? 0) >= 2; // fewer: the merge found nothing to do
};
