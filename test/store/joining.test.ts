import { expect, test } from "bun:test";
import { Glob } from "bun";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { MOVES, STAYS } from "../../src/store/joining.ts";

const tablesOfTenants = async (): Promise<string[]> => {
  const names = new Set<string>();
  for (const file of new Glob("*.ts").scanSync("src/store")) {
    const exported = (await import(`../../src/store/${file}`)) as Record<string, unknown>;
    for (const table of Object.values(exported)) {
      if (!is(table, SQLiteTable)) continue;
      const { name, columns } = getTableConfig(table);
      if (columns.some((column) => column.name === "tenant_id")) names.add(name);
    }
  }
  return [...names].toSorted();
};

test("every table of a tenant's rows has its rule for when an account is joined with an institution", async () => {
  const ruled = [...Object.keys(MOVES), ...Object.keys(STAYS)];
  expect(ruled.toSorted()).toEqual(await tablesOfTenants());
});
