import type { ProviderMessageId } from "../../../contract/events.ts";
import type { FailureCode } from "../../../contract/outcome.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { hasOptOuts } from "../../../store/tables/conversations/contact-pages.ts";
import { dropFallback } from "../../../store/tables/messaging/fallbacks.ts";
import {
  type FailedTry,
  findMessageByProviderId,
  type MessageRow,
  type MessageStatus,
  updateMessage,
} from "../../../store/tables/messaging/messages.ts";
import { readContactOn } from "../../channels/identity.ts";
import { hasOptedOut, recordWish } from "../../conversations/opt-outs.ts";
import { type Contact, contactOfKey, type DomainEvent } from "../../domain-event.ts";
import { channelOrRest, type PublishEnv, publish } from "../../events/publish.ts";
import { settleInBatch } from "../batches/batch-settle.ts";
import type { MessagingEnv } from "../env.ts";
import { queueFallback } from "../fallback/fallback-causes.ts";
import { receiveEarlyActs } from "../receiving/acts.ts";
import { isQuoteDropped } from "./quoting.ts";

export type Failure = { code: FailureCode; reason: string; upstreamCode?: number };

/** The statuses from which each status may be reached: forward only, and never out of FAILED. */
const REACHED_FROM = {
  SENT: ["QUEUED"],
  DELIVERED: ["QUEUED", "SENT"],
  READ: ["QUEUED", "SENT", "DELIVERED"],
  FAILED: ["QUEUED", "SENT", "DELIVERED", "READ"],
} as const satisfies Record<Exclude<MessageStatus, "QUEUED">, readonly MessageStatus[]>;

const EVENT = { SENT: "message.sent", DELIVERED: "message.delivered", READ: "message.read" } as const;

type Progress = { status: keyof typeof EVENT; at: number; providerMessageId: ProviderMessageId };

/**
 * Moves a message forward and publishes it. A status that the message has passed changes nothing and is not published.
 * A receipt that skips earlier statuses sets their times to its own. Acts that came before the provider message id was
 * known follow. Returns the message afterwards; undefined when nothing changed.
 */
export const recordProgress = async (
  env: PublishEnv & Pick<MessagingEnv, "log">,
  tx: Tx,
  message: MessageRow,
  progress: Progress,
): Promise<MessageRow | undefined> => {
  const moved = await advanceStatus(env, tx, message, progress);
  if (!moved) return undefined;
  noteMoved(env, tx, message, moved);
  const details = {
    ...(await subjectOf(tx, moved)),
    at: timeOf(message, progress),
    error: null,
    isFirst: message.sentAt === null,
    isQuoteDropped: isQuoteDropped(moved),
  };
  await publishMessageEvent(env, tx, moved, { type: EVENT[progress.status], ...details });
  await settleInBatch(env, tx, moved);
  if (message.status === "QUEUED" && moved.providerMessageId !== null)
    await receiveEarlyActs(env, tx, moved.channelId, moved.providerMessageId);
  return moved;
};

/** As `recordProgress`, without an event of its own. Returns the message afterwards; undefined when nothing changed. */
export const advanceStatus = async (
  env: Pick<MessagingEnv, "log">,
  tx: Tx,
  message: MessageRow,
  progress: Progress,
): Promise<MessageRow | undefined> => {
  const { status, providerMessageId } = progress;
  const at = timeOf(message, progress);
  const moved = await updateMessage(tx, message.id, REACHED_FROM[status], {
    status,
    sendState: "NONE",
    providerMessageId,
    sentAt: message.sentAt ?? at,
    ...(status === "SENT" ? {} : { deliveredAt: message.deliveredAt ?? at }),
    ...(status === "READ" ? { readAt: at } : {}),
  });
  if (moved && status !== "SENT") dropFallback(tx, moved.id, at);
  if (moved && moved.providerMessageId !== providerMessageId) await noteSharedKey(env, tx, moved, providerMessageId);
  return moved;
};

/** Counts for the charts every status that a message reaches, also statuses that its network skipped. */
const noteMoved = (env: PublishEnv, tx: Tx, before: MessageRow, after: MessageRow): void => {
  if (before.sentAt === null) note(env, tx, after, "sent");
  if (before.deliveredAt === null && after.deliveredAt !== null) note(env, tx, after, "delivered");
  if (after.status === "READ") note(env, tx, after, "read");
};

const note = (
  { activity }: PublishEnv,
  tx: Tx,
  { tenantId, channelId, environment }: MessageRow,
  what: "sent" | "delivered" | "read" | "failed",
): void => {
  if (environment === "live") tx.afterCommit(() => activity.note({ tenantId, channelId }, what));
};

