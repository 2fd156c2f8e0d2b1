import type { InboundMedia } from "../../contract/events.ts";
import type { ChannelKind } from "../../contract/kind.ts";
import { DAY_MS } from "../../kernel/clock.ts";
import { type ChannelId, newId, type TenantId } from "../../kernel/ids.ts";
import { cleanFilename } from "../../kernel/texts/file-names.ts";
import { UNKNOWN_TYPE } from "../../kernel/texts/media-types.ts";
import type { Tx } from "../../store/engine/db.ts";
import { type ChannelRow, findChannel } from "../../store/tables/channels/channels.ts";
import { insertStored } from "../../store/tables/collections.ts";
import { deleteMedia, insertMedia, storeMedia } from "../../store/tables/media.ts";
import type { Queue } from "../../store/tables/queues.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import type { Environment } from "../../store/tables/tenancy/keys.ts";
import { queueIn } from "../channels/links/channel-queues.ts";
import type { MessageReceived } from "../domain-event.ts";
import type { MediaFailure } from "../events/definitions/messages.ts";
import { channelOrRest, type Origin, publish } from "../events/publish.ts";
import { hasStorage } from "../tenancy/accounts/collections.ts";
import type { MediaEnv } from "./env.ts";
import { eraseFile, fileKeyOf, mediaMetadataOf } from "./media.ts";

/** The longest expiry, also for files that are kept for ever, because a date must be able to hold it. */
const LONGEST_TTL_MS = 36_500 * DAY_MS;

/** How long a file without an acknowledgement is kept. */
export const ttlOf = ({ config }: Pick<MediaEnv, "config">): number => Math.min(config.keep.media, LONGEST_TTL_MS);

/** A message that waits for its file, with the domain event that is published afterwards. */
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
 * The queue of a channel's files. Files of its history have another, so that new files do not wait for thousands of old
 * ones.
 */
export const mediaQueue = ({ channelId, domainEvent }: PendingMessage): Queue =>
  queueIn("media", channelId, domainEvent.isHistory ? "history" : undefined);

/** The metadata of a stored file. */
export type FileMetadata = { contentType: string; sizeBytes: number; sha256: string };

/** A message with what the network says about its file. */
type WithFile = { domainEvent: MessageReceived; file: InboundMedia | undefined };

/** Why a file is not there: the published code, and the same in words. */
export type WhyNoFile = { failure: MediaFailure; reason: string };

/** The account can do something about it. */
export const NO_STORAGE: WhyNoFile = {
  failure: "STORAGE_QUOTA_EXCEEDED",
  reason: "the account may not store so much",
};
const NO_WAY: WhyNoFile = { failure: "UNAVAILABLE", reason: "nothing here fetches files of this channel" };

/**
 * Publishes an inbound message. It is published at once if it has no file, or its file is no longer available.
 * Otherwise it is published after the file was fetched, or the fetch has finally failed. The row of the file and the
 * job that fetches it are written together.
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
  const origin: Origin = { tenantId, channel, environment };
  if (!file || isTooOld) return publish(env, tx, origin, domainEvent);
  if (!env.supervisor.linkOf(channel, environment)?.media)
    return publishFailed(env, tx, origin, { domainEvent, file, ...NO_WAY });
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

/** Publishes a message with its fetched file. The message is published alone when the account's storage is full. */
export const publishWithFile = async (
  env: MediaEnv,
  tx: Tx,
  payload: PendingMessage,
  metadata: FileMetadata,
): Promise<void> => {
  const { mediaId, tenantId, channelId, domainEvent } = payload;
  if (!(await hasStorage(env, tx, tenantId, metadata.sizeBytes)))
    return publishWithoutFile(env, tx, payload, NO_STORAGE);
  const media = await storeMedia(tx, mediaId, { ...metadata, storedAt: env.clock.now() });
  // the channel was deleted meanwhile
  if (!media || !(await findChannel(tx, EVERY_TENANT, channelId))) return publishWithoutFile(env, tx, payload);
  await insertStored(tx, { key: fileKeyOf(media), tenantId: media.tenantId, sizeBytes: media.sizeBytes });
  const stored = mediaMetadataOf(media);
  const origin = await originOf(tx, payload);
  await publish(env, tx, origin, { ...domainEvent, media: stored });
  await publish(env, tx, origin, {
    type: "media.available",
    messageId: domainEvent.messageId,
    chat: domainEvent.chat,
    ...stored,
  });
};

/**
 * Publishes a message whose file is not available, and why. Removes remains of the file from an earlier attempt. Without
 * a reason, the channel was deleted meanwhile: nobody waits for the file.
 */
export const publishWithoutFile = async (
  env: MediaEnv,
  tx: Tx,
  payload: PendingMessage,
  why?: WhyNoFile,
): Promise<void> => {
  const { mediaId, tenantId, domainEvent, file } = payload;
  await deleteMedia(tx, mediaId);
  eraseFile(env, tx, { tenantId, id: mediaId });
  if (why?.failure === NO_STORAGE.failure)
    env.metrics.count("recado_limit_refusals_total", { collection: "stored-bytes" });
  const origin = await originOf(tx, payload);
  if (!why) return publish(env, tx, origin, domainEvent);
  return publishFailed(env, tx, origin, { domainEvent, file, failure: why.failure, reason: why.reason });
};

/** The message says why it has no file, and an event of its own does so too. */
const publishFailed = async (
  env: MediaEnv,
  tx: Tx,
  origin: Origin,
  { domainEvent, file, failure, reason }: WhyNoFile & { domainEvent: MessageReceived; file: InboundMedia },
): Promise<void> => {
  const { messageId, conversationId, chat } = domainEvent;
  await publish(env, tx, origin, { ...domainEvent, mediaError: failure });
  await publish(env, tx, origin, {
    type: "media.failed",
    messageId,
    conversationId,
    chat,
    at: env.clock.now(),
    contentType: file.contentType,
    sizeBytes: file.sizeBytes ?? null,
    filename: (file.filename === undefined ? undefined : cleanFilename(file.filename)) ?? null,
    failure,
    reason,
  });
};

/** Also finds a deleted channel, whose webhooks still receive its messages. */
const originOf = async (tx: Tx, { tenantId, channelId, environment }: PendingMessage): Promise<Origin> => ({
  tenantId,
  channel: await channelOrRest(tx, channelId),
  environment,
});
