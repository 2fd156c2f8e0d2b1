import type { PollTotals } from "../../contract/events.ts";
import { AppError } from "../../kernel/errors.ts";
import type { MessageId } from "../../kernel/ids.ts";
import type { Reader } from "../../store/engine/db.ts";
import { type FallbackRow, findFallback, findFirstOf } from "../../store/tables/messaging/fallbacks.ts";
import { findMessage, type MessageRow } from "../../store/tables/messaging/messages.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { actsOn, NO_ACTS, pollTotals } from "../conversations/acts.ts";
import type { MessagingEnv } from "./env.ts";

export { FALLBACK_REASONS, FALLBACK_STATUSES } from "../../store/tables/messaging/fallbacks.ts";
export type { MessageRow as Message } from "../../store/tables/messaging/messages.ts";

const getMessage = async (env: MessagingEnv, scope: TenantScope, id: string): Promise<MessageRow> => {
  const message = await env.db.read((reader) => findMessage(reader, scope, id));
  if (!message) throw new AppError("MESSAGE_NOT_FOUND", { message: "There is no such message." });
  return message;
};

/** The fallback of a message, and the message that it replaces itself. */
export type FallbackOf = { own: FallbackRow | undefined; firstId: MessageId | null };

const fallbackOf = async (r: Reader, scope: TenantScope, id: MessageId): Promise<FallbackOf> => ({
  own: await findFallback(r, scope, id),
  firstId: (await findFirstOf(r, scope, id))?.id ?? null,
});

/** The votes of a poll; null for a message that is no poll. */
const totalsOf = async (r: Reader, scope: TenantScope, message: MessageRow): Promise<PollTotals | null> =>
  message.type === "poll"
    ? pollTotals(message, (await actsOn(r, scope, [message.id])).get(message.id) ?? NO_ACTS)
    : null;

/**
 * A message that was sent through the gateway, with the outcome of its fallback, and the votes of a poll.
 * @throws AppError MESSAGE_NOT_FOUND, also for a received message and another tenant's
 */
export const getMessageWithFallback = async (
  env: MessagingEnv,
  scope: TenantScope,
  id: string,
): Promise<MessageRow & FallbackOf & { totals: PollTotals | null }> => {
  const message = await getMessage(env, scope, id);
  return env.db.read(async (reader) => ({
    ...message,
    ...(await fallbackOf(reader, scope, message.id)),
    totals: await totalsOf(reader, scope, message),
  }));
};
