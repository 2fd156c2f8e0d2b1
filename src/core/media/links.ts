import { MINUTE_MS, SECOND_MS } from "../../kernel/clock.ts";
import { hmacSha256, isSameSecret } from "../../kernel/crypto.ts";
import { AppError } from "../../kernel/errors.ts";
import type { MessageId, TenantId } from "../../kernel/ids.ts";
import { listMediaOf } from "../../store/tables/media.ts";
import { deletionTime } from "../../store/tables/messaging/message-acts.ts";
import type { TenantScope, Viewer } from "../../store/tables/scope.ts";
import { findOwner } from "../../store/tables/tenancy/tenants.ts";
import type { MediaEnv } from "./env.ts";
import { fileKeyOf, getLivingMedia, type Media, unknownMedia } from "./media.ts";

const LINK_TTL_MS = 10 * MINUTE_MS;

export type LinkEnv = Pick<MediaEnv, "db" | "clock" | "secrets" | "files" | "gatewayUrl">;

/** The signatures by the current key, and by the keys of earlier master keys that are still valid. */
const signaturesOf = ({ secrets, clock }: Pick<MediaEnv, "secrets" | "clock">, key: string, exp: string): string[] =>
  secrets.signingKeys("file-links", clock.now()).map((one) => hmacSha256(one.key, `${key}\n${exp}`, "hex"));

/**
 * An address that gives anyone the file at `key`, for ten minutes by default. It is the store's own address if the store serves
 * files, else ours.
 */
export const signedLink = (
  env: LinkEnv,
  key: string,
  { contentType, filename }: { contentType: string; filename: string | null },
  ttlMs = LINK_TTL_MS,
): string => {
  const urlOfStore = env.files.store.urlOf?.(key, {
    ttlSeconds: ttlMs / SECOND_MS,
    filename: filename ?? undefined,
    contentType,
  });
  return urlOfStore ?? `${env.gatewayUrl()}/files/${key}?${signedUntil(env, key, env.clock.now() + ttlMs)}`;
};

/** The query of an address of ours that gives anyone the file at `key`, for ten minutes. */
export const signedQuery = (env: Pick<LinkEnv, "secrets" | "clock">, key: string): string =>
  signedUntil(env, key, env.clock.now() + LINK_TTL_MS);

/** The same for an address that is good until `untilMs`. */
export const signedUntil = (env: Pick<LinkEnv, "secrets" | "clock">, key: string, untilMs: number): string => {
  const exp = String(Math.ceil(untilMs / SECOND_MS));
  return `exp=${exp}&sig=${signaturesOf(env, key, exp)[0]}`;
};

/** The query of our address: when it expires, and the signature. */
export type Signed = { exp?: string; sig?: string };

/** Whether a signature is ours, also after the end of its address. */
export const isSigned = (env: LinkEnv, key: string, { exp = "", sig = "" }: Signed): boolean =>
  signaturesOf(env, key, exp).some((one) => isSameSecret(sig, one));

/** @throws AppError LINK_REFUSED for an address of ours that was altered, or is older than ten minutes */
export const checkLink = (env: LinkEnv, key: string, signed: Signed): void => {
  if (!isSigned(env, key, signed) || env.clock.now() >= Number(signed.exp) * SECOND_MS)
    throw new AppError("LINK_REFUSED", { message: "The address was altered, or its ten minutes are over." });
};

/**
 * The signed address of a media file.
 * @throws AppError MEDIA_NOT_FOUND, MEDIA_DELETED, or MEDIA_EXPIRED
 */
export const fileLink = async (env: LinkEnv, scope: TenantScope, id: string): Promise<string> => {
  const media = await getLivingMedia(env, scope, id);
  return signedLink(env, fileKeyOf(media), media);
};

/**
 * The same for the file of a message. Files come only from networks, so a test key sees none. A message that was deleted
 * for everyone has none.
 */
