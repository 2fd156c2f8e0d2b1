import { isVoiceNote } from "../../contract/content.ts";
import type { NativeKey, ReadUpTo, Receipt } from "../../contract/events.ts";
import type { FailureCode } from "../../contract/outcome.ts";
import type { ChannelRow } from "../../store/channels.ts";
import type { Tx } from "../../store/db.ts";
import { findIdOfKey, findMessage, findMessageByNativeKey, type MessageRow } from "../../store/messages.ts";
import { type Inlet, learnIdentity } from "../channels/identity.ts";
import { isFirst } from "../channels/repeats.ts";
import { contactOf } from "../events/fact.ts";
import { publish } from "../events/publish.ts";
import { settleInBatch } from "./bulk-settle.ts";
import type { MessagingEnv } from "./env.ts";
import { takePricing } from "./pricing.ts";
import { moveForward, recordFailure, recordProgress } from "./status.ts";

/**
 * Takes in a receipt. It finds its message by the native key or, where the network carried it along, by our id: then it also tells what
 * became of a send whose answer was lost. Receipts of messages that others sent through the same number are not ours to tell.
 */
export const receiveReceipt = async (env: MessagingEnv, tx: Tx, inlet: Inlet, event: Receipt): Promise<void> => {
  const { channel } = inlet;
  if (event.to) await learnIdentity(tx, inlet, { identity: event.to, at: event.at });
  const message = await messageOf(tx, channel, event);
  if (!message) return env.log.debug({ channelId: channel.id, status: event.status }, "receipt of a message that was not sent here");
  await takePricing(env, tx, inlet, { message, receipt: event });
  switch (event.status) {
    case "failed":
      await recordFailure(env, tx, message, {
        code: failureOf(event, message),
        ...(event.error ? { reason: event.error.reason, upstreamCode: event.error.code } : NO_REASON),
        at: event.at,
        isReport: true,
      });
      return;
    case "sent":
    case "delivered":
    case "read":
      return recordSteps(env, tx, message, { steps: stepsTo(env, event.status, channel), event });
  }
};

const recordSteps = async (env: MessagingEnv, tx: Tx, message: MessageRow, { steps, event }: { steps: ReturnType<typeof stepsTo>; event: Receipt }): Promise<void> => {
  let current = message;
  for (const status of steps) current = (await recordProgress(env, tx, current, { status, at: event.at, nativeKey: event.key })) ?? current;
};

const STEPS = { sent: ["SENT"], delivered: ["SENT", "DELIVERED"], read: ["SENT", "DELIVERED", "READ"] } as const;

/** Where the network reports the last step alone, the ones before it are published with it. */
const stepsTo = ({ registry }: MessagingEnv, status: keyof typeof STEPS, { kind }: ChannelRow) =>
  registry.declared(kind)?.network.receipts === "latest" ? STEPS[status] : STEPS[status].slice(-1);

const failureOf = ({ error }: Receipt, message: MessageRow): FailureCode =>
  error?.failure ?? (error?.isFormatRefused && isVoiceNote(message) ? "INVALID_PTT_FORMAT" : "UPSTREAM_BAD_REQUEST");

const NO_REASON = { reason: "the network reported a failure" };

const messageOf = async (tx: Tx, channel: ChannelRow, { key, messageId }: Receipt): Promise<MessageRow | undefined> => {
  const byKey = await findMessageByNativeKey(tx, channel.id, key);
  if (byKey || messageId === undefined) return byKey;
  const byId = await findMessage(tx, { tenantId: channel.tenantId }, messageId);
  return byId?.channelId === channel.id && (byId.nativeKey === null || byId.nativeKey === key) ? byId : undefined;
};

/**
 * Takes in that somebody has read everything up to a time, and tells it once. Where the network names the last message of it, that one is READ from
 * now on, of which nothing more is told.
 */
export const receiveReadUpTo = async (env: MessagingEnv, tx: Tx, inlet: Inlet, { at, from: reader, key }: ReadUpTo): Promise<void> => {
  const { channel, environment } = inlet;
  if (key !== undefined) await markRead(env, tx, channel, { key, at });
  const from = contactOf(await learnIdentity(tx, inlet, { identity: reader, at }));
  if (await isFirst(env, tx, inlet, { nativeKey: `read-up-to/${from.canonicalKey}/${at}`, chat: from.canonicalKey, sender: from.canonicalKey }))
    await publish(env, tx, { tenantId: channel.tenantId, channel, environment }, { type: "messages.read_up_to", at, from });
};

const markRead = async (env: MessagingEnv, tx: Tx, channel: ChannelRow, { key, at }: { key: NativeKey; at: number }): Promise<void> => {
  const id = await findIdOfKey(tx, channel.id, key);
  const message = id && (await findMessage(tx, channel, id));
  const moved = message && message.nativeKey !== null && (await moveForward(env, tx, message, { status: "READ", at, nativeKey: message.nativeKey }));
  if (moved) await settleInBatch(env, tx, moved);
};
