import type { ProviderMessageId } from "../../contract/events.ts";
import { isOpenState } from "../../contract/events.ts";
import type { MessageId } from "../../kernel/ids.ts";
import type { Reader } from "../../store/engine/db.ts";
import { boundsOf } from "../../store/engine/time-bounds.ts";
import { type ChannelRow, findChannel } from "../../store/tables/channels/channels.ts";
import { firstSentAfter } from "../../store/tables/conversations/message-log.ts";
import { type AttemptRow, listAttemptsOf } from "../../store/tables/events/attempts.ts";
import {
  deliveriesOfEvents,
  type ListedDelivery,
  listEventsOfMessage,
} from "../../store/tables/events/delivery-pages.ts";
import { type EventRow, listEvents } from "../../store/tables/events/events.ts";
import { findJobState, type JobState } from "../../store/tables/jobs.ts";
import { listMediaOf } from "../../store/tables/media.ts";
import { findFirstOf } from "../../store/tables/messaging/fallbacks.ts";
import { type FailedTry, findKnown, findMessage, type MessageRow } from "../../store/tables/messaging/messages.ts";
import type { PauseReason, SendPause } from "../../store/tables/queues.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { findAccountState } from "../../store/tables/tenancy/tenants.ts";
import { getHistoryMessage, type HistoryMessage } from "../conversations/history.ts";
import { type SentBy, sendersOf } from "../conversations/senders.ts";
import { isSuspended } from "../tenancy/accounts/accounts.ts";
import type { MessagingEnv } from "./env.ts";
import { deliverKey } from "./sending/accept.ts";
import { SEND_WAITS, type WaitReason } from "./sending/send-waits.ts";

/** Why a queued message waits, since when, and when the next attempt is due. */
export type Waiting = {
  because: WaitReason;
  sinceMs: number | null;
  nextTryAt: number | null;
  /** The result of the last attempt. */
  text: string | null;
};

export type MessageDelivery = ListedDelivery & { attempts: AttemptRow[] };

/** The stored life of a message. Events are of every audience, oldest first. */
export type MessageTimeline = {
  message: HistoryMessage;
  /** The network's own id. */
  networkId: ProviderMessageId | null;
  failedAt: number | null;
  /** The id of the request behind it. */
  requestId: string | null;
  failedTries: readonly FailedTry[];
  /** The message that it replaced. */
  firstId: MessageId | null;
  waiting: Waiting | null;
  files: { at: number; contentType: string; sizeBytes: number }[];
  /** The first message that was sent from here in the chat afterwards; null for a sent message. */
  answer: { id: MessageId; at: number; by: SentBy | null } | null;
  events: EventRow[];
  deliveries: MessageDelivery[];
  /** The events of the phone while the message waited. */
  phoneEvents: EventRow[];
};

/** The events of a phone that explain why a message waited: their audience, and its names for them. */
export type PhoneEvents = { audience: string; types: readonly string[] };

/** The maximum number of shown events and attempts; a message has more only if people act on it again and again. */
const MOST_EVENTS = 100;
const MOST_PHONE_EVENTS = 10;
const MOST_ATTEMPTS = 10;

/**
 * The life of a sent or received message. Details that an older version did not record are null or missing.
 * @throws AppError MESSAGE_NOT_FOUND
 */
export const readTimeline = async (
  env: MessagingEnv,
  { tenantId }: TenantScope,
  id: string,
  phone: PhoneEvents,
): Promise<MessageTimeline> => {
  const viewer = { tenantId, environment: "live" } as const;
  const message = await getHistoryMessage(env, viewer, id);
  return env.db.read(async (reader) => {
    const row = await findMessage(reader, viewer, message.id);
    const known = await findKnown(reader, message.channelId, message.id);
    const events = await listEventsOfMessage(reader, viewer, message.id, MOST_EVENTS);
    const files = message.direction === "INBOUND" ? await listMediaOf(reader, viewer, [message.id]) : [];
    return {
      message,
      networkId: row?.providerMessageId ?? known?.key ?? null,
      ...ofSent(row),
      firstId: await firstIdOf(reader, viewer, message.id),
      waiting: row === undefined ? null : await waitingOf(env, reader, row),
      files: files.map(({ storedAt: at, contentType, sizeBytes }) => ({ at, contentType, sizeBytes })),
      answer: await answerTo(reader, viewer, message),
      events,
      deliveries: await deliveriesOf(reader, viewer, events),
      phoneEvents: row === undefined ? [] : await phoneEventsOf(reader, viewer, { row, nowMs: env.clock.now() }, phone),
    };
  });
};

/** The details of sent messages only. */
const ofSent = (row: MessageRow | undefined): Pick<MessageTimeline, "failedAt" | "requestId" | "failedTries"> => ({
  failedAt: row?.failedAt ?? null,
  requestId: row?.requestId ?? null,
  failedTries: row?.failedTries ?? [],
});

