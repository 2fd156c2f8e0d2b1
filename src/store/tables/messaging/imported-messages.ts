import type { ProviderMessageId } from "../../../contract/events.ts";
import type { ChannelId, ConversationId } from "../../../kernel/ids.ts";
import type { Tx } from "../../engine/db.ts";
import { statement } from "../../engine/statement.ts";

type Ids = { ids: readonly string[] };
const AMONG = "IN (SELECT value FROM json_each(:ids))";

const removeKeys = statement<{ key: ProviderMessageId }, Ids>(
  `DELETE FROM inbox WHERE message_id ${AMONG} RETURNING provider_message_id AS key`,
);
const removeCopies = statement<never, Ids & { channelId: ChannelId }>(
  `DELETE FROM cached_messages WHERE channel_id = :channelId AND provider_message_id ${AMONG}`,
);
const removeActs = statement<never, Ids>(`DELETE FROM message_acts WHERE message_id ${AMONG}`);
const removeLabels = statement<never, Ids>(`DELETE FROM message_labels WHERE message_id ${AMONG}`);
const removeRows = statement<{ conversationId: ConversationId | null }, Ids>(
  `DELETE FROM received_messages WHERE id ${AMONG} RETURNING conversation_id AS conversationId`,
);

const NEWEST = (table: string): string =>
  `coalesce((SELECT max(created_at) FROM ${table} WHERE conversation_id = conversations.id), 0)`;
const dateBack = statement<never, Ids>(
  `UPDATE conversations SET last_message_at =
      coalesce(min(last_message_at, nullif(max(${NEWEST("messages")}, ${NEWEST("received_messages")}), 0)), last_message_at)
    WHERE id ${AMONG}`,
);

/**
 * Deletes received messages with their ids at the network, their cached copies, and the acts and labels on them. Their
 * conversations have the time of their last remaining message. Gives the number of deleted messages.
 */
export const deleteImportedMessages = async (tx: Tx, channelId: ChannelId, ids: readonly string[]): Promise<number> => {
  const keys = (await removeKeys.all(tx, { ids })).map(({ key }) => key);
  removeCopies.run(tx, { channelId, ids: keys });
  removeActs.run(tx, { ids });
  removeLabels.run(tx, { ids });
  const gone = await removeRows.all(tx, { ids });
  dateBack.run(tx, { ids: [...new Set(gone.flatMap(({ conversationId }) => conversationId ?? []))] });
  return gone.length;
};

const HAS = (table: string): string => `EXISTS (SELECT 1 FROM ${table} WHERE conversation_id = conversations.id)`;
const removeEmpty = statement<unknown, { id: ConversationId }>(
  `DELETE FROM conversations WHERE id = :id AND status = 'CLOSED' AND NOT ${HAS("messages")}
    AND NOT ${HAS("received_messages")} RETURNING 1`,
);

/** Deletes a closed conversation without messages. False for any other. */
export const deleteEmptyConversation = async (tx: Tx, id: ConversationId): Promise<boolean> =>
  (await removeEmpty.all(tx, { id })).length === 1;
