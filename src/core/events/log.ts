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
  listDead,
  listDeliveries,
  listEvents,
} from "../../store/events.ts";
import { EVERY_TENANT, type Scope, type TenantScope } from "../../store/scope.ts";
import { recordAct } from "../tenancy/audit.ts";
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

/**
 * A page of events, newest first.
 * @throws AppError VALIDATION for a cursor that is no event of the tenant
 */
export const eventsPage = (
  env: EventsEnv,
  scope: TenantScope,
  { cursor, ...filter }: Omit<EventFilter, "beforeSeq"> & { cursor: string | undefined },
): Promise<{ items: LoggedEvent[]; nextCursor: string | null }> =>
  env.db.read(async (reader) => {
    const from =
      cursor === undefined ? undefined : await findEvent(reader, scope, { audience: filter.audience, id: cursor });
    if (cursor !== undefined && !from) throw unknownCursor();
    const found = await listEvents(reader, scope, { ...filter, beforeSeq: from?.seq, limit: filter.limit + 1 });
    const { items: rows, nextCursor } = cutPage(found, filter.limit, ({ id }) => id);
    const deliveries = await listDeliveries(
      reader,
      scope,
      rows.map((row) => row.seq),
    );
    return { items: rows.map((row) => logged(row, deliveries)), nextCursor };
  });

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
    for (const delivery of missing) await restart(env, tx, delivery, found.event.chat);
  });
  return found;
};

const alreadyDelivered = ({ status }: LoggedEvent) =>
  new AppError("EVENT_ALREADY_DELIVERED", {
    message: status === "NONE" ? "The event has no target." : "The event has been delivered to every target.",
  });

export type DeadLetter = { delivery: DeliveryRow; event: EventRow };

/**
 * A page of the dead letters of one tenant or of all, newest first.
 * @throws AppError VALIDATION for a cursor that is no dead letter
 */
export const deadLettersPage = (
  env: EventsEnv,
  scope: Scope = EVERY_TENANT,
  filter: { cursor: string | undefined; limit: number },
): Promise<{ items: DeadLetter[]; nextCursor: string | null }> =>
  env.db.read(async (reader) => {
    const after = filter.cursor === undefined ? undefined : await findDelivery(reader, scope, filter.cursor);
    if (filter.cursor !== undefined && !after) throw unknownCursor();
    const found = await listDead(reader, scope, { after, limit: filter.limit + 1 });
    return cutPage(found, filter.limit, ({ delivery }) => delivery.id);
  });

/** How many dead letters one call replays. The caller repeats the call for more. */
const REPLAY_LIMIT = 1000;

/** Replays dead letters of one tenant or of all, in the order of their events. Returns how many; 1000 at most. */
export const replayDeadLetters = (env: EventsEnv, scope: Scope = EVERY_TENANT): Promise<number> =>
  env.db.write(async (tx) => {
    const dead = await listDead(tx, scope, { after: undefined, limit: REPLAY_LIMIT });
    const inOrder = dead.toSorted((a, b) => a.event.seq - b.event.seq);
    for (const { delivery, event } of inOrder) await restart(env, tx, delivery, event.chat);
    await recordAct(env, tx, {
      action: "dead-letters.replay",
      tenantId: scope === EVERY_TENANT ? undefined : scope.tenantId,
      details: { count: dead.length },
    });
    return dead.length;
  });
