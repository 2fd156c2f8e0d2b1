import { expect, test } from "bun:test";
import { currencyOf } from "../../src/console/web/pages/billing/currency.ts";

const charged = (currency: string, count: number) =>
  ({ category: "SERVICE", state: "DUE", currency, count, amountMicros: 1000 }) as const;

test.each([
  ["BRL", [[charged("BRL", 7)], [charged("USD", 1)]]],
  ["USD", [[charged("BRL", 3)], [charged("USD", 2), charged("USD", 2)]]],
  ["BRL", [[]]],
])("the charges of an account are shown in the currency of most of its messages: %s", (currency, months) => {
  expect(currencyOf(months.map((networkCharges) => ({ networkCharges })))).toBe(currency);
});
