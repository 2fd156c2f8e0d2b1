import { type HealthChanged, isOpenState, type LinkReport, type LinkState } from "../../../contract/events.ts";
import { iso, MINUTE_MS } from "../../../kernel/clock.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type ChannelRow, findChannel, updateChannel } from "../../../store/tables/channels/channels.ts";
import { endPairingLinks } from "../../../store/tables/channels/pairing-links.ts";
import { hasJob } from "../../../store/tables/jobs.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { type PublishEnv, publish } from "../../events/publish.ts";
import type { ChannelsEnv } from "../env.ts";
import { announcePairing, noticeIn } from "../pairing/pairing-notice.ts";
import { resumeSends } from "./channel-queues.ts";
import { isHeldByAnother } from "./holder.ts";
import { rememberAddress } from "./registered-address.ts";
import { restrictionAfter, restrictionChange } from "./restriction.ts";

type LinkReportEnv = ReportEnv & Pick<ChannelsEnv, "gatewayUrl" | "supervisor">;
type ReportEnv = PublishEnv & Pick<ChannelsEnv, "log" | "jobs" | "registry" | "secrets" | "passkeyPage">;

/** A job with this key exists while the channel's identity is being released. */
export const resetKey = (channelId: ChannelId): string => `reset:${channelId}`;

/** A job with this key exists while a channel that its owner connects waits for a scan. */
export const giveUpKey = (channelId: ChannelId): string => `give-up:${channelId}`;

/**
 * The reason of an end that the owner requested. Below it: the reasons for which an identity is gone, revoked at the
 * network or released by us.
 */
export const BY_OWNER = "LOGOUT";
const LOGGED_OUT = "LOGGED_OUT";
export const PAIRING_RESET = "PAIRING_RESET";

/** Whether the network, not the owner, ended the connection. Then the network may restore it, too. */
export const isEndedByNetwork = ({ state, profile }: Pick<ChannelRow, "state" | "profile">): boolean =>
  state === "DISCONNECTED" && typeof profile["stateReason"] === "string" && profile["stateReason"] !== BY_OWNER;

/** A connection in one of these states has ended for good; in `PENDING_QR` its identity is gone, too. */
const ENDED: readonly LinkState[] = ["DISCONNECTED", "TOKEN_EXPIRED", "FAILED", "PENDING_QR"];

/** It was connected and reconnects by itself. No event has reported it as disconnected. */
const isInterrupted = ({ state, connectedAt, disconnectedAt }: ChannelRow): boolean =>
  state === "CONNECTING" && connectedAt !== null && disconnectedAt === null;

/** Whether the channel's last published event says that it is connected. */
export const isPublishedConnected = (channel: ChannelRow): boolean =>
  isOpenState(channel.state) || isInterrupted(channel);

/**
 * Whether the channel waits to be paired because it has lost its identity, and no other pairing was requested since.
 */
export const hasLostPairing = ({ state, profile }: Pick<ChannelRow, "state" | "profile">): boolean =>
  state === "PENDING_QR" && (profile["stateReason"] === LOGGED_OUT || profile["stateReason"] === PAIRING_RESET);

/**
 * Whether a report comes too late. A paired channel's link is ignored after the owner has disconnected it, or while its
 * identity is being released. Another channel that its owner has disconnected stays disconnected, although calls
 * without a connection may find its token expired.
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

/** The profile change of a channel that really connects: a simulated connection ends. */
export const NOT_SIMULATED = { sandbox: undefined };

/**
 * A new state replaces the reason, even if the state has none. A lost pairing stays the reason until the next pairing
 * succeeds.
 */
const profileAfter = (channel: ChannelRow, report: LinkReport): ChannelRow["profile"] => {
  const { state, reason, profile, pairing } = report;
  const isSaid = state !== channel.state || (reason !== undefined && !hasLostPairing(channel));
  const isReal = state === "CONNECTING" || isOpenState(state);
  return {
    ...channel.profile,
    ...profile,
    ...(isSaid ? { stateReason: reason ?? null } : {}),
    ...restrictionAfter(report),
    ...(isReal ? NOT_SIMULATED : {}),
    pairingNotice: state === "PENDING_QR" ? pairing : undefined,
  };
};

/**
 * Records a link's report and publishes only a change: connected, or gone for good. A channel that returns from an
 * interruption was never published as disconnected. A channel that connects resumes its waiting sends. A channel
 * without its identity has its next QR code announced. Returns the row afterwards; undefined when the channel is gone.
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
    : changeLinkState(env, tx, channel, report);
};

/** Whether a report changes nothing. */
const isRepeat = ({ state, phoneNumber, profile: known }: ChannelRow, said: LinkReport): boolean =>
  said.state === state &&
  said.profile === undefined &&
  said.pairing === undefined &&
  (state !== "PENDING_QR" || known["pairingNotice"] === undefined) &&
  (said.phoneNumber === undefined || said.phoneNumber === phoneNumber) &&
  !restrictionChange({ profile: known }, said) &&
  (said.reason === undefined || said.reason === known["stateReason"]);

