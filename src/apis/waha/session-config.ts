import { type Static, Type } from "@sinclair/typebox";
import type { ChannelKind } from "../../contract/kind.ts";
import type { Channel } from "../../core/channels/channel.ts";
import type { CreationSettings } from "../../core/channels/settings/phone-settings.ts";
import { type CheckedProxy, checkedProxy, setProxy } from "../../core/channels/settings/proxies.ts";
import {
  type ChannelSettings,
  changeChannelSettings,
  getChannelSettings,
  settingNames,
} from "../../core/channels/settings/settings.ts";
import { invalid } from "../../kernel/errors.ts";
import { issue, Text } from "../../kernel/schema.ts";
import { type Principal, refuseWithout } from "./auth.ts";
import type { WahaEnv } from "./env.ts";
import {
  checkedWebhooks,
  setWebhooks,
  storedWebhooks,
  WEBHOOK_FIELDS,
  type Webhook,
  webhooksView,
} from "./events/webhooks.ts";
import { optionalFlag, optionalText } from "./sends/sending.ts";

const Proxy = Type.Object({ server: Text(1, 2048), username: optionalText, password: optionalText });
const Store = Type.Object({ enabled: optionalFlag, fullSync: optionalFlag });
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

/** What a session is given. Every other field of WAHA's is accepted without effect. */
export const ConfigBody = Type.Object({
  ...WEBHOOK_FIELDS,
  proxy: orNull(Proxy),
  noweb: orNull(Type.Object({ store: orNull(Store) })),
  ignore: orNull(Type.Object({ groups: optionalFlag })),
});
type Config = Static<typeof ConfigBody>;

const proxyUrlOf = ({ server, username, password }: Static<typeof Proxy>): string => {
  const [, scheme = "http", place = ""] = /^(?:(\w+):\/\/)?(.*)$/.exec(server) ?? [];
  const login = username ? `${encodeURIComponent(username)}:${encodeURIComponent(password ?? "")}@` : "";
  return `${scheme}://${login}${place}`;
};

/** The setting of a phone that drops what is written in groups. */
const IGNORE_GROUPS = "ignoreGroups";

/** The change of a phone's settings that a config asks for. What is not named stays. */
const settingsIn = ({ ignore }: Config): ChannelSettings => {
  const groups = ignore === null ? false : ignore?.groups;
  return groups === undefined ? {} : { [IGNORE_GROUPS]: groups ? "on" : null };
};

/** @throws AppError VALIDATION for what would be lost on phones of this kind */
const refuseLost = ({ registry }: WahaEnv, kind: ChannelKind, { ignore }: Config): void => {
  const adapter = registry.ofKind(kind);
  if (ignore?.groups && !(adapter && settingNames(adapter).includes(IGNORE_GROUPS)))
    throw invalid(
      issue("config.ignore.groups", "forbidden", "cannot be switched on here: its network does not have it"),
    );
};

/** What a new session is given. */
type FirstConfig = { webhooks: Webhook[]; settings: CreationSettings; anyTimeSettings: ChannelSettings };

/** What is stored of the config of a new session. @throws AppError VALIDATION, naming the field of the client */
export const checkedConfig = async (env: WahaEnv, kind: ChannelKind, config: Config): Promise<FirstConfig> => {
  refuseLost(env, kind, config);
  return {
    webhooks: await checkedWebhooks(env, config),
    settings: {
      ...(config.noweb?.store?.fullSync ? { history: "full" } : {}),
      ...(config.proxy ? { proxy: proxyUrlOf(config.proxy) } : {}),
    },
    anyTimeSettings: settingsIn(config),
  };
};

/** The refusal of a config with webhooks; undefined if the key may write them, and without one. */
export const refusalOfConfig = (principal: Principal, config: Config | null | undefined): Response | undefined =>
  config ? refuseWithout(principal, "webhooks.write") : undefined;

/**
 * Gives a session another config: its webhooks are those named, and no others. The proxy and what is ignored change only if
 * they are named. A refused config changes nothing.
 */
export const changeConfig = async (env: WahaEnv, principal: Principal, session: Channel, config: Config) => {
  refuseLost(env, session.kind, config);
  const webhooks = await checkedWebhooks(env, config, await storedWebhooks(env, principal, session));
  const proxy = await changedProxy(env, session, config);
  await setWebhooks(env, principal, session, webhooks);
  const settings = settingsIn(config);
  if (Object.keys(settings).length > 0) await changeChannelSettings(env, principal, session.id, settings);
  if (proxy !== "same") await setProxy(env, principal, session.id, proxy);
};

/** The proxy that a config names, once it has reached the network; `same` for the one that is shown, and for none. */
const changedProxy = async (
  env: WahaEnv,
  session: Channel,
  { proxy }: Config,
): Promise<CheckedProxy | undefined | "same"> => {
  if (proxy === undefined) return "same";
  const isLoginGiven = Boolean(proxy?.username || proxy?.password);
  if (!isLoginGiven && (proxy?.server ?? null) === (shownProxy(session)?.server ?? null)) return "same";
  return proxy === null
    ? undefined
    : checkedProxy(env, session.kind, { url: proxyUrlOf(proxy), field: "config.proxy.server" });
};

/** The address of the proxy, without user and password. */
const shownProxy = ({ profile: { proxy } }: Channel): { server: string } | null =>
  typeof proxy === "string" ? { server: proxy.replace(/^http:\/\//, "").replace(/\/$/, "") } : null;

/** Which messages the session drops; nothing on a kind without this choice. */
const ignoreView = async (env: WahaEnv, principal: Principal, { id, kind }: Channel) => {
  if (!env.registry.ofKind(kind)) return {};
  const { [IGNORE_GROUPS]: groups } = await getChannelSettings(env, principal, id);
  return groups === undefined ? {} : { ignore: { groups: groups === "on" } };
};

/** What a session was given, as far as the key may see it. */
export const configView = async (env: WahaEnv, principal: Principal, session: Channel) => ({
  ...(refuseWithout(principal, "webhooks.read") ? {} : await webhooksView(env, principal, session)),
  ...(await ignoreView(env, principal, session)),
  proxy: shownProxy(session),
});
