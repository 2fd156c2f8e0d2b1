import { AppError } from "../../kernel/errors.ts";
import { unknownCursor } from "../../kernel/page.ts";
import { walk } from "../../kernel/walk.ts";
import type { Reader } from "../../store/engine/db.ts";
import { boundsOf } from "../../store/engine/time-bounds.ts";
import { areFoundByType, type EventsWanted, sliceOfEvents, typesIn } from "../../store/tables/events/event-pages.ts";
import {
  type DeliveryRow,
  type EventRow,
  type EventStatus,
  findDelivery,
  findEvent,
  findEventBySeq,
  type HeldDelivery,
  listDeliveries,
} from "../../store/tables/events/events.ts";
import { EVERY_TENANT, type Scope, type TenantScope } from "../../store/tables/scope.ts";
import type { Requester } from "../tenancy/audit/audit.ts";
import { deliveriesPage, type ListedDelivery, retryMatching } from "./deliveries.ts";
import type { EventsEnv } from "./env.ts";
import { restart } from "./retrying.ts";

export { EVENT_STATUSES } from "../../store/tables/events/events.ts";

/** An event with its deliveries, one for each subscription. */
export type LoggedEvent = { event: EventRow; status: EventStatus; deliveries: DeliveryRow[] };

const statusOf = (deliveries: readonly DeliveryRow[]): EventStatus => {
  if (deliveries.length === 0) return "NONE";
  if (deliveries.some((one) => one.status === "DEAD")) return "DEAD";
  return deliveries.some((one) => one.status === "PENDING" || one.status === "PAUSED") ? "PENDING" : "DELIVERED";
};

/** A delivery with its effective time: a delivery without an attempt also waits for the breaker, a retry does not. */
const asItWaits = ({ delivery, pausedUntil }: HeldDelivery): DeliveryRow =>
  delivery.attempts === 0 && delivery.nextAt !== null
    ? { ...delivery, nextAt: Math.max(delivery.nextAt, pausedUntil ?? 0) }
    : delivery;

const logged = (event: EventRow, all: readonly HeldDelivery[]): LoggedEvent => {
  const deliveries = all.filter(({ delivery }) => delivery.eventSeq === event.seq).map(asItWaits);
  return { event, status: statusOf(deliveries), deliveries };
};

/** `types`: events of any of these types. */
export type EventsAsked = EventsWanted & { cursor: string | undefined; limit: number };

/** How many events are read for one page. */
const MOST_SEEN = 2000;

/**
 * A page of events, newest first. The events of each type are read separately, so `types` has to be short. One page
 * reads at most 2,000 events: it may be short, or empty, although `nextCursor` says that more follows.
 * @throws AppError VALIDATION for a cursor that is not an event of the tenant
 */
export const eventsPage = async (
  env: EventsEnv,
  scope: TenantScope,
  { cursor, limit, ...asked }: EventsAsked,
): Promise<{ items: LoggedEvent[]; nextCursor: string | null }> => {
  const { from, after, wanted } = await env.db.read(async (reader) => {
    const cursorSeq = await seqOfCursor(reader, scope, asked.audience, cursor);
    const { afterSeq = 0, beforeSeq = Number.MAX_SAFE_INTEGER } = await boundsOf(reader, "events", asked);
    const types =
      asked.types && areFoundByType(asked) ? await typesIn(reader, scope, asked.audience, asked.types) : asked.types;
    return { from: Math.min(cursorSeq, beforeSeq), after: afterSeq, wanted: { ...asked, types } };
  });
  const { rows, next } = await walk<EventRow, number>({
    from,
    limit,
    most: MOST_SEEN,
    placeOf: ({ seq }) => seq,
    isWanted: () => true, // the slice has only wanted events
    read: (before, size) =>
      env.db.read((reader) => sliceOfEvents(reader, scope, wanted, { before, after, limit: size })),
  });
  const seqs = rows.map(({ seq }) => seq);
  const deliveries = await env.db.read((reader) => listDeliveries(reader, scope, seqs));
  const last = rows.at(-1);
  const nextCursor = next === undefined ? null : last?.seq === next ? last.id : String(next);
  return { items: rows.map((row) => logged(row, deliveries)), nextCursor };
};

/** A cursor is the id of the last event of a page, or the number of an event that the page read without a match. */
const seqOfCursor = async (
  r: Reader,
  scope: TenantScope,
  audience: string,
  cursor: string | undefined,
): Promise<number> => {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  const from = await findEvent(r, scope, { audience, id: cursor });
  if (!from) throw unknownCursor();
  return from.seq;
};

/** The id of an event, as one audience knows it. */
export type NamedEvent = { audience: string; id: string };

/**
 * Finds an event by its id or by that of one of its deliveries.
 * @throws AppError EVENT_NOT_FOUND
 */
export const getEvent = (env: EventsEnv, scope: TenantScope, { audience, id }: NamedEvent): Promise<LoggedEvent> =>
  env.db.read(async (reader) => {
    const delivery = await findDelivery(reader, scope, id);
    const event = delivery
      ? await findEventBySeq(reader, scope, delivery.eventSeq)
      : await findEvent(reader, scope, { audience, id });
    if (event?.audience !== audience) throw new AppError("EVENT_NOT_FOUND", { message: "There is no such event." });
    return logged(event, await listDeliveries(reader, scope, [event.seq]));
  });

/**
 * Sends an event again to every subscription that has not received it, as a new series from attempt 1.
 * @throws AppError EVENT_NOT_FOUND, or EVENT_ALREADY_DELIVERED when there is no such subscription
 */
export const replayEvent = async (env: EventsEnv, scope: TenantScope, named: NamedEvent): Promise<LoggedEvent> => {
  const found = await getEvent(env, scope, named);
  const missing = found.deliveries.filter((one) => one.status !== "DELIVERED");
  if (missing.length === 0) throw alreadyDelivered(found);
  await env.db.write(async (tx) => {
    for (const delivery of missing) await restart(env, tx, delivery, found.event);
  });
  return found;
};

const alreadyDelivered = ({ status }: LoggedEvent) =>
  new AppError("EVENT_ALREADY_DELIVERED", {
    message: status === "NONE" ? "The event has no target." : "The event has been delivered to every target.",
  });

/**
 * A page of the dead letters of one tenant or of all, newest first.
 * @throws AppError VALIDATION for a cursor that is not a dead letter
 */
export const deadLettersPage = (
  env: EventsEnv,
  scope: Scope = EVERY_TENANT,
  page: { cursor: string | undefined; limit: number },
): Promise<{ items: ListedDelivery[]; nextCursor: string | null }> =>
  deliveriesPage(env, scope, { ...page, state: "DEAD" });

/** Replays dead letters of one tenant or of all, in the order of their events. Returns their number; 1000 at most. */
export const replayDeadLetters = (env: EventsEnv, by: Requester, scope: Scope = EVERY_TENANT): Promise<number> =>
  retryMatching(env, { ...by, ...scope }, { state: "DEAD" });
