import { blob, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Db, Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, isWordOf, statement, updateOf } from "../../engine/statement.ts";
import { deleteStored } from "../collections.ts";
import { ifWithin, inScope, type Scope, type TenantScope } from "../scope.ts";
import { laws, type OneFile, referenceIndex } from "../table-laws.ts";

export const DOCUMENT_SOURCES = ["URL", "TEXT_INLINE", "OBJECT_FILE"] as const;
export type DocumentSource = (typeof DOCUMENT_SOURCES)[number];
export const DOCUMENT_STATUSES = ["PENDING", "PROCESSING", "READY", "FAILED"] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

const waitingFile: OneFile = {
  by: "key",
  names: "source_ref",
  waits: "source = 'OBJECT_FILE' AND (status IN ('PENDING', 'PROCESSING') OR is_sendable = 1)",
};
const withFile = referenceIndex(waitingFile);

/**
 * The knowledge documents of a channel's agent. `inlineText` is stored until its chunks are. `embeddingModel` made the
 * vectors; vectors of two models cannot be compared. Null for a document that was learnt before it was recorded, by the
 * model that its account still has: a change of the model records the earlier one. Empty while another model learns it
 * anew. `isSendable`: the agent may send the file, which stays as long as the document.
 */
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
    embeddingModel: text("embedding_model"),
    isSendable: integer("is_sendable", { mode: "boolean" }).notNull().default(false),
  },
  (t) => [
    index("documents_by_channel").on(t.channelId, t.id),
    index("documents_with_file").on(withFile.on).where(withFile.where),
  ],
);
export type DocumentRow = typeof documents.$inferSelect;

