import { type TSchema, Type } from "@sinclair/typebox";
import type { InboundMedia } from "../../contract/events.ts";
import type { ChannelKind } from "../../contract/kind.ts";
import { late } from "../../kernel/async.ts";
import type { ChannelId, MessageId, TenantId } from "../../kernel/ids.ts";
import { Nullable, OneOf } from "../../kernel/schema.ts";
import { versioned } from "../../kernel/versioned.ts";
import { job } from "../../runtime/jobs.ts";
import { commonQueue } from "../../store/tables/queues.ts";
import type { Contact, MessageReceived } from "../domain-event.ts";
import { CHANNEL, environment, HOUSEKEEPING, id, NOTHING } from "../job-parts.ts";
import type { MediaEnv } from "./env.ts";
import { type FileOfMessage, giveUpFile, mediaQueue, publishWithoutFile, waitingQueue } from "./received.ts";

const file = Type.Unsafe<InboundMedia>(
  Type.Object({
    nativeId: Type.String(),
    contentType: Type.String(),
    sizeBytes: Type.Optional(Type.Number()),
    filename: Type.Optional(Type.String()),
    sha256: Type.Optional(Type.String()),
  } satisfies Record<keyof InboundMedia, TSchema>),
);

const TextOrNull = Type.Optional(Nullable(Type.String()));
/** Any fields: it is stored as its source gave it. */
const Any = (fields: Record<string, TSchema> = {}) => Type.Object(fields, { additionalProperties: true });

const contact = Type.Object({
  canonicalKey: Type.String(),
  type: Type.String(),
  pn: TextOrNull,
  lid: TextOrNull,
  bsuid: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
} satisfies Record<keyof Contact, TSchema>);

/** A message as its event will carry it. Its file, and why there is no file, are known afterwards. */
const received = Type.Unsafe<MessageReceived>(
  Type.Object({
    type: Type.Literal("message.received"),
    messageId: id<MessageId>(),
    at: Type.Number(),
    direction: OneOf(["inbound", "outbound"]),
    isHistory: Type.Boolean(),
    from: contact,
    chat: contact,
    pushName: Nullable(Type.String()),
    content: Any({ type: Type.String() }),
    media: Type.Optional(Nullable(Any())),
    quotedMessageId: TextOrNull,
    to: TextOrNull,
    conversationId: TextOrNull,
    heldBy: Type.Optional(Any()),
  } satisfies Record<keyof Omit<MessageReceived, "mediaError">, TSchema>),
);

const pendingFile = {
  mediaId: id(),
  tenantId: id<TenantId>(),
  channelId: id<ChannelId>(),
  channelKind: id<ChannelKind>(),
  environment,
  file,
};

const messageOfFile = Type.Unsafe<FileOfMessage["message"]>(
  Type.Object({
    messageId: id<MessageId>(),
    conversationId: TextOrNull,
    chat: contact,
    type: Type.String(),
  } satisfies Record<keyof FileOfMessage["message"], TSchema>),
);

/** The background work of `media`. */
export const MEDIA_JOBS = {
  "media.download": job({
    payload: versioned(Type.Object({ ...pendingFile, domainEvent: received })),
    concurrencyLimit: 8, // a host that hangs blocks at most this many files of the channel
    queue: mediaQueue,
    run: late(async () => (await import("./download.ts")).downloadMedia),
    onDiscarded: (env: MediaEnv, tx, payload) => publishWithoutFile(env, tx, payload),
  }),
  "media.fetch-waiting": job({
    payload: versioned(Type.Object({ ...pendingFile, message: messageOfFile })),
    concurrencyLimit: 8,
    queue: waitingQueue,
    run: late(async () => (await import("./waiting.ts")).fetchWaitingFile),
    onDiscarded: (env: MediaEnv, tx, payload, reason) =>
      giveUpFile(env, tx, payload, { failure: "UNAVAILABLE", reason }),
  }),
  "media.erase": job({
    payload: versioned(Type.Object({ key: Type.String({ minLength: 1 }) })),
    concurrencyLimit: 4,
    queue: () => commonQueue("media.erase"),
    uniqueKey: ({ key }) => `erase:${key}`,
    run: late(async () => (await import("./retention.ts")).eraseMedia),
  }),
  "media.forget": job({
    ...HOUSEKEEPING,
    payload: CHANNEL,
    uniqueKey: ({ channelId }) => `media.forget:${channelId}`,
    run: late(async () => (await import("./retention.ts")).forgetMedia),
  }),
  "media.expire": job({
    ...HOUSEKEEPING,
    payload: NOTHING,
    priority: "low",
    uniqueKey: () => "media.expire",
    run: late(async () => (await import("./retention.ts")).expireMedia),
  }),
};
