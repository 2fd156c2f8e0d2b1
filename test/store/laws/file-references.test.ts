import { describe, expect, test } from "bun:test";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { CONTENT } from "../../../src/contract/content/content.ts";
import type { TenantId } from "../../../src/kernel/ids.ts";
import { FILE_REFERENCES, isFileNeeded, NEEDED_HANDLES } from "../../../src/store/laws/file-references.ts";
import { TABLE_LAWS } from "../../../src/store/laws/table-list.ts";
import { DOCUMENT_STATUSES } from "../../../src/store/tables/ai/knowledge.ts";
import { hideStored, listUsable } from "../../../src/store/tables/collections.ts";
import { BATCH_STATUSES } from "../../../src/store/tables/messaging/batches.ts";
import { FALLBACK_STATUSES } from "../../../src/store/tables/messaging/fallbacks.ts";
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
    for (const one of FILE_REFERENCES) {
      const column = "within" in one ? one.within : one.names.split(" ")[0];
      expect(known).toContain(`${one.table}.${column}`);
    }
  });

  test("names it in one place of its content, and a document its first page; a template names any number of files", () => {
    const { template, ...others } = CONTENT;
    expect([...new Set(Object.values(others).flatMap((schema) => handlesIn(schema)))]).toEqual([
      "$.mediaHandle",
      "$.thumbnail.mediaHandle",
    ]);
    // all of them are fields `mediaHandle`, which the references look for at any depth
    expect(handlesIn(template)).toEqual(["$.headerMedia.mediaHandle", "$.cards[].headerMedia.mediaHandle"]);
  });
});

const temp = tempDatabases();
const tenantId = "t" as TenantId;

const AT = "0, 0";
type Waiting = "messages" | "scheduled" | "documents" | "batches" | "fallbacks";
const ONE = '{"mediaHandle":"file-x"}';
const SECOND_CARD = '{"name":"t","cards":[{},{"headerMedia":{"type":"image","mediaHandle":"file-x"}}]}';
const message = (type: string, content: string) => (tenant: string, status: string) =>
  `INSERT INTO messages (id, tenant_id, channel_id, environment, type, recipient, content, status, send_state,
    uncertain_attempts, created_at) VALUES ('m', '${tenant}', 'c', 'live', '${type}', 'pn:1', '${content}', '${status}', 'NONE', 0, 0)`;
const scheduled = (payload: string) => (tenant: string, status: string) =>
  `INSERT INTO scheduled (id, tenant_id, channel_id, scheduled_at, status, created_at, updated_at, payload)
    VALUES ('s', '${tenant}', 'c', 0, '${status}', ${AT}, '${payload}')`;
const batch = (template: string, fallback: string) => (tenant: string, status: string) =>
  `INSERT INTO batches (id, tenant_id, channel_id, environment, delay_ms, jitter, status, next_at, created_at, text,
    template, fallback) VALUES ('b', '${tenant}', 'c', 'live', 0, 0, '${status}', ${AT}, '', ${template}, ${fallback})`;

