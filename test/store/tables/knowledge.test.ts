import { expect, test } from "bun:test";
import type { ChannelId } from "../../../src/kernel/ids.ts";
import { openDatabase } from "../../../src/store/engine/db.ts";
import { indexChunks, insertDocument, nearestChunks, putChunks } from "../../../src/store/tables/ai/knowledge.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";
import { insertEverythingOf } from "../../support/tenants/rows.ts";

const temp = tempDatabases();
const DIMENSIONS = 64;
/** More than are looked through in two goes. */
const COUNT = 11_000;
const BATCH = 1000;

/** The same numbers at every run, between -1 and 1. */
const numbers = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
};

type Given = {
  channelId?: ChannelId;
  documentId: string;
  status?: "READY" | "PROCESSING";
  count?: number;
  embeddingModel?: string;
};

/** A new base of knowledge, a vector to ask with, and others. */
const newBase = async () => {
  const db = openDatabase(temp.path(), {
    nowMs: 1,
    onFatal: (error) => {
      throw error;
    },
  });
  const mine = await db.write((tx) => insertEverythingOf(tx, "mine"));
  const number = numbers(7);
  const random = () => Float32Array.from({ length: DIMENSIONS }, number);
  const asked = random();
  const give = async (
    { channelId = mine.channelId, documentId, status = "READY", count = 3, ...model }: Given,
    vectorAt: (n: number) => Float32Array = () => asked,
  ) => {
    const document = {
      id: documentId,
      channelId,
      source: "URL",
      sourceRef: null,
      title: documentId,
      chunkCount: count,
      errorReason: null,
      inlineText: null,
      createdAt: 1,
      updatedAt: 1,
      ...model,
    } as const;
    await db.write((tx) => insertDocument(tx, { ...document, tenantId: mine.tenantId, status }));
    for (let from = 0; from < count; from += BATCH) {
      const stretch = { from, to: Math.min(from + BATCH, count) };
      const fresh = Array.from({ length: stretch.to - from }, (_, at) => ({
        id: `${documentId}-${from + at}`,
        channelId,
        documentId,
        position: from + at,
        body: `${from + at}`,
        vector: vectorAt(from + at),
      }));
      for (let at = 0; at < fresh.length; at += 100)
        await db.write((tx) =>
          putChunks(tx, documentId, { from: from + at, to: from + at + 100 }, fresh.slice(at, at + 100)),
        );
      await db.write(async (tx) => indexChunks(tx, documentId, stretch));
    }
  };
  return { db, channelId: mine.channelId, random, asked, give };
};

test("the nearest chunks are found in every slice of a large base, nearest first, and only in the channel's READY documents", async () => {
  const { db, channelId, random, asked, give } = await newBase();
  /** The further, the more it is like another. */
  const like = (far: number): Float32Array => {
    const other = random();
    return asked.map((value, at) => value + far * (other[at] ?? 0));
  };
  const planted = new Map([
    [17, 0.1],
    [4999, 0.3],
    [5000, 0.2],
    [10_999, 0.05],
  ]);
  await give({ documentId: "known", count: COUNT }, (n) => (planted.has(n) ? like(planted.get(n) ?? 0) : random()));
  await give({ documentId: "unfinished", status: "PROCESSING" });
  await give({ documentId: "foreign", channelId: "another" as ChannelId });
  await give({ documentId: "other-model", embeddingModel: "b" }, () => asked);

  const found = await nearestChunks(db, channelId, { vector: asked, model: "a", limit: 4 });
  expect(found).toEqual(
    [10_999, 17, 5000, 4999].map((n) => ({
      id: `known-${n}`,
      body: String(n),
      title: "known",
      documentId: "known",
      distance: expect.any(Number),
    })),
  );
  expect(found.map(({ distance }) => distance)).toEqual(
    found.map(({ distance }) => distance).toSorted((a, b) => a - b),
  );
  expect((await nearestChunks(db, channelId, { vector: asked, model: "a", limit: 20 })).length).toBe(20);
  expect(await nearestChunks(db, "nobody" as ChannelId, { vector: asked, model: "a", limit: 4 })).toEqual([]);
  await db.close();
}, 120_000);

test("X-045 chunks that cannot be compared take no place of a candidate, however many of them are nearer", async () => {
  const { db, channelId, random, asked, give } = await newBase();
  await give({ documentId: "other-model", embeddingModel: "b", count: 250 });
  await give({ documentId: "unfinished", status: "PROCESSING", embeddingModel: "a", count: 250 });
  await give({ documentId: "known", embeddingModel: "a", count: 5 }, random);
  const found = async (model: string) =>
    (await nearestChunks(db, channelId, { vector: asked, model, limit: 9 })).map(({ documentId }) => documentId);
  expect(await found("a")).toEqual(Array(5).fill("known"));
  expect(await found("b")).toEqual(Array(9).fill("other-model"));
  await db.close();
});
