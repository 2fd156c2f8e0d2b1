import { AppError } from "../../kernel/errors.ts";
import { unknownCursor } from "../../kernel/page.ts";
import { type Slice, walk } from "../../kernel/walk.ts";
import type { Reader } from "../../store/engine/db.ts";
import { boundsOf, type TimeFilter } from "../../store/engine/time-bounds.ts";
import { type AttemptRow, listAttemptsOf } from "../../store/tables/events/attempts.ts";
import {
  type DeliveryPlace,
  deliveriesOfEvents,
  type ListedDelivery,
  listEventsOfMessage,
  type OpenStatus,
  sliceInStatus,
  sliceOfAll,
} from "../../store/tables/events/delivery-pages.ts";
import { type DeliveryRow, findDelivery, type LoadedDelivery, loadDelivery } from "../../store/tables/events/events.ts";
import type { Scope, TenantScope } from "../../store/tables/scope.ts";
import { type Requester, recordAct } from "../tenancy/audit/audit.ts";
import { jobKeyOf } from "./chat-order.ts";
import type { EventsEnv } from "./env.ts";
import { outgoingOf } from "./outgoing.ts";
import { headersOf, ownHeaders } from "./own-headers.ts";
import { restart } from "./retrying.ts";

export type { ListedDelivery } from "../../store/tables/events/delivery-pages.ts";

/**
 * The state of a delivery. WAITING: its first or next attempt is due later. HELD: its webhook is paused, or an earlier
 * delivery of its chat goes first. DEAD: given up, a dead letter.
 */
