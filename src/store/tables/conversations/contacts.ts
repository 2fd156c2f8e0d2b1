import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ContactId, TenantId } from "../../../kernel/ids.ts";
import { numberKeyOf, numberKeysOf } from "../../../kernel/numbers/phone-numbers.ts";
import { wordsOf } from "../../../kernel/texts/words.ts";
import { type Part, type Passed, passMatching } from "../../engine/counting.ts";
import type { Db, Reader, Tx } from "../../engine/db.ts";
import { columnsOf, lines, statement, updateOf } from "../../engine/statement.ts";
import { addToCount, readStoredCount } from "../collections.ts";
import { ifSeen, inSightOf, type TenantScope, type Viewer } from "../scope.ts";
import { laws } from "../table-laws.ts";
import type { Environment } from "../tenancy/keys.ts";
import { findOwner } from "../tenancy/tenants.ts";

/** What recorded an opt-out: a word that the person wrote, a report of the network, or a request. */
export const OPT_OUT_SOURCES = ["word", "network", "request"] as const;
export type OptOutSource = (typeof OPT_OUT_SOURCES)[number];

/**
 * The people that a tenant exchanges messages with, on all channels. `numberKey` is the number in its comparable form:
 * two spellings of a number are equal. `alias` is the canonical key of a person without a known number. `name` is null
 * until it is known. `contacts_search` holds the words by which an institution searches, by `seq`. Each environment has
 * its own contacts: a test key must not read people of live conversations. `optedOutAt`: since when the person wants no
 * messages but answers; null if they do. Both columns of the opt-out are null together.
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
    optedOutAt: integer("opted_out_at"),
    optedOutBy: text("opted_out_by").$type<OptOutSource>(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [
    index("contacts_by_tenant").on(t.tenantId, t.seq),
    uniqueIndex("contacts_by_number").on(t.tenantId, t.numberKey, t.environment).where(sql`number_key IS NOT NULL`),
    uniqueIndex("contacts_by_alias").on(t.tenantId, t.alias, t.environment).where(sql`alias IS NOT NULL`),
    index("contacts_opted_out").on(t.tenantId, t.seq).where(sql`opted_out_at IS NOT NULL`),
    index("contacts_test").on(t.tenantId, t.seq).where(sql`environment = 'test'`),
  ],
);
export type ContactRow = typeof contacts.$inferSelect;

export const contactsLaws = laws(contacts, {
  keeps: {
    group: "conversations",
    setting: "none",
    rule: "until the institution deletes the contact, or the person is erased",
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
  grows: { limit: "contacts", isStored: true },
  files: { metadata: "holds no content of a message", tags: "holds no content of a message" },
  backup: "rows alone",
});

export const contactsSearchLaws = laws("contacts_search", {
  keeps: { group: "conversations", setting: "none", rule: "until the contact is deleted", isSwept: false },
  personal: { none: "deleted together with its contact" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per contact" },
  files: "none",
  backup: "rows alone",
});

const CONTACT = columnsOf(contacts);

const byId = statement<ContactRow, { id: string }>("SELECT * FROM contacts WHERE id = :id", CONTACT);

export const findContact = async (r: Reader, viewer: Viewer, id: string): Promise<ContactRow | undefined> =>
  ifSeen(await byId.get(r, { id }), viewer);

const byNumber = statement<ContactRow, Viewer & { numberKey: string }>(
  `SELECT * FROM contacts WHERE tenant_id = :tenantId AND number_key = :numberKey
    AND environment = :environment`,
  CONTACT,
);

/**
 * The contacts with this number in the environment, in any spelling, oldest first. Two contacts can have one number, if
 * both were made before its spellings counted as one.
 */
export const listContactsByNumber = async (
  r: Reader,
  { tenantId, environment }: Viewer,
  phoneNumber: string,
): Promise<ContactRow[]> => {
  const found: ContactRow[] = [];
  for (const numberKey of numberKeysOf(phoneNumber)) {
    const contact = await byNumber.get(r, { tenantId, environment, numberKey });
    if (contact) found.push(contact);
  }
  return found.toSorted((a, b) => a.seq - b.seq);
};

