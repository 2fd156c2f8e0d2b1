import { describe, expect, test } from "bun:test";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { COLLECTION_NAMES } from "../../../src/kernel/collections.ts";
import { PERSONAL } from "../../../src/store/laws/personal.ts";
import { TABLE_LAWS } from "../../../src/store/laws/table-list.ts";
import { storeTables } from "../../support/databases/store-tables.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();

const TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
const COLUMNS = `SELECT t.name || '.' || c.name AS name FROM sqlite_master AS t, pragma_table_info(t.name) AS c
  WHERE t.type = 'table'`;
const namesIn = async (sql: string): Promise<string[]> =>
  (await temp.database().read((reader) => reader.rows<{ name: string }>(sql))).map(({ name }) => name);

describe("the laws of tables", () => {
  test("are there for every table of the database, once, and for none that is not there", async () => {
    // what the index of words keeps for itself
    const own = (await namesIn(TABLES)).filter((name) => !name.startsWith("contacts_search_"));
    expect(own.length).toBeGreaterThan(80);
    expect(TABLE_LAWS.map(({ table }) => table).toSorted()).toEqual(own.toSorted());
  });

  test("say of every table with a column of its tenant how its rows move when accounts are joined", async () => {
    const ofTenants = (await storeTables())
      .map(getTableConfig)
      .filter(({ columns }) => columns.some(({ name }) => name === "tenant_id"));
    const moving = TABLE_LAWS.filter(({ joins }) => joins !== "of no tenant");
    expect(moving.map(({ table }) => table).toSorted()).toEqual(ofTenants.map(({ name }) => name).toSorted());
  });

  test("have one table for each limit, and a reason for every table without one", () => {
    const limits = TABLE_LAWS.flatMap(({ grows }) => ("limit" in grows ? [grows.limit] : []));
    expect(limits.toSorted()).toEqual(COLLECTION_NAMES.toSorted());
  });

  test("give no empty reason", () => {
    const reasons = TABLE_LAWS.flatMap(({ keeps, personal, joins, grows, files }) => [
      keeps.rule,
      "none" in personal ? personal.none : "personal",
      typeof joins === "object" && "stay" in joins ? joins.stay : "moves",
      "bound" in grows ? grows.bound : grows.limit,
      ...Object.values(files === "none" ? {} : files).map((file) =>
        typeof file === "string" ? file : JSON.stringify(file),
      ),
    ]);
    expect(reasons.filter((reason) => reason.trim().length < 4)).toEqual([]);
  });

  test("name columns that the table has", async () => {
    const known = await namesIn(COLUMNS);
    const named = TABLE_LAWS.flatMap(({ table, sealed, files, personal, joins }) => {
      const names = [
        ...(sealed === "nothing" ? [] : Object.keys(sealed)),
        ...(sealed === "nothing" ? [] : Object.values(sealed).flatMap((name) => name.match(/(?<=\{)\w+(?=\})/g) ?? [])),
        ...(files === "none" ? [] : Object.keys(files)),
        ...("none" in personal ? [] : [...personal.texts, ...(personal.bytes ?? [])]),
        ...(typeof joins === "object" && "rows" in joins && typeof joins.rows === "object" && "by" in joins.rows
          ? [...joins.rows.by, ...joins.rows.add, ...joins.rows.keep]
          : []),
      ];
      return names.map((name) => `${table}.${name}`);
    });
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  test("that open a sealed text of a person seal it in the column which is opened", () => {
    const opened = TABLE_LAWS.filter(({ personal }) => "isOpened" in personal);
    expect(opened.length).toBeGreaterThan(2);
    expect(opened.filter(({ sealed }) => sealed === "nothing" || sealed["sealed"] === undefined)).toEqual([]);
    for (const { table } of opened) expect([table, PERSONAL[table]?.sealed === undefined]).toEqual([table, false]);
  });

  test("let rows be erased before the rows that they refer to, and events last of what running work writes", () => {
    const order = Object.keys(PERSONAL);
    for (const [earlier, later] of [
      ["batch_recipients", "batches"],
      ["media", "messages"],
      ["media", "received_messages"],
      ["media", "inbox"],
      ["ai_turns", "ai_conversations"],
      ["conversations", "contacts"],
      ["jobs", "upstream_envelopes"],
      ["attempts", "events"],
      ["messages", "events"],
      ["events", "calls"],
    ] as const)
      expect([earlier, order.indexOf(earlier) < order.indexOf(later)]).toEqual([earlier, true]);
  });
});
