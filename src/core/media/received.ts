import type { InboundContent } from "../../contract/content/inbound-content.ts";
import type { InboundMedia } from "../../contract/events.ts";
import type { ChannelKind } from "../../contract/kind.ts";
import { DAY_MS, MINUTE_MS } from "../../kernel/clock.ts";
import { type ChannelId, type ConversationId, type MessageId, newId, type TenantId } from "../../kernel/ids.ts";
import { cleanFilename } from "../../kernel/texts/file-names.ts";
import { UNKNOWN_TYPE } from "../../kernel/texts/media-types.ts";
import type { Tx } from "../../store/engine/db.ts";
import { type ChannelRow, findChannel } from "../../store/tables/channels/channels.ts";
import { insertStored } from "../../store/tables/collections.ts";
import { deleteMedia, insertMedia, storeMedia } from "../../store/tables/media.ts";
import { pauseQueue, type Queue } from "../../store/tables/queues.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import type { Environment } from "../../store/tables/tenancy/keys.ts";
import { queueIn } from "../channels/links/channel-queues.ts";
import type { Contact, MediaMetadata, MessageReceived } from "../domain-event.ts";
import type { MediaFailure } from "../events/definitions/messages.ts";
import { channelOrRest, type Origin, publish } from "../events/publish.ts";
import { hasStorage } from "../tenancy/accounts/collections.ts";
import type { MediaEnv } from "./env.ts";
import { eraseFile, fileKeyOf, mediaMetadataOf } from "./media.ts";

/** The longest expiry, also for files that are kept for ever, because a date must be able to hold it. */
const LONGEST_TTL_MS = 36_500 * DAY_MS;

/** How long a file without an acknowledgement is kept. */
export const ttlOf = ({ config }: Pick<MediaEnv, "config">): number => Math.min(config.keep.media, LONGEST_TTL_MS);

/** A file that has to be fetched from the network of a channel. */
type PendingFile = {
  mediaId: string;
  tenantId: TenantId;
  channelId: ChannelId;
  channelKind: ChannelKind;
  environment: Environment;
  file: InboundMedia;
};

/** How long the refusal of a channel's credentials may take to be recorded in the channel's state. */
export const RECORDED_BY_MS = MINUTE_MS;

/** A message that waits for its file, with the domain event that is published afterwards. */
export type PendingMessage = PendingFile & { domainEvent: MessageReceived };

/** A file with the message that it belongs to. */
export type FileOfMessage = PendingFile & {
  message: { messageId: MessageId; conversationId: ConversationId | null; chat: Contact; type: InboundContent["type"] };
};

export const fileOf = ({ domainEvent, ...pending }: PendingMessage): FileOfMessage => {
  const { messageId, conversationId, chat, content } = domainEvent;
  return { ...pending, message: { messageId, conversationId, chat, type: content.type } };
};

/**
 * The queue of a channel's files. Files of its history have another, so that new files do not wait for thousands of old
 * ones.
 */
export const mediaQueue = ({ channelId, domainEvent }: PendingMessage): Queue =>
  queueIn("media", channelId, domainEvent.isHistory ? "history" : undefined);

/** The queue of files that wait for good credentials of their channel. Files that come later do not wait behind them. */
export const waitingQueue = ({ channelId }: FileOfMessage): Queue => queueIn("files", channelId);

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
  const pending = { mediaId: newId(env), tenantId, channelId, channelKind, environment, file, domainEvent };
  if (!env.supervisor.linkOf(channel, environment)?.media) {
    await publish(env, tx, origin, { ...domainEvent, mediaError: NO_WAY.failure });
    return publishFailed(env, tx, origin, { message: fileOf(pending).message, file, ...NO_WAY });
  }
  await insertMedia(tx, {
    id: pending.mediaId,
    tenantId,
    channelId,
    messageId: domainEvent.messageId,
    contentType: UNKNOWN_TYPE, // until its bytes are there
    filename: (file.filename === undefined ? undefined : cleanFilename(file.filename)) ?? null,
    createdAt,
    expiresAt: createdAt + ttlOf(env),
  });
  env.jobs.enqueue(tx, "media.download", pending);
};

