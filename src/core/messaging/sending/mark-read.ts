import { AppError } from "../../../kernel/errors.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import type { MessagingEnv } from "../env.ts";
import { acceptOperation } from "./operations.ts";

/** Why the network cannot mark a message; the local mark stays. */
const UNMARKABLE: ReadonlySet<string> = new Set([
  "CHANNEL_NOT_FOUND",
  "CHANNEL_NOT_CONNECTED",
  "MESSAGE_KEY_UNKNOWN",
  "OPERATION_UNSUPPORTED",
  "THREAD_HELD",
]);

/** Asks the network to mark these messages as read. Returns the number of messages that it is asked to mark. */
export const markRead = async (
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, messageIds }: { channelId: string; messageIds: readonly string[] },
): Promise<number> => {
  let marked = 0;
  for (const messageId of messageIds) {
    try {
      await acceptOperation(env, scope, { channelId, messageId, action: { name: "read" } });
      marked += 1;
    } catch (error) {
      if (!(error instanceof AppError && UNMARKABLE.has(error.code))) throw error;
    }
  }
  return marked;
};
