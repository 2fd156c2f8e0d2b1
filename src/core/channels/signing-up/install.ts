import type { ChannelKind } from "../../../contract/kind.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import {
  type ChannelRow,
  findChannelsByRoute,
  insertChannel,
  updateChannel,
  writeVault,
} from "../../../store/tables/channels/channels.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { publish } from "../../events/publish.ts";
import { type Caller, recordAct } from "../../tenancy/audit/audit.ts";
import { newChannelRow, requireRoomForChannel } from "../channel.ts";
import type { ChannelsEnv } from "../env.ts";
import { resumeSends } from "../links/channel-queues.ts";
import { sealedFields } from "../settings/vault.ts";
import { checkedWebhook, replaceWebhook, type WebhookInput } from "../settings/webhooks.ts";

/** A number or account that its network has confirmed to be the caller's, with all its known details. */
export type Confirmed = {
  kind: ChannelKind;
  numberId: string;
  accountId: string | null;
  phoneNumber: string | null;
  profile: Record<string, unknown>;
  /** Stored in the vault. */
  credentials: Record<string, string>;
  /** The label of a new channel. */
  label: string;
  webhook?: WebhookInput | undefined;
};

/**
 * Creates a connected channel for a number that a network has just confirmed, or reuses the tenant's channel of that
 * number. A reused channel keeps its id, its label and, unless another is given, its webhook.
 * @throws AppError VALIDATION for the webhook, CHANNEL_EXISTS when another tenant owns the number, or LIMIT_REACHED for
 *   a new channel
 */
export const installChannel = async (
  env: ChannelsEnv,
  caller: Caller,
  confirmed: Confirmed,
): Promise<{ channel: ChannelRow; isReconnected: boolean }> => {
  const webhook = confirmed.webhook && (await checkedWebhook(env, confirmed.webhook));
  return env.db.write(async (tx) => {
    const mine = await ownHolder(env, tx, caller, confirmed);
    const channel = mine ? await bringBack(env, tx, mine, confirmed) : await makeNew(env, tx, caller, confirmed);
    await writeVault(tx, sealedFields(env, channel.id, confirmed.credentials));
    if (confirmed.webhook) await replaceWebhook(env, tx, caller, { channel, webhook });
    if (mine?.state !== "CONNECTED")
      await publish(
        env,
        tx,
        { tenantId: caller.tenantId, channel },
        { type: "channel.connected", phoneNumber: channel.phoneNumber, connectedAt: env.clock.now() },
      );
    resumeSends(env, tx, channel.id, "away");
    await env.supervisor.connect(tx, channel);
    return { channel, isReconnected: mine !== undefined };
  });
};

/**
 * The tenant's own channel of a number, if it has one.
 * @throws AppError CHANNEL_EXISTS when another tenant owns it
 */
export const checkHolder = (
  env: Pick<ChannelsEnv, "db" | "registry">,
  scope: TenantScope,
  number: Pick<Confirmed, "kind" | "numberId">,
): Promise<ChannelRow | undefined> => env.db.read((reader) => ownHolder(env, reader, scope, number));

/** The tenant's own channel of the number. Another tenant's claim counts only when the network has confirmed it. */
const ownHolder = async (
  { registry }: Pick<ChannelsEnv, "registry">,
  reader: Reader,
  { tenantId }: TenantScope,
  { kind, numberId }: Pick<Confirmed, "kind" | "numberId">,
): Promise<ChannelRow | undefined> => {
  const holders = await findChannelsByRoute(reader, kind, { by: "number", id: numberId });
  if (holders.some((holder) => holder.tenantId !== tenantId && holder.validatedAt !== null))
    throw new AppError("CHANNEL_EXISTS", {
      message: "Another account holds this number.",
      details: { fields: [registry.declared(kind)?.refusals?.numberField ?? "credentials"] },
    });
  return holders.find((holder) => holder.tenantId === tenantId);
};

const bringBack = async (
  env: ChannelsEnv,
  tx: Tx,
  mine: ChannelRow,
  { accountId, phoneNumber, profile }: Confirmed,
): Promise<ChannelRow> => {
  const now = env.clock.now();
  const isArrival = mine.state !== "CONNECTED";
  const changes = {
    accountId,
    environment: "live" as const,
    phoneNumber: phoneNumber ?? mine.phoneNumber,
    profile: { ...mine.profile, ...profile },
    validatedAt: mine.validatedAt ?? now,
    updatedAt: now,
  };
  const changed = await updateChannel(tx, mine, mine.id, {
    ...changes,
    state: "CONNECTED",
    ...(isArrival ? { connectedAt: now, disconnectedAt: null } : {}),
  });
  return changed ?? mine;
};

const makeNew = async (
  env: ChannelsEnv,
  tx: Tx,
  caller: Caller,
  { kind, label, numberId, accountId, phoneNumber, profile }: Confirmed,
): Promise<ChannelRow> => {
  const row = newChannelRow(env, caller, { kind, label, state: "CONNECTED" }, {});
  const channel = {
    ...row,
    numberId,
    accountId,
    phoneNumber,
    profile,
    validatedAt: row.createdAt,
    connectedAt: row.createdAt,
  };
  await requireRoomForChannel(env, tx, caller);
  await insertChannel(tx, channel);
  await recordAct(env, tx, caller, {
    action: "channel.create",
    target: channel.id,
    tenantId: caller.tenantId,
    details: { kind },
  });
  return channel;
};
