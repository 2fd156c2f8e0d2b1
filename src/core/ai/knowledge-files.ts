import type { TempFile } from "../../contract/files.ts";
import { DAY_MS } from "../../kernel/clock.ts";
import { invalid } from "../../kernel/errors.ts";
import { newId, type TenantId } from "../../kernel/ids.ts";
import { documentEndingOf } from "../../kernel/media-types.ts";
import { issue } from "../../kernel/schema.ts";
import { insertStored } from "../../store/collections.ts";
import type { TenantScope } from "../../store/scope.ts";
import { isMediaType, UNKNOWN_TYPE } from "../media/checks.ts";
import { takeFile } from "../media/taking.ts";
import { requireStorage } from "../tenancy/collections.ts";
import { getAgent } from "./agents.ts";
import type { AiEnv } from "./env.ts";

/** The largest file or page that is read. */
export const KNOWLEDGE_MAX_BYTES = 10 * 1024 * 1024;
/** A file is kept for so long, in which documents can be made of it. They do not need it once they are READY. */
const KEPT_MS = 7 * DAY_MS;

const PDF = "application/pdf";
/**
 * A file's name ends in what its type says, its only witness once it is stored; in this where that is no document's.
 */
const UNKNOWN_ENDING = "bin";

export type KnowledgeFile = { objectKey: string; sizeBytes: number; contentType: string };

/**
 * Keeps a file of which documents are to be made, for seven days, under a key of the account's own. Throws
 * CHANNEL_NOT_FOUND, AGENT_NOT_FOUND, what `takeFile` throws, VALIDATION for an empty one, and STORAGE_QUOTA_EXCEEDED.
 */
export const storeKnowledgeFile = async (
  env: AiEnv,
  scope: TenantScope,
  channelId: string,
  { contentType, body }: { contentType: string; body: AsyncIterable<Uint8Array> },
): Promise<KnowledgeFile> => {
  await getAgent(env, scope, channelId);
  return takeFile(env, scope, { body, maxBytes: KNOWLEDGE_MAX_BYTES }, (file) => keep(env, scope, file, contentType));
};

const keep = async (
  env: AiEnv,
  { tenantId }: TenantScope,
  { sizeBytes, head, stream }: TempFile,
  declared: string,
): Promise<KnowledgeFile> => {
  if (sizeBytes === 0) throw invalid(issue("", "minLength", "the file is empty"));
  const contentType = typeOf(declared, await env.files.sniffedType(head));
  const objectKey = `${tenantId}/knowledge/${newId(env)}.${documentEndingOf(contentType) ?? UNKNOWN_ENDING}`;
  // first its end, so that no file outlives it unnoticed
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

/**
 * What its bytes show, unless it is declared as a text: the first letters of one, such as `BM` or `<?xml`, may be those
 * of many another thing.
 */
const typeOf = (declared: string, shown: string | undefined): string => {
  const isText = ![undefined, documentEndingOf(PDF)].includes(documentEndingOf(declared));
  if (shown === PDF || (shown !== undefined && !isText)) return shown;
  return isMediaType(declared) ? declared : UNKNOWN_TYPE;
};

const FILE_NAME = /^[0-9a-f-]{36}\.[a-z]+$/;

/** The file that an account uploaded under a key; undefined where there is none, or it is another account's. */
export const openKnowledgeFile = async (
  { files }: AiEnv,
  tenantId: TenantId,
  key: string,
): Promise<ReadableStream<Uint8Array> | undefined> => {
  const folder = `${tenantId}/knowledge/`;
  if (!key.startsWith(folder) || !FILE_NAME.test(key.slice(folder.length))) return undefined;
  return (await files.store.read(key))?.body;
};
