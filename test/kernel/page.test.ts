import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AppError } from "../../src/kernel/errors.ts";
import { gatewayLimit, pageOf, queryNumber } from "../../src/kernel/page.ts";

/** The issues of the refusal that `act` throws; none when it throws nothing. */
const issuesOf = (act: () => unknown) => {
  try {
    act();
    return [];
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== "VALIDATION") throw thrown;
    return thrown.issues.map(({ path, rule }) => `${path} ${rule}`);
  }
};

const bounds = { fallback: 7, min: 5, max: 10 };

describe("queryNumber", () => {
  test.each([
    [undefined, 7],
    ["5", 5],
    ["10", 10],
    ["007", 7],
  ])("reads %p as %d", (text, value) => {
    expect(queryNumber("n", text, bounds)).toBe(value);
  });

  test.each([
    ["4", "n minimum"],
    ["0", "n minimum"],
    ["11", "n maximum"],
    ["999999999", "n maximum"],
    ["", "n type"],
    ["-6", "n type"],
    ["+6", "n type"],
    ["6.0", "n type"],
    ["6 ", "n type"],
    ["6\n", "n type"],
    ["1e1", "n type"],
    ["0x6", "n type"],
    ["six", "n type"],
    ["٦", "n type"],
    ["NaN", "n type"],
    ["Infinity", "n type"],
    ["99999999999999999999", "n type"],
  ])("refuses %p with %s", (text, fault) => {
    expect(issuesOf(() => queryNumber("n", text, bounds))).toEqual([fault]);
  });

  test("takes no text that is not a number within the bounds", () => {
    fc.assert(
      fc.property(
        fc.string(),
        (text) => issuesOf(() => queryNumber("n", text, bounds)).length === 1 || /^0*([5-9]|10)$/.test(text),
      ),
    );
  });
});

describe("pageOf", () => {
  test("P-297 skips the pages before: (page - 1) times limit", () => {
    expect(pageOf({})).toEqual({ limit: 20, offset: 0 });
    expect(pageOf({ page: "2", limit: "20" })).toEqual({ limit: 20, offset: 20 });
    expect(pageOf({ page: "5", limit: "100" })).toEqual({ limit: 100, offset: 400 });
  });

  test.each([
    [{ limit: "0" }, "limit minimum"],
    [{ limit: "101" }, "limit maximum"],
    [{ limit: "many" }, "limit type"],
    [{ page: "0" }, "page minimum"],
    [{ page: "-1" }, "page type"],
  ])("P-297 refuses %p", (query, fault) => {
    expect(issuesOf(() => pageOf(query))).toEqual([fault]);
  });
});

describe("gatewayLimit", () => {
  test("G-419 X-072 is 50 when omitted and at most 200", () => {
    expect(gatewayLimit(undefined)).toBe(50);
    expect(gatewayLimit("1")).toBe(1);
    expect(gatewayLimit("200")).toBe(200);
    expect(issuesOf(() => gatewayLimit("201"))).toEqual(["limit maximum"]);
    expect(issuesOf(() => gatewayLimit("0"))).toEqual(["limit minimum"]);
  });
});
