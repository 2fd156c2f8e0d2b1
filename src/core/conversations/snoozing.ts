import { DAY_MS } from "../../kernel/clock.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import type { ConversationId } from "../../kernel/ids.ts";
import { issue } from "../../kernel/schema.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import { endSnooze, putSnooze } from "../../store/tables/conversations/conversation-pages.ts";
import type { Caller } from "../tenancy/audit/audit.ts";
import { requireChat } from "./chats.ts";
import { chatOfConversation } from "./conversations.ts";
import type { ConversationsEnv } from "./env.ts";
import { publishUpdate } from "./updates.ts";

/** For how long a chat may be snoozed. */
const LONGEST_MS = 366 * DAY_MS;

/**
 * Puts an open chat off until a time, and marks it as read. The contact's next message ends the snooze too.
 * @throws AppError CONVERSATION_NOT_FOUND, CONVERSATION_CLOSED; VALIDATION for a time that is past, or after a year
 */
export const snoozeChat = (env: ConversationsEnv, caller: Caller, id: string, until: number): Promise<void> =>
  env.db.write(async (tx) => {
    const { conversation: before } = await requireChat(tx, caller, id);
    const now = env.clock.now();
    if (until <= now) throw invalid(issue("until", "minimum", "must be in the future"));
    if (until > now + LONGEST_MS) throw invalid(issue("until", "maximum", "must be within a year"));
    const snoozed = await putSnooze(tx, before.id, until);
    if (!snoozed) throw new AppError("CONVERSATION_CLOSED", { message: "The chat is closed." });
    env.jobs.replace(tx, "conversation.wake", { conversationId: snoozed.id }, { runAt: until });
    if (before.snoozedUntil === until && before.unreadCount === 0) return;
    await publishUpdate(env, tx, snoozed, {
      chat: await chatOfConversation(tx, snoozed),
      changed: before.unreadCount > 0 ? ["snooze", "unread"] : ["snooze"],
      by: caller,
    });
  });

/**
 * Ends the snooze of a chat. A chat that is not snoozed stays as it is.
 * @throws AppError CONVERSATION_NOT_FOUND
 */
export const unsnoozeChat = (env: ConversationsEnv, caller: Caller, id: string): Promise<void> =>
  env.db.write(async (tx) => {
    const { conversation: before } = await requireChat(tx, caller, id);
    const woken = await endSnooze(tx, before.id, Number.MAX_SAFE_INTEGER);
    if (!woken) return;
    env.jobs.cancel(tx, "conversation.wake", { conversationId: woken.id });
    await publishUpdate(env, tx, woken, { chat: await chatOfConversation(tx, woken), changed: ["snooze"], by: caller });
  });

/** Ends a snooze whose time has come. */
export const wakeChat = async (
  env: ConversationsEnv,
  job: Job<{ conversationId: ConversationId }>,
): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    const woken = await endSnooze(tx, job.payload.conversationId, env.clock.now());
    if (woken)
      await publishUpdate(env, tx, woken, { chat: await chatOfConversation(tx, woken), changed: ["snooze"], by: null });
    job.end(tx);
  });
  return { is: "settled" };
};
