import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type App, readApp, removeApp, renewAppSecret, saveApp } from "../../../core/channels/settings/apps.ts";
import { unknownSubscription } from "../../../core/events/subscriptions.ts";
import { isoOrNull } from "../../../kernel/clock.ts";
import { described, OneOf, Text, Url } from "../../../kernel/schema.ts";
import { CLOUD, CLOUD_PROFILES, cloudProfileOf } from "../../shared/cloud-programs.ts";
import { Id, inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { HANDSHAKE_REFUSED, InstantOrNull, Nothing, PHONE_IN_PATH, REFUSALS } from "../schemas.ts";

const Profile = OneOf(CLOUD_PROFILES, { title: "CloudProgram" });
const Secret = Text(16, 256);

const Body = Type.Object(
  {
    url: described(
      Url(),
      "The address of the program that gets the webhooks",
      "https://padaria-estrela.example/eventos",
    ),
    verifyToken: described(
      Text(1, 256),
      "The word that the program expects in the handshake",
      "9f86d081884c7d659a2feaa0c55ad015",
    ),
    program: Type.Optional(
      described(
        Profile,
        "The program behind the URL: its webhooks have only the fields that it can read. By default, the URL decides",
        "chatwoot",
      ),
    ),
    secret: Type.Optional(
      described(Secret, "Signs the webhooks (`X-Hub-Signature-256`); by default one is made", "segredo-de-exemplo"),
    ),
  },
  { title: "CloudWebhookInput" },
);
const View = Type.Object(
  {
    webhookId: Id("The webhook that carries the events", "webhook"),
    url: Type.String({
      description: "The address of the program that gets the webhooks",
      examples: ["https://padaria-estrela.example/eventos"],
    }),
    program: described(
      Profile,
      "The program behind the URL: its webhooks have only the fields that it can read. By default, the URL decides",
      "chatwoot",
    ),
    verifiedAt: described(
      InstantOrNull,
      "When the URL last answered the handshake; null before",
      "2026-11-22T12:00:00.000Z",
    ),
    secret: Type.Optional(
      Type.String({
        description: "Signs the webhooks (`X-Hub-Signature-256`); only in the answer that sets it",
        examples: ["segredo-de-exemplo"],
      }),
    ),
  },
  { title: "CloudWebhook" },
);
const SecretView = Type.Object(
  { secret: Type.String({ description: "The new secret, which is shown only now", examples: ["segredo-de-exemplo"] }) },
  { title: "CloudWebhookSecret" },
);

const view = ({ id, url, profile, verifiedAt }: App, secret?: string): Static<typeof View> => ({
  webhookId: id,
  url,
  program: CLOUD_PROFILES.find((one) => one === profile) ?? "generic",
  verifiedAt: isoOrNull(verifiedAt),
  ...(secret === undefined ? {} : { secret }),
});

const of = (channelId: string) => ({ channelId, audience: CLOUD });

/** The address for the webhooks of the API that is compatible with the Cloud API. */
export const cloudWebhook = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) })
    .use(auth)
    .get(
      "/:id/cloud-api/webhook",
      async ({ principal, params }) => {
        const app = await readApp(env, principal, of(params.id));
        if (!app) throw unknownSubscription();
        return view(app);
      },
      {
        response: { 200: View, ...REFUSALS },
        detail: {
          ...route({ operationId: "getCloudWebhook", isolation: { id: "channel" } }),
          summary: "Show where the Cloud-API webhooks of a phone go",
          description: "Its secret is never shown again.",
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
          ...route({ operationId: "setCloudWebhook", acts: ["webhook.change"], isolation: { id: "channel" } }),
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
        ...route({ operationId: "renewCloudWebhookSecret", acts: ["webhook.change"], isolation: { id: "channel" } }),
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
        detail: {
          ...route({ operationId: "removeCloudWebhook", acts: ["webhook.delete"], isolation: { id: "channel" } }),
          summary: "Remove the Cloud-API webhook of a phone",
          description: "From then on no Cloud-API webhook of the phone is sent.",
        },
      },
    );
