import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ChannelId, SubscriptionId, TenantId } from "../../../kernel/ids.ts";
import { isWrite, type Reader, type Tx } from "../../engine/db.ts";
import { columnsOf, columnsOfEach, insertInto, isWordOf, lines, statement, updateOf } from "../../engine/statement.ts";
import type { TimeFilter } from "../../engine/time-bounds.ts";
import { JOB_WAITS } from "../jobs.ts";
import { ifWithin, inScope, type Scope } from "../scope.ts";
import { laws, type PersonalRow, type Somebody } from "../table-laws.ts";
import { type AccountState, findAccountState, tenants } from "../tenancy/tenants.ts";
import {
  type Direction,
  knownSubscription,
  loadSubscription,
  type SubscriptionRow,
  subscriptions,
} from "./subscriptions.ts";

/**
 * A rendered event: a domain event as one audience gets it, frozen. `seq` is the order of events. `id` is the domain
 * event's, the same in every audience.
 */
export const events = sqliteTable(
  "events",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>(),
    /** The ordering key: the chat, group, call or channel. Events with the same key reach a subscription in order. */
    chat: text().notNull(),
    /** The call that the event is about; null for every other event. */
    callId: text("call_id"),
    /** The message that the event is about; null for every other event. */
    messageId: text("message_id"),
    /** The direction of the message that the event is about; null for every other event. */
    direction: text().$type<Direction>(),
    audience: text().notNull(),
    /** The audience's name for the event type. */
    type: text().notNull(),
    body: text().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("events_by_id").on(t.id, t.audience),
    index("events_by_tenant").on(t.tenantId, t.seq),
    index("events_by_type").on(t.tenantId, t.audience, t.type, t.seq),
    index("events_by_channel").on(t.tenantId, t.channelId, t.seq),
    index("events_by_age").on(t.createdAt),
    index("events_by_message").on(t.messageId, t.seq).where(sql`message_id IS NOT NULL`),
  ],
);
export type EventRow = typeof events.$inferSelect;
export type NewEvent = Omit<EventRow, "seq">;

const OF_CALL = "(SELECT peer FROM calls WHERE calls.id = events.call_id) AS peer";
/** The columns that show whose event it is. */
export const EVENT_COLUMNS = `events.id, events.chat, events.audience, events.type, events.body, events.created_at,
  ${OF_CALL}`;
export const isOfEvent = (row: PersonalRow, who: Somebody): boolean =>
  ["chat", "peer"].some((column) => who.names(row[column])) || who.namesIn(row["body"]);

const eraseDeliveries = statement<never, { at: number }>("DELETE FROM deliveries WHERE event_seq = :at");
const erase = statement<never, { at: number }>("DELETE FROM events WHERE seq = :at");

export const eventsLaws = laws(events, {
  keeps: {
    group: "events",
    setting: "RECADO_KEEP_EVENTS",
    rule: "the term; undelivered events and dead letters stay for at least 30 days",
    isSwept: true,
  },
  personal: {
    rowsOf: { columns: `events.seq, events.tenant_id AS tenantId, ${EVENT_COLUMNS}`, from: "events" },
    by: [],
    texts: ["body"],
    isOf: isOfEvent,
    erase(tx, { at }) {
      eraseDeliveries.run(tx, { at });
      erase.run(tx, { at });
      return {};
    },
  },
  joins: {
    rows: "move",
    now: {
      where: `tenant_id = :from AND seq IN (SELECT json_extract(payload, '$.eventSeq') FROM jobs
      WHERE queue = 'fan-out:' || :from AND ${JOB_WAITS})`,
    },
    later: true,
  },
  sealed: "nothing",
  grows: { bound: "made by messages, channels and calls; kept for 30 days" },
  files: "none",
  backup: "rows alone",
});

const EVENT = columnsOf(events);

const insert = statement<{ seq: number }, NewEvent>(
  `INSERT INTO events
    (id, tenant_id, channel_id, chat, call_id, message_id, direction, audience, type, body, created_at)
    VALUES (:id, :tenantId, :channelId, :chat, :callId, :messageId, :direction, :audience, :type, :body, :createdAt)
    RETURNING seq`,
);

/** The event's `seq`. */
export const insertEvent = async (tx: Tx, row: NewEvent): Promise<number> => {
  const written = await insert.get(tx, row);
  if (!written) throw new Error("an inserted event has no sequence number");
  return written.seq;
};