export const DELIVERY_STATES = ["WAITING", "HELD", "DELIVERED", "DEAD"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Why a delivery waits without a time of its next attempt. */
export type HeldBecause = "WEBHOOK_PAUSED" | "EARLIER_DELIVERY";

export const heldBecause = ({ status, nextAt }: DeliveryRow): HeldBecause | null => {
  if (status === "PAUSED") return "WEBHOOK_PAUSED";
  return status === "PENDING" && nextAt === null ? "EARLIER_DELIVERY" : null;
};

export const deliveryState = (delivery: DeliveryRow): DeliveryState => {
  if (delivery.status === "DELIVERED" || delivery.status === "DEAD") return delivery.status;
  return heldBecause(delivery) === null ? "WAITING" : "HELD";
};

/** The statuses by which a state is found; undefined for a state that nearly all deliveries have. */
const FOUND_BY: Readonly<Record<DeliveryState, readonly OpenStatus[] | undefined>> = {
  WAITING: ["PENDING"],
  HELD: ["PENDING", "PAUSED"],
  DEAD: ["DEAD"],
  DELIVERED: undefined,
};

/** The filter of a list of deliveries. `sinceMs` and `untilMs` are times of the events. */
export type DeliveryFilter = {
  state?: DeliveryState | undefined;
  subscriptionId?: string | undefined;
  channelId?: string | undefined;
  messageId?: string | undefined;
  type?: string | undefined;
} & TimeFilter;

type DeliveriesAsked = DeliveryFilter & { cursor: string | undefined; limit: number };

/** How many deliveries are read for one page. */
const MOST_SEEN = 5000;
const NEWEST: DeliveryPlace = { eventSeq: Number.MAX_SAFE_INTEGER, id: "~" };

const wanted =
  ({
    state,
    subscriptionId,
    channelId,
    messageId,
    type,
    sinceMs = 0,
    untilMs = Number.MAX_SAFE_INTEGER,
  }: DeliveryFilter) =>
  ({ delivery, event }: ListedDelivery): boolean =>
    (state === undefined || deliveryState(delivery) === state) &&
    (subscriptionId === undefined || delivery.subscriptionId === subscriptionId) &&
    (channelId === undefined || event.channelId === channelId) &&
    (messageId === undefined || event.messageId === messageId) &&
    (type === undefined || event.type === type) &&
    event.createdAt >= sinceMs &&
    event.createdAt < untilMs;

const placeOf = ({ delivery: { eventSeq, id } }: ListedDelivery): DeliveryPlace => ({ eventSeq, id });

const byPlace = (a: ListedDelivery, b: ListedDelivery): number =>
  b.delivery.eventSeq - a.delivery.eventSeq || (a.delivery.id < b.delivery.id ? 1 : -1);

const sliceOf = async (
  r: Reader,
  scope: Scope,
  { state, channelId, messageId }: DeliveryFilter,
  { after, limit }: { after: DeliveryPlace; limit: number },
): Promise<Slice<ListedDelivery, DeliveryPlace>> => {
  if (messageId !== undefined) return sliceOfMessage(r, scope, messageId, after);
  const statuses = state && FOUND_BY[state];
  if (statuses === undefined) {
    if (scope.tenantId === undefined)
      throw new Error("the deliveries of all tenants are listed by an open state alone");
    return sliceOfAll(r, { tenantId: scope.tenantId, channelId }, { after, limit });
  }
  const rows: ListedDelivery[] = [];
  for (const status of statuses) rows.push(...(await sliceInStatus(r, scope, status, { after, limit })));
  const first = rows.toSorted(byPlace).slice(0, limit);
  const last = first.at(-1);
  return { rows: first, end: last && first.length === limit ? placeOf(last) : undefined };
};

/** How many events about one message are read. */
const MOST_OF_MESSAGE = 500;

/** The deliveries of all events about a message: these are few. */
const sliceOfMessage = async (
  r: Reader,
  scope: Scope,
  messageId: string,
  after: DeliveryPlace,
): Promise<Slice<ListedDelivery, DeliveryPlace>> => {
  const events = await listEventsOfMessage(r, scope, messageId, MOST_OF_MESSAGE);
  const all = await deliveriesOfEvents(
    r,
    scope,
    events.map(({ seq }) => seq),
  );
  const isAfter = ({ delivery: { eventSeq, id } }: ListedDelivery): boolean =>
    eventSeq < after.eventSeq || (eventSeq === after.eventSeq && id < after.id);
  return { rows: all.toSorted(byPlace).filter(isAfter), end: undefined };
};

const found = async (
  env: EventsEnv,
  scope: Scope,
  filter: DeliveryFilter & { from: DeliveryPlace; limit: number },
): Promise<{ rows: ListedDelivery[]; next: DeliveryPlace | undefined }> => {
  const { afterSeq = 0, beforeSeq = Number.MAX_SAFE_INTEGER } = await env.db.read((reader) =>
    boundsOf(reader, "events", filter),
  );
  const from = beforeSeq <= filter.from.eventSeq ? { eventSeq: beforeSeq, id: "" } : filter.from;
  return walk<ListedDelivery, DeliveryPlace>({
    from,
    limit: filter.limit,
    most: MOST_SEEN,
    placeOf,
    isWanted: wanted(filter),
    read: async (after, limit) => {
      const slice = await env.db.read((reader) => sliceOf(reader, scope, filter, { after, limit }));
      const isPast = slice.end !== undefined && slice.end.eventSeq <= afterSeq;
      return isPast ? { ...slice, end: undefined } : slice;
    },
  });
};

/**
 * A page of the deliveries of a tenant, for every audience, newest event first. One page reads at most 5,000
 * deliveries: it may be short, or empty, although `nextCursor` says that more follows.
 * @throws AppError VALIDATION for a cursor that is not a delivery of the scope
 */
export const deliveriesPage = async (
  env: EventsEnv,
  scope: Scope,
  { cursor, ...filter }: DeliveriesAsked,
): Promise<{ items: ListedDelivery[]; nextCursor: string | null }> => {
  const from = await placeOfCursor(env, scope, cursor);
  const { rows, next } = await found(env, scope, { ...filter, from });
  return { items: rows, nextCursor: next === undefined ? null : cursorOf(next) };
};

/** The id of a delivery, or the number of an event, where a page ends between the deliveries that it shows. */
const cursorOf = ({ id, eventSeq }: DeliveryPlace): string => (id === "" ? String(eventSeq) : id);

const placeOfCursor = async (env: EventsEnv, scope: Scope, cursor: string | undefined): Promise<DeliveryPlace> => {
  if (cursor === undefined) return NEWEST;
  if (/^\d{1,15}$/.test(cursor)) return { eventSeq: Number(cursor), id: "" };
  const last = await env.db.read((reader) => findDelivery(reader, scope, cursor));
  if (!last) throw unknownCursor();
  return last;
};

/** The request of one attempt. A header's value is null if it is a secret. */
export type ShownRequest = { url: string; headers: { name: string; value: string | null }[]; body: string };

export type DeliveryDetails = { loaded: LoadedDelivery; attempts: AttemptRow[]; request: ShownRequest | null };

/** The maximum number of shown attempts of a delivery. */
const MOST_ATTEMPTS = 50;

/**
 * A delivery with its attempts, newest first, and the request of its newest attempt, or else of its first.
 * @throws AppError EVENT_NOT_FOUND
 */
export const getDelivery = (env: EventsEnv, scope: TenantScope, id: string): Promise<DeliveryDetails> =>
  env.db.read(async (reader) => {
    const loaded = await requireInScope(reader, scope, id);
    const { delivery } = loaded;
    const attempts = await listAttemptsOf(reader, delivery, MOST_ATTEMPTS);
    return { loaded, attempts, request: requestOf(env, loaded, attempts[0]?.at) };
  });

const requireInScope = async (reader: Reader, scope: TenantScope, id: string): Promise<LoadedDelivery> => {
  const loaded = await loadDelivery(reader, id);
  if (!loaded || loaded.delivery.tenantId !== scope.tenantId)
    throw new AppError("EVENT_NOT_FOUND", { message: "There is no such delivery." });
  return loaded;
};

const SIGNATURE = /signature/i;
const TIMESTAMP = "webhook-timestamp";

/**
 * The request of the newest attempt, which was at `lastAt`; null after the deletion of the webhook, because its headers
 * are then unknown.
 */
const requestOf = (
  env: EventsEnv,
  { delivery, event, subscription, requestId }: LoadedDelivery,
  lastAt: number | undefined,
): ShownRequest | null => {
  if (!subscription) return null;
  const attempt = Math.max(1, delivery.attempts);
  const orderingKey = jobKeyOf(delivery, event);
  const outgoing = outgoingOf(env, subscription, { event, orderingKey, requestId, attempt, isTest: false });
  const own = new Set(Object.keys(ownHeaders(env, headersOf(subscription))));
  const shown = ([name, value]: [string, string]): string | null => {
    if (own.has(name) || SIGNATURE.test(name)) return null;
    if (name !== TIMESTAMP) return value;
    return lastAt === undefined ? null : String(Math.floor(lastAt / 1000));
  };
  const headers = Object.entries(outgoing.headers).map((one) => ({ name: one[0], value: shown(one) }));
  return { url: delivery.url, headers, body: outgoing.body };
};

/**
 * Sends a delivery again at once, as a new series from attempt 1. A held delivery stays held: it goes out when its
 * webhook resumes, or after the earlier delivery of its chat. Returns the delivery as it was.
 * @throws AppError EVENT_NOT_FOUND, or EVENT_ALREADY_DELIVERED
 */
export const retryDelivery = async (env: EventsEnv, scope: TenantScope, id: string): Promise<DeliveryRow> => {
  const { delivery, event } = await env.db.read((reader) => requireInScope(reader, scope, id));
  if (delivery.status === "DELIVERED")
    throw new AppError("EVENT_ALREADY_DELIVERED", { message: "The delivery has arrived." });
  if (deliveryState(delivery) !== "HELD") await env.db.write((tx) => restart(env, tx, delivery, event));
  return delivery;
};

/** How many deliveries one call retries, and how many of them one write handles. */
const MOST_RETRIED = 1000;
const PER_WRITE = 100;

/** The states whose deliveries can be sent again. */
export const RETRIED_STATES = ["WAITING", "DEAD"] as const;
type RetryFilter = DeliveryFilter & { state: (typeof RETRIED_STATES)[number] };

/**
 * Sends the newest matching deliveries again, in the order of their events, each as a new series. Returns their number:
 * 1,000 at most. The caller repeats the call for more dead letters. The audit log records it.
 */
export const retryMatching = async (env: EventsEnv, by: Requester & Scope, filter: RetryFilter): Promise<number> => {
  const { rows } = await found(env, by, { ...filter, from: NEWEST, limit: MOST_RETRIED });
  const inOrder = rows.toReversed();
  let start = 0;
  do {
    const some = inOrder.slice(start, start + PER_WRITE);
    await env.db.write(async (tx) => {
      for (const { delivery, event } of some) await restart(env, tx, delivery, event);
      await recordAct(env, tx, by, {
        action: "dead-letters.replay",
        tenantId: by.tenantId,
        details: { count: some.length, state: filter.state },
      });
    });
    start += PER_WRITE;
  } while (start < inOrder.length);
  return inOrder.length;
};
