import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { EVENT_STATUSES, eventsPage, getEvent, type LoggedEvent, replayEvent } from "../../core/events/log.ts";
import { followEvents, type StreamItem } from "../../core/events/stream.ts";
import { accountRefusal } from "../../core/tenancy/accounts.ts";
import { recogniseKey } from "../../core/tenancy/keys.ts";
import { iso, isoOrNull } from "../../kernel/clock.ts";
import { invalid } from "../../kernel/errors.ts";
import { gatewayLimit } from "../../kernel/page.ts";
import { issue, Nullable, OneOf, Uuid } from "../../kernel/schema.ts";
import type { GatewayAuth, Principal } from "./auth.ts";
import type { GatewayEnv } from "./env.ts";
import { refuse } from "./errors.ts";
import { EVENT_TYPES, GATEWAY } from "./render.ts";
import { Instant, InstantOrNull, Page, QueryText, REFUSALS, refusalsOf } from "./schemas.ts";

/** The status of a delivery. An event without a target has the status NONE. */
const DELIVERY_STATUSES = ["PENDING", "DELIVERED", "DEAD"] as const;

const Progress = {
  attempts: Type.Integer(),
  nextRetryAt: InstantOrNull,
  lastStatusCode: Nullable(Type.Integer()),
  lastError: Nullable(Type.String()),
  deliveredAt: InstantOrNull,
};
const EventItem = Type.Object({
  id: Type.String(),
  type: Type.String(),
  phoneId: Nullable(Type.String()),
  status: OneOf(EVENT_STATUSES),
  ...Progress,
  createdAt: Instant,
});
const DeliveryItem = Type.Object({
  id: Type.String(),
  url: Type.String(),
  status: OneOf(DELIVERY_STATUSES),
  ...Progress,
  createdAt: Instant,
});
const EventView = Type.Composite([
  EventItem,
  Type.Object({
    deliveries: Type.Array(DeliveryItem),
    data: Type.Object({}, { additionalProperties: Type.Unknown() }),
  }),
]);

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

const eventView = (logged: LoggedEvent): Static<typeof EventView> => ({
  ...eventItem(logged),
  deliveries: logged.deliveries.map((one) => ({
    id: one.id,
    url: one.url,
    ...progressOf(one),
    createdAt: iso(one.createdAt),
  })),
  data: (JSON.parse(logged.event.body) as { data?: object }).data ?? {},
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
  types?.split(",").map((type) => oneOfOrUndefined("types", type.trim(), EVENT_TYPES) ?? type);

const STREAM = `The first frame of a new reader has the \`id\` where the log ends; a client that reconnects with it as \`Last-Event-ID\` misses nothing.
Each event has its \`id\`, its type as \`event\` and the envelope of the webhook as \`data\`. A comment \`ping\` comes every 15 seconds.
Events of the last 24 hours can be resumed. Where \`Last-Event-ID\` is older, an event \`gap\` comes first: its data is
\`{"from": "…", "to": "…"}\`, the time without events in this stream (\`from\` is null where the id says no time), and then the stream goes on.`;

export const events = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/events", tags: ["events"] })
    .use(auth)
    .get(
      "/",
      async ({ principal, query }) => {
        const { items, nextCursor } = await eventsPage(env, principal, {
          audience: GATEWAY,
          status: oneOfOrUndefined("status", query.status, EVENT_STATUSES),
          type: oneOfOrUndefined("type", query.type, EVENT_TYPES),
          channelId: query.phoneId,
          cursor: query.cursor,
          limit: gatewayLimit(query.limit),
        });
        return { items: items.map(eventItem), nextCursor };
      },
      {
        query: Type.Object({
          status: QueryText,
          type: QueryText,
          phoneId: Type.Optional(Uuid()),
          limit: QueryText,
          cursor: QueryText,
        }),
        response: { 200: Page(EventItem), ...REFUSALS },
        detail: {
          operationId: "listEvents",
          summary: "List events with what became of their deliveries, newest first",
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
        query: Type.Object({ phoneId: Type.Optional(Uuid()), types: QueryText }),
        detail: {
          operationId: "streamEvents",
          summary: "Server-sent events; resumes after Last-Event-ID",
          description: STREAM,
          responses: {
            200: {
              description: "The events, until the reader leaves",
              content: { "text/event-stream": { schema: { type: "string" } } },
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
        detail: { operationId: "getEvent", summary: "Get an event with its deliveries" },
      },
    )
    .post(
      "/:id/replay",
      async ({ principal, params, status }) => {
        const { event } = await replayEvent(env, principal, { audience: GATEWAY, id: params.id });
        return status(202, { id: event.id, status: "enqueued" });
      },
      {
        response: { 202: Type.Object({ id: Type.String(), status: OneOf(["enqueued"]) }), ...REFUSALS },
        detail: { operationId: "replayEvent", summary: "Send an event again to the targets that have not got it" },
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
  const mayGoOn = async () => {
    const found = await recogniseKey(env, "gateway", principal.presentedKey);
    return found?.state === "valid" && accountRefusal(found.tenant) === undefined;
  };
  if (env.stream.count(principal.tenantId) >= MAX_STREAMS) return refuse("RATE_LIMITED", { "Retry-After": "60" });
  const followed = followEvents(
    env,
    principal,
    { audience: GATEWAY, channelId: phoneId, types, lastEventId },
    { signal, mayGoOn },
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
