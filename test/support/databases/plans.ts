import { expect, test } from "bun:test";
import { openWriter } from "../../../src/store/engine/connection.ts";
import type { Tx } from "../../../src/store/engine/db.ts";
import { explaining } from "./explain.ts";
import { makeMigrated } from "./migrated.ts";
import type { tempDatabases } from "./temp-database.ts";

/** The index by which each query of the store must find its first table's rows, with the columns that are given. */
export type Plans = Record<string, [(tx: Tx) => unknown, ...string[]]>;

/**
 * The steps of a plan that read whole tables. Reads of a sub-query's rows, of given values, or of an index alone do not
 * count.
 */
export const WALKS =
  /^SCAN (?!\(|CONSTANT|newest|some$|json_each|contacts_search VIRTUAL TABLE INDEX \d+:M|channels USING INDEX channels_live)/;

/** SQLite's plans for all sent statements. */
export const planOf = async (temp: ReturnType<typeof tempDatabases>, send: (tx: Tx) => unknown): Promise<string[]> => {
  const path = temp.path();
  makeMigrated(path);
  const { tx, sent } = explaining(temp.keep(openWriter(path)));
  await send(tx);
  return sent.flatMap(({ plan }) => plan);
};

/** One test for each query. */
export const testPlans = (temp: ReturnType<typeof tempDatabases>, plans: Plans): void => {
  for (const [what, [send, ...uses]] of Object.entries(plans)) {
    test(`${what} looks up ${uses.join(", ")} and walks through no table`, async () => {
      const plan = await planOf(temp, send);
      expect(plan.length).toBeGreaterThan(0);
      expect(plan.filter((step) => WALKS.test(step))).toEqual([]);
      for (const use of uses) expect(plan.join("\n")).toContain(use);
    });
  }
};
