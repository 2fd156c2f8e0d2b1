import type { TenantId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import { unassignSome } from "../../store/tables/conversations/conversations.ts";
import { isMember } from "../../store/tables/tenancy/users.ts";
import type { ConversationsEnv } from "./env.ts";

const UNASSIGN_BATCH = 100;

/**
 * Unassigns the open conversations of a user who has left an institution, a batch at a time. A user who has joined
 * again keeps theirs. Closed conversations do not change.
 */
export const forgetMember = async (
  env: ConversationsEnv,
  job: Job<{ tenantId: TenantId; userId: string }>,
): Promise<JobOutcome> => {
  const { tenantId, userId } = job.payload;
  await env.db.write(async (tx) => {
    const hasLeft = !(await isMember(tx, tenantId, userId));
    if (hasLeft && (await unassignSome(tx, tenantId, userId, UNASSIGN_BATCH))) job.snooze(tx, env.clock.now());
    else job.end(tx);
  });
  return { is: "settled" };
};
