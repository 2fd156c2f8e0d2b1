import type { ChannelId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import { deletePermissionsOf, takeRecordingsOf } from "../../store/calls.ts";
import { deleteGroupsOf } from "../../store/groups.ts";
import { deleteIdentitiesOf } from "../../store/identities.ts";
import { deleteInboxOf } from "../../store/inbox.ts";
import { deleteCopiesOf } from "../../store/key-ring.ts";
import { deleteLookupsOf } from "../../store/lookups.ts";
import type { Env } from "../env.ts";

const FORGET_BATCH = 500;

/**
 * Removes what only a channel that is gone could ask for: whom it knew, what it received, its copies of messages, what it was asked, its groups, who allowed it to call, and
 * the recordings of its calls; a batch at a time. What was sent stays, and that there were calls.
 */
export const forgetChannel = async (env: Env, job: Job<{ channelId: ChannelId }>): Promise<JobOutcome> => {
  const { channelId } = job.payload;
  await env.db.write(async (tx) => {
    const recordings = await takeRecordingsOf(tx, channelId, FORGET_BATCH);
    for (const key of recordings) env.jobs.enqueue(tx, "media.erase", { key });
    const isMore = [
      await deleteIdentitiesOf(tx, channelId, FORGET_BATCH),
      await deleteInboxOf(tx, channelId, FORGET_BATCH),
      await deleteCopiesOf(tx, channelId, FORGET_BATCH),
      await deleteLookupsOf(tx, channelId, FORGET_BATCH),
      await deleteGroupsOf(tx, channelId, FORGET_BATCH),
      await deletePermissionsOf(tx, channelId, FORGET_BATCH),
      recordings.length === FORGET_BATCH,
    ].includes(true);
    if (isMore) job.again(tx, env.clock.now(), { counts: false });
    else job.end(tx);
  });
  return { is: "settled" };
};
