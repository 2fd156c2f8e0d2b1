import { Type } from "@sinclair/typebox";
import { late } from "../../kernel/async.ts";
import type { ChannelId, MessageId, TenantId } from "../../kernel/ids.ts";
import { versioned } from "../../kernel/versioned.ts";
import { job } from "../../runtime/jobs.ts";
import { queueOf } from "../../store/tables/queues.ts";
import { CHANNEL, HOUSEKEEPING, id, NOTHING } from "../job-parts.ts";
import { respondToMessage } from "./conversations/respond.ts";
import { forgetAgent } from "./forget.ts";
import { discardDocument } from "./knowledge/document-ends.ts";
import { discardTrialRun } from "./trials/ends.ts";
import { discardNote } from "./voice/note-ends.ts";

type InChat = { tenantId: TenantId; channelId: ChannelId; contactKey: string };
/**
 * The queue and the order of answers: a chat's messages are answered one after the other, and at most two of an account
 * at once, which bounds the requests to its provider.
 */
const IN_ORDER_OF_CHATS = {
  concurrencyLimit: 2,
  queue: ({ tenantId }: InChat) => queueOf("ai", tenantId),
  orderingKey: ({ channelId, contactKey }: InChat) => `${channelId}/${contactKey}`,
};

const TRIAL_RUN = { tenantId: id<TenantId>(), channelId: id<ChannelId>(), runId: id() };

/** The background work of `ai`. */
export const AI_JOBS = {
  "agent.respond": job({
    payload: versioned(
      Type.Object({
        tenantId: id<TenantId>(),
        channelId: id<ChannelId>(),
        contactKey: Type.String(),
        messageId: id<MessageId>(),
        conversationId: id(),
        turnId: id(),
      }),
    ),
    ...IN_ORDER_OF_CHATS,
    uniqueKey: ({ messageId }) => `respond:${messageId}`,
    run: respondToMessage,
  }),
  // in the queue and the order of the answers: a chat's next message is answered after its voice note, unless the
  // provider is away and the note waits for its next attempt
  "voice.transcribe": job({
    payload: versioned(
      Type.Object({
        tenantId: id<TenantId>(),
        channelId: id<ChannelId>(),
        contactKey: Type.String(),
        messageId: id<MessageId>(),
        at: Type.Optional(Type.Integer({ minimum: 0 })),
        turn: Type.Optional(Type.Object({ conversationId: id(), turnId: id() })),
      }),
    ),
    ...IN_ORDER_OF_CHATS,
    uniqueKey: ({ messageId }) => `transcribe:${messageId}`,
    run: late(async () => (await import("./voice/transcribe.ts")).transcribeVoice),
    onDiscarded: discardNote,
  }),
  "agent.forget": job({
    ...HOUSEKEEPING,
    payload: CHANNEL,
    priority: "low",
    run: forgetAgent,
  }),
  "agents.expire": job({
    ...HOUSEKEEPING,
    payload: NOTHING,
    priority: "low",
    uniqueKey: () => "agents.expire",
    run: late(async () => (await import("./conversations/expire.ts")).closeIdleConversations),
  }),
  "document.ingest": job({
    payload: versioned(Type.Object({ documentId: id(), tenantId: id<TenantId>() })),
    concurrencyLimit: 1,
    queue: ({ tenantId }) => queueOf("knowledge", tenantId),
    uniqueKey: ({ documentId }) => `ingest:${documentId}`,
    run: late(async () => (await import("./knowledge/ingest.ts")).ingestDocument),
    onDiscarded: discardDocument,
  }),
  "trials.start": job({
    ...HOUSEKEEPING,
    payload: versioned(Type.Object({ tenantId: id<TenantId>(), channelId: id<ChannelId>() })),
    priority: "low",
    uniqueKey: ({ channelId }) => `trials:${channelId}`,
    run: late(async () => (await import("./trials/start.ts")).startTrialRun),
  }),
  "trials.ask": job({
    payload: versioned(Type.Object(TRIAL_RUN)).next(
      Type.Object({ ...TRIAL_RUN, callTools: Type.Boolean() }),
      (older) => ({ ...older, callTools: false }),
    ),
    concurrencyLimit: 1,
    queue: ({ tenantId }) => queueOf("trials", tenantId),
    uniqueKey: ({ runId }) => `trial-run:${runId}`,
    run: late(async () => (await import("./trials/ask.ts")).askTrialQuestion),
    onDiscarded: discardTrialRun,
  }),
  "knowledge.relearn": job({
    payload: versioned(
      Type.Object({
        tenantId: id<TenantId>(),
        model: Type.String(),
        documentId: Type.String(),
        from: Type.Integer({ minimum: 0 }),
      }),
    ),
    concurrencyLimit: 1,
    priority: "low",
    queue: ({ tenantId }) => queueOf("knowledge", tenantId),
    uniqueKey: ({ tenantId }) => `relearn:${tenantId}`,
    run: late(async () => (await import("./knowledge/relearn.ts")).relearnDocuments),
  }),
  "document.forget": job({
    ...HOUSEKEEPING,
    payload: versioned(Type.Object({ documentId: id(), channelId: id<ChannelId>() })),
    priority: "low",
    run: late(async () => (await import("./knowledge/documents.ts")).forgetDocument),
  }),
};
