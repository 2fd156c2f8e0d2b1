/**
 * A list of people in the exports of a spreadsheet, Google Contacts and Outlook. Each has its own columns, separators,
 * encoding and spelling of numbers. `numbers`: the digits of each line, in order; null where the line has no number.
 */
export type AddressBook = { bytes: Uint8Array<ArrayBuffer>; numbers: readonly (string | null)[] };

type Person = { first: string; last: string; city: string; area: string; line: string; isAbroad: boolean };
/** The number of a cell, and its digits. */
type Cell = { text: string; digits: string | null };

const FIRST = ["Ana", "João", "Conceição", "Zé", "Íris", "Lúcia", "D'Ávila", "Márcio"];
const LAST = ["Silva", "Souza; filho", 'de "Lima"', "Araújo, neto", "Nuñez"];
const CITIES = ["São Paulo", "Brasília", "Belém", "Porto Alegre"];
const AREAS = ["11", "21", "31", "47", "51", "55", "61", "91", "99"];

/** The same sequence for the same seed: Park and Miller's generator. */
const sequence = (seed: number) => {
  let state = seed % 2_147_483_647 || 1;
  const below = (most: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
  return { below, of: <One>(list: readonly [One, ...One[]] | readonly One[]): One => list[below(list.length)] as One };
};
type Sequence = ReturnType<typeof sequence>;

const peopleOf = ({ below, of }: Sequence, count: number): Person[] =>
  Array.from({ length: count }, () => ({
    first: of(FIRST),
    last: of(LAST),
    city: of(CITIES),
    area: of(AREAS),
    line: `9${6 + below(4)}${String(below(10_000_000)).padStart(7, "0")}`,
    isAbroad: below(20) === 0,
  }));

const wholeOf = ({ area, line }: Person): string => `55${area}${line}`;
const split = (line: string): [string, string] => [line.slice(0, -4), line.slice(-4)];

/** The spellings of a number by people in Brazil. */
const TYPED: readonly ((person: Person) => string)[] = [
  (one) => wholeOf(one),
  (one) => `+${wholeOf(one)}`,
  ({ area, line }) => `${area}${line}`,
  ({ area, line }) => `(${area}) ${split(line).join("-")}`,
  ({ area, line }) => `${area} ${split(line).join(" ")}`,
  ({ area, line }) => `0${area} ${split(line).join("-")}`,
  ({ area, line }) => `015 ${area} ${split(line).join("-")}`,
  ({ area, line }) => `+55 (${area}) ${split(line).join("-")}`,
  ({ area, line }) => `+55 0${area} ${split(line).join("-")}`,
  ({ area, line }) => `${area}.${split(line).join(".")}`,
];

const typed = (own: Sequence, person: Person): Cell => {
  if (person.isAbroad)
    return { text: `+44 (0)20 7946 ${person.line.slice(-4)}`, digits: `44207946${person.line.slice(-4)}` };
  return { text: own.of(TYPED)(person), digits: wholeOf(person) };
};

const other = (own: Sequence, person: Person): string =>
  own.of(TYPED)({ ...person, line: `98${person.line.slice(2)}` });

const quoted = (cell: string, separator: string): string =>
  cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
const linesOf = (rows: readonly (readonly string[])[], separator: string, end: string): string =>
  rows.map((row) => `${row.map((cell) => quoted(cell, separator)).join(separator)}${end}`).join("");

const windows1252 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)));
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** A spreadsheet's forms of numbers: amounts, rounded amounts, texts, and people's words in one cell. */
const spreadsheetCell = (own: Sequence, person: Person): Cell => {
  const whole = wholeOf(person);
  const cells: readonly (() => Cell)[] = [
    () => typed(own, person),
    () => ({ text: `${whole}.0`, digits: whole }),
    () => ({ text: `${whole},00`, digits: whole }),
    () => ({ text: `="${whole}"`, digits: whole }),
    () => ({ text: `'+${whole}`, digits: whole }),
    () => ({ text: `${whole.slice(0, 1)},${whole.slice(1, 6)}E+12`, digits: whole }),
    () => ({ text: `\u00a0${person.area}\u00a0${split(person.line).join("-")}`, digits: whole }),
    () => ({ text: `${typed(own, { ...person, isAbroad: false }).text} / ${other(own, person)}`, digits: whole }),
    () => ({ text: split(person.line).join("-"), digits: whole }),
    () => ({ text: "não tem", digits: null }),
    () => ({ text: "", digits: null }),
  ];
  return own.below(3) > 0 ? typed(own, person) : own.of(cells)();
};

