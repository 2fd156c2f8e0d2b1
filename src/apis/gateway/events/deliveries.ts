import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  DELIVERY_STATES,
  type DeliveryDetails,
  deliveriesPage,
  deliveryState,
  getDelivery,
  heldBecause,
  type ListedDelivery,
  RETRIED_STATES,
  retryDelivery,
  retryMatching,
} from "../../../core/events/deliveries.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { DateTime, described, Nullable, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { Cursor, IDS, Id, inPath } from "../../shared/fields.ts";
import { attemptView, WebhookAttempt } from "../../shared/webhook-fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { Instant, InstantOrNull, msOf, Page, QueryLimit, QueryText, REFUSALS } from "../schemas.ts";
import { EventApi, requireEventApi } from "./event-apis.ts";

/** The progress of a delivery, in every answer that shows one. */
export const DELIVERY_PROGRESS = {
  url: Type.String({
    description: "The address to which the delivery goes",
    examples: ["https://padaria-estrela.example/eventos"],
  }),
  state: OneOf(DELIVERY_STATES, { title: "DeliveryState", description: "The progress of the delivery" }),
  heldBecause: described(
    Nullable(OneOf(["WEBHOOK_PAUSED", "EARLIER_DELIVERY"], { title: "HeldBecause" })),
    "Why the delivery waits; null if nothing holds it",
  ),
  attempts: Type.Integer({ description: "How often delivery was tried" }),
  nextRetryAt: described(InstantOrNull, "When it is tried next; null if it is not tried again"),
  lastStatusCode: Nullable(
    Type.Integer({ description: "The last answer of the endpoint; null without an answer", examples: [200] }),
  ),
  lastError: Nullable(Type.String({ description: "Why the last try failed; null if none did" })),
  deliveredAt: described(InstantOrNull, "When it was delivered; null before", "2026-11-22T12:00:02.000Z"),
};
const Item = Type.Object(
  {
    id: Id("The delivery's id"),
    eventId: Id("The event that is delivered", "event"),
    api: described(EventApi, "The API whose form the event has"),
    type: Type.String({ description: "The type of the event", examples: ["message:received"] }),
    phoneId: Nullable(Id("The phone that the event is about; null for an event of the account", "phone")),
    messageId: Nullable(
      Type.String({
        description: "The message that the event is about; null for other events",
        examples: [IDS.message],
      }),
    ),
    webhookId: Id("The webhook that the delivery goes to", "webhook"),
    webhookName: Nullable(Type.String({ description: "The account's name for the webhook; null after its deletion" })),
    ...DELIVERY_PROGRESS,
    createdAt: described(Instant, "When the event happened"),
  },
  { title: "WebhookDelivery" },
);
const SentHeader = Type.Object(
  {
    name: Type.String({ description: "The name of the header", examples: ["Content-Type"] }),
    value: Nullable(
      Type.String({
        description: "The value of the header; null for a signature, and for a header of the webhook's owner",
      }),
    ),
  },
  { title: "SentHeader" },
);
const SentRequest = Type.Object(
  {
    method: OneOf(["POST"], { description: "The method of the request" }),
    url: Type.String({ description: "Where the request went", examples: ["https://padaria-estrela.example/eventos"] }),
    headers: Type.Array(SentHeader, { description: "The headers of the request" }),
    body: Type.String({
      description: "The body as it is sent; at most 256 KiB",
      examples: ["Encomende pelo WhatsApp"],
    }),
  },
  { title: "SentRequest" },
);
const Details = Type.Composite(
  [
    Item,
    Type.Object({
      request: described(Nullable(SentRequest), "The request that was sent last; null before the first attempt"),
      tries: Type.Array(WebhookAttempt, { description: "The newest 50 attempts, newest first" }),
    }),
  ],
  { title: "WebhookDeliveryDetails" },
);

type Webhook = ListedDelivery["webhook"];

/** A delivery that was not attempted yet also waits for the breaker of its webhook. */
export const deliveryProgress = (
  delivery: ListedDelivery["delivery"],
  webhook: Pick<NonNullable<Webhook>, "breakerOpenUntil"> | null,
) => {
  const state = deliveryState(delivery);
  const { attempts, nextAt, url, lastStatusCode, lastError, deliveredAt } = delivery;
  const opensAt = attempts === 0 ? (webhook?.breakerOpenUntil ?? 0) : 0;
  return {
    url,
    state,
    heldBecause: heldBecause(delivery),
    attempts,
    nextRetryAt: state === "WAITING" && nextAt !== null ? iso(Math.max(nextAt, opensAt)) : null,
    lastStatusCode: lastStatusCode === 0 ? null : lastStatusCode,
    lastError,
    deliveredAt: isoOrNull(deliveredAt),
  };
};

const itemView = ({ delivery, event, webhook }: ListedDelivery): Static<typeof Item> => ({
  id: delivery.id,
  eventId: event.id,
  api: requireEventApi(event.audience),
  type: event.type,
  phoneId: event.channelId,
  messageId: event.messageId,
  webhookId: delivery.subscriptionId,
  webhookName: webhook?.name ?? null,
  ...deliveryProgress(delivery, webhook),
  createdAt: iso(delivery.createdAt),
});

