import type { ChatTimerView, TimerSeconds, TimersApi } from "../../contract/abilities/timers.ts";
import { broadcastKindOf } from "../../contract/capabilities.ts";
import { isOpenState } from "../../contract/events.ts";
import { AppError } from "../../kernel/errors.ts";
import { asDigits } from "../../kernel/numbers/phone-numbers.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "./channel.ts";
import type { ChannelsEnv } from "./env.ts";
import { requireValue } from "./links/upstream.ts";
import { notConnected, notOffered } from "./refusals.ts";

/** A chat of a channel, by the address of its person or group. */
type ChatOf = { id: string; to: string };

/**
 * The timers of a connected channel, and the canonical key of the chat.
 * @throws AppError CHANNEL_NOT_FOUND, NOT_OFFERED_UPSTREAM for a kind without timers, CHANNEL_NOT_CONNECTED,
 *   RECIPIENT_INVALID, or ADDRESS_INVALID
 */
const requireTimers = async (
  env: ChannelsEnv,
  scope: TenantScope,
  { id, to }: ChatOf,
): Promise<{ api: TimersApi; chat: string }> => {
  const channel = await getChannel(env, scope, id);
  const api = env.supervisor.linkOf(channel, "live")?.timers;
  if (!api) throw notOffered("let messages disappear");
  if (!isOpenState(channel.state)) throw notConnected(channel);
  const address = await env.registry.ofKind(channel.kind)?.address(asDigits(to.trim()));
  if (address?.ok && broadcastKindOf(address.to) === undefined) return { api, chat: address.to };
  throw new AppError(address?.ok === false ? address.code : "ADDRESS_INVALID", {
    message: "This is no chat with a person or a group.",
    details: { to },
  });
};

/** After which time the messages of a chat disappear, as far as it is known. Throws as `requireTimers`. */
export const readTimer = async (env: ChannelsEnv, scope: TenantScope, chatOf: ChatOf): Promise<ChatTimerView> => {
  const { api, chat } = await requireTimers(env, scope, chatOf);
  return requireValue(await api.read(chat));
};

/** Sets it at the network, for both sides. Throws as `requireTimers`, and what `requireValue` throws. */
export const setTimer = async (
  env: ChannelsEnv,
  scope: TenantScope,
  { seconds, ...chatOf }: ChatOf & { seconds: TimerSeconds },
): Promise<ChatTimerView> => {
  const { api, chat } = await requireTimers(env, scope, chatOf);
  requireValue(await api.set(chat, seconds));
  return requireValue(await api.read(chat));
};
