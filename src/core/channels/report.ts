import type { HealthChanged, LinkReport, LinkState } from "../../contract/events.ts";
import { iso, MINUTE_MS } from "../../kernel/clock.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import { endWaiting } from "../../store/batches.ts";
import { type ChannelRow, findChannel, updateChannel } from "../../store/channels.ts";
import type { Tx } from "../../store/db.ts";
import { hasJob } from "../../store/jobs.ts";
import type { Environment } from "../../store/keys.ts";
import { type Queue, queueOfChannel, resumeQueue } from "../../store/queues.ts";
import { EVERY_TENANT } from "../../store/scope.ts";
import { type PublishEnv, publish } from "../events/publish.ts";
import type { ChannelsEnv } from "./env.ts";

type ReportEnv = PublishEnv & Pick<ChannelsEnv, "log" | "jobs" | "registry">;

const partOf = (environment: Environment): string | undefined => (environment === "live" ? undefined : "test");

/** What is sent through a channel runs in this queue; what is only simulated waits for nothing, in its own. */
export const channelQueue = (channelId: ChannelId, environment: Environment): Queue =>
  queueOfChannel("channel", channelId, partOf(environment));

/** The batches of a channel go on here, each at its own pace, and wait here together while it is not connected. */
export const bulkQueue = (channelId: ChannelId, environment: Environment): Queue =>
  queueOfChannel("bulk", channelId, partOf(environment));

/** What is scheduled for a channel waits here for its time. */
export const scheduledQueue = (channelId: ChannelId): Queue => queueOfChannel("scheduled", channelId);

/** What is done about the pairing of a channel has a queue of its own: it may wait for its network. */
export const pairingQueue = (channelId: ChannelId): Queue => queueOfChannel("pairing", channelId);

/** A job with this key lives while the channel's identity is being let go of. */
export const resetKey = (channelId: ChannelId): string => `reset:${channelId}`;

/** What is asked of the channel's network runs here: it has a pace of its own, and waits behind no sends. */
export const lookupQueue = (channelId: ChannelId): Queue => queueOfChannel("lookup", channelId);

/** Whatever waits for the channel is looked at again now. */
export const letSendsGoOn = (env: Pick<ChannelsEnv, "jobs">, tx: Tx, channelId: ChannelId): void => {
  for (const queue of [
    channelQueue(channelId, "live"),
    bulkQueue(channelId, "live"),
    scheduledQueue(channelId),
    lookupQueue(channelId),
  ])
    resumeQueue(tx, queue.key);
  endWaiting(tx, channelId);
  env.jobs.wakeAfter(tx);
};

/**
 * The reason of an end that the channel's owner wanted, and those for which an identity is gone: taken back at the
 * network, or let go of by us.
 */
export const BY_OWNER = "LOGOUT";
const LOGGED_OUT = "LOGGED_OUT";
export const PAIRING_RESET = "PAIRING_RESET";

/** Whether the network, and not the owner, ended the connection: then the network may mend it, too. */
export const isEndedByNetwork = ({ state, profile }: Pick<ChannelRow, "state" | "profile">): boolean =>
  state === "DISCONNECTED" && typeof profile["stateReason"] === "string" && profile["stateReason"] !== BY_OWNER;

/** A connection has ended for good, rather than been interrupted; with `PENDING_QR` its identity has, too. */
const ENDED: readonly LinkState[] = ["DISCONNECTED", "TOKEN_EXPIRED", "FAILED", "PENDING_QR"];

/** It was connected, and is being connected again by itself: nobody has been told that it was away. */
const isInterrupted = ({ state, connectedAt, disconnectedAt }: ChannelRow): boolean =>
  state === "CONNECTING" && connectedAt !== null && disconnectedAt === null;

/** Whether the last that was told of the channel is that it is connected. */
export const isToldConnected = (channel: ChannelRow): boolean =>
  channel.state === "CONNECTED" || isInterrupted(channel);

/** Whether the channel waits to be paired because it has lost its identity, and nobody has asked for another since. */
export const hasLostPairing = ({ state, profile }: Pick<ChannelRow, "state" | "profile">): boolean =>
  state === "PENDING_QR" && (profile["stateReason"] === LOGGED_OUT || profile["stateReason"] === PAIRING_RESET);