export const fileLinkOfMessage = async (env: LinkEnv, viewer: Viewer, messageId: string): Promise<string> => {
  const file = viewer.environment === "test" ? undefined : await fileOfMessage(env, viewer, messageId);
  if (!file) throw unknownMedia();
  return fileLink(env, viewer, file.id);
};

const fileOfMessage = (env: Pick<LinkEnv, "db">, scope: TenantScope, messageId: string) =>
  env.db.read(async (reader) => {
    const [known] = await listMediaOf(reader, scope, [messageId]);
    return known && (await deletionTime(reader, messageId as MessageId)) === null ? known : undefined;
  });

/** The same for the file of a live message, for so long. Undefined if the message has no file, and if the file is gone. */
export const linkOfMessage = async (
  env: LinkEnv,
  { tenantId }: TenantScope,
  messageId: string,
  ttlMs: number,
): Promise<string | undefined> => {
  const file = await fileOfMessage(env, { tenantId }, messageId);
  const leftMs = (file?.expiresAt ?? 0) - env.clock.now();
  if (!file || file.ackedAt !== null || file.deletedAt !== null || leftMs <= 0) return undefined;
  return signedLink(env, fileKeyOf(file), file, Math.min(ttlMs, leftMs));
};

/**
 * `tenantId`: the account in whose folder the file lies. The file now belongs to the institution that it was joined
 * with, if any.
 */
export type FileLink = Signed & { tenantId: string; id: string };

/**
 * The file of one of our signed addresses.
 * @throws what `checkLink` throws, and what `fileLink` throws when the file is gone meanwhile
 */
export const openFile = async (
  env: LinkEnv & Pick<MediaEnv, "log">,
  { tenantId, id, ...signed }: FileLink,
): Promise<{ media: Media; body: ReadableStream<Uint8Array> }> => {
  const link = { tenantId: tenantId as TenantId, id };
  checkLink(env, fileKeyOf(link), signed);
  return openOfOwner(env, link.tenantId, id);
};

/**
 * A file of an account, or of the institution that owns it since they were joined.
 * @throws AppError MEDIA_NOT_FOUND, MEDIA_DELETED, or MEDIA_EXPIRED
 */
export const openOfOwner = async (
  env: Parameters<typeof openMedia>[0],
  tenantId: TenantId,
  id: string,
): Promise<{ media: Media; body: ReadableStream<Uint8Array> }> =>
  openMedia(env, await env.db.read((reader) => findOwner(reader, tenantId)), id);

/** What reading a file takes. */
export type FileEnv = Pick<MediaEnv, "db" | "clock" | "files" | "log">;

/**
 * The file of a message.
 * @throws AppError MEDIA_NOT_FOUND, MEDIA_DELETED, or MEDIA_EXPIRED
 */
export const openMedia = async (
  env: FileEnv,
  scope: TenantScope,
  id: string,
): Promise<{ media: Media; body: ReadableStream<Uint8Array> }> => {
  const media = await getLivingMedia(env, scope, id);
  const file = await env.files.store.read(fileKeyOf(media));
  if (!file) {
    env.log.error({ tenantId: scope.tenantId, mediaId: id }, "the file of a medium is not in the store");
    throw unknownMedia();
  }
  return { media, body: file.body };
};

/**
 * Reads a message's file. Undefined if the message has no file, or a file of more than `maxBytes`; the reading gives
 * undefined if the file is gone. Neither rejects: a fault of the store is logged.
 */
export const smallFileOf = async (
  env: FileEnv,
  scope: TenantScope,
  messageId: string,
  maxBytes: number,
): Promise<(() => Promise<Uint8Array | undefined>) | undefined> => {
  const [known] = await env.db.read((reader) => listMediaOf(reader, scope, [messageId]));
  if (!known || known.sizeBytes > maxBytes) return undefined;
  return async () => {
    try {
      const { body } = await openMedia(env, scope, known.id);
      return new Uint8Array(await new Response(body).arrayBuffer());
    } catch (error) {
      if (!(error instanceof AppError)) env.log.error({ err: error, messageId }, "the file of a message was not read");
      return undefined;
    }
  };
};