const detailsView = ({ loaded, attempts, request }: DeliveryDetails): Static<typeof Details> => ({
  ...itemView({ delivery: loaded.delivery, event: loaded.event, webhook: loaded.subscription }),
  request: request && { method: "POST", ...request },
  tries: attempts.map(attemptView),
});

const FILTER = {
  webhookId: Type.Optional(described(Uuid(), "Only deliveries to this webhook", IDS.webhook)),
  phoneId: Type.Optional(described(Uuid(), "Only deliveries of this phone's events", IDS.phone)),
  messageId: Type.Optional(described(Uuid(), "Only deliveries of events about this message", IDS.message)),
  type: Type.Optional(described(Text(1, 60), "The name of an event type, of either API", "text")),
  since: Type.Optional(described(DateTime(), "Only deliveries of events from this time on")),
  until: Type.Optional(described(DateTime(), "Only deliveries of events before this time", "2026-11-23T12:00:00.000Z")),
};
const RetryBody = Type.Object(
  {
    state: OneOf(RETRIED_STATES, { title: "RetriedState", description: "The deliveries that are tried again" }),
    ...FILTER,
  },
  { title: "RetryDeliveries" },
);
const RetriedDelivery = Type.Object(
  {
    id: Id("The delivery's id"),
    status: described(
      Type.Union([Type.Literal("enqueued"), Type.Literal("held")], {
        description: "held: its webhook is paused, or an earlier delivery of its chat goes first",
      }),
      "The next step. held: its webhook is paused, or an earlier delivery of its chat goes first",
    ),
  },
  { title: "RetriedDelivery" },
);
const SharedFilter = Type.Object(FILTER);

const filterOf = ({ webhookId, phoneId, messageId, type, since, until }: Static<typeof SharedFilter>) => ({
  subscriptionId: webhookId,
  channelId: phoneId,
  messageId,
  type,
  sinceMs: msOf(since),
  untilMs: msOf(until),
});

/** The deliveries of the account to the webhooks of both APIs, and sending them again. */
export const deliveries = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/deliveries",
    tags: ["events"],
    detail: inPath({ id: Id("The delivery, as `GET /v1/deliveries` lists it") }),
  })
    .use(auth)
    .get(
      "/",
      async ({ principal, query: { state, limit, cursor, ...query } }) => {
        const asked = { ...filterOf(query), state, cursor, limit: gatewayLimit(limit) };
        const { items, nextCursor } = await deliveriesPage(env, principal, asked);
        return { items: items.map(itemView), nextCursor };
      },
      {
        query: Type.Object({
          state: Type.Optional(
            OneOf(DELIVERY_STATES, { title: "DeliveryState", description: "Only entries in this state" }),
          ),
          ...FILTER,
          limit: QueryLimit(),
          cursor: Cursor(QueryText),
        }),
        response: { 200: Page(Item), ...REFUSALS },
        detail: {
          ...route({
            operationId: "listDeliveries",
            isolation: { phoneId: "channel", messageId: "message", webhookId: "webhook", cursor: "delivery" },
          }),
          summary: "List deliveries to webhooks, newest event first",
          description:
            "The deliveries to the webhooks of both APIs. DEAD deliveries are the dead letters. One page reads " +
            "at most 5,000 deliveries: it may be short, or empty, although `nextCursor` says that more follows.",
        },
      },
    )
    .get("/:id", async ({ principal, params }) => detailsView(await getDelivery(env, principal, params.id)), {
      response: { 200: Details, ...REFUSALS },
      detail: {
        ...route({ operationId: "getDelivery", isolation: { id: "delivery" } }),
        summary: "Get a delivery with its request and its attempts",
        description: "Secrets are left out of the request. It is null after the deletion of the webhook.",
      },
    })
    .post(
      "/:id/retry",
      async ({ principal, params, status }) => {
        const delivery = await retryDelivery(env, principal, params.id);
        return status(202, { id: delivery.id, status: deliveryState(delivery) === "HELD" ? "held" : "enqueued" });
      },
      {
        response: {
          202: RetriedDelivery,
          ...REFUSALS,
        },
        detail: {
          ...route({ operationId: "retryDelivery", acts: "none: daily work", isolation: { id: "delivery" } }),
          summary: "Send a delivery again at once",
          description: "409 if it has arrived. A held delivery stays held.",
        },
      },
    )
    .post(
      "/retry",
      async ({ principal, body: { state, ...body }, status }) => {
        const count = await retryMatching(env, principal, { ...filterOf(body), state });
        return status(202, { status: "enqueued" as const, count });
      },
      {
        body: RetryBody,
        response: {
          202: Type.Object(
            {
              status: OneOf(["enqueued"], { description: "The deliveries are tried again soon" }),
              count: Type.Integer({ description: "How many deliveries are tried again", examples: [2] }),
            },
            { title: "RetriedDeliveries" },
          ),
          ...REFUSALS,
        },
        detail: {
          ...route({
            operationId: "retryDeliveries",
            acts: ["dead-letters.replay"],
            isolation: { phoneId: "channel", messageId: "message", webhookId: "webhook" },
          }),
          summary: "Send all matching deliveries again",
          description: "Sends at most the newest 1,000 per call. For dead letters, call it again until `count` is 0.",
        },
      },
    );
