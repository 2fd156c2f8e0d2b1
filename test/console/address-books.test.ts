import { describe, expect, test } from "bun:test";
import { kindOf } from "../../src/console/web/pages/batches/csv.ts";
import { checked, guessed, numbersIn, tableOf } from "../../src/console/web/pages/batches/mapping.ts";
import { decodeText } from "../../src/kernel/texts/charsets.ts";
import { readCsv } from "../../src/kernel/texts/csv.ts";
import { type AddressBook, googleExport, outlookExport, spreadsheetExport } from "../support/files/address-books.ts";

const COUNT = 1000;
const SEEDS = [1, 27, 2026];

/** Each line's number as the page reads it from the file, or its fault. */
const readIn = ({ bytes }: AddressBook) => {
  expect(kindOf(bytes)).toBe("text");
  const sheet = guessed(tableOf(readCsv(decodeText(bytes).text), "55"), "55");
  const numbers = numbersIn(sheet, "55");
  return { sheet, numbers, ...checked(sheet, { numbers, needed: [] }) };
};

describe.each([
  ["a spreadsheet", spreadsheetExport, "Cel", 0.7],
  ["Google Contacts", googleExport, "Phone 1 - Value", 1],
  ["Outlook", outlookExport, "Mobile Phone", 0.85],
] as const)("1,000 contacts of %s", (_, exported, title, share) => {
  test.each(SEEDS)("are sent to their own numbers, or left out with a reason (seed %d)", (seed) => {
    const book = exported(seed, COUNT);
    const { sheet, numbers, good, faults } = readIn(book);
    expect(sheet.columns.find(({ role }) => role === "number")?.title).toBe(title);
    expect(numbers).toHaveLength(COUNT);
    const wrong = numbers.filter(({ number }, at) => number.digits !== undefined && number.digits !== book.numbers[at]);
    expect(wrong).toEqual([]);
    const right = numbers.filter(({ number }) => number.digits !== undefined).length;
    expect(right).toBeGreaterThanOrEqual(COUNT * share);
    expect(good.length + faults.length).toBe(COUNT);
    expect(faults.filter(({ is }) => is === "variable")).toEqual([]);
  });
});
