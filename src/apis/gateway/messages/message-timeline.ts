import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { SentBy } from "../../../core/conversations/senders.ts";
import { WAIT_REASONS } from "../../../core/messaging/sending/send-waits.ts";
import { type MessageTimeline, readTimeline } from "../../../core/messaging/timeline.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { described, Nullable, OneOf } from "../../../kernel/schema.ts";
import { IDS, Id, inPath } from "../../shared/fields.ts";
import { attemptView, WebhookAttempt } from "../../shared/webhook-fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { DELIVERY_PROGRESS, deliveryProgress } from "../events/deliveries.ts";
import { EventApi, requireEventApi } from "../events/event-apis.ts";
import { GATEWAY } from "../events/render.ts";
import { route } from "../route-options.ts";
import { Instant, InstantOrNull, REFUSALS } from "../schemas.ts";
import { LoggedMessage, loggedMessage } from "./message-log.ts";
import { SentByView } from "./sent-by.ts";

const PHONE_STEPS = {
  "channel:disconnected": "PHONE_DISCONNECTED",
  "channel:connected": "PHONE_CONNECTED",
  "channel:restricted": "PHONE_RESTRICTED",
  "channel:unrestricted": "PHONE_UNRESTRICTED",
} as const;
const ACT_STEPS = {
  "message:edited": "EDITED",
  "message:reaction": "REACTED",
  "message:poll-vote": "VOTED",
  "message:pinned": "PINNED",
  "message:kept": "KEPT",
  "message:event-response": "RESPONDED",
  "message:operation_failed": "OPERATION_FAILED",
} as const;
const FALLBACK_STEPS = {
  taken: "FALLBACK_TAKEN",
  withheld: "FALLBACK_WITHHELD",
  refused: "FALLBACK_REFUSED",
} as const;
const STEP_KINDS = [
  "ACCEPTED",
  "FALLBACK_FOR",
  ...Object.values(FALLBACK_STEPS),
  ...Object.values(PHONE_STEPS),
  "TRY_REFUSED",
  "TRY_UNCERTAIN",
  "SENT",
  "DELIVERED",
  "READ",
  "FAILED",
  "WRITTEN",
  "RECEIVED",
  "FILE_STORED",
  "ANSWERED",
  ...Object.values(ACT_STEPS),
  "UNPINNED",
  "UNKEPT",
  "DELETED",
] as const;

const Step = Type.Object(
  {
    at: Type.String({
      format: "date-time",
      description: "When it happened, by the network's clock if the network names it",
    }),
    kind: OneOf(STEP_KINDS, { title: "TimelineStepKind", description: "What happened" }),
    by: described(Nullable(SentByView), "The person or key that did it; null if the server or the network did"),
    code: Nullable(
      Type.String({
        description: "Why an attempt, a message or an operation failed, as a code; null if nothing failed",
        examples: ["UPSTREAM_REFUSED"],
      }),
    ),
    reason: Nullable(
      Type.String({
        description: "The same in words, or the text that a phone or an act reports; null without a text",
        examples: ["HTTP 503"],
      }),
    ),
    networkCode: Nullable(
      Type.Integer({ description: "The network's own number of the failure; null if it gave none" }),
    ),
    messageId: Nullable(
      Type.String({
        description: "The other message that was sent, of an answer or a fallback; null otherwise",
        examples: [IDS.message],
      }),
    ),
  },
  { title: "TimelineStep" },
);
const Waiting = Type.Object(
  {
    because: OneOf(WAIT_REASONS, { title: "WaitReason", description: "The reason for the wait" }),
    since: described(InstantOrNull, "When it began to wait; null if unknown", "2026-11-22T12:00:00.000Z"),
    nextTryAt: described(InstantOrNull, "When it is tried next; null if unknown"),
    reason: Nullable(
      Type.String({ description: "The result of the last attempt; null before the first", examples: ["HTTP 503"] }),
    ),
  },
  { title: "MessageWait" },
);
const DeliveryOfMessage = Type.Object(
  {
    id: Id("The delivery's id"),
    webhookId: Id("The webhook that the delivery goes to", "webhook"),
    webhookName: Nullable(Type.String({ description: "The account's name for the webhook; null after its deletion" })),
    ...DELIVERY_PROGRESS,
    tries: Type.Array(WebhookAttempt, { description: "The newest attempts, newest first" }),
  },
  { title: "MessageDelivery" },
);
const EventOfMessage = Type.Object(
  {
    id: Id("The event's id"),
    api: described(EventApi, "The API whose form the event has"),
    type: Type.String({ description: "The type of the event", examples: ["message:status"] }),
    status: Nullable(
      Type.String({
        description: "The status that a message:status reports, such as delivered; null for other events",
        examples: ["CONNECTED"],
      }),
    ),
    createdAt: described(Instant, "When the event happened"),
    deliveries: Type.Array(DeliveryOfMessage, { description: "The delivery to each webhook" }),
  },
  { title: "MessageEvent" },
);
const Timeline = Type.Object(
  {
    message: described(LoggedMessage, "The message itself"),
    requestId: Nullable(
      Type.String({
        description: "The id of the request that asked for it; null for a received message",
      }),
    ),
    networkId: Nullable(
      Type.String({ description: "The network's own id of the message; null before the network took it" }),
    ),
    waiting: described(
      Type.Unsafe<Static<typeof Waiting> | null>({
        ...Nullable(Waiting),
        description: "Why it has not been sent yet; null if it does not wait",
      }),
      "Why the message has not been sent yet; null if it does not wait",
    ),
    steps: Type.Array(Step, { description: "What happened to it, oldest first" }),
    events: Type.Array(EventOfMessage, {
      description: "The events about it, with the progress of their deliveries",
    }),
  },
  { title: "MessageTimeline" },
);
type StepView = Static<typeof Step>;

