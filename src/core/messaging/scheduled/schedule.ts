import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../kernel/clock.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { asDigits, numberKeyOf } from "../../../kernel/numbers/phone-numbers.ts";
import { cutPage, unknownCursor } from "../../../kernel/page.ts";
import { issue } from "../../../kernel/schema.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { writeOrRehearse } from "../../../store/engine/rehearsal.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import type { ContactRow } from "../../../store/tables/conversations/contacts.ts";
import type { IdempotencyKey } from "../../../store/tables/messaging/messages.ts";
import {
  findScheduled,
  insertScheduled,
  listScheduled,
  type ScheduledFilter,
  type ScheduledItem,
  type ScheduledRow,
  updateScheduled,
} from "../../../store/tables/messaging/scheduled.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { contactNamed } from "../../conversations/message-log.ts";
import { requireRoom } from "../../tenancy/accounts/collections.ts";
import type { Completion } from "../../tenancy/keys/keyed-requests.ts";
import type { MessagingEnv } from "../env.ts";
import { checkFallback, requireFallbackFiles } from "../fallback/fallback-input.ts";
import { readOpenness } from "../openness.ts";
import { alone, claimKey, idempotencyOf, keepKey, reused, viaOf } from "../sending/idempotency.ts";
import { checkEnvelope, type Envelope, requireFile, type Sendable } from "../sending/sendable.ts";

const SOONEST_MS = 5 * SECOND_MS;
const HORIZON_DAYS = 365;
/** What a page of one contact's messages looks at: so many at once, so often. */
const LOOKED_AT_ONCE = 500;
const PAGES_LOOKED_AT = 10;

export {
  SCHEDULED_ORDERS,
  SCHEDULED_STATUSES,
  type ScheduledItem,
  type ScheduledRow as Scheduled,
} from "../../../store/tables/messaging/scheduled.ts";

/** `requestId`: the id of the requesting request; null if no request asks for it. */
type ScheduleOptions = { requestId: string | null; isDryRun?: boolean; completes?: Completion<ScheduledRow> };

/**
 * Accepts a message to send at a later time. The channel need not be connected until then. A dry run makes the same
 * checks and leaves nothing behind. `recipient` is the canonical key. An idempotency key belongs to the scheduled
 * message from now until 24 hours after its end: a repeat gets the message in its present state.
 * @throws AppError VALIDATION for a time beyond the horizon or for content that cannot be sent, SCHEDULE_TOO_SOON,
 *   IDEMPOTENCY_IN_PROGRESS, IDEMPOTENCY_KEY_REUSED, SCHEDULE_QUOTA_EXCEEDED, and what `checkEnvelope` throws
 */
export const scheduleMessage = async (
  env: MessagingEnv,
  scope: TenantScope,
  {
    scheduledAt: askedFor,
    envelope,
    respectHours = false,
  }: { scheduledAt: number; envelope: Envelope; respectHours?: boolean },
  { requestId, isDryRun, completes }: ScheduleOptions,
): Promise<Scheduling & { recipient: string }> => {
  checkHorizon(env, askedFor);
  // a repeat may come when the time is near, or over
  if (envelope.idempotencyKey === undefined) checkSoonest(env, askedFor);
  const sendable = await checked(env, scope, envelope).catch((error: unknown) => {
    throw asPayloadIssues(error);
  });
  const { channel } = sendable;
  const { channelId: _, ...payload } = envelope;
  const createdAt = env.clock.now();
  const times = await timesOf(env, channel, { askedFor, respectHours });
  const idempotency = idempotencyOf(scope, envelope, sendable, viaOf(times));
  const fresh = { status: "PENDING", messageId: null, failure: null, createdAt, updatedAt: createdAt } as const;
  const row: ScheduledRow = {
    id: newId(env),
    tenantId: scope.tenantId,
    channelId: channel.id,
    ...times,
    ...fresh,
    payload,
    requestId,
  };
  const accept = () =>
    writeOrRehearse(env.db, { isDryRun }, async (tx) => {
      const earlier = await repeatedIn(env, tx, { row, idempotency });
      if (!earlier) {
        checkSoonest(env, askedFor);
        await requireFile(env, tx, channel, sendable.content.content);
        if (envelope.fallback) await requireFallbackFiles(env, tx, channel, envelope.fallback);
        await queue(env, tx, row);
      }
      await completes?.(tx, earlier ?? row);
      return earlier ? { is: "repeat" as const, row: earlier } : { is: "accepted" as const, row };
    });
  const scheduling = await (idempotency && isDryRun !== true ? alone(env, idempotency, accept) : accept());
  return { ...scheduling, recipient: sendable.recipient };
};