/** `;` and Windows-1252, as Excel in Portuguese writes "CSV". */
export const spreadsheetExport = (seed: number, count: number): AddressBook => {
  const own = sequence(seed);
  const rows = peopleOf(own, count).map((person) => ({ person, cell: spreadsheetCell(own, person) }));
  const head = ["Pedido", "CPF", "Data", "Nome", "Cel", "CEP", "Cidade"];
  const lines = rows.map(({ person, cell }, n) => [
    `20261128${String(n).padStart(3, "0")}`,
    "529.982.247-25",
    "28/11/2026",
    `${person.first} ${person.last}`,
    cell.text,
    "01310-100",
    person.city,
  ]);
  return { bytes: windows1252(linesOf([head, ...lines], ";", "\r\n")), numbers: rows.map(({ cell }) => cell.digits) };
};

const GOOGLE = (
  "First Name,Middle Name,Last Name,Phonetic First Name,Phonetic Middle Name,Phonetic Last Name,Name Prefix," +
  "Name Suffix,Nickname,File As,Organization Name,Organization Title,Organization Department,Birthday,Notes,Photo," +
  "Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value"
).split(",");

/** UTF-8 and commas; numbers of one label are joined by ` ::: `, the first one first. */
export const googleExport = (seed: number, count: number): AddressBook => {
  const own = sequence(seed);
  const rows = peopleOf(own, count).map((person) => ({ person, cell: typed(own, person), ways: own.below(4) }));
  const lines = rows.map(({ person, cell, ways }, n) => {
    const values: Record<string, string> = {
      "First Name": person.first,
      "Last Name": person.last,
      Birthday: "1990-11-28",
      Labels: "* myContacts ::: Clientes",
      "E-mail 1 - Label": "* ",
      "E-mail 1 - Value": `pessoa${n}@example.com`,
      "Phone 1 - Label": "Mobile",
      "Phone 1 - Value": ways === 0 ? `${cell.text} ::: ${other(own, person)}` : cell.text,
      ...(ways === 1 ? { "Phone 2 - Label": "Home", "Phone 2 - Value": other(own, person) } : {}),
    };
    return GOOGLE.map((title) => values[title] ?? "");
  });
  return { bytes: utf8(linesOf([GOOGLE, ...lines], ",", "\n")), numbers: rows.map(({ cell }) => cell.digits) };
};

const OUTLOOK = (
  "Title,First Name,Middle Name,Last Name,Suffix,Company,Department,Job Title,Business Street,Business City," +
  "Business Postal Code,Business Country/Region,Business Fax,Business Phone,Business Phone 2,Callback,Car Phone," +
  "Company Main Phone,Home Fax,Home Phone,Home Phone 2,ISDN,Mobile Phone,Other Fax,Other Phone,Pager,Primary Phone," +
  "Radio Phone,TTY/TDD Phone,Telex,Account,Anniversary,Birthday,Categories,E-mail Address,Notes"
).split(",");

/** Windows-1252 and semicolons, as from Outlook in a country with decimal commas. Some people have only a landline. */
export const outlookExport = (seed: number, count: number): AddressBook => {
  const own = sequence(seed);
  const rows = peopleOf(own, count).map((person) => ({ person, cell: typed(own, person), ways: own.below(10) }));
  const lines = rows.map(({ person, cell, ways }, n) => {
    const values: Record<string, string> = {
      "First Name": person.first,
      "Last Name": person.last,
      "Business City": person.city,
      "Business Postal Code": "01310-100",
      "Business Fax": `(${person.area}) 3333-4444`,
      "Business Phone": ways < 5 ? `(${person.area}) 3${person.line.slice(-7)}` : "",
      "Mobile Phone": ways === 0 ? "" : cell.text,
      Birthday: "0/0/00",
      "E-mail Address": `pessoa${n}@example.com`,
      Notes: "cliente; ligar \u2013 tarde".replace("\u2013", "-"),
    };
    return OUTLOOK.map((title) => values[title] ?? "");
  });
  const numbers = rows.map(({ cell, ways }) => (ways === 0 ? null : cell.digits));
  return { bytes: windows1252(linesOf([OUTLOOK, ...lines], ";", "\r\n")), numbers };
};
