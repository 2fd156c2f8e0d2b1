import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { webhookOf } from "../../../core/channels/settings/webhooks.ts";
import { connectSocialAccount, socialOAuthConfig } from "../../../core/channels/signing-up/oauth.ts";
import { Text, Url } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { APP_REFUSALS, WebhookBlock } from "../schemas.ts";
import { phoneView, phoneViewSchema, webhookInput } from "./phones.ts";

const DEFAULT_LABEL = "Instagram";

const ConfigView = Type.Object(
  {
    appId: Type.String(),
    authorizeUrl: Type.String(),
    scopes: Type.Array(Type.String()),
    redirectUris: Type.Array(Type.String()),
  },
  { title: "SocialConfig" },
);
const ConsentBody = Type.Object({
  code: Text(1, 2048),
  redirectUri: Url(),
  label: Type.Optional(Text(1, 120)),
  webhook: Type.Optional(WebhookBlock),
});
const connectedView = (registry: GatewayEnv["registry"]) =>
  Type.Composite([phoneViewSchema(registry), Type.Object({ reconnected: Type.Boolean() })]);

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
          operationId: "getSocialOAuthConfig",
          summary: "Get what a page needs to ask an account's owner for consent",
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
          ...phoneView(env, channel, await webhookOf(env, principal, channel.id)),
          reconnected: isReconnected,
        });
      },
      {
        body: ConsentBody,
        response: { 201: connectedView(env.registry), ...APP_REFUSALS },
        detail: {
          operationId: "connectSocialAccount",
          summary: "Make a phone of an account by its owner's consent",
          description:
            "An account that is known here is connected again, under the same id. After a refusal nothing is created.",
        },
      },
    );
