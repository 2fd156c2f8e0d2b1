import { isDeepStrictEqual } from "node:util";
import type { LlmFailure } from "../../../contract/ports/llm.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { TenantId } from "../../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Reader } from "../../../store/engine/db.ts";
import {
  chunkBodies,
  type DocumentItem,
  findDocument,
  nextOutdated,
  replaceVectors,
  updateDocument,
} from "../../../store/tables/ai/knowledge.ts";
import { findLlmSettings } from "../../../store/tables/ai/llm.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { requireBudget } from "../budget.ts";
import type { AiEnv } from "../env.ts";
import { countTokens, llmFailed, type Provider, requireProvider } from "../provider.ts";
import { noteAgentChange } from "../trials/changes.ts";
import { countedFrom, waitForAccount } from "./account-wait.ts";
import { presentModel } from "./outdated.ts";
import { isUsable, uselessness } from "./vectors.ts";

/**
 * `documentId`: the document that is being learnt anew by `model`, up to the position `from`; empty before the first
 * one.
 */
type RelearnPayload = { tenantId: TenantId; model: string; documentId: string; from: number };
type RelearnJob = Job<RelearnPayload>;

/** Texts per request to the provider. */
const EMBED_BATCH = 64;
/** The wait for a provider in trouble, and how long the documents of an account may take in all. */
const TROUBLE_MS = 5 * MINUTE_MS;
const PATIENCE_MS = 7 * DAY_MS;

/**
 * Learns the documents of an account anew whose vectors are not of its present model: one request to the provider each
 * time, one document after the other. Texts and ids of chunks stay. Until its last chunk a document is compared with no
 * question. After a crash the job goes on behind the last stored vectors. While the account may not be used, it waits.
 */
export const relearnDocuments = async (env: AiEnv, job: RelearnJob): Promise<JobOutcome> => {
  const { tenantId } = job.payload;
  const wait = await waitForAccount(env, tenantId);
  if (wait) return wait;
  const before = await env.db.read((reader) => findLlmSettings(reader, { tenantId }));
  try {
    return await step(env, job);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const waitMs = waitOf(error);
    const begunAt = await env.db.read((reader) => countedFrom(reader, { tenantId, at: job.createdAt }));
    const isOver = waitMs === undefined || env.clock.now() - begunAt > PATIENCE_MS;
    const { kind, status } = error.details;
    if (isOver) env.log.warn({ tenantId, code: error.code, kind, status }, "documents were not learnt anew");
    await env.db.write(async (tx) => {
      const after = await findLlmSettings(tx, { tenantId });
      const hasChanged = !isDeepStrictEqual(before, after); // another key or model may do better
      if (hasChanged) job.snooze(tx, env.clock.now());
      else if (isOver) job.end(tx);
      else job.snooze(tx, env.clock.now() + waitMs, { error: error.message });
    });
    return { is: "settled" };
  }
};

/** How long to wait after a failure; undefined if a wait does not help. */
const waitOf = ({ code, details, retryAfterSeconds }: AppError): number | undefined => {
  if (code === "LLM_BUDGET_EXHAUSTED") return (retryAfterSeconds ?? 0) * SECOND_MS;
  return details["retryable"] === true ? Math.max(TROUBLE_MS, (retryAfterSeconds ?? 0) * SECOND_MS) : undefined;
};

type Place = { document: DocumentItem; from: number };

const step = async (env: AiEnv, job: RelearnJob): Promise<JobOutcome> => {
  const { tenantId } = job.payload;
  const provider = await requireProvider(env, { tenantId });
  const { embeddingModel: model } = provider;
  const place = await env.db.read((reader) => placeOf(reader, job.payload, model));
  if (!place) {
    await env.db.write(async (tx) => {
      if ((await presentModel(env, tx, tenantId)) === model) job.end(tx);
      else job.snooze(tx, env.clock.now());
    });
    return { is: "settled" };
  }
  const { document, from } = place;
  const { channelId, id: documentId } = document;
  const to = Math.min(from + EMBED_BATCH, document.chunkCount);
  const texts = await env.db.read((reader) => chunkBodies(reader, documentId, { from, to }));
  const vectors = await vectorsOf(env, provider, { document, texts });
  await env.db.write(async (tx) => {
    const found = await findDocument(tx, EVERY_TENANT, channelId, documentId);
    // a change of the model meanwhile begins anew, and a deleted document is left alone
    if (found && (await presentModel(env, tx, tenantId)) === model) {
      replaceVectors(tx, { channelId, documentId, from }, vectors);
      const isLast = to >= document.chunkCount;
      await updateDocument(tx, documentId, ["READY"], { embeddingModel: isLast ? model : "" });
      job.saveProgress(tx, { tenantId, model, documentId, from: to });
      if (isLast) await noteAgentChange(env, tx, channelId);
    }
    job.snooze(tx, env.clock.now());
  });
  return { is: "settled" };
};

/** The document to go on with: the one that was begun by this model, else the next one. */
const placeOf = async (r: Reader, payload: RelearnPayload, model: string): Promise<Place | undefined> => {
  const { tenantId } = payload;
  const document = await nextOutdated(r, { tenantId }, { model, first: payload.documentId });
  if (!document) return undefined;
  const isBegun = document.id === payload.documentId && payload.model === model && document.embeddingModel === "";
  return { document, from: isBegun ? payload.from : 0 };
};

/** @throws AppError LLM_BUDGET_EXHAUSTED, and LLM_FAILED, also for vectors that cannot be compared. */
const vectorsOf = async (
  env: AiEnv,
  { embedder: provider, embeddingModel: model }: Provider,
  { document: { tenantId }, texts }: { document: DocumentItem; texts: readonly string[] },
): Promise<Float32Array[]> => {
  const spender = { tenantId }; // a used-up budget of one agent must not stop the documents of the others
  await requireBudget(env, spender);
  const answer = await env.llmTurns.run(tenantId, () => env.llm.embed({ provider, model, texts }));
  if (!answer.ok) throw llmFailed(answer);
  const { vectors, promptTokens } = answer.value;
  const usage = { promptTokens, completionTokens: 0 };
  await env.db.write((tx) => countTokens(env, tx, spender, { model, usage, texts }));
  if (vectors.every(isUsable)) return vectors;
  const failure: LlmFailure = { ok: false, kind: "refused", reason: uselessness(model, vectors) };
  throw llmFailed(failure);
};
