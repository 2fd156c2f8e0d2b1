import { Type } from "@sinclair/typebox";
import type { Attempt } from "../../core/events/attempts.ts";
import type { EventsEnv } from "../../core/events/env.ts";
import { headersOf, maskedHeaders, type OwnHeaders } from "../../core/events/own-headers.ts";
import { DIRECTIONS, ORDERINGS, type Subscription, type SubscriptionInput } from "../../core/events/subscriptions.ts";
import type { TestOutcome } from "../../core/events/testing.ts";
import { described, Nullable, OneOf, Uuid } from "../../kernel/schema.ts";
import { describedAs } from "./description/json-schema.ts";
import { IDS, Id } from "./fields.ts";
import { toView } from "./view.ts";

/** The parts that webhooks of both APIs share: fields of bodies and answers, the answer to a test, an attempt. */

/** The core checks names and values: Elysia would drop a value that is not a text. */
export const RequestHeaders = Type.Unsafe<OwnHeaders>(
  Type.Object(
    {},
    {
      title: "WebhookHeaders",
      description:
        "Request headers to send with each delivery or call, by name; a change replaces all of them. Answers have " +
        "asterisks in place of the values. Sending asterisks back keeps the value.",
      additionalProperties: Type.Unknown(),
      maxProperties: 16,
      ...describedAs({ additionalProperties: { type: "string" } }),
    },
  ),
);

export const ChannelIds = (description: string) => Type.Array(Uuid(), { maxItems: 500, description });

const Direction = OneOf(DIRECTIONS, { title: "WebhookDirection" });
const Ordering = OneOf(ORDERINGS, { title: "DeliveryOrdering" });

/** The optional fields of a body. */
export const COMMON_INPUT = {
  directions: Type.Optional(
    Type.Array(Direction, {
      minItems: 1,
      maxItems: DIRECTIONS.length,
      description:
        "Which messages the webhook gets: incoming, outgoing or both, which is the default. Other events are always sent",
    }),
  ),
  headers: Type.Optional(RequestHeaders),
  ordering: Type.Optional(described(Ordering, "Whether the events of a chat wait for each other")),
};

/** The same fields of an answer. */
export const COMMON_VIEW = {
  directions: Type.Array(Direction, { description: "Which messages the webhook gets: incoming, outgoing or both" }),
  headers: RequestHeaders,
  ordering: described(Ordering, "Whether the events of a chat wait for each other"),
};

type CommonInput = Pick<SubscriptionInput, "directions" | "headers" | "ordering">;

export const commonView = (env: Pick<EventsEnv, "secrets">, webhook: Subscription) => ({
  directions: webhook.directions ?? [...DIRECTIONS],
  headers: maskedHeaders(env, headersOf(webhook)),
  ordering: webhook.ordering,
});

/** The common fields of a body as the core expects them; absent fields stay absent. */
export const commonInput = ({ directions, headers, ordering }: CommonInput): CommonInput => ({
  ...(directions === undefined ? {} : { directions }),
  ...(headers === undefined ? {} : { headers }),
  ...(ordering === undefined ? {} : { ordering }),
});

export const WebhookTestResult = Type.Object(
  {
    eventId: Type.String({ description: "The id of the sample event.", examples: [IDS.event] }),
    delivered: Type.Boolean({ description: "Whether the endpoint answered with a 2xx status." }),
    statusCode: Nullable(Type.Integer({ description: "The status of the answer; null without one.", examples: [200] })),
    durationMs: Type.Integer({ description: "How long the attempt took, in milliseconds", examples: [84] }),
    responseBody: Nullable(
      Type.String({ description: "The first 4,096 characters of the answer; null without an answer" }),
    ),
    error: Nullable(
      Type.String({ description: "Why the event was not delivered; null if it was", examples: ["HTTP 503"] }),
    ),
  },
  { title: "WebhookTestResult" },
);

export const testView = (outcome: TestOutcome) =>
  toView(WebhookTestResult, outcome, {
    delivered: outcome.error === null,
    statusCode: outcome.statusCode === 0 ? null : outcome.statusCode,
    durationMs: Math.round(outcome.durationMs),
    responseBody: outcome.response,
  });

export const AttemptStatus = OneOf(["DELIVERED", "FAILED"], { title: "AttemptStatus" });

/** One attempt to deliver an event, as the gateway API shows it. */
export const WebhookAttempt = Type.Object(
  {
    id: Id("The attempt's id"),
    deliveryId: Type.String({ description: "The delivery that was tried" }),
    eventType: Type.String({ description: "The type of the event that was delivered", examples: ["message:received"] }),
    attempt: Type.Integer({ description: "The number of the attempt, from 1." }),
    status: described(AttemptStatus, "Whether the endpoint took the event"),
    statusCode: Nullable(Type.Integer({ description: "The status of the answer; null without one.", examples: [200] })),
    durationMs: Type.Integer({ description: "How long the attempt took, in milliseconds", examples: [84] }),
    responseBody: Nullable(
      Type.String({ description: "The first 4,096 characters of the answer; null without an answer" }),
    ),
    error: Nullable(Type.String({ description: "Why the attempt failed; null if it did not", examples: ["HTTP 503"] })),
    at: Type.String({ format: "date-time", description: "When it was tried", examples: ["2026-11-22T12:00:02.000Z"] }),
  },
  { title: "WebhookAttempt" },
);

export const attemptView = (attempt: Attempt) =>
  toView(WebhookAttempt, attempt, {
    id: attempt.publicId,
    status: attempt.isDelivered ? "DELIVERED" : "FAILED",
    statusCode: attempt.statusCode === 0 ? null : attempt.statusCode,
    responseBody: attempt.response,
  });