export const documentsLaws = laws(documents, {
  keeps: { group: "setup", setting: "none", rule: "until the agent is deleted", isSwept: false },
  personal: { none: "the account's own texts" },
  joins: { rows: "move", now: "of channels", later: false },
  sealed: "nothing",
  grows: { limit: "documents", where: "channel_id = :owner" },
  files: { source_ref: waitingFile },
  backup: {
    rows: "with files",
    files: ({ has }) => `SELECT DISTINCT source_ref, NULL FROM documents WHERE source = 'OBJECT_FILE'
      AND source_ref IS NOT NULL
      AND (status IN ('PENDING', 'PROCESSING')${has("is_sendable") ? " OR is_sendable = 1" : ""})`,
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
  keeps: { group: "setup", setting: "none", rule: "until the document is deleted", isSwept: false },
  personal: { none: "the account's own texts" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: {
    limit: "chunks",
    // the sum over the documents of an agent, which are few
    count: "SELECT coalesce(sum(chunk_count), 0) AS n FROM documents WHERE channel_id = :owner",
  },
  files: "none",
  backup: "rows alone",
});

export const chunkBitsLaws = laws("chunk_bits", {
  keeps: { group: "setup", setting: "none", rule: "until the document is deleted", isSwept: false },
  personal: { none: "the account's own texts" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per piece of text" },
  files: "none",
  backup: "rows alone",
});

/** The key under which a document's learnt bytes are recorded. */
export const storedKeyOf = (documentId: string): string => `document/${documentId}`;

const insert = insertInto(documents);
export const insertDocument = async (
  tx: Tx,
  row: Omit<DocumentRow, "embeddingModel" | "isSendable"> & { embeddingModel?: string; isSendable?: boolean },
): Promise<void> => insert(tx, row);

const ITEM = columnsOf(
  documents,
  ...(["id", "tenantId", "channelId", "source", "sourceRef", "title", "status", "chunkCount"] as const),
  ...(["errorReason", "createdAt", "updatedAt", "embeddingModel", "isSendable"] as const),
);
type OfChannel = { channelId: ChannelId };
type InChannel = OfChannel & { id: string };

const sendable = statement<DocumentItem, OfChannel & { limit: number }>(
  "SELECT * FROM documents WHERE channel_id = :channelId AND is_sendable = 1 ORDER BY id DESC LIMIT :limit",
  ITEM,
);
/** The newest documents of a channel's agent whose files it may send. */
export const listSendable = (r: Reader, channelId: ChannelId, limit: number): Promise<DocumentItem[]> =>
  sendable.all(r, { channelId, limit });

const itemById = statement<DocumentItem, InChannel>(
  "SELECT * FROM documents WHERE id = :id AND channel_id = :channelId",
  ITEM,
);

/** One of a channel's documents. */
export const findDocument = async (
  r: Reader,
  scope: Scope,
  channelId: ChannelId,
  id: string,
): Promise<DocumentItem | undefined> => ifWithin(await itemById.get(r, { channelId, id }), scope);

/** Newest first. Bound: the agent's limit of documents. */
export const listDocuments = (r: Reader, scope: Scope, channelId: ChannelId): Promise<DocumentItem[]> =>
  statement<DocumentItem, Scope & OfChannel>(
    `SELECT * FROM documents WHERE channel_id = :channelId ${inScope(scope)} ORDER BY id DESC`,
    ITEM,
  ).all(r, { ...scope, channelId });

const byId = statement<DocumentRow, { id: string }>("SELECT * FROM documents WHERE id = :id", columnsOf(documents));

/** A document with its text, which its processing needs. */
export const loadDocument = async (r: Reader, scope: Scope, id: string): Promise<DocumentRow | undefined> =>
  ifWithin(await byId.get(r, { id }), scope);

const update = updateOf<typeof documents, { id: string; from: readonly DocumentStatus[] }>(
  documents,
  `WHERE id = :id AND ${isWordOf("status", "from")} RETURNING 1`,
);

/** Changes a document whose status is in `from`; false if no document has this id and such a status. */
export const updateDocument = async (
  tx: Tx,
  id: string,
  from: readonly DocumentStatus[],
  changes: Partial<DocumentRow>,
): Promise<boolean> => (await update(tx, changes, { id, from })).length > 0;

const nameModel = statement<never, TenantScope & { model: string }>(
  `UPDATE documents SET embedding_model = :model WHERE embedding_model IS NULL AND status = 'READY'
    AND channel_id IN (SELECT channel_id FROM agents WHERE tenant_id = :tenantId)`,
);

/** Records the model of an account's documents that were learnt before it was recorded. */
export const nameLearntModel = (tx: Tx, { tenantId }: TenantScope, model: string): void =>
  nameModel.run(tx, { tenantId, model });

const outdated = statement<DocumentItem, TenantScope & { model: string; first: string }>(
  `SELECT * FROM documents WHERE embedding_model <> :model AND status = 'READY'
    AND channel_id IN (SELECT channel_id FROM agents WHERE tenant_id = :tenantId)
    ORDER BY id <> :first, id LIMIT 1`,
  ITEM,
);

/** A learnt document of an account whose vectors are of another model: `first` if it is one, else the oldest. */
export const nextOutdated = (
  r: Reader,
  { tenantId }: TenantScope,
  { model, first }: { model: string; first: string },
): Promise<DocumentItem | undefined> => outdated.get(r, { tenantId, model, first });

/** False if there was no such document. Its chunks are no longer found, and `deleteChunks` removes them later. */
export const deleteDocument = async (tx: Tx, scope: Scope, channelId: ChannelId, id: string): Promise<boolean> => {
  const remove = statement<unknown, Scope & InChannel>(
    `DELETE FROM documents WHERE id = :id AND channel_id = :channelId ${inScope(scope)} RETURNING 1`,
  );
  return (await remove.all(tx, { ...scope, channelId, id })).length > 0;
};

/** A range of a document's positions, `to` not included. */
export type Stretch = { from: number; to: number };
type OfDocument = { documentId: string };
const IN_STRETCH = "document_id = :documentId AND position >= :from AND position < :to";

const bodies = statement<{ body: string }, OfDocument & Stretch>(
  `SELECT body FROM chunks WHERE ${IN_STRETCH} ORDER BY position`,
);

/** The texts at these positions of a document, in order. Bound: the positions that the caller asks for. */
export const chunkBodies = async (r: Reader, documentId: string, { from, to }: Stretch): Promise<string[]> =>
  (await bodies.all(r, { documentId, from, to })).map(({ body }) => body);

/** A chunk with the title of its document. */
export type NamedChunk = { id: string; documentId: string; title: string | null; body: string };

const namedChunks = statement<NamedChunk, OfChannel & { ids: readonly string[] }>(
  `SELECT c.id, c.document_id AS documentId, d.title, c.body FROM json_each(:ids)
    CROSS JOIN chunks c ON c.id = json_each.value CROSS JOIN documents d ON d.id = c.document_id
    WHERE c.channel_id = :channelId`,
);

/** A channel's chunks with these ids, without those of deleted documents. Bound: the ids of the caller. */
export const findChunks = (r: Reader, channelId: ChannelId, ids: readonly string[]): Promise<NamedChunk[]> =>
  namedChunks.all(r, { channelId, ids });

const removeChunks = statement<never, OfDocument & Stretch>(`DELETE FROM chunks WHERE ${IN_STRETCH}`);
const insertChunk = insertInto(chunks);

/** Replaces the chunks at these positions of the document. */
export const putChunks = async (
  tx: Tx,
  documentId: string,
  { from, to }: Stretch,
  fresh: readonly NewChunk[],
): Promise<void> => {
  removeChunks.run(tx, { documentId, from, to });
  for (const chunk of fresh) insertChunk(tx, { ...chunk, vector: bytesOf(chunk.vector) });
};

/** A vector in the database's form. */
const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const addBits = statement<never, OfDocument & Stretch>(
  `INSERT INTO chunk_bits (channel_id, seq, bits) SELECT channel_id, seq, vector1bit(vector) FROM chunks
    WHERE ${IN_STRETCH} ON CONFLICT DO NOTHING`,
);

const setVector = statement<never, OfDocument & { position: number; vector: Buffer }>(
  "UPDATE chunks SET vector = :vector WHERE document_id = :documentId AND position = :position",
);
const setBits = statement<never, OfChannel & OfDocument & Stretch>(
  `UPDATE chunk_bits SET bits = (SELECT vector1bit(vector) FROM chunks WHERE chunks.seq = chunk_bits.seq)
    WHERE channel_id = :channelId AND seq IN (SELECT seq FROM chunks WHERE ${IN_STRETCH})`,
);

/** Gives the chunks of a learnt document from a position on other vectors; their texts and ids stay. */
export const replaceVectors = (
  tx: Tx,
  { channelId, documentId, from }: OfChannel & OfDocument & { from: number },
  vectors: readonly Float32Array[],
): void => {
  for (const [at, vector] of vectors.entries())
    setVector.run(tx, { documentId, position: from + at, vector: bytesOf(vector) });
  setBits.run(tx, { channelId, documentId, from, to: from + vectors.length });
};

/** Makes these chunks searchable once their document is ready. */
export const indexChunks = (tx: Tx, documentId: string, { from, to }: Stretch): void =>
  addBits.run(tx, { documentId, from, to });

type Rest = OfDocument & { from: number; limit: number };
const REST = `(SELECT seq FROM chunks WHERE document_id = :documentId AND position >= :from
  ORDER BY position LIMIT :limit)`;
const removeBits = statement<never, OfChannel & Rest>(
  `DELETE FROM chunk_bits WHERE channel_id = :channelId AND seq IN ${REST}`,
);
const removeRest = statement<unknown, Rest>(`DELETE FROM chunks WHERE seq IN ${REST} RETURNING 1`);

/** Deletes at most `limit` chunks of a document from a position on; true when there may be more. */
export const deleteChunks = async (
  tx: Tx,
  channelId: ChannelId,
  documentId: string,
  { from, limit }: { from: number; limit: number },
): Promise<boolean> => {
  removeBits.run(tx, { channelId, documentId, from, limit });
  const areMore = (await removeRest.all(tx, { documentId, from, limit })).length === limit;
  if (from === 0 && !areMore) await deleteStored(tx, storedKeyOf(documentId));
  return areMore;
};

/** The number of chunks that one step reads, in less than two milliseconds. */
const SLICE = 5000;
const sliceEnd = statement<{ seq: number }, OfChannel & { after: number }>(
  `SELECT seq FROM chunk_bits WHERE channel_id = :channelId AND seq > :after ORDER BY seq LIMIT 1 OFFSET ${SLICE - 1}`,
);

type Asked = OfChannel & { asked: Buffer; model: string };
const IS_COMPARED = "d.status = 'READY' AND coalesce(d.embedding_model, :model) = :model";
// chunks of other documents are left out here already: they might take the places of all candidates
const nearestInSlice = statement<
  { seq: number; distance: number },
  Asked & { after: number; end: number; limit: number }
>(
  `SELECT seq, vector_distance_cos(bits, bits_asked) AS distance FROM (SELECT vector1bit(:asked) AS bits_asked)
    CROSS JOIN chunk_bits WHERE channel_id = :channelId AND seq > :after AND seq <= :end AND seq IN (
      SELECT c.seq FROM documents d CROSS JOIN chunks c ON c.document_id = d.id
      WHERE d.channel_id = :channelId AND ${IS_COMPARED} AND c.seq > :after AND c.seq <= :end)
    ORDER BY distance LIMIT :limit`,
);
/** The number of candidates by one bit per dimension, which are then compared exactly. */
const CANDIDATES = 200;

/** `distance`: 0 for the very text of the question, 2 for the opposite. */
export type FoundChunk = { id: string; body: string; title: string | null; documentId: string; distance: number };

const nearest = statement<FoundChunk, Asked & { seqs: readonly number[]; limit: number }>(
  `SELECT c.id, c.body, d.title, d.id AS documentId, vector_distance_cos(c.vector, :asked) AS distance
    FROM json_each(:seqs) CROSS JOIN chunks c ON c.seq = json_each.value CROSS JOIN documents d ON d.id = c.document_id
    WHERE c.channel_id = :channelId AND ${IS_COMPARED}
    ORDER BY distance LIMIT :limit`,
);

/**
 * The chunks of a channel's agent that are nearest to a vector of a model, nearest first. Documents that another model
 * learnt are left out. A large base is read slice by slice, so
 * that other work runs between slices. The caller has checked that the channel is in scope.
 */
export const nearestChunks = async (
  db: Pick<Db, "read">,
  channelId: ChannelId,
  { vector, model, limit }: { vector: Float32Array; model: string; limit: number },
): Promise<FoundChunk[]> => {
  const asked = bytesOf(vector);
  const found: { seq: number; distance: number }[] = [];
  for (let after = 0; after < Number.MAX_SAFE_INTEGER; ) {
    const end = (await db.read((r) => sliceEnd.get(r, { channelId, after })))?.seq ?? Number.MAX_SAFE_INTEGER;
    const slice = { channelId, asked, model, after, end, limit: CANDIDATES };
    found.push(...(await db.read((r) => nearestInSlice.all(r, slice))));
    after = end;
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
  const candidates = found.toSorted((a, b) => a.distance - b.distance).slice(0, CANDIDATES);
  const seqs = candidates.map(({ seq }) => seq);
  return db.read((r) => nearest.all(r, { channelId, asked, model, seqs, limit }));
};
