import type { ChannelId, SubscriptionId, TenantId } from "../kernel/ids.ts";
import type { JobKinds } from "../runtime/jobs.ts";
import { type ForgetPayload, forgetDocument } from "./ai/documents.ts";
import { closeIdleConversations } from "./ai/expire.ts";
import { forgetAgent } from "./ai/forget.ts";
import { abandonDocument, type IngestPayload, ingestDocument } from "./ai/ingest.ts";
import { type RespondPayload, respondToMessage } from "./ai/respond.ts";
import { makeBackup } from "./backups.ts";
import { closeMonth } from "./billing/closing.ts";
import { runDunning } from "./billing/dunning.ts";
import { type IssuePayload, issueDueInvoice } from "./billing/issue.ts";
import { applyProcessorEvent } from "./billing/processor-events.ts";
import { reconcileInvoices } from "./billing/reconcile.ts";
import { endUnheard } from "./calls/moves.ts";
import { expireRecordings } from "./calls/recordings.ts";
import { type OverPayload, stopRinging, tellNetworkOver } from "./calls/ringing.ts";
import { enqueueRefreshes, refreshChannel } from "./channels/oauth.ts";
import { announceQr, giveUpKey, giveUpPairing, resetPairing, unlinkOldIdentities } from "./channels/pairing.ts";
import { bulkLane, channelLane, lookupLane, pairingLane, resetKey, scheduledLane } from "./channels/report.ts";
import { indexContacts } from "./conversations/contacts.ts";
import { forgetMember } from "./conversations/members.ts";
import type { Env } from "./env.ts";
import { abandonDelivery, type DispatchPayload, dispatchDelivery } from "./events/dispatch.ts";
import { type FanOutPayload, fanOut, fanOutLane } from "./events/fan-out.ts";
import { endpointLane, retryLane } from "./events/lanes.ts";
import { type RetryPayload, retryDeliveries } from "./events/retrying.ts";
import { forgetSubscription, unparkDeliveries } from "./events/subscriptions.ts";
import { processUpstream } from "./inbound.ts";
import { downloadMedia } from "./media/download.ts";
import { mediaLane, type PendingMessage, publishWithoutFile } from "./media/received.ts";
import { eraseMedia, expireMedia, forgetMedia } from "./media/retention.ts";
import type { DeliverPayload } from "./messaging/accept.ts";
import { MAX_RUNNING } from "./messaging/bulk.ts";
import { abandonBatch, type BulkPayload, sendNext } from "./messaging/bulk-run.ts";
import { abandonMessage, deliverMessage } from "./messaging/deliver.ts";
import { abandonScheduled, acceptScheduled, type SchedulePayload } from "./messaging/due.ts";
import { CHANNEL_CAP } from "./messaging/lane.ts";
import { abandonLookup, type LookupPayload, runLookup } from "./messaging/lookup.ts";
import { abandonOperation, type OperatePayload, operateOnMessage } from "./messaging/operations.ts";
import { enqueueSyncs, syncChannelTemplates } from "./messaging/template-sync.ts";
import { type ErasePayload, runErasure } from "./people/erase.ts";
import { prune } from "./prune.ts";
import { forgetChannel } from "./removal.ts";
import { sendMail } from "./tenancy/mails.ts";
import { recoverUser } from "./tenancy/recovery.ts";

/** Every kind of background work with what it is told. */
export type JobPayloads = {
  "upstream.process": { envelopeId: number };
  "message.deliver": DeliverPayload;
  "message.operate": OperatePayload;
  "scheduled.accept": SchedulePayload;
  "lookup.run": LookupPayload;
  "bulk.send": BulkPayload;
  "event.dispatch": DispatchPayload;
  "event.retry": DispatchPayload;
  "event.fan-out": FanOutPayload;
  "subscription.unpark": { subscriptionId: SubscriptionId };
  "subscription.retry": RetryPayload;
  "subscription.forget": { subscriptionId: SubscriptionId };
  "contacts.index": { after: number };
  "member.forget": { tenantId: TenantId; userId: string };
  "channel.forget": { channelId: ChannelId };
  "channels.refresh": Record<string, never>;
  "channel.refresh": { channelId: ChannelId };
  "channel.reset": { channelId: ChannelId };
  "channel.unlink": { channelId: ChannelId };
  "channel.announce-qr": { channelId: ChannelId };
  "channel.give-up": { channelId: ChannelId };
  "templates.sync": { channelId: ChannelId };
  "templates.sync-all": { afterId?: string };
  "media.download": PendingMessage;
  "media.erase": { key: string };
  "media.forget": { channelId: ChannelId };
  "media.expire": Record<string, never>;
  "agent.respond": RespondPayload;
  "agent.forget": { channelId: ChannelId };
  "agents.expire": Record<string, never>;
  "document.ingest": IngestPayload;
  "document.forget": ForgetPayload;
  "invoices.close": Record<string, never>;
  "invoices.reconcile": Record<string, never>;
  "invoice.issue": IssuePayload;
  "processor.apply": { eventId: string };
  "dunning.run": Record<string, never>;
  "mail.send": { mailId: string };
  "user.recover": { emailKey: string };
  "call.ring-out": { callId: string };
  "call.end": { callId: string };
  "call.tell-over": OverPayload;
  "recordings.expire": Record<string, never>;
  "person.erase": ErasePayload;
  "store.prune": Record<string, never>;
  "backup.make": Record<string, never>;
};

