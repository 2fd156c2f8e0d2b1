import { statSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { systemClock } from "../../src/kernel/clock.ts";
import type { ChannelId, TenantId } from "../../src/kernel/ids.ts";
import { type Db, openDatabase } from "../../src/store/engine/db.ts";
import { indexChunks, insertDocument, nearestChunks, putChunks } from "../../src/store/tables/ai/knowledge.ts";
import { newDir } from "./process.ts";
import { mb, ms, type Section, spread, tenths, whole } from "./report.ts";
import { type Spread, spreadOf } from "./wire.ts";

const DIMENSIONS = 1536;
/** Vectors of texts lie together by topic, and vary in far fewer directions than they have dimensions. */
const DIRECTIONS = 64;
const CLUSTERS = 200;
const TOP = 4;
const BATCH = 64;
const CHANNEL = "a-channel" as ChannelId;
const BODY = "uma frase comum que enche o parágrafo. ".repeat(20);

const bell = (): number => Array.from({ length: 6 }, Math.random).reduce((sum, one) => sum + one, -3);
const somewhere = (dimensions: number): Float32Array => Float32Array.from({ length: dimensions }, bell);

/** Makes vectors of length one, in clusters. */
const clustered = (): (() => Float32Array) => {
  const directions = Array.from({ length: DIRECTIONS }, () => somewhere(DIMENSIONS));
  const centres = Array.from({ length: CLUSTERS }, () => somewhere(DIRECTIONS));
  return () => {
    const centre = centres[Math.floor(Math.random() * CLUSTERS)] ?? somewhere(DIRECTIONS);
    const vector = new Float32Array(DIMENSIONS);
    for (const [n, direction] of directions.entries()) {
      const share = (centre[n] ?? 0) + 0.5 * bell();
      for (let at = 0; at < DIMENSIONS; at++) vector[at] = (vector[at] ?? 0) + share * (direction[at] ?? 0);
    }
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  };
};

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
const sizeMb = (path: string): number => statSync(path).size / 1e6;

/** One index for the nearest chunks: the duration of questions, their results, and the cost of the index. */
type IndexRun = { took: Spread; found: string[][]; insertMs: number; sizeMb: number };

const asked = async (
  questions: readonly Float32Array[],
  find: (question: Float32Array) => Promise<string[]> | string[],
): Promise<Pick<IndexRun, "took" | "found">> => {
  const samples: number[] = [];
  const found: string[][] = [];
  for (const question of questions) {
    const startedAt = performance.now();
    found.push(await find(question));
    samples.push(performance.now() - startedAt);
  }
  return { took: spreadOf(samples), found };
};

const EXACT = "SELECT id FROM chunks WHERE channel_id = ?1 ORDER BY vector_distance_cos(vector, ?2) LIMIT ?3";

/** The store itself: chunks beside their bits; and the same chunks read one by one. */
const ownWays = async (
  vectors: readonly Float32Array[],
  questions: readonly Float32Array[],
): Promise<{ exact: IndexRun; bits: IndexRun; longestMs: number }> => {
  const path = join(newDir(), "vectors.db");
  const open = (): Db =>
    openDatabase(path, {
      nowMs: systemClock().now(),
      onFatal: (error) => {
        throw error;
      },
    });
  const db = open();
  const document = {
    id: "d",
    tenantId: "t" as TenantId,
    channelId: CHANNEL,
    source: "URL",
    sourceRef: null,
    title: null,
    status: "READY",
    inlineText: null,
  } as const;
  await db.write((tx) =>
    insertDocument(tx, { ...document, chunkCount: vectors.length, errorReason: null, createdAt: 1, updatedAt: 1 }),
  );
  const putMs = await inBatches(vectors, (batch, from) =>
    db.write((tx) =>
      putChunks(
        tx,
        "d",
        { from, to: from + BATCH },
        batch.map((vector, at) => ({
          id: String(from + at),
          channelId: CHANNEL,
          documentId: "d",
          position: from + at,
          body: BODY,
          vector,
        })),
      ),
    ),
  );
  await db.close();
  const withoutBits = sizeMb(path);
  const reopened = open();
  const bitsMs = await inBatches(vectors, (_, from) =>
    reopened.write(async (tx) => indexChunks(tx, "d", { from, to: from + BATCH })),
  );
  const exact = await asked(questions, (question) =>
    reopened.read(async (r) =>
      (await r.rows<{ id: string }>(EXACT, [CHANNEL, bytesOf(question), TOP])).map(({ id }) => id),
    ),
  );
  const held: number[] = [];
  const read: Db["read"] = async (body) => {
    const startedAt = performance.now();
    const result = await reopened.read(body);
    held.push(performance.now() - startedAt);
    return result;
  };
  const bits = await asked(questions, async (vector) =>
    (await nearestChunks({ read }, CHANNEL, { vector, model: "m", limit: TOP })).map(({ id }) => id),
  );
  await reopened.close();
  return {
    exact: { ...exact, insertMs: putMs, sizeMb: withoutBits },
    bits: { ...bits, insertMs: putMs + bitsMs, sizeMb: sizeMb(path) },
    longestMs: Math.max(...held),
  };
};

/** Milliseconds per vector. */
const inBatches = async (
  vectors: readonly Float32Array[],
  put: (batch: readonly Float32Array[], from: number) => unknown,
): Promise<number> => {
  const startedAt = performance.now();
  for (let from = 0; from < vectors.length; from += BATCH) await put(vectors.slice(from, from + BATCH), from);
  return (performance.now() - startedAt) / vectors.length;
};

/** libSQL's vector index (DiskANN), of one bit per dimension and 32 neighbours: its defaults take 30 times the room. */
const runIndex = async (vectors: readonly Float32Array[], questions: readonly Float32Array[]): Promise<IndexRun> => {
  const path = join(newDir(), "diskann.db");
  const db = new Database(path);
  db.exec(
    `PRAGMA journal_mode=WAL; CREATE TABLE chunks (seq INTEGER PRIMARY KEY, id TEXT NOT NULL, body TEXT NOT NULL, vector F32_BLOB(${DIMENSIONS}))`,
  );
  db.exec(
    "CREATE INDEX nearest ON chunks (libsql_vector_idx(vector, 'metric=cosine', 'compress_neighbors=float1bit', 'max_neighbors=32'))",
  );
  const insert = db.prepare("INSERT INTO chunks (id, body, vector) VALUES (?, ?, ?)");
  const insertMs = await inBatches(vectors, (batch, from) => {
    db.exec("BEGIN");
    for (const [at, vector] of batch.entries()) insert.run(String(from + at), BODY, bytesOf(vector));
    db.exec("COMMIT");
  });
  db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
  const find = db.prepare(`SELECT c.id FROM vector_top_k('nearest', ?1, ?2) v JOIN chunks c ON c.seq = v.id`).raw(true);
  const searched = await asked(questions, (question) =>
    (find.all(bytesOf(question), TOP) as string[][]).map(([id]) => id ?? ""),
  );
  db.close();
  return { ...searched, insertMs, sizeMb: sizeMb(path) };
};

/** The found share of the truly nearest chunks. */
const recallOf = ({ found }: IndexRun, truth: IndexRun): number => {
  const hits = truth.found.map((ids, n) => ids.filter((id) => found[n]?.includes(id)).length);
  return hits.reduce((sum, one) => sum + one, 0) / (truth.found.length * TOP);
};

/** Three ways to find the nearest of so many chunks: Recado's way, by reading each chunk, and by libSQL's index. */
export const vectorsSection = async ({
  chunks,
  questions: count,
}: {
  chunks: number;
  questions: number;
}): Promise<Section> => {
  const next = clustered();
  const vectors = Array.from({ length: chunks }, next);
  const questions = Array.from({ length: count }, next);
  const { exact, bits, longestMs } = await ownWays(vectors, questions);
  const index = await runIndex(vectors, questions);
  const figures = (what: string, run: IndexRun): Section["figures"] => [
    {
      what: `${what}: a question`,
      value: spread(run.took),
      yardstick: spread(exact.took),
      ratio: run.took.p50 / exact.took.p50,
    },
    {
      what: `${what}: of the nearest ${TOP} found`,
      value: `${tenths(100 * recallOf(run, exact))} %`,
      yardstick: "100 %",
    },
    {
      what: `${what}: room and time to store`,
      value: `${mb(run.sizeMb)}, ${ms(run.insertMs)} each`,
      yardstick: `${mb(exact.sizeMb)}, ${ms(exact.insertMs)} each`,
      ratio: run.sizeMb / exact.sizeMb,
    },
  ];
  return {
    title: `What an agent knows of a question, among ${whole(chunks)} chunks`,
    figures: [
      ...figures("one bit per dimension, then 200 exactly", bits),
      ...figures("libSQL's vector index (DiskANN, float1bit, 32 neighbours)", index),
    ],
    notes: [
      `${whole(count)} questions; ${DIMENSIONS} dimensions, in ${CLUSTERS} clusters of rank ${DIRECTIONS}. The yardstick compares each chunk exactly. Recado's index holds the process for ${tenths(longestMs)} ms at most at a time.`,
      "The index knows no channels: it would have to be asked for more than is wanted, and deleting one of two equal vectors takes the other out of it (libsql#2197).",
    ],
  };
};
