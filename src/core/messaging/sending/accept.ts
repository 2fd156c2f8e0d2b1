import type { Content } from "../../../contract/content/content.ts";
import { isOpenState } from "../../../contract/events.ts";
import type { ChannelKind } from "../../../contract/kind.ts";
import { DAY_MS, utcDayOf } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import { type BatchId, type ChannelId, type ConversationId, type MessageId, newId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { writeOrRehearse } from "../../../store/engine/rehearsal.ts";
import {
  type AskedBy,
  type IdempotencyKey,
  insertMessage,
  type MessageRow,
  type NewMessage,
} from "../../../store/tables/messaging/messages.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import type { Environment } from "../../../store/tables/tenancy/keys.ts";
import { countDailySend } from "../../../store/tables/tenancy/tenants.ts";
import { reachableKey } from "../../channels/identity.ts";
import { notConnected } from "../../channels/refusals.ts";
import { joinConversation } from "../../conversations/conversations.ts";
import { hasWrittenSince } from "../../conversations/opt-outs.ts";
import type { Completion } from "../../tenancy/keys/keyed-requests.ts";
import type { MessagingEnv } from "../env.ts";
import {
  addFallback,
  checkFallback,
  type GivenFallback,
  outlivesPhone,
  requireFallbackFiles,
} from "../fallback/fallback-input.ts";
import { alone, claimKey, idempotencyOf, type Via } from "./idempotency.ts";
import { requireQuote } from "./quoting.ts";
import {
  checkEnvelope,
  contentForNetwork,
  type Envelope,
  requireFile,
  type Sendable,
  type Sending,
} from "./sendable.ts";
import { isOptedOut, readRecipient, recordFailure } from "./status.ts";
import { mayHaveLeft } from "./uncertain.ts";

/**
 * `acceptedBy`: the name of an actor, or of a schedule, a batch or an agent. `messagesPerDay`: how many live sends of the tenant are accepted per UTC day. `batchId`: the batch of the send; other
 * sends do not wait behind it.
 */
export type AcceptOptions = AskedBy &
  Sending & {
    messagesPerDay?: number;
    batchId?: BatchId;
    /** The fallback was checked when the batch or the schedule was made; it is checked again when it is used. */
    isFallbackChecked?: true;
    via?: Via;
    /** The caller's API has no field for answers: what the person wrote within a day makes the message one. */
    infersAnswers?: boolean;
    /** Stores the answer to the request in the write that accepts the message. */
    completes?: Completion<Accepted>;
  };

/** The payload of the job that delivers a message. */
export type DeliverPayload = { messageId: MessageId; channelId: ChannelId; chat: string; environment: Environment };

/** The unique key of that job. */
export const deliverKey = (messageId: string): string => `message:${messageId}`;

/** `accepted` is new; `repeat` was accepted before under its idempotency key. `recipient` is its canonical key. */
export type Accepted = { is: "accepted" | "repeat"; messageId: MessageId; recipient: string };

/**
 * Accepts a message to send. The row and its job are on disk when this resolves, and nothing has touched the network. A
 * dry run makes the same checks and leaves nothing behind; its message id names no message. Checks in this order:
 * `checkEnvelope`, connected (CHANNEL_NOT_CONNECTED), `contentForNetwork`, the quoted message, idempotency, the
 * recipient's opt-out, the day's limit.
 * @throws AppError MESSAGE_KEY_UNKNOWN or MESSAGE_KEY_DAMAGED for the quoted message, IDEMPOTENCY_IN_PROGRESS,
 *   IDEMPOTENCY_KEY_REUSED, RECIPIENT_OPTED_OUT, DAY_LIMIT_REACHED, and what the named checks throw
 */
export const acceptMessage = async (
  env: MessagingEnv,
  scope: TenantScope,
  envelope: Envelope,
  options: AcceptOptions,
): Promise<Accepted> => {
  const acceptable = await checkedMessage(env, scope, envelope, options);
  const accept = () =>
    writeOrRehearse(env.db, { isDryRun: options.isDryRun }, async (tx) => {
      const accepted = await acceptWithin(env, tx, acceptable);
      await options.completes?.(tx, accepted);
      return accepted;
    });
  const { idempotency } = acceptable;
  // a dry run uses no key, so no real send may be refused because of it
  return idempotency && options.isDryRun !== true ? alone(env, idempotency, accept) : accept();
};

/** All checks of a message before the write that accepts it. */
export const prepareMessage = async (
  env: MessagingEnv,
  scope: TenantScope,
  envelope: Envelope,
  options: AcceptOptions,
): Promise<Acceptable> => {
  const acceptable = await checkedMessage(env, scope, envelope, options);
  const message = await env.db.read((reader) => consented(reader, acceptable));
  return { ...acceptable, message, mayNeedConsent: false };
};

/** Accepts several messages in one write: all of them, or none. Throws as `acceptMessage`. */
export const acceptAll = async (
  env: MessagingEnv,
  scope: TenantScope,
  envelopes: readonly Envelope[],
  options: AcceptOptions,
): Promise<Accepted[]> => {
  const acceptable: Acceptable[] = [];
  for (const envelope of envelopes) acceptable.push(await prepareMessage(env, scope, envelope, options));
  return env.db.write(async (tx) => {
    const accepted: Accepted[] = [];
    for (const one of acceptable) accepted.push(await acceptWithin(env, tx, one));
    return accepted;
  });
};

/** The same, but for the recipient's consent: a repeated request gets its first answer, whatever has changed since. */
const checkedMessage = async (
  env: MessagingEnv,
  scope: TenantScope,
  envelope: Envelope,
  options: AcceptOptions,
): Promise<Acceptable> => {
  const sendable = await checkEnvelope(env, scope, envelope, options);
  const { channel, recipient } = sendable;
  const { fallback } = envelope;
  if (options.mustBeConnected && !isOpenState(channel.state) && !outlivesPhone(fallback)) throw notConnected(channel);
  const known = await contentForNetwork(env, sendable, options);
  const given = fallback && { first: channel, to: envelope.to, fallback };
  if (given && !options.isFallbackChecked) await checkFallback(env, scope, given, options);
  return {
    message: await quotingMessage(env, { channel, recipient, known, envelope, options }),
    kind: channel.kind,
    idempotency: idempotencyOf(scope, envelope, sendable, options.via),
    messagesPerDay: options.messagesPerDay,
    fallback: given,
    holdsFile: options.holdsFile ?? false,
    mayNeedConsent: true,
    infersAnswers: options.infersAnswers ?? false,
  };
};

type Checked = Pick<Sendable, "channel" | "recipient"> & { known: Content; envelope: Envelope; options: AcceptOptions };

/** The message, with its quote, as it is stored. */
const quotingMessage = async (
  env: MessagingEnv,
  { channel, recipient, known, envelope, options }: Checked,
): Promise<NewMessage> => {
  const reachable = options.environment === "live" ? await reachableKey(env, channel.id, recipient) : recipient;
  const { quotedMessageId, answersComment = false, isAnswer = false } = envelope;
  const quoting = { quotedMessageId, answersComment, recipient: reachable, environment: options.environment };
  const quote = await requireQuote(env, channel, quoting);
  return {
    id: newId<MessageId>(env),
    tenantId: channel.tenantId,
    channelId: channel.id,
    environment: options.environment,
    ...known,
    recipient: reachable,
    ...quote,
    createdAt: env.clock.now(),
    conversationId: null,
    batchId: options.batchId ?? null,
    acceptedBy: options.acceptedBy,
    requestId: options.requestId,
    callbackData: envelope.callbackData ?? null,
    options: envelope.status ?? envelope.sendOptions ?? null,
    isAnswer: isAnswer || options.via === "chat" || quote.isAnswer,
  };
};

/**
 * The message, with what is known now of its being an answer.
 * @throws AppError RECIPIENT_OPTED_OUT if it is none, and its recipient opted out
 */
const consented = async (r: Reader, { message, mayNeedConsent, infersAnswers }: Acceptable): Promise<NewMessage> => {
  if (!mayNeedConsent || message.isAnswer || !(await isOptedOut(r, message))) return message;
  if (infersAnswers && (await answersLately(r, message))) return { ...message, isAnswer: true };
  throw new AppError("RECIPIENT_OPTED_OUT", { message: "This person wants no messages but answers." });
};

const answersLately = async (r: Reader, message: NewMessage): Promise<boolean> =>
  hasWrittenSince(r, { ...message, now: message.createdAt }, await readRecipient(r, message));

type Acceptable = {
  message: NewMessage;
  kind: ChannelKind;
  idempotency: IdempotencyKey | undefined;
  messagesPerDay: number | undefined;
  fallback: GivenFallback | undefined;
  holdsFile: boolean;
  mayNeedConsent: boolean;
  infersAnswers: boolean;
};

/**
 * Accepts a message within a write that may do more. A message whose idempotency key was used before is not accepted
 * again.
 * @throws AppError IDEMPOTENCY_KEY_REUSED, RECIPIENT_OPTED_OUT, VALIDATION for a file that was deleted since it was
 *   checked, or DAY_LIMIT_REACHED
 */
export const acceptWithin = async (env: MessagingEnv, tx: Tx, acceptable: Acceptable): Promise<Accepted> => {
  const { kind, idempotency } = acceptable;
  const { id: messageId, recipient, tenantId, channelId, requestId } = acceptable.message;
  const earlier = idempotency && (await claimKey(env, tx, idempotency, { id: messageId }));
  if (earlier !== undefined) return { is: "repeat", messageId: earlier, recipient };
  const message = await consented(tx, acceptable);
  await queue(env, tx, { ...acceptable, message });
  tx.afterCommit(() => env.log.debug({ requestId, messageId, tenantId, channelId }, "message accepted"));
  if (message.environment === "live")
    tx.afterCommit(() => {
      env.metrics.count("recado_messages_accepted_total", { kind, type: message.type });
      env.activity.note({ tenantId, channelId }, "accepted");
    });
  return { is: "accepted", messageId, recipient };
};

const queue = async (env: MessagingEnv, tx: Tx, acceptable: Acceptable): Promise<void> => {
  const { message, kind, messagesPerDay, fallback, holdsFile } = acceptable;
  const { tenantId, content } = message;
  if (!holdsFile) {
    await requireFile(env, tx, { kind, tenantId }, content);
    if (fallback) await requireFallbackFiles(env, tx, message, fallback.fallback);
  }
  const day = utcDayOf(message.createdAt);
  if (
    messagesPerDay !== undefined &&
    message.environment === "live" &&
    !(await countDailySend(tx, message.tenantId, day, messagesPerDay))
  )
    throw dayLimitReached(message.createdAt);
  await insertMessage(tx, { ...message, conversationId: await conversationOf(env, tx, message) });
  env.jobs.enqueue(tx, "message.deliver", deliveryOf(message), message.batchId === null ? {} : { priority: "low" });
  if (fallback) await addFallback(env, tx, message, fallback);
};

export const deliveryOf = ({ id: messageId, channelId, recipient: chat, environment }: NewMessage): DeliverPayload => ({
  messageId,
  channelId,
  chat,
  environment,
});

/** The refusal of a send beyond the plan's daily limit. */
export const dayLimitReached = (nowMs: number): AppError => {
  const retryAfterSeconds = Math.ceil((DAY_MS - (nowMs % DAY_MS)) / 1000);
  return new AppError("DAY_LIMIT_REACHED", {
    message: `The plan's messages of today are used up; try again in ${retryAfterSeconds} seconds.`,
    retryAfterSeconds,
  });
};

/** The conversation of the message; an answer marks it as read. A message to a group has none. */
const conversationOf = async (env: MessagingEnv, tx: Tx, message: NewMessage): Promise<ConversationId | null> => {
  const { tenantId, channelId, environment, createdAt: at } = message;
  // no webhook of the gateway receives it
  const origin = { tenantId, channel: { id: channelId, kind: null, sharedWebhookId: null }, environment };
  return joinConversation(env, tx, origin, {
    who: await readRecipient(tx, message),
    name: null,
    at,
    unread: "none",
  });
};

/**
 * Ends a message that waits, and its job. False for a message that has left, may have left, or has ended, which stays as
 * it is. An attempt that is being prepared does not begin.
 */
export const withdraw = async (env: MessagingEnv, tx: Tx, message: MessageRow, reason: string): Promise<boolean> => {
  if (message.status !== "QUEUED" || mayHaveLeft(message)) return false;
  const ended = { code: "WITHDRAWN", reason, at: env.clock.now(), isReport: false } as const;
  if (!(await recordFailure(env, tx, message, ended))) return false;
  env.jobs.cancel(tx, "message.deliver", deliveryOf(message));
  return true;
};