/** `accepted` is new; `repeat` was accepted earlier under its idempotency key, and is returned in its present state. */
export type Scheduling = { is: "accepted" | "repeat"; row: ScheduledRow };

/**
 * Claims the key of a scheduled message. Returns the earlier message that has the key. Throws IDEMPOTENCY_KEY_REUSED.
 */
const repeatedIn = async (
  env: MessagingEnv,
  tx: Tx,
  { row, idempotency }: { row: ScheduledRow; idempotency: IdempotencyKey | undefined },
): Promise<ScheduledRow | undefined> => {
  const id = idempotency && (await claimKey(env, tx, idempotency, { id: row.id, until: row.scheduledAt }));
  if (id === undefined) return undefined;
  const earlier = await findScheduled(tx, row, id);
  if (!earlier) throw reused();
  return earlier;
};

const queue = async (env: MessagingEnv, tx: Tx, row: ScheduledRow): Promise<void> => {
  const { id: scheduledId, tenantId: owner, channelId, scheduledAt: runAt } = row;
  // there is room as soon as a message is sent or cancelled
  await requireRoom(env, tx, { collection: "scheduled", owner, retryAfterSeconds: MINUTE_MS / SECOND_MS });
  await insertScheduled(tx, row);
  env.jobs.enqueue(tx, "scheduled.accept", { scheduledId, channelId }, { runAt });
};

const checked = async (env: MessagingEnv, scope: TenantScope, envelope: Envelope): Promise<Sendable> => {
  const sending = { environment: "live", mustBeConnected: false } as const;
  const sendable = await checkEnvelope(env, scope, envelope, sending);
  const { to, fallback } = envelope;
  if (fallback) await checkFallback(env, scope, { first: sendable.channel, to, fallback }, sending);
  return sendable;
};

const checkTime = (env: MessagingEnv, scheduledAt: number): void => {
  checkHorizon(env, scheduledAt);
  checkSoonest(env, scheduledAt);
};

const checkHorizon = ({ clock }: MessagingEnv, scheduledAt: number): void => {
  if (scheduledAt - clock.now() > HORIZON_DAYS * DAY_MS)
    throw invalid(issue("scheduledAt", "maximum", `must be at most ${HORIZON_DAYS} days ahead`));
};

const checkSoonest = ({ clock }: MessagingEnv, scheduledAt: number): void => {
  if (scheduledAt - clock.now() < SOONEST_MS)
    throw new AppError("SCHEDULE_TOO_SOON", {
      message: `The time must be at least ${SOONEST_MS / SECOND_MS} seconds ahead.`,
    });
};

type Times = Pick<ScheduledRow, "scheduledAt" | "askedFor">;

/** The time of a message; moved to the next opening if it must be in business hours and is not. */
const timesOf = async (
  env: Pick<MessagingEnv, "db">,
  { tenantId, id }: Pick<ChannelRow, "tenantId" | "id">,
  { askedFor, respectHours = false }: { askedFor: number; respectHours?: boolean | undefined },
): Promise<Times> => {
  if (!respectHours) return { scheduledAt: askedFor, askedFor: null };
  const { opensAt } = await env.db.read((reader) => readOpenness(reader, { tenantId, channelId: id }, askedFor));
  return { scheduledAt: opensAt ?? askedFor, askedFor };
};

/** The issues of a refused message, as fields of the payload. */
const asPayloadIssues = (error: unknown): unknown => {
  if (!(error instanceof AppError) || error.code !== "VALIDATION") return error;
  return invalid(...error.issues.map(({ path, ...rest }) => ({ ...rest, path: `payload.${path}` })));
};

type ScheduledPage = { items: ScheduledItem[]; nextCursor: string | null };
/** `contact`: a number in any spelling, a canonical key, or the id of a contact. */
type PageFilter = ScheduledFilter & { contact?: string | undefined };

/**
 * A page, newest first, or by the time of sending. With `contact` it may be short although more follows.
 * @throws AppError VALIDATION for a cursor that is not a scheduled message of the tenant
 */
