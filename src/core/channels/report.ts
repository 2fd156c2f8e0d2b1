import type { HealthChanged, LinkReport, LinkState } from "../../contract/events.ts";
import { iso, MINUTE_MS } from "../../kernel/clock.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import { type ChannelRow, findChannel, updateChannel } from "../../store/channels.ts";
import type { Tx } from "../../store/db.ts";
import { releaseLane } from "../../store/jobs.ts";
import type { Environment } from "../../store/keys.ts";
import { EVERY_TENANT } from "../../store/scope.ts";
import type { Env } from "../env.ts";
import { publish } from "../events/publish.ts";

type ReportEnv = Pick<Env, "clock" | "random" | "jobs" | "renderers" | "stream">;

/** What is sent through a channel runs in this lane; what is only simulated waits for nothing, in its own. */
export const channelLane = (channelId: ChannelId, environment: Environment): string => (environment === "live" ? `channel:${channelId}` : `channel:${channelId}/test`);

/** What is scheduled for a channel waits here for its time. */
export const scheduledLane = (channelId: ChannelId): string => `scheduled:${channelId}`;

/** What is asked of the channel's network runs here: it has a pace of its own, and waits behind no sends. */
export const lookupLane = (channelId: ChannelId): string => `lookup:${channelId}`;

/** Whatever waits for the channel is looked at again now. */
export const letSendsGoOn = (env: Pick<Env, "jobs">, tx: Tx, channelId: ChannelId): void => {
  for (const lane of [channelLane(channelId, "live"), scheduledLane(channelId), lookupLane(channelId)]) releaseLane(tx, lane);
  env.jobs.wakeAfter(tx);
};

/** The reason of an end that the channel's owner wanted. */
const BY_OWNER = "LOGOUT";

/** Whether the network, and not the owner, ended the connection: then the network may mend it, too. */
export const isEndedByNetwork = ({ state, profile }: Pick<ChannelRow, "state" | "profile">): boolean =>
  state === "DISCONNECTED" && typeof profile["stateReason"] === "string" && profile["stateReason"] !== BY_OWNER;

const ENDED: readonly LinkState[] = ["DISCONNECTED", "TOKEN_EXPIRED", "FAILED"];

/** Whether a report ends a connection for good, rather than interrupting it. */
const isEnd = (channel: ChannelRow, state: LinkState): boolean =>
  ENDED.includes(state) && (channel.state === "CONNECTED" || (channel.state === "CONNECTING" && channel.connectedAt !== null && channel.disconnectedAt === null));

/** A channel that its owner has disconnected stays so, although calls that need no connection find out about its token. */
const isRevived = (channel: ChannelRow, { state }: LinkReport): boolean => channel.state === "DISCONNECTED" && state === "TOKEN_EXPIRED";

/** The reason goes with the state: a new state without one takes the former one's away. */
const profileAfter = (channel: ChannelRow, { state, reason, profile }: LinkReport): ChannelRow["profile"] => {
  const isSaid = state !== channel.state || reason !== undefined;
  return { ...channel.profile, ...profile, ...(isSaid ? { stateReason: reason ?? null } : {}) };
};

/**
 * Records what a link says of itself, and publishes only what is a change: connected, or gone for good. A channel that connects sends on
 * what waited for it.
 */
export const recordReport = (env: ReportEnv & Pick<Env, "db">, channelId: ChannelId, report: LinkReport): Promise<void> =>
  env.db.write(async (tx) => void (await applyReport(env, tx, channelId, report)));

/** The same within a write that does more. The row as it is then; undefined when the channel is gone. */
export const applyReport = async (env: ReportEnv, tx: Tx, channelId: ChannelId, report: LinkReport): Promise<ChannelRow | undefined> => {
  const channel = await findChannel(tx, EVERY_TENANT, channelId);
  if (!channel || isRevived(channel, report)) return channel;
  const now = env.clock.now();
  const isArrival = report.state === "CONNECTED" && channel.state !== "CONNECTED";
  const isDeparture = isEnd(channel, report.state);
  const phoneNumber = report.phoneNumber ?? channel.phoneNumber;
  const changed = await updateChannel(tx, EVERY_TENANT, channel.id, {
    state: report.state,
    phoneNumber,
    profile: profileAfter(channel, report),
    ...(report.state === "CONNECTED" && channel.validatedAt === null ? { validatedAt: now } : {}),
    ...(isArrival ? { connectedAt: now, disconnectedAt: null } : {}),
    ...(isDeparture ? { disconnectedAt: now } : {}),
    updatedAt: now,
  });
  if (!changed) return undefined;
  const origin = { tenantId: channel.tenantId, channel: changed };
  if (isArrival) {
    await publish(env, tx, origin, { type: "channel.connected", phoneNumber, connectedAt: now });
    letSendsGoOn(env, tx, channel.id);
  }
  if (isDeparture) await publish(env, tx, origin, { type: "channel.disconnected", reason: report.reason ?? "CONNECTION_LOST", phoneNumber });
  return changed;
};

/** The network's clock and ours may differ by so much. */
const CLOCKS_APART_MS = 10 * MINUTE_MS;

/**
 * Records what the network says of a channel without having been asked. An end from before the channel last connected is no news: the network
 * repeats itself. Where it is in doubt how the channel is, its link asks.
 */
export const recordHealth = async (env: Env, tx: Tx, channel: ChannelRow, { at, state = channel.state, reason, profile = {}, isInDoubt }: HealthChanged): Promise<void> => {
  const isOld = state !== channel.state && channel.connectedAt !== null && at < channel.connectedAt - CLOCKS_APART_MS;
  if (isOld) return env.log.info({ channelId: channel.id, state, reason, at: iso(at) }, "the network repeated what is over");
  await applyReport(env, tx, channel.id, { state, profile, ...(reason === undefined ? {} : { reason }) });
  if (isInDoubt) tx.afterCommit(() => env.supervisor.connect(channel));
};
