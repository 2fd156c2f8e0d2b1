import type { ChannelId, MessageId, SubscriptionId } from "../kernel/ids.ts";
import type { CronLine } from "../runtime/cron.ts";
import type { Enqueuer, JobKinds } from "../runtime/jobs.ts";
import type { Environment } from "../store/keys.ts";
import { forgetChannel } from "./channels/forget.ts";
import { enqueueRefreshes, refreshChannel } from "./channels/oauth.ts";
import { announceQr, giveUpKey, giveUpPairing, resetPairing } from "./channels/pairing.ts";
import { channelLane, lookupLane, pairingLane, resetKey, scheduledLane } from "./channels/report.ts";
import type { Env } from "./env.ts";
import { abandonDelivery, type DispatchPayload, dispatchDelivery, endpointLane, retryLane } from "./events/dispatch.ts";
import { forgetAttempts, unparkDeliveries } from "./events/subscriptions.ts";
import { processUpstream } from "./inbound.ts";
import { downloadMedia } from "./media/download.ts";
import { mediaLane, type PendingMessage, publishWithoutFile } from "./media/received.ts";
import { eraseMedia, expireMedia, forgetMedia } from "./media/retention.ts";
import { abandonMessage, deliverMessage } from "./messaging/deliver.ts";
import { abandonScheduled, acceptScheduled, type SchedulePayload } from "./messaging/due.ts";
import { CHANNEL_CAP } from "./messaging/lane.ts";
import { abandonLookup, type LookupPayload, runLookup } from "./messaging/lookup.ts";
import { abandonOperation, type OperatePayload, operateOnMessage } from "./messaging/operations.ts";
import { prune } from "./prune.ts";

/** Every kind of background work with what it is told. */
export type JobPayloads = {
  "upstream.process": { envelopeId: number };
  "message.deliver": { messageId: MessageId; channelId: ChannelId; chat: string; environment: Environment };
  "message.operate": OperatePayload;
  "scheduled.accept": SchedulePayload;
  "lookup.run": LookupPayload;
  "event.dispatch": DispatchPayload;
  "event.retry": DispatchPayload;
  "subscription.unpark": { subscriptionId: SubscriptionId };
  "subscription.forget": { subscriptionId: SubscriptionId };
  "channel.forget": { channelId: ChannelId };
  "channels.refresh": Record<string, never>;
  "channel.refresh": { channelId: ChannelId };
  "channel.reset": { channelId: ChannelId };
  "channel.announce-qr": { channelId: ChannelId };
  "channel.give-up": { channelId: ChannelId };
  "media.download": PendingMessage;
  "media.erase": { key: string };
  "media.forget": { channelId: ChannelId };
  "media.expire": Record<string, never>;
  "store.prune": Record<string, never>;
};

/** Our own faults are tried again so often before a job is given up: over an hour in all. */
const MAX_FAULTS = 20;

/** An announcement that waits for its QR code holds up neither a reset nor the end of a wait; one that was replaced may still be waiting. */
const PAIRING_CAP = 4;