/** Two messages may share a provider message id; its receipts count for the other message. */
const noteSharedKey = async (
  { log }: Pick<MessagingEnv, "log">,
  tx: Tx,
  { id: messageId, channelId }: MessageRow,
  key: ProviderMessageId,
): Promise<void> => {
  const other = await findMessageByProviderId(tx, channelId, key);
  log.warn({ messageId, otherMessageId: other?.id, channelId }, "the network gave two messages one id");
};

/** A network that counts whole seconds would report a message as read before it was sent. */
const timeOf = ({ deliveredAt, sentAt, createdAt }: MessageRow, { at }: Progress): number =>
  Math.max(at, deliveredAt ?? sentAt ?? createdAt);

/**
 * `isReport`: the network reports the failure, which applies from any status. Our own decision applies only while the
 * network has reported nothing.
 */
type Ended = Failure & { at: number; isReport: boolean };

/**
 * Ends a message as FAILED. `failedReason` begins with our code in brackets. False if the message may no longer fail.
 */
export const recordFailure = async (
  env: PublishEnv,
  tx: Tx,
  message: MessageRow,
  { code, reason, upstreamCode = 0, at, isReport }: Ended,
): Promise<boolean> => {
  const failed = await updateMessage(tx, message.id, isReport ? REACHED_FROM.FAILED : ["QUEUED"], {
    status: "FAILED",
    sendState: "NONE",
    failedReason: `[${code}] ${reason}`,
    failedAt: at,
  });
  if (!failed) return false;
  note(env, tx, failed, "failed");
  if (code === "RECIPIENT_OPTED_OUT") await optOutRecipient(env, tx, failed, at);
  await publishMessageEvent(env, tx, failed, {
    type: "message.failed",
    ...(await subjectOf(tx, failed)),
    at,
    error: { code: upstreamCode, title: code, message: reason },
    isFirst: false,
  });
  if (!(await queueFallback(env, tx, { before: message, failed, isReport })))
    await settleInBatch(env, tx, failed, { code, message: reason });
  return true;
};

/** Records an opt-out that only the network knows. */
const optOutRecipient = async (env: PublishEnv, tx: Tx, message: MessageRow, at: number): Promise<void> => {
  if (await isOptedOut(tx, message)) return;
  const { tenantId, channelId, environment } = message;
  const origin = { tenantId, channel: await channelOrRest(tx, channelId), environment };
  const wish = { isOptedOut: true, by: "network", word: null, at } as const;
  await recordWish(env, tx, origin, { who: await readRecipient(tx, message), ...wish });
};

const subjectOf = async (tx: Tx, message: MessageRow) => {
  const { id: messageId, conversationId, type, content, callbackData, pricing } = message;
  return {
    messageId,
    conversationId,
    to: await readRecipient(tx, message),
    said: { type, content },
    ...(callbackData === null ? {} : { callbackData }),
    ...sentAsOf(message),
    ...(pricing?.parts === undefined ? {} : { parts: pricing.parts }),
    ...(pricing?.price === undefined ? {} : { price: pricing.price }),
  };
};

/** The plainer form in which a message went out; nothing for its own form. */
export const sentAsOf = ({ failedTries }: Pick<MessageRow, "failedTries">): Pick<FailedTry, "sentAs"> => {
  const sentAs = failedTries?.findLast((one) => one.sentAs)?.sentAs;
  return sentAs === undefined ? {} : { sentAs };
};

/** The recipient of a message with all known names; a simulated person is known by the address alone. */
export const readRecipient = async (
  tx: Reader,
  { channelId, recipient, environment }: Pick<MessageRow, "channelId" | "recipient" | "environment">,
): Promise<Contact> => (environment === "live" ? readContactOn(tx, channelId, recipient) : contactOfKey(recipient));

/** Whether the recipient of a message wants no messages but answers. */
export const isOptedOut = async (
  r: Reader,
  message: Pick<MessageRow, "tenantId" | "channelId" | "recipient" | "environment">,
): Promise<boolean> =>
  (await hasOptOuts(r, message)) && (await hasOptedOut(r, message, await readRecipient(r, message)));

const publishMessageEvent = async (
  env: PublishEnv,
  tx: Tx,
  { tenantId, channelId, environment }: MessageRow,
  domainEvent: DomainEvent,
): Promise<void> =>
  publish(env, tx, { tenantId, channel: await channelOrRest(tx, channelId), environment }, domainEvent);
