import { isVoiceNote } from "../../../contract/content/content.ts";
import type { DeliveredUpTo, ProviderMessageId, ReadUpTo, Receipt } from "../../../contract/events.ts";
import type { FailureCode } from "../../../contract/outcome.ts";
import { SECOND_MS } from "../../../kernel/clock.ts";
import type { Tx } from "../../../store/engine/db.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import { findAnyConversation } from "../../../store/tables/conversations/conversations.ts";
import {
  findIdOfKey,
  findMessageByProviderId,
  findMessageOf,
  listUndelivered,
  type MessageRow,
} from "../../../store/tables/messaging/messages.ts";
import { type InboundContext, learnIdentity } from "../../channels/identity.ts";
import { isFirst } from "../../channels/links/repeats.ts";
import { listContactsOfPerson } from "../../conversations/contacts.ts";
import { contactOf } from "../../domain-event.ts";
import { publish } from "../../events/publish.ts";
import { settleInBatch } from "../batches/batch-settle.ts";
import type { MessagingEnv } from "../env.ts";
import { syncAfterMisfit } from "../templates/template-sync.ts";
import { takePricing } from "./pricing.ts";
import { keepReceipt } from "./receipts-by-person.ts";
import { advanceStatus, recordFailure, recordProgress } from "./status.ts";

/**
 * Receives a receipt. It finds its message by the provider message id or, if the network returned it, by our id. Found
 * by our id, it also settles a send whose answer was lost. Receipts of messages that others sent through the same
 * number are ignored.
 */
export const receiveReceipt = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  event: Receipt,
): Promise<void> => {
  const { channel } = context;
  if (event.to) await learnIdentity(tx, context, { identity: event.to, at: event.at });
  const message = await messageOf(tx, channel, event);
  if (!message)
    return env.log.debug(
      { channelId: channel.id, status: event.status },
      "receipt of a message that was not sent here",
    );
  await takePricing(env, tx, context, { message, receipt: event });
  switch (event.status) {
    case "failed":
      await recordFailure(env, tx, message, {
        code: failureOf(event, message),
        ...(event.error ? { reason: event.error.reason, upstreamCode: event.error.code } : NO_REASON),
        at: event.at,
        isReport: true,
      });
      if (event.error?.isTemplateMisfit && message.type === "template") await syncAfterMisfit(env, tx, channel.id);
      return;
    case "sent":
    case "delivered":
    case "read":
      await keepReceipt(env, tx, message, event);
      return recordSteps(env, tx, message, { steps: stepsTo(env, event.status, channel), event });
  }
};

const recordSteps = async (
  env: MessagingEnv,
  tx: Tx,
  message: MessageRow,
  { steps, event }: { steps: ReturnType<typeof stepsTo>; event: Receipt },
): Promise<void> => {
  let current = message;
  // the message was read in this write, so its reached statuses need not be tried
  const ahead = steps.slice(steps.findIndex((status) => status === message.status) + 1);
  for (const status of ahead)
    current =
      (await recordProgress(env, tx, current, { status, at: event.at, providerMessageId: event.key })) ?? current;
};

const STEPS = { sent: ["SENT"], delivered: ["SENT", "DELIVERED"], read: ["SENT", "DELIVERED", "READ"] } as const;

/** If the network reports only the last step, the earlier ones are published with it. */
const stepsTo = ({ registry }: MessagingEnv, status: keyof typeof STEPS, { kind }: ChannelRow) =>
  registry.declared(kind)?.network.receipts === "latest" ? STEPS[status] : STEPS[status].slice(-1);

const failureOf = ({ error }: Receipt, message: MessageRow): FailureCode =>
  error?.failure ?? (error?.isFormatRefused && isVoiceNote(message) ? "INVALID_PTT_FORMAT" : "UPSTREAM_BAD_REQUEST");

const NO_REASON = { reason: "the network reported a failure" };

const messageOf = async (tx: Tx, channel: ChannelRow, { key, messageId }: Receipt): Promise<MessageRow | undefined> => {
  const byKey = await findMessageByProviderId(tx, channel.id, key);
  if (byKey || messageId === undefined) return byKey;
  const byId = await findMessageOf(tx, channel.id, messageId);
  return byId && (byId.providerMessageId === null || byId.providerMessageId === key) ? byId : undefined;
};

/** More than wait for a receipt in one conversation: the others were delivered by an earlier report. */
const MOST_UNDELIVERED = 100;
/** The network stamps a message when it takes it, at most this long before its answer was recorded as the send. */
const ANSWER_MS = 10 * SECOND_MS;

/** Receives that everything up to a time was delivered to a person: each sent message is published as delivered. */
export const receiveDeliveredUpTo = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  { at, to }: DeliveredUpTo,
): Promise<void> => {
  const { channel, environment } = context;
  const who = contactOf(await learnIdentity(tx, context, { identity: to, at }));
  const channelId = channel.id;
  for (const { id: contactId } of await listContactsOfPerson(tx, { tenantId: channel.tenantId, environment }, who)) {
    const conversationId = await findAnyConversation(tx, { channelId, contactId, environment });
    if (conversationId === undefined) continue;
    const before = { conversationId, acceptedBy: at, sentBy: at + ANSWER_MS, limit: MOST_UNDELIVERED };
    for (const message of await listUndelivered(tx, before)) {
      const { providerMessageId } = message;
      if (providerMessageId !== null)
        await recordProgress(env, tx, message, { status: "DELIVERED", at, providerMessageId });
    }
  }
};

/**
 * Receives that a person has read everything up to a time, and publishes it once. The last message, if the network
 * names it, becomes READ without an event of its own.
 */
export const receiveReadUpTo = async (
  env: MessagingEnv,
  tx: Tx,
  context: InboundContext,
  { at, from: reader, key }: ReadUpTo,
): Promise<void> => {
  const { channel, environment } = context;
  if (key !== undefined) await markRead(env, tx, channel, { key, at });
  const from = contactOf(await learnIdentity(tx, context, { identity: reader, at }));
  if (
    await isFirst(env, tx, context, {
      providerMessageId: `read-up-to/${from.canonicalKey}/${at}`,
      chat: from.canonicalKey,
      sender: from.canonicalKey,
    })
  )
    await publish(
      env,
      tx,
      { tenantId: channel.tenantId, channel, environment },
      { type: "messages.read_up_to", at, from },
    );
};

const markRead = async (
  env: MessagingEnv,
  tx: Tx,
  channel: ChannelRow,
  { key, at }: { key: ProviderMessageId; at: number },
): Promise<void> => {
  const id = await findIdOfKey(tx, channel.id, key);
  const message = id && (await findMessageOf(tx, channel.id, id));
  const moved =
    message &&
    message.providerMessageId !== null &&
    (await advanceStatus(env, tx, message, { status: "READ", at, providerMessageId: message.providerMessageId }));
  if (moved) await settleInBatch(env, tx, moved);
};
