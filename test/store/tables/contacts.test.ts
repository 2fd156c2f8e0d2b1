import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ContactId, TenantId } from "../../../src/kernel/ids.ts";
import { numberKeyOf } from "../../../src/kernel/numbers/phone-numbers.ts";
import { wordsOf } from "../../../src/kernel/texts/words.ts";
import type { Db, Tx } from "../../../src/store/engine/db.ts";
import {
  type ContactRow,
  deleteContact,
  insertContact,
  searchContacts,
  searchedWords,
  updateContact,
} from "../../../src/store/tables/conversations/contacts.ts";
import { insertTenant, type PlatformPlan } from "../../../src/store/tables/tenancy/tenants.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";
import { tenantRow } from "../../support/tenants/tenant-row.ts";

const temp = tempDatabases();

const LETTERS = [
  "a",
  "A",
  "á",
  "ã",
  "a\u0301",
  "Ç",
  "n",
  "ñ",
  "ß",
  "ж",
  "Й",
  "Ω",
  "ψ",
  "王",
  "明",
  "ع",
  "あ",
  "ガ",
  "한",
  "İ",
];
const OTHERS = [" ", " ", "-", "'", '"', "*", "(", ")", ":", "^", ".", "@", "😀", "\u200d", "_", "\\", "\n"];
const DIGITS = ["0", "1", "9", "5", "٣"];
const text = (maxLength: number) => fc.string({ unit: fc.constantFrom(...LETTERS, ...OTHERS, ...DIGITS), maxLength });
const number = fc.oneof(
  fc.string({ unit: fc.constantFrom("0", "1", "5", "9"), minLength: 8, maxLength: 15 }),
  fc.string({ unit: fc.constantFrom("0", "9"), minLength: 8, maxLength: 8 }).map((line) => `5511${line}`),
);
const person = fc.record({
  name: fc.option(text(12)),
  email: fc.option(text(8)),
  tags: fc.array(text(6), { maxLength: 3 }),
  phoneNumber: fc.option(number),
});
type Person = typeof person extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * The search as documented: every search word begins a word of the contact, or occurs in the number when it has at
 * least four digits.
 */
const isFound = (search: string, { name, email, tags, phoneNumber }: Person): boolean => {
  const words = wordsOf(`${name ?? ""} ${email ?? ""} ${tags.join(" ")}`);
  const numbers = phoneNumber === null ? [] : [phoneNumber, numberKeyOf(phoneNumber)];
  const isIn = (word: string, digits: string) =>
    Array.from({ length: digits.length - 3 }, (_, at) => at).some((at) => digits.startsWith(word, at));
  const asked = wordsOf(search);
  return (
    asked.length > 0 &&
    asked
      .map(numberKeyOf)
      .every((word) => words.some((one) => one.startsWith(word)) || numbers.some((one) => isIn(word, one)))
  );
};

/** The number, and its spelling with or without the ninth digit. */
const spellings = (phoneNumber: string): string[] => [
  phoneNumber,
  phoneNumber.slice(3),
  phoneNumber.replace(/^(\d{4})/, "$19"),
];

/** Searches: words of the people, their beginnings, several of them, and arbitrary text. */
const searchFor = (people: readonly Person[]) => {
  const words = people.flatMap(({ name, email, tags, phoneNumber }) => [
    ...wordsOf([name, email, ...tags].join(" ")),
    ...(phoneNumber === null ? [] : spellings(phoneNumber)),
  ]);
  const known = fc
    .tuple(fc.constantFrom("a", ...words), fc.nat(6), fc.constantFrom("", '"', "*", " OR "))
    .map(([word, length, mark]) => `${[...word].slice(0, length + 1).join("")}${mark}`);
  return fc.oneof(
    known,
    fc.tuple(known, known).map((two) => two.join(" ")),
    text(6),
    fc.constantFrom(...words, "a"),
  );
};

const asked = fc
  .array(person, { minLength: 1, maxLength: 6 })
  .chain((people) => fc.tuple(fc.constant(people), searchFor(people), fc.integer({ min: 1, max: 4 }), fc.nat(3)));