type Row = {
  table: Waiting;
  statuses: readonly string[];
  waiting: readonly string[];
  insert: (tenant: string, status: string) => string;
};
const MESSAGES = { table: "messages", statuses: MESSAGE_STATUSES, waiting: ["QUEUED"] } as const;
const SCHEDULED = { table: "scheduled", statuses: SCHEDULED_STATUSES, waiting: ["PENDING", "PROCESSING"] } as const;
const BATCHES = { table: "batches", statuses: BATCH_STATUSES, waiting: ["QUEUED", "RUNNING"] } as const;
/** TABLE: a row of each status that names the file, as its table has it. */
const ROWS: Readonly<Record<string, Row>> = {
  message: { ...MESSAGES, insert: message("image", ONE) },
  "message with a template": { ...MESSAGES, insert: message("template", SECOND_CARD) },
  "scheduled message": { ...SCHEDULED, insert: scheduled(`{"content":${ONE}}`) },
  "scheduled template": { ...SCHEDULED, insert: scheduled(`{"content":${SECOND_CARD}}`) },
  "scheduled message with a file and a fallback": {
    ...SCHEDULED,
    insert: scheduled(`{"content":{"mediaHandle":"file-own"},"fallback":{"template":${SECOND_CARD}}}`),
  },
  "batch of a template": { ...BATCHES, insert: batch(`'${SECOND_CARD}'`, "NULL") },
  "batch with a fallback": { ...BATCHES, insert: batch("NULL", `'{"template":${SECOND_CARD}}'`) },
  fallback: {
    table: "fallbacks",
    statuses: FALLBACK_STATUSES,
    waiting: ["WAITING", "WITHHELD"],
    insert: (tenant, status) =>
      `INSERT INTO fallbacks (id, tenant_id, channel_id, recipient, after_ms, reasons, may_arrive_twice, status,
        is_uncertain, template) VALUES ('f', '${tenant}', 'c', 'pn:1', 0, '[]', 0, '${status}', 0, '${SECOND_CARD}')`,
  },
  document: {
    table: "documents",
    statuses: DOCUMENT_STATUSES,
    waiting: ["PENDING", "PROCESSING"],
    insert: (tenant, status) =>
      `INSERT INTO documents (id, tenant_id, channel_id, source, source_ref, status, chunk_count, created_at, updated_at)
        VALUES ('d', '${tenant}', 'c', 'OBJECT_FILE', 'a/knowledge/x.pdf', '${status}', 0, ${AT})`,
  },
};
const UPLOAD = { key: "a/uploads/x", handle: "file-x" };
const KNOWLEDGE = { key: "a/knowledge/x.pdf", handle: undefined };

test("every table whose rows wait with files has a row below", () => {
  const tables = Object.values(ROWS).map(({ table }) => table);
  expect(new Set<string>(tables)).toEqual(new Set(FILE_REFERENCES.map(({ table }) => table)));
});

describe.each(Object.entries(ROWS))("a %s", (_, { table, statuses, waiting, insert }) => {
  test("needs a file while it waits, of its account or of an institution that has it", async () => {
    const db = temp.database();
    await db.write(async (tx) =>
      tx.run(
        `INSERT INTO tenants (id, name, status, dunning_stage, plan_code, created_at, updated_at, joined_into)
          VALUES ('a', 'a', 'ACTIVE', 'NONE', 'p', ${AT}, 'institution')`,
      ),
    );
    const file = { tenantId: "a" as TenantId, ...(table === "documents" ? KNOWLEDGE : UPLOAD) };
    const needed: string[] = [];
    const backedUp: string[] = [];
    for (const tenant of ["a", "institution", "stranger"])
      for (const status of statuses)
        await db.write(async (tx) => {
          tx.run(`DELETE FROM ${table}`);
          tx.run(insert(tenant, status));
          if (await isFileNeeded(tx, file)) needed.push(`${tenant} ${status}`);
          expect(await isFileNeeded(tx, { ...file, key: "a/uploads/y", handle: "file-y" })).toBe(false);
          const handles = await tx.rows<{ handle: string }>(
            `WITH names (handle) AS (${NEEDED_HANDLES}) SELECT handle FROM names`,
          );
          if (handles.some(({ handle }) => handle === "file-x")) backedUp.push(status);
        });
    expect(needed).toEqual(["a", "institution"].flatMap((tenant) => waiting.map((status) => `${tenant} ${status}`)));
    expect([...new Set(backedUp)]).toEqual(table === "documents" ? [] : [...waiting]);
  });
});

const PLANS: Plans = {
  "whether messages need a file": [
    (tx) => isFileNeeded(tx, { tenantId, key: "t/uploads/x", handle: "file-x" }),
    "messages_with_file (<expr>=?)",
    "messages_with_files (tenant_id=?)",
    "scheduled_with_file (<expr>=?)",
    "scheduled_with_files (tenant_id=? AND status=?)",
    "batches_by_status (tenant_id=? AND status=?)",
    "fallbacks_with_files (tenant_id=?)",
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
