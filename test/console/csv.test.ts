import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { kindOf, written } from "../../src/console/web/pages/batches/csv.ts";
import {
  checked,
  filledLine,
  guessed,
  numbersIn,
  type Sheet,
  tableOf,
  usedIn,
  withHead,
} from "../../src/console/web/pages/batches/mapping.ts";
import { readCsv, type Separator } from "../../src/kernel/texts/csv.ts";
import { officeFile, zipOf } from "../support/files/office.ts";

const checkedIn = (sheet: Sheet, country: string, needed: readonly string[] = []) =>
  checked(sheet, { numbers: numbersIn(sheet, country), needed });
const recordsIn = (text: string) => tableOf(readCsv(text), "55");

describe("a file of the console", () => {
  const separators = fc.constantFrom<Separator[]>(",", ";", "\t", "|");
  const cell = fc.string({ unit: fc.constantFrom(...('aé🎂 ,;\t|"\r\n1+='.match(/./gsu) ?? [])), maxLength: 6 });

  test("what is written is read again, whatever stands in the cells", () => {
    fc.assert(
      fc.property(
        separators,
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 }),
        (separator, rows) => {
          const kept = rows.map((row) =>
            row.map((one) =>
              (/^[=+\-@\t\r]/.test(one) && !/^[+-]?[\d\s().-]+$/.test(one) ? `'${one}` : one).replaceAll(
                /\r\n?/g,
                "\n",
              ),
            ),
          );
          const { titles, records } = readCsv(written(rows, separator), separator);
          expect([...titles, ...records].map(({ cells }) => cells)).toEqual(
            kept.filter((row) => row.some((one) => one.trim() !== "")),
          );
        },
      ),
    );
  });

  test("each file without a table has a name of its own; text in any encoding is text, a workbook is one by its parts", () => {
    const bytes = (...some: number[]) => Uint8Array.from(some);
    const textOf = (text: string) => new TextEncoder().encode(text);
    expect([
      kindOf(officeFile("libreoffice.xlsx")),
      kindOf(officeFile("libreoffice.xls")),
      kindOf(officeFile("libreoffice.ods")),
      kindOf(officeFile("libreoffice.docx")),
      kindOf(zipOf({ "Index/Document.iwa": "" })),
      kindOf(textOf("%PDF-1.7\n")),
      kindOf(bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d)),
      kindOf(bytes(0xff, 0xd8, 0xff, 0xe0, 0, 0x10)),
      kindOf(textOf("\ufeff<table><tr><td>Nome")),
      kindOf(textOf('<?xml version="1.0"?><Workbook>')),
      kindOf(bytes(0xff, 0xfe, 0x41, 0, 0x3b, 0)),
      kindOf(bytes(0x4a, 0x6f, 0x73, 0xe9)),
      kindOf(textOf("PK;Nome")),
      kindOf(textOf("<nome>;celular")),
      kindOf(bytes()),
    ]).toEqual([
      ...(["workbook", "old", "ods", "other", "archive", "other", "other", "other", "page", "page"] as const),
      ...(["text", "text", "text", "text", "text"] as const),
    ]);
  });

  test("a cell that a spreadsheet would compute is written as text; a number stays one", () => {
    expect(written([["=1+1", "+5511999990001", "-3", "@x", "a,b"]])).toBe(`'=1+1,+5511999990001,-3,'@x,"a,b"`);
  });
});

