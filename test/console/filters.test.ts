import { describe, expect, test } from "bun:test";
import { filtersIn, given, isFiltered, queryAfter } from "../../src/console/web/frame/filters.ts";
import { showingOf } from "../../src/console/web/parts/lists/showing.ts";

const DEFAULTS = { state: "DEAD", phone: "", cursor: "" };

describe("the filters of a list in the address", () => {
  test("are those of its query; the others have their defaults, and what else the query has is no filter", () => {
    expect(filtersIn({ phone: "p", lost: "x" }, DEFAULTS)).toEqual({ state: "DEAD", phone: "p", cursor: "" });
  });

  const after = (query: Record<string, string>, change: Record<string, string | undefined>): string =>
    String(queryAfter(query, change, DEFAULTS));

  test("leave out what has its default, and keep what the list knows nothing of", () => {
    expect(after({ lang: "pt", state: "HELD" }, { phone: "p" })).toBe("lang=pt&state=HELD&phone=p");
    expect(after({ state: "HELD", phone: "p" }, { state: "DEAD", phone: "" })).toBe("");
    expect(after({ phone: "p" }, { phone: undefined })).toBe("");
  });

  test("begin at the first page after a change, and at the page that is asked for", () => {
    expect(after({ cursor: "c", phone: "p" }, { phone: "q" })).toBe("phone=q");
    expect(after({ cursor: "c", phone: "p" }, { cursor: "d" })).toBe("cursor=d&phone=p");
    expect(after({ cursor: "c" }, { ...DEFAULTS })).toBe("");
  });

  test("are set where one has another value than its default; the place in the list is none", () => {
    expect([isFiltered(DEFAULTS, DEFAULTS), isFiltered({ ...DEFAULTS, cursor: "a" }, DEFAULTS)]).toEqual([
      false,
      false,
    ]);
    expect(isFiltered({ ...DEFAULTS, state: "" }, DEFAULTS)).toBe(true);
    expect(isFiltered({ ...DEFAULTS, phone: "p" }, DEFAULTS)).toBe(true);
  });

  test("are asked for where they are set", () => {
    expect(
      given<{ q?: string; limit?: number; all?: boolean; since?: string }>({ q: "", limit: 50, all: false }),
    ).toEqual({
      limit: 50,
      all: false,
    });
    expect(given<{ since?: string }>({ since: undefined })).toEqual({});
  });
});

test("a list without rows says what that means: nothing yet, nothing that matches, or nothing so far", () => {
  const page = (items: string[], nextCursor: string | null) => ({ items, nextCursor });
  expect(showingOf(page([], null), false)).toBe("empty");
  expect(showingOf(page([], null), true)).toBe("notFound");
  for (const isNarrowed of [false, true]) {
    expect(showingOf(page([], "c"), isNarrowed)).toBe("searched");
    expect(showingOf(page(["row"], null), isNarrowed)).toBe("rows");
    expect(showingOf(page(["row"], "c"), isNarrowed)).toBe("rows");
  }
});
