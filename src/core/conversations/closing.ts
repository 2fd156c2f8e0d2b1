import { type ConversationRow, closeOpenConversation } from "../../store/conversations.ts";
import type { Tx } from "../../store/db.ts";
import { type PublishEnv, publish } from "../events/publish.ts";

/**
 * Closes an open conversation and tells of it in the chat. Undefined, and told to nobody, when it was closed before.
 */
export const closeWithin = async (
  env: PublishEnv,
  tx: Tx,
  chat: string,
  { id, tenantId, channelId, environment }: Pick<ConversationRow, "id" | "tenantId" | "channelId" | "environment">,
): Promise<ConversationRow | undefined> => {
  const conversation = await closeOpenConversation(tx, { tenantId }, id, env.clock.now());
  // only webhooks of the gateway link to channels, and it tells of no conversations
  const channel = { id: channelId, sharedWebhookId: null };
  if (conversation)
    await publish(env, tx, { tenantId, channel, environment }, { type: "conversation.closed", conversation, chat });
  return conversation;
};
