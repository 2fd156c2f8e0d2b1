import type { ChannelId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { endWaiting } from "../../../store/tables/messaging/batches.ts";
import { type Queue, queueOfChannel, type ResumedPause, resumeQueue } from "../../../store/tables/queues.ts";
import type { Environment } from "../../../store/tables/tenancy/keys.ts";
import type { ChannelsEnv } from "../env.ts";

/** The properties of one of the queues that a channel has. */
type ChannelQueue = {
  /** Its further queues, each for a part of its work that must not wait for the rest. */
  parts: readonly string[];
  /** Whether its jobs wait for what sends wait for. Then `resumeSends` resumes it, too. */
  isOfSends: boolean;
  /** Whether its waiting jobs are deleted with the channel. Otherwise they run, and each ends what it stands for. */
  isDropped: boolean;
};

/** The part of simulated sends, which wait for no connection. */
const TEST = "test";

/** TABLE: the queues of a channel, by their kinds. */
const CHANNEL_QUEUES = {
  /** Sends, and operations on messages. */
  channel: { parts: [TEST], isOfSends: true, isDropped: false },
  /** Batches. Each keeps its own pace, and all wait while the channel is not connected. */
  bulk: { parts: [TEST], isOfSends: true, isDropped: true },
  /** Scheduled messages. */
  scheduled: { parts: [], isOfSends: true, isDropped: true },
  /** Lookups. They have a pace of their own, and do not wait behind sends. */
  lookup: { parts: [], isOfSends: true, isDropped: true },
  /** Pairing, which may wait for the network. */
  pairing: { parts: [], isOfSends: false, isDropped: true },
  /** Checks of fallbacks, which are what happens while a send waits. */
  fallback: { parts: [], isOfSends: false, isDropped: false },
  /** Calls that are ended at the network. */
  calls: { parts: [], isOfSends: false, isDropped: false },
  /** Files of messages. Those of an imported history do not delay the others. */
  media: { parts: ["history"], isOfSends: false, isDropped: false },
  /** Files that wait for good credentials. Their messages are published already. */
  files: { parts: [], isOfSends: true, isDropped: true },
} as const satisfies Record<string, ChannelQueue>;

type QueueKind = keyof typeof CHANNEL_QUEUES;
type PartOf<Kind extends QueueKind> = (typeof CHANNEL_QUEUES)[Kind]["parts"][number];

/** One of the queues of a channel. */
export const queueIn = <Kind extends QueueKind>(kind: Kind, channelId: ChannelId, part?: PartOf<Kind>): Queue =>
  queueOfChannel(kind, channelId, part);

const partOf = (environment: Environment): typeof TEST | undefined => (environment === "live" ? undefined : TEST);

/** The queue of the channel's sends. Simulated sends wait for no connection, in a queue of their own. */
export const channelQueue = (channelId: ChannelId, environment: Environment): Queue =>
  queueIn("channel", channelId, partOf(environment));

/** The queue of the channel's batches. */
export const batchQueue = (channelId: ChannelId, environment: Environment): Queue =>
  queueIn("bulk", channelId, partOf(environment));

/** All queues of a channel whose kind has a property. */
export const queuesOfChannel = (channelId: ChannelId, has: (queue: ChannelQueue) => boolean = () => true): Queue[] =>
  Object.entries<ChannelQueue>(CHANNEL_QUEUES)
    .filter(([, queue]) => has(queue))
    .flatMap(([kind, { parts }]) => [undefined, ...parts].map((part) => queueOfChannel(kind, channelId, part)));

/**
 * Ends the wait of all sends of the channel for one reason; without a reason every wait. Whatever such a wait is for
 * calls it in its own write.
 */
export const resumeSends = (
  { jobs }: Pick<ChannelsEnv, "jobs">,
  tx: Tx,
  channelId: ChannelId,
  reason?: ResumedPause,
): void => {
  for (const { key } of queuesOfChannel(channelId, ({ isOfSends }) => isOfSends)) resumeQueue(tx, jobs, key, reason);
  endWaiting(tx, channelId);
};
