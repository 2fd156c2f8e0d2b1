import { isOpenState } from "../../../contract/events.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import { PROXY_FIELD } from "../../../contract/plugin.ts";
import type { ProxyCheck } from "../../../contract/ports/proxy.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";
import { type ChannelRow, updateChannel, writeVault } from "../../../store/tables/channels/channels.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { type Caller, recordAct } from "../../tenancy/audit/audit.ts";
import type { ChannelsEnv } from "../env.ts";
import { BY_OWNER } from "../links/report.ts";
import { requireChannel } from "../refusals.ts";
import { sealedFields, vaultOf } from "./vault.ts";

export type ProxyEnv = Pick<ChannelsEnv, "proxies" | "registry">;

/** A working proxy: its URL, and the part that may be shown. */
export type CheckedProxy = { url: string; shown: string };

/** @throws AppError VALIDATION for a kind whose channels have no proxy */
const targetOf = ({ registry }: Pick<ChannelsEnv, "registry">, kind: ChannelKind, field = "proxy"): string => {
  const target = registry.declared(kind)?.network.proxiedTo;
  if (target === undefined) throw invalid(issue(field, "forbidden", "is not for this type"));
  return target;
};

/**
 * The proxy, once it has reached the network of this kind. `field`: its name in the request, for refusals.
 * @throws AppError VALIDATION for a kind without proxies, a text that is not a proxy's URL, or a forbidden address;
 *   PROXY_UNREACHABLE
 */
export const checkedProxy = async (
  env: ProxyEnv,
  kind: ChannelKind,
  { url, field }: { url: string; field: string },
): Promise<CheckedProxy> => {
  const target = targetOf(env, kind, field);
  const shown = env.proxies.shown(url);
  if (shown === undefined)
    throw invalid(
      issue(field, "format", "must be http://host:port or socks5://host:port, with user:password@ if needed"),
    );
  const checked = await env.proxies.check(url, target);
  if (checked.ok) return { url, shown };
  if (checked.isBlocked) throw invalid(issue(field, "format", checked.message));
  throw new AppError("PROXY_UNREACHABLE", {
    message: "The network cannot be reached through this proxy.",
    details: { proxy: shown, reason: checked.message },
  });
};

/**
 * Links in these states are opened again, through the new proxy. The link of a channel that waits to be paired is
 * opened on request. The link of a channel whose identity was exported (without a time of validation) stays closed,
 * because another program uses the identity.
 */
const isOpened = ({ state, profile, validatedAt }: ChannelRow): boolean =>
  isOpenState(state) ||
  state === "CONNECTING" ||
  (state === "DISCONNECTED" &&
    validatedAt !== null &&
    profile["stateReason"] !== BY_OWNER &&
    profile["stateReason"] !== null);

/**
 * Sets the proxy of a channel, or removes it with null. The channel's link connects again. A proxy that does not reach
 * the network changes nothing.
 * @throws AppError CHANNEL_NOT_FOUND, and what `checkedProxy` throws
 */
export const changeProxy = async (
  env: ChannelsEnv,
  caller: Caller,
  id: string,
  url: string | null,
): Promise<ChannelRow> => {
  const { kind } = await env.db.read((reader) => requireChannel(reader, caller, id));
  const proxy = url === null ? undefined : await checkedProxy(env, kind, { url, field: "url" });
  return setProxy(env, caller, id, proxy);
};

/** The same for a proxy that `checkedProxy` has found to work. @throws AppError CHANNEL_NOT_FOUND */
export const setProxy = async (
  env: ChannelsEnv,
  caller: Caller,
  id: string,
  proxy: CheckedProxy | undefined,
): Promise<ChannelRow> => {
  const changed = await env.db.write(async (tx) => {
    const channel = await requireChannel(tx, caller, id);
    await writeVault(tx, sealedFields(env, channel.id, { [PROXY_FIELD]: proxy?.url ?? "" }));
    await recordAct(env, tx, caller, {
      action: "channel.change-proxy",
      target: channel.id,
      tenantId: channel.tenantId,
      details: { proxy: proxy?.shown ?? null },
    });
    const row = await updateChannel(tx, caller, channel.id, {
      profile: { ...channel.profile, proxy: proxy?.shown },
      updatedAt: env.clock.now(),
    });
    return row ?? channel;
  });
  await env.supervisor.close(changed.id);
  if (isOpened(changed)) await env.db.write((tx) => env.supervisor.connect(tx, changed));
  return changed;
};

/**
 * Whether the channel's proxy reaches the network now; undefined for a channel without one.
 * @throws AppError CHANNEL_NOT_FOUND
 */
export const checkProxy = async (env: ChannelsEnv, scope: TenantScope, id: string): Promise<ProxyCheck | undefined> => {
  const channel = await env.db.read((reader) => requireChannel(reader, scope, id));
  const { [PROXY_FIELD]: url } = await vaultOf(env, channel.id).read();
  return url ? env.proxies.check(url, targetOf(env, channel.kind)) : undefined;
};
