import type { Reader } from "../../engine/db.ts";
import { columnsOf, statement } from "../../engine/statement.ts";
import { ifWithin, type TenantScope, type Viewer } from "../scope.ts";
import { type ContactRow, contacts } from "./contacts.ts";

type Before = { before: number; limit: number };
const contactsBefore = statement<ContactRow, TenantScope & Before>(
  "SELECT * FROM contacts WHERE tenant_id = :tenantId AND seq < :before ORDER BY seq DESC LIMIT :limit",
  columnsOf(contacts),
);

const optedOutBefore = statement<ContactRow, TenantScope & Before>(
  `SELECT * FROM contacts INDEXED BY contacts_opted_out WHERE tenant_id = :tenantId AND opted_out_at IS NOT NULL
    AND seq < :before ORDER BY seq DESC LIMIT :limit`,
  columnsOf(contacts),
);

/** A tenant's contacts of both environments that lie before a place, newest first; `optedOut`: only those of them. */
export const listContactsBefore = (
  r: Reader,
  { tenantId }: TenantScope,
  { before, limit, optedOut }: Before & { optedOut: boolean },
): Promise<ContactRow[]> => (optedOut ? optedOutBefore : contactsBefore).all(r, { tenantId, before, limit });

// the index of opt-outs would read all of the tenant's
const optedOutAmong = statement<{ numberKey: string }, Viewer & { keys: readonly string[] }>(
  `SELECT number_key AS numberKey FROM contacts INDEXED BY contacts_by_number
    WHERE tenant_id = :tenantId AND number_key IN (SELECT value FROM json_each(:keys)) AND environment = :environment
      AND number_key IS NOT NULL AND opted_out_at IS NOT NULL`,
);

const anyOptedOut = statement<{ found: number }, TenantScope>(
  "SELECT 1 AS found FROM contacts WHERE tenant_id = :tenantId AND opted_out_at IS NOT NULL LIMIT 1",
);

/** Whether anybody opted out at the tenant: each send asks, and most tenants have nobody. */
export const hasOptOuts = async (r: Reader, { tenantId }: TenantScope): Promise<boolean> =>
  (await anyOptedOut.get(r, { tenantId })) !== undefined;

/** The numbers among these, in their comparable form, of people who opted out. Bound: the given keys. */
export const listOptedOutAmong = async (
  r: Reader,
  { tenantId, environment }: Viewer,
  keys: readonly string[],
): Promise<string[]> => (await optedOutAmong.all(r, { tenantId, environment, keys })).map(({ numberKey }) => numberKey);

// `0` follows `/`, so the aliases of the chats lie in one part of the index
const byUid = statement<ContactRow, Viewer & { alias: string }>(
  `SELECT * FROM contacts WHERE tenant_id = :tenantId AND alias >= :alias AND alias < :alias || '0'
    AND (alias = :alias OR alias > :alias || '/') AND environment = :environment`,
  columnsOf(contacts),
);

/** The contacts of a person in each chat that a network has with the person. Bound: one row per chat with the person. */
export const listContactsByUid = (
  r: Reader,
  { tenantId, environment }: Viewer,
  personId: string,
): Promise<ContactRow[]> => byUid.all(r, { tenantId, environment, alias: `uid:${personId}` });

const byId = statement<Pick<ContactRow, "seq" | "tenantId">, { id: string }>(
  "SELECT * FROM contacts WHERE id = :id",
  columnsOf(contacts, "seq", "tenantId"),
);

/**
 * The place of a contact among the tenant's contacts. A deleted contact still has its place, because a page may end
 * with a contact that is merged into another one before the next page is read. Another tenant's id counts as a deleted
 * one, so that it does not show that it exists.
 */
export const placeOfContact = async (r: Reader, scope: TenantScope, id: string): Promise<number> => {
  const found = await byId.get(r, { id });
  return ifWithin(found, scope)?.seq ?? placeOfDeleted(r, scope, id);
};

const newest = statement<{ seq: number; id: string }, TenantScope & { above: number; upTo: number }>(
  `SELECT seq, id FROM contacts WHERE tenant_id = :tenantId AND seq > :above AND seq <= :upTo
    ORDER BY seq DESC LIMIT 1`,
);

/** Searches by halving, because their ids and their numbers are both in the order of creation. */
const placeOfDeleted = async (r: Reader, { tenantId }: TenantScope, id: string): Promise<number> => {
  const newestIn = (above: number, upTo: number) => newest.get(r, { tenantId, above, upTo });
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
