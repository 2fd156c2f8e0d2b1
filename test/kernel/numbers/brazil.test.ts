import { describe, expect, test } from "bun:test";
import {
  brazilianHolidays,
  maskedTaxpayerNumber,
  pixCode,
  pixCodeAmount,
  pixKeyIn,
  taxpayerNumberIn,
} from "../../../src/kernel/numbers/brazil.ts";

describe("a taxpayer's number", () => {
  test.each([
    ["249.715.637-92", "CPF", "24971563792"],
    ["24971563792", "CPF", "24971563792"],
    ["280012389-38", "CPF", "28001238938"], // the example of the tax office's manual
    ["11.222.333/0001-81", "CNPJ", "11222333000181"],
    ["12.ABC.345/01DE-35", "CNPJ", "12ABC34501DE35"], // the tax office's example of July 2026's form
    ["12abc34501de35", "CNPJ", "12ABC34501DE35"],
  ] as const)("%s is the %s %s", (text, kind, value) => {
    expect(taxpayerNumberIn(text)).toEqual({ kind, value });
  });

  test.each([
    "",
    "24971563791",
    "249.715.637-9",
    "11111111111",
    "00000000000000",
    "11.222.333/0001-82",
    "12.ABC.345/01DE-36",
    "12ABC34501DEA5",
    "ABC.DEF.GHI-09",
    "a 24971563792",
    "２４９７１５６３７９２",
  ])("%p is none", (text) => {
    expect(taxpayerNumberIn(text)).toBeUndefined();
  });

  test("people see its middle alone", () => {
    expect(maskedTaxpayerNumber("12345678909")).toBe("***.456.789-**");
    expect(maskedTaxpayerNumber("12ABC34501DE35")).toBe("**.ABC.345/****-**");
  });
});

describe("a Pix code", () => {
  test("is that of the central bank's manual, with its checksum", () => {
    const code = pixCode(
      { key: "123e4567-e12b-12d1-a456-426655440000", name: "Fulano de Tal", city: "BRASILIA" },
      { amountCents: 1 },
    );
    const manual =
      "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";
    expect(code.replace("54040.01", "").slice(0, -4)).toBe(manual.slice(0, -4));
    expect(pixCodeAmount(manual)).toBeNull();
    expect(pixCodeAmount(`${manual.slice(0, -1)}E`)).toBeUndefined();
  });

  test.each([1, 10, 99, 100, 1_99, 12_990, 123_456_789_01, 999_999_999_99])("keeps the amount %d", (amountCents) => {
    const code = pixCode({ key: "a@b.example", name: "São João", city: "Brasília" }, { amountCents, txid: "abc123" });
    expect(pixCodeAmount(code)).toBe(amountCents);
    expect(code).toContain("5908Sao Joao6008Brasilia62100506abc1236304");
  });

  test.each([
    ["249.715.637-92", "CPF", "24971563792"],
    ["11222333000181", "CNPJ", "11222333000181"],
    ["Ana@Example.com", "EMAIL", "ana@example.com"],
    ["+55 11 98765-4321", "PHONE", "+5511987654321"],
    ["123E4567-e12b-12d1-a456-426655440000", "EVP", "123e4567-e12b-12d1-a456-426655440000"],
  ] as const)("takes the key %s: %s", (text, kind, value) => {
    expect(pixKeyIn(text)).toEqual({ kind, value });
  });

  test.each(["", "24971563791", "+1 212 555 0100", "+551133334444", "ana@", "123e4567"])("%p is no key", (text) => {
    expect(pixKeyIn(text)).toBeUndefined();
  });
});

describe("Brazil's holidays", () => {
  const fixed = (year: number): string[] =>
    ["01-01", "04-21", "05-01", "09-07", "10-12", "11-02", "11-15", "12-25"].map((day) => `${year}-${day}`);

  // Good Friday, Carnival's Tuesday and Corpus Christi, as the calendars of these years print them
  test.each([
    [2019, "2019-04-19", "2019-03-05", "2019-06-20"],
    [2023, "2023-04-07", "2023-02-21", "2023-06-08"],
    [2024, "2024-03-29", "2024-02-13", "2024-05-30"],
    [2025, "2025-04-18", "2025-03-04", "2025-06-19"],
    [2026, "2026-04-03", "2026-02-17", "2026-06-04"],
    [2027, "2027-03-26", "2027-02-09", "2027-05-27"],
    [2038, "2038-04-23", "2038-03-09", "2038-06-24"], // the latest Easter of the century
  ])("of %d: Good Friday is %s, and the optional ones %s and %s", (year, goodFriday, carnival, corpusChristi) => {
    const awareness = year >= 2024 ? [`${year}-11-20`] : []; // a law of December 2023
    const national = [...fixed(year), goodFriday, ...awareness].toSorted();
    expect([...brazilianHolidays("NATIONAL", year)].toSorted()).toEqual(national);
    expect([...brazilianHolidays("AND_OPTIONAL", year)].toSorted()).toEqual(
      [...national, carnival, corpusChristi].toSorted(),
    );
  });

  test("a year beyond the calendar has none", () => {
    expect(brazilianHolidays("NATIONAL", 2100).size).toBe(0);
  });
});
