import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../../engine/db.ts";
import { addToCount } from "../collections.ts";
import { laws } from "../table-laws.ts";

/**
 * Requests that came with an idempotency key, until they expire. `id`: a hash of the credential and the key. `owner`:
 * whose limit a row counts against. `claim`: the run that answers it, in the process `processId`. `sealed`: the answer;
 * null until there is one.
 */
export const keyedRequests = sqliteTable(
  "keyed_requests",
  {
    id: text().primaryKey(),
    owner: text().notNull(),
    fingerprint: text().notNull(),
    claim: text().notNull(),
    processId: text("process_id").notNull(),
    sealed: text(),
    claimedAt: integer("claimed_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [index("keyed_requests_by_expiry").on(t.expiresAt)],
);

export const keyedRequestsLaws = laws(keyedRequests, {
  keeps: { group: "work", setting: "none", rule: "24 hours", isSwept: true },
  personal: {
    rowsOf: { columns: "keyed_requests.*, keyed_requests.owner AS tenantId", from: "keyed_requests" },
    by: [],
    texts: [],
    isOpened: true,
    isOf: ({ sealed, opened }, who) => sealed !== null && who.mentions(opened),
    // the key stays used, so that no repeat does the same again
    erase(tx, { at }) {
      tx.run("UPDATE keyed_requests SET sealed = NULL, claim = 'erased' WHERE rowid = ?1", [at]);
      return {};
    },
  },
  joins: "of no tenant",
  sealed: { sealed: "keyed_requests:{id}:sealed" },
  grows: { limit: "keyed-requests" },
  files: "none",
  backup: "rows alone",
});

export type KeyedRequestRow = typeof keyedRequests.$inferSelect;
/** The claim of a request whose answer was erased with a person. It is answered no more. */
export const ERASED = "erased";

/** The run that answers a request. */
export type ClaimId = Pick<KeyedRequestRow, "id" | "claim">;

const FIND = `SELECT id, owner, fingerprint, claim, process_id AS processId, sealed, claimed_at AS claimedAt,
  expires_at AS expiresAt FROM keyed_requests WHERE id = ?1 AND expires_at > ?2`;

/** The request of a key; undefined for an expired one. */
export const findKeyedRequest = async (r: Reader, id: string, nowMs: number): Promise<KeyedRequestRow | undefined> =>
  (await r.rows<KeyedRequestRow>(FIND, [id, nowMs]))[0];

const DROP = "DELETE FROM keyed_requests WHERE id = ?1 RETURNING owner";
const INSERT = `INSERT INTO keyed_requests (id, owner, fingerprint, claim, process_id, sealed, claimed_at, expires_at)
  VALUES (?1, ?2, ?3, ?4, ?5, NULL, ?6, ?7)`;

/** Claims a key that no current request has. An expired one is replaced. */
export const insertKeyedRequest = async (tx: Tx, row: Omit<KeyedRequestRow, "sealed">): Promise<void> => {
  uncount(tx, await tx.rows<Owned>(DROP, [row.id]));
  tx.run(INSERT, [row.id, row.owner, row.fingerprint, row.claim, row.processId, row.claimedAt, row.expiresAt]);
  addToCount(tx, row.owner, "keyed-requests", 1);
};

/** Claims a request again whose run was interrupted. */
export const takeOverKeyedRequest = (
  tx: Tx,
  { id, claim, processId, claimedAt }: Pick<KeyedRequestRow, "id" | "claim" | "processId" | "claimedAt">,
): void =>
  tx.run("UPDATE keyed_requests SET claim = ?2, process_id = ?3, claimed_at = ?4 WHERE id = ?1 AND sealed IS NULL", [
    id,
    claim,
    processId,
    claimedAt,
  ]);

const OF_CLAIM = "id = ?1 AND claim = ?2 AND sealed IS NULL";

/** Stores the answer of a run; false when the run is no longer the one that answers the request. */
export const answerKeyedRequest = async (tx: Tx, { id, claim }: ClaimId, sealed: string): Promise<boolean> =>
  (await tx.rows(`UPDATE keyed_requests SET sealed = ?3 WHERE ${OF_CLAIM} RETURNING id`, [id, claim, sealed])).length >
  0;

/** Frees the key of a run that did nothing. A stored answer stays. */
export const deleteKeyedRequest = async (tx: Tx, { id, claim }: ClaimId): Promise<void> =>
  uncount(tx, await tx.rows<Owned>(`DELETE FROM keyed_requests WHERE ${OF_CLAIM} RETURNING owner`, [id, claim]));

const PRUNE = `DELETE FROM keyed_requests WHERE rowid IN (SELECT rowid FROM keyed_requests WHERE expires_at <= ?1 LIMIT ?2)
  RETURNING owner`;

/** Deletes expired requests, at most `limit`. True when there may be more. */
export const pruneKeyedRequests = async (tx: Tx, nowMs: number, limit: number): Promise<boolean> => {
  const gone = await tx.rows<Owned>(PRUNE, [nowMs, limit]);
  uncount(tx, gone);
  return gone.length >= limit;
};

type Owned = Pick<KeyedRequestRow, "owner">;

const uncount = (tx: Tx, gone: readonly Owned[]): void => {
  const counts = Map.groupBy(gone, ({ owner }) => owner);
  for (const [owner, rows] of counts) addToCount(tx, owner, "keyed-requests", -rows.length);
};