let made = 0;
const newTenant = () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}` as TenantId;

const addTenant = (tx: Tx, id: TenantId, plan?: PlatformPlan | null) => insertTenant(tx, tenantRow(id, plan));

describe("a search", () => {
  test.each([
    ["a ".repeat(100), ["a"]],
    ["j Jo joão JOA silva s", ["joao", "silva"]],
    ["99 9999 5511999990001 551199990001", ["551199990001", "9999"]],
    ["", []],
  ])("P-362 of %p each word is looked up once, and none that another one holds", (search, words) => {
    expect(searchedWords(search).toSorted()).toEqual(words);
  });

  test("P-362 finds exactly what a plain filter over the same words finds, newest first, page by page, for one tenant", async () => {
    const db = temp.database();
    await fc.assert(
      fc.asyncProperty(asked, async ([people, search, limit, offset]) => {
        const [tenantId, other] = [newTenant(), newTenant()];
        const rows = await db.write(async (tx) => {
          const inserted: ContactRow[] = [];
          for (const owner of [tenantId, other]) await addTenant(tx, owner);
          for (const [n, one] of people.entries()) {
            // the contacts are in several slices
            if (n % 2 === 1) tx.run("UPDATE sqlite_sequence SET seq = seq + 3000 WHERE name = 'contacts'");
            for (const owner of [tenantId, other]) {
              const row = await insertContact(tx, {
                ...one,
                id: `${owner}-${n}` as ContactId,
                tenantId: owner,
                environment: "live",
                alias: null,
                metadata: {},
                createdAt: 1,
                updatedAt: 1,
              });
              if (row && owner === tenantId) inserted.push(row); // the number may belong to another contact now
            }
          }
          return inserted;
        });
        const wanted = rows
          .filter((row) => isFound(search, row))
          .map(({ id }) => id)
          .toReversed();
        const { rows: page, total } = await searchContacts(
          db,
          { tenantId, environment: "live" },
          { search, limit, offset },
        );
        expect([page.map(({ id }) => id), total]).toEqual([wanted.slice(offset, offset + limit), wanted.length]);
      }),
      { numRuns: 200 },
    );
  });

  test("P-363 finds the current contacts after any changes, and no earlier ones", async () => {
    const db = temp.database();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(2), fc.option(person)), { maxLength: 8 }),
        text(4),
        async (steps, search) => {
          const tenantId = newTenant();
          const expected = new Map<string, Person>();
          await db.write((tx) => addTenant(tx, tenantId));
          for (const [n, change] of steps) {
            const id = `${tenantId}-${n}` as ContactId;
            const person = change && { ...change, phoneNumber: null };
            await db.write(async (tx) => {
              if (!person) return void (await deleteContact(tx, { tenantId }, id));
              if (expected.has(id)) await updateContact(tx, { tenantId }, id, person);
              else
                await insertContact(tx, {
                  ...person,
                  id,
                  tenantId,
                  environment: "live",
                  alias: null,
                  metadata: {},
                  createdAt: 1,
                  updatedAt: 1,
                });
            });
            if (person) expected.set(id, person);
            else expected.delete(id);
          }
          const wanted = [...expected].filter(([, one]) => isFound(search, one)).map(([id]) => id);
          const { rows: found } = await searchContacts(
            db,
            { tenantId, environment: "live" },
            { search, limit: 9, offset: 0 },
          );
          expect(found.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted() as ContactId[]);
        },
      ),
      { numRuns: 100 },
    );
  });
});

test("no search words are written for an account of the gateway alone, which never searches by them", async () => {
  const db = temp.database();
  for (const [plan, words] of [
    ["FREE", 1],
    [null, 0],
  ] as const) {
    const tenantId = newTenant();
    const id = `${tenantId}-1` as ContactId;
    await db.write(async (tx) => {
      await addTenant(tx, tenantId, plan);
      const details = { phoneNumber: "5511988887777", alias: null, email: null, tags: [], metadata: {} };
      const times = { createdAt: 1, updatedAt: 1 };
      await insertContact(tx, { ...details, ...times, id, tenantId, name: "Ana", environment: "live" });
      await updateContact(tx, { tenantId }, id, { name: "Ana Maria" });
    });
    const written = await db.read((r) =>
      r.rows("SELECT 1 FROM contacts_search WHERE rowid = (SELECT seq FROM contacts WHERE id = ?1)", [id]),
    );
    expect(written).toHaveLength(words);
    await db.write((tx) => deleteContact(tx, { tenantId }, id));
    expect(await db.read((r) => r.rows("SELECT 1 FROM contacts_search"))).toEqual([]);
  }
});

const MANY = 14_000;
/** More rows than one statement may read. */
const SLICE = 4096;

/** Contacts whose words all begin with `a`, and whose numbers with `5511`. */
const withMany = async () => {
  const db = temp.database();
  const tenantId = newTenant();
  await db.write(async (tx) => {
    await addTenant(tx, tenantId);
    for (let n = 0; n < MANY; n++) {
      const details = {
        phoneNumber: `5511${String(n).padStart(8, "0")}`,
        alias: null,
        name: `Ana a${n}`,
        email: null,
        tags: [],
        metadata: {},
        createdAt: 1,
        updatedAt: 1,
      };
      await insertContact(tx, { ...details, id: `${tenantId}-${n}` as ContactId, tenantId, environment: "live" });
    }
  });
  return { db, tenantId };
};

/** The same database, with the number of contacts that each search statement found. */
const watched = (db: Db) => {
  const found: number[] = [];
  const read: Db["read"] = (body) =>
    db.read((r) =>
      body({
        ...r,
        rows: async <Row>(sql: string, params: readonly unknown[] = []) => {
          const rows = await r.rows<Row>(sql, params);
          if (sql.includes("contacts_search MATCH"))
            found.push(sql.includes("count(*)") ? (rows[0] as { n: number }).n : rows.length);
          return rows;
        },
      }),
    );
  return { read, found };
};

describe("a search among many contacts", () => {
  test("reads one slice per statement for any search, and stops counting at 10,000", async () => {
    const { db, tenantId } = await withMany();
    for (const search of ["a", "5", "55", "5511", "ana a", "a 5 1"]) {
      const { read, found } = watched(db);
      const { rows, total } = await searchContacts(
        { read },
        { tenantId, environment: "live" },
        { search, limit: 20, offset: 0 },
      );
      expect([rows.length, rows[0]?.id, total]).toEqual([20, `${tenantId}-${MANY - 1}` as ContactId, 10_000]);
      expect(Math.max(...found)).toBeLessThanOrEqual(SLICE);
      expect(found.length).toBeLessThan(6);
    }
  });

  test("finds rare words in any slice, and pages to the last contact behind 10,000", async () => {
    const { db, tenantId } = await withMany();
    const one = await searchContacts(db, { tenantId, environment: "live" }, { search: "a77", limit: 100, offset: 0 });
    expect(one.total).toBe(111);
    const last = await searchContacts(
      db,
      { tenantId, environment: "live" },
      { search: "a", limit: 100, offset: MANY - 50 },
    );
    expect([last.rows.length, last.rows.at(-1)?.id, last.total]).toEqual([50, `${tenantId}-0` as ContactId, MANY]);
  });
});

describe("a number", () => {
  test.each([
    ["5511999990001", "551199990001"],
    ["5521912345678", "5521912345678"],
    ["5521962345678", "552162345678"],
    ["551199990001", "551199990001"],
    ["551133334444", "551133334444"],
    ["5599999999999", "559999999999"],
    ["15511999990001", "15511999990001"],
    ["351999990001", "351999990001"],
    ["55119999900011", "55119999900011"],
  ])("P-363 %s is compared as %s", (phoneNumber, key) => {
    expect(numberKeyOf(phoneNumber)).toBe(key);
  });
});
