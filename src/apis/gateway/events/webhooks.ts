import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  channelIdsOfShared,
  channelsBySharedWebhook,
  unlinkShared,
} from "../../../core/channels/settings/shared-webhooks.ts";
import {
  changeSubscription,
  createSubscription,
  getSubscription,
  readSubscriptions,
  removeSubscription,
  retrySubscription,
  type Subscription,
  type SubscriptionInput,
} from "../../../core/events/subscriptions.ts";
import { described, Text, WebhookUrl } from "../../../kernel/schema.ts";
import { CreatedAt, IDS, Id, inPath } from "../../shared/fields.ts";
import { toView } from "../../shared/view.ts";
import { ChannelIds, COMMON_INPUT, COMMON_VIEW, commonInput, commonView } from "../../shared/webhook-fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { EventNames, Instant, Nothing, REFUSALS, RetryView, Secret } from "../schemas.ts";
import { SHARED } from "./webhook-trials.ts";

const ALL_PHONES = "Whether it gets the events of every phone, also of later ones.";
const SELECTED = "Phones whose events it gets although they do not link to it.";
const ACTIVE = "False pauses the webhook: its events are stored, and sent in order once it is true again.";

const Fields = {
  label: described(Text(1, 120), "A name for the account's own people", "Loja Centro"),
  url: described(
    WebhookUrl(),
    "A public HTTPS address, or that of a message broker",
    "https://padaria-estrela.example/eventos",
  ),
  secret: Secret,
  events: Type.Optional(EventNames),
  allPhones: Type.Optional(Type.Boolean({ description: ALL_PHONES })),
  selectedPhoneIds: Type.Optional(ChannelIds(SELECTED)),
  active: Type.Optional(Type.Boolean({ description: ACTIVE })),
  ...COMMON_INPUT,
};
const CreateBody = Type.Object(Fields, { title: "CreateSharedWebhook" });
const PatchBody = Type.Partial(Type.Object(Fields), { title: "UpdateSharedWebhook" });

const WebhookView = Type.Object(
  {
    id: Id("The webhook's id"),
    label: Type.String({ description: "A name for the account's own people", examples: ["Loja Centro"] }),
    url: Type.String({ description: "Where the events go", examples: ["https://padaria-estrela.example/eventos"] }),
    events: Type.Array(Type.String(), {
      description: "The types of events that the webhook gets",
      examples: [["message:received"]],
    }),
    phoneIds: Type.Array(Type.String(), { description: "The phones that link to it.", examples: [[IDS.phone]] }),
    allPhones: Type.Boolean({ description: ALL_PHONES }),
    selectedPhoneIds: Type.Array(Type.String(), { description: SELECTED }),
    active: Type.Boolean({ description: ACTIVE }),
    ...COMMON_VIEW,
    createdAt: CreatedAt("webhook"),
    updatedAt: described(Instant, "When the webhook last changed"),
  },
  { title: "SharedWebhook" },
);

const webhookView = (env: GatewayEnv, webhook: Subscription, phoneIds: string[]) =>
  toView(WebhookView, webhook, {
    label: webhook.name,
    phoneIds,
    allPhones: webhook.allChannels,
    selectedPhoneIds: webhook.channelIds ?? [],
    active: webhook.isActive,
    ...commonView(env, webhook),
  });

/** The body as the core expects it; absent fields stay absent. */
const inputOf = (body: Static<typeof PatchBody>): Partial<SubscriptionInput> => ({
  ...(body.label === undefined ? {} : { name: body.label }),
  ...(body.url === undefined ? {} : { url: body.url }),
  ...(body.secret === undefined ? {} : { secret: body.secret }),
  ...(body.events === undefined ? {} : { events: body.events }),
  ...(body.allPhones === undefined ? {} : { allChannels: body.allPhones }),
  ...(body.selectedPhoneIds === undefined ? {} : { channelIds: body.selectedPhoneIds }),
  ...(body.active === undefined ? {} : { isActive: body.active }),
  ...commonInput(body),
});

export const webhooks = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/webhooks",
    tags: ["webhooks"],
    detail: inPath({ id: Id("The webhook, as `GET /v1/webhooks` lists it", "webhook") }),
  })
    .use(auth)
    .post(
      "/",
      async ({ principal, body, status }) => {
        const { label, url, secret, events = [] } = body;
        const input = { ...inputOf(body), name: label, url, secret, events };
        const webhook = await createSubscription(env, principal, SHARED, input);
        return status(201, webhookView(env, webhook, []));
      },
      {
        body: CreateBody,
        response: { 201: WebhookView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "createSharedWebhook",
            acts: ["webhook.create"],
            isolation: { selectedPhoneIds: "channel" },
          }),
          summary: "Create a shared webhook",
          description: "Several phones can be linked to it, each by PATCH /v1/phones/{id}.",
        },
      },
    )
    .get(
      "/",
      async ({ principal }) => {
        const linked = await channelsBySharedWebhook(env, principal);
        return (await readSubscriptions(env, principal, SHARED)).map((one) =>
          webhookView(env, one, linked.get(one.id) ?? []),
        );
      },
      {
        response: { 200: Type.Array(WebhookView), ...REFUSALS },
        detail: {
          ...route({ operationId: "listSharedWebhooks", isolation: "own" }),
          summary: "List shared webhooks",
          description: "The answer has every shared webhook of the account, without its secret.",
        },
      },
    )
    .get(
      "/:id",
      async ({ principal, params }) => {
        const webhook = await getSubscription(env, principal, { ...SHARED, id: params.id });
        return webhookView(env, webhook, await channelIdsOfShared(env, principal, webhook.id));
      },
      {
        response: { 200: WebhookView, ...REFUSALS },
        detail: {
          ...route({ operationId: "getSharedWebhook", isolation: { id: "webhook" } }),
          summary: "Get a shared webhook",
          description: "Its secret is never shown again.",
        },
      },
    )
    .patch(
      "/:id",
      async ({ principal, params, body }) => {
        const named = { ...SHARED, id: params.id };
        const changed = await changeSubscription(env, principal, named, inputOf(body));
        return webhookView(env, changed, await channelIdsOfShared(env, principal, changed.id));
      },
      {
        body: PatchBody,
        response: { 200: WebhookView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "updateSharedWebhook",
            acts: ["webhook.change"],
            isolation: { id: "webhook", selectedPhoneIds: "channel" },
          }),
          summary: "Change a shared webhook",
          description: "A missing field stays unchanged. Waiting deliveries go to a changed address at once.",
        },
      },
    )
    .post(
      "/:id/retry",
      async ({ principal, params, status }) => {
        const { id } = await retrySubscription(env, principal, { ...SHARED, id: params.id });
        return status(202, { id, status: "enqueued" as const });
      },
      {
        response: { 202: RetryView, ...REFUSALS },
        detail: {
          ...route({ operationId: "retrySharedWebhook", acts: "none: daily work", isolation: { id: "webhook" } }),
          summary: "Try all waiting deliveries of a shared webhook now",
          description: "The deliveries are tried in the background. Their attempts show the results.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ principal, params, status }) => {
        await removeSubscription(env, principal, { ...SHARED, id: params.id }, unlinkShared);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: {
          ...route({ operationId: "deleteSharedWebhook", acts: ["webhook.delete"], isolation: { id: "webhook" } }),
          summary: "Delete a shared webhook and unlink its phones",
          description: "Its waiting deliveries become dead letters.",
        },
      },
    );