/** An announcement that waits for its QR code holds up neither a reset nor the end of a wait; one that was replaced may still be waiting. */
const PAIRING_CAP = 4;

const HOUSEKEEPING = { cap: 4, lane: () => "housekeeping" };

/** TABLE: every piece of background work, its lane, and its handler. */
export const JOB_KINDS: JobKinds<Env, JobPayloads> = {
  "upstream.process": { cap: 64, lane: () => "upstream", uniqueKey: ({ envelopeId }) => `upstream:${envelopeId}`, run: processUpstream },
  "message.deliver": {
    cap: CHANNEL_CAP,
    lane: ({ channelId, environment }) => channelLane(channelId, environment),
    serial: ({ chat }) => chat,
    uniqueKey: ({ messageId }) => `message:${messageId}`,
    run: deliverMessage,
    abandoned: abandonMessage,
  },
  "message.operate": {
    cap: CHANNEL_CAP,
    lane: ({ channelId }) => channelLane(channelId, "live"),
    serial: ({ chat }) => chat,
    uniqueKey: ({ messageId, action }) => `operate:${messageId}:${action.name}`,
    run: operateOnMessage,
    abandoned: abandonOperation,
  },
  "scheduled.accept": {
    cap: 8,
    lane: ({ channelId }) => scheduledLane(channelId),
    uniqueKey: ({ scheduledId }) => `scheduled:${scheduledId}`,
    run: acceptScheduled,
    abandoned: abandonScheduled,
  },
  "bulk.send": {
    cap: MAX_RUNNING,
    lane: ({ channelId, environment }) => bulkLane(channelId, environment),
    uniqueKey: ({ batchId }) => `bulk:${batchId}`,
    run: sendNext,
    abandoned: abandonBatch,
  },
  "lookup.run": {
    cap: 1,
    lane: ({ channelId }) => lookupLane(channelId),
    uniqueKey: ({ taskId }) => `lookup:${taskId}`,
    run: runLookup,
    abandoned: abandonLookup,
  },
  "event.dispatch": {
    cap: 1, // until the endpoint has answered well once
    lane: ({ subscriptionId }) => endpointLane(subscriptionId),
    serial: ({ chat }) => chat,
    uniqueKey: ({ deliveryId }) => `delivery:${deliveryId}`,
    run: dispatchDelivery,
    abandoned: abandonDelivery,
  },
  "event.retry": {
    cap: 8,
    lane: ({ subscriptionId }) => retryLane(subscriptionId),
    uniqueKey: ({ deliveryId }) => `delivery:${deliveryId}`,
    serial: ({ chat }) => chat,
    run: dispatchDelivery,
    abandoned: abandonDelivery,
  },
  "subscription.retry": { ...HOUSEKEEPING, uniqueKey: ({ subscriptionId, afterSeq }) => `retry:${subscriptionId}:${afterSeq}`, run: retryDeliveries },
  "event.fan-out": { cap: 1, lane: ({ tenantId }) => fanOutLane(tenantId), run: fanOut },
  "subscription.unpark": { ...HOUSEKEEPING, uniqueKey: ({ subscriptionId }) => `unpark:${subscriptionId}`, run: unparkDeliveries },
  "subscription.forget": { ...HOUSEKEEPING, priority: "low", run: forgetSubscription },
  "contacts.index": { ...HOUSEKEEPING, priority: "low", uniqueKey: () => "contacts.index", run: indexContacts },
  "member.forget": { ...HOUSEKEEPING, uniqueKey: ({ tenantId, userId }) => `member.forget:${tenantId}:${userId}`, run: forgetMember },
  "channel.forget": { ...HOUSEKEEPING, priority: "low", run: forgetChannel },
  "channels.refresh": { ...HOUSEKEEPING, uniqueKey: () => "refresh", run: enqueueRefreshes },
  "channel.refresh": { cap: 4, lane: () => "refresh", uniqueKey: ({ channelId }) => `refresh:${channelId}`, run: refreshChannel },
  "channel.reset": {
    cap: PAIRING_CAP,
    lane: ({ channelId }) => pairingLane(channelId),
    uniqueKey: ({ channelId }) => resetKey(channelId),
    run: resetPairing,
  },
  "channel.unlink": {
    cap: PAIRING_CAP,
    lane: ({ channelId }) => pairingLane(channelId),
    uniqueKey: ({ channelId }) => `unlink:${channelId}`,
    run: unlinkOldIdentities,
  },
  "channel.announce-qr": {
    cap: PAIRING_CAP,
    lane: ({ channelId }) => pairingLane(channelId),
    uniqueKey: ({ channelId }) => `announce-qr:${channelId}`,
    run: announceQr,
  },
  "channel.give-up": {
    cap: PAIRING_CAP,
    lane: ({ channelId }) => pairingLane(channelId),
    uniqueKey: ({ channelId }) => giveUpKey(channelId),
    run: giveUpPairing,
  },
  "templates.sync": { cap: 4, lane: () => "templates", uniqueKey: ({ channelId }) => `templates:${channelId}`, priority: "low", run: syncChannelTemplates },
  "templates.sync-all": { ...HOUSEKEEPING, priority: "low", uniqueKey: ({ afterId = "" }) => `templates.sync-all:${afterId}`, run: enqueueSyncs },
  "media.download": {
    cap: 8, // a host that hangs holds up no more of the channel's files at once
    lane: mediaLane,
    run: downloadMedia,
    abandoned: (env, tx, payload) => publishWithoutFile(env, tx, payload),
  },
  "media.erase": {
    cap: 4,
    lane: () => "media.erase",
    uniqueKey: ({ key }) => `erase:${key}`,
    run: eraseMedia,
  },
  "media.forget": { ...HOUSEKEEPING, uniqueKey: ({ channelId }) => `media.forget:${channelId}`, run: forgetMedia },
  "media.expire": { ...HOUSEKEEPING, priority: "low", uniqueKey: () => "media.expire", run: expireMedia },
  "agent.respond": {
    cap: 2, // as many calls at once as an account's provider is asked
    serial: ({ channelId, contactKey }) => `${channelId}/${contactKey}`,
    uniqueKey: ({ messageId }) => `respond:${messageId}`,
    lane: ({ tenantId }) => `ai:${tenantId}`,
    run: respondToMessage,
  },
  "agent.forget": { ...HOUSEKEEPING, priority: "low", run: forgetAgent },
  "agents.expire": { ...HOUSEKEEPING, priority: "low", uniqueKey: () => "agents.expire", run: closeIdleConversations },
  "document.ingest": {
    cap: 1,
    uniqueKey: ({ documentId }) => `ingest:${documentId}`,
    lane: ({ tenantId }) => `knowledge:${tenantId}`,
    run: ingestDocument,
    abandoned: abandonDocument,
  },
  "document.forget": { ...HOUSEKEEPING, priority: "low", run: forgetDocument },
  "invoices.close": {
    cap: 4,
    uniqueKey: () => "invoices.close",
    lane: () => "billing",
    run: closeMonth,
  },
  "invoices.reconcile": {
    cap: 4,
    uniqueKey: () => "invoices.reconcile",
    lane: () => "billing",
    run: reconcileInvoices,
  },
  "invoice.issue": {
    cap: 1,
    uniqueKey: ({ invoiceId }) => `issue:${invoiceId}`,
    lane: ({ tenantId }) => `billing:${tenantId}`,
    run: issueDueInvoice,
  },
  "processor.apply": {
    cap: 1,
    uniqueKey: ({ eventId }) => `processor:${eventId}`,
    lane: () => "processor",
    run: applyProcessorEvent,
  },
  "dunning.run": {
    cap: 4,
    uniqueKey: () => "dunning",
    lane: () => "billing",
    run: runDunning,
  },
  "mail.send": {
    cap: 4,
    uniqueKey: ({ mailId }) => `mail:${mailId}`,
    lane: () => "mail",
    run: sendMail,
  },
  "user.recover": { ...HOUSEKEEPING, uniqueKey: ({ emailKey }) => `user.recover:${emailKey}`, run: recoverUser },
  "call.ring-out": {
    cap: 16,
    uniqueKey: ({ callId }) => `ring:${callId}`,
    lane: () => "calls",
    run: stopRinging,
  },
  "call.end": { ...HOUSEKEEPING, uniqueKey: ({ callId }) => `end:${callId}`, run: endUnheard },
  "call.tell-over": {
    cap: 4,
    uniqueKey: ({ callId }) => `over:${callId}`,
    lane: ({ channelId }) => `calls:${channelId}`,
    run: tellNetworkOver,
  },
  "recordings.expire": { ...HOUSEKEEPING, priority: "low", uniqueKey: () => "recordings.expire", run: expireRecordings },
  "person.erase": { cap: 1, lane: () => "people", uniqueKey: ({ erasureId }) => `erase:${erasureId}`, run: runErasure },
  "store.prune": { ...HOUSEKEEPING, priority: "low", uniqueKey: () => "prune", run: prune },
  "backup.make": { cap: 1, lane: () => "backup", uniqueKey: () => "backup", run: makeBackup },
};