/** The oldest contact with this number. */
export const findContactByNumber = async (
  r: Reader,
  viewer: Viewer,
  phoneNumber: string,
): Promise<ContactRow | undefined> => (await listContactsByNumber(r, viewer, phoneNumber))[0];

const byAlias = statement<ContactRow, Viewer & { alias: string }>(
  "SELECT * FROM contacts WHERE tenant_id = :tenantId AND alias = :alias AND environment = :environment",
  CONTACT,
);

export const findContactByAlias = (
  r: Reader,
  { tenantId, environment }: Viewer,
  alias: string,
): Promise<ContactRow | undefined> => byAlias.get(r, { tenantId, environment, alias });

/** A new contact has not opted out. */
export type NewContact = Omit<ContactRow, "seq" | "numberKey" | "optedOutAt" | "optedOutBy">;

/** The opt-out of one person, of whom there were several contacts. */
export const optOutOf = (
  doubles: readonly Pick<ContactRow, "optedOutAt" | "optedOutBy">[],
): Pick<ContactRow, "optedOutAt" | "optedOutBy"> => {
  const { optedOutAt = null, optedOutBy = null } = doubles.find((one) => one.optedOutAt !== null) ?? {};
  return { optedOutAt, optedOutBy };
};

const insert = statement<ContactRow, NewContact & Pick<ContactRow, "numberKey">>(
  `INSERT INTO contacts (id, tenant_id, environment, phone_number, number_key, alias, name, email, tags, metadata,
    created_at, updated_at)
    VALUES (:id, :tenantId, :environment, :phoneNumber, :numberKey, :alias, :name, :email, :tags, :metadata,
    :createdAt, :updatedAt) ON CONFLICT DO NOTHING RETURNING *`,
  CONTACT,
);

/** Undefined if the tenant already has a contact with this number or alias. */
export const insertContact = async (tx: Tx, row: NewContact): Promise<ContactRow | undefined> => {
  const numberKey = row.phoneNumber === null ? null : numberKeyOf(row.phoneNumber);
  const inserted = await insert.get(tx, { ...row, numberKey });
  if (!inserted) return undefined;
  await updateWords(tx, inserted);
  addToCount(tx, inserted.tenantId, "contacts", 1);
  return inserted;
};

const update = updateOf<typeof contacts, TenantScope & { id: ContactId }>(
  contacts,
  "WHERE id = :id AND tenant_id = :tenantId RETURNING *",
);

/** The changed row; undefined if no such row is in scope. */
export const updateContact = async (
  tx: Tx,
  { tenantId }: TenantScope,
  id: ContactId,
  changes: Partial<Omit<ContactRow, "seq" | "numberKey">>,
): Promise<ContactRow | undefined> => {
  const columns = { ...changes, ...(changes.phoneNumber ? { numberKey: numberKeyOf(changes.phoneNumber) } : {}) };
  const [changed] = await update(tx, columns, { id, tenantId });
  if (changed) await updateWords(tx, changed);
  return changed;
};

const remove = statement<{ seq: number }, TenantScope & { id: string }>(
  "DELETE FROM contacts WHERE id = :id AND tenant_id = :tenantId RETURNING seq",
);
const removeWords = statement<never, { seq: number }>("DELETE FROM contacts_search WHERE rowid = :seq");

/** False if no such row is in scope. */
export const deleteContact = async (tx: Tx, { tenantId }: TenantScope, id: string): Promise<boolean> => {
  const gone = await remove.get(tx, { id, tenantId });
  if (!gone) return false;
  removeWords.run(tx, { seq: gone.seq });
  addToCount(tx, tenantId, "contacts", -1);
  return true;
};

/** All endings of a number. A word occurs in the number if it begins one of its endings. */
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

type After = { after: number; limit: number };
const contactsAfter = statement<ContactRow, TenantScope & After>(
  "SELECT * FROM contacts WHERE tenant_id = :tenantId AND seq > :after ORDER BY seq LIMIT :limit",
  CONTACT,
);

