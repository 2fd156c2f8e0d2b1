import { type Static, Type } from "@sinclair/typebox";
import type { Channel } from "../../core/channels/channel.ts";
import type { CreationSettings } from "../../core/channels/settings/phone-settings.ts";
import { changeProxy } from "../../core/channels/settings/proxies.ts";
import { invalid } from "../../kernel/errors.ts";
import { issue, Text } from "../../kernel/schema.ts";
import { type Principal, refuseWithout } from "./auth.ts";
import type { WahaEnv } from "./env.ts";
import { checkedWebhooks, setWebhooks, type Webhook, WEBHOOK_FIELDS, webhooksView } from "./events/webhooks.ts";
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

/** @throws AppError VALIDATION for what would be lost */
const refuseLost = ({ ignore }: Config): void => {
  if (ignore?.groups)
    throw invalid(
      issue("config.ignore.groups", "forbidden", "cannot be switched on here: messages of groups come too"),
    );
};

/** What is stored of the config of a new session. @throws AppError VALIDATION, naming the field of the client */
export const checkedConfig = async (
  env: WahaEnv,
  config: Config,
): Promise<{ webhooks: Webhook[]; settings: CreationSettings }> => {
  refuseLost(config);
  return {
    webhooks: await checkedWebhooks(env, config),
    settings: {
      ...(config.noweb?.store?.fullSync ? { history: "full" } : {}),
      ...(config.proxy ? { proxy: proxyUrlOf(config.proxy) } : {}),
    },
  };
};

/** The refusal of a config with webhooks; undefined if the key may write them, and without one. */
export const refusalOfConfig = (principal: Principal, config: Config | null | undefined): Response | undefined =>
  config ? refuseWithout(principal, "webhooks.write") : undefined;

/**
 * Gives a session another config: its webhooks are those named, and no others. The proxy changes only if it is named, and
 * is not the one that is shown.
 */
export const changeConfig = async (env: WahaEnv, principal: Principal, session: Channel, config: Config) => {
  refuseLost(config);
  await setWebhooks(env, principal, session, await checkedWebhooks(env, config));
  const { proxy } = config;
  const shown = shownProxy(session)?.server ?? null;
  if (proxy === undefined || (proxy?.server ?? null) === shown) return;
  await changeProxy(env, principal, session.id, proxy === null ? null : proxyUrlOf(proxy));
};

/** The address of the proxy, without user and password. */
const shownProxy = ({ profile: { proxy } }: Channel): { server: string } | null =>
  typeof proxy === "string" ? { server: proxy.replace(/^http:\/\//, "").replace(/\/$/, "") } : null;

/** What a session was given, as far as the key may see it. */
export const configView = async (env: WahaEnv, principal: Principal, session: Channel) => ({
  ...(refuseWithout(principal, "webhooks.read") ? {} : await webhooksView(env, principal, session)),
  proxy: shownProxy(session),
});
