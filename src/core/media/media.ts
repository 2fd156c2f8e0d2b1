import { AppError } from "../../kernel/errors.ts";
import type { Tx } from "../../store/engine/db.ts";
import { findChannel } from "../../store/tables/channels/channels.ts";
import { ackMedia, findMedia, type MediaRow, type StoredMedia } from "../../store/tables/media.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import type { MediaMetadata } from "../domain-event.ts";
import type { MediaEnv } from "./env.ts";

export type { StoredMedia as Media } from "../../store/tables/media.ts";

export const unknownMedia = () => new AppError("MEDIA_NOT_FOUND", { message: "There is no such media." });

/**
 * The key of a media file in the store. Each media row has a file of its own, also for equal bytes. So an
 * acknowledgement deletes exactly one file, and shows no customer what others received.
 */
export const fileKeyOf = ({ tenantId, id, folder }: FileOwner): string => `${folder ?? tenantId}/${id}`;

type FileOwner = Pick<MediaRow, "tenantId" | "id"> & Partial<Pick<MediaRow, "folder">>;

/** The metadata of a file, as events publish it. */
export const mediaMetadataOf = ({ id, contentType, sizeBytes, filename, expiresAt }: StoredMedia): MediaMetadata => ({
  mediaId: id,
  contentType,
  sizeBytes,
  filename,
  expiresAt,
});

/** Enqueues the removal of a file, in the write that makes the file unavailable. */
export const eraseFile = (env: Pick<MediaEnv, "jobs">, tx: Tx, media: FileOwner): void =>
  env.jobs.enqueue(tx, "media.erase", { key: fileKeyOf(media) });

/**
 * Also finds media that has expired or was deleted.
 * @throws AppError MEDIA_NOT_FOUND, also for media of another tenant or of a deleted channel
 */
export const getMedia = (env: Pick<MediaEnv, "db">, scope: TenantScope, id: string): Promise<StoredMedia> =>
  env.db.read(async (reader) => {
    const media = await findMedia(reader, scope, id);
    if (!media || !(await findChannel(reader, scope, media.channelId))) throw unknownMedia();
    return media;
  });

/**
 * Media whose file is available.
 * @throws AppError MEDIA_NOT_FOUND, MEDIA_DELETED after an acknowledgement, or MEDIA_EXPIRED
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
 * Deletes the file at once, because the customer has it. A repeat changes nothing, nor does the acknowledgement of an
 * expired file.
 * @throws AppError MEDIA_NOT_FOUND
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
