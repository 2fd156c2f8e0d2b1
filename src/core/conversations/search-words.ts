import type { TenantId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import { listContactsAfter, makeFindable } from "../../store/tables/conversations/contacts.ts";
import { findOwner } from "../../store/tables/tenancy/tenants.ts";
import type { ConversationsEnv } from "./env.ts";

const INDEX_BATCH = 500;

/** Writes the search words of all contacts of a new institution, or of an institution that an account has joined. */
export const indexContacts = async (
  env: ConversationsEnv,
  job: Job<{ tenantId: TenantId; after: number }>,
): Promise<JobOutcome> => {
  const { tenantId, after } = job.payload;
  await env.db.write(async (tx) => {
    const owner = await findOwner(tx, tenantId);
    const found = owner.isInstitution ? await listContactsAfter(tx, owner, { after, limit: INDEX_BATCH }) : [];
    for (const contact of found) makeFindable(tx, contact);
    const last = found.at(-1);
    if (!last || found.length < INDEX_BATCH) return job.end(tx);
    job.saveProgress(tx, { tenantId, after: last.seq });
    job.snooze(tx, env.clock.now());
  });
  return { is: "settled" };
};