/** A tenant's contacts after one, in the order in which they were made. */
export const listContactsAfter = (
  r: Reader,
  { tenantId }: TenantScope,
  { after, limit }: After,
): Promise<ContactRow[]> => contactsAfter.all(r, { tenantId, after, limit });

const putWords = statement<never, { seq: number; words: string }>(
  "INSERT OR REPLACE INTO contacts_search (rowid, words) VALUES (:seq, :words)",
);

/** Writes the search words of an institution's contact. */
export const makeFindable = (tx: Tx, contact: ContactRow): void => {
  const { seq, name, email, tags, phoneNumber, numberKey } = contact;
  const words = new Set([
    ...wordsOf([name, email, ...tags].join(" ")),
    ...endsOf(phoneNumber ?? ""),
    ...endsOf(numberKey ?? ""),
  ]);
  const own = [...words].map((word) => ownWord(contact, sliceOf(seq), word));
  putWords.run(tx, { seq, words: own.join(" ") });
};

/**
 * The words of a search, without each word that begins another word. The shorter word finds every contact that the
 * longer word finds.
 */
export const searchedWords = (search: string): string[] => {
  const words = [...new Set(wordsOf(search).map(numberKeyOf))];
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)));
};

type Page = { limit: number; offset: number };

/** Only contacts who opted out, or only those who did not; undefined for both. */
export type OptOutFilter = { optedOut?: boolean | undefined };

/** The table, by the index that has the wanted contacts alone. */
const contactsOf = ({ optedOut }: OptOutFilter): string =>
  optedOut === true ? "contacts INDEXED BY contacts_opted_out" : "contacts";
const matching = (viewer: Viewer, { optedOut }: OptOutFilter): string =>
  lines(
    `tenant_id = :tenantId ${inSightOf(viewer)}`,
    optedOut !== undefined && `AND opted_out_at IS ${optedOut ? "NOT NULL" : "NULL"}`,
  );

/** Newest first, from before a place on. */
export const listContacts = (
  r: Reader,
  viewer: Viewer,
  page: Page & OptOutFilter & { before?: number | undefined },
): Promise<ContactRow[]> =>
  statement<ContactRow, Viewer & typeof page>(
    lines(
      `SELECT * FROM ${contactsOf(page)} WHERE ${matching(viewer, page)}`,
      page.before !== undefined && "AND seq < :before",
      "ORDER BY seq DESC LIMIT :limit OFFSET :offset",
    ),
    CONTACT,
  ).all(r, { ...viewer, ...page });

/** Passes part of the contacts that this viewer sees. */
export const passContacts = (r: Reader, viewer: Viewer, part: Part<number> & OptOutFilter): Promise<Passed<number>> =>
  passMatching(r, { table: contactsOf(part), key: "seq", where: matching(viewer, part), params: viewer }, part);

/** The number of contacts that this viewer sees. A counter has it, but for the few contacts of test keys. */
export const countedContacts = async (r: Reader, viewer: Viewer): Promise<number | undefined> =>
  viewer.environment === "live" ? readStoredCount(r, viewer.tenantId, "contacts") : undefined;

/** Words of live and test contacts are stored together. Test contacts are few, so the result is filtered. */
const searched = (among = "") => {
  const FOUND = `FROM contacts_search WHERE contacts_search MATCH :match ${among}`;
  return {
    count: statement<{ n: number }, TenantScope & { match: string }>(`SELECT count(*) AS n ${FOUND}`),
    page: statement<{ seq: number }, TenantScope & Page & { match: string }>(
      `SELECT rowid AS seq ${FOUND} ORDER BY rowid DESC LIMIT :limit OFFSET :offset`,
    ),
  };
};
const AMONG = {
  live: "",
  test: "AND +rowid IN (SELECT seq FROM contacts WHERE tenant_id = :tenantId AND environment = 'test')",
};
/** Each result is looked at, because no list of all who opted out is short. */
const searchedAmong = ({ environment }: Viewer, { optedOut }: OptOutFilter) =>
  searched(
    lines(
      AMONG[environment],
      optedOut !== undefined &&
        `AND (SELECT opted_out_at FROM contacts WHERE seq = contacts_search.rowid) IS ${optedOut ? "NOT NULL" : "NULL"}`,
    ),
  );
