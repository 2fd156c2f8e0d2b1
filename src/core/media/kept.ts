import type { Files, TempFile } from "../../contract/files.ts";
import type { KeptFile } from "../../contract/kept-files.ts";
import { invalid } from "../../kernel/errors.ts";
import { cleanFilename } from "../../kernel/file-names.ts";
import { type ChannelId, newId, type TenantId } from "../../kernel/ids.ts";
import { issue } from "../../kernel/schema.ts";
import { insertStored, storedName } from "../../store/collections.ts";
import type { Db } from "../../store/db.ts";
import type { TenantScope } from "../../store/scope.ts";
import { listJoined } from "../../store/tenants.ts";
import { requireStorage } from "../tenancy/collections.ts";
import { isMediaType, UNKNOWN_TYPE } from "./checks.ts";
import type { MediaEnv } from "./env.ts";
import { unknownMedia } from "./media.ts";
import { ttlOf } from "./received.ts";
import { takeFile } from "./taking.ts";

/** The largest file that is kept to be sent. Networks take less of most types. */
export const KEPT_MAX_BYTES = 100 * 1024 * 1024;

const PREFIX = "file-";
const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
/** The id of a file, and of the one channel that it was kept for. */
const HANDLE = new RegExp(`^file-${UUID}(?:\\.${UUID})?$`);

export type Kept = {
  mediaHandle: string;
  contentType: string;
  sizeBytes: number;
  filename: string | null;
  expiresAt: number;
};
/** `onlyFor`: the one channel that the file is kept for, which its handle names. */
export type Keeping = {
  body: AsyncIterable<Uint8Array>;
  contentType: string;
  filename?: string | undefined;
  onlyFor?: ChannelId;
};

/**
 * Keeps a file of an account under a handle, for messages of its channels, as long as files of messages are kept.
 * @throws AppError what `takeFile` throws, VALIDATION for an empty file, and STORAGE_QUOTA_EXCEEDED
 */
export const keepFile = (env: MediaEnv, scope: TenantScope, { body, ...said }: Keeping): Promise<Kept> =>
  takeFile(env, scope, { body, maxBytes: KEPT_MAX_BYTES }, (file) => keep(env, scope, file, said));

const keep = async (
  env: MediaEnv,
  { tenantId }: TenantScope,
  { sizeBytes, head, stream }: TempFile,
  { contentType: declared, filename, onlyFor }: Omit<Keeping, "body">,
): Promise<Kept> => {
  if (sizeBytes === 0) throw invalid(issue("", "minLength", "the file is empty"));
  const contentType = (await env.files.sniffedType(head)) ?? (isMediaType(declared) ? declared : UNKNOWN_TYPE);
  const name = cleanFilename(filename ?? "") ?? null;
  const handle = `${PREFIX}${newId(env)}`;
  const mediaHandle = onlyFor === undefined ? handle : handleOfChannel(handle, onlyFor);
  const key = keyOf(tenantId, mediaHandle);
  const expiresAt = env.clock.now() + ttlOf(env);
  // the expiry is stored before the file, so that every stored file has one
  await env.db.write(async (tx) => {
    await requireStorage(env, tx, tenantId, sizeBytes);
    await insertStored(tx, { key, tenantId, sizeBytes, name });
    env.jobs.enqueue(tx, "media.erase", { key }, { runAt: expiresAt });
  });
  try {
    await env.files.store.put(key, stream(), { contentType, sizeBytes });
  } catch (thrown) {
    await env.db.write(async (tx) => env.jobs.replace(tx, "media.erase", { key }));
    throw thrown;
  }
  return { mediaHandle, contentType, sizeBytes, filename: name, expiresAt };
};

/** The handle of the same file, where it was kept for one channel alone. */
export const handleOfChannel = (handle: string, channelId: ChannelId): string => `${handle}.${channelId}`;

const keyOf = (tenantId: TenantId, handle: string): string => `${tenantId}/uploads/${handle.slice(PREFIX.length)}`;

/** Whether a handle has the form of Recado's own. */
export const isOwnHandle = (handle: string): boolean => handle.startsWith(PREFIX);

type KeptEnv = { db: Pick<Db, "read">; files: Pick<Files, "store"> };

/** The file of a handle, also of an account that was joined with the tenant. */
const stored = async ({ db, files }: KeptEnv, tenantId: TenantId, handle: string) => {
  if (!HANDLE.test(handle)) return undefined;
  const read = async (owner: TenantId) => {
    const key = keyOf(owner, handle);
    const file = await files.store.read(key);
    return file && { ...file, key };
  };
  const own = await read(tenantId);
  if (own) return own;
  for (const joined of await db.read((reader) => listJoined(reader, tenantId))) {
    const file = await read(joined);
    if (file) return file;
  }
  return undefined;
};

/** Whether an account has a file under a handle. */
export const isKept = async (env: KeptEnv, tenantId: TenantId, handle: string): Promise<boolean> =>
  (await stored(env, tenantId, handle)) !== undefined;

type OpeningEnv = KeptEnv & { files: Pick<Files, "sniffedType"> };

/** The file of an account's handle; undefined when there is none, or another account has it. */
export const openKept = async (env: OpeningEnv, tenantId: TenantId, handle: string): Promise<KeptFile | undefined> => {
  const shown = await stored(env, tenantId, handle);
  const contentType = shown && (await env.files.sniffedType(await headOf(shown.body)));
  const file = shown && (await stored(env, tenantId, handle));
  if (!file) return undefined;
  const name = (await env.db.read((reader) => storedName(reader, file.key))) ?? undefined;
  return { body: file.body, sizeBytes: file.sizeBytes, contentType, name };
};

/**
 * The file of an account's handle.
 * @throws AppError MEDIA_NOT_FOUND where there is none, or another account has it
 */
export const keptFile = async (env: OpeningEnv, { tenantId }: TenantScope, handle: string): Promise<KeptFile> => {
  const file = await openKept(env, tenantId, handle);
  if (!file) throw unknownMedia();
  return file;
};

/**
 * Deletes the file of an account's handle at once.
 * @throws AppError MEDIA_NOT_FOUND where there is none, or another account has it
 */
export const dropKept = async (env: MediaEnv, { tenantId }: TenantScope, handle: string): Promise<void> => {
  if (!(await isKept(env, tenantId, handle))) throw unknownMedia();
  await env.db.write(async (tx) => env.jobs.replace(tx, "media.erase", { key: keyOf(tenantId, handle) }));
};

/** Enough to see the type of a file. */
const HEAD_BYTES = 4100;

const headOf = async (body: ReadableStream<Uint8Array>): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.length;
    if (size >= HEAD_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, HEAD_BYTES);
};
