import { DAY_MS } from "../../../../src/kernel/clock.ts";
import type { Rejection } from "../call.ts";
import { type Fields, fieldsOf, textOf } from "../shape.ts";
import type { Recipient, Sent, State } from "../state.ts";

const MAX_AGE_MS = 30 * DAY_MS;

/**
 * Why a reaction will not reach its message: the message is not of this chat, is older than 30 days, or is itself a
 * reaction. Meta reports it in a `failed` status.
 */
export const reactionRejection = (
  state: State,
  content: Fields,
  { phoneNumberId, recipient }: { phoneNumberId: string; recipient: Recipient },
): Rejection | undefined => {
  const id = textOf(content["message_id"]);
  const message = state.sent.get(id) ?? state.inbound.get(id);
  const isInChat = message?.phoneNumberId === phoneNumberId && message.recipient.userId === recipient.userId;
  if (isInChat && message.type !== "reaction" && state.clock.now() - message.at <= MAX_AGE_MS) return undefined;
  return { code: 131009, details: `Message ${id} cannot be reacted to.` };
};

/** Notes a reaction that reached its message. */
export const recordReaction = (state: State, { wamid, at, phoneNumberId, recipient, body }: Sent): void => {
  const { message_id: messageId, emoji } = fieldsOf(body["reaction"]);
  state.reactions.push({
    wamid,
    at,
    phoneNumberId,
    to: recipient.waId,
    messageId: textOf(messageId),
    emoji: textOf(emoji),
  });
};
