import type { InboundMedia } from "../../contract/events.ts";
import type { ChannelKind } from "../../contract/kind.ts";
import { DAY_MS } from "../../kernel/clock.ts";
import { cleanFilename } from "../../kernel/file-names.ts";
import { type ChannelId, newId, type TenantId } from "../../kernel/ids.ts";
import { type ChannelRow, findChannel } from "../../store/channels.ts";
import { insertStored } from "../../store/collections.ts";
import type { Tx } from "../../store/db.ts";
import type { Environment } from "../../store/keys.ts";
import { deleteMedia, insertMedia, storeMedia } from "../../store/media.ts";
import { type Queue, queueOfChannel } from "../../store/queues.ts";
import { EVERY_TENANT } from "../../store/scope.ts";
import type { MessageReceived } from "../domain-event.ts";
import { channelOrRest, type Origin, publish } from "../events/publish.ts";
import { hasStorage } from "../tenancy/collections.ts";
import { UNKNOWN_TYPE } from "./checks.ts";
import type { MediaEnv } from "./env.ts";
import { eraseFile, fileKeyOf, mediaMetadataOf } from "./media.ts";

/** A file that is kept for ever has an end all the same: a time that a date can say. */
const LONGEST_TTL_MS = 36_500 * DAY_MS;

/** How long a file is kept that nobody acknowledges. */
const ttlOf = ({ config }: Pick<MediaEnv, "config">): number => Math.min(config.keep.media, LONGEST_TTL_MS);

/** A message that waits for its file, with everything that is told of it then. */
export type PendingMessage = {
  mediaId: string;
  tenantId: TenantId;
  channelId: ChannelId;
  channelKind: ChannelKind;
  environment: Environment;
  file: InboundMedia;
  domainEvent: MessageReceived;
};

/**
 * The files of a channel come in a queue of its own, and those of its history in another: what is new does not wait for
 * thousands of old ones.
 */
export const mediaQueue = ({ channelId, domainEvent }: PendingMessage): Queue =>
  queueOfChannel("media", channelId, domainEvent.isHistory ? "history" : undefined);

/** What is known of a file once it is in the store. */
export type FileMetadata = { contentType: string; sizeBytes: number; sha256: string };

/** A message with what the network says of its file. */
type WithFile = { domainEvent: MessageReceived; file: InboundMedia | undefined };

/**
 * Tells of a message that came in: at once where it has no file, or one that cannot be had any more; else when its file
 * has been fetched or given up. The row of the file, and the job that fetches it and then tells, are written together.
 */
export const publishReceived = async (
  env: MediaEnv,
  tx: Tx,
  at: { channel: ChannelRow; environment: Environment },
  { domainEvent, file }: WithFile,
): Promise<void> => {
  const { channel, environment } = at;
  const { id: channelId, kind: channelKind, tenantId } = channel;
  const createdAt = env.clock.now();
  const isTooOld = domainEvent.isHistory && createdAt - domainEvent.at >= ttlOf(env);
  if (!file || isTooOld || !env.supervisor.linkOf(channel, environment)?.media)
    return publish(env, tx, { tenantId, channel, environment }, domainEvent);
  const mediaId = newId(env);
  await insertMedia(tx, {
    id: mediaId,
    tenantId,
    channelId,
    messageId: domainEvent.messageId,
    contentType: UNKNOWN_TYPE, // until its bytes are there
    filename: (file.filename === undefined ? undefined : cleanFilename(file.filename)) ?? null,
    createdAt,
    expiresAt: createdAt + ttlOf(env),
  });
  env.jobs.enqueue(tx, "media.download", { mediaId, tenantId, channelId, channelKind, environment, file, domainEvent });
};

/**
 * Tells of a message whose file was fetched, and of the file; of the message alone where its account may not store so
 * much.
 */
export const publishWithFile = async (
  env: MediaEnv,
  tx: Tx,
  payload: PendingMessage,
  facts: FileMetadata,
): Promise<void> => {
  const { mediaId, tenantId, channelId, domainEvent } = payload;
  if (!(await hasStorage(env, tx, tenantId, facts.sizeBytes))) return publishWithoutFile(env, tx, payload, NO_STORAGE);
  const media = await storeMedia(tx, mediaId, { ...facts, storedAt: env.clock.now() });
  // the channel was deleted meanwhile
  if (!media || !(await findChannel(tx, EVERY_TENANT, channelId))) return publishWithoutFile(env, tx, payload);
  await insertStored(tx, { key: fileKeyOf(media), tenantId, sizeBytes: media.sizeBytes });
  const told = mediaMetadataOf(media);
  const origin = await originOf(tx, payload);
  await publish(env, tx, origin, { ...domainEvent, media: told });
  await publish(env, tx, origin, {
    type: "media.available",
    messageId: domainEvent.messageId,
    chat: domainEvent.chat,
    ...told,
  });
};

/** Why a message comes without its file, where its account can do something about it. */
export const NO_STORAGE = "STORAGE_QUOTA_EXCEEDED";

/** Tells of a message whose file cannot be had. What an earlier try may have left of it is removed. */
export const publishWithoutFile = async (
  env: MediaEnv,
  tx: Tx,
  payload: PendingMessage,
  mediaError?: typeof NO_STORAGE,
): Promise<void> => {
  const { mediaId, tenantId, domainEvent } = payload;
  await deleteMedia(tx, mediaId);
  eraseFile(env, tx, { tenantId, id: mediaId });
  if (mediaError) env.metrics.count("recado_limit_refusals_total", { collection: "stored-bytes" });
  await publish(env, tx, await originOf(tx, payload), mediaError ? { ...domainEvent, mediaError } : domainEvent);
};

/** What is left of a deleted channel still hears of its messages. */
const originOf = async (tx: Tx, { tenantId, channelId, environment }: PendingMessage): Promise<Origin> => ({
  tenantId,
  channel: await channelOrRest(tx, channelId),
  environment,
});
