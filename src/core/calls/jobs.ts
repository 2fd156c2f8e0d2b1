import { Type } from "@sinclair/typebox";
import { late } from "../../kernel/async.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import { versioned } from "../../kernel/versioned.ts";
import { job } from "../../runtime/jobs.ts";
import { commonQueue } from "../../store/tables/queues.ts";
import { queueIn } from "../channels/links/channel-queues.ts";
import { HOUSEKEEPING, id, NOTHING } from "../job-parts.ts";
import { endUnreportedCall } from "./call-states.ts";
import { endCallAtNetwork, stopRinging } from "./ringing.ts";

const CALL = versioned(Type.Object({ callId: id() }));

/** The background work of `calls`. */
export const CALL_JOBS = {
  "call.ring-out": job({
    payload: CALL,
    concurrencyLimit: 16,
    queue: () => commonQueue("calls"),
    uniqueKey: ({ callId }) => `ring:${callId}`,
    run: stopRinging,
  }),
  "call.end": job({
    ...HOUSEKEEPING,
    payload: CALL,
    uniqueKey: ({ callId }) => `end:${callId}`,
    run: endUnreportedCall,
  }),
  "call.end-at-network": job({
    payload: versioned(Type.Object({ callId: id(), channelId: id<ChannelId>() })),
    concurrencyLimit: 4,
    queue: ({ channelId }) => queueIn("calls", channelId),
    uniqueKey: ({ callId }) => `over:${callId}`,
    run: endCallAtNetwork,
  }),
  "call.reply": job({
    payload: versioned(Type.Object({ callId: id(), channelId: id<ChannelId>(), text: Type.String() })),
    concurrencyLimit: 4,
    queue: ({ channelId }) => queueIn("calls", channelId),
    uniqueKey: ({ callId }) => `reply:${callId}`,
    run: late(async () => (await import("./replies.ts")).replyToCaller),
  }),
  "recordings.expire": job({
    ...HOUSEKEEPING,
    payload: NOTHING,
    priority: "low",
    uniqueKey: () => "recordings.expire",
    run: late(async () => (await import("./recordings.ts")).expireRecordings),
  }),
};