export const scheduledPage = async (
  env: MessagingEnv,
  scope: TenantScope,
  { contact, ...filter }: PageFilter,
): Promise<ScheduledPage> => {
  if (contact === undefined) return pageOf(env, scope, filter);
  const person = (await contactNamed(env, scope, contact)) ?? addressedBy(contact);
  const items: ScheduledItem[] = [];
  let { cursor } = filter;
  for (let read = 0; read < PAGES_LOOKED_AT; read++) {
    const page = await pageOf(env, scope, { ...filter, cursor, limit: LOOKED_AT_ONCE });
    const found = page.items.filter(({ to }) => isTo(to, person));
    const room = filter.limit - items.length;
    items.push(...found.slice(0, room));
    if (found.length > room) return { items, nextCursor: items.at(-1)?.id ?? null };
    if (page.nextCursor === null) return { items, nextCursor: null };
    cursor = page.nextCursor;
  }
  return { items, nextCursor: cursor ?? null };
};

type Addressed = Pick<ContactRow, "numberKey" | "alias">;

/** The number in a text; undefined for any other id. */
const numberIn = (text: string): string | undefined => {
  const digits = asDigits(text.replace(/^pn:/, ""));
  return /^\d+$/.test(digits) ? digits : undefined;
};

/** A person who is no contact yet: only scheduled messages may name them. */
const addressedBy = (text: string): Addressed => {
  const number = numberIn(text);
  return number === undefined ? { numberKey: null, alias: text } : { numberKey: numberKeyOf(number), alias: null };
};

/** Whether the recipient of a send, as its owner wrote it, is this person. */
const isTo = (to: string, { numberKey, alias }: Addressed): boolean => {
  const number = numberIn(to);
  if (number !== undefined && numberKey !== null) return numberKeyOf(number) === numberKey;
  return alias !== null && (to === alias || to === alias.slice(alias.indexOf(":") + 1));
};

const pageOf = (env: MessagingEnv, scope: TenantScope, filter: ScheduledFilter): Promise<ScheduledPage> =>
  env.db.read(async (reader) => {
    const { cursor, limit } = filter;
    if (cursor !== undefined && !(await findScheduled(reader, scope, cursor))) throw unknownCursor();
    const { items: found, goOnAfter } = await listScheduled(reader, scope, { ...filter, limit: limit + 1 });
    const page = cutPage(found, limit, ({ id }) => id);
    return { ...page, nextCursor: page.nextCursor ?? goOnAfter ?? null };
  });

/** @throws AppError SCHEDULED_NOT_FOUND */
export const getScheduled = async (env: MessagingEnv, scope: TenantScope, id: string): Promise<ScheduledRow> => {
  const row = await env.db.read((reader) => findScheduled(reader, scope, id));
  if (!row) throw unknown();
  return row;
};

/**
 * @throws AppError SCHEDULE_TOO_SOON, VALIDATION for a time beyond the horizon, SCHEDULED_NOT_FOUND, or
 *   SCHEDULED_NOT_PENDING
 */
export const reschedule = async (
  env: MessagingEnv,
  scope: TenantScope,
  { id, scheduledAt: askedFor, respectHours }: { id: string; scheduledAt: number; respectHours?: boolean },
): Promise<ScheduledRow> => {
  checkTime(env, askedFor);
  const { tenantId, channelId } = await getScheduled(env, scope, id);
  const times = await timesOf(env, { tenantId, id: channelId }, { askedFor, respectHours });
  return env.db.write(async (tx) => {
    const row = await changePending(tx, scope, id, { ...times, updatedAt: env.clock.now() });
    const { scheduledAt: runAt } = row;
    keepKey(tx, row, runAt);
    env.jobs.replace(tx, "scheduled.accept", { scheduledId: row.id, channelId: row.channelId }, { runAt });
    return row;
  });
};

/** @throws AppError SCHEDULED_NOT_FOUND or SCHEDULED_NOT_PENDING */
export const cancelScheduled = (env: MessagingEnv, scope: TenantScope, id: string): Promise<void> =>
  env.db.write(async (tx) => {
    const row = await changePending(tx, scope, id, { status: "CANCELED", updatedAt: env.clock.now() });
    keepKey(tx, row, row.updatedAt);
    env.jobs.cancel(tx, "scheduled.accept", { scheduledId: row.id, channelId: row.channelId });
  });

const changePending = async (
  tx: Tx,
  scope: TenantScope,
  id: string,
  changes: Partial<ScheduledRow>,
): Promise<ScheduledRow> => {
  if (!(await findScheduled(tx, scope, id))) throw unknown();
  const changed = await updateScheduled(tx, id, ["PENDING"], changes);
  if (!changed) throw new AppError("SCHEDULED_NOT_PENDING", { message: "The scheduled message is no longer pending." });
  return changed;
};

const unknown = () => new AppError("SCHEDULED_NOT_FOUND", { message: "There is no such scheduled message." });
