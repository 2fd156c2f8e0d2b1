import { late } from "../kernel/async.ts";
import { personKeyOf } from "../kernel/numbers/phone-numbers.ts";
import type { JobKinds } from "../runtime/jobs.ts";
import { commonQueue, queueOf, queueOfChannel } from "../store/tables/queues.ts";
import { discardDocument } from "./ai/ingest.ts";
import { BILLING_JOBS } from "./billing/job-kinds.ts";
import {
  batchQueue,
  channelQueue,
  lookupQueue,
  pairingQueue,
  resetKey,
  scheduledQueue,
} from "./channels/links/report.ts";
import { announceQr, giveUpKey, giveUpPairing, resetPairing, unlinkOldIdentities } from "./channels/pairing/pairing.ts";
import { releaseIdle } from "./conversations/holders.ts";
import type { Env } from "./env.ts";
import { releaseDeliveries } from "./events/chat-order.ts";
import { discardDelivery, dispatchDelivery } from "./events/dispatch.ts";
import { fanOut, fanOutQueue } from "./events/fan-out.ts";
import { endpointQueue, retryQueue } from "./events/queues.ts";
import { forgetSubscription, resumeDeliveries } from "./events/subscription-work.ts";
import { processUpstream } from "./inbound.ts";
import { type JobPayloads, PAYLOADS } from "./job-payloads.ts";
import { downloadMedia } from "./media/download.ts";
import { mediaQueue, publishWithoutFile } from "./media/received.ts";
import { discardBatch, sendNext } from "./messaging/batches/batch-run.ts";
import { MAX_RUNNING } from "./messaging/batches/batches.ts";
import { discardFallback, lookAtFallback } from "./messaging/fallback/fallback.ts";
import { discardLookup, runLookup } from "./messaging/lookup.ts";
import { acceptScheduled, discardScheduled } from "./messaging/scheduled/due.ts";
import { deliverKey } from "./messaging/sending/accept.ts";
import { deliverMessage, discardMessage } from "./messaging/sending/deliver.ts";
import { discardOperation, operateOnMessage } from "./messaging/sending/operations.ts";
import { CHANNEL_CONCURRENCY } from "./messaging/sending/queue.ts";

/**
 * More than one: a notification that waits for its QR code must block neither a reset nor the end of a wait. A replaced
 * notification may still be waiting.
 */
const PAIRING_CONCURRENCY = 4;

const HOUSEKEEPING = { concurrencyLimit: 4, queue: () => commonQueue("housekeeping") };

