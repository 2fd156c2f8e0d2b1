import { and, asc, desc, eq, getTableColumns, gte, inArray, lt } from "drizzle-orm";
import { blob, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Db, Reader, Tx } from "../../engine/db.ts";
import { deleteStored } from "../collections.ts";
import { type Scope, within } from "../scope.ts";
import { type FileReference, laws, referenceIndex } from "../table-laws.ts";

export const DOCUMENT_SOURCES = ["URL", "TEXT_INLINE", "OBJECT_FILE"] as const;
export type DocumentSource = (typeof DOCUMENT_SOURCES)[number];
export const DOCUMENT_STATUSES = ["PENDING", "PROCESSING", "READY", "FAILED"] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

const waitingFile: FileReference = {
  by: "key",
  names: "source_ref",
  waits: "source = 'OBJECT_FILE' AND status IN ('PENDING', 'PROCESSING')",
};
const withFile = referenceIndex(waitingFile);

/** The knowledge documents of a channel's agent. `inlineText` is stored until its chunks are. */
export const documents = sqliteTable(
  "documents",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    source: text().$type<DocumentSource>().notNull(),
    sourceRef: text("source_ref"),
    title: text(),
    status: text().$type<DocumentStatus>().notNull(),
    chunkCount: integer("chunk_count").notNull(),
    errorReason: text("error_reason"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    inlineText: text("inline_text"),
  },
  (t) => [
    index("documents_by_channel").on(t.channelId, t.id),
    index("documents_with_file").on(withFile.on).where(withFile.where),
  ],
);
export type DocumentRow = typeof documents.$inferSelect;

export const documentsLaws = laws(documents, {
  keeps: { group: "setup", setting: "none", rule: "goes with its agent", isSwept: false },
  personal: { none: "a tenant's own writing" },
  joins: { rows: "move", now: "of channels", later: false },
  sealed: "nothing",
  grows: { limit: "documents" },
  files: { source_ref: waitingFile },
  backup: {
    rows: "with files",
    files:
      () => `SELECT DISTINCT source_ref, NULL FROM documents WHERE source = 'OBJECT_FILE' AND source_ref IS NOT NULL
      AND status IN ('PENDING', 'PROCESSING')`,
  },
});
/** A document without its text. */
export type DocumentItem = Omit<DocumentRow, "inlineText">;

/**
 * A piece of a document with its vector: 1536 floats of four bytes. `chunk_bits` (channel_id, seq) has one bit per
 * dimension, to preselect candidates for the exact comparison.
 */
export const chunks = sqliteTable(
  "chunks",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    documentId: text("document_id").notNull(),
    position: integer().notNull(),
    body: text().notNull(),
    vector: blob({ mode: "buffer" }).notNull(),
  },
  (t) => [index("chunks_by_document").on(t.documentId, t.position), index("chunks_by_channel").on(t.channelId)],
);
export type NewChunk = Omit<typeof chunks.$inferInsert, "seq" | "vector"> & { vector: Float32Array };