/**
 * What the link of a paired channel still says after its owner has ended the connection, or while its identity is being
 * let go of, counts no more. Another channel that its owner has disconnected stays so, although calls that need no
 * connection find out about its token.
 */
const isOver = async (
  { registry }: ReportEnv,
  tx: Tx,
  { id, kind, state, profile }: ChannelRow,
  report: LinkReport,
): Promise<boolean> => {
  if (registry.declared(kind)?.network.isPaired)
    return (state === "DISCONNECTED" && profile["stateReason"] === BY_OWNER) || (await hasJob(tx, resetKey(id)));
  return state === "DISCONNECTED" && report.state === "TOKEN_EXPIRED";
};

/** For the profile of a channel that is really being connected: what test keys simulated is over. */
export const NOT_SIMULATED = { sandbox: undefined };

/**
 * The reason goes with the state: a new state without one takes the former one's away. That the pairing is lost stays
 * said while nothing comes of the next.
 */
const profileAfter = (channel: ChannelRow, { state, reason, profile }: LinkReport): ChannelRow["profile"] => {
  const isSaid = state !== channel.state || (reason !== undefined && !hasLostPairing(channel));
  const isReal = state === "CONNECTING" || state === "CONNECTED";
  return {
    ...channel.profile,
    ...profile,
    ...(isSaid ? { stateReason: reason ?? null } : {}),
    ...(isReal ? NOT_SIMULATED : {}),
  };
};

/**
 * Records what a link says of itself, and publishes only what is a change: connected, or gone for good; one that comes
 * back from an interruption was never told to be away. A channel that connects sends on what waited for it; one whose
 * identity is gone has its next QR code announced. The row as it is then; undefined when the channel is gone.
 */
export const applyReport = async (
  env: ReportEnv,
  tx: Tx,
  channelId: ChannelId,
  report: LinkReport,
): Promise<ChannelRow | undefined> => {
  const channel = await findChannel(tx, EVERY_TENANT, channelId);
  return !channel || isRepeat(channel, report) || (await isOver(env, tx, channel, report))
    ? channel
    : moveChannel(env, tx, channel, report);
};

/** Whether a report says what is known. */
const isRepeat = ({ state, phoneNumber, profile: known }: ChannelRow, said: LinkReport): boolean =>
  said.state === state &&
  said.profile === undefined &&
  (said.phoneNumber === undefined || said.phoneNumber === phoneNumber) &&
  (said.reason === undefined || said.reason === known["stateReason"]);

/** Why a channel is not connected, as its network or its owner ended it; null while it is, or where nobody has said. */
export const awayReasonOf = ({ state, profile }: Pick<ChannelRow, "state" | "profile">): string | null => {
  const reason = profile["stateReason"];
  return state !== "CONNECTED" && typeof reason === "string" ? reason : null;
};

/** What a report changes, beside the row itself. */
type Change = { isBack: boolean; isArrival: boolean; isDeparture: boolean; isUnpaired: boolean };

const updateOf = (channel: ChannelRow, { state }: LinkReport): Change => {
  const isBack = state === "CONNECTED" && channel.state !== "CONNECTED";
  return {
    isBack,
    isArrival: isBack && !isInterrupted(channel),
    isDeparture: ENDED.includes(state) && isToldConnected(channel),
    isUnpaired: state === "PENDING_QR" && channel.validatedAt !== null,
  };
};

const changesBy = (
  channel: ChannelRow,
  report: LinkReport,
  { isArrival, isDeparture, isUnpaired }: Change,
  now: number,
): Partial<ChannelRow> => ({
  state: report.state,
  phoneNumber: report.phoneNumber ?? channel.phoneNumber,
  profile: profileAfter(channel, report),
  ...(isUnpaired ? { validatedAt: null } : {}),
  ...(report.state === "CONNECTED" && channel.validatedAt === null ? { validatedAt: now } : {}),
  ...(isArrival ? { connectedAt: now, disconnectedAt: null } : {}),
  ...(isDeparture ? { disconnectedAt: now } : {}),
  updatedAt: now,
});

