import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { EVENT_STATUSES, eventsPage, getEvent, type LoggedEvent, replayEvent } from "../../../core/events/log.ts";
import { followEvents, type StreamItem } from "../../../core/events/stream.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { invalid } from "../../../kernel/errors.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { DateTime, described, issue, Nullable, OneOf, Uuid } from "../../../kernel/schema.ts";
import { describedAs } from "../../shared/description/json-schema.ts";
import { CreatedAt, Cursor, Id, inPath } from "../../shared/fields.ts";
import type { GatewayAuth, Principal } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { refuse } from "../errors.ts";
import { route } from "../route-options.ts";
import { Instant, InstantOrNull, msOf, Page, QueryLimit, QueryText, REFUSALS, refusalsOf } from "../schemas.ts";
import { EVENT_DATA, GatewayEvent } from "./event-schemas/index.ts";
import { STREAM_EVENT_TYPES } from "./event-types.ts";
import { GATEWAY } from "./render.ts";

/** The status of a delivery. An event without a target has the status NONE. */
const DELIVERY_STATUSES = ["PENDING", "DELIVERED", "DEAD"] as const;

const Progress = {
  attempts: Type.Integer({ description: "How often delivery was tried" }),
  nextRetryAt: described(InstantOrNull, "When it is tried next; null if it is not tried again"),
  lastStatusCode: Nullable(
    Type.Integer({ description: "The last answer of the endpoint; null without an answer", examples: [200] }),
  ),
  lastError: Nullable(Type.String({ description: "Why the last try failed; null if none did" })),
  deliveredAt: described(InstantOrNull, "When it was delivered; null before", "2026-11-22T12:00:02.000Z"),
};
const EventItem = Type.Object(
  {
    id: Id("The event's id"),
    type: Type.String({ description: "The event's type", examples: ["message:received"] }),
    phoneId: Nullable(Id("The phone that the event is about; null for an event of the account", "phone")),
    status: OneOf(EVENT_STATUSES, {
      title: "EventStatus",
      description: "The progress of the event's deliveries",
      examples: ["DELIVERED"],
    }),
    ...Progress,
    createdAt: described(Instant, "When the event happened"),
  },
  { title: "Event" },
);
const DeliveryItem = Type.Object(
  {
    id: Id("The delivery's id"),
    url: Type.String({
      description: "The address to which the delivery goes",
      examples: ["https://padaria-estrela.example/eventos"],
    }),
    status: OneOf(DELIVERY_STATUSES, {
      title: "DeliveryStatus",
      description: "The progress of the delivery; DEAD was given up",
      examples: ["DELIVERED"],
    }),
    ...Progress,
    createdAt: CreatedAt("delivery"),
  },
  { title: "Delivery" },
);
/** The data of an event; stored events of earlier versions are not checked. */
const AnyData = {
  anyOf: EVENT_DATA,
  description: "The data of its type, as in GatewayEvent",
  examples: [{ phoneNumber: "5511900000001" }],
};
const EventView = Type.Composite(
  [
    EventItem,
    Type.Object({
      deliveries: Type.Array(DeliveryItem, { description: "The delivery to each webhook" }),
      data: Type.Object({}, { additionalProperties: Type.Unknown(), ...describedAs(AnyData) }),
    }),
  ],
  { title: "EventDetails" },
);

const ListedEvent = Type.Composite(
  [
    EventItem,
    Type.Object({
      data: Type.Optional(
        Type.Object(
          {},
          {
            additionalProperties: Type.Unknown(),
            description: "What happened, as the webhook shows it; with include=data",
          },
        ),
      ),
    }),
  ],
  { title: "ListedEvent" },
);

type Delivery = LoggedEvent["deliveries"][number];

const progressOf = ({ status, attempts, nextAt, lastStatusCode, lastError, deliveredAt }: Delivery) => ({
  status: status === "PAUSED" ? ("PENDING" as const) : status,
  attempts,
  nextRetryAt: status === "PENDING" ? isoOrNull(nextAt) : null,
  lastStatusCode,
  lastError,
  deliveredAt: isoOrNull(deliveredAt),
});

