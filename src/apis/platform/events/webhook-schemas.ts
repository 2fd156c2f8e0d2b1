import { Type } from "@sinclair/typebox";
import { described, Nullable, OneOf, Text, WebhookUrl } from "../../../kernel/schema.ts";
import { CreatedAt, Id } from "../../shared/fields.ts";
import { AttemptStatus, ChannelIds, COMMON_INPUT, COMMON_VIEW } from "../../shared/webhook-fields.ts";
import { Instant, InstantOrNull } from "../schemas.ts";
import { EVENT_NAMES } from "./definitions.ts";

/** The schemas of the webhooks of this API. */

const RetryPolicy = Type.Object(
  {
    maxRetries: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 10, description: "Tries after the first; 5 by default", examples: [5] }),
    ),
    retryDelay: Type.Optional(
      Type.Integer({
        minimum: 5000,
        maximum: 300_000,
        description: "Milliseconds between tries; 30000 by default",
        examples: [30000],
      }),
    ),
  },
  { title: "RetryPolicyRequest" },
);
export const Fields = Type.Object({
  name: described(Text(3, 100), "The institution's name for the webhook; 3 to 100 characters", "Sistema de pedidos"),
  url: described(
    WebhookUrl(),
    "A public HTTPS address, or that of a message broker",
    "https://padaria-estrela.example/eventos",
  ),
  events: Type.Array(OneOf(EVENT_NAMES, { title: "EventType" }), {
    minItems: 1,
    description: "The types of events that the webhook gets",
  }),
  secret: described(Text(16, 512), "The key of the signatures; never shown again", "segredo-de-exemplo"),
  active: Type.Optional(Type.Boolean({ description: "Whether events are delivered; true by default" })),
  retryPolicy: Type.Optional(
    described(RetryPolicy, "How failed deliveries are retried", { maxRetries: 5, retryDelay: 30000 }),
  ),
  channelIds: Type.Optional(ChannelIds("The channels whose events it gets; empty for all.")),
  ...COMMON_INPUT,
});
const SampleType = Type.Optional(OneOf(EVENT_NAMES, { title: "EventType" }));
// it may be missing; unknown fields are allowed, because Elysia does not remove them from a union
export const TestBody = Nullable(
  Type.Object(
    { type: described(SampleType, "The type of the event that is sent; an example of it is made") },
    { title: "TestWebhook", additionalProperties: true },
  ),
);

const Common = {
  id: Id("The webhook's id"),
  name: Type.String({ description: "The institution's name for the webhook", examples: ["Sistema de pedidos"] }),
  url: Type.String({ description: "Where the events go", examples: ["https://padaria-estrela.example/eventos"] }),
  events: Type.Array(Type.String(), {
    description: "The types of events that the webhook gets",
    examples: [["message:received"]],
  }),
  active: Type.Boolean({ description: "Whether events are delivered; true by default" }),
  retryPolicy: described(
    Type.Object(
      {
        maxRetries: Type.Integer({ description: "Tries after the first; 5 by default", examples: [5] }),
        retryDelay: Type.Integer({ description: "Milliseconds between tries; 30000 by default", examples: [30000] }),
      },
      { title: "RetryPolicy" },
    ),
    "How failed deliveries are retried",
  ),
  channelIds: Type.Array(Type.String(), { description: "The channels whose events it gets; empty for all." }),
  ...COMMON_VIEW,
  createdAt: CreatedAt("webhook"),
};
export const CreatedView = Type.Object(
  {
    data: described(
      Type.Object(
        { ...Common, secret: Type.String({ description: "Shown only now", examples: ["segredo-de-exemplo"] }) },
        { title: "CreatedWebhook" },
      ),
      "The webhook, with its secret",
    ),
  },
  { title: "CreatedWebhookResult" },
);
export const WebhookView = Type.Object(
  {
    ...Common,
    consecutiveFailures: Type.Integer({
      description: "Failed deliveries in a row; at 5 the webhook is disabled",
      examples: [0],
    }),
    lastFailedAt: described(InstantOrNull, "When a delivery last failed; null before"),
    updatedAt: described(Instant, "When the webhook last changed"),
  },
  { title: "Webhook" },
);
export const RetryView = Type.Object(
  {
    data: described(
      Type.Object(
        {
          id: Id("The webhook's id"),
          status: OneOf(["enqueued"], { description: "The waiting deliveries are tried soon" }),
        },
        { title: "WebhookRetry" },
      ),
      "The webhook whose waiting deliveries are tried",
    ),
  },
  { title: "WebhookRetryResult" },
);
export const OneView = Type.Object(
  { data: described(WebhookView, "The webhook as it is now") },
  { title: "WebhookResult" },
);
export const LogView = Type.Object(
  {
    id: Id("The attempt's id"),
    webhookId: Id("The webhook that was tried", "webhook"),
    event: Type.String({ description: "The event's type", examples: ["message.received"] }),
    status: described(AttemptStatus, "Whether the endpoint took the event"),
    statusCode: Type.Integer({ description: "The answer of the endpoint", examples: [200] }),
    responseTime: Type.Integer({ description: "Milliseconds until the answer", examples: [84] }),
    attempt: Type.Integer({ description: "Which attempt it is, from 1" }),
    error: Nullable(Type.String({ description: "Why the attempt failed; null if it did not" })),
    deliveredAt: described(
      InstantOrNull,
      "When the endpoint took the event; null for a failed attempt",
      "2026-11-22T12:00:02.000Z",
    ),
    failedAt: described(InstantOrNull, "When it failed; null otherwise"),
  },
  { title: "WebhookLog" },
);