const newestBefore = statement<{ seq: number | null }, TenantScope & { before: number }>(
  "SELECT max(seq) AS seq FROM contacts WHERE tenant_id = :tenantId AND seq < :before",
);
/** Search results are counted up to this number, or to the end of the page. */
const FOUND_UP_TO = 10_000;

/**
 * The contacts for which every search word begins a word or occurs in the number: a page, newest first, and their
 * number up to a bound. Reads slice by slice, so that other work runs between slices. Bound: `limit`.
 */
export const searchContacts = async (
  db: Pick<Db, "read">,
  viewer: Viewer,
  { search, limit, offset, optedOut }: Page & OptOutFilter & { search: string },
): Promise<{ rows: ContactRow[]; total: number }> => {
  const words = searchedWords(search); // letters and digits alone are no search syntax
  const most = Math.max(FOUND_UP_TO, offset + limit + 1);
  const seqs: number[] = [];
  let total = 0;
  let before = words.length === 0 ? 0 : Number.MAX_SAFE_INTEGER;
  while (before > 0 && total < most) {
    const slice = await db.read((r) =>
      searchBefore(r, viewer, { words, before, limit: limit - seqs.length, offset: offset - total, optedOut }),
    );
    seqs.push(...slice.seqs);
    total += slice.n;
    before = slice.from;
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
  const rows = await db.read((r) =>
    statement<ContactRow, Viewer & { seqs: readonly number[] }>(
      // + keeps SQLite from the index of the tenant's contacts
      `SELECT * FROM contacts WHERE seq IN (SELECT value FROM json_each(:seqs)) AND +tenant_id = :tenantId
        ${inSightOf(viewer)} ORDER BY seq DESC`,
      CONTACT,
    ).all(r, { ...viewer, seqs }),
  );
  return { rows, total: Math.min(total, most) };
};

/** The results in the newest slice before a contact. `from`: the beginning of the slice; 0 without an older contact. */
const searchBefore = async (
  r: Reader,
  viewer: Viewer,
  { words, before, limit, offset, optedOut }: Page & OptOutFilter & { words: string[]; before: number },
) => {
  const { tenantId } = viewer;
  const newest = (await newestBefore.get(r, { tenantId, before }))?.seq ?? 0;
  const slice = sliceOf(newest);
  const wordIn = (word: string) => `"${ownWord(viewer, slice, word)}" *`;
  const match = words.map((word) => `(${numberKeysOf(word).map(wordIn).join(" OR ")})`).join(" AND ");
  const found = searchedAmong(viewer, { optedOut });
  const n = newest === 0 ? 0 : ((await found.count.get(r, { tenantId, match }))?.n ?? 0);
  const isOnPage = n > offset && limit > 0;
  const rows = isOnPage ? await found.page.all(r, { tenantId, match, limit, offset: Math.max(0, offset) }) : [];
  const seqs = rows.map(({ seq }) => seq);
  return { n, seqs, from: slice * SLICE };
};

const PAGES_MERGED = 200;
const changes = statement<{ n: number }>("SELECT total_changes() AS n");
const merge = statement<never, { pages: number }>(
  "INSERT INTO contacts_search (contacts_search, rank) VALUES ('merge', :pages)",
);

/**
 * Rewrites part of the search index without the words of deleted rows. `isFirst`: marks the whole index for rewriting.
 * True when there is more.
 */
export const mergeSearch = async (tx: Tx, { isFirst }: { isFirst: boolean }): Promise<boolean> => {
  const before = await changes.get(tx);
  merge.run(tx, { pages: isFirst ? -PAGES_MERGED : PAGES_MERGED });
  const after = await changes.get(tx);
  return isFirst || (after?.n ?? 0) - (before?.n ?? 0) >= 2; // fewer changes: the merge found nothing to do
};
