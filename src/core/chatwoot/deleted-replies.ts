import { AppError } from "../../kernel/errors.ts";
import { type MessageId, newId } from "../../kernel/ids.ts";
import type { Tx } from "../../store/engine/db.ts";
import { listOfChatwootMessage, markDeletedInChatwoot } from "../../store/tables/channels/chatwoot.ts";
import { deletionTime } from "../../store/tables/messaging/message-acts.ts";
import { findMessage } from "../../store/tables/messaging/messages.ts";
import { withdraw } from "../messaging/sending/accept.ts";
import { acceptOperation } from "../messaging/sending/operations.ts";
import type { ChatwootEnv } from "./env.ts";
import type { Connection } from "./inbox.ts";

/**
 * Takes back what an agent deleted. What waits here is not sent, and what is still to be accepted never is. What the
 * network has is deleted there for everyone. A network that cannot leaves it: Chatwoot has no word for that. A message
 * that is on its way is deleted by `carryChange`, once it was sent.
 */
export const deleteReply = async (env: ChatwootEnv, connection: Connection, chatwootId: number): Promise<void> => {
  const { subscriptionId, channelId, tenantId } = connection;
  const ids = await env.db.write(async (tx) => {
    await markDeletedInChatwoot(tx, { id: newId(env), subscriptionId, channelId, chatwootId });
    return withdrawParts(env, tx, connection, chatwootId);
  });
  for (const messageId of ids)
    try {
      await acceptOperation(env, { tenantId }, { channelId, messageId, action: { name: "delete" } });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      env.log.info({ messageId, code: error.code }, "a message that was deleted in Chatwoot stays on its network");
    }
};

/** Withdraws the messages of a reply that wait. Gives those that the network has, or gets now. */
const withdrawParts = async (
  env: ChatwootEnv,
  tx: Tx,
  { subscriptionId, tenantId }: Connection,
  chatwootId: number,
): Promise<MessageId[]> => {
  const living: MessageId[] = [];
  for (const row of await listOfChatwootMessage(tx, { subscriptionId, chatwootId })) {
    // only what was sent from here
    const message = await findMessage(tx, { tenantId }, row.id);
    if (!message || message.status === "FAILED") continue;
    if (await withdraw(env, tx, message, "it was deleted in Chatwoot")) continue;
    if ((await deletionTime(tx, message.id)) === null) living.push(message.id);
  }
  return living;
};
