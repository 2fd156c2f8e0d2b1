import { personKeyOf } from "../kernel/phone-numbers.ts";
import type { JobKinds } from "../runtime/jobs.ts";
import { commonQueue, queueOf, queueOfChannel } from "../store/queues.ts";
import { forgetDocument } from "./ai/documents.ts";
import { closeIdleConversations } from "./ai/expire.ts";
import { forgetAgent } from "./ai/forget.ts";
import { discardDocument, ingestDocument } from "./ai/ingest.ts";
import { respondToMessage } from "./ai/respond.ts";
import { lookForTroubles } from "./alerts/looking.ts";
import { sendNotice } from "./alerts/sending.ts";
import { makeBackup } from "./backups.ts";
import { BILLING_JOBS } from "./billing/job-kinds.ts";
import { endUnreportedCall } from "./calls/moves.ts";
import { expireRecordings } from "./calls/recordings.ts";
import { endCallAtNetwork, stopRinging } from "./calls/ringing.ts";
import { enqueueRefreshes, refreshChannel } from "./channels/oauth.ts";
import { announceQr, giveUpKey, giveUpPairing, resetPairing, unlinkOldIdentities } from "./channels/pairing.ts";
import { bulkQueue, channelQueue, lookupQueue, pairingQueue, resetKey, scheduledQueue } from "./channels/report.ts";
import { releaseIdle } from "./conversations/holders.ts";
import { forgetMember } from "./conversations/members.ts";
import { indexContacts } from "./conversations/search-words.ts";
import type { Env } from "./env.ts";
import { releaseDeliveries } from "./events/chat-order.ts";
import { discardDelivery, dispatchDelivery } from "./events/dispatch.ts";
import { fanOut, fanOutQueue } from "./events/fan-out.ts";
import { endpointQueue, retryQueue } from "./events/queues.ts";
import { retryDeliveries } from "./events/retrying.ts";
import { forgetSubscription, resumeDeliveries } from "./events/subscription-work.ts";
import { processUpstream } from "./inbound.ts";
import { type JobPayloads, PAYLOADS } from "./job-payloads.ts";
import { joinRest } from "./joining.ts";
import { downloadMedia } from "./media/download.ts";
import { mediaQueue, publishWithoutFile } from "./media/received.ts";
import { eraseMedia, expireMedia, forgetMedia } from "./media/retention.ts";
import { deliverKey } from "./messaging/accept.ts";
import { MAX_RUNNING } from "./messaging/bulk.ts";
import { discardBatch, sendNext } from "./messaging/bulk-run.ts";
import { deliverMessage, discardMessage } from "./messaging/deliver.ts";
import { acceptScheduled, discardScheduled } from "./messaging/due.ts";
import { discardFallback, lookAtFallback } from "./messaging/fallback.ts";
import { discardLookup, runLookup } from "./messaging/lookup.ts";
import { discardOperation, operateOnMessage } from "./messaging/operations.ts";
import { CHANNEL_CONCURRENCY } from "./messaging/queue.ts";
import { enqueueSyncs, syncChannelTemplates } from "./messaging/template-sync.ts";
import { runErasure } from "./people/erase.ts";
import { prune } from "./prune.ts";
import { forgetChannel } from "./removal.ts";
import { sendMail } from "./tenancy/mails.ts";
import { recoverUser } from "./tenancy/recovery.ts";
import { readUpdate } from "./updates.ts";

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
    queue: ({ channelId, environment }) => bulkQueue(channelId, environment),
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
    run: retryDeliveries,
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
  "account.join-rest": { payload: PAYLOADS["account.join-rest"], ...HOUSEKEEPING, run: joinRest },
  "contacts.index": { payload: PAYLOADS["contacts.index"], ...HOUSEKEEPING, priority: "low", run: indexContacts },
  "member.forget": {
    payload: PAYLOADS["member.forget"],
    ...HOUSEKEEPING,
    uniqueKey: ({ tenantId, userId }) => `member.forget:${tenantId}:${userId}`,
    run: forgetMember,
  },
  "channel.forget": { payload: PAYLOADS["channel.forget"], ...HOUSEKEEPING, priority: "low", run: forgetChannel },
  "channels.refresh": {
    payload: PAYLOADS["channels.refresh"],
    ...HOUSEKEEPING,
    uniqueKey: () => "refresh",
    run: enqueueRefreshes,
  },
  "channel.refresh": {
    payload: PAYLOADS["channel.refresh"],
    concurrencyLimit: 4,
    queue: () => commonQueue("refresh"),
    uniqueKey: ({ channelId }) => `refresh:${channelId}`,
    run: refreshChannel,
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
    run: syncChannelTemplates,
  },
  "templates.sync-all": {
    payload: PAYLOADS["templates.sync-all"],
    ...HOUSEKEEPING,
    priority: "low",
    uniqueKey: ({ afterId = "" }) => `templates.sync-all:${afterId}`,
    run: enqueueSyncs,
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
    run: eraseMedia,
  },
  "media.forget": {
    payload: PAYLOADS["media.forget"],
    ...HOUSEKEEPING,
    uniqueKey: ({ channelId }) => `media.forget:${channelId}`,
    run: forgetMedia,
  },
  "media.expire": {
    payload: PAYLOADS["media.expire"],
    ...HOUSEKEEPING,
    priority: "low",
    uniqueKey: () => "media.expire",
    run: expireMedia,
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
    run: respondToMessage,
  },
  "agent.forget": { payload: PAYLOADS["agent.forget"], ...HOUSEKEEPING, priority: "low", run: forgetAgent },
  "agents.expire": {
    payload: PAYLOADS["agents.expire"],
    ...HOUSEKEEPING,
    priority: "low",
    uniqueKey: () => "agents.expire",
    run: closeIdleConversations,
  },
  "document.ingest": {
    payload: PAYLOADS["document.ingest"],
    concurrencyLimit: 1,
    uniqueKey: ({ documentId }) => `ingest:${documentId}`,
    queue: ({ tenantId }) => queueOf("knowledge", tenantId),
    run: ingestDocument,
    onDiscarded: discardDocument,
  },
  "document.forget": { payload: PAYLOADS["document.forget"], ...HOUSEKEEPING, priority: "low", run: forgetDocument },
  ...BILLING_JOBS,
  "mail.send": {
    payload: PAYLOADS["mail.send"],
    concurrencyLimit: 4,
    uniqueKey: ({ mailId }) => `mail:${mailId}`,
    queue: () => commonQueue("mail"),
    run: sendMail,
  },
  "user.recover": {
    payload: PAYLOADS["user.recover"],
    ...HOUSEKEEPING,
    uniqueKey: ({ emailKey }) => `user.recover:${emailKey}`,
    run: recoverUser,
  },
  "alerts.look": {
    payload: PAYLOADS["alerts.look"],
    concurrencyLimit: 1,
    queue: () => commonQueue("alerts"),
    uniqueKey: () => "alerts.look",
    run: lookForTroubles,
  },
  "alert.send": {
    payload: PAYLOADS["alert.send"],
    concurrencyLimit: 4,
    queue: ({ way }) => queueOf("alert", way),
    uniqueKey: ({ noticeId, way }) => `alert:${way}:${noticeId}`,
    run: sendNotice,
  },
  "call.ring-out": {
    payload: PAYLOADS["call.ring-out"],
    concurrencyLimit: 16,
    uniqueKey: ({ callId }) => `ring:${callId}`,
    queue: () => commonQueue("calls"),
    run: stopRinging,
  },
  "call.end": {
    payload: PAYLOADS["call.end"],
    ...HOUSEKEEPING,
    uniqueKey: ({ callId }) => `end:${callId}`,
    run: endUnreportedCall,
  },
  "call.end-at-network": {
    payload: PAYLOADS["call.end-at-network"],
    concurrencyLimit: 4,
    uniqueKey: ({ callId }) => `over:${callId}`,
    queue: ({ channelId }) => queueOfChannel("calls", channelId),
    run: endCallAtNetwork,
  },
  "recordings.expire": {
    payload: PAYLOADS["recordings.expire"],
    ...HOUSEKEEPING,
    priority: "low",
    uniqueKey: () => "recordings.expire",
    run: expireRecordings,
  },
  "person.erase": {
    payload: PAYLOADS["person.erase"],
    concurrencyLimit: 1,
    queue: () => commonQueue("people"),
    uniqueKey: ({ erasureId }) => `erase:${erasureId}`,
    run: runErasure,
  },
  "store.prune": {
    payload: PAYLOADS["store.prune"],
    ...HOUSEKEEPING,
    priority: "low",
    uniqueKey: () => "prune",
    run: prune,
  },
  "backup.make": {
    payload: PAYLOADS["backup.make"],
    concurrencyLimit: 1,
    queue: () => commonQueue("backup"),
    uniqueKey: () => "backup",
    run: makeBackup,
  },
  "updates.look": { payload: PAYLOADS["updates.look"], ...HOUSEKEEPING, uniqueKey: () => "updates", run: readUpdate },
};
