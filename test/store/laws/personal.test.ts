import { describe, expect, test } from "bun:test";
import { PERSONAL } from "../../../src/store/laws/personal.ts";
import { planOf } from "../../support/databases/plans.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();

describe("a page of personal data", () => {
  for (const [table, { page }] of Object.entries(PERSONAL)) {
    test(`${table}: continues after a row, sorts nothing, and looks up everything else by an index`, async () => {
      const plan = await planOf(temp, (tx) => page.all(tx, { after: 0, limit: 9 }));
      expect(plan[0]).toMatch(/USING INTEGER PRIMARY KEY \(rowid>\?\)/);
      expect(plan.filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([]);
    });
  }
});
