import { AppError } from "../../kernel/errors.ts";
import { cutPage, unknownCursor } from "../../kernel/page.ts";
import {
  type DeliveryRow,
  type EventFilter,
  type EventRow,
  type EventStatus,
  findDelivery,
  findEvent,
  findEventBySeq,
  type HeldDelivery,
  listDeliveries,
  listEvents,
} from "../../store/events.ts";
import { EVERY_TENANT, type Scope, type TenantScope } from "../../store/scope.ts";
import { boundsOf } from "../../store/time-bounds.ts";
import { deliveriesPage, type ListedDelivery, retryMatching } from "./deliveries.ts";
import type { EventsEnv } from "./env.ts";
import { restart } from "./retrying.ts";

export { EVENT_STATUSES } from "../../store/events.ts";

/** An event with its deliveries, one for each subscription. */
export type LoggedEvent = { event: EventRow; status: EventStatus; deliveries: DeliveryRow[] };

const statusOf = (deliveries: readonly DeliveryRow[]): EventStatus => {
  if (deliveries.length === 0) return "NONE";
  if (deliveries.some((one) => one.status === "DEAD")) return "DEAD";
  return deliveries.some((one) => one.status === "PENDING" || one.status === "PAUSED") ? "PENDING" : "DELIVERED";
};

/** A delivery with its effective time: one that was not attempted yet also waits for the breaker, a retry does not. */
const asItWaits = ({ delivery, pausedUntil }: HeldDelivery): DeliveryRow =>
  delivery.attempts === 0 && delivery.nextAt !== null
    ? { ...delivery, nextAt: Math.max(delivery.nextAt, pausedUntil ?? 0) }
    : delivery;

const logged = (event: EventRow, all: readonly HeldDelivery[]): LoggedEvent => {
  const deliveries = all.filter(({ delivery }) => delivery.eventSeq === event.seq).map(asItWaits);
  return { event, status: statusOf(deliveries), deliveries };
};

/** `types`: events of any of these. */
export type EventsAsked = Omit<EventFilter, "beforeSeq" | "afterSeq" | "type"> & {
  types: readonly string[] | undefined;
  cursor: string | undefined;
};

/**
 * A page of events, newest first. The events of each type are found by themselves, so `types` has to be short.
 * @throws AppError VALIDATION for a cursor that is no event of the tenant
 */
export const eventsPage = (
  env: EventsEnv,
  scope: TenantScope,
  { cursor, types, ...filter }: EventsAsked,
): Promise<{ items: LoggedEvent[]; nextCursor: string | null }> =>
  env.db.read(async (reader) => {
    const from =
      cursor === undefined ? undefined : await findEvent(reader, scope, { audience: filter.audience, id: cursor });
    if (cursor !== undefined && !from) throw unknownCursor();
    const bounds = await boundsOf(reader, "events", filter);
    const ends = [from?.seq, bounds.beforeSeq].filter((one) => one !== undefined);
    const beforeSeq = ends.length === 0 ? undefined : Math.min(...ends);
    const found = await newestOf(types, filter.limit + 1, (type) =>
      listEvents(reader, scope, { ...filter, ...bounds, type, beforeSeq, limit: filter.limit + 1 }),
    );
    const { items: rows, nextCursor } = cutPage(found, filter.limit, ({ id }) => id);
    const deliveries = await listDeliveries(
      reader,
      scope,
      rows.map((row) => row.seq),
    );
    return { items: rows.map((row) => logged(row, deliveries)), nextCursor };
  });

/** The newest of the events that are read by type. A type may be of a family that is listed too. */
const newestOf = async (
  types: readonly string[] | undefined,
  limit: number,
  read: (type: string | undefined) => Promise<EventRow[]>,
): Promise<EventRow[]> => {
  if (types === undefined) return read(undefined);
  const found = new Map<number, EventRow>();
  for (const type of types) for (const row of await read(type)) found.set(row.seq, row);
  return [...found.values()].toSorted((a, b) => b.seq - a.seq).slice(0, limit);
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
 * @throws AppError VALIDATION for a cursor that is no dead letter
 */
export const deadLettersPage = (
  env: EventsEnv,
  scope: Scope = EVERY_TENANT,
  page: { cursor: string | undefined; limit: number },
): Promise<{ items: ListedDelivery[]; nextCursor: string | null }> =>
  deliveriesPage(env, scope, { ...page, state: "DEAD" });

/** Replays dead letters of one tenant or of all, in the order of their events. Returns how many; 1000 at most. */
export const replayDeadLetters = (env: EventsEnv, scope: Scope = EVERY_TENANT): Promise<number> =>
  retryMatching(env, scope, { state: "DEAD" });
