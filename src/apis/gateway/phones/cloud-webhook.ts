import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type App, appOf, removeApp, renewAppSecret, saveApp } from "../../../core/channels/settings/apps.ts";
import { unknownSubscription } from "../../../core/events/subscriptions.ts";
import { isoOrNull } from "../../../kernel/clock.ts";
import { OneOf, Text, Url } from "../../../kernel/schema.ts";
import { CLOUD, CLOUD_PROFILES, cloudProfileOf } from "../../shared/cloud-programs.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { HANDSHAKE_REFUSED, InstantOrNull, Nothing, REFUSALS } from "../schemas.ts";

const Profile = OneOf(CLOUD_PROFILES, { title: "CloudProgram" });
const Secret = Text(16, 256);

const Body = Type.Object(
  {
    url: Url(),
    verifyToken: Text(1, 256),
    program: Type.Optional(Profile),
    secret: Type.Optional(Secret),
  },
  { title: "CloudWebhookInput" },
);
const View = Type.Object(
  {
    webhookId: Type.String(),
    url: Type.String(),
    program: Profile,
    verifiedAt: InstantOrNull,
    secret: Type.Optional(Type.String()),
  },
  { title: "CloudWebhook" },
);
const SecretView = Type.Object({ secret: Type.String() }, { title: "CloudWebhookSecret" });

const view = ({ id, url, profile, verifiedAt }: App, secret?: string): Static<typeof View> => ({
  webhookId: id,
  url,
  program: CLOUD_PROFILES.find((one) => one === profile) ?? "generic",
  verifiedAt: isoOrNull(verifiedAt),
  ...(secret === undefined ? {} : { secret }),
});

const of = (channelId: string) => ({ channelId, audience: CLOUD });

/** Where the webhooks of the API that is compatible with the Cloud API go. */
export const cloudWebhook = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"] })
    .use(auth)
    .get(
      "/:id/cloud-api/webhook",
      async ({ principal, params }) => {
        const app = await appOf(env, principal, of(params.id));
        if (!app) throw unknownSubscription();
        return view(app);
      },
      {
        response: { 200: View, ...REFUSALS },
        detail: {
          operationId: "getCloudWebhook",
          summary: "Show where the Cloud-API webhooks of a phone go",
        },
      },
    )
    .put(
      "/:id/cloud-api/webhook",
      async ({ principal, params, body: { program, ...input } }) => {
        const profile = program ?? cloudProfileOf(input.url);
        const { app, secret } = await saveApp(env, principal, of(params.id), {
          ...input,
          profile,
        });
        return view(app, secret);
      },
      {
        body: Body,
        response: { 200: View, ...REFUSALS, 422: HANDSHAKE_REFUSED },
        detail: {
          operationId: "setCloudWebhook",
          summary: "Set where the Cloud-API webhooks of a phone go",
          description:
            "The URL must answer the handshake of the Cloud API first; otherwise nothing is saved. The signing secret " +
            "is shown when it is made, and never again.",
        },
      },
    )
    .post("/:id/cloud-api/webhook/secret", ({ principal, params }) => renewAppSecret(env, principal, of(params.id)), {
      response: { 200: SecretView, ...REFUSALS },
      detail: {
        operationId: "renewCloudWebhookSecret",
        summary: "Make a new secret that signs the Cloud-API webhooks",
        description: "Shown once. The old secret signs nothing any more.",
      },
    })
    .delete(
      "/:id/cloud-api/webhook",
      async ({ principal, params, set }) => {
        await removeApp(env, principal, of(params.id));
        set.status = 204;
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: { operationId: "removeCloudWebhook", summary: "Remove the Cloud-API webhook of a phone" },
      },
    );
