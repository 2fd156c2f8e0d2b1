import type { CodeRequest, NumberApi, Username } from "../../../contract/abilities/number.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { getChannel } from "../channel.ts";
import type { ChannelsEnv } from "../env.ts";
import { requireValue } from "../links/upstream.ts";
import { unknownChannel } from "../refusals.ts";
import { DEFAULT_PIN } from "../signing-up/signup.ts";
import { vaultOf } from "./vault.ts";

/**
 * The channel's id with the number API of its network.
 * @throws AppError CHANNEL_NOT_FOUND, also for a kind without such numbers
 */
const numberOf = async (env: ChannelsEnv, scope: TenantScope, id: string) => {
  const channel = await getChannel(env, scope, id);
  const api = env.supervisor.linkOf(channel, "live")?.number;
  if (!api) throw unknownChannel();
  return { channelId: channel.id, api };
};

/**
 * Asks the network to send a code to the number. `already`: the number is verified.
 * @throws AppError CHANNEL_NOT_FOUND, CREDENTIALS_MISSING, and what `requireValue` throws
 */
export const requestNumberCode = async (
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
  request: CodeRequest,
): Promise<"sent" | "already"> => {
  const { api } = await numberOf(env, scope, id);
  return requireValue(await api.requestCode(request), "CREDENTIALS_MISSING");
};

export type Verified = { isRegistered: boolean; reason: "PIN_REJECTED" | "REGISTER_FAILED" | null };

/**
 * Verifies the number by its code, if a code is given, and registers it with the given PIN, or with the PIN in the
 * vault. A number whose registration fails stays verified: the next call needs no code.
 * @throws AppError as `requestNumberCode`, for the code
 */
export const verifyNumber = async (
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
  { code, pin: given }: { code?: string | undefined; pin?: string | undefined },
): Promise<Verified> => {
  const { api, channelId } = await numberOf(env, scope, id);
  if (code !== undefined) requireValue(await api.verifyCode(code), "CREDENTIALS_MISSING");
  const vault = vaultOf(env, channelId);
  const pin = given ?? (await vault.read())["pin"] ?? DEFAULT_PIN;
  return keepPin(await api.register(pin), () => vault.write({ pin }));
};

const keepPin = async (
  registered: Awaited<ReturnType<NumberApi["register"]>>,
  keep: () => Promise<void>,
): Promise<Verified> => {
  if (!registered.ok) return { isRegistered: false, reason: "REGISTER_FAILED" };
  if (registered.value === "wrong-pin") return { isRegistered: false, reason: "PIN_REJECTED" };
  await keep();
  return { isRegistered: true, reason: null };
};

/** @throws AppError as `requestNumberCode` */
export const getUsername = async (env: ChannelsEnv, scope: TenantScope, id: string): Promise<Username> => {
  const { api } = await numberOf(env, scope, id);
  return requireValue(await api.username(), "CREDENTIALS_MISSING");
};

/** @throws AppError as `requestNumberCode` */
export const claimUsername = async (
  env: ChannelsEnv,
  scope: TenantScope,
  id: string,
  { username, isTransfer }: { username: string; isTransfer: boolean },
): Promise<Username> => {
  const { api } = await numberOf(env, scope, id);
  return requireValue(await api.claimUsername(username, isTransfer), "CREDENTIALS_MISSING");
};

/** @throws AppError as `requestNumberCode` */
export const releaseUsername = async (env: ChannelsEnv, scope: TenantScope, id: string): Promise<void> => {
  const { api } = await numberOf(env, scope, id);
  requireValue(await api.releaseUsername(), "CREDENTIALS_MISSING");
};

/** @throws AppError as `requestNumberCode` */
export const usernameSuggestions = async (env: ChannelsEnv, scope: TenantScope, id: string): Promise<string[]> => {
  const { api } = await numberOf(env, scope, id);
  return requireValue(await api.usernameSuggestions(), "CREDENTIALS_MISSING");
};
