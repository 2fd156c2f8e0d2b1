import type { ProviderMessageId, Voted } from "../../../contract/events.ts";
import type { MessageId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { findInbound } from "../../../store/tables/channels/inbox.ts";
import { findMessageByProviderId, findMessageOf } from "../../../store/tables/messaging/messages.ts";
import { type InboundContext, readContactOn } from "../../channels/identity.ts";
import type { Contact } from "../../domain-event.ts";

/** The message that an act is about, and its chat. */
export type Target = { messageId: MessageId; chat: Contact };

/** Finds a message by any of its provider message ids; undefined for a message that is not known yet. */
export const readTarget = async (
  tx: Tx,
  { channel }: InboundContext,
  key: ProviderMessageId,
): Promise<Target | undefined> => {
  const sent = await findMessageByProviderId(tx, channel.id, key);
  if (sent) return { messageId: sent.id, chat: await readContactOn(tx, channel.id, sent.recipient) };
  const received = await findInbound(tx, channel.id, key);
  return received && { messageId: received.messageId, chat: await readContactOn(tx, channel.id, received.chat) };
};

/** The texts of a vote's options. A network that names positions means those of the poll that was sent. */
export const optionsOf = async (
  tx: Tx,
  { channel }: InboundContext,
  { options, positions }: Voted,
  messageId: MessageId,
): Promise<string[]> => {
  if (positions === undefined) return options;
  const sent = await findMessageOf(tx, channel.id, messageId);
  const offered = sent?.type === "poll" && "options" in sent.content ? sent.content.options : [];
  return positions.flatMap((position) => offered[position] ?? []);
};
