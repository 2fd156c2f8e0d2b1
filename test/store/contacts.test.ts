import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ContactId, TenantId } from "../../src/kernel/ids.ts";
import { wordsOf } from "../../src/kernel/words.ts";
import { askedOf, type ContactRow, countContacts, deleteContact, insertContact, listContacts, numberKeyOf, updateContact } from "../../src/store/contacts.ts";
import { tempDatabases } from "../support/temp-database.ts";

const temp = tempDatabases();

const LETTERS = ["a", "A", "á", "ã", "a\u0301", "Ç", "n", "ñ", "ß", "ж", "Й", "Ω", "ψ", "王", "明", "ع", "あ", "ガ", "한", "İ"];
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

/** As a reader of the documents would do it: every word asked for begins a word of theirs, or stands in their number where at least four digits of it are left. */
const isFound = (search: string, { name, email, tags, phoneNumber }: Person): boolean => {
  const words = wordsOf(`${name ?? ""} ${email ?? ""} ${tags.join(" ")}`);
  const numbers = phoneNumber === null ? [] : [phoneNumber, numberKeyOf(phoneNumber)];
  const isIn = (word: string, digits: string) => Array.from({ length: digits.length - 3 }, (_, at) => at).some((at) => digits.startsWith(word, at));
  const asked = wordsOf(search);
  return asked.length > 0 && asked.map(numberKeyOf).every((word) => words.some((one) => one.startsWith(word)) || numbers.some((one) => isIn(word, one)));
};

/** Also with a ninth digit that may be missing. */
const spellings = (phoneNumber: string): string[] => [phoneNumber, phoneNumber.slice(3), phoneNumber.replace(/^(\d{4})/, "$19")];

/** What is asked: words of their own, the beginnings of them, several of them, and anything else. */
const searchFor = (people: readonly Person[]) => {
  const words = people.flatMap(({ name, email, tags, phoneNumber }) => [...wordsOf([name, email, ...tags].join(" ")), ...(phoneNumber === null ? [] : spellings(phoneNumber))]);
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

const asked = fc.array(person, { minLength: 1, maxLength: 6 }).chain((people) => fc.tuple(fc.constant(people), searchFor(people), fc.integer({ min: 1, max: 4 }), fc.nat(3)));

let made = 0;
const newTenant = () => `00000000-0000-4000-8000-${String(++made).padStart(12, "0")}` as TenantId;

describe("a search", () => {
  test.each([
    ["a ".repeat(100), ["a"]],
    ["j Jo joão JOA silva s", ["joao", "silva"]],
    ["99 9999 5511999990001 551199990001", ["551199990001", "9999"]],
    ["", []],
  ])("P-362 of %p each word is looked up once, and none that another one holds", (search, words) => {
    expect(askedOf(search).toSorted()).toEqual(words);
  });

  test("P-362 finds exactly what a plain filter over the same words finds, newest first, page by page, whatever it holds, and of one tenant alone", async () => {
    const db = temp.database();
    await fc.assert(
      fc.asyncProperty(asked, async ([people, search, limit, offset]) => {
        const [tenantId, other] = [newTenant(), newTenant()];
        const rows = await db.write(async (tx) => {
          const inserted: ContactRow[] = [];
          for (const [n, one] of people.entries()) {
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
              if (row && owner === tenantId) inserted.push(row); // a number may be another's by now
            }
          }
          return inserted;
        });
        const wanted = rows
          .filter((row) => isFound(search, row))
          .map(({ id }) => id)
          .toReversed();
        const [page, total] = await db.read(async (r) => [
          await listContacts(r, { tenantId, environment: "live" }, { search, limit, offset }),
          await countContacts(r, { tenantId, environment: "live" }, { search }),
        ]);
        expect([page.map(({ id }) => id), total]).toEqual([wanted.slice(offset, offset + limit), wanted.length]);
      }),
      { numRuns: 200 },
    );
  });

  test("P-363 finds what is there after any changes, and nothing of what was", async () => {
    const db = temp.database();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(2), fc.option(person)), { maxLength: 8 }), text(4), async (steps, search) => {
        const tenantId = newTenant();
        const kept = new Map<string, Person>();
        for (const [n, change] of steps) {
          const id = `${tenantId}-${n}` as ContactId;
          const facts = change && { ...change, phoneNumber: null };
          await db.write(async (tx) => {
            if (!facts) return void (await deleteContact(tx, { tenantId }, id));
            if (kept.has(id)) await updateContact(tx, { tenantId }, id, facts);
            else await insertContact(tx, { ...facts, id, tenantId, environment: "live", alias: null, metadata: {}, createdAt: 1, updatedAt: 1 });
          });
          if (facts) kept.set(id, facts);
          else kept.delete(id);
        }
        const wanted = [...kept].filter(([, one]) => isFound(search, one)).map(([id]) => id);
        const found = await db.read((r) => listContacts(r, { tenantId, environment: "live" }, { search, limit: 9, offset: 0 }));
        expect(found.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted() as ContactId[]);
      }),
      { numRuns: 100 },
    );
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
