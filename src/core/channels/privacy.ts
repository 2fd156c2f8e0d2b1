import type { Privacy, PrivacyApi, PrivacyChanges } from "../../contract/abilities/privacy.ts";
import { isOpenState } from "../../contract/events.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { getChannel } from "./channel.ts";
import type { ChannelsEnv } from "./env.ts";
import { requireValue } from "./links/upstream.ts";
import { notConnected, notOffered } from "./refusals.ts";

/** @throws AppError CHANNEL_NOT_FOUND, NOT_OFFERED_UPSTREAM for a kind without privacy settings, CHANNEL_NOT_CONNECTED */
const requirePrivacy = async (env: ChannelsEnv, scope: TenantScope, id: string): Promise<PrivacyApi> => {
  const channel = await getChannel(env, scope, id);
  const api = env.supervisor.linkOf(channel, "live")?.privacy;
  if (!api) throw notOffered("read or change privacy settings");
  if (!isOpenState(channel.state)) throw notConnected(channel);
  return api;
};

/** @throws AppError as `requirePrivacy`, and what `requireValue` throws */
export const getPrivacy = async (env: ChannelsEnv, scope: TenantScope, id: string): Promise<Privacy> =>
  requireValue(await (await requirePrivacy(env, scope, id)).read());

/** Returns the settings after the change. Throws as `getPrivacy`. */
export const changePrivacy = async (
  env: ChannelsEnv,
  scope: TenantScope,
  { id, changes }: { id: string; changes: PrivacyChanges },
): Promise<Privacy> => {
  const api = await requirePrivacy(env, scope, id);
  requireValue(await api.change(changes));
  return requireValue(await api.read());
};
