import { type Static, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { changeProxy } from "../../core/channels/settings/proxies.ts";
import { OneOf, Text } from "../../kernel/schema.ts";
import { type EvolutionAuth, instanceOf } from "./auth.ts";
import type { EvolutionEnv } from "./env.ts";
import { routeOptions } from "./route-options.ts";

const text = Type.Optional(Type.String());

/** A proxy as the body of /instance/create has it. */
export const PROXY_FIELDS = {
  proxyHost: text,
  proxyPort: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  proxyProtocol: text,
  proxyUsername: text,
  proxyPassword: text,
};
type ProxyFields = Static<ReturnType<typeof Type.Object<typeof PROXY_FIELDS>>>;

/** The proxy as one URL; undefined without a host. */
export const proxyUrlOf = ({
  proxyHost,
  proxyPort,
  proxyProtocol,
  proxyUsername,
  proxyPassword = "",
}: ProxyFields): string | undefined => {
  if (!proxyHost) return undefined;
  const login = proxyUsername ? `${encodeURIComponent(proxyUsername)}:${encodeURIComponent(proxyPassword)}@` : "";
  return `${proxyProtocol || "http"}://${login}${proxyHost}:${proxyPort ?? ""}`;
};

const SetBody = Type.Object({
  enabled: Type.Optional(Type.Union([Type.Boolean(), Type.Literal("")])),
  host: Type.Optional(Text(0, 256)),
  port: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  protocol: Type.Optional(OneOf(["http", "socks5", ""])),
  username: text,
  password: text,
});

/** The parts of the proxy's address, without user and password. */
const proxyView = (shown: unknown) => {
  const url = typeof shown === "string" ? URL.parse(shown) : null;
  return url
    ? {
        enabled: true,
        host: url.hostname,
        port: url.port,
        protocol: url.protocol.replace(":", ""),
        username: "",
        password: "",
      }
    : { enabled: false, host: "", port: "", protocol: "", username: "", password: "" };
};

export const proxies = (env: EvolutionEnv, auth: EvolutionAuth) =>
  new Elysia({ prefix: "/proxy" })
    .use(auth)
    .post(
      "/set/:instance",
      async ({ principal, request, body: { enabled, host, port, protocol, username, password } }) => {
        const url = enabled
          ? proxyUrlOf({
              ...(host === undefined ? {} : { proxyHost: host }),
              ...(port === undefined ? {} : { proxyPort: port }),
              ...(protocol === undefined ? {} : { proxyProtocol: protocol }),
              ...(username === undefined ? {} : { proxyUsername: username }),
              ...(password === undefined ? {} : { proxyPassword: password }),
            })
          : undefined;
        const { profile } = await changeProxy(env, principal, instanceOf(request).id, url ?? null);
        return status(201, proxyView(profile["proxy"]));
      },
      { body: SetBody, detail: { ...routeOptions({ scope: "phones.write" }) } },
    )
    .get("/find/:instance", ({ request }) => proxyView(instanceOf(request).profile["proxy"]), {
      detail: { ...routeOptions({ scope: "phones.read" }) },
    });
