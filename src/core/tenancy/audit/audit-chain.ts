import { sha256 } from "../../../kernel/crypto.ts";
import { OWN_JSON, parsedJson } from "../../../kernel/texts/json.ts";
import type { Db } from "../../../store/engine/db.ts";
import { type AuditRow, highestId, listEntriesAfter } from "../../../store/tables/tenancy/audit.ts";

/** The hash of an entry that follows the one with the given hash. */
export const hashAfter = (
  before: string | undefined,
  { at, actor, action, target, tenantId, details }: Omit<AuditRow, "id" | "hash">,
): string => sha256(JSON.stringify([before ?? "", at, actor, action, target, tenantId, details]));

/**
 * `head`: the hash of the newest entry. `brokenAt`: the first entry that was changed, or that follows a deleted one.
 * Entries that were deleted at the end cannot be found.
 */
export type ChainReport =
  | { isWhole: true; entries: number; head: string | undefined }
  | { isWhole: false; brokenAt: number | "end" };

const AT_ONCE = 500;

/** The hash of the entry before this one, when this entry records that it was pruned. */
const prunedHash = ({ action, details }: AuditRow, id: number): string | undefined => {
  if (action !== "audit.prune") return undefined;
  const read = parsedJson(details, OWN_JSON); // somebody may have written over it
  if (typeof read !== "object" || read === null) return undefined;
  const { through, hash } = read as { through?: unknown; hash?: unknown };
  return through === id && typeof hash === "string" ? hash : undefined;
};

/**
 * The progress of the verification. `unproven`: the first entry, until a later one records that the entries before it
 * were pruned.
 */
type Walk = { last: AuditRow | undefined; unproven: AuditRow | undefined; entries: number };
const BEGINNING: Walk = { last: undefined, unproven: undefined, entries: 0 };

const follows = (entry: AuditRow, last: AuditRow | undefined): boolean => {
  if (last) return entry.id === last.id + 1 && entry.hash === hashAfter(last.hash, entry);
  return entry.id > 1 || entry.hash === hashAfter(undefined, entry);
};

/** Verifies one more entry; undefined when it was changed. */
const stepOver = ({ last, unproven, entries }: Walk, entry: AuditRow): Walk | undefined => {
  if (!follows(entry, last)) return undefined;
  const first = last || entry.id === 1 ? unproven : entry;
  const hash = first && prunedHash(entry, first.id - 1);
  const isProven = first !== undefined && hash !== undefined && first.hash === hashAfter(hash, first);
  return { last: entry, unproven: isProven ? undefined : first, entries: entries + 1 };
};

/** Whether the entries up to this one are gone. */
const isPruned = async (db: Pick<Db, "read">, { id }: AuditRow): Promise<boolean> => {
  const [oldest] = await db.read((reader) => listEntriesAfter(reader, { afterId: 0, limit: 1 }));
  return oldest !== undefined && oldest.id > id;
};

/**
 * Verifies the chain of the audit log, a few entries at a time. If older entries were pruned, a later entry must record
 * it. Where that happens to all that was verified, the verification begins again with what stays. Write access to the
 * database allows a new chain, but not a chain with a head that was noted before.
 */
export const verifyChain = async (db: Pick<Db, "read">): Promise<ChainReport> => {
  const highest = await db.read(highestId); // read first: entries that are written meanwhile come after it
  let walk = BEGINNING;
  for (;;) {
    const { last } = walk;
    const found = await db.read((reader) => listEntriesAfter(reader, { afterId: last?.id ?? 0, limit: AT_ONCE }));
    const hasGap = last !== undefined && found[0] !== undefined && found[0].id > last.id + 1;
    if (hasGap && (await isPruned(db, last))) {
      walk = BEGINNING;
      continue;
    }
    for (const entry of found) {
      const next = stepOver(walk, entry);
      if (!next) return { isWhole: false, brokenAt: entry.id };
      walk = next;
    }
    if (found.length < AT_ONCE) break;
  }
  const { last, unproven, entries } = walk;
  if (unproven) return { isWhole: false, brokenAt: unproven.id };
  return highest > (last?.id ?? 0) ? { isWhole: false, brokenAt: "end" } : { isWhole: true, entries, head: last?.hash };
};
