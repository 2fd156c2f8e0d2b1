import type { TempFile } from "../../../contract/ports/files.ts";
import { DAY_MS } from "../../../kernel/clock.ts";
import { invalid } from "../../../kernel/errors.ts";
import { newId, type TenantId } from "../../../kernel/ids.ts";
import { issue } from "../../../kernel/schema.ts";
import { decodeText } from "../../../kernel/texts/charsets.ts";
import { fileTypeOf, isTextType } from "../../../kernel/texts/file-types.ts";
import { documentEndingOf, essenceOf, isPlayable } from "../../../kernel/texts/media-types.ts";
import { insertStored } from "../../../store/tables/collections.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { listJoined } from "../../../store/tables/tenancy/tenants.ts";
import { takeFile } from "../../media/taking.ts";
import { requireStorage } from "../../tenancy/accounts/collections.ts";
import { getAgent } from "../agents.ts";
import type { AiEnv } from "../env.ts";

/** The largest file or page that is read. */
export const KNOWLEDGE_MAX_BYTES = 10 * 1024 * 1024;
/** How long a file is stored, so that documents can be made of it. READY documents do not need it. */
const KEPT_MS = 7 * DAY_MS;

/** The extension of a stored file names its type. This one is for a type that is not a document. */
const UNKNOWN_ENDING = "bin";

type Upload = { contentType: string; filename?: string | undefined; body: AsyncIterable<Uint8Array> };
export type KnowledgeFile = { objectKey: string; sizeBytes: number; contentType: string };

/**
 * Stores a file for documents for seven days, under a key of the account.
 *
 * @throws AppError CHANNEL_NOT_FOUND, AGENT_NOT_FOUND, what `takeFile` throws, VALIDATION for an empty file, and
 * STORAGE_QUOTA_EXCEEDED.
 */
export const storeKnowledgeFile = async (
  env: AiEnv,
  scope: TenantScope,
  channelId: string,
  { body, ...said }: Upload,
): Promise<KnowledgeFile> => {
  await getAgent(env, scope, channelId);
  return takeFile(env, scope, { body, maxBytes: KNOWLEDGE_MAX_BYTES }, (file) => keep(env, scope, file, said));
};

const keep = async (
  env: AiEnv,
  { tenantId }: TenantScope,
  { sizeBytes, head, stream }: TempFile,
  { contentType: declared, filename }: Omit<Upload, "body">,
): Promise<KnowledgeFile> => {
  if (sizeBytes === 0) throw invalid(issue("", "minLength", "the file is empty"));
  const found = await fileTypeOf({ head, name: filename, declared });
  const contentType = documentType(found, declared, head);
  const objectKey = `${tenantId}/knowledge/${newId(env)}.${documentEndingOf(contentType) ?? UNKNOWN_ENDING}`;
  // the expiry is stored before the file, so that every stored file has one
  await env.db.write(async (tx) => {
    await requireStorage(env, tx, tenantId, sizeBytes);
    await insertStored(tx, { key: objectKey, tenantId, sizeBytes });
    env.jobs.enqueue(tx, "media.erase", { key: objectKey }, { runAt: env.clock.now() + KEPT_MS });
  });
  try {
    await env.files.store.put(objectKey, stream(), { contentType, sizeBytes });
  } catch (thrown) {
    await env.db.write(async (tx) => env.jobs.replace(tx, "media.erase", { key: objectKey }));
    throw thrown;
  }
  return { objectKey, sizeBytes, contentType };
};

const PAGE = /^\s*<(?:!doctype html|html)[\s>]/i;

const documentType = (found: string, declared: string, head: Uint8Array): string => {
  // text that calls itself a picture is no document
  if (isTextType(essenceOf(found)) && isPlayable(declared)) return declared;
  // a page in an upload without a type would be learnt as its source
  const isUntold = found === "text/plain" && essenceOf(declared) !== "text/plain";
  return isUntold && PAGE.test(decodeText(head).text) ? "text/html" : found;
};

const FILE_NAME = /^[0-9a-f-]{36}\.[a-z]+$/;

/** The file that an account uploaded under a key; undefined if there is none, or another account owns it. */
export const openKnowledgeFile = async (
  { db, files }: AiEnv,
  tenantId: TenantId,
  key: string,
): Promise<ReadableStream<Uint8Array> | undefined> => {
  const isIn = (id: TenantId): boolean => {
    const folder = `${id}/knowledge/`;
    return key.startsWith(folder) && FILE_NAME.test(key.slice(folder.length));
  };
  // also the folder of an account that was joined with the tenant
  const isOwn = isIn(tenantId) || (await db.read((reader) => listJoined(reader, tenantId))).some(isIn);
  return isOwn ? (await files.store.read(key))?.body : undefined;
};