/**
 * Why a channel is not connected: the step for the person who links it, or how its network or its owner ended it. Null
 * while it is connected, or without a known reason.
 */
export const awayReasonOf = ({ state, profile }: Pick<ChannelRow, "state" | "profile">, now: number): string | null => {
  const notice = state === "PENDING_QR" ? noticeIn({ profile }, now) : undefined;
  const reason = notice ?? profile["stateReason"];
  return state !== "CONNECTED" && typeof reason === "string" ? reason : null;
};

/** The changes of a report beside the row itself. */
type Change = { isBack: boolean; isArrival: boolean; isDeparture: boolean; isUnpaired: boolean };

const changeOf = (channel: ChannelRow, { state }: LinkReport): Change => {
  const isBack = isOpenState(state) && !isOpenState(channel.state);
  return {
    isBack,
    isArrival: isBack && !isInterrupted(channel),
    isDeparture: ENDED.includes(state) && isPublishedConnected(channel),
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
  ...(isOpenState(report.state) && channel.validatedAt === null ? { validatedAt: now } : {}),
  ...(isArrival ? { connectedAt: now, disconnectedAt: null } : {}),
  ...(isDeparture ? { disconnectedAt: now } : {}),
  updatedAt: now,
});

/** An identity that is gone without a reason was logged out. */
const named = (report: LinkReport, { isUnpaired }: Change): LinkReport =>
  isUnpaired ? { reason: LOGGED_OUT, ...report } : report;

/**
 * Logs once that a channel is lost, with its name, and once that it is connected. An end that the owner requested is
 * not a warning.
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
 * Sets the channel to the reported state, whatever it was, and publishes the change. Returns the row afterwards;
 * undefined when the channel is gone.
 */
export const changeLinkState = async (
  env: ReportEnv,
  tx: Tx,
  channel: ChannelRow,
  said: LinkReport,
): Promise<ChannelRow | undefined> => {
  const now = env.clock.now();
  const change = changeOf(channel, said);
  const report = named(said, change);
  const changed = await updateChannel(tx, EVERY_TENANT, channel.id, changesBy(channel, report, change, now));
  if (!changed) return undefined;
  logChange(env, channel, report, change);
  const origin = { tenantId: channel.tenantId, channel: changed };
  const { phoneNumber } = changed;
  if (change.isArrival) await publish(env, tx, origin, { type: "channel.connected", phoneNumber, connectedAt: now });
  if (change.isBack) {
    resumeSends(env, tx, channel.id, "away");
    await endPairingLinks(tx, channel.id, now);
  }
  if (change.isDeparture)
    await publish(env, tx, origin, {
      type: "channel.disconnected",
      reason: report.reason ?? "CONNECTION_LOST",
      phoneNumber,
      wasConnected: true,
    });
  const restricted = restrictionChange(channel, report);
  if (restricted) await publish(env, tx, origin, restricted);
  if (change.isUnpaired) env.jobs.replace(tx, "channel.announce-qr", { channelId: channel.id });
  if (report.pairing) await announcePairing(env, tx, changed, report.pairing);
  return changed;
};

/** The network's clock and ours may differ by this much. */
const CLOCKS_APART_MS = 10 * MINUTE_MS;

/**
 * Records a link's report. A check that began before the network ended the connection no longer counts; only a check
 * that was requested since counts.
 */
export const applyLinkReport = async (
  env: LinkReportEnv,
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
  if (channel && (await isSecond(env, tx, channel, report))) return refuseSecond(env, tx, channel);
  const after = await applyReport(env, tx, channelId, report);
  if (after && isOpenState(report.state)) await rememberAddress(env, tx, after);
};

/** The reason of a channel whose number or bot another channel has connected first. */
const ALREADY_LINKED = "ALREADY_LINKED";

/** Whether a channel connects with a number that another channel has connected meanwhile. */
const isSecond = async (
  env: Pick<ChannelsEnv, "registry">,
  tx: Tx,
  channel: ChannelRow,
  { state }: LinkReport,
): Promise<boolean> => isOpenState(state) && !isOpenState(channel.state) && (await isHeldByAnother(env, tx, channel));

const refuseSecond = async (env: LinkReportEnv, tx: Tx, channel: ChannelRow): Promise<void> => {
  await changeLinkState(env, tx, channel, { state: "FAILED", reason: ALREADY_LINKED });
  tx.afterCommit(() => void env.supervisor.close(channel.id));
};

/**
 * Whether an end that the network reported overrides the link's reports, as stored in the channel's profile. It does
 * not while the link checks the channel anew.
 */
const endAfter = ({ state, isInDoubt }: HealthChanged): { endHolds?: true | undefined } => {
  if (isInDoubt) return { endHolds: undefined };
  return state !== undefined && ENDED.includes(state) ? { endHolds: true } : {};
};

/**
 * Records an unsolicited report of the network about a channel. An end from before the channel last connected is
 * ignored, because networks repeat themselves. When the channel's state is in doubt, its link checks it.
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
