import type { Tx } from "../../store/engine/db.ts";
import { type ConversationRow, closeOpenConversation } from "../../store/tables/conversations/conversations.ts";
import { type PublishEnv, publish } from "../events/publish.ts";

/**
 * Closes an open conversation and publishes `conversation.closed` in its chat. Undefined, and nothing is published,
 * when it was already closed.
 */
export const closeWithin = async (
  env: PublishEnv,
  tx: Tx,
  chat: string,
  { id, tenantId, channelId, environment }: Pick<ConversationRow, "id" | "tenantId" | "channelId" | "environment">,
): Promise<ConversationRow | undefined> => {
  const conversation = await closeOpenConversation(tx, { tenantId }, id, env.clock.now());
  // only the gateway's webhooks belong to channels, and the gateway publishes no events of conversations
  const channel = { id: channelId, kind: null, sharedWebhookId: null };
  if (conversation)
    await publish(env, tx, { tenantId, channel, environment }, { type: "conversation.closed", conversation, chat });
  return conversation;
};
