import { expect, test } from "bun:test";
import { payerNumberIn } from "../../src/console/web/parts/forms/payer-number.ts";

test.each([
  ["249.715.637-92", "24971563792"],
  [" 11.222.333/0001-81 ", "11222333000181"],
  ["12.abc.345/01de-35", "12ABC34501DE35"],
  ["249.715.637-91", undefined],
  ["12.ABC.345/01DE-36", undefined],
  ["11111111111", undefined],
  ["", undefined],
])("%j is sent as %j", (text, sent) => {
  expect(payerNumberIn(text)).toBe(sent);
});