export const chunksLaws = laws(chunks, {
  keeps: { group: "setup", setting: "none", rule: "goes with its document", isSwept: false },
  personal: { none: "a tenant's own writing" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { limit: "chunks" },
  files: "none",
  backup: "rows alone",
});

export const chunkBitsLaws = laws("chunk_bits", {
  keeps: { group: "setup", setting: "none", rule: "goes with its document", isSwept: false },
  personal: { none: "a tenant's own writing" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per piece of text" },
  files: "none",
  backup: "rows alone",
});

const { inlineText: _, ...ITEM } = getTableColumns(documents);

/** The key under which a document's learnt bytes are recorded. */
export const storedKeyOf = (documentId: string): string => `document/${documentId}`;

export const insertDocument = async (tx: Tx, row: DocumentRow): Promise<void> =>
  void (await tx.q.insert(documents).values(row));

/** One of a channel's documents. */
export const findDocument = (
  r: Reader,
  scope: Scope,
  channelId: ChannelId,
  id: string,
): Promise<DocumentItem | undefined> =>
  r.q
    .select(ITEM)
    .from(documents)
    .where(and(eq(documents.id, id), eq(documents.channelId, channelId), within(documents.tenantId, scope)))
    .get();

/** Newest first. */
export const listDocuments = (r: Reader, scope: Scope, channelId: ChannelId): Promise<DocumentItem[]> =>
  r.q
    .select(ITEM)
    .from(documents)
    .where(and(eq(documents.channelId, channelId), within(documents.tenantId, scope)))
    .orderBy(desc(documents.id));

/** A document with its text, for its processing. */
export const loadDocument = (r: Reader, scope: Scope, id: string): Promise<DocumentRow | undefined> =>
  r.q
    .select()
    .from(documents)
    .where(and(eq(documents.id, id), within(documents.tenantId, scope)))
    .get();

/** Changes a document whose status is in `from`; false when there is none. */
export const updateDocument = async (
  tx: Tx,
  id: string,
  from: readonly DocumentStatus[],
  changes: Partial<DocumentRow>,
): Promise<boolean> =>
  (
    await tx.q
      .update(documents)
      .set(changes)
      .where(and(eq(documents.id, id), inArray(documents.status, [...from])))
      .returning({ id: documents.id })
  ).length > 0;

/** False when there was none. Its chunks are no longer found, and `deleteChunks` removes them later. */
export const deleteDocument = async (tx: Tx, scope: Scope, channelId: ChannelId, id: string): Promise<boolean> =>
  (
    await tx.q
      .delete(documents)
      .where(and(eq(documents.id, id), eq(documents.channelId, channelId), within(documents.tenantId, scope)))
      .returning({ id: documents.id })
  ).length > 0;

/** A range of a document's positions, `to` not included. */
export type Stretch = { from: number; to: number };
const inStretch = (documentId: string, { from, to }: Stretch) =>
  and(eq(chunks.documentId, documentId), gte(chunks.position, from), lt(chunks.position, to));

/** The texts at these positions of a document, in order. */
export const chunkBodies = async (r: Reader, documentId: string, stretch: Stretch): Promise<string[]> =>
  (
    await r.q
      .select({ body: chunks.body })
      .from(chunks)
      .where(inStretch(documentId, stretch))
      .orderBy(asc(chunks.position))
  ).map(({ body }) => body);

/** Replaces the chunks at these positions of the document. */
export const putChunks = async (
  tx: Tx,
  documentId: string,
  stretch: Stretch,
  fresh: readonly NewChunk[],
): Promise<void> => {
  await tx.q.delete(chunks).where(inStretch(documentId, stretch));
  await tx.q.insert(chunks).values(fresh.map((chunk) => ({ ...chunk, vector: bytesOf(chunk.vector) })));
};

/** A vector in the database's form. */
const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const ADD_BITS = `INSERT INTO chunk_bits (channel_id, seq, bits) SELECT channel_id, seq, vector1bit(vector) FROM chunks
    WHERE document_id = ?1 AND position >= ?2 AND position < ?3 ON CONFLICT DO NOTHING`;

/** Makes these chunks searchable once their document is ready. */
export const indexChunks = (tx: Tx, documentId: string, { from, to }: Stretch): void =>
  tx.run(ADD_BITS, [documentId, from, to]);

const DELETE_BITS = `DELETE FROM chunk_bits WHERE channel_id = ?1
    AND seq IN (SELECT seq FROM chunks WHERE document_id = ?2
    AND position >= ?3 ORDER BY position LIMIT ?4)`;
const DELETE_CHUNKS = `DELETE FROM chunks WHERE seq IN (SELECT seq FROM chunks WHERE document_id = ?1 AND position >= ?2
    ORDER BY position LIMIT ?3) RETURNING 1`;

/** Deletes at most `limit` chunks of a document from a position on; true when there may be more. */
export const deleteChunks = async (
  tx: Tx,
  channelId: ChannelId,
  documentId: string,
  { from, limit }: { from: number; limit: number },
): Promise<boolean> => {
  tx.run(DELETE_BITS, [channelId, documentId, from, limit]);
  const areMore = (await tx.rows(DELETE_CHUNKS, [documentId, from, limit])).length === limit;
  if (from === 0 && !areMore) await deleteStored(tx, storedKeyOf(documentId));
  return areMore;
};

/** The number of chunks that one step reads, in less than two milliseconds. */
const SLICE = 5000;
const SLICE_END = "SELECT seq FROM chunk_bits WHERE channel_id = ?1 AND seq > ?2 ORDER BY seq LIMIT 1 OFFSET ?3";
const NEAREST_IN_SLICE = `SELECT seq, vector_distance_cos(bits, bits_asked) AS distance
    FROM (SELECT vector1bit(?4) AS bits_asked)
    CROSS JOIN chunk_bits WHERE channel_id = ?1 AND seq > ?2 AND seq <= ?3 ORDER BY distance LIMIT ?5`;
const NEAREST = `SELECT c.id, c.body, d.title, d.id AS documentId,
  vector_distance_cos(c.vector, ?3) AS distance FROM json_each(?1) CROSS JOIN chunks c ON c.seq = json_each.value
  CROSS JOIN documents d ON d.id = c.document_id
  WHERE c.channel_id = ?2 AND d.status = 'READY' ORDER BY distance LIMIT ?4`;
/** The number of candidates by one bit per dimension, which are then compared exactly. */
const CANDIDATES = 200;

/** `distance`: 0 for the very text of the question, 2 for the opposite. */
export type FoundChunk = { id: string; body: string; title: string | null; documentId: string; distance: number };

/**
 * The chunks of a channel's agent that are nearest to a vector, nearest first. A large base is read slice by slice, so
 * that other work runs between slices. The caller has checked that the channel is in scope.
 */
export const nearestChunks = async (
  db: Pick<Db, "read">,
  channelId: ChannelId,
  { vector, limit }: { vector: Float32Array; limit: number },
): Promise<FoundChunk[]> => {
  const asked = bytesOf(vector);
  const found: { seq: number; distance: number }[] = [];
  for (let after = 0; after < Number.MAX_SAFE_INTEGER; ) {
    const end = await db.read(
      async (r) =>
        (await r.rows<{ seq: number }>(SLICE_END, [channelId, after, SLICE - 1]))[0]?.seq ?? Number.MAX_SAFE_INTEGER,
    );
    found.push(
      ...(await db.read((r) =>
        r.rows<{ seq: number; distance: number }>(NEAREST_IN_SLICE, [channelId, after, end, asked, CANDIDATES]),
      )),
    );
    after = end;
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
  const candidates = found.toSorted((a, b) => a.distance - b.distance).slice(0, CANDIDATES);
  return db.read((r) =>
    r.rows<FoundChunk>(NEAREST, [JSON.stringify(candidates.map(({ seq }) => seq)), channelId, asked, limit]),
  );
};
