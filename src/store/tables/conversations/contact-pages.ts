import { and, desc, eq, lt } from "drizzle-orm";
import type { Reader } from "../../engine/db.ts";
import { ifWithin, type TenantScope, within } from "../scope.ts";
import { type ContactRow, contacts } from "./contacts.ts";

/** A tenant's contacts of both environments that were made before a place, newest first. */
export const listContactsBefore = (
  r: Reader,
  scope: TenantScope,
  { before, limit }: { before: number; limit: number },
): Promise<ContactRow[]> =>
  r.q
    .select()
    .from(contacts)
    .where(and(within(contacts.tenantId, scope), lt(contacts.seq, before)))
    .orderBy(desc(contacts.seq))
    .limit(limit);

/**
 * The place of a contact among the tenant's. A deleted one still has its place, because a page may end with a contact
 * that is merged into another one before the next page is read. Another tenant's id counts as a deleted one, so that it
 * does not show that it exists.
 */
export const placeOfContact = async (r: Reader, scope: TenantScope, id: string): Promise<number> => {
  const found = await r.q
    .select({ seq: contacts.seq, tenantId: contacts.tenantId })
    .from(contacts)
    .where(eq(contacts.id, id as ContactRow["id"]))
    .get();
  return ifWithin(found, scope)?.seq ?? placeOfDeleted(r, scope, id);
};

const NEWEST_IN = `SELECT seq, id FROM contacts WHERE tenant_id = ?1 AND seq > ?2 AND seq <= ?3
  ORDER BY seq DESC LIMIT 1`;

/** Halves the tenant's contacts, because their ids and their numbers are both in the order of creation. */
const placeOfDeleted = async (r: Reader, { tenantId }: TenantScope, id: string): Promise<number> => {
  const newestIn = async (above: number, upTo: number) =>
    (await r.rows<{ seq: number; id: string }>(NEWEST_IN, [tenantId, above, upTo]))[0];
  let older = 0;
  let newer = ((await newestIn(0, Number.MAX_SAFE_INTEGER))?.seq ?? 0) + 1;
  while (newer - older > 1) {
    const middle = Math.floor((older + newer) / 2);
    const row = await newestIn(older, middle);
    if (row === undefined || row.id < id) older = middle;
    else newer = row.seq;
  }
  return newer;
};