/** An identity that is gone without a word was logged out. */
const named = (report: LinkReport, { isUnpaired }: Change): LinkReport =>
  isUnpaired ? { reason: LOGGED_OUT, ...report } : report;

/**
 * Says once that a channel is lost, with its name, and once that it is connected. What its owner ends is no trouble.
 */
const logChange = (
  { log }: Pick<ChannelsEnv, "log">,
  channel: ChannelRow,
  { state, reason }: LinkReport,
  { isArrival, isDeparture }: Change,
): void => {
  const { id: channelId, label, kind, tenantId } = channel;
  const isLost = isDeparture || ((state === "FAILED" || state === "TOKEN_EXPIRED") && state !== channel.state);
  if (isLost && reason !== BY_OWNER) log.warn({ channelId, label, kind, tenantId, state, reason }, "a channel is lost");
  if (isArrival) log.info({ channelId, label, kind, tenantId }, "a channel is connected");
};

/**
 * Has a channel be as the report says, whatever it was, and tells what that changes. The row as it is then; undefined
 * when the channel is gone.
 */
export const moveChannel = async (
  env: ReportEnv,
  tx: Tx,
  channel: ChannelRow,
  said: LinkReport,
): Promise<ChannelRow | undefined> => {
  const now = env.clock.now();
  const update = updateOf(channel, said);
  const report = named(said, update);
  const changed = await updateChannel(tx, EVERY_TENANT, channel.id, changesBy(channel, report, update, now));
  if (!changed) return undefined;
  logChange(env, channel, report, update);
  const origin = { tenantId: channel.tenantId, channel: changed };
  const { phoneNumber } = changed;
  if (update.isArrival) await publish(env, tx, origin, { type: "channel.connected", phoneNumber, connectedAt: now });
  if (update.isBack) letSendsGoOn(env, tx, channel.id);
  if (update.isDeparture)
    await publish(env, tx, origin, {
      type: "channel.disconnected",
      reason: report.reason ?? "CONNECTION_LOST",
      phoneNumber,
      wasConnected: true,
    });
  if (update.isUnpaired) env.jobs.replace(tx, "channel.announce-qr", { channelId: channel.id });
  return changed;
};

/** The network's clock and ours may differ by so much. */
const CLOCKS_APART_MS = 10 * MINUTE_MS;

/**
 * Records what a link reports. A check that began before the network ended the connection says no more how it is: only
 * one that was asked for since does.
 */
export const applyLinkReport = async (
  env: ReportEnv,
  tx: Tx,
  channelId: ChannelId,
  report: LinkReport,
): Promise<void> => {
  const channel = await findChannel(tx, EVERY_TENANT, channelId);
  const isOutdated = channel !== undefined && isEndedByNetwork(channel) && channel.profile["endHolds"] === true;
  if (isOutdated)
    return env.log.info(
      { channelId, state: report.state },
      "a link's report is from before the network ended the connection",
    );
  await applyReport(env, tx, channelId, report);
};

/**
 * Whether an end that the network has said holds against the link's reports, kept in the channel's profile: not while
 * the link asks anew how the channel is.
 */
const endAfter = ({ state, isInDoubt }: HealthChanged): { endHolds?: true | undefined } => {
  if (isInDoubt) return { endHolds: undefined };
  return state !== undefined && ENDED.includes(state) ? { endHolds: true } : {};
};

/**
 * Records what the network says of a channel without having been asked. An end from before the channel last connected
 * is no news: the network repeats itself. Where it is in doubt how the channel is, its link asks.
 */
export const recordHealth = async (
  env: ChannelsEnv,
  tx: Tx,
  channel: ChannelRow,
  said: HealthChanged,
): Promise<void> => {
  const { at, state = channel.state, reason, profile = {}, isInDoubt } = said;
  const isOld = state !== channel.state && channel.connectedAt !== null && at < channel.connectedAt - CLOCKS_APART_MS;
  if (isOld)
    return env.log.info({ channelId: channel.id, state, reason, at: iso(at) }, "the network repeated what is over");
  await applyReport(env, tx, channel.id, {
    state,
    profile: { ...profile, ...endAfter(said) },
    ...(reason === undefined ? {} : { reason }),
  });
  if (isInDoubt) await env.supervisor.connect(tx, channel);
};
