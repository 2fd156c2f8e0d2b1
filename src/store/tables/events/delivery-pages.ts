import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Reader } from "../../engine/db.ts";
import { type Scope, within } from "../scope.ts";
import { type DeliveryRow, deliveries, type EventRow, events } from "./events.ts";
import { subscriptions } from "./subscriptions.ts";

/** What lists show of the event of a delivery: all but its body. */
export type EventOfDelivery = Pick<
  EventRow,
  "seq" | "id" | "audience" | "type" | "channelId" | "messageId" | "chat" | "createdAt"
>;
/** What lists show of the webhook of a delivery; null after its deletion. */
export type WebhookOfDelivery = { id: string; name: string; isActive: boolean; breakerOpenUntil: number } | null;
export type ListedDelivery = { delivery: DeliveryRow; event: EventOfDelivery; webhook: WebhookOfDelivery };

/** The place of a delivery in lists, which are in the order of the events, newest first. */
export type DeliveryPlace = Pick<DeliveryRow, "eventSeq" | "id">;

/**
 * The statuses that few deliveries have, each with an index of its own. The value is a literal, because only then SQLite
 * uses the partial indexes.
 */
const STATUS = {
  PENDING: "deliveries.status = 'PENDING'",
  PAUSED: "deliveries.status = 'PAUSED'",
  DEAD: "deliveries.status = 'DEAD'",
} as const;
export type OpenStatus = keyof typeof STATUS;

const EVENT = {
  seq: events.seq,
  id: events.id,
  audience: events.audience,
  type: events.type,
  channelId: events.channelId,
  messageId: events.messageId,
  chat: events.chat,
  createdAt: events.createdAt,
};
const WEBHOOK = {
  id: subscriptions.id,
  name: subscriptions.name,
  isActive: subscriptions.isActive,
  breakerOpenUntil: subscriptions.breakerOpenUntil,
};

type DeliverySlice = { after: DeliveryPlace; limit: number };

const rowsWhere = (r: Reader, where: SQL | undefined, limit: number): Promise<ListedDelivery[]> =>
  r.q
    .select({ delivery: deliveries, event: EVENT, webhook: WEBHOOK })
    .from(deliveries)
    .innerJoin(events, eq(events.seq, deliveries.eventSeq))
    .leftJoin(subscriptions, eq(subscriptions.id, deliveries.subscriptionId))
    .where(where)
    .orderBy(desc(deliveries.eventSeq), desc(deliveries.id))
    .limit(limit);

const isAfter = ({ eventSeq, id }: DeliveryPlace): SQL =>
  sql`${deliveries.eventSeq} <= ${eventSeq} AND (${deliveries.eventSeq}, ${deliveries.id}) < (${eventSeq}, ${id})`;

/** Deliveries in one of the statuses that few have, after a place. */
export const sliceInStatus = (
  r: Reader,
  scope: Scope,
  status: OpenStatus,
  { after, limit }: DeliverySlice,
): Promise<ListedDelivery[]> =>
  rowsWhere(r, and(sql.raw(STATUS[status]), within(deliveries.tenantId, scope), isAfter(after)), limit);

/** The `seq` of a tenant's events up to one, newest first: of all, or of one channel. */
const eventsUpTo = (channelId: string | undefined): string =>
  channelId === undefined
    ? "SELECT seq FROM events WHERE tenant_id = ?1 AND seq <= ?2 ORDER BY seq DESC LIMIT ?3"
    : "SELECT seq FROM events WHERE tenant_id = ?1 AND channel_id = ?4 AND seq <= ?2 ORDER BY seq DESC LIMIT ?3";

/**
 * All deliveries of the next events of a tenant, after a place; of one channel where it is given. `end` is the place
 * after which to continue; undefined at the end.
 */
export const sliceOfAll = async (
  r: Reader,
  { tenantId, channelId }: { tenantId: string; channelId: string | undefined },
  { after, limit }: DeliverySlice,
): Promise<{ rows: ListedDelivery[]; end: DeliveryPlace | undefined }> => {
  const upTo = after.id === "" ? after.eventSeq - 1 : after.eventSeq; // no delivery has an empty id
  const params = [tenantId, upTo, limit];
  const found = await r.rows<{ seq: number }>(
    eventsUpTo(channelId),
    channelId === undefined ? params : [...params, channelId],
  );
  const seqs = found.map(({ seq }) => seq);
  const last = seqs.at(-1);
  if (last === undefined) return { rows: [], end: undefined };
  const rows = await rowsWhere(r, and(inArray(deliveries.eventSeq, seqs), isAfter(after)), -1);
  return { rows, end: seqs.length < limit ? undefined : { eventSeq: last, id: "" } };
};

/** The events about a message, of every audience, oldest first. */
export const listEventsOfMessage = (r: Reader, scope: Scope, messageId: string, limit: number): Promise<EventRow[]> =>
  r.q
    .select()
    .from(events)
    .where(and(eq(events.messageId, messageId), within(events.tenantId, scope)))
    .orderBy(events.seq)
    .limit(limit);

/** The deliveries of these events, with their webhooks, in the order of the events. */
export const deliveriesOfEvents = async (
  r: Reader,
  scope: Scope,
  eventSeqs: readonly number[],
): Promise<ListedDelivery[]> =>
  eventSeqs.length === 0
    ? []
    : (
        await rowsWhere(r, and(inArray(deliveries.eventSeq, [...eventSeqs]), within(deliveries.tenantId, scope)), -1)
      ).toReversed();
