import type { Files, TempFile } from "../../contract/ports/files.ts";
import type { KeptFile } from "../../contract/ports/kept-files.ts";
import { invalid } from "../../kernel/errors.ts";
import { type ChannelId, newId, type TenantId } from "../../kernel/ids.ts";
import { issue } from "../../kernel/schema.ts";
import { cleanFilename, FILE_HANDLE_PREFIX } from "../../kernel/texts/file-names.ts";
import { fileTypeOf, HEAD_BYTES } from "../../kernel/texts/file-types.ts";
import { UNKNOWN_TYPE } from "../../kernel/texts/media-types.ts";
import type { Db, Reader } from "../../store/engine/db.ts";
import type { FileName } from "../../store/laws/file-references.ts";
import { hideStored, insertStored, listUsable, storedDetails } from "../../store/tables/collections.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { listJoined } from "../../store/tables/tenancy/tenants.ts";
import { requireStorage } from "../tenancy/accounts/collections.ts";
import type { MediaEnv } from "./env.ts";
import { unknownMedia } from "./media.ts";
import { ttlOf } from "./received.ts";
import { takeFile } from "./taking.ts";

/** The largest file that is kept to be sent. Networks accept less for most types. */
export const KEPT_MAX_BYTES = 100 * 1024 * 1024;

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
 * Accepted messages keep it longer.
 * @throws AppError what `takeFile` throws, VALIDATION for an empty file, and STORAGE_QUOTA_EXCEEDED
 */
export const keepFile = (env: MediaEnv, scope: TenantScope, { body, ...said }: Keeping): Promise<Kept> =>
  takeFile(env, scope, { body, maxBytes: KEPT_MAX_BYTES }, (file) => keep(env, scope, file, said));

const keep = async (
  env: MediaEnv,
  { tenantId }: TenantScope,
  { sizeBytes, sha256, head, stream }: TempFile,
  { contentType: declared, filename, onlyFor }: Omit<Keeping, "body">,
): Promise<Kept> => {
  if (sizeBytes === 0) throw invalid(issue("", "minLength", "the file is empty"));
  const contentType = await fileTypeOf({ head, name: filename, declared });
  const name = cleanFilename(filename ?? "") ?? null;
  const handle = `${FILE_HANDLE_PREFIX}${newId(env)}`;
  const mediaHandle = onlyFor === undefined ? handle : handleOfChannel(handle, onlyFor);
  const key = keyOf(tenantId, mediaHandle);
  const expiresAt = env.clock.now() + ttlOf(env);
  // the expiry is stored before the file, so that every stored file has one
  await env.db.write(async (tx) => {
    await requireStorage(env, tx, tenantId, sizeBytes);
    await insertStored(tx, { key, tenantId, sizeBytes, name, sha256: sha256.hex });
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

/** The handle of the same file, if it was kept for one channel alone. */
export const handleOfChannel = (handle: string, channelId: ChannelId): string => `${handle}.${channelId}`;

const FOLDER = "uploads";
const keyOf = (tenantId: TenantId, handle: string): string =>
  `${tenantId}/${FOLDER}/${handle.slice(FILE_HANDLE_PREFIX.length)}`;

/** The name of a file in the store by which waiting work may refer to it; undefined for other files. */
export const fileNameOf = (key: string): FileName | undefined => {
  const [tenantId = "", folder, name = ""] = key.split("/");
  if (folder !== FOLDER && folder !== "knowledge") return undefined;
  return { tenantId: tenantId as TenantId, key, handle: folder === FOLDER ? FILE_HANDLE_PREFIX + name : undefined };
};

/** The possible places of a handle's file, including the folder of an account that was joined with the tenant. */
export const placesOf = async (r: Reader, tenantId: TenantId, handle: string): Promise<string[]> =>
  HANDLE.test(handle) ? [tenantId, ...(await listJoined(r, tenantId))].map((one) => keyOf(one, handle)) : [];

/**
 * The key of a file that an account keeps, by its handle. Undefined for a file that has expired, was deleted, or
 * belongs to another account. Only within a write does this stay true until work that refers to the file is accepted.
 */
export const findUsableKey = async (r: Reader, tenantId: TenantId, handle: string): Promise<string | undefined> => {
  const places = await placesOf(r, tenantId, handle);
  return places.length === 0 ? undefined : (await listUsable(r, places))[0];
};

type KeptEnv = { db: Pick<Db, "read">; files: Pick<Files, "store"> };

/** The file of a handle, also after its end. */
const stored = async ({ db, files }: KeptEnv, tenantId: TenantId, handle: string) => {
  for (const key of await db.read((reader) => placesOf(reader, tenantId, handle))) {
    const file = await files.store.read(key);
    if (file) return { ...file, key };
  }
  return undefined;
};

/** Whether the bytes of a handle are there, also after its end. */
export const isStored = async (env: KeptEnv, tenantId: TenantId, handle: string): Promise<boolean> =>
  (await stored(env, tenantId, handle)) !== undefined;

/** Whether an account has a file under a handle, for new messages. */
export const isKept = async (env: KeptEnv, tenantId: TenantId, handle: string): Promise<boolean> =>
  (await env.db.read((reader) => findUsableKey(reader, tenantId, handle))) !== undefined &&
  (await isStored(env, tenantId, handle));

/**
 * The file of an account's handle, for a message that was accepted with it; undefined if there is none, or another
 * account has it.
 */
export const openKept = async (env: KeptEnv, tenantId: TenantId, handle: string): Promise<KeptFile | undefined> => {
  const shown = await stored(env, tenantId, handle);
  const head = shown && (await headOf(shown.body));
  const file = shown && (await stored(env, tenantId, handle));
  if (!head || !file) return undefined;
  const { name, sha256 } = await env.db.read((reader) => storedDetails(reader, file.key));
  const contentType = await fileTypeOf({ head, name: name ?? undefined });
  return {
    body: file.body,
    sizeBytes: file.sizeBytes,
    contentType: contentType === UNKNOWN_TYPE ? undefined : contentType,
    name: name ?? undefined,
    sha256: sha256 ?? undefined,
  };
};

/**
 * The file of an account's handle.
 * @throws AppError MEDIA_NOT_FOUND if there is none, it has expired or was deleted, or another account has it
 */
export const keptFile = async (env: KeptEnv, { tenantId }: TenantScope, handle: string): Promise<KeptFile> => {
  const isUsable = (await env.db.read((reader) => findUsableKey(reader, tenantId, handle))) !== undefined;
  const file = isUsable ? await openKept(env, tenantId, handle) : undefined;
  if (!file) throw unknownMedia();
  return file;
};

/**
 * Ends the handle of an account's file at once. The file goes with the last message that was accepted with it.
 * @throws AppError MEDIA_NOT_FOUND if there is none, it has expired or was deleted, or another account has it
 */
export const dropKept = (env: MediaEnv, { tenantId }: TenantScope, handle: string): Promise<void> =>
  env.db.write(async (tx) => {
    const key = await findUsableKey(tx, tenantId, handle);
    if (key === undefined) throw unknownMedia();
    await hideStored(tx, key, env.clock.now());
    env.jobs.replace(tx, "media.erase", { key });
  });

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
