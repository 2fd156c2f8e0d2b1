import { AppError } from "../../kernel/errors.ts";
import type { MessageId } from "../../kernel/ids.ts";
import type { Reader } from "../../store/engine/db.ts";
import { type FallbackRow, findFallback, findFirstOf } from "../../store/tables/messaging/fallbacks.ts";
import { findMessage, type MessageRow } from "../../store/tables/messaging/messages.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
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

/**
 * A message that was sent through the gateway, with the outcome of its fallback.
 * @throws AppError MESSAGE_NOT_FOUND, also for a received message and another tenant's
 */
export const getMessageWithFallback = async (
  env: MessagingEnv,
  scope: TenantScope,
  id: string,
): Promise<MessageRow & FallbackOf> => {
  const message = await getMessage(env, scope, id);
  return { ...message, ...(await env.db.read((reader) => fallbackOf(reader, scope, message.id))) };
};