/** TABLE: every kind of background work, its queue, and its handler. */
export const JOB_KINDS: JobKinds<Env, JobPayloads> = {
  "upstream.process": {
    payload: PAYLOADS["upstream.process"],
    concurrencyLimit: 64,
    queue: () => commonQueue("upstream"),
    uniqueKey: ({ envelopeId }) => `upstream:${envelopeId}`,
    run: processUpstream,
  },
  "message.deliver": {
    payload: PAYLOADS["message.deliver"],
    concurrencyLimit: CHANNEL_CONCURRENCY,
    queue: ({ channelId, environment }) => channelQueue(channelId, environment),
    orderingKey: ({ chat }) => personKeyOf(chat),
    uniqueKey: ({ messageId }) => deliverKey(messageId),
    run: deliverMessage,
    onDiscarded: discardMessage,
  },
  "message.fall-back": {
    payload: PAYLOADS["message.fall-back"],
    concurrencyLimit: 4,
    queue: ({ channelId }) => queueOfChannel("fallback", channelId),
    uniqueKey: ({ messageId }) => `fall-back:${messageId}`,
    run: lookAtFallback,
    onDiscarded: discardFallback,
  },
  "message.operate": {
    payload: PAYLOADS["message.operate"],
    concurrencyLimit: CHANNEL_CONCURRENCY,
    queue: ({ channelId }) => channelQueue(channelId, "live"),
    orderingKey: ({ chat }) => personKeyOf(chat),
    uniqueKey: ({ messageId, action }) => `operate:${messageId}:${action.name}`,
    run: operateOnMessage,
    onDiscarded: discardOperation,
  },
  "scheduled.accept": {
    payload: PAYLOADS["scheduled.accept"],
    concurrencyLimit: 8,
    queue: ({ channelId }) => scheduledQueue(channelId),
    uniqueKey: ({ scheduledId }) => `scheduled:${scheduledId}`,
    run: acceptScheduled,
    onDiscarded: discardScheduled,
  },
  "bulk.send": {
    payload: PAYLOADS["bulk.send"],
    concurrencyLimit: MAX_RUNNING,
    queue: ({ channelId, environment }) => batchQueue(channelId, environment),
    uniqueKey: ({ batchId }) => `bulk:${batchId}`,
    run: sendNext,
    onDiscarded: discardBatch,
  },
  "lookup.run": {
    payload: PAYLOADS["lookup.run"],
    concurrencyLimit: 1,
    queue: ({ channelId }) => lookupQueue(channelId),
    uniqueKey: ({ taskId }) => `lookup:${taskId}`,
    run: runLookup,
    onDiscarded: discardLookup,
  },
  "event.dispatch": {
    payload: PAYLOADS["event.dispatch"],
    concurrencyLimit: 1, // until the endpoint has answered one delivery successfully
    queue: ({ subscriptionId }) => endpointQueue(subscriptionId),
    orderingKey: ({ chat }) => chat,
    uniqueKey: ({ deliveryId }) => `delivery:${deliveryId}`,
    run: dispatchDelivery,
    onDiscarded: discardDelivery,
  },
  "event.retry": {
    payload: PAYLOADS["event.retry"],
    concurrencyLimit: 8,
    queue: ({ subscriptionId }) => retryQueue(subscriptionId),
    uniqueKey: ({ deliveryId }) => `delivery:${deliveryId}`,
    orderingKey: ({ chat }) => chat,
    run: dispatchDelivery,
    onDiscarded: discardDelivery,
  },
  "subscription.retry": {
    payload: PAYLOADS["subscription.retry"],
    ...HOUSEKEEPING,
    uniqueKey: ({ subscriptionId, afterSeq }) => `retry:${subscriptionId}:${afterSeq}`,
    run: late(async () => (await import("./events/retrying.ts")).retryDeliveries),
  },
  "subscription.release": {
    payload: PAYLOADS["subscription.release"],
    ...HOUSEKEEPING,
    uniqueKey: ({ subscriptionId, afterSeq }) => `release:${subscriptionId}:${afterSeq}`,
    run: releaseDeliveries,
  },
  "event.fan-out": {
    payload: PAYLOADS["event.fan-out"],
    concurrencyLimit: 1,
    queue: ({ tenantId }) => fanOutQueue(tenantId),
    run: fanOut,
  },
  "subscription.resume": {
    payload: PAYLOADS["subscription.resume"],
    ...HOUSEKEEPING,
    uniqueKey: ({ subscriptionId }) => `resume:${subscriptionId}`,
    run: resumeDeliveries,
  },
  "subscription.forget": {
    payload: PAYLOADS["subscription.forget"],
    ...HOUSEKEEPING,
    priority: "low",
    run: forgetSubscription,
  },
  "account.join-rest": {
    payload: PAYLOADS["account.join-rest"],
    ...HOUSEKEEPING,
    run: late(async () => (await import("./joining.ts")).joinRest),
  },
  "contacts.index": {
    payload: PAYLOADS["contacts.index"],
    ...HOUSEKEEPING,
    priority: "low",
    run: late(async () => (await import("./conversations/search-words.ts")).indexContacts),
  },
  "member.forget": {
    payload: PAYLOADS["member.forget"],
    ...HOUSEKEEPING,
    uniqueKey: ({ tenantId, userId }) => `member.forget:${tenantId}:${userId}`,
    run: late(async () => (await import("./conversations/members.ts")).forgetMember),
  },
  "channel.forget": {
    payload: PAYLOADS["channel.forget"],
    ...HOUSEKEEPING,
    priority: "low",
    run: late(async () => (await import("./removal.ts")).forgetChannel),
  },
  "channels.refresh": {
    payload: PAYLOADS["channels.refresh"],
    ...HOUSEKEEPING,
    uniqueKey: () => "refresh",
    run: late(async () => (await import("./channels/signing-up/oauth.ts")).enqueueRefreshes),
  },
  "channel.refresh": {
    payload: PAYLOADS["channel.refresh"],
    concurrencyLimit: 4,
    queue: () => commonQueue("refresh"),
    uniqueKey: ({ channelId }) => `refresh:${channelId}`,
    run: late(async () => (await import("./channels/signing-up/oauth.ts")).refreshChannel),
  },
  "channel.reset": {
    payload: PAYLOADS["channel.reset"],
    concurrencyLimit: PAIRING_CONCURRENCY,
    queue: ({ channelId }) => pairingQueue(channelId),
    uniqueKey: ({ channelId }) => resetKey(channelId),
    run: resetPairing,
  },
  "channel.unlink": {
    payload: PAYLOADS["channel.unlink"],
    concurrencyLimit: PAIRING_CONCURRENCY,
    queue: ({ channelId }) => pairingQueue(channelId),
    uniqueKey: ({ channelId }) => `unlink:${channelId}`,
    run: unlinkOldIdentities,
  },
  "channel.announce-qr": {
    payload: PAYLOADS["channel.announce-qr"],
    concurrencyLimit: PAIRING_CONCURRENCY,
    queue: ({ channelId }) => pairingQueue(channelId),
    uniqueKey: ({ channelId }) => `announce-qr:${channelId}`,
    run: announceQr,
  },
  "channel.give-up": {
    payload: PAYLOADS["channel.give-up"],
    concurrencyLimit: PAIRING_CONCURRENCY,
    queue: ({ channelId }) => pairingQueue(channelId),
    uniqueKey: ({ channelId }) => giveUpKey(channelId),
    run: giveUpPairing,
  },
  "templates.sync": {
    payload: PAYLOADS["templates.sync"],
    concurrencyLimit: 4,
    queue: () => commonQueue("templates"),
    uniqueKey: ({ channelId }) => `templates:${channelId}`,
    priority: "low",
    run: late(async () => (await import("./messaging/templates/template-sync.ts")).syncChannelTemplates),
  },
  "templates.sync-all": {
    payload: PAYLOADS["templates.sync-all"],
    ...HOUSEKEEPING,
    priority: "low",
    uniqueKey: ({ afterId = "" }) => `templates.sync-all:${afterId}`,
    run: late(async () => (await import("./messaging/templates/template-sync.ts")).enqueueSyncs),
  },
  "media.download": {
    payload: PAYLOADS["media.download"],
    concurrencyLimit: 8, // a host that hangs blocks at most this many files of the channel
    queue: mediaQueue,
    run: downloadMedia,
    onDiscarded: (env, tx, payload) => publishWithoutFile(env, tx, payload),
  },
  "media.erase": {
    payload: PAYLOADS["media.erase"],
    concurrencyLimit: 4,
    queue: () => commonQueue("media.erase"),
    uniqueKey: ({ key }) => `erase:${key}`,
    run: late(async () => (await import("./media/retention.ts")).eraseMedia),
  },
  "media.forget": {
    payload: PAYLOADS["media.forget"],
    ...HOUSEKEEPING,
    uniqueKey: ({ channelId }) => `media.forget:${channelId}`,
    run: late(async () => (await import("./media/retention.ts")).forgetMedia),
  },
  "media.expire": {
    payload: PAYLOADS["media.expire"],
    ...HOUSEKEEPING,
    priority: "low",
    uniqueKey: () => "media.expire",
    run: late(async () => (await import("./media/retention.ts")).expireMedia),
  },
  "conversation.release-idle": {
    payload: PAYLOADS["conversation.release-idle"],
    ...HOUSEKEEPING,
    uniqueKey: ({ channelId, chat }) => `idle:${channelId}:${chat}`,
    run: releaseIdle,
  },
  "agent.respond": {
    payload: PAYLOADS["agent.respond"],
    concurrencyLimit: 2, // an account's provider gets at most this many requests at once
    orderingKey: ({ channelId, contactKey }) => `${channelId}/${contactKey}`,
    uniqueKey: ({ messageId }) => `respond:${messageId}`,
    queue: ({ tenantId }) => queueOf("ai", tenantId),
    run: late(async () => (await import("./ai/respond.ts")).respondToMessage),
  },
  "agent.forget": {
    payload: PAYLOADS["agent.forget"],
    ...HOUSEKEEPING,
    priority: "low",
    run: late(async () => (await import("./ai/forget.ts")).forgetAgent),
  },
  "agents.expire": {
    payload: PAYLOADS["agents.expire"],
    ...HOUSEKEEPING,
    priority: "low",
    uniqueKey: () => "agents.expire",
    run: late(async () => (await import("./ai/expire.ts")).closeIdleConversations),
  },
  "document.ingest": {
    payload: PAYLOADS["document.ingest"],
    concurrencyLimit: 1,
    uniqueKey: ({ documentId }) => `ingest:${documentId}`,
    queue: ({ tenantId }) => queueOf("knowledge", tenantId),
    run: late(async () => (await import("./ai/ingest.ts")).ingestDocument),
    onDiscarded: discardDocument,
  },
  "document.forget": {
    payload: PAYLOADS["document.forget"],
    ...HOUSEKEEPING,
    priority: "low",
    run: late(async () => (await import("./ai/documents.ts")).forgetDocument),
  },
  ...BILLING_JOBS,
  "mail.send": {
    payload: PAYLOADS["mail.send"],
    concurrencyLimit: 4,
    uniqueKey: ({ mailId }) => `mail:${mailId}`,
    queue: () => commonQueue("mail"),
    run: late(async () => (await import("./tenancy/mail/mails.ts")).sendMail),
  },
  "user.recover": {
    payload: PAYLOADS["user.recover"],
    ...HOUSEKEEPING,
    uniqueKey: ({ emailKey }) => `user.recover:${emailKey}`,
    run: late(async () => (await import("./tenancy/sign-in/recovery.ts")).recoverUser),
  },
  "alerts.look": {
    payload: PAYLOADS["alerts.look"],
    concurrencyLimit: 1,
    queue: () => commonQueue("alerts"),
    uniqueKey: () => "alerts.look",
    run: late(async () => (await import("./alerts/looking.ts")).lookForTroubles),
  },
  "alert.send": {
    payload: PAYLOADS["alert.send"],
    concurrencyLimit: 4,
    queue: ({ way }) => queueOf("alert", way),
    uniqueKey: ({ noticeId, way }) => `alert:${way}:${noticeId}`,
    run: late(async () => (await import("./alerts/sending.ts")).sendNotice),
  },
  "call.ring-out": {
    payload: PAYLOADS["call.ring-out"],
    concurrencyLimit: 16,
    uniqueKey: ({ callId }) => `ring:${callId}`,
    queue: () => commonQueue("calls"),
    run: late(async () => (await import("./calls/ringing.ts")).stopRinging),
  },
  "call.end": {
    payload: PAYLOADS["call.end"],
    ...HOUSEKEEPING,
    uniqueKey: ({ callId }) => `end:${callId}`,
    run: late(async () => (await import("./calls/moves.ts")).endUnreportedCall),
  },
  "call.end-at-network": {
    payload: PAYLOADS["call.end-at-network"],
    concurrencyLimit: 4,
    uniqueKey: ({ callId }) => `over:${callId}`,
    queue: ({ channelId }) => queueOfChannel("calls", channelId),
    run: late(async () => (await import("./calls/ringing.ts")).endCallAtNetwork),
  },
  "recordings.expire": {
    payload: PAYLOADS["recordings.expire"],
    ...HOUSEKEEPING,
    priority: "low",
    uniqueKey: () => "recordings.expire",
    run: late(async () => (await import("./calls/recordings.ts")).expireRecordings),
  },
  "person.erase": {
    payload: PAYLOADS["person.erase"],
    concurrencyLimit: 1,
    queue: () => commonQueue("people"),
    uniqueKey: ({ erasureId }) => `erase:${erasureId}`,
    run: late(async () => (await import("./people/erase.ts")).runErasure),
  },
  "store.prune": {
    payload: PAYLOADS["store.prune"],
    ...HOUSEKEEPING,
    priority: "low",
    uniqueKey: () => "prune",
    run: late(async () => (await import("./prune.ts")).prune),
  },
  "backup.make": {
    payload: PAYLOADS["backup.make"],
    concurrencyLimit: 1,
    queue: () => commonQueue("backup"),
    uniqueKey: () => "backup",
    run: late(async () => (await import("./backups.ts")).makeBackup),
  },
  "updates.look": {
    payload: PAYLOADS["updates.look"],
    ...HOUSEKEEPING,
    uniqueKey: () => "updates",
    run: late(async () => (await import("./updates.ts")).readUpdate),
  },
};
