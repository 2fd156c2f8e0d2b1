import { and, asc, desc, eq, gt, inArray, lt, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ChannelId, SubscriptionId, TenantId } from "../../../kernel/ids.ts";
import { hot, hotUpdate, isWrite, type Reader, type Tx } from "../../engine/db.ts";
import type { TimeFilter } from "../../engine/time-bounds.ts";
import { JOB_WAITS } from "../jobs.ts";
import { messages } from "../messaging/messages.ts";
import { ifWithin, type Scope, within } from "../scope.ts";
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
    /** The ordering key: events with the same one reach a subscription in order. The chat, group, call or channel. */
    chat: text().notNull(),
    /** The call that the event is about; null for every other event. */
    callId: text("call_id"),
    /** The message that the event is about; null for every other event. */
    messageId: text("message_id"),
    /** Of the message that the event is about; null for every other event. */
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
/** What shows whose event it is. */
export const EVENT_COLUMNS = `events.id, events.chat, events.audience, events.type, events.body, events.created_at,
  ${OF_CALL}`;
export const isOfEvent = (row: PersonalRow, who: Somebody): boolean =>
  ["chat", "peer"].some((column) => who.names(row[column])) || who.namesIn(row["body"]);

export const eventsLaws = laws(events, {
  keeps: {
    group: "events",
    setting: "RECADO_KEEP_EVENTS",
    rule: "undelivered ones and dead letters stay at least 30 days",
    isSwept: true,
  },
  personal: {
    rowsOf: { columns: `events.seq, events.tenant_id AS tenantId, ${EVENT_COLUMNS}`, from: "events" },
    by: [],
    texts: ["body"],
    isOf: isOfEvent,
    erase(tx, { at }) {
      tx.run("DELETE FROM deliveries WHERE event_seq = ?1", [at]);
      tx.run("DELETE FROM events WHERE seq = ?1", [at]);
      return {};
    },
  },
  joins: {
    rows: "move",
    now: {
      where: `tenant_id = ?1 AND seq IN (SELECT json_extract(payload, '$.eventSeq') FROM jobs
      WHERE queue = 'fan-out:' || ?1 AND ${JOB_WAITS})`,
    },
    later: true,
  },
  sealed: "nothing",
  grows: { bound: "made by what happens; kept for 30 days" },
  files: "none",
  backup: "rows alone",
});

const insert = hot((q) =>
  q
    .insert(events)
    .values({
      id: sql.placeholder("id"),
      tenantId: sql.placeholder("tenantId"),
      channelId: sql.placeholder("channelId"),
      chat: sql.placeholder("chat"),
      callId: sql.placeholder("callId"),
      messageId: sql.placeholder("messageId"),
      direction: sql.placeholder("direction"),
      audience: sql.placeholder("audience"),
      type: sql.placeholder("type"),
      body: sql.placeholder("body"),
      createdAt: sql.placeholder("createdAt"),
    })
    .returning({ seq: events.seq })
    .prepare(),
);

/** The event's `seq`. */
export const insertEvent = async (tx: Tx, row: NewEvent): Promise<number> => {
  const written = await insert(tx).all(row);
  if (!written[0]) throw new Error("an inserted event has no sequence number");
  return written[0].seq;
};

