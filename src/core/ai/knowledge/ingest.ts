import type { LlmFailure } from "../../../contract/ports/llm.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kernel/clock.ts";
import { AppError, type CoreCode } from "../../../kernel/errors.ts";
import { newId, type TenantId } from "../../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { countCollection } from "../../../store/laws/collections.ts";
import {
  chunkBodies,
  type DocumentRow,
  deleteChunks,
  findDocument,
  indexChunks,
  loadDocument,
  putChunks,
  type Stretch,
  storedKeyOf,
  updateDocument,
} from "../../../store/tables/ai/knowledge.ts";
import { insertStored } from "../../../store/tables/collections.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { hasStorage } from "../../tenancy/accounts/collections.ts";
import { requireBudget } from "../budget.ts";
import type { AiEnv } from "../env.ts";
import { countTokens, type Provider, requireProvider } from "../provider.ts";
import { countedFrom, waitForAccount } from "./account-wait.ts";
import { chunksOf } from "./chunks.ts";
import { endDocument, failDocument, publishEnd } from "./document-ends.ts";
import { type Failed, failed, sourceText } from "./sources.ts";
import { isUsable, uselessness } from "./vectors.ts";

type IngestPayload = { documentId: string; tenantId: TenantId };
type IngestJob = Job<IngestPayload>;

/** Texts per request to the provider, and so chunks per write. */
const EMBED_BATCH = 64;
/** Chunks per write when they are indexed or removed. */
const INDEX_BATCH = 250;
/** The bytes of a chunk besides its text: its vector, and the same with one bit per dimension. */
const VECTOR_BYTES = 1536 * 4 + 1536 / 8;
/** How long a busy or unreachable provider is retried, and the growing delays between the attempts. */
const PATIENCE_MS = HOUR_MS;
const SOONEST_MS = 30 * SECOND_MS;
const LATEST_MS = 5 * MINUTE_MS;

/** `gone`: the document was deleted meanwhile. */
type Learnt =
  | { is: "ready"; title: string | null; chunkCount: number; sizeBytes: number }
  | { is: "failed"; reason: string }
  | { is: "later"; failure: LlmFailure }
  | { is: "gone" };

const failedAs = ({ reason }: Failed): Learnt => ({ is: "failed", reason });

/**
 * Reads a document and stores its chunks with their vectors. Searches find the chunks only when all are stored. After a
 * crash or a failure of the provider the job starts again, and reuses the stored vectors. While the account may not be
 * used, it waits.
 */
export const ingestDocument = async (env: AiEnv, job: IngestJob): Promise<JobOutcome> => {
  const wait = await waitForAccount(env, job.payload.tenantId);
  if (wait) return wait;
  const document = await begin(env, job.payload);
  if (!document) return { is: "done" };
  const learnt = await learn(env, document);
  await env.db.write(async (tx) => {
    const atMs = learnt.is === "later" ? await askAgainAt(env, tx, document, learnt.failure) : undefined;
    if (learnt.is === "later" && atMs !== undefined) return job.snooze(tx, atMs, { error: learnt.failure.reason });
    await conclude(env, tx, document, learnt);
    job.end(tx);
  });
  return { is: "settled" };
};

/** Marks the document as started, with the time of the first attempt. Undefined when there is nothing to do. */
const begin = (env: AiEnv, { documentId }: IngestPayload): Promise<DocumentRow | undefined> =>
  env.db.write(async (tx) => {
    await updateDocument(tx, documentId, ["PENDING"], { status: "PROCESSING", updatedAt: env.clock.now() });
    const document = await loadDocument(tx, EVERY_TENANT, documentId);
    return document?.status === "PROCESSING" ? document : undefined;
  });

const learn = async (env: AiEnv, document: DocumentRow): Promise<Learnt> => {
  const provider = await orRefusal("LLM_KEY_REQUIRED", requireProvider(env, document));
  if (!provider) return failedAs(failed("NO_PROVIDER_KEY", "the account has no key of a language-model provider"));
  const source = await sourceText(env, document);
  if (!source.ok) return failedAs(source);
  const bodies = chunksOf(source.text.toWellFormed());
  if (bodies.length === 0) return failedAs(failed("EMPTY", "it has no text"));
  const most = env.config.limits.chunks;
  const others = await env.db.read((reader) => countCollection(reader, "chunks", document.channelId, most));
  if (others + bodies.length > most)
    return failedAs(failed("KNOWLEDGE_FULL", `with it the agent would have more than ${most} chunks`));
  const sizeBytes = bodies.reduce((sum, body) => sum + Buffer.byteLength(body) + VECTOR_BYTES, 0);
  if (!(await env.db.read((reader) => hasStorage(env, reader, document.tenantId, sizeBytes)))) return NO_STORAGE;
  await recordModel(env, document, provider);
  for (const stretch of stretches(bodies.length, EMBED_BATCH)) {
    const stopped = await learnStretch(env, { document, provider }, stretch, bodies.slice(stretch.from, stretch.to));
    if (stopped) return stopped;
  }
  await makeFindable(env, document, bodies.length);
  return { is: "ready", title: document.title ?? source.title, chunkCount: bodies.length, sizeBytes };
};

/**
 * Records which model learns the document. Chunks of another model are deleted before: a later attempt would take them
 * for this one's.
 */
