import { AppError } from "../../kernel/errors.ts";
import { findMessage, type MessageRow } from "../../store/messages.ts";
import type { TenantScope } from "../../store/scope.ts";
import type { MessagingEnv } from "./env.ts";

export type { MessageRow as Message } from "../../store/messages.ts";

/**
 * A message that was sent through the gateway.
 * @throws AppError MESSAGE_NOT_FOUND, also for a received one and another tenant's
 */
export const getMessage = async (env: MessagingEnv, scope: TenantScope, id: string): Promise<MessageRow> => {
  const message = await env.db.read((reader) => findMessage(reader, scope, id));
  if (!message) throw new AppError("MESSAGE_NOT_FOUND", { message: "There is no such message." });
  return message;
};
