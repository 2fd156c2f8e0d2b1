import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, statement } from "../../engine/statement.ts";
import { addToCount } from "../collections.ts";
import { laws } from "../table-laws.ts";

/**
 * Requests that came with an idempotency key, until they expire. `id`: a hash of the credential and the key. `owner`:
 * whose limit a row counts against. `claim`: the run that answers it, in the process `processId`. `sealed`: the answer;
 * null before it.
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

const erase = statement<never, { at: number }>(
  "UPDATE keyed_requests SET sealed = NULL, claim = 'erased' WHERE rowid = :at",
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
      erase.run(tx, { at });
      return {};
    },
  },
  joins: "of no tenant",
  sealed: { sealed: "keyed_requests:{id}:sealed" },
  grows: { limit: "keyed-requests", isStored: true },
  files: "none",
  backup: "rows alone",
});

export type KeyedRequestRow = typeof keyedRequests.$inferSelect;
/** The claim of a request whose answer was erased with a person. It is answered no more. */
export const ERASED = "erased";

/** The run that answers a request. */
export type ClaimId = Pick<KeyedRequestRow, "id" | "claim">;

const byId = statement<KeyedRequestRow, { id: string; nowMs: number }>(
  "SELECT * FROM keyed_requests WHERE id = :id AND expires_at > :nowMs",
  columnsOf(keyedRequests),
);

/** The request of a key; undefined for an expired one. */
export const findKeyedRequest = (r: Reader, id: string, nowMs: number): Promise<KeyedRequestRow | undefined> =>
  byId.get(r, { id, nowMs });

type Owned = Pick<KeyedRequestRow, "owner">;

const drop = statement<Owned, { id: string }>("DELETE FROM keyed_requests WHERE id = :id RETURNING owner");
const insert = insertInto(keyedRequests);

/** Claims a key that no current request has. The claim replaces an expired request. */
export const insertKeyedRequest = async (tx: Tx, row: Omit<KeyedRequestRow, "sealed">): Promise<void> => {
  uncount(tx, await drop.all(tx, { id: row.id }));
  insert(tx, { ...row, sealed: null });
  addToCount(tx, row.owner, "keyed-requests", 1);
};

type NewClaim = Pick<KeyedRequestRow, "id" | "claim" | "processId" | "claimedAt">;
const takeOver = statement<never, NewClaim>(
  `UPDATE keyed_requests SET claim = :claim, process_id = :processId, claimed_at = :claimedAt
    WHERE id = :id AND sealed IS NULL`,
);

/** Claims a request again whose run was interrupted. */
export const takeOverKeyedRequest = (tx: Tx, { id, claim, processId, claimedAt }: NewClaim): void =>
  takeOver.run(tx, { id, claim, processId, claimedAt });

const OF_CLAIM = "id = :id AND claim = :claim AND sealed IS NULL";
const answer = statement<unknown, ClaimId & { sealed: string }>(
  `UPDATE keyed_requests SET sealed = :sealed WHERE ${OF_CLAIM} RETURNING 1`,
);

/** Stores the answer of a run; false if another run answers the request now. */
export const answerKeyedRequest = async (tx: Tx, { id, claim }: ClaimId, sealed: string): Promise<boolean> =>
  (await answer.all(tx, { id, claim, sealed })).length > 0;

const remove = statement<Owned, ClaimId>(`DELETE FROM keyed_requests WHERE ${OF_CLAIM} RETURNING owner`);

/** Frees the key of a run that did nothing. A stored answer stays. */
export const deleteKeyedRequest = async (tx: Tx, { id, claim }: ClaimId): Promise<void> =>
  uncount(tx, await remove.all(tx, { id, claim }));

const prune = statement<Owned, { nowMs: number; limit: number }>(
  `DELETE FROM keyed_requests WHERE rowid IN (SELECT rowid FROM keyed_requests WHERE expires_at <= :nowMs
    LIMIT :limit) RETURNING owner`,
);

/** Deletes expired requests, at most `limit`. True when there may be more. */
export const pruneKeyedRequests = async (tx: Tx, nowMs: number, limit: number): Promise<boolean> => {
  const gone = await prune.all(tx, { nowMs, limit });
  uncount(tx, gone);
  return gone.length >= limit;
};

const uncount = (tx: Tx, gone: readonly Owned[]): void => {
  const counts = Map.groupBy(gone, ({ owner }) => owner);
  for (const [owner, rows] of counts) addToCount(tx, owner, "keyed-requests", -rows.length);
};
