// What a person has chosen, as a table: a text with separators, or a sheet of a workbook.
import { decodeText } from "../../../../kernel/texts/charsets.ts";
import type { Separator } from "../../../../kernel/texts/csv.ts";
import { kindOf, type Unreadable } from "./csv.ts";
import type { ChosenFile, Table } from "./draft.ts";
import { guessed, tableOf } from "./mapping.ts";
import type { ReadSheet, ReadWorkbook } from "./workbook-worker.ts";

/** Why a file gives no table. `large`: more bytes than are read. `long`: more rows. */
export type Refusal = Unreadable | "large" | "long" | "broken";

/** A workbook of as many bytes has some hundred thousand rows. */
const MOST_BYTES = 10 * 1024 * 1024;
/** A workbook within the limits takes a few seconds on a slow machine. */
const LONGEST_MS = 30_000;

/** The readers are loaded with the first file. */
const csv = () => import("../../../../kernel/texts/csv.ts");

/** The file as a table, or why it gives none. `country`: the country code for numbers without one. */
export const readFile = async (file: File, country: string): Promise<ChosenFile | Refusal> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const kind = kindOf(bytes);
  if (kind === "text") return asText({ name: file.name, ...decodeText(bytes), country });
  if (kind !== "workbook") return kind;
  if (bytes.length > MOST_BYTES) return "large";
  const found = await workbookOf(bytes);
  return found.ok ? withSheets({ name: file.name, sheets: found.sheets, country }) : found.reason;
};

type Text = { name: string; text: string; charset: string; country: string };

/** A text with its separator; without `given`, the separator is found. */
export const asText = async ({ name, text, charset, country }: Text, given?: Separator): Promise<ChosenFile> => {
  const { separator, ...table } = (await csv()).readCsv(text, given);
  return chosen({ name, table, source: { is: "text", text, charset, separator } }, country);
};

const chosen = (file: Omit<ChosenFile, "sheet">, country: string): ChosenFile => ({
  ...file,
  sheet: guessed(tableOf(file.table, country), country),
});

type Sheets = { name: string; sheets: readonly ReadSheet[]; country: string };

/** A workbook's first sheet with a column of numbers; without such a sheet, its first sheet. */
const withSheets = async ({ name, sheets, country }: Sheets): Promise<ChosenFile> => {
  const { tableIn } = await csv();
  const tables = sheets.map((sheet): [string, Table] => [sheet.name, tableIn(sheet.rows)]);
  const isListed = ([, table]: [string, Table]): boolean =>
    guessed(tableOf(table, country), country).columns.some(({ role }) => role === "number");
  return withSheet({ name, tables, at: Math.max(0, tables.findIndex(isListed)), country });
};

type Choice = { name: string; tables: readonly [string, Table][]; at: number; country: string };

/** A workbook whose sheet at this place is read. */
export const withSheet = ({ name, tables, at, country }: Choice): ChosenFile =>
  chosen(
    { name, table: tables[at]?.[1] ?? { titles: [], records: [] }, source: { is: "workbook", tables, at } },
    country,
  );

/** What browsers have that know trusted types. https://w3c.github.io/trusted-types/dist/spec/ */
type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(from: ""): string };
};

/** The address of the worker's program: the console's pages take an address as a script from this policy alone. */
let trusted: Promise<string> | undefined;
const workerAddress = async (): Promise<string> => {
  trusted ??= import("./workbook-worker.ts").then(({ address }) => {
    const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
    return trustedTypes?.createPolicy("workbooks", { createScriptURL: () => address }).createScriptURL("") ?? address;
  });
  try {
    return await trusted;
  } catch (error) {
    trusted = undefined; // the next file tries again
    throw error;
  }
};

/** The sheets of a workbook, which a worker reads: a hostile workbook ends with it. */
const workbookOf = async (bytes: Uint8Array): Promise<ReadWorkbook> => {
  const worker = new Worker(await workerAddress(), { type: "module" });
  let timer = 0;
  try {
    return await new Promise<ReadWorkbook>((resolve) => {
      const fail = (): void => resolve({ ok: false, reason: "broken" });
      worker.addEventListener("message", ({ data }: MessageEvent<ReadWorkbook>) => resolve(data));
      worker.addEventListener("error", fail);
      timer = window.setTimeout(fail, LONGEST_MS);
      worker.postMessage(bytes, [bytes.buffer]);
    });
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
};
