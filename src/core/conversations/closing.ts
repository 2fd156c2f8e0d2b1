import type { Tx } from "../../store/engine/db.ts";
import { type ConversationRow, closeOpenConversation } from "../../store/tables/conversations/conversations.ts";
import { type PublishEnv, publish } from "../events/publish.ts";
import type { Requester } from "../tenancy/audit/audit.ts";
import { publishUpdate } from "./updates.ts";

/**
 * Closes an open conversation and publishes `conversation.closed` in its chat, and that it was updated. Undefined, and
 * nothing is published, when it was already closed. `by`: null if nobody asked for it.
 */
export const closeWithin = async (
  env: PublishEnv,
  tx: Tx,
  { chat, by }: { chat: string; by: Requester | null },
  { id, tenantId, channelId, environment }: Pick<ConversationRow, "id" | "tenantId" | "channelId" | "environment">,
): Promise<ConversationRow | undefined> => {
  const conversation = await closeOpenConversation(tx, { tenantId }, id, env.clock.now());
  if (!conversation) return undefined;
  // only the gateway's webhooks belong to channels, and the gateway does not publish this event
  const channel = { id: channelId, kind: null, sharedWebhookId: null };
  await publish(env, tx, { tenantId, channel, environment }, { type: "conversation.closed", conversation, chat });
  await publishUpdate(env, tx, conversation, { chat, changed: ["state"], by });
  return conversation;
};
