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

type Marked = { channelId: string; messageIds: readonly string[] };

/** Asks the network to mark these messages as read. Returns the number of messages that it is asked to mark. */
export const markRead = (env: MessagingEnv, scope: TenantScope, marked: Marked): Promise<number> =>
  mark(env, scope, marked, "read");

/** The same for voice notes, as played. */
export const markPlayed = (env: MessagingEnv, scope: TenantScope, marked: Marked): Promise<number> =>
  mark(env, scope, marked, "played");

const mark = async (
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, messageIds }: Marked,
  name: "read" | "played",
): Promise<number> => {
  let marked = 0;
  for (const messageId of messageIds) {
    try {
      await acceptOperation(env, scope, { channelId, messageId, action: { name } });
      marked += 1;
    } catch (error) {
      if (!(error instanceof AppError && UNMARKABLE.has(error.code))) throw error;
    }
  }
  return marked;
};
