import { Type } from "@sinclair/typebox";
import { late } from "../../kernel/async.ts";
import type { ChannelId, ConversationId } from "../../kernel/ids.ts";
import { versioned } from "../../kernel/versioned.ts";
import { job } from "../../runtime/jobs.ts";
import { HOUSEKEEPING, id } from "../job-parts.ts";
import { FOR_CONVERSATIONS } from "../tenancy/jobs.ts";
import { releaseIdle } from "./holders.ts";
import { wakeChat } from "./snoozing.ts";

/** The background work of `conversations`. */
export const CONVERSATION_JOBS = {
  "conversation.release-idle": job({
    ...HOUSEKEEPING,
    payload: versioned(Type.Object({ channelId: id<ChannelId>(), chat: Type.String() })),
    uniqueKey: ({ channelId, chat }) => `idle:${channelId}:${chat}`,
    run: releaseIdle,
  }),
  "conversation.wake": job({
    ...HOUSEKEEPING,
    payload: versioned(Type.Object({ conversationId: id<ConversationId>() })),
    uniqueKey: ({ conversationId }) => `conversation.wake:${conversationId}`,
    run: wakeChat,
  }),
  "contacts.index": job({
    ...FOR_CONVERSATIONS["contacts.index"],
    run: late(async () => (await import("./search-words.ts")).indexContacts),
  }),
  "member.forget": job({
    ...FOR_CONVERSATIONS["member.forget"],
    run: late(async () => (await import("./members.ts")).forgetMember),
  }),
};
