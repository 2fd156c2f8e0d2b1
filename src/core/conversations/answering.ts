import { channelOrRest, publish } from "../events/publish.ts";
import type { Caller } from "../tenancy/audit/audit.ts";
import { requireChat } from "./chats.ts";
import type { ConversationsEnv } from "./env.ts";
import { doneBy } from "./updates.ts";

/**
 * Publishes to the streams of the account that somebody is writing an answer. Nothing else changes.
 * @throws AppError CONVERSATION_NOT_FOUND
 */
export const publishAnswering = (env: ConversationsEnv, caller: Caller, id: string): Promise<void> =>
  env.db.write(async (tx) => {
    const { conversation } = await requireChat(tx, caller, id);
    const { tenantId, channelId } = conversation;
    await publish(
      env,
      tx,
      { tenantId, channel: await channelOrRest(tx, channelId) },
      {
        type: "conversation.answering",
        conversationId: conversation.id,
        at: env.clock.now(),
        by: await doneBy(tx, caller),
      },
    );
  });
