import { expect, test } from "bun:test";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { MOVES, STAYS } from "../../../src/store/laws/joining.ts";
import { storeTables } from "../../support/store-tables.ts";

const tablesOfTenants = async (): Promise<string[]> =>
  (await storeTables())
    .map(getTableConfig)
    .filter(({ columns }) => columns.some((column) => column.name === "tenant_id"))
    .map(({ name }) => name)
    .toSorted();

test("every table of a tenant's rows has its rule for when an account is joined with an institution", async () => {
  const ruled = [...Object.keys(MOVES), ...Object.keys(STAYS)];
  expect(ruled.toSorted()).toEqual(await tablesOfTenants());
});