/** The status of an event: the worst of its deliveries. */
const eventItem = ({ event, status, deliveries }: LoggedEvent): Static<typeof EventItem> => {
  const worst =
    deliveries.find((one) => one.status === "DEAD") ??
    deliveries.find((one) => one.status !== "DELIVERED") ??
    deliveries.at(-1);
  const progress = worst
    ? progressOf(worst)
    : { attempts: 0, nextRetryAt: null, lastStatusCode: null, lastError: null, deliveredAt: null };
  return {
    id: event.id,
    type: event.type,
    phoneId: event.channelId,
    ...progress,
    status,
    createdAt: iso(event.createdAt),
  };
};

const dataOf = ({ event }: LoggedEvent): object => (JSON.parse(event.body) as { data?: object }).data ?? {};

const withData = (logged: LoggedEvent): Static<typeof ListedEvent> => ({ ...eventItem(logged), data: dataOf(logged) });

const eventView = (logged: LoggedEvent): Static<typeof EventView> => ({
  ...eventItem(logged),
  deliveries: logged.deliveries.map((one) => ({
    id: one.id,
    url: one.url,
    ...progressOf(one),
    createdAt: iso(one.createdAt),
  })),
  data: dataOf(logged),
});

const oneOfOrUndefined = <Value extends string>(
  name: string,
  text: string | undefined,
  values: readonly Value[],
): Value | undefined => {
  if (text === undefined) return undefined;
  const value = values.find((one) => one === text);
  if (value === undefined) throw invalid(issue(name, "enum", `must be one of ${values.join(", ")}`));
  return value;
};

const typesOf = (types: string | undefined): string[] | undefined =>
  types?.split(",").map((type) => oneOfOrUndefined("types", type.trim(), STREAM_EVENT_TYPES) ?? type);

/** Each type is read by itself. */
const MOST_TYPES = 10;

/** The types of a list: one by `type`, or several by `types`. */
const askedTypes = ({ type, types }: { type?: string; types?: string }): string[] | undefined => {
  if (type !== undefined && types !== undefined)
    throw invalid(issue("types", "forbidden", "only one of type and types may be given"));
  const one = oneOfOrUndefined("type", type, STREAM_EVENT_TYPES);
  const all = one === undefined ? typesOf(types) : [one];
  if (all !== undefined && all.length > MOST_TYPES)
    throw invalid(issue("types", "maxItems", `must name at most ${MOST_TYPES} types`));
  return all;
};

/** `itemSchema` is a field of OpenAPI 3.2. See https://spec.openapis.org/oas/v3.2.0.html#media-type-object. */
const STREAMED = {
  schema: { type: "string" as const },
  "x-itemSchema": { $ref: `#/components/schemas/${GatewayEvent.title}` },
};

const STREAM = [
  "The first frame of a new reader has the `id` where the log ends.",
  "A client that connects again with it as `Last-Event-ID` misses nothing of the last 24 hours.",
  "Each event has its `id`, its type as `event` and the body of the webhook, a GatewayEvent, as `data`; a comment `ping` comes " +
    "every 15 seconds.",
  'After a longer time an event `gap` comes first: `{"from": "…", "to": "…"}` is the time without events here.',
  "Its `from` is null if the id contains no time.",
].join("\n");

