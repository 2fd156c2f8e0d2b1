import type { TenantId } from "../../kernel/ids.ts";
import { type ConversationRow, closeOpenConversation } from "../../store/conversations.ts";
import type { Tx } from "../../store/db.ts";
import type { Environment } from "../../store/keys.ts";
import { type PublishEnv, publish } from "../events/publish.ts";

/** Who has it closed, and in whose chat that is told. */
type Closing = { tenantId: TenantId; environment: Environment; chat: string };

/** Closes an open conversation and tells of it. Undefined, and told to nobody, when it was closed before. */
export const closeWithin = async (
  env: PublishEnv,
  tx: Tx,
  { tenantId, environment, chat }: Closing,
  { id, channelId }: Pick<ConversationRow, "id" | "channelId">,
): Promise<ConversationRow | undefined> => {
  const conversation = await closeOpenConversation(tx, { tenantId }, id, env.clock.now());
  const channel = { id: channelId, sharedWebhookId: null }; // only webhooks of the gateway link to channels, and it tells of no conversations
  if (conversation) await publish(env, tx, { tenantId, channel, environment }, { type: "conversation.closed", conversation, chat });
  return conversation;
};
