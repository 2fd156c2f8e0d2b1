import { describe, expect, test } from "bun:test";
import {
  deliveryQuery,
  NO_FILTERS as NO_DELIVERY_FILTERS,
  retryOf,
  tabOf,
} from "../../src/console/web/pages/deliveries/filters.ts";
import { isNumber, messageQuery, NO_FILTERS } from "../../src/console/web/pages/messages/filters.ts";
import { failureIn, wordsOf } from "../../src/console/web/pages/messages/words.ts";
import { verdictOf } from "../../src/console/web/pages/webhooks/verdict.ts";
import { sinceOf } from "../../src/console/web/parts/lists/since.ts";

describe("the filters of messages", () => {
  test.each([
    ["+55 (11) 99999-0001", true],
    ["5511999990001", true],
    ["9999-0001", true],
    ["12345", false],
    ["pedido 5511999990001", false],
    ["", false],
  ])("a search for %p is a number: %p", (text, is) => expect(isNumber(text)).toBe(is));

  test("ask for a person by a number in any spelling or an address, and for words by anything else", () => {
    expect(messageQuery({ ...NO_FILTERS, q: " +55 11 99999-0001 " })).toMatchObject({ contact: "+55 11 99999-0001" });
    expect(messageQuery({ ...NO_FILTERS, q: "pn:5511999990001" })).toMatchObject({ contact: "pn:5511999990001" });
    expect(messageQuery({ ...NO_FILTERS, q: "bolo de cenoura" })).toMatchObject({ q: "bolo de cenoura" });
    expect(messageQuery({ ...NO_FILTERS, q: "x".repeat(4000) }).q).toHaveLength(200);
    expect(messageQuery({ ...NO_FILTERS, sentBy: "user:1" })).toEqual({ limit: "50", sentBy: "user:1" });
    expect(messageQuery(NO_FILTERS)).toEqual({ limit: "50" });
  });

  test("turn a period into its beginning", () => {
    expect(sinceOf("24h", Date.UTC(2026, 10, 23))).toBe("2026-11-22T00:00:00.000Z");
    expect([sinceOf(""), sinceOf("toString"), sinceOf("3 years")]).toEqual([undefined, undefined, undefined]);
  });
});

describe("the filters of deliveries", () => {
  test("begin with the failed ones, and take an unknown state for all", () => {
    expect(deliveryQuery(NO_DELIVERY_FILTERS)).toEqual({ limit: 50, state: "DEAD" });
    expect(tabOf({ ...NO_DELIVERY_FILTERS, state: "LOST" })).toBe("all");
    expect(deliveryQuery({ ...NO_DELIVERY_FILTERS, state: "all", webhook: "w" })).toEqual({
      limit: 50,
      webhookId: "w",
    });
  });

  test("send again what failed or waits, never what has arrived", () => {
    expect(retryOf({ ...NO_DELIVERY_FILTERS, type: "message:status" })).toEqual({
      state: "DEAD",
      type: "message:status",
    });
    expect(retryOf({ ...NO_DELIVERY_FILTERS, state: "WAITING" })).toEqual({ state: "WAITING" });
    for (const state of ["DELIVERED", "HELD", "all"])
      expect(retryOf({ ...NO_DELIVERY_FILTERS, state })).toBeUndefined();
  });
});

describe("what a message says", () => {
  test.each([
    [{ text: "oi" }, "oi"],
    [{ caption: "foto", url: "https://a.example" }, "foto"],
    [{ body: { text: "Escolha" }, action: {} }, "Escolha"],
    [{ latitude: 1 }, ""],
    [{ text: { text: { text: { text: { text: "deep" } } } } }, ""],
    [null, ""],
  ])("in %j is %p", (content, words) => expect(wordsOf(content)).toBe(words));

  test("of its failure is a code and a reason, also over several lines", () => {
    expect(failureIn("[UPSTREAM_BAD_REQUEST] no\nway")).toEqual({ code: "UPSTREAM_BAD_REQUEST", reason: "no\nway" });
    expect([failureIn("only words"), failureIn(null)]).toEqual([
      { code: "", reason: "only words" },
      { code: "", reason: "" },
    ]);
  });
});

describe("the verdict of a test with a right and a wrong signature", () => {
  const answer = (statusCode: number | null) => ({ delivered: statusCode === 200, statusCode });
  test.each([
    [200, 401, "good"],
    [200, 200, "unsafe"],
    [401, 401, "closed"],
    [403, 403, "closed"],
    [500, 500, "failing"],
    [null, null, "failing"],
  ] as const)("%p and %p is %s", (right, wrong, verdict) =>
    expect(verdictOf({ right: answer(right), wrong: answer(wrong) })).toBe(verdict),
  );
});
