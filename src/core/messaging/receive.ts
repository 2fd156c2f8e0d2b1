import { isVoiceNote } from "../../contract/content.ts";
import type { Receipt, Received } from "../../contract/events.ts";
import { type MessageId, newId } from "../../kernel/ids.ts";
import type { ChannelRow } from "../../store/channels.ts";
import type { Tx } from "../../store/db.ts";
import type { Environment } from "../../store/keys.ts";
import { claimInbound, findIdOfKey, findMessage, findMessageByNativeKey, type MessageRow } from "../../store/messages.ts";
import type { Env } from "../env.ts";
import { contactOf } from "../events/fact.ts";
import { publish } from "../events/publish.ts";
import { recordFailure, recordProgress } from "./status.ts";

/** Where an event came in. */
export type Inlet = { channel: ChannelRow; environment: Environment };

/** Takes in a message: gives it an id of ours and tells of it. One that has come before changes nothing. */
export const receiveMessage = async (env: Env, tx: Tx, { channel, environment }: Inlet, event: Received): Promise<void> => {
  const messageId = newId<MessageId>(env);
  const [from, chat] = [contactOf(event.from), contactOf(event.chat)];
  const isNew = await claimInbound(tx, {
    channelId: channel.id,
    nativeKey: event.key,
    messageId,
    chat: chat.canonicalKey,
    sender: from.canonicalKey,
    isOwn: event.isOwn ?? false,
    receivedAt: env.clock.now(),
  });
  if (!isNew) return;
  const quotedMessageId = event.quotedKey === undefined ? null : ((await findIdOfKey(tx, channel.id, event.quotedKey)) ?? null);
  await publish(
    env,
    tx,
    { tenantId: channel.tenantId, channel, environment },
    {
      type: "message.received",
      messageId,
      at: event.at,
      direction: event.isOwn ? "outbound" : "inbound",
      isHistory: event.isHistory ?? false,
      media: null,
      from,
      chat,
      pushName: event.pushName,
      content: event.content,
      quotedMessageId,
      to: channel.phoneNumber,
    },
  );
};

/**
 * Takes in a receipt. It finds its message by the native key or, where the network carried it along, by our id: then it also tells what
 * became of a send whose answer was lost. Receipts of messages that others sent through the same number are not ours to tell.
 */
export const receiveReceipt = async (env: Env, tx: Tx, { channel }: Inlet, event: Receipt): Promise<void> => {
  const message = await messageOf(tx, channel, event);
  if (!message) return env.log.debug({ channelId: channel.id, status: event.status }, "receipt of a message that was not sent here");
  switch (event.status) {
    case "failed":
      await recordFailure(env, tx, message, {
        code: event.error?.isFormatRefused && isVoiceNote(message) ? "INVALID_PTT_FORMAT" : "UPSTREAM_BAD_REQUEST",
        ...(event.error ? { reason: event.error.reason, upstreamCode: event.error.code } : NO_REASON),
        at: event.at,
        isReport: true,
      });
      return;
    case "sent":
    case "delivered":
    case "read":
      await recordProgress(env, tx, message, { status: STATUS[event.status], at: event.at, nativeKey: event.key });
  }
};

const STATUS = { sent: "SENT", delivered: "DELIVERED", read: "READ" } as const;
const NO_REASON = { reason: "the network reported a failure" };

const messageOf = async (tx: Tx, channel: ChannelRow, { key, messageId }: Receipt): Promise<MessageRow | undefined> => {
  const byKey = await findMessageByNativeKey(tx, channel.id, key);
  if (byKey || messageId === undefined) return byKey;
  const byId = await findMessage(tx, { tenantId: channel.tenantId }, messageId);
  return byId?.channelId === channel.id && (byId.nativeKey === null || byId.nativeKey === key) ? byId : undefined;
};
