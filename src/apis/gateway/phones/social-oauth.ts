import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { readWebhook } from "../../../core/channels/settings/webhooks.ts";
import { connectSocialAccount, socialOAuthConfig } from "../../../core/channels/signing-up/oauth.ts";
import { described, Text, Url } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { APP_REFUSALS, WebhookBlock } from "../schemas.ts";
import { phoneView, phoneViewSchema, webhookInput } from "./phones.ts";

const DEFAULT_LABEL = "Instagram";

const ConfigView = Type.Object(
  {
    appId: Type.String({ description: "The id of the network's app", examples: ["1029384756"] }),
    authorizeUrl: Type.String({
      description: "The address to which the page sends the owner",
      examples: ["https://www.instagram.com/oauth/authorize?client_id=1029384756"],
    }),
    scopes: Type.Array(Type.String(), {
      description: "The permissions of the key or the app",
      examples: [["messages.write"]],
    }),
    redirectUris: Type.Array(Type.String(), {
      description: "The addresses to which the consent may return",
      examples: [["https://padaria-estrela.example/voltar"]],
    }),
  },
  { title: "SocialConfig" },
);
const ConsentBody = Type.Object({
  code: described(Text(1, 2048), "The code that the consent gave", "AQBx7f3kLm"),
  redirectUri: described(Url(), "One of the configured addresses", "https://padaria-estrela.example/voltar"),
  label: Type.Optional(described(Text(1, 120), "A name for the account's own people", "Loja Centro")),
  webhook: Type.Optional(
    described(WebhookBlock, "Where the phone's events go", {
      url: "https://padaria-estrela.example/eventos",
      secret: "segredo-de-exemplo",
      events: ["message:received"],
    }),
  ),
});
const connectedView = (registry: GatewayEnv["registry"]) =>
  Type.Composite([
    phoneViewSchema(registry),
    Type.Object({
      reconnected: Type.Boolean({ description: "Whether the phone was known here before", examples: [false] }),
    }),
  ]);

/**
 * Phones of the photo network, which their owner authorises there. The client's page receives the code and posts it
 * here.
 */
export const socialOAuth = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones/social/oauth", tags: ["phones"] })
    .use(auth)
    .get(
      "/config",
      () => {
        const { scopes, redirectUris, ...config } = socialOAuthConfig(env);
        return { ...config, scopes: [...scopes], redirectUris: [...redirectUris] };
      },
      {
        response: { 200: ConfigView, ...APP_REFUSALS },
        detail: {
          ...route({ operationId: "getSocialOAuthConfig", isolation: "own" }),
          summary: "Get the configuration with which a page asks an account's owner for consent",
          description:
            "A page sends the owner to `authorizeUrl` and gives the code that comes back to `connectSocialAccount`.",
        },
      },
    )
    .post(
      "/",
      async ({ principal, body, status }) => {
        const { code, redirectUri, label = DEFAULT_LABEL } = body;
        const { channel, isReconnected } = await connectSocialAccount(env, principal, {
          code,
          redirectUri,
          label,
          webhook: body.webhook && webhookInput(body.webhook),
        });
        return status(201, {
          ...phoneView(env, channel, await readWebhook(env, principal, channel.id)),
          reconnected: isReconnected,
        });
      },
      {
        body: ConsentBody,
        response: { 201: connectedView(env.registry), ...APP_REFUSALS },
        detail: {
          ...route({
            operationId: "connectSocialAccount",
            acts: ["channel.create", "webhook.change", "webhook.delete"],
            isolation: "own",
          }),
          summary: "Make a phone for an account with its owner's consent",
          description:
            "An account that is known here is connected again, under the same id. After a refusal nothing is created.",
        },
      },
    );
