import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { readsIn } from "../support/laws/bounded-reads.ts";

const STORE = "src/store/";

const everyRead = async () => {
  const paths = [...new Glob("**/*.ts").scanSync(STORE)].toSorted();
  return (await Promise.all(paths.map(async (path) => readsIn(path, await Bun.file(STORE + path).text())))).flat();
};

describe("every read of many rows", () => {
  test("has a LIMIT, or its comment says what bounds it: `Bound: the account's limit of channels`", async () => {
    const reads = await everyRead();
    expect(reads.length).toBeGreaterThan(150);
    expect(reads.filter(({ isLimited, isBounded }) => !isLimited && !isBounded).map(({ at }) => at)).toEqual([]);
  });

  test.each([
    ['const rows = statement("SELECT * FROM t");\nconst list = (r) => rows.all(r);', [false, false]],
    ['const limited = "LIMIT 9";\nconst list = (r) => statement(`SELECT * FROM t ${limited}`).all(r);', [true, false]],
    [
      'const rows = statement("SELECT * FROM t WHERE limit = :limited");\nconst list = (r) => rows.all(r);',
      [false, false],
    ],
    ['const rows = statement("SELECT * FROM t LIMIT :most");\nconst list = (r) => rows.all(r);', [false, false]],
    ['const rows = statement("SELECT * FROM t LIMIT :limit");\nconst list = (r) => rows.all(r);', [true, false]],
    [
      'const rows = statement("SELECT 1");\n/** All.\n * Bound: one. */\nexport const list = (r) => rows.all(r);',
      [false, true],
    ],
    ['const list = (r) => {\n  const rows = statement("SELECT 1");\n  return rows.all(r);\n};', [false, false]],
  ])("is found in %j", (text, [isLimited = true, isBounded = true]) => {
    expect(readsIn("x.ts", text)).toEqual([{ at: "x.ts list", isLimited, isBounded }]);
  });

  test("is no change of rows, and no promise", () => {
    const text = 'const all = async (r) => [await Promise.all([]), statement("DELETE FROM t RETURNING 1").all(r)];';
    expect(readsIn("x.ts", text)).toEqual([]);
  });
});