/** TABLE: every piece of background work, its lane, and its handler. */
export const JOB_KINDS: JobKinds<Env, JobPayloads> = {
  "upstream.process": {
    maxAttempts: MAX_FAULTS,
    cap: 64,
    lane: () => "upstream",
    uniqueKey: ({ envelopeId }) => `upstream:${envelopeId}`,
    run: processUpstream,
  },
  "message.deliver": {
    maxAttempts: MAX_FAULTS,
    cap: CHANNEL_CAP,
    lane: ({ channelId, environment }) => channelLane(channelId, environment),
    serial: ({ chat }) => chat,
    uniqueKey: ({ messageId }) => `message:${messageId}`,
    run: deliverMessage,
    abandoned: abandonMessage,
  },
  "message.operate": {
    maxAttempts: MAX_FAULTS,
    cap: CHANNEL_CAP,
    lane: ({ channelId }) => channelLane(channelId, "live"),
    serial: ({ chat }) => chat,
    uniqueKey: ({ messageId, action }) => `operate:${messageId}:${action.name}`,
    run: operateOnMessage,
    abandoned: abandonOperation,
  },
  "scheduled.accept": {
    maxAttempts: MAX_FAULTS,
    cap: 8,
    lane: ({ channelId }) => scheduledLane(channelId),
    uniqueKey: ({ scheduledId }) => `scheduled:${scheduledId}`,
    run: acceptScheduled,
    abandoned: abandonScheduled,
  },
  "lookup.run": {
    maxAttempts: MAX_FAULTS,
    cap: 1,
    lane: ({ channelId }) => lookupLane(channelId),
    uniqueKey: ({ taskId }) => `lookup:${taskId}`,
    run: runLookup,
    abandoned: abandonLookup,
  },
  "event.dispatch": {
    maxAttempts: MAX_FAULTS,
    cap: 1, // until the endpoint has answered well once
    lane: ({ subscriptionId }) => endpointLane(subscriptionId),
    serial: ({ chat }) => chat,
    uniqueKey: ({ deliveryId }) => `delivery:${deliveryId}`,
    run: dispatchDelivery,
    abandoned: abandonDelivery,
  },
  "event.retry": {
    maxAttempts: MAX_FAULTS,
    cap: 8,
    lane: ({ subscriptionId }) => retryLane(subscriptionId),
    uniqueKey: ({ deliveryId }) => `delivery:${deliveryId}`,
    serial: ({ chat }) => chat,
    run: dispatchDelivery,
    abandoned: abandonDelivery,
  },
  "subscription.unpark": {
    maxAttempts: MAX_FAULTS,
    cap: 4,
    lane: () => "housekeeping",
    uniqueKey: ({ subscriptionId }) => `unpark:${subscriptionId}`,
    run: unparkDeliveries,
  },
  "subscription.forget": {
    maxAttempts: MAX_FAULTS,
    cap: 4,
    priority: "low",
    lane: () => "housekeeping",
    run: forgetAttempts,
  },
  "channel.forget": {
    maxAttempts: MAX_FAULTS,
    cap: 4,
    priority: "low",
    lane: () => "housekeeping",
    run: forgetChannel,
  },
  "channels.refresh": {
    maxAttempts: MAX_FAULTS,
    cap: 4,
    lane: () => "housekeeping",
    uniqueKey: () => "refresh",
    run: enqueueRefreshes,
  },
  "channel.refresh": {
    maxAttempts: MAX_FAULTS,
    cap: 4,
    lane: () => "refresh",
    uniqueKey: ({ channelId }) => `refresh:${channelId}`,
    run: refreshChannel,
  },
  "channel.reset": {
    maxAttempts: MAX_FAULTS,
    cap: PAIRING_CAP,
    lane: ({ channelId }) => pairingLane(channelId),
    uniqueKey: ({ channelId }) => resetKey(channelId),
    run: resetPairing,
  },
  "channel.announce-qr": {
    maxAttempts: MAX_FAULTS,
    cap: PAIRING_CAP,
    lane: ({ channelId }) => pairingLane(channelId),
    uniqueKey: ({ channelId }) => `announce-qr:${channelId}`,
    run: announceQr,
  },
  "channel.give-up": {
    maxAttempts: MAX_FAULTS,
    cap: PAIRING_CAP,
    lane: ({ channelId }) => pairingLane(channelId),
    uniqueKey: ({ channelId }) => giveUpKey(channelId),
    run: giveUpPairing,
  },
  "media.download": {
    maxAttempts: MAX_FAULTS,
    cap: 8, // a host that hangs holds up no more of the channel's files at once
    lane: mediaLane,
    run: downloadMedia,
    abandoned: publishWithoutFile,
  },
  "media.erase": {
    maxAttempts: MAX_FAULTS,
    cap: 4,
    lane: () => "media.erase",
    run: eraseMedia,
  },
  "media.forget": {
    maxAttempts: MAX_FAULTS,
    cap: 4,
    lane: () => "housekeeping",
    uniqueKey: ({ channelId }) => `media.forget:${channelId}`,
    run: forgetMedia,
  },
  "media.expire": {
    maxAttempts: MAX_FAULTS,
    cap: 4,
    priority: "low",
    lane: () => "housekeeping",
    uniqueKey: () => "media.expire",
    run: expireMedia,
  },
  "store.prune": {
    maxAttempts: MAX_FAULTS,
    cap: 4,
    priority: "low",
    lane: () => "housekeeping",
    uniqueKey: () => "prune",
    run: prune,
  },
};

/** TABLE: what happens at fixed times. */
export const cronLines = (jobs: Enqueuer<JobPayloads>): CronLine[] => [
  { name: "prune", pattern: "17 * * * *", fire: (tx) => void jobs.enqueue(tx, "store.prune", {}) },
  { name: "refresh", pattern: "41 3 * * *", fire: (tx) => void jobs.enqueue(tx, "channels.refresh", {}) },
  { name: "media-retention", pattern: "5 * * * *", fire: (tx) => void jobs.enqueue(tx, "media.expire", {}) },
];
