import { Type } from "@sinclair/typebox";
import type { ChatAct } from "../../contract/abilities/chats.ts";
import type { Action } from "../../contract/abilities/operations.ts";
import { EVENT_RESPONSES, type ProviderMessageId } from "../../contract/events.ts";
import { late } from "../../kernel/async.ts";
import type { BatchId, ChannelId, MessageId } from "../../kernel/ids.ts";
import { personKeyOf } from "../../kernel/numbers/phone-numbers.ts";
import { Nullable, OneOf } from "../../kernel/schema.ts";
import { versioned } from "../../kernel/versioned.ts";
import { job } from "../../runtime/jobs.ts";
import { deleteLookup } from "../../store/tables/messaging/lookups.ts";
import { commonQueue } from "../../store/tables/queues.ts";
import { batchQueue, channelQueue, queueIn } from "../channels/links/channel-queues.ts";
import { CHANNEL, environment, HOUSEKEEPING, id } from "../job-parts.ts";
import { discardBatch, failMore } from "./batches/batch-settle.ts";
import { cancelMore, MAX_RUNNING } from "./batches/batches.ts";
import { actOnChat, chatActKey, discardChatAct } from "./chats/chat-acts.ts";
import type { MessagingEnv } from "./env.ts";
import { discardFallback, lookAtFallback } from "./fallback/fallback.ts";
import { expireMessage } from "./receiving/expiry.ts";
import { acceptScheduled, discardScheduled } from "./scheduled/due.ts";
import { deliverKey } from "./sending/accept.ts";
import { deliverMessage, discardMessage } from "./sending/deliver.ts";
import { discardOperation, operateOnMessage } from "./sending/operations.ts";
import { CHANNEL_CONCURRENCY } from "./sending/queue.ts";
import { enqueueSyncs, syncChannelTemplates } from "./templates/template-sync.ts";

const MESSAGE = { messageId: id<MessageId>(), channelId: id<ChannelId>() };

const action = Type.Unsafe<Action>(
  Type.Union([
    Type.Object({ name: Type.Literal("react"), emoji: Type.String() }),
    Type.Object({ name: Type.Literal("edit"), text: Type.String() }),
    Type.Object({ name: OneOf(["delete", "delete-for-me", "read", "played", "typing"]) }),
    Type.Object({ name: Type.Literal("star"), isStarred: Type.Boolean() }),
    Type.Object({ name: Type.Literal("label"), labelId: Type.String(), isLabelled: Type.Boolean() }),
    Type.Object({ name: Type.Literal("pin"), seconds: Nullable(Type.Integer()) }),
    Type.Object({ name: Type.Literal("keep"), isKept: Type.Boolean() }),
    Type.Object({ name: Type.Literal("vote"), options: Type.Array(Type.String()) }),
    Type.Object({
      name: Type.Literal("respond"),
      response: OneOf(EVENT_RESPONSES),
      extraGuests: Type.Integer(),
    }),
  ]),
);

const flag = (name: string, field: string) => Type.Object({ name: Type.Literal(name), [field]: Type.Boolean() });
const chatAct = Type.Unsafe<ChatAct>(
  Type.Union([
    flag("archive", "isArchived"),
    flag("pin", "isPinned"),
    flag("mark-unread", "isUnread"),
    Type.Object({ name: Type.Literal("mute"), until: Type.Union([Type.Number(), Type.Null()]) }),
    Type.Object({ name: Type.Literal("label"), labelId: Type.String(), isLabelled: Type.Boolean() }),
    Type.Object({ name: OneOf(["clear", "delete"]) }),
  ]),
);

