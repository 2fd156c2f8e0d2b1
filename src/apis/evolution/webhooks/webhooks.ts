import { type Static, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import type { Channel } from "../../../core/channels/channel.ts";
import { addApp, checkApp, readApp, removeApp, saveApp } from "../../../core/channels/settings/apps.ts";
import type { Subscription } from "../../../core/events/subscriptions.ts";
import { iso } from "../../../kernel/clock.ts";
import { invalid } from "../../../kernel/errors.ts";
import { type Issue, issue, OneOf, Text } from "../../../kernel/schema.ts";
import { type EvolutionAuth, instanceOf } from "../auth.ts";
import type { EvolutionEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";
import { ASKED_NAMES } from "./events.ts";
import { EVOLUTION } from "./render.ts";
import { profileOf, webhookFormOf } from "./webhook-form.ts";

/** A webhook as Evolution's clients give it. */
export const WebhookFields = {
  enabled: Type.Optional(Type.Boolean()),
  url: Type.Optional(Text(0, 2048)),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  byEvents: Type.Optional(Type.Boolean()),
  base64: Type.Optional(Type.Boolean()),
  events: Type.Optional(Type.Array(OneOf(ASKED_NAMES), { maxItems: 100 })),
};
type Given = Static<ReturnType<typeof Type.Object<typeof WebhookFields>>>;
type Webhook = { url: string; events: readonly string[]; headers: Record<string, string>; profile: string };

/** The webhook to store. Without events it gets all events. @throws AppError VALIDATION */
export const checkedWebhook = async (env: EvolutionEnv, given: Given): Promise<Webhook> => {
  const { url = "", events = [], headers = {}, byEvents = false, base64 = false } = given;
  const issues: Issue[] = [];
  if ("jwt_key" in headers)
    issues.push(
      issue("webhook.headers.jwt_key", "forbidden", "is not supported: use a header with a secret of your own"),
    );
  if (url === "") issues.push(issue("webhook.url", "required", "is required"));
  if (issues.length > 0) throw invalid(...issues);
  const webhook = { url, events: [...events], headers, profile: profileOf({ byEvents, base64 }) };
  await checkApp(env, webhook);
  return webhook;
};

/** Adds the webhook of a new instance, within the write that makes it. */
export const addWebhook = (env: EvolutionEnv, tx: Parameters<typeof addApp>[1], channel: Channel, webhook: Webhook) =>
  addApp(env, tx, channel, { ...webhook, audience: EVOLUTION });

const webhookView = (
  instanceId: string,
  { id, url, events, profile, isActive, createdAt, updatedAt }: Subscription,
) => ({
  id,
  url,
  headers: null, // they may hold secrets
  enabled: isActive,
  events,
  webhookByEvents: webhookFormOf(profile).byEvents,
  webhookBase64: webhookFormOf(profile).base64,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
  instanceId,
});

/** The address for the events of an instance, in Evolution's shapes. */
export const webhooks = (env: EvolutionEnv, auth: EvolutionAuth) =>
  new Elysia({ prefix: "/webhook" })
    .use(auth)
    .post(
      "/set/:instance",
      async ({ principal, request, body: { webhook: given } }) => {
        const { id: channelId } = instanceOf(request);
        const of = { channelId, audience: EVOLUTION };
        if (given.enabled !== false) {
          const { app } = await saveApp(env, principal, of, await checkedWebhook(env, given));
          return status(201, webhookView(channelId, app));
        }
        const current = await readApp(env, principal, of);
        if (current) await removeApp(env, principal, of);
        return status(201, current ? { ...webhookView(channelId, current), enabled: false, events: [] } : null);
      },
      {
        body: Type.Object({ webhook: Type.Object(WebhookFields) }),
        detail: { ...routeOptions({ scope: "webhooks.write" }) },
      },
    )
    .get(
      "/find/:instance",
      async ({ principal, request }) => {
        const { id: channelId } = instanceOf(request);
        const app = await readApp(env, principal, { channelId, audience: EVOLUTION });
        // as text: Elysia answers a null with an empty body
        return new Response(JSON.stringify(app ? webhookView(channelId, app) : null), {
          headers: { "content-type": "application/json" },
        });
      },
      { detail: { ...routeOptions({ scope: "webhooks.read" }) } },
    );