const recordModel = async (env: AiEnv, document: DocumentRow, { embeddingModel }: Provider): Promise<void> => {
  if (document.embeddingModel === embeddingModel) return;
  const { id, channelId } = document;
  const step = async (tx: Tx): Promise<boolean> => {
    if (await deleteChunks(tx, channelId, id, { from: 0, limit: INDEX_BATCH })) return true;
    await updateDocument(tx, id, ["PROCESSING"], { embeddingModel });
    return false;
  };
  while (await env.db.write(step));
};

const NO_STORAGE = { is: "failed", reason: "STORAGE_QUOTA_EXCEEDED: the account may not store so much" } as const;

/** The result of `work`; undefined when it is refused with this code. */
const orRefusal = async <Result>(code: CoreCode, work: Promise<Result>): Promise<Result | undefined> => {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === code) return undefined;
    throw thrown;
  }
};

const stretches = (count: number, size: number): Stretch[] =>
  Array.from({ length: Math.ceil(count / size) }, (_, n) => ({ from: n * size, to: Math.min((n + 1) * size, count) }));

type Work = { document: DocumentRow; provider: Provider };

/** Stores these texts at their positions with their vectors. Chunks that an earlier attempt has learnt stay unchanged. */
const learnStretch = async (
  env: AiEnv,
  { document, provider }: Work,
  stretch: Stretch,
  texts: readonly string[],
): Promise<Learnt | undefined> => {
  const known = await env.db.read((reader) => chunkBodies(reader, document.id, stretch));
  if (known.length === texts.length && known.every((body, at) => body === texts[at])) return undefined;
  const spender = { tenantId: document.tenantId, channelId: document.channelId };
  const isAffordable = await orRefusal(
    "LLM_BUDGET_EXHAUSTED",
    requireBudget(env, spender).then(() => true),
  );
  if (!isAffordable) return failedAs(failed("BUDGET_EXHAUSTED", "the tokens that may be used today are used up"));
  const model = provider.embeddingModel;
  const answer = await env.llmTurns.run(document.tenantId, () =>
    env.llm.embed({ provider: provider.embedder, model, texts }),
  );
  if (!answer.ok)
    return answer.kind === "refused"
      ? failedAs(failed("PROVIDER_ERROR", answer.reason))
      : { is: "later", failure: answer };
  const { vectors, promptTokens } = answer.value;
  const isStored = await env.db.write(async (tx) => {
    await countTokens(env, tx, spender, { model, usage: { promptTokens, completionTokens: 0 }, texts });
    if (!vectors.every(isUsable) || !(await findDocument(tx, EVERY_TENANT, document.channelId, document.id)))
      return false;
    const { channelId, id: documentId } = document;
    await putChunks(
      tx,
      documentId,
      stretch,
      vectors.map((vector, at) => ({
        id: newId(env),
        channelId,
        documentId,
        position: stretch.from + at,
        body: texts[at] ?? "",
        vector,
      })),
    );
    return true;
  });
  if (isStored) return undefined;
  return vectors.every(isUsable) ? { is: "gone" } : failedAs(failed("WRONG_DIMENSION", uselessness(model, vectors)));
};

/** Indexes the chunks. Searches find none of them before the document is READY, and all of them then. */
const makeFindable = async (env: AiEnv, { id, channelId }: DocumentRow, count: number): Promise<void> => {
  const write = <Result>(body: (tx: Tx) => Promise<Result>): Promise<Result> =>
    env.db.write(body, { isDurable: false });
  for (const stretch of stretches(count, INDEX_BATCH)) await write(async (tx) => indexChunks(tx, id, stretch));
  // an earlier attempt may have found more text at the URL
  while (await write((tx) => deleteChunks(tx, channelId, id, { from: count, limit: INDEX_BATCH })));
};

const conclude = async (env: AiEnv, tx: Tx, document: DocumentRow, learnt: Learnt): Promise<void> => {
  switch (learnt.is) {
    case "ready": {
      const { tenantId, id } = document;
      const { sizeBytes, chunkCount } = learnt;
      if (!(await hasStorage(env, tx, tenantId, sizeBytes))) return failDocument(env, tx, document, NO_STORAGE.reason);
      const title = learnt.title && [...learnt.title].slice(0, MAX_TITLE).join("");
      if (!(await endDocument(env, tx, id, { status: "READY", title, chunkCount }))) return;
      await insertStored(tx, { key: storedKeyOf(id), tenantId, sizeBytes });
      return publishEnd(env, tx, document, { status: "READY", title, chunkCount, errorReason: null });
    }
    case "failed":
      return failDocument(env, tx, document, learnt.reason);
    case "later":
      return failDocument(env, tx, document, failed("PROVIDER_ERROR", learnt.failure.reason).reason);
    case "gone":
      return undefined;
  }
};

const MAX_TITLE = 255;

/** The time of the next attempt; undefined when it would be after the last one. */
const askAgainAt = async (
  { clock }: AiEnv,
  tx: Tx,
  { tenantId, updatedAt }: DocumentRow,
  { retryAfterMs = 0 }: LlmFailure,
): Promise<number | undefined> => {
  const now = clock.now();
  const begunAt = await countedFrom(tx, { tenantId, at: updatedAt });
  const atMs = now + Math.max(retryAfterMs, Math.min(Math.max(now - begunAt, SOONEST_MS), LATEST_MS));
  return atMs <= begunAt + PATIENCE_MS ? atMs : undefined;
};
