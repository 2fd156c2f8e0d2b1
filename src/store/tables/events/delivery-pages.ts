import type { Reader } from "../../engine/db.ts";
import { columnsOf, columnsOfEach, lines, statement } from "../../engine/statement.ts";
import { inScope, type Scope } from "../scope.ts";
import { type DeliveryRow, deliveries, type EventRow, events } from "./events.ts";
import { subscriptions } from "./subscriptions.ts";

/** The columns of a delivery's event that lists show: all but its body. */
export type EventOfDelivery = Pick<
  EventRow,
  "seq" | "id" | "audience" | "type" | "channelId" | "messageId" | "chat" | "createdAt"
>;
/** The columns of a delivery's webhook that lists show; null after its deletion. */
export type WebhookOfDelivery = { id: string; name: string; isActive: boolean; breakerOpenUntil: number } | null;
export type ListedDelivery = { delivery: DeliveryRow; event: EventOfDelivery; webhook: WebhookOfDelivery };

/** The place of a delivery in lists, whose order is that of the events, newest first. */
export type DeliveryPlace = Pick<DeliveryRow, "eventSeq" | "id">;

/**
 * The statuses of few deliveries, each with an index of its own. The value is a literal, because only then SQLite uses
 * the partial indexes.
 */
const STATUS = {
  PENDING: "delivery.status = 'PENDING'",
  PAUSED: "delivery.status = 'PAUSED'",
  DEAD: "delivery.status = 'DEAD'",
} as const;
export type OpenStatus = keyof typeof STATUS;

const LISTED = columnsOfEach({
  delivery: columnsOf(deliveries),
  event: columnsOf(events, "seq", "id", "audience", "type", "channelId", "messageId", "chat", "createdAt"),
  webhook: columnsOf(subscriptions, "id", "name", "isActive", "breakerOpenUntil"),
});

type DeliverySlice = { after: DeliveryPlace; limit: number };

const rowsWhere = <Given extends { limit: number }>(
  r: Reader,
  where: string,
  given: Given,
): Promise<ListedDelivery[]> =>
  statement<ListedDelivery, { limit: number }>(
    `SELECT * FROM deliveries AS delivery JOIN events AS event ON event.seq = delivery.event_seq
      LEFT JOIN subscriptions AS webhook ON webhook.id = delivery.subscription_id
      WHERE ${where} ORDER BY delivery.event_seq DESC, delivery.id DESC LIMIT :limit`,
    LISTED,
  ).all(r, given);

const IS_AFTER = `AND delivery.event_seq <= :afterSeq
  AND (delivery.event_seq, delivery.id) < (:afterSeq, :afterId)`;
const IS_ABOUT = "delivery.event_seq IN (SELECT value FROM json_each(:seqs))";
/** The most deliveries of some events that are read at once: an event has one for each webhook. */
const MOST_OF_EVENTS = 20_000;

/** Deliveries in one of the rare statuses, after a place. */
export const sliceInStatus = (
  r: Reader,
  scope: Scope,
  status: OpenStatus,
  { after, limit }: DeliverySlice,
): Promise<ListedDelivery[]> =>
  rowsWhere(r, lines(STATUS[status], inScope(scope, "delivery.tenant_id"), IS_AFTER), {
    ...scope,
    afterSeq: after.eventSeq,
    afterId: after.id,
    limit,
  });

type UpTo = { tenantId: string; upTo: number; limit: number };

/** The `seq` of a tenant's events up to a given one, newest first; with a channel: its events alone. */
const eventsUpTo = statement<{ seq: number }, UpTo>(
  "SELECT seq FROM events WHERE tenant_id = :tenantId AND seq <= :upTo ORDER BY seq DESC LIMIT :limit",
);
const channelsEventsUpTo = statement<{ seq: number }, UpTo & { channelId: string }>(
  `SELECT seq FROM events WHERE tenant_id = :tenantId AND channel_id = :channelId AND seq <= :upTo
    ORDER BY seq DESC LIMIT :limit`,
);

/**
 * All deliveries of the next events of a tenant, after a place; with a channel: those of its events alone. `end` is the
 * place after which to continue; undefined at the end.
 */
export const sliceOfAll = async (
  r: Reader,
  { tenantId, channelId }: { tenantId: string; channelId: string | undefined },
  { after, limit }: DeliverySlice,
): Promise<{ rows: ListedDelivery[]; end: DeliveryPlace | undefined }> => {
  const upTo = after.id === "" ? after.eventSeq - 1 : after.eventSeq; // no delivery has an empty id
  const asked = { tenantId, upTo, limit };
  const found =
    channelId === undefined ? await eventsUpTo.all(r, asked) : await channelsEventsUpTo.all(r, { ...asked, channelId });
  const seqs = found.map(({ seq }) => seq);
  const last = seqs.at(-1);
  if (last === undefined) return { rows: [], end: undefined };
  const place = { afterSeq: after.eventSeq, afterId: after.id };
  const rows = await rowsWhere(r, lines(IS_ABOUT, IS_AFTER), { seqs, ...place, limit: MOST_OF_EVENTS });
  const [cutAt] = rows.slice(MOST_OF_EVENTS - 1);
  if (cutAt) return { rows, end: { eventSeq: cutAt.event.seq, id: cutAt.delivery.id } };
  return { rows, end: seqs.length < limit ? undefined : { eventSeq: last, id: "" } };
};

const EVENT = columnsOf(events);

/** The events about a message, of every audience, oldest first. */
export const listEventsOfMessage = (r: Reader, scope: Scope, messageId: string, limit: number): Promise<EventRow[]> =>
  statement<EventRow, { messageId: string; limit: number } & Scope>(
    `SELECT * FROM events WHERE message_id = :messageId ${inScope(scope)} ORDER BY seq LIMIT :limit`,
    EVENT,
  ).all(r, { ...scope, messageId, limit });

/** The deliveries of these events, at most 20,000, with their webhooks, in the order of the events. */
export const deliveriesOfEvents = async (
  r: Reader,
  scope: Scope,
  eventSeqs: readonly number[],
): Promise<ListedDelivery[]> =>
  eventSeqs.length === 0
    ? []
    : (
        await rowsWhere(r, lines(IS_ABOUT, inScope(scope, "delivery.tenant_id")), {
          ...scope,
          seqs: eventSeqs,
          limit: MOST_OF_EVENTS,
        })
      ).toReversed();