const firstIdOf = async (r: Reader, scope: TenantScope, id: string): Promise<MessageId | null> =>
  (await findFirstOf(r, scope, id))?.id ?? null;

const sentBy = async (r: Reader, scope: TenantScope, acceptedBy: string | null): Promise<SentBy | null> =>
  acceptedBy === null ? null : ((await sendersOf(r, scope, [acceptedBy])).get(acceptedBy) ?? null);

const waitingOf = async (env: MessagingEnv, r: Reader, row: MessageRow): Promise<Waiting | null> => {
  if (row.status !== "QUEUED") return null;
  const job = await findJobState(r, deliverKey(row.id));
  const channel = await findChannel(r, { tenantId: row.tenantId }, row.channelId);
  const account = await findAccountState(r, row.tenantId);
  const now = env.clock.now();
  if (isSuspended(account)) return { because: "ACCOUNT_SUSPENDED", sinceMs: null, nextTryAt: null, text: null };
  if (row.environment === "live" && isAway(channel))
    return { because: "PHONE_AWAY", sinceMs: channel?.stateSince ?? null, nextTryAt: null, text: null };
  return { sinceMs: null, ...tryOf(row, job, now) };
};

const isAway = (channel: ChannelRow | undefined): boolean => channel !== undefined && !isOpenState(channel.state);

const isOfSends = (reason: PauseReason | null): reason is SendPause => reason !== null && reason in SEND_WAITS;

/** What a client sees of the reason for which a queue is paused. */
const reasonOfPause = (reason: PauseReason | null): WaitReason =>
  isOfSends(reason) ? SEND_WAITS[reason].because : "SLOWED_DOWN";

/** The state of the job of a message that only its attempts and its queue hold back. */
const tryOf = (
  { sendState }: Pick<MessageRow, "sendState">,
  job: JobState | undefined,
  nowMs: number,
): Omit<Waiting, "sinceMs"> => {
  const text = job?.lastError ?? null;
  if (job === undefined) return { because: "IN_TURN", nextTryAt: null, text };
  if (job.isRunning) return { because: "SENDING", nextTryAt: null, text: null };
  const isTimed = job.pausedUntil < Number.MAX_SAFE_INTEGER;
  const nextTryAt = isTimed ? Math.max(job.runAt, job.pausedUntil) : null;
  if (sendState === "UNKNOWN") return { because: "OUTCOME_UNKNOWN", nextTryAt, text };
  if (job.pausedUntil > nowMs) return { because: reasonOfPause(job.pausedBy), nextTryAt, text };
  if (job.runAt > nowMs) return { because: text === null ? "SLOWED_DOWN" : "TRYING_AGAIN", nextTryAt, text };
  return { because: "IN_TURN", nextTryAt: null, text };
};

const answerTo = async (
  r: Reader,
  scope: TenantScope,
  { id, direction, conversationId }: HistoryMessage,
): Promise<MessageTimeline["answer"]> => {
  if (direction === "OUTBOUND" || conversationId === null) return null;
  const answer = await firstSentAfter(r, conversationId, id);
  return answer === undefined
    ? null
    : { id: answer.id, at: answer.createdAt, by: await sentBy(r, scope, answer.acceptedBy) };
};

const deliveriesOf = async (r: Reader, scope: TenantScope, events: readonly EventRow[]): Promise<MessageDelivery[]> => {
  const found: MessageDelivery[] = [];
  const rows = await deliveriesOfEvents(
    r,
    scope,
    events.map(({ seq }) => seq),
  );
  for (const row of rows) found.push({ ...row, attempts: await listAttemptsOf(r, row.delivery, MOST_ATTEMPTS) });
  return found;
};

/** The events of the phone between the acceptance of a message and its end, or now. */
const phoneEventsOf = async (
  r: Reader,
  scope: TenantScope,
  { row: { channelId, createdAt, sentAt, failedAt }, nowMs }: { row: MessageRow; nowMs: number },
  { audience, types }: PhoneEvents,
): Promise<EventRow[]> => {
  const sinceMs = createdAt + 1; // earlier events, in the same millisecond, did not delay it
  const untilMs = (sentAt ?? failedAt ?? nowMs) + 1;
  if (untilMs - sinceMs < 1000) return []; // it did not wait
  const filter = {
    audience,
    channelId,
    limit: MOST_PHONE_EVENTS,
    sinceMs,
    untilMs,
    ...(await boundsOf(r, "events", { sinceMs, untilMs })),
  };
  const found: EventRow[] = [];
  for (const type of types) found.push(...(await listEvents(r, scope, { ...filter, type })));
  return found.toSorted((a, b) => a.seq - b.seq);
};
