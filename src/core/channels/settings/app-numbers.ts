import { AppError } from "../../../kernel/errors.ts";
import type { Random } from "../../../kernel/random.ts";
import type { Tx } from "../../../store/engine/db.ts";
import {
  type AppNumberRow,
  deleteAppNumber,
  findAppNumber,
  insertAppNumber,
  updateAppNumber,
} from "../../../store/tables/channels/app-numbers.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { type KeyRow, listKeysOfChannel, revokeKey, revokeKeysOfChannel } from "../../../store/tables/tenancy/keys.ts";
import { type Caller, recordAct } from "../../tenancy/audit/audit.ts";
import {
  type AppApi,
  addAppKey,
  type IssuedKey,
  type KeyBounds,
  type NewKey,
  UNBOUNDED,
} from "../../tenancy/keys/keys.ts";
import type { ChannelsEnv } from "../env.ts";
import { requireChannel } from "../refusals.ts";

export type { AppNumberRow as AppNumber } from "../../../store/tables/channels/app-numbers.ts";

/** Fifteen digits that do not begin with 0, like the network's own ids. */
const newDigits = (random: Random): string => {
  const drawn = Buffer.from(random.bytes(8)).readBigUInt64BE();
  return String(100_000_000_000_000n + (drawn % 900_000_000_000_000n));
};

const numberFor = async (
  env: Pick<ChannelsEnv, "clock" | "random">,
  tx: Tx,
  { id, tenantId }: Pick<ChannelRow, "id" | "tenantId">,
): Promise<AppNumberRow> => {
  const known = await findAppNumber(tx, id);
  if (known) return known;
  const row: AppNumberRow = {
    channelId: id,
    tenantId,
    numberId: newDigits(env.random),
    accountId: newDigits(env.random),
    appId: newDigits(env.random),
    displayNumber: null,
    templatesAsText: false,
    createdAt: env.clock.now(),
  };
  await insertAppNumber(tx, row);
  return row;
};

/**
 * The channel's ids for an API of programs that names numbers and accounts by ids of its own. They are made when they
 * are first asked for.
 * @throws AppError CHANNEL_NOT_FOUND
 */
export const ensureAppNumber = async (
  env: ChannelsEnv,
  scope: TenantScope,
  channelId: string,
): Promise<AppNumberRow> => {
  const known = await env.db.read(async (reader) => {
    const { id } = await requireChannel(reader, scope, channelId);
    return findAppNumber(reader, id);
  });
  return known ?? env.db.write(async (tx) => numberFor(env, tx, await requireChannel(tx, scope, channelId)));
};

export type AppNumberChanges = { displayNumber?: string | null; templatesAsText?: boolean };

/**
 * Changes how the API with these ids shows a channel.
 * @throws AppError CHANNEL_NOT_FOUND
 */
export const changeAppNumber = (
  env: ChannelsEnv,
  scope: TenantScope,
  channelId: string,
  changes: AppNumberChanges,
): Promise<AppNumberRow> =>
  env.db.write(async (tx) => {
    const channel = await requireChannel(tx, scope, channelId);
    const row = await numberFor(env, tx, channel);
    if (Object.keys(changes).length === 0) return row;
    return (await updateAppNumber(tx, channel.id, changes)) ?? row;
  });

/** A channel, and the API by which programs use it. */
export type AppChannel = { channelId: string; api: AppApi };

/**
 * Makes a token for an API of programs. It opens this channel alone. `maker`: the bounds of the key that makes it.
 * @throws AppError CHANNEL_NOT_FOUND, VALIDATION, LIMIT_REACHED
 */
export const issueAppKey = (
  env: ChannelsEnv,
  caller: Caller,
  { channelId, api }: AppChannel,
  { maker = UNBOUNDED, ...input }: NewKey & { maker?: KeyBounds },
): Promise<IssuedKey> =>
  env.db.write(async (tx) => {
    const channel = await requireChannel(tx, caller, channelId);
    await numberFor(env, tx, channel);
    return addAppKey(env, tx, { channel, api, maker, by: caller }, input);
  });

/**
 * The channel's tokens that are not revoked, newest first.
 * @throws AppError CHANNEL_NOT_FOUND
 */
export const readAppKeys = async (
  env: ChannelsEnv,
  scope: TenantScope,
  { channelId, api }: AppChannel,
): Promise<KeyRow[]> => {
  const keys = await env.db.read(async (reader) =>
    listKeysOfChannel(reader, (await requireChannel(reader, scope, channelId)).id),
  );
  return keys
    .filter((key) => key.api === api)
    .map((row) => ({ ...row, lastUsedAt: env.keyUse.lastUsedAt(row.id) ?? row.lastUsedAt }));
};

/**
 * Revokes a token of the channel. It is invalid at once.
 * @throws AppError CHANNEL_NOT_FOUND, or KEY_NOT_FOUND for a token that is unknown, revoked or of another channel
 */
export const revokeAppKey = (
  env: ChannelsEnv,
  caller: Caller,
  { channelId, api }: AppChannel,
  id: string,
): Promise<void> =>
  env.db.write(async (tx) => {
    const channel = await requireChannel(tx, caller, channelId);
    const own = await listKeysOfChannel(tx, channel.id);
    if (!own.some((key) => key.id === id) || !(await revokeKey(tx, caller, { api, id, atMs: env.clock.now() })))
      throw new AppError("KEY_NOT_FOUND", { message: "There is no such token." });
    await recordAct(env, tx, caller, {
      action: "key.revoke",
      target: id,
      tenantId: caller.tenantId,
      details: { api },
    });
  });

/** What goes with a deleted channel: its ids, and the tokens that opened it alone. */
export const forgetAppNumber = async (
  env: Pick<ChannelsEnv, "clock">,
  tx: Tx,
  { id }: Pick<ChannelRow, "id">,
): Promise<void> => {
  await revokeKeysOfChannel(tx, id, env.clock.now());
  await deleteAppNumber(tx, id);
};
