import { isOpenState, type LinkState, OPEN_STATES } from "../../../contract/events.ts";
import { MINUTE_MS, SECOND_MS } from "../../../kernel/clock.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type ChannelRow, updateChannel } from "../../../store/tables/channels/channels.ts";
import { hasJob } from "../../../store/tables/jobs.ts";
import { EVERY_TENANT, type TenantScope } from "../../../store/tables/scope.ts";
import { publish } from "../../events/publish.ts";
import { type Caller, type PlainAction, recordAct } from "../../tenancy/audit/audit.ts";
import { firstStateOf, getChannel, refuseSecondHolder } from "../channel.ts";
import type { ChannelsEnv } from "../env.ts";
import { pairingOf, type ShownQrCode, withHint } from "../pairing/pairing.ts";
import { adapterMissing, alreadyConnected, requireChannel } from "../refusals.ts";
import {
  applyReport,
  BY_OWNER,
  changeLinkState,
  giveUpKey,
  hasLostPairing,
  isPublishedConnected,
  NOT_SIMULATED,
  PAIRING_RESET,
} from "./report.ts";
import { lacksCredentials } from "./upstream.ts";

/** How long a request to connect waits for the first QR code, and how long the codes then wait for a scan. */
const FIRST_QR_MS = 15 * SECOND_MS;
const SCANNED_WITHIN_MS = 3 * MINUTE_MS;

/**
 * Starts to connect a channel. Returns the QR code to scan, or undefined if none is needed. A pairing without a scan
 * ends after three minutes.
 * @throws AppError CHANNEL_NOT_FOUND, CHANNEL_ALREADY_CONNECTED, VALIDATION without the credentials that it needs,
 *   ADAPTER_MISSING when no adapter serves its kind, or PAIRING_UNAVAILABLE when no code came in time
 */
export const connectChannel = async (
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
): Promise<ShownQrCode | undefined> => {
  const channel = await getChannel(env, scope, id);
  if (isOpenState(channel.state)) throw alreadyConnected();
  const plugin = env.registry.ofKind(channel.kind);
  if (!plugin) throw adapterMissing(channel.kind);
  if (plugin.credentials && (await lacksCredentials(env, channel)))
    throw invalid(issue("credentials", "required", "are required to connect a channel of this type"));
  if (pairingOf(env, channel)) return connectPaired(env, scope, channel);
  await startConnecting(env, scope, id, async () => firstStateOf(plugin));
  return undefined;
};

/** The states that need no further code: it was scanned while the caller waited for it. */
const UNDER_WAY: readonly LinkState[] = ["CONNECTING", ...OPEN_STATES];

const noQrCode = () =>
  new AppError("PAIRING_UNAVAILABLE", { message: "No QR code is available for this channel at the moment." });

const connectPaired = async (
  env: ChannelsEnv,
  scope: TenantScope,
  known: ChannelRow,
): Promise<ShownQrCode | undefined> => {
  const { id } = known;
  const state = await startConnecting(env, scope, id, async (tx, channel) => {
    if (isOpenState(channel.state)) throw alreadyConnected();
    if (channel.state === "CONNECTING" || channel.validatedAt !== null) return "CONNECTING";
    const isBegun = channel.state === "PENDING_QR" && !hasLostPairing(channel);
    // a connection that the other API started has no time limit
    const isGivenUp = !isBegun || (await hasJob(tx, giveUpKey(channel.id)));
    if (isGivenUp)
      env.jobs.replace(
        tx,
        "channel.give-up",
        { channelId: channel.id },
        { runAt: env.clock.now() + SCANNED_WITHIN_MS },
      );
    return "PENDING_QR";
  });
  if (state !== "PENDING_QR") return undefined;
  // of the link that connects: the earlier link may have been closed meanwhile
  const pairing = pairingOf(env, known);
  const qr = await pairing?.nextQr(FIRST_QR_MS);
  if (!qr && !UNDER_WAY.includes((await getChannel(env, scope, id)).state)) throw noQrCode();
  return pairing && qr && withHint(env, known, { pairing, qr });
};

/**
 * Connects a channel again with its present credentials or identity. A channel that is connected, or waits to be
 * paired, stays unchanged; but if its network calls an address of the channel's own, the link registers it anew. The
 * result shows in the channel's state.
 * @throws AppError CHANNEL_NOT_FOUND or ADAPTER_MISSING
 */
