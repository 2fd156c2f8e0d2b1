import { AppError, invalid } from "../../../kernel/errors.ts";
import { type ChannelId, newId, type TenantId } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import {
  type DocumentItem,
  type DocumentRow,
  type DocumentSource,
  deleteChunks,
  deleteDocument,
  findDocument,
  insertDocument,
  listDocuments,
} from "../../../store/tables/ai/knowledge.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { requireRoom } from "../../tenancy/accounts/collections.ts";
import { requireAgent } from "../agents.ts";
import type { AiEnv } from "../env.ts";
import { noteAgentChange } from "../trials/changes.ts";

export {
  DOCUMENT_SOURCES,
  DOCUMENT_STATUSES,
  type DocumentItem as Document,
} from "../../../store/tables/ai/knowledge.ts";

/**
 * A new document. `source` decides which of `url`, `text` and `objectKey` is required. `sendable`: the agent may send its
 * file.
 */
export type DocumentInput = {
  source: DocumentSource;
  title?: string;
  url?: string;
  text?: string;
  objectKey?: string;
  sendable?: boolean;
};

/**
 * Adds a document to an agent's knowledge. A job reads it; the document is then READY or FAILED.
 *
 * @throws AppError VALIDATION for a missing field of its source or a URL that may not be fetched, CHANNEL_NOT_FOUND,
 * AGENT_NOT_FOUND, and DOCUMENT_LIMIT_REACHED.
 */
export const addDocument = (
  env: AiEnv,
  scope: TenantScope,
  channelId: string,
  input: DocumentInput,
): Promise<DocumentItem> => {
  if (input.sendable && input.source !== "OBJECT_FILE")
    throw invalid(issue("sendable", "forbidden", "is for the source OBJECT_FILE: only files are sent"));
  const content = contentOf(env, input);
  return env.db.write(async (tx) => {
    const agent = await requireAgent(tx, scope, channelId);
    await requireRoom(env, tx, { collection: "documents", owner: agent.channelId });
    const document = documentRow(env, agent, { ...input, ...content });
    await insertDocument(tx, document);
    env.jobs.enqueue(tx, "document.ingest", { documentId: document.id, tenantId: document.tenantId });
    return { ...document, embeddingModel: null };
  });
};

type Content = Pick<DocumentRow, "sourceRef" | "inlineText">;

const contentOf = ({ http }: AiEnv, { source, url, text, objectKey }: DocumentInput): Content => {
  switch (source) {
    case "URL":
      if (!http.isUrlAllowed(given("url", url))) throw invalid(issue("url", "format", "must be a public HTTPS URL"));
      return { sourceRef: given("url", url), inlineText: null };
    case "TEXT_INLINE":
      return { sourceRef: null, inlineText: given("text", text) };
    case "OBJECT_FILE":
      return { sourceRef: given("objectKey", objectKey), inlineText: null };
  }
};

const given = (name: string, value: string | undefined): string => {
  if (value === undefined) throw invalid(issue(name, "required", "is required"));
  return value;
};

type Owner = { tenantId: TenantId; channelId: ChannelId };

const documentRow = (
  env: AiEnv,
  { tenantId, channelId }: Owner,
  { source, title, sourceRef, inlineText, sendable = false }: DocumentInput & Content,
): Omit<DocumentRow, "embeddingModel"> => {
  const now = env.clock.now();
  const fresh = { status: "PENDING", chunkCount: 0, errorReason: null, createdAt: now, updatedAt: now } as const;
  return {
    id: newId(env),
    tenantId,
    channelId,
    source,
    sourceRef,
    title: title || null,
    isSendable: sendable,
    ...fresh,
    inlineText,
  };
};

const unknownDocument = () => new AppError("DOCUMENT_NOT_FOUND", { message: "The agent has no such document." });

/** An agent's documents, newest first. Throws CHANNEL_NOT_FOUND and AGENT_NOT_FOUND. */
export const readDocuments = (env: AiEnv, scope: TenantScope, channelId: string): Promise<DocumentItem[]> =>
  env.db.read(async (reader) => listDocuments(reader, scope, (await requireAgent(reader, scope, channelId)).channelId));

/** @throws AppError CHANNEL_NOT_FOUND, AGENT_NOT_FOUND and DOCUMENT_NOT_FOUND. */
export const getDocument = (env: AiEnv, scope: TenantScope, channelId: string, id: string): Promise<DocumentItem> =>
  env.db.read(async (reader) => {
    const agent = await requireAgent(reader, scope, channelId);
    const document = await findDocument(reader, scope, agent.channelId, id);
    if (!document) throw unknownDocument();
    return document;
  });

/**
 * Deletes a document: later answers do not use it. A job removes its chunks.
 *
 * @throws AppError CHANNEL_NOT_FOUND, AGENT_NOT_FOUND and DOCUMENT_NOT_FOUND.
 */
export const removeDocument = (env: AiEnv, scope: TenantScope, channelId: string, id: string): Promise<void> =>
  env.db.write(async (tx) => {
    const agent = await requireAgent(tx, scope, channelId);
    if (!(await deleteDocument(tx, scope, agent.channelId, id))) throw unknownDocument();
    env.jobs.enqueue(tx, "document.forget", { documentId: id, channelId: agent.channelId });
    await noteAgentChange(env, tx, agent.channelId);
  });

/** Chunks per write; each takes about seven kilobytes. */
const FORGET_BATCH = 100;

type ForgetPayload = { documentId: string; channelId: ChannelId };

/** Removes the chunks of a deleted or failed document, in batches. */
export const forgetDocument = async (env: AiEnv, job: Job<ForgetPayload>): Promise<JobOutcome> => {
  const { documentId, channelId } = job.payload;
  await env.db.write(async (tx) => {
    if (await deleteChunks(tx, channelId, documentId, { from: 0, limit: FORGET_BATCH }))
      job.snooze(tx, env.clock.now());
    else job.end(tx);
  });
  return { is: "settled" };
};