const step = (atMs: number, kind: StepView["kind"], more: Partial<Omit<StepView, "at" | "kind">> = {}): StepView => ({
  at: iso(atMs),
  kind,
  by: null,
  code: null,
  reason: null,
  networkCode: null,
  messageId: null,
  ...more,
});

const byView = (by: SentBy | null): Static<typeof SentByView> | null => by && { ...by };

/** The data of a stored event. It may have any shape, because an earlier version may have written it. */
type EventData = Readonly<Record<string, unknown>>;
const dataOf = (body: string): EventData => (JSON.parse(body) as { data?: EventData }).data ?? {};
const textIn = (data: EventData, name: string): string | null => {
  const value = data[name];
  return typeof value === "string" ? value : null;
};

/** `[CODE] reason`, as a message keeps why it failed. */
const failureIn = (failedReason: string | null): { code: string | null; reason: string | null } => {
  const [, code, reason] = /^\[(\w+)\] (.*)$/s.exec(failedReason ?? "") ?? [];
  return { code: code ?? null, reason: reason ?? failedReason };
};

const networkCodeIn = (data: EventData): number | null => {
  const [first] = Array.isArray(data["errors"]) ? (data["errors"] as { code?: unknown }[]) : [];
  return typeof first?.code === "number" && first.code !== 0 ? first.code : null;
};

const sentSteps = ({ message, failedAt, failedTries, firstId, events }: MessageTimeline): StepView[] => {
  const { createdAt, sentAt, deliveredAt, readAt, failedReason } = message;
  const statuses = events.filter(({ audience, type }) => audience === GATEWAY && type === "message:status");
  const failed = statuses.map(({ body }) => dataOf(body)).find(({ status }) => status === "failed") ?? {};
  return [
    step(createdAt, "ACCEPTED", { by: byView(message.sentBy) }),
    ...(firstId === null ? [] : [step(createdAt, "FALLBACK_FOR", { messageId: firstId })]),
    ...failedTries.map(({ at, outcome, code, reason, upstreamCode }) =>
      step(at, outcome === "REFUSED" ? "TRY_REFUSED" : "TRY_UNCERTAIN", {
        code,
        reason,
        networkCode: upstreamCode ?? null,
      }),
    ),
    ...(sentAt === null ? [] : [step(sentAt, "SENT")]),
    ...(deliveredAt === null ? [] : [step(deliveredAt, "DELIVERED")]),
    ...(readAt === null ? [] : [step(readAt, "READ")]),
    ...(failedAt === null
      ? []
      : [step(failedAt, "FAILED", { ...failureIn(failedReason), networkCode: networkCodeIn(failed) })]),
  ];
};

const receivedSteps = ({ message: { createdAt, sentAt }, files, answer }: MessageTimeline): StepView[] => [
  ...(sentAt === null ? [] : [step(sentAt, "WRITTEN")]),
  step(createdAt, "RECEIVED"),
  ...files.map(({ at, contentType }) => step(at, "FILE_STORED", { reason: contentType })),
  ...(answer === null ? [] : [step(answer.at, "ANSWERED", { by: byView(answer.by), messageId: answer.id })]),
];

const isActType = (type: string): type is keyof typeof ACT_STEPS => Object.hasOwn(ACT_STEPS, type);
const isPhoneType = (type: string): type is keyof typeof PHONE_STEPS => Object.hasOwn(PHONE_STEPS, type);