/** Publishes a message with its fetched file. The message is published alone when the account's storage is full. */
export const publishWithFile = async (
  env: MediaEnv,
  tx: Tx,
  payload: PendingMessage,
  metadata: FileMetadata,
): Promise<void> => {
  const kept = await recordFile(env, tx, payload, metadata);
  if (!kept.ok) return publishWithoutFile(env, tx, payload, kept.why);
  await publish(env, tx, kept.origin, { ...payload.domainEvent, media: kept.media });
  await publishAvailable(env, tx, fileOf(payload), kept);
};

/** A recorded file with the origin of its events. */
type Recorded = { ok: true; media: MediaMetadata; origin: Origin };

/**
 * Records that a file is stored, or says why it is not kept; without a reason, its channel was deleted meanwhile. Its
 * term begins now: it may have waited for days.
 */
export const recordFile = async (
  env: MediaEnv,
  tx: Tx,
  { mediaId, tenantId, channelId, environment }: PendingFile,
  metadata: FileMetadata,
): Promise<Recorded | { ok: false; why?: WhyNoFile }> => {
  if (!(await hasStorage(env, tx, tenantId, metadata.sizeBytes))) return { ok: false, why: NO_STORAGE };
  const storedAt = env.clock.now();
  const media = await storeMedia(tx, mediaId, { ...metadata, storedAt, expiresAt: storedAt + ttlOf(env) });
  const channel = media && (await findChannel(tx, EVERY_TENANT, channelId));
  if (!channel) return { ok: false };
  await insertStored(tx, { key: fileKeyOf(media), tenantId: media.tenantId, sizeBytes: media.sizeBytes });
  return { ok: true, media: mediaMetadataOf(media), origin: { tenantId, channel, environment } };
};

export const publishAvailable = async (
  env: MediaEnv,
  tx: Tx,
  { message: { messageId, chat } }: FileOfMessage,
  { media, origin }: Recorded,
): Promise<void> => {
  await publish(env, tx, origin, { type: "media.available", messageId, chat, ...media });
};

/**
 * Publishes a message before its file, which waits for good credentials of the channel: a person's words do not wait for
 * days. The file, or its failure, follows with an event of its own.
 */
export const publishBeforeFile = async (env: MediaEnv, tx: Tx, payload: PendingMessage): Promise<void> => {
  await publish(env, tx, await originOf(tx, payload), payload.domainEvent);
  const waiting = fileOf(payload);
  const now = env.clock.now();
  env.jobs.enqueue(tx, "media.fetch-waiting", waiting, { runAt: now });
  pauseQueue(tx, waitingQueue(waiting).key, now + RECORDED_BY_MS, "away");
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
  await publish(env, tx, await originOf(tx, payload), {
    ...payload.domainEvent,
    ...(why ? { mediaError: why.failure } : {}),
  });
  await giveUpFile(env, tx, fileOf(payload), why);
};

/**
 * Publishes that the file of a published message cannot be had, and why. Removes remains of the file from an earlier
 * attempt. Without a reason nobody waits for the file.
 */
export const giveUpFile = async (env: MediaEnv, tx: Tx, pending: FileOfMessage, why?: WhyNoFile): Promise<void> => {
  const { mediaId, tenantId, file, message } = pending;
  await deleteMedia(tx, mediaId);
  eraseFile(env, tx, { tenantId, id: mediaId });
  if (why?.failure === NO_STORAGE.failure)
    env.metrics.count("recado_limit_refusals_total", { collection: "stored-bytes" });
  if (why) await publishFailed(env, tx, await originOf(tx, pending), { message, file, ...why });
};

const publishFailed = async (
  env: MediaEnv,
  tx: Tx,
  origin: Origin,
  { message, file, failure, reason }: WhyNoFile & Pick<FileOfMessage, "message" | "file">,
): Promise<void> => {
  const { messageId, conversationId, chat } = message;
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
const originOf = async (tx: Tx, { tenantId, channelId, environment }: PendingFile): Promise<Origin> => ({
  tenantId,
  channel: await channelOrRest(tx, channelId),
  environment,
});