export const reconnectChannel = async (env: ChannelsEnv, scope: TenantScope, id: string): Promise<void> => {
  const plugin = env.registry.ofKind((await getChannel(env, scope, id)).kind);
  if (!plugin) throw adapterMissing((await getChannel(env, scope, id)).kind);
  await startConnecting(env, scope, id, async (tx, channel) => {
    const { kind, state, validatedAt } = channel;
    if (isOpenState(state)) {
      if (env.registry.declared(kind)?.webhook) await env.supervisor.connect(tx, channel);
      return undefined;
    }
    if (validatedAt !== null) return "CONNECTING";
    return env.registry.declared(kind)?.network.isPaired ? "PENDING_QR" : firstStateOf(plugin);
  });
};

/**
 * `stateOf` chooses the new state within the write; undefined leaves the channel unchanged. Returns the channel
 * afterwards.
 * @throws AppError CHANNEL_NOT_FOUND or CHANNEL_EXISTS
 */
const startConnecting = (
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
  stateOf: (tx: Tx, channel: ChannelRow) => Promise<LinkState | undefined>,
): Promise<LinkState> =>
  env.db.write(async (tx) => {
    const channel = await requireChannel(tx, scope, id);
    const state = await stateOf(tx, channel);
    if (!state) return channel.state;
    await refuseSecondHolder(env, tx, channel);
    await updateChannel(tx, scope, channel.id, {
      state,
      environment: "live",
      profile: { ...channel.profile, ...NOT_SIMULATED, stateReason: null },
      updatedAt: env.clock.now(),
    });
    await env.supervisor.connect(tx, channel, { isAsked: true });
    return state;
  });

/**
 * Ends the connection for its owner, and unlinks a paired device. Repeating it changes nothing.
 * @throws AppError CHANNEL_NOT_FOUND
 */
export const disconnectChannel = async (env: ChannelsEnv, caller: Caller, id: string): Promise<void> => {
  const channel = await getChannel(env, caller, id);
  if (pairingOf(env, channel)) return unpair(env, caller, id);
  await env.supervisor.close(channel.id);
  await env.db.write(async (tx) => {
    const left = await applyReport(env, tx, channel.id, { state: "DISCONNECTED", reason: BY_OWNER });
    if (left && channel.state !== "DISCONNECTED") await recordAct(env, tx, caller, actOn("channel.disconnect", left));
  });
};

const actOn = (action: PlainAction, { id: target, tenantId, kind }: ChannelRow) => ({
  action,
  target,
  tenantId,
  details: { kind },
});

const unpair = (env: ChannelsEnv, caller: Caller, id: string): Promise<void> =>
  env.db.write(async (tx) => {
    const channel = await requireChannel(tx, caller, id);
    if (channel.state === "DISCONNECTED" && channel.validatedAt === null) return;
    await changeLinkState(env, tx, channel, { state: "DISCONNECTED", reason: BY_OWNER });
    await recordAct(env, tx, caller, actOn("channel.disconnect", channel));
    await releaseIdentity(env, tx, channel);
  });

/**
 * Logs a channel out for its owner. A paired channel releases its identity from any state, waits to be paired anew, and
 * publishes this each time. Other channels are disconnected.
 * @throws AppError CHANNEL_NOT_FOUND
 */
export const logoutChannel = async (env: ChannelsEnv, caller: Caller, id: string): Promise<void> => {
  if (!pairingOf(env, await getChannel(env, caller, id))) return disconnectChannel(env, caller, id);
  await env.db.write(async (tx) => {
    const channel = await requireChannel(tx, caller, id);
    const now = env.clock.now();
    const wasConnected = isPublishedConnected(channel);
    const disconnectedAt = wasConnected ? now : channel.disconnectedAt;
    await updateChannel(tx, caller, channel.id, {
      state: "PENDING_QR",
      disconnectedAt,
      profile: { ...channel.profile, stateReason: PAIRING_RESET },
      updatedAt: now,
    });
    await publish(
      env,
      tx,
      { tenantId: channel.tenantId, channel },
      { type: "channel.disconnected", reason: PAIRING_RESET, phoneNumber: channel.phoneNumber, wasConnected },
    );
    await recordAct(env, tx, caller, actOn("channel.logout", channel));
    await releaseIdentity(env, tx, channel);
  });
};

/**
 * Reports of the link with the old identity are ignored from this write on. A reset that is already under way is not
 * repeated.
 */
const releaseIdentity = async (env: ChannelsEnv, tx: Tx, { id }: ChannelRow): Promise<void> => {
  await updateChannel(tx, EVERY_TENANT, id, { validatedAt: null });
  env.jobs.cancel(tx, "channel.give-up", { channelId: id });
  env.jobs.enqueue(tx, "channel.reset", { channelId: id });
};