const isOutcome = (text: string | null): text is keyof typeof FALLBACK_STEPS =>
  text !== null && Object.hasOwn(FALLBACK_STEPS, text);

/** The outcome of the message's fallback: why, and the message that was sent or the refusal. */
const fallbackStep = (atMs: number, data: EventData): StepView => {
  const outcome = textIn(data, "outcome");
  const error = (data["error"] ?? {}) as EventData;
  return step(atMs, isOutcome(outcome) ? FALLBACK_STEPS[outcome] : "FALLBACK_REFUSED", {
    reason: textIn(error, "message") ?? textIn(data, "reason"),
    code: textIn(error, "code"),
    messageId: textIn(data, "fallbackMessageId"),
  });
};

/** A pin or a keep that ended has a step of its own. */
const stepOf = (type: keyof typeof ACT_STEPS, { pinned, kept }: EventData): StepView["kind"] =>
  pinned === false ? "UNPINNED" : kept === false ? "UNKEPT" : ACT_STEPS[type];

/** The acts of people on the message, and the operations that were requested afterwards. */
const actSteps = ({ events }: MessageTimeline): StepView[] =>
  events.flatMap(({ audience, type, body, createdAt }) => {
    if (audience !== GATEWAY) return [];
    const data = dataOf(body);
    if (type === "message:status" && data["status"] === "deleted") return [step(createdAt, "DELETED")];
    if (type === "message:fallback") return [fallbackStep(createdAt, data)];
    if (!isActType(type)) return [];
    const said = ["emoji", "text", "response", "reason"].map((name) => textIn(data, name)).find((one) => one !== null);
    return [step(createdAt, stepOf(type, data), { reason: said ?? null, code: textIn(data, "code") })];
  });

const phoneSteps = ({ phoneEvents }: MessageTimeline): StepView[] =>
  phoneEvents.flatMap(({ type, body, createdAt }) =>
    isPhoneType(type) ? [step(createdAt, PHONE_STEPS[type], { reason: textIn(dataOf(body), "reason") })] : [],
  );

const eventsView = ({ events, deliveries }: MessageTimeline): Static<typeof EventOfMessage>[] =>
  events.map(({ seq, id, audience, type, body, createdAt }) => ({
    id,
    api: requireEventApi(audience),
    type,
    status: textIn(dataOf(body), "status"),
    createdAt: iso(createdAt),
    deliveries: deliveries
      .filter(({ delivery }) => delivery.eventSeq === seq)
      .map(({ delivery, webhook, attempts }) => ({
        id: delivery.id,
        webhookId: delivery.subscriptionId,
        webhookName: webhook?.name ?? null,
        ...deliveryProgress(delivery, webhook),
        tries: attempts.map(attemptView),
      })),
  }));

const view = (env: GatewayEnv, timeline: MessageTimeline, baseUrl: string): Static<typeof Timeline> => {
  const { message, requestId, networkId, waiting } = timeline;
  const own = message.direction === "OUTBOUND" && message.status !== "RECEIVED" ? sentSteps : receivedSteps;
  const steps = [...own(timeline), ...phoneSteps(timeline), ...actSteps(timeline)];
  return {
    message: loggedMessage(env, message, baseUrl),
    requestId,
    networkId,
    waiting: waiting && {
      because: waiting.because,
      since: isoOrNull(waiting.sinceMs),
      nextTryAt: isoOrNull(waiting.nextTryAt),
      reason: waiting.text,
    },
    steps: steps.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)), // equal times keep their order
    events: eventsView(timeline),
  };
};

/** The life of a message. `baseUrl`: the public URL of this API. */
export const messageTimelines = (env: GatewayEnv, auth: GatewayAuth, baseUrl: () => string) =>
  new Elysia({
    prefix: "/v1/messages",
    tags: ["messages"],
    detail: inPath({ id: Type.String({ description: "The message, by its `messageId`" }) }),
  })
    .use(auth)
    .get(
      "/:id/timeline",
      async ({ principal, params }) => {
        const watched = { audience: GATEWAY, types: Object.keys(PHONE_STEPS) };
        return view(env, await readTimeline(env, principal, params.id, watched), baseUrl());
      },
      {
        response: { 200: Timeline, ...REFUSALS },
        detail: {
          ...route({ operationId: "getMessageTimeline", isolation: { id: "message" } }),
          summary: "Get every step in the life of a sent or received message",
          description:
            "Lists the sender, the waits, each attempt, each receipt, each operation, and " +
            "the deliveries of its events. `waiting` says why a queued message has not been sent yet.",
        },
      },
    );