export const events = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/events",
    tags: ["events"],
    detail: inPath({ id: Id("The event, as `GET /v1/events` lists it", "event") }),
  })
    .use(auth)
    .get(
      "/",
      async ({ principal, query }) => {
        const { items, nextCursor } = await eventsPage(env, principal, {
          audience: GATEWAY,
          status: oneOfOrUndefined("status", query.status, EVENT_STATUSES),
          types: askedTypes(query),
          channelId: query.phoneId,
          cursor: query.cursor,
          sinceMs: msOf(query.since),
          untilMs: msOf(query.until),
          limit: gatewayLimit(query.limit),
        });
        const shown = query.include === "data" ? withData : eventItem;
        return { items: items.map(shown), nextCursor };
      },
      {
        query: Type.Object({
          status: Type.Optional(
            described(
              Type.String(describedAs({ title: "EventStatus", enum: EVENT_STATUSES })),
              "Only entries with this status",
            ),
          ),
          type: Type.Optional(
            described(Type.String(describedAs({ enum: STREAM_EVENT_TYPES })), "Only entries of this type"),
          ),
          types: Type.Optional(Type.String({ description: "Up to ten types, with commas" })),
          phoneId: Type.Optional(described(Uuid(), "Only entries of this phone")),
          since: Type.Optional(described(DateTime(), "From this time on")),
          until: Type.Optional(described(DateTime(), "Before this time")),
          include: Type.Optional(OneOf(["data"], { description: "`data`: with the body of each event" })),
          limit: QueryLimit(),
          cursor: Cursor(QueryText),
        }),
        response: { 200: Page(ListedEvent), ...REFUSALS },
        detail: {
          ...route({ operationId: "listEvents", isolation: { phoneId: "channel", cursor: "event" } }),
          summary: "List events with the progress of their deliveries, newest first",
          description: "`status` is that of the worst delivery; NONE if no webhook gets the event.",
        },
      },
    )
    .get(
      "/stream",
      ({ principal, query, request }) =>
        request.method === "HEAD"
          ? new Response(null, { headers: STREAM_HEADERS }) // a HEAD request has no stream
          : streamResponse(
              env,
              principal,
              {
                phoneId: query.phoneId,
                types: typesOf(query.types),
                lastEventId: request.headers.get("last-event-id") ?? undefined,
              },
              request.signal,
            ),
      {
        query: Type.Object({
          phoneId: Type.Optional(described(Uuid(), "Only entries of this phone")),
          types: described(QueryText, "Event types, separated by commas; all by default"),
        }),
        detail: {
          ...route({ operationId: "streamEvents", isolation: { phoneId: "channel" } }),
          summary: "Read events as they happen",
          description: STREAM,
          responses: {
            200: {
              description: "The events, until the reader leaves",
              content: { "text/event-stream": STREAMED },
            },
            ...refusalsOf(...Object.keys(REFUSALS).map(Number)),
          },
        },
      },
    )
    .get(
      "/:id",
      async ({ principal, params }) => eventView(await getEvent(env, principal, { audience: GATEWAY, id: params.id })),
      {
        response: { 200: EventView, ...REFUSALS },
        detail: {
          ...route({ operationId: "getEvent", isolation: { id: "event" } }),
          summary: "Get an event with its deliveries",
          description: "`data` is what webhooks get.",
        },
      },
    )
    .post(
      "/:id/replay",
      async ({ principal, params, status }) => {
        const { event } = await replayEvent(env, principal, { audience: GATEWAY, id: params.id });
        return status(202, { id: event.id, status: "enqueued" });
      },
      {
        response: {
          202: Type.Object({
            id: Id("The id of the event"),
            status: OneOf(["enqueued"], { description: "The event is delivered again soon" }),
          }),
          ...REFUSALS,
        },
        detail: {
          ...route({ operationId: "replayEvent", acts: "none: daily work", isolation: { id: "event" } }),
          summary: "Send an event again to the targets that have not received it",
          description: "409 if every target has received it.",
        },
      },
    );

const STREAM_HEADERS = { "content-type": "text/event-stream", "cache-control": "no-store" };
/** The open streams that one account may have. */
const MAX_STREAMS = 100;

type StreamQuery = { phoneId: string | undefined; types: string[] | undefined; lastEventId: string | undefined };

/** Pulls one event at a time, so that a slow client costs no more memory than a bounded queue. */
const streamResponse = (
  env: GatewayEnv,
  principal: Principal,
  { phoneId, types, lastEventId }: StreamQuery,
  signal: AbortSignal,
): Response => {
  if (env.stream.count(principal.tenantId) >= MAX_STREAMS) return refuse("RATE_LIMITED", { "Retry-After": "60" });
  const followed = followEvents(
    env,
    principal,
    { audience: GATEWAY, channelId: phoneId, types, lastEventId },
    { signal, mayGoOn: principal.mayGoOn },
  );
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await followed.next();
      if (next.done) return controller.close();
      controller.enqueue(encoder.encode(frameOf(next.value)));
    },
    cancel: async () => void (await followed.return(undefined)),
  });
  return new Response(stream, { headers: STREAM_HEADERS });
};

const frameOf = (item: StreamItem): string => {
  if (item === "ping") return ": ping\n\n";
  if (!("is" in item)) return `id: ${item.id}\nevent: ${item.type}\ndata: ${item.body}\n\n`;
  const { id, gap } = item;
  const connected = `: connected\n${id === undefined ? "" : `id: ${id}\n`}\n`;
  return gap
    ? `${connected}id: ${gap.id}\nevent: gap\ndata: ${JSON.stringify({ from: isoOrNull(gap.fromMs), to: iso(gap.toMs) })}\n\n`
    : connected;
};
