import { describe, expect, test } from "bun:test";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { CONTENT } from "../../../src/contract/content/content.ts";
import type { TenantId } from "../../../src/kernel/ids.ts";
import { FILE_REFERENCES, isFileNeeded } from "../../../src/store/laws/file-references.ts";
import { TABLE_LAWS } from "../../../src/store/laws/table-list.ts";
import { DOCUMENT_STATUSES } from "../../../src/store/tables/ai/knowledge.ts";
import { hideStored, listUsable } from "../../../src/store/tables/collections.ts";
import { MESSAGE_STATUSES } from "../../../src/store/tables/messaging/messages.ts";
import { SCHEDULED_STATUSES } from "../../../src/store/tables/messaging/scheduled.ts";
import { type Plans, testPlans } from "../../support/databases/plans.ts";
import { storeTables } from "../../support/databases/store-tables.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";

/** A text column with one of these in its name may name a file. */
const LIKE_A_FILE = /file|media|handle|attachment|picture|object_key|source_ref/;

/** Every JSON column, and every text that is called like a file. */
const columnsThatMayName = async (): Promise<string[]> => {
  const tables = await storeTables();
  const columns = tables.map(getTableConfig).flatMap(({ name, columns: of }) => of.map((column) => ({ name, column })));
  const found = columns
    .filter(
      ({ column: { dataType, name } }) => dataType === "json" || (dataType === "string" && LIKE_A_FILE.test(name)),
    )
    .map(({ name, column }) => `${name}.${column.name}`);
  return [...new Set(found)].toSorted();
};

/** The paths of a schema's fields that are called `mediaHandle`. */
const handlesIn = (schema: unknown, path = "$"): string[] => {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {}, items, anyOf = [], allOf = [] } = schema as Record<string, any>;
  return [
    ...Object.entries(properties as Record<string, unknown>).flatMap(([name, field]) => [
      ...(/handle/i.test(name) ? [`${path}.${name}`] : []),
      ...handlesIn(field, `${path}.${name}`),
    ]),
    ...handlesIn(items, `${path}[]`),
    ...[...anyOf, ...allOf].flatMap((one: unknown) => handlesIn(one, path)),
  ];
};

/** The columns that have a word under `files` in the laws of their table. */
const known = TABLE_LAWS.flatMap(({ table, files }) =>
  files === "none" ? [] : Object.keys(files).map((column) => `${table}.${column}`),
);

describe("what waits with a file", () => {
  test("is known by the laws of its table, column by column", async () => {
    expect(known.toSorted()).toEqual(await columnsThatMayName());
    for (const { table, names } of FILE_REFERENCES) expect(known).toContain(`${table}.${names.split(" ")[0]}`);
  });

  test("names it in one place of its content, whatever its type", () => {
    expect([...new Set(Object.values(CONTENT).flatMap((schema) => handlesIn(schema)))]).toEqual(["$.mediaHandle"]);
  });
});

const temp = tempDatabases();
const tenantId = "t" as TenantId;

const AT = "0, 0";
type Waiting = "messages" | "scheduled" | "documents";
/** TABLE: a row of each status that names the file, as its table has it. */
const rowOf: Readonly<Record<Waiting, (tenant: string, status: string) => string>> = {
  messages: (tenant, status) =>
    `INSERT INTO messages (id, tenant_id, channel_id, environment, type, recipient, content, status, send_state,
      uncertain_attempts, created_at) VALUES ('m', '${tenant}', 'c', 'live', 'image', 'pn:1', '{"mediaHandle":"file-x"}', '${status}', 'NONE', 0, 0)`,
  scheduled: (tenant, status) =>
    `INSERT INTO scheduled (id, tenant_id, channel_id, scheduled_at, status, created_at, updated_at, payload)
      VALUES ('s', '${tenant}', 'c', 0, '${status}', ${AT}, '{"content":{"mediaHandle":"file-x"}}')`,
  documents: (tenant, status) =>
    `INSERT INTO documents (id, tenant_id, channel_id, source, source_ref, status, chunk_count, created_at, updated_at)
      VALUES ('d', '${tenant}', 'c', 'OBJECT_FILE', 'a/knowledge/x.pdf', '${status}', 0, ${AT})`,
};
const STATUSES: Readonly<Record<Waiting, readonly string[]>> = {
  messages: MESSAGE_STATUSES,
  scheduled: SCHEDULED_STATUSES,
  documents: DOCUMENT_STATUSES,
};
const UPLOAD = { key: "a/uploads/x", handle: "file-x" };
const KNOWLEDGE = { key: "a/knowledge/x.pdf", handle: undefined };

test.each(FILE_REFERENCES.map(({ table }) => table as Waiting))(
  "a row of %s needs a file while it waits, of its account or of an institution that has it",
  async (table) => {
    const db = temp.database();
    await db.write(async (tx) =>
      tx.run(
        `INSERT INTO tenants (id, name, status, dunning_stage, plan_code, created_at, updated_at, joined_into)
          VALUES ('a', 'a', 'ACTIVE', 'NONE', 'p', ${AT}, 'institution')`,
      ),
    );
    const file = { tenantId: "a" as TenantId, ...(table === "documents" ? KNOWLEDGE : UPLOAD) };
    const needed: string[] = [];
    for (const tenant of ["a", "institution", "stranger"])
      for (const status of STATUSES[table])
        await db.write(async (tx) => {
          tx.run(`DELETE FROM ${table}`);
          tx.run(rowOf[table](tenant, status));
          if (await isFileNeeded(tx, file)) needed.push(`${tenant} ${status}`);
        });
    const waiting = table === "messages" ? ["QUEUED"] : ["PENDING", "PROCESSING"];
    expect(needed).toEqual(["a", "institution"].flatMap((tenant) => waiting.map((status) => `${tenant} ${status}`)));
  },
);

const PLANS: Plans = {
  "whether messages need a file": [
    (tx) => isFileNeeded(tx, { tenantId, key: "t/uploads/x", handle: "file-x" }),
    "messages_with_file (<expr>=?)",
    "scheduled_with_file (<expr>=?)",
    "tenants_1 (id=?)",
  ],
  "whether documents need a file": [
    (tx) => isFileNeeded(tx, { tenantId, key: "t/knowledge/x.pdf", handle: undefined }),
    "documents_with_file (",
  ],
  "which files can be used": [(tx) => listUsable(tx, ["t/uploads/x"]), "stored_items_1 (key=?)"],
  "a file that is hidden": [(tx) => hideStored(tx, "t/uploads/x", 1), "stored_items_1 (key=?)"],
};

describe("the query for", () => testPlans(temp, PLANS));