/** PAUSED: stored while its subscription is disabled. DEAD: a dead letter, with its reason. */
export const DELIVERY_STATUSES = ["PENDING", "DELIVERED", "DEAD", "PAUSED"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * One event for one subscription. `attempts` counts the current series; a replay starts a new one. `nextAt` is null
 * while a pending one is held back by an earlier one of its chat: it has no job then.
 */
export const deliveries = sqliteTable(
  "deliveries",
  {
    id: text().primaryKey(),
    eventSeq: integer("event_seq").notNull(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    subscriptionId: text("subscription_id").$type<SubscriptionId>().notNull(),
    status: text().$type<DeliveryStatus>().notNull(),
    /** The chat that its webhook may keep in strict order, by channel; empty for one that keeps no order. */
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
  keeps: { group: "events", setting: "none", rule: "goes with its event", isSwept: false },
  personal: { none: "goes with its event" },
  joins: { rows: "move", now: "none", later: true },
  sealed: "nothing",
  grows: { bound: "made by events, one per webhook, whose number is limited; kept for 30 days" },
  files: "none",
  backup: "rows alone",
});

const insertOne = hot((q) =>
  q
    .insert(deliveries)
    .values({
      id: sql.placeholder("id"),
      eventSeq: sql.placeholder("eventSeq"),
      tenantId: sql.placeholder("tenantId"),
      subscriptionId: sql.placeholder("subscriptionId"),
      status: sql.placeholder("status"),
      chat: sql.placeholder("chat"),
      url: sql.placeholder("url"),
      attempts: 0,
      nextAt: sql.placeholder("nextAt"),
      lastError: sql.placeholder("lastError"),
      createdAt: sql.placeholder("createdAt"),
    })
    .prepare(),
);

export type NewDelivery = Pick<
  DeliveryRow,
  "id" | "eventSeq" | "tenantId" | "subscriptionId" | "status" | "chat" | "url" | "nextAt" | "lastError" | "createdAt"
>;
export const insertDelivery = async (tx: Tx, row: NewDelivery): Promise<void> => void (await insertOne(tx).run(row));

const loadWithEvent = hot((q) =>
  q
    .select({ delivery: deliveries, event: events, requestId: messages.requestId })
    .from(deliveries)
    .innerJoin(events, eq(events.seq, deliveries.eventSeq))
    .leftJoin(messages, eq(messages.id, events.messageId))
    .where(eq(deliveries.id, sql.placeholder("id")))
    .prepare(),
);

/** In one statement, for a database that is far away. */
const loadWhole = hot((q) =>
  q
    .select({
      delivery: deliveries,
      event: events,
      subscription: subscriptions,
      tenant: { status: tenants.status, dunningStage: tenants.dunningStage },
      requestId: messages.requestId,
    })
    .from(deliveries)
    .innerJoin(events, eq(events.seq, deliveries.eventSeq))
    .leftJoin(messages, eq(messages.id, events.messageId))
    .innerJoin(tenants, eq(tenants.id, deliveries.tenantId))
    .leftJoin(subscriptions, eq(subscriptions.id, deliveries.subscriptionId))
    .where(eq(deliveries.id, sql.placeholder("id")))
    .prepare(),
);

export type LoadedDelivery = {
  delivery: DeliveryRow;
  event: EventRow;
  subscription: SubscriptionRow | null;
  tenant: Pick<AccountState, "status" | "dunningStage">;
  /** The id of the request that asked for the message which the event is about; null for every other event. */
  requestId: string | null;
};

/** A delivery with everything that an attempt needs. `subscription` is null after its deletion. */
export const loadDelivery = async (r: Reader, id: string): Promise<LoadedDelivery | undefined> => {
  if (!r.cache.inWrites || isWrite(r)) return loadWhole(r).get({ id });
  const loaded = await loadWithEvent(r).get({ id });
  if (!loaded) return undefined;
  const { tenantId, subscriptionId } = loaded.delivery;
  const subscription =
    knownSubscription(r, { tenantId, id: subscriptionId }) ?? (await loadSubscription(r, subscriptionId)) ?? null;
  const tenant = await findAccountState(r, tenantId);
  return tenant && { ...loaded, subscription, tenant };
};

const update = hotUpdate((q, columns, from) =>
  q
    .update(deliveries)
    .set(columns as Partial<DeliveryRow>) // placeholders, bound by the columns' types
    .where(and(eq(deliveries.id, sql.placeholder("rowId")), inArray(deliveries.status, from as DeliveryStatus[])))
    .returning()
    .prepare(),
);

const END_DELIVERED = `UPDATE deliveries SET status = 'DELIVERED', attempts = attempts + 1, url = ?2,
  last_status_code = ?3, last_error = NULL, delivered_at = ?4, next_at = NULL WHERE id = ?1 AND status = 'PENDING'
  RETURNING attempts`;

export type Arrival = Pick<DeliveryRow, "url"> & { statusCode: number; at: number };

/** Ends a delivery that has arrived. Gives its attempts with this one; undefined when it waits no more. */
export const endDelivered = async (tx: Tx, id: string, arrival: Arrival): Promise<number | undefined> =>
  (await tx.rows<{ attempts: number }>(END_DELIVERED, [id, arrival.url, arrival.statusCode, arrival.at]))[0]?.attempts;

/** The changed row; undefined when its status is not in `from`. */
export const updateDelivery = async (
  tx: Tx,
  id: string,
  from: readonly DeliveryStatus[],
  changes: Partial<DeliveryRow>,
): Promise<DeliveryRow | undefined> => (await update(tx, changes, from).all({ ...changes, rowId: id }))[0];

/**
 * The one status of an event in a log, over all its deliveries: DEAD before PENDING before DELIVERED; NONE without
 * deliveries.
 */
export const EVENT_STATUSES = ["PENDING", "DELIVERED", "DEAD", "NONE"] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** The events of an audience, of one type and channel where they are named. */
export type EventFilter = {
  audience: string;
  type?: string | undefined;
  channelId?: string | undefined;
  beforeSeq: number | undefined;
  afterSeq?: number | undefined;
  limit: number;
} & TimeFilter;

/** Newest first. `core/events/log.ts` lists those with a status. */
export const listEvents = (
  r: Reader,
  scope: Scope,
  { audience, type, channelId, beforeSeq, afterSeq, sinceMs, untilMs, limit }: EventFilter,
): Promise<EventRow[]> =>
  r.q
    .select()
    .from(events)
    .where(
      and(
        within(events.tenantId, scope),
        // + keeps SQLite from using another index, so the order stays
        type === undefined
          ? sql`+${events.audience} = ${audience}`
          : and(eq(events.audience, audience), eq(events.type, type)),
        channelId === undefined ? undefined : eq(events.channelId, channelId as ChannelId),
        beforeSeq === undefined ? undefined : lt(events.seq, beforeSeq),
        afterSeq === undefined ? undefined : gt(events.seq, afterSeq),
        sinceMs === undefined ? undefined : sql`+${events.createdAt} >= ${sinceMs}`,
        untilMs === undefined ? undefined : sql`+${events.createdAt} < ${untilMs}`,
      ),
    )
    .orderBy(desc(events.seq))
    .limit(limit);

/** A tenant's events after `afterSeq`, oldest first, for a resumed stream. */
export const listEventsAfter = (r: Reader, scope: Scope, after: { seq: number; limit: number }): Promise<EventRow[]> =>
  r.q
    .select()
    .from(events)
    .where(and(within(events.tenantId, scope), gt(events.seq, after.seq)))
    .orderBy(asc(events.seq))
    .limit(after.limit);

/** The `seq` of the newest event; 0 when there is none. */
export const newestEvent = async (r: Reader): Promise<number> =>
  (await r.rows<{ seq: number | null }>("SELECT max(seq) AS seq FROM events"))[0]?.seq ?? 0;

/** The `seq` of the first event since that time; undefined when there is none. */
export const firstEventSince = async (r: Reader, sinceMs: number): Promise<number | undefined> =>
  (
    await r.rows<{ seq: number }>("SELECT seq FROM events WHERE created_at > ?1 ORDER BY created_at LIMIT 1", [sinceMs])
  )[0]?.seq;

export const findEvent = (
  r: Reader,
  scope: Scope,
  { audience, id }: { audience: string; id: string },
): Promise<EventRow | undefined> =>
  r.q
    .select()
    .from(events)
    .where(and(eq(events.id, id), eq(events.audience, audience), within(events.tenantId, scope)))
    .get();

const deliveryById = hot((q) =>
  q
    .select()
    .from(deliveries)
    .where(eq(deliveries.id, sql.placeholder("id")))
    .prepare(),
);

export const findDelivery = async (r: Reader, scope: Scope, id: string): Promise<DeliveryRow | undefined> =>
  ifWithin(await deliveryById(r).get({ id }), scope);

/** `pausedUntil`: when the breaker of its webhook closes; null after the webhook's deletion. */
export type HeldDelivery = { delivery: DeliveryRow; pausedUntil: number | null };

export const listDeliveries = (r: Reader, scope: Scope, eventSeqs: readonly number[]): Promise<HeldDelivery[]> =>
  r.q
    .select({ delivery: deliveries, pausedUntil: subscriptions.breakerOpenUntil })
    .from(deliveries)
    .leftJoin(subscriptions, eq(subscriptions.id, deliveries.subscriptionId))
    .where(and(inArray(deliveries.eventSeq, [...eventSeqs]), within(deliveries.tenantId, scope)))
    .orderBy(asc(deliveries.id));

/** The event that a delivery belongs to. */
export const findEventBySeq = (r: Reader, scope: Scope, seq: number): Promise<EventRow | undefined> =>
  r.q
    .select()
    .from(events)
    .where(and(eq(events.seq, seq), within(events.tenantId, scope)))
    .get();

export type PruneBounds = { finishedBefore: number; anyBefore: number; limit: number };

/** A place in the order of age. */
export type EventPlace = { at: number; seq: number };
export const FIRST_EVENT: EventPlace = { at: 0, seq: 0 };

/**
 * Reads the `limit` events after `from` that are older than `finishedBefore`. Deletes those that are completely
 * delivered or older than `anyBefore`. Gives where to continue; undefined at the end.
 */
export const pruneEvents = async (tx: Tx, from: EventPlace, bounds: PruneBounds): Promise<EventPlace | undefined> => {
  const old = await tx.rows<EventPlace & { isFinished: number }>(
    `SELECT seq, created_at AS at, NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.event_seq = events.seq
      AND d.status <> 'DELIVERED') AS isFinished
     FROM events WHERE (created_at, seq) > (?1, ?2) AND created_at < ?3 ORDER BY created_at, seq LIMIT ?4`,
    [from.at, from.seq, bounds.finishedBefore, bounds.limit],
  );
  const gone = old.filter(({ at, isFinished }) => isFinished === 1 || at < bounds.anyBefore).map(({ seq }) => seq);
  tx.run("DELETE FROM deliveries WHERE event_seq IN (SELECT value FROM json_each(?1))", [JSON.stringify(gone)]);
  tx.run("DELETE FROM events WHERE seq IN (SELECT value FROM json_each(?1))", [JSON.stringify(gone)]);
  const last = old.at(-1);
  return last && old.length === bounds.limit ? { at: last.at, seq: last.seq } : undefined;
};
