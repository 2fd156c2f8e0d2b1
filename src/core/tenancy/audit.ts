import { sha256 } from "../../kernel/crypto.ts";
import type { TenantId } from "../../kernel/ids.ts";
import { cutPage, unknownCursor } from "../../kernel/page.ts";
import { type AuditFilter, type AuditRow, findEntry, highestId, insertEntry, lastEntry, listEntries, listEntriesAfter } from "../../store/audit.ts";
import type { Db, Tx } from "../../store/db.ts";
import type { Env } from "../env.ts";

/** TABLE: what is recorded of whoever administers the server, an account or an institution. */
export const ACTIONS = [
  "account.create",
  "account.change",
  "account.suspend",
  "account.reinstate",
  "admin-token.create",
  "backup.create",
  "backup.restore",
  "channel.create",
  "channel.delete",
  "channel.disconnect",
  "channel.logout",
  "channel.rotate-token",
  "clock.advance",
  "dead-letters.replay",
  "institution.change-plan",
  "institution.create",
  "invoice.create",
  "invoice.issue",
  "invoice.mark-paid",
  "invoice.void",
  "job.run",
  "key.create",
  "key.revoke",
  "llm.change",
  "member.add",
  "member.change-role",
  "member.invite",
  "member.remove",
  "member.withdraw",
  "plan.change",
  "plan.create",
  "session.end",
  "user.change-password",
  "user.create",
  "user.delete",
  "user.make-link",
  "user.reset-password",
  "user.verify-email",
  "webhook.change",
  "webhook.create",
  "webhook.delete",
] as const;
export type Action = (typeof ACTIONS)[number];

/** Who acts: the holder of the admin token, a command of this machine, a user, a key, who opened the set-up link, or the server by itself. `address`: from where. */
export type Actor = { name: "admin" | "local" | "setup-link" | "system" | `user:${string}` | `key:${string}`; address?: string | undefined };

/** `details` says what a reader of the trail needs, and never a secret. */
export type Act = { action: Action; target?: string; tenantId?: TenantId | undefined; details?: Record<string, string | number | boolean | null | readonly string[]> };

type AuditEnv = Pick<Env, "actor" | "clock" | "log">;

/** Records an act in the write that does it: both are there, or neither. The log tells of it once it is on disk, so that the trail can be compared with a copy. */
export const recordAct = async ({ actor, clock, log }: AuditEnv, tx: Tx, { action, target, tenantId, details }: Act): Promise<void> => {
  const facts = {
    at: clock.now(),
    actor: actor.name,
    action,
    target: target ?? null,
    tenantId: tenantId ?? null,
    details: JSON.stringify({ ...(actor.address === undefined ? {} : { address: actor.address }), ...details }),
  };
  const hash = hashAfter((await lastEntry(tx))?.hash, facts);
  await insertEntry(tx, { ...facts, hash });
  tx.afterCommit(() => log.info({ action, actor: actor.name, target, tenantId, hash }, "an administrative act"));
};

/** The hash of an entry that follows the one with the given hash. */
const hashAfter = (before: string | undefined, { at, actor, action, target, tenantId, details }: Omit<AuditRow, "id" | "hash">): string =>
  sha256(JSON.stringify([before ?? "", at, actor, action, target, tenantId, details]));

/** Newest first. Throws VALIDATION for a cursor that is no entry. */
export const auditPage = (
  env: Pick<Env, "db">,
  { cursor, limit, ...filter }: Omit<AuditFilter, "beforeId"> & { cursor: string | undefined },
): Promise<{ items: AuditRow[]; nextCursor: string | null }> =>
  env.db.read(async (reader) => {
    const from = cursor === undefined || !/^\d{1,15}$/.test(cursor) ? undefined : await findEntry(reader, Number(cursor));
    if (cursor !== undefined && !from) throw unknownCursor();
    return cutPage(await listEntries(reader, { ...filter, beforeId: from?.id, limit: limit + 1 }), limit, ({ id }) => String(id));
  });

/** `head`: the hash of the newest entry. `brokenAt`: the first entry that is not as it was written, or follows one that was taken out; what was cut off at the end leaves none. */
export type ChainReport = { isWhole: true; entries: number; head: string | undefined } | { isWhole: false; brokenAt: number | "end" };

const AT_ONCE = 500;

/** Looks whether the trail is whole, a few entries at a time. Who can write to the database can make a new trail, but none with a head that was noted before. */
export const verifyChain = async (db: Pick<Db, "read">): Promise<ChainReport> => {
  const highest = await db.read(highestId); // first: what is written meanwhile comes after it
  let last: AuditRow | undefined;
  let entries = 0;
  for (;;) {
    const afterId = last?.id ?? 0;
    const found = await db.read((reader) => listEntriesAfter(reader, { afterId, limit: AT_ONCE }));
    for (const entry of found) {
      if (entry.id !== (last?.id ?? 0) + 1 || entry.hash !== hashAfter(last?.hash, entry)) return { isWhole: false, brokenAt: entry.id };
      last = entry;
      entries++;
    }
    if (found.length < AT_ONCE) break;
  }
  return highest > (last?.id ?? 0) ? { isWhole: false, brokenAt: "end" } : { isWhole: true, entries, head: last?.hash };
};

export type { AuditRow as AuditEntry } from "../../store/audit.ts";
