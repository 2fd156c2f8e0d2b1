import { late } from "../../kernel/async.ts";
import { job } from "../../runtime/jobs.ts";
import { commonQueue } from "../../store/tables/queues.ts";
import { CHANNEL, HOUSEKEEPING, NOTHING } from "../job-parts.ts";
import { queueIn } from "./links/channel-queues.ts";
import { giveUpKey, resetKey } from "./links/report.ts";

/**
 * More than one: a notification that waits for its QR code must block neither a reset nor the end of a wait. A replaced
 * notification may still be waiting.
 */
const PAIRING_CONCURRENCY = 4;

/** The background work of `channels`. */
export const CHANNEL_JOBS = {
  "channels.refresh": job({
    ...HOUSEKEEPING,
    payload: NOTHING,
    uniqueKey: () => "refresh",
    run: late(async () => (await import("./signing-up/oauth.ts")).enqueueRefreshes),
  }),
  "channel.refresh": job({
    payload: CHANNEL,
    concurrencyLimit: 4,
    queue: () => commonQueue("refresh"),
    uniqueKey: ({ channelId }) => `refresh:${channelId}`,
    run: late(async () => (await import("./signing-up/oauth.ts")).refreshChannel),
  }),
  "channel.reset": job({
    payload: CHANNEL,
    concurrencyLimit: PAIRING_CONCURRENCY,
    queue: ({ channelId }) => queueIn("pairing", channelId),
    uniqueKey: ({ channelId }) => resetKey(channelId),
    run: late(async () => (await import("./pairing/pairing.ts")).resetPairing),
  }),
  "channel.unlink": job({
    payload: CHANNEL,
    concurrencyLimit: PAIRING_CONCURRENCY,
    queue: ({ channelId }) => queueIn("pairing", channelId),
    uniqueKey: ({ channelId }) => `unlink:${channelId}`,
    run: late(async () => (await import("./pairing/pairing.ts")).unlinkOldIdentities),
  }),
  "channel.announce-qr": job({
    payload: CHANNEL,
    concurrencyLimit: PAIRING_CONCURRENCY,
    queue: ({ channelId }) => queueIn("pairing", channelId),
    uniqueKey: ({ channelId }) => `announce-qr:${channelId}`,
    run: late(async () => (await import("./pairing/pairing.ts")).announceQr),
  }),
  "channel.give-up": job({
    payload: CHANNEL,
    concurrencyLimit: PAIRING_CONCURRENCY,
    queue: ({ channelId }) => queueIn("pairing", channelId),
    uniqueKey: ({ channelId }) => giveUpKey(channelId),
    run: late(async () => (await import("./pairing/pairing.ts")).giveUpPairing),
  }),
};
