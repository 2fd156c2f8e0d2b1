import { type LinkState, OPEN_STATES } from "../../contract/events.ts";
import { simulatedNumberOf } from "../../contract/simulated-number.ts";
import { AppError } from "../../kernel/errors.ts";
import { asDigits } from "../../kernel/numbers/phone-numbers.ts";
import type { Tx } from "../../store/engine/db.ts";
import { type ChannelRow, updateChannel } from "../../store/tables/channels/channels.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import type { DomainEvent } from "../domain-event.ts";
import { publish } from "../events/publish.ts";
import type { ChannelsEnv } from "./env.ts";
import { BY_OWNER, hasLostPairing } from "./links/report.ts";
import { requireChannel } from "./refusals.ts";

/** A connection that only test keys see. It is independent of the real one, which ends it. */
export type SimulatedConnection = { phoneNumber: string; connectedAt: number };

export const simulatedConnectionOf = ({ profile }: Pick<ChannelRow, "profile">): SimulatedConnection | undefined =>
  profile["sandbox"] as SimulatedConnection | undefined; // as stored below

/**
 * Simulates that a channel connects, and publishes it unless its simulated connection exists already. A given number is
 * kept.
 * @throws AppError CHANNEL_NOT_FOUND, or CHANNEL_ALREADY_CONNECTED if a real connection exists or is being made
 */
export const connectSimulated = (
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
  phoneNumber?: string,
): Promise<SimulatedConnection> =>
  env.db.write(async (tx) => {
    const channel = await requireChannel(tx, scope, id);
    if (isReal(channel))
      throw new AppError("CHANNEL_ALREADY_CONNECTED", {
        message: "The channel is really connected, or is connecting: only a disconnected channel can be simulated.",
      });
    const earlier = simulatedConnectionOf(channel);
    const connection = {
      phoneNumber: (phoneNumber && asDigits(phoneNumber)) ?? earlier?.phoneNumber ?? simulatedNumberOf(channel.id),
      connectedAt: earlier?.connectedAt ?? env.clock.now(),
    };
    await keep(env, tx, channel, connection);
    if (!earlier) await publishSandboxEvent(env, tx, channel, { type: "channel.connected", ...connection });
    return connection;
  });

/** Ends a simulated connection and publishes it; does nothing without one. @throws AppError CHANNEL_NOT_FOUND */
export const disconnectSimulated = (env: ChannelsEnv, scope: TenantScope, id: string): Promise<void> =>
  env.db.write(async (tx) => {
    const channel = await requireChannel(tx, scope, id);
    if (!simulatedConnectionOf(channel)) return;
    await keep(env, tx, channel, undefined);
    await publishSimulatedEnd(env, tx, channel, BY_OWNER);
  });

/** Publishes the end of a channel's simulated connection; does nothing without one. */
export const publishSimulatedEnd = async (
  env: ChannelsEnv,
  tx: Tx,
  channel: ChannelRow,
  reason: string,
): Promise<void> => {
  const connection = simulatedConnectionOf(channel);
  if (connection)
    await publishSandboxEvent(env, tx, channel, {
      type: "channel.disconnected",
      reason,
      phoneNumber: connection.phoneNumber,
      wasConnected: true,
    });
};

const UNDER_WAY: readonly LinkState[] = ["PENDING_QR", "PENDING_WEBHOOK", "CONNECTING", ...OPEN_STATES];

/** Whether the channel is connected, connecting, or has an identity at its network. */
const isReal = (channel: ChannelRow): boolean =>
  channel.validatedAt !== null || (UNDER_WAY.includes(channel.state) && !hasLostPairing(channel));

const keep = (
  env: ChannelsEnv,
  tx: Tx,
  channel: ChannelRow,
  sandbox: SimulatedConnection | undefined,
): Promise<unknown> =>
  updateChannel(tx, channel, channel.id, { profile: { ...channel.profile, sandbox }, updatedAt: env.clock.now() });

const publishSandboxEvent = (env: ChannelsEnv, tx: Tx, channel: ChannelRow, domainEvent: DomainEvent): Promise<void> =>
  publish(env, tx, { tenantId: channel.tenantId, channel, environment: "test" }, domainEvent);
