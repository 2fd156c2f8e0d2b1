import type { TenantId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import { deleteCannedRepliesIn } from "../../store/tables/conversations/canned-replies.ts";
import { unassignSome } from "../../store/tables/conversations/conversations.ts";
import { isMember } from "../../store/tables/tenancy/users.ts";
import { chatOfConversation } from "./conversations.ts";
import type { ConversationsEnv } from "./env.ts";
import { publishUpdate } from "./updates.ts";

const UNASSIGN_BATCH = 100;

/**
 * Unassigns the open conversations of a user who has left an institution, a batch at a time, and publishes each. Their
 * own canned replies are deleted. A user who has joined again keeps theirs. Closed conversations do not change.
 */
export const forgetMember = async (
  env: ConversationsEnv,
  job: Job<{ tenantId: TenantId; userId: string }>,
): Promise<JobOutcome> => {
  const { tenantId, userId } = job.payload;
  await env.db.write(async (tx) => {
    if (await isMember(tx, tenantId, userId)) return job.end(tx);
    deleteCannedRepliesIn(tx, { tenantId, owner: `user:${userId}` });
    const unassigned = await unassignSome(tx, tenantId, userId, UNASSIGN_BATCH);
    for (const conversation of unassigned)
      await publishUpdate(env, tx, conversation, {
        chat: await chatOfConversation(tx, conversation),
        changed: ["assignee"],
        by: null,
      });
    if (unassigned.length === UNASSIGN_BATCH) job.snooze(tx, env.clock.now());
    else job.end(tx);
  });
  return { is: "settled" };
};