describe("columns are sorted by their heads and their cells", () => {
  const sheetOf = (text: string) => guessed(recordsIn(text), "55");
  const rolesOf = (text: string) =>
    sheetOf(text).columns.map(({ role, variable }) => (role === "number" ? "#" : variable));

  test.each([
    ["by its name", "Nome;Celular;Cidade\nAna;11 99999-0001;São Paulo", ["nome", "#", "cidade"]],
    ["by its cells", "a,b\nAna,5511999990001\nRui,5511999990002", ["a", "#"]],
    ["without a head", "Ana,5511999990001\nRui,5511999990002", ["1", "#"]],
    [
      "names are made fit for a text, and no two are alike",
      "Telefone,Nome completo,nome-completo!,Nome Completo\n5511999990001,a,b,c",
      ["#", "nome_completo", "nome-completo", "nome_completo_2"],
    ],
  ])("%s", (_, text, roles) => {
    expect(rolesOf(text)).toEqual(roles);
  });

  test.each([
    ["a CPF", "CPF;Nome;Cel\n123.456.789-09;Ana;(11) 99999-0001", "Cel"],
    ["a CPF without its points", "CPF;Nome;Cel\n52998224725;Ana;11999990001\n24971563792;Rui;11988880002", "Cel"],
    ["digits with the check digits of CPFs", "Doc;Cel\n52998224725;11999990001\n24971563792;11988880002", "Cel"],
    ["a CNPJ", "CNPJ;Razão;Telefone comercial\n11.222.333/0001-81;X;(11) 3333-4444", "Telefone comercial"],
    ["a date", "Data;Nome;Cel\n28/11/2026;Ana;(11) 99999-0001", "Cel"],
    ["a date of digits", "Cadastro;Cel\n20261128;(11) 99999-0001", "Cel"],
    ["a postcode", "CEP;Nome;Zap\n01310-100;Ana;11 99999-0001", "Zap"],
    ["a postcode of a column without a name", "Onde;Zap\n01310-100;11 99999-0001", "Zap"],
    ["an order", "Pedido;Seu telefone\n20261128001;11999990001", "Seu telefone"],
    ["an order that looks like a number", "Nº do pedido;Seu telefone\n11999990001;11988880002", "Seu telefone"],
    ["an id", "id,Contact phone\n11912345678,+55 11 99999-0001", "Contact phone"],
    ["a landline beside a mobile", "Telefone,Celular\n11 3333-4444,11 99999-0001", "Celular"],
    ["a fax", "Fax,Telefone\n11 3333-4444,11 3333-5555", "Telefone"],
    ["mostly blank", "Telefone 2;Telefone\n;11 99999-0001\n11 3333-4444;11 98888-0002", "Telefone"],
    [
      "the label of a number",
      "First Name,Phone 1 - Label,Phone 1 - Value\nAna,Mobile,+55 11 99999-0001 ::: +55 11 98888-0002",
      "Phone 1 - Value",
    ],
    ["a name in Spanish", "Nombre;Móvil;Fecha\nAna;+52 55 1234 5678;2026-11-28", "Móvil"],
    ["an id of a network", "name,wa_id,phoneNumber\nAna,77,5511999990001", "phoneNumber"],
    ["a house's number", "Endereço;Número;Whatsapp\nRua A;120;11 99999-0001", "Whatsapp"],
    ["alone in it", "Seu zap?\n11999990001", "Seu zap?"],
  ])("the numbers are found beside a column of %s", (_, text, title) => {
    for (const country of ["55", ""]) {
      const sheet = guessed(recordsIn(text), country);
      expect(sheet.columns.find(({ role }) => role === "number")?.title).toBe(title);
    }
  });

  test("a file without numbers has no column of them", () => {
    for (const text of ["CPF;Nome\n123.456.789-09;Ana", "Nome;Data\nAna;28/11/2026", "Phone 1 - Label\nMobile"])
      expect(sheetOf(text).columns.map(({ role }) => role)).not.toContain("number");
  });

  test("lines above the table are no data, unless one may have a number", () => {
    const rows = (text: string) => sheetOf(text).rows.map(({ line }) => line);
    expect(rows("Clientes de maio\n\nNome;Celular\nAna;11 99999-0001")).toEqual([4]);
    expect(rolesOf("Clientes de maio\n\nNome;Celular\nAna;11 99999-0001")).toEqual(["nome", "#"]);
    expect(rows("5511999990001\n5511999990002;Ana\n5511999990003;Rui")).toEqual([1, 2, 3]);
  });

  test("a person can say that the first line is data", () => {
    const records = recordsIn("x,y\nAna,5511999990001");
    expect([guessed(records, "55").rows.length, withHead(records, false, "55").rows.length]).toEqual([1, 2]);
  });
});

describe("faults are named by line before anything is sent", () => {
  const text = [
    "numero;nome",
    "11999990001;Ana",
    "119;Rui",
    ";Eva",
    "5,51E+12;Zé",
    "(11) 99999-0001;Outra",
    "1199990001;Sem nove",
    "11999990003;",
  ].join("\n");

  test("each line has its fault, and the others are sent", () => {
    const { good, faults } = checkedIn(guessed(recordsIn(text), "55"), "55", ["nome"]);
    expect(good).toEqual([{ line: 2, to: "5511999990001", variables: { nome: "Ana" } }]);
    expect(faults).toEqual([
      { is: "unknown", line: 3, cell: "119", country: "55" },
      { is: "empty", line: 4, cell: "" },
      { is: "shortened", line: 5, cell: "5,51E+12", country: "55" },
      { is: "duplicate", line: 6, cell: "(11) 99999-0001", of: 2 },
      { is: "duplicate", line: 7, cell: "1199990001", of: 2 },
      { is: "variable", line: 8, cell: "11999990003", variable: "nome" },
    ]);
  });

  test("every line is good or has a fault, and no person is sent to twice", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ maxLength: 14 }), fc.stringMatching(/^[0-9]{0,13}$/)), { maxLength: 30 }),
        (pairs) => {
          const records = [["x", "numero"], ...pairs].map((cells, index) => ({ line: index + 1, cells }));
          const sheet = withHead(records, true, "55");
          const { good, faults } = checkedIn(sheet, "55");
          expect(good.length + faults.length).toBe(sheet.rows.length);
          expect(new Set(good.map(({ to }) => to)).size).toBe(good.length);
        },
      ),
    );
  });

  test("10,000 lines are read and checked", () => {
    const big = [
      "numero;nome;cidade",
      ...Array.from({ length: 10_000 }, (_, n) => `55119${String(10_000_000 + n)};"Ana ${n}";São Paulo`),
    ].join("\r\n");
    const { good } = checkedIn(guessed(recordsIn(big), "55"), "55", ["nome"]);
    expect(good).toHaveLength(10_000);
  });
});

test("a text's variables are found once each, and filled without looking into values", () => {
  expect(usedIn("Oi {{ nome }}, {{nome}} {{}} {x}", "{{pedido.nº}}")).toEqual(["nome", "pedido.nº"]);
  expect(filledLine("{{a}} {{b}} {{constructor}}", { a: "{{b}}", b: "$&" })).toBe("{{b}} $& {{constructor}}");
});
