import type { StoredIdentity } from "../../../contract/abilities/moving.ts";
import { type LinkState, OPEN_STATES } from "../../../contract/events.ts";
import { AppError } from "../../../kernel/errors.ts";
import { asDigits } from "../../../kernel/numbers/phone-numbers.ts";
import {
  type ChannelRow,
  findChannel,
  listByPhoneNumber,
  updateChannel,
} from "../../../store/tables/channels/channels.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { type Requester, recordAct } from "../../tenancy/audit/audit.ts";
import type { ChannelsEnv } from "../env.ts";
import { changeLinkState } from "../links/report.ts";
import { requireChannel, unknownChannel } from "../refusals.ts";
import { keyReaderOf, openRestoredKeyStore } from "../settings/vault.ts";

/** The reason of a channel whose identity was exported. `reconnectChannel` takes it back. */
const MOVED_OUT = "EXPORTED";

/** `phone`: the id of a channel, or the number of exactly one. `stops`: a channel that is connected is paused first. */
export type MoveOut = { phone: string; stops: boolean };

/** The channel, and its identity in a format. The identity is the credential of the channel. */
export type MovedOut = { channel: ChannelRow; stored: StoredIdentity };

/**
 * Exports the identity of a channel for another program. Afterwards the channel is paused, also over restarts, so that
 * two programs never use it at once.
 * @throws AppError CHANNEL_NOT_FOUND, CHANNEL_ALREADY_CONNECTED while it is connected and `stops` is false,
 *   CONTENT_UNSUPPORTED for a channel without an identity to export, or OVERLOADED when another process serves it
 */
export const moveOut = async (env: ChannelsEnv, by: Requester, { phone, stops }: MoveOut): Promise<MovedOut> => {
  const { id, kind } = await channelNamed(env, phone);
  const moving = env.registry.ofKind(kind)?.moving;
  const [format] = moving?.formats ?? [];
  if (!moving || format === undefined) throw nothingToMove("A channel of this kind cannot be exported.");
  if ((await moving.marksOf(keyReaderOf(env, id))).length === 0) throw notPaired();
  const channel = await pause(env, by, id, stops);
  const entries = await moving.entriesOf(await openRestoredKeyStore(env, channel.id));
  if (!entries) throw notPaired();
  return { channel, stored: { format, entries } };
};

const nothingToMove = (message: string) => new AppError("CONTENT_UNSUPPORTED", { message });

const notPaired = () => nothingToMove("The channel has no paired session.");

const channelNamed = async (env: ChannelsEnv, phone: string): Promise<ChannelRow> => {
  const known = await env.db.read((reader) => findChannel(reader, EVERY_TENANT, phone));
  if (known) return known;
  const movers = env.registry.adapters.filter(({ moving }) => moving !== undefined);
  const found = await env.db.read(async (reader) => {
    const lists = [];
    for (const { kind } of movers) lists.push(...(await listByPhoneNumber(reader, kind, asDigits(phone))));
    return lists;
  });
  const [only, second] = found;
  if (!only) throw unknownChannel();
  if (second)
    throw new AppError("CHANNEL_EXISTS", {
      message: `Several channels have this number: name one by its id (${found.map(({ id }) => id).join(", ")}).`,
    });
  return only;
};

/** States in which the network has the channel's connection, or will have it soon. */
const CONNECTED: readonly LinkState[] = ["CONNECTING", ...OPEN_STATES];

const stillConnected = () =>
  new AppError("CHANNEL_ALREADY_CONNECTED", {
    message: "The channel is connected, and two programs must not use one session: export it with --stop (stop: true).",
  });

/**
 * Closes the link and records the pause. Without a time of validation no start connects the channel, until its owner
 * does.
 */
const pause = async (env: ChannelsEnv, by: Requester, id: ChannelRow["id"], stops: boolean): Promise<ChannelRow> => {
  const before = await env.db.write(async (tx) => {
    const channel = await requireChannel(tx, EVERY_TENANT, id);
    if (CONNECTED.includes(channel.state) && !stops) throw stillConnected();
    await env.owners.claim(tx, channel);
    return channel;
  });
  await env.supervisor.close(before.id);
  await env.supervisor.recorded(before.id);
  return env.db.write(async (tx) => {
    const channel = await requireChannel(tx, EVERY_TENANT, id);
    if (CONNECTED.includes(channel.state) && !stops) throw stillConnected();
    await changeLinkState(env, tx, channel, { state: "DISCONNECTED", reason: MOVED_OUT });
    const paused = await updateChannel(tx, EVERY_TENANT, channel.id, { validatedAt: null, updatedAt: env.clock.now() });
    const { tenantId, kind } = channel;
    await recordAct(env, tx, by, { action: "channel.move-out", target: channel.id, tenantId, details: { kind } });
    return paused ?? channel;
  });
};
