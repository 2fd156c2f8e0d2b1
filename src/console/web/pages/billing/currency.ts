import type { MonthOfAccount } from "../../../../../clients/typescript/src/generated/gateway.ts";

/** The currency in which most messages of some months were charged; BRL without a charge. */
export const currencyOf = (months: readonly Pick<MonthOfAccount, "networkCharges">[]): string => {
  const counts = new Map<string, number>();
  for (const { currency, count } of months.flatMap(({ networkCharges }) => networkCharges))
    counts.set(currency, (counts.get(currency) ?? 0) + count);
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most?.[0] ?? "BRL";
};
