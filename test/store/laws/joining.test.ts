import { expect, test } from "bun:test";
import { HISTORY, MOVES } from "../../../src/store/laws/joining.ts";

test("the rows that follow a join are those of the tables whose laws say so, and jobs count them in this order", () => {
  const later = Object.keys(MOVES).filter((table) => MOVES[table]?.isHistory);
  expect(later).toEqual([...HISTORY]);
});

test("messages move before the fallbacks by which the waiting ones are found, and channels move last", () => {
  const order = Object.keys(MOVES);
  expect(order.indexOf("messages")).toBeLessThan(order.indexOf("fallbacks"));
  expect(order.at(-1)).toBe("channels");
});
