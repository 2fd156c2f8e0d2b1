import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { getChannel } from "../../../core/channels/channel.ts";
import { PHONE_SETTINGS } from "../../../core/channels/settings/phone-settings.ts";
import { changeProxy, checkProxy } from "../../../core/channels/settings/proxies.ts";
import { described, Nullable } from "../../../kernel/schema.ts";
import { inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { PHONE_IN_PATH, PROXY_UNREACHABLE, REFUSALS } from "../schemas.ts";

const ProxyBody = Type.Object({
  url: described(
    Nullable(PHONE_SETTINGS.proxy.schema),
    "The proxy that the session connects through: http:// (CONNECT) or socks5://, with host and port. It may have user:password@, which are never shown again; null removes the proxy",
    "socks5://proxy.example:1080",
  ),
});
const ProxyView = Type.Object(
  {
    proxy: Nullable(
      Type.String({
        description: "The proxy without its user and password; null without a proxy",
        examples: ["socks5://proxy.example:1080"],
      }),
    ),
  },
  { title: "PhoneProxy" },
);
const CheckView = Type.Object(
  {
    isReached: Type.Boolean({ description: "Whether the network answers through the proxy now; true without a proxy" }),
    proxy: Nullable(
      Type.String({
        description: "The proxy without its user and password; null without a proxy",
        examples: ["socks5://proxy.example:1080"],
      }),
    ),
    durationMs: Nullable(Type.Number({ description: "How long it took; null if it was not reached", examples: [84] })),
    reason: Nullable(Type.String({ description: "Why it was not reached; null if it was" })),
  },
  { title: "ProxyCheck" },
);

const shownIn = (profile: Readonly<Record<string, unknown>>): string | null =>
  typeof profile["proxy"] === "string" ? profile["proxy"] : null;

export const proxies = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) })
    .use(auth)
    .put(
      "/:id/proxy",
      async ({ principal, params, body }) => {
        const { profile } = await changeProxy(env, principal, params.id, body.url);
        return { proxy: shownIn(profile) };
      },
      {
        body: ProxyBody,
        response: { 200: ProxyView, ...REFUSALS, 422: PROXY_UNREACHABLE },
        detail: {
          ...route({
            operationId: "setPhoneProxy",
            acts: ["channel.change-proxy"],
            isolation: { id: "channel" },
            link: "required",
          }),
          summary: "Set or remove a session's proxy",
          description:
            "The proxy is checked first, and refused if it does not work. The session then connects again. " +
            "SESSION only.",
        },
      },
    )
    .post(
      "/:id/proxy/check",
      async ({ principal, params }) => {
        const checked = await checkProxy(env, principal, params.id);
        const channel = await getChannel(env, principal, params.id);
        return {
          isReached: checked?.ok ?? true,
          proxy: shownIn(channel.profile),
          durationMs: checked?.ok ? Math.round(checked.durationMs) : null,
          reason: checked && !checked.ok ? checked.message : null,
        };
      },
      {
        response: { 200: CheckView, ...REFUSALS },
        detail: {
          ...route({ operationId: "checkPhoneProxy", acts: "none: no change", isolation: { id: "channel" } }),
          summary: "Check whether the network answers through the phone's proxy",
          description: "It connects to the network and sends nothing. A phone without a proxy is checked without one.",
        },
      },
    );
