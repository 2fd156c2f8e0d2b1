import { AppError } from "../../kernel/errors.ts";
import { findChannel } from "../../store/channels.ts";
import type { Tx } from "../../store/db.ts";
import { ackMedia, findMedia, type MediaRow, type StoredMedia } from "../../store/media.ts";
import type { TenantScope } from "../../store/scope.ts";
import type { MediaMetadata } from "../domain-event.ts";
import type { MediaEnv } from "./env.ts";

export type { StoredMedia as Media } from "../../store/media.ts";

export const unknownMedia = () => new AppError("MEDIA_NOT_FOUND", { message: "There is no such media." });

/**
 * Where the file of a medium lies. Each medium has a file of its own: the same picture sent twice lies there twice, so
 * that an acknowledgement deletes exactly its own, and nobody can tell from his what others were sent.
 */
export const fileKeyOf = ({ tenantId, id }: Pick<MediaRow, "tenantId" | "id">): string => `${tenantId}/${id}`;

/** As it is told of. */
export const mediaMetadataOf = ({ id, contentType, sizeBytes, filename, expiresAt }: StoredMedia): MediaMetadata => ({
  mediaId: id,
  contentType,
  sizeBytes,
  filename,
  expiresAt,
});

/** Has the file removed, in the write that makes it one that nobody may have any more. */
export const eraseFile = (env: Pick<MediaEnv, "jobs">, tx: Tx, media: Pick<MediaRow, "tenantId" | "id">): void =>
  env.jobs.enqueue(tx, "media.erase", { key: fileKeyOf(media) });

/**
 * Throws MEDIA_NOT_FOUND, for another tenant's and a deleted channel's too. What has expired or been deleted is still
 * known.
 */
export const getMedia = (env: Pick<MediaEnv, "db">, scope: TenantScope, id: string): Promise<StoredMedia> =>
  env.db.read(async (reader) => {
    const media = await findMedia(reader, scope, id);
    if (!media || !(await findChannel(reader, scope, media.channelId))) throw unknownMedia();
    return media;
  });

/**
 * A medium whose file may be had. Throws MEDIA_NOT_FOUND, MEDIA_DELETED once it was acknowledged, and MEDIA_EXPIRED.
 */
export const getLivingMedia = async (
  env: Pick<MediaEnv, "db" | "clock">,
  scope: TenantScope,
  id: string,
): Promise<StoredMedia> => {
  const media = await getMedia(env, scope, id);
  if (media.ackedAt !== null)
    throw new AppError("MEDIA_DELETED", { message: "The media was acknowledged, and deleted." });
  if (media.deletedAt !== null || media.expiresAt <= env.clock.now())
    throw new AppError("MEDIA_EXPIRED", { message: "The media was not acknowledged before its end, and deleted." });
  return media;
};

/**
 * The customer has the file: it is deleted at once. Repeating it, and acknowledging what has expired, changes nothing.
 * Throws MEDIA_NOT_FOUND.
 */
export const acknowledgeMedia = async (
  env: Pick<MediaEnv, "db" | "clock" | "jobs">,
  scope: TenantScope,
  id: string,
): Promise<void> => {
  const media = await getMedia(env, scope, id);
  await env.db.write(async (tx) => {
    if (await ackMedia(tx, scope, { id, atMs: env.clock.now() })) eraseFile(env, tx, media);
  });
};