/** The background work of `messaging`. */
export const MESSAGING_JOBS = {
  "message.deliver": job({
    payload: versioned(Type.Object({ ...MESSAGE, chat: Type.String(), environment })),
    concurrencyLimit: CHANNEL_CONCURRENCY,
    queue: ({ channelId, environment: where }) => channelQueue(channelId, where),
    orderingKey: ({ chat }) => personKeyOf(chat),
    uniqueKey: ({ messageId }) => deliverKey(messageId),
    run: deliverMessage,
    onDiscarded: discardMessage,
  }),
  "message.fall-back": job({
    payload: versioned(Type.Object(MESSAGE)),
    concurrencyLimit: 4,
    queue: ({ channelId }) => queueIn("fallback", channelId),
    uniqueKey: ({ messageId }) => `fall-back:${messageId}`,
    run: lookAtFallback,
    onDiscarded: discardFallback,
  }),
  "message.operate": job({
    payload: versioned(Type.Object({ ...MESSAGE, chat: Type.String(), action })),
    concurrencyLimit: CHANNEL_CONCURRENCY,
    queue: ({ channelId }) => channelQueue(channelId, "live"),
    orderingKey: ({ chat }) => personKeyOf(chat),
    uniqueKey: ({ messageId, action }) =>
      `operate:${messageId}:${action.name}${action.name === "label" ? `:${action.labelId}` : ""}`,
    run: operateOnMessage,
    onDiscarded: discardOperation,
  }),
  "message.expire": job({
    ...HOUSEKEEPING,
    payload: versioned(Type.Object({ ...MESSAGE, chat: Type.String(), environment })),
    uniqueKey: ({ messageId }) => `expire:${messageId}`,
    run: expireMessage,
  }),
  "chat.act": job({
    payload: versioned(
      Type.Object({
        channelId: id<ChannelId>(),
        chat: Type.String(),
        act: chatAct,
        newest: Nullable(Type.Object({ key: Type.Unsafe<ProviderMessageId>(Type.String()), at: Type.Number() })),
      }),
    ),
    concurrencyLimit: CHANNEL_CONCURRENCY,
    queue: ({ channelId }) => channelQueue(channelId, "live"),
    orderingKey: ({ chat }) => personKeyOf(chat),
    uniqueKey: chatActKey,
    run: actOnChat,
    onDiscarded: discardChatAct,
  }),
  "scheduled.accept": job({
    payload: versioned(Type.Object({ scheduledId: id(), channelId: id<ChannelId>() })),
    concurrencyLimit: 8,
    queue: ({ channelId }) => queueIn("scheduled", channelId),
    uniqueKey: ({ scheduledId }) => `scheduled:${scheduledId}`,
    run: acceptScheduled,
    onDiscarded: discardScheduled,
  }),
  "bulk.send": job({
    payload: versioned(Type.Object({ batchId: id<BatchId>(), channelId: id<ChannelId>(), environment })),
    concurrencyLimit: MAX_RUNNING,
    queue: ({ channelId, environment: where }) => batchQueue(channelId, where),
    uniqueKey: ({ batchId }) => `bulk:${batchId}`,
    run: late(async () => (await import("./batches/batch-run.ts")).sendNext),
    onDiscarded: discardBatch,
  }),
  "bulk.cancel": job({
    ...HOUSEKEEPING,
    payload: versioned(Type.Object({ batchId: id<BatchId>() })),
    uniqueKey: ({ batchId }) => `bulk.cancel:${batchId}`,
    run: cancelMore,
  }),
  "bulk.fail": job({
    ...HOUSEKEEPING,
    payload: versioned(Type.Object({ batchId: id<BatchId>(), code: Type.String(), message: Type.String() })),
    uniqueKey: ({ batchId }) => `bulk:${batchId}`, // that of `bulk.send`: a batch sends or fails
    run: failMore,
  }),
  "lookup.run": job({
    payload: versioned(Type.Object({ taskId: id(), channelId: id<ChannelId>() })),
    concurrencyLimit: 1,
    queue: ({ channelId }) => queueIn("lookup", channelId),
    uniqueKey: ({ taskId }) => `lookup:${taskId}`,
    run: late(async () => (await import("./lookup.ts")).runLookup),
    onDiscarded: async (_env: MessagingEnv, tx, { taskId }) => deleteLookup(tx, taskId), // so that no client waits for it
  }),
  "templates.sync": job({
    payload: CHANNEL,
    concurrencyLimit: 4,
    queue: () => commonQueue("templates"),
    uniqueKey: ({ channelId }) => `templates:${channelId}`,
    priority: "low",
    run: syncChannelTemplates,
  }),
  "templates.sync-all": job({
    ...HOUSEKEEPING,
    payload: versioned(Type.Object({ afterId: Type.Optional(Type.String()) })),
    priority: "low",
    uniqueKey: ({ afterId = "" }) => `templates.sync-all:${afterId}`,
    run: enqueueSyncs,
  }),
};