/** PAUSED: stored while its subscription is disabled. DEAD: a dead letter, with its reason. */
export const DELIVERY_STATUSES = ["PENDING", "DELIVERED", "DEAD", "PAUSED"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * One event for one subscription. `attempts` counts the current series; a replay starts a new one. `nextAt` is null
 * while an earlier delivery of its chat holds a pending one back, which then has no job.
 */
export const deliveries = sqliteTable(
  "deliveries",
  {
    id: text().primaryKey(),
    eventSeq: integer("event_seq").notNull(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    subscriptionId: text("subscription_id").$type<SubscriptionId>().notNull(),
    status: text().$type<DeliveryStatus>().notNull(),
    /** The chat that its webhook may keep in strict order, by channel; empty if the webhook keeps no order. */
    chat: text().notNull().default(""),
    url: text().notNull(),
    attempts: integer().notNull(),
    nextAt: integer("next_at"),
    lastStatusCode: integer("last_status_code"),
    lastError: text("last_error"),
    deliveredAt: integer("delivered_at"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    index("deliveries_by_event").on(t.eventSeq),
    index("deliveries_paused_by_tenant").on(t.tenantId, t.eventSeq).where(sql`status = 'PAUSED'`),
    index("deliveries_paused").on(t.subscriptionId, t.eventSeq).where(sql`status = 'PAUSED'`),
    index("deliveries_waiting").on(t.subscriptionId, t.eventSeq).where(sql`status = 'PENDING'`),
    index("deliveries_of_chat").on(t.subscriptionId, t.chat, t.eventSeq).where(sql`status = 'PENDING'`),
    index("deliveries_pending").on(t.tenantId, t.eventSeq).where(sql`status = 'PENDING'`),
    index("deliveries_dead").on(t.eventSeq).where(sql`status = 'DEAD'`),
    index("deliveries_dead_by_tenant").on(t.tenantId, t.eventSeq).where(sql`status = 'DEAD'`),
  ],
);
export type DeliveryRow = typeof deliveries.$inferSelect;

export const deliveriesLaws = laws(deliveries, {
  keeps: { group: "events", setting: "none", rule: "until the event is deleted", isSwept: false },
  personal: { none: "deleted together with its event" },
  joins: { rows: "move", now: "none", later: true },
  sealed: "nothing",
  grows: { bound: "made by events, one per webhook, whose number is limited; kept for 30 days" },
  files: "none",
  backup: "rows alone",
});

const DELIVERY = columnsOf(deliveries);

export type NewDelivery = Pick<
  DeliveryRow,
  "id" | "eventSeq" | "tenantId" | "subscriptionId" | "status" | "chat" | "url" | "nextAt" | "lastError" | "createdAt"
>;
const insertOne = insertInto(deliveries);
export const insertDelivery = async (tx: Tx, row: NewDelivery): Promise<void> => insertOne(tx, { ...row, attempts: 0 });

export type LoadedDelivery = {
  delivery: DeliveryRow;
  event: EventRow;
  subscription: SubscriptionRow | null;
  tenant: Pick<AccountState, "status" | "dunningStage">;
  /** The id of the request that asked for the message which the event is about; null for every other event. */
  requestId: string | null;
};

const WITH_EVENT = `deliveries AS delivery JOIN events AS event ON event.seq = delivery.event_seq
  LEFT JOIN messages AS message ON message.id = event.message_id`;

const loadWithEvent = statement<Pick<LoadedDelivery, "delivery" | "event" | "requestId">, { id: string }>(
  `SELECT *, message.request_id AS requestId FROM ${WITH_EVENT} WHERE delivery.id = :id`,
  columnsOfEach({ delivery: DELIVERY, event: EVENT }),
);

const SUBSCRIPTION = columnsOf(subscriptions);

/** One statement, because each further one takes a round trip to a remote database. */
const loadWhole = statement<LoadedDelivery, { id: string }>(
  `SELECT *, message.request_id AS requestId FROM ${WITH_EVENT} JOIN tenants AS tenant ON tenant.id = delivery.tenant_id
    LEFT JOIN subscriptions AS subscription ON subscription.id = delivery.subscription_id WHERE delivery.id = :id`,
  columnsOfEach({
    delivery: DELIVERY,
    event: EVENT,
    subscription: SUBSCRIPTION,
    tenant: columnsOf(tenants, "status", "dunningStage"),
  }),
);

/** A delivery with all data that an attempt needs. `subscription` is null after its deletion. */
export const loadDelivery = async (r: Reader, id: string): Promise<LoadedDelivery | undefined> => {
  if (!r.cache.inWrites || isWrite(r)) return loadWhole.get(r, { id });
  const loaded = await loadWithEvent.get(r, { id });
  if (!loaded) return undefined;
  const { tenantId, subscriptionId } = loaded.delivery;
  const subscription =
    knownSubscription(r, { tenantId, id: subscriptionId }) ?? (await loadSubscription(r, subscriptionId)) ?? null;
  const tenant = await findAccountState(r, tenantId);
  return tenant && { ...loaded, subscription, tenant };
};

const update = updateOf<typeof deliveries, { id: string; from: readonly DeliveryStatus[] }>(
  deliveries,
  `WHERE id = :id AND ${isWordOf("status", "from")} RETURNING *`,
);

export type Arrival = Pick<DeliveryRow, "url"> & { statusCode: number; at: number };

const endAsDelivered = statement<{ attempts: number }, Arrival & { id: string }>(
  `UPDATE deliveries SET status = 'DELIVERED', attempts = attempts + 1, url = :url, last_status_code = :statusCode,
    last_error = NULL, delivered_at = :at, next_at = NULL WHERE id = :id AND status = 'PENDING' RETURNING attempts`,
);

/** Ends a delivery that has arrived. Gives its attempts with this one; undefined if it no longer waits. */
export const endDelivered = async (tx: Tx, id: string, arrival: Arrival): Promise<number | undefined> =>
  (await endAsDelivered.get(tx, { id, ...arrival }))?.attempts;

/** The changed row; undefined when its status is not in `from`. */
export const updateDelivery = async (
  tx: Tx,
  id: string,
  from: readonly DeliveryStatus[],
  changes: Partial<DeliveryRow>,
): Promise<DeliveryRow | undefined> => (await update(tx, changes, { id, from }))[0];

/**
 * The one status of an event in a log, over all its deliveries: DEAD before PENDING before DELIVERED; NONE without
 * deliveries.
 */
export const EVENT_STATUSES = ["PENDING", "DELIVERED", "DEAD", "NONE"] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** The events of an audience; with a type or a channel: its events alone. */
export type EventFilter = {
  audience: string;
  type?: string | undefined;
  channelId?: string | undefined;
  beforeSeq: number | undefined;
  afterSeq?: number | undefined;
  limit: number;
} & TimeFilter;

/** Newest first. `core/events/log.ts` lists events by their status. */
export const listEvents = (r: Reader, scope: Scope, filter: EventFilter): Promise<EventRow[]> =>
  statement<EventRow, EventFilter & Scope>(
    lines(
      "SELECT * FROM events WHERE true",
      inScope(scope),
      // + keeps SQLite from using another index, so the order stays
      filter.type === undefined ? "AND +audience = :audience" : "AND audience = :audience AND type = :type",
      filter.channelId !== undefined && "AND channel_id = :channelId",
      filter.beforeSeq !== undefined && "AND seq < :beforeSeq",
      filter.afterSeq !== undefined && "AND seq > :afterSeq",
      filter.sinceMs !== undefined && "AND +created_at >= :sinceMs",
      filter.untilMs !== undefined && "AND +created_at < :untilMs",
      "ORDER BY seq DESC LIMIT :limit",
    ),
    EVENT,
  ).all(r, { ...filter, tenantId: scope.tenantId });

/** A tenant's events after `afterSeq`, oldest first, for a resumed stream. */
export const listEventsAfter = (r: Reader, scope: Scope, after: { seq: number; limit: number }): Promise<EventRow[]> =>
  statement<EventRow, { seq: number; limit: number } & Scope>(
    `SELECT * FROM events WHERE seq > :seq ${inScope(scope)} ORDER BY seq LIMIT :limit`,
    EVENT,
  ).all(r, { ...after, tenantId: scope.tenantId });

const newest = statement<{ seq: number | null }>("SELECT max(seq) AS seq FROM events");

/** The `seq` of the newest event; 0 without events. */
export const newestEvent = async (r: Reader): Promise<number> => (await newest.get(r))?.seq ?? 0;

const firstSince = statement<{ seq: number }, { sinceMs: number }>(
  "SELECT seq FROM events WHERE created_at > :sinceMs ORDER BY created_at LIMIT 1",
);

/** The `seq` of the first event since a time; undefined without such an event. */
export const firstEventSince = async (r: Reader, sinceMs: number): Promise<number | undefined> =>
  (await firstSince.get(r, { sinceMs }))?.seq;

type EventName = { audience: string; id: string };
const eventById = statement<EventRow, EventName>("SELECT * FROM events WHERE id = :id AND audience = :audience", EVENT);

export const findEvent = async (r: Reader, scope: Scope, { audience, id }: EventName): Promise<EventRow | undefined> =>
  ifWithin(await eventById.get(r, { audience, id }), scope);

const deliveryById = statement<DeliveryRow, { id: string }>("SELECT * FROM deliveries WHERE id = :id", DELIVERY);

export const findDelivery = async (r: Reader, scope: Scope, id: string): Promise<DeliveryRow | undefined> =>
  ifWithin(await deliveryById.get(r, { id }), scope);

/** `pausedUntil`: when the breaker of its webhook closes; null after the webhook's deletion. */
export type HeldDelivery = { delivery: DeliveryRow; pausedUntil: number | null };

const HELD_DELIVERY = columnsOfEach({ delivery: DELIVERY });

/** Bound: for each event one row per webhook, which the account's limit bounds. */
export const listDeliveries = (r: Reader, scope: Scope, eventSeqs: readonly number[]): Promise<HeldDelivery[]> =>
  statement<HeldDelivery, { eventSeqs: readonly number[] } & Scope>(
    `SELECT *, webhook.breaker_open_until AS pausedUntil FROM deliveries AS delivery
      LEFT JOIN subscriptions AS webhook ON webhook.id = delivery.subscription_id
      WHERE delivery.event_seq IN (SELECT value FROM json_each(:eventSeqs)) ${inScope(scope, "delivery.tenant_id")}
      ORDER BY delivery.id`,
    HELD_DELIVERY,
  ).all(r, { ...scope, eventSeqs });

const eventBySeq = statement<EventRow, { seq: number }>("SELECT * FROM events WHERE seq = :seq", EVENT);

/** The event that a delivery belongs to. */
export const findEventBySeq = async (r: Reader, scope: Scope, seq: number): Promise<EventRow | undefined> =>
  ifWithin(await eventBySeq.get(r, { seq }), scope);

export type PruneBounds = { finishedBefore: number; anyBefore: number; limit: number };

/** A place among the events in the order of age. */
export type EventPlace = { at: number; seq: number };
export const FIRST_EVENT: EventPlace = { at: 0, seq: 0 };

const oldEvents = statement<EventPlace & { isFinished: number }, EventPlace & PruneBounds>(
  `SELECT seq, created_at AS at, NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_seq = events.seq
      AND d.status <> 'DELIVERED') AS isFinished
    FROM events WHERE (created_at, seq) > (:at, :seq) AND created_at < :finishedBefore
    ORDER BY created_at, seq LIMIT :limit`,
);
const removeDeliveries = statement<never, { seqs: readonly number[] }>(
  "DELETE FROM deliveries WHERE event_seq IN (SELECT value FROM json_each(:seqs))",
);
const removeEvents = statement<never, { seqs: readonly number[] }>(
  "DELETE FROM events WHERE seq IN (SELECT value FROM json_each(:seqs))",
);

/**
 * Reads the `limit` events after `from` that are older than `finishedBefore`. Deletes the events that are completely
 * delivered or older than `anyBefore`. Gives the place to continue; undefined at the end.
 */
export const pruneEvents = async (tx: Tx, from: EventPlace, bounds: PruneBounds): Promise<EventPlace | undefined> => {
  const old = await oldEvents.all(tx, { ...from, ...bounds });
  const seqs = old.filter(({ at, isFinished }) => isFinished === 1 || at < bounds.anyBefore).map(({ seq }) => seq);
  removeDeliveries.run(tx, { seqs });
  removeEvents.run(tx, { seqs });
  const last = old.at(-1);
  return last && old.length === bounds.limit ? { at: last.at, seq: last.seq } : undefined;
};
