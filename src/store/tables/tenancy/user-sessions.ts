import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, statement } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";
import { users } from "./users.ts";

/**
 * Sessions of people who sign in to the platform; tokens name them. `source`: the key under which the address is
 * counted. An ended session stays for a while, because it shows from where its user has signed in.
 */
export const userSessions = sqliteTable(
  "user_sessions",
  {
    id: text().primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id),
    address: text().notNull(),
    source: text().notNull(),
    userAgent: text("user_agent"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    endedAt: integer("ended_at"),
  },
  (t) => [index("user_sessions_by_user").on(t.userId, t.source), index("user_sessions_by_expiry").on(t.expiresAt)],
);
export type UserSessionRow = typeof userSessions.$inferSelect;

export const userSessionsLaws = laws(userSessions, {
  keeps: { group: "work", setting: "none", rule: "until its tokens expire", isSwept: true },
  personal: { none: "data of the product's own users" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "at most 100 per user" },
  files: "none",
  backup: "rows alone",
});

const SESSION = columnsOf(userSessions);
type OfUser = { userId: string };

const insert = insertInto(userSessions);
const dropOldest = statement<never, OfUser & { keep: number }>(
  `DELETE FROM user_sessions WHERE user_id = :userId AND id NOT IN (SELECT id FROM user_sessions
    WHERE user_id = :userId ORDER BY created_at DESC, id DESC LIMIT :keep)`,
);

/** Adds a session. A user keeps at most `keep`, the newest. */
export const insertUserSession = async (tx: Tx, row: UserSessionRow, keep: number): Promise<void> => {
  insert(tx, row);
  dropOldest.run(tx, { userId: row.userId, keep });
};

const IS_OPEN = "user_id = :userId AND ended_at IS NULL AND expires_at > :nowMs";
type Open = OfUser & { nowMs: number };

const openById = statement<UserSessionRow, Open & { id: string }>(
  `SELECT * FROM user_sessions WHERE id = :id AND ${IS_OPEN}`,
  SESSION,
);

export const findOpenSession = (
  r: Reader,
  userId: string,
  id: string,
  nowMs: number,
): Promise<UserSessionRow | undefined> => openById.get(r, { userId, id, nowMs });

const open = statement<UserSessionRow, Open>(
  `SELECT * FROM user_sessions WHERE ${IS_OPEN} ORDER BY created_at DESC, id DESC`,
  SESSION,
);

/** The open sessions of a user, newest first. Bound: 100 per user. */
export const listOpenSessions = (r: Reader, userId: string, nowMs: number): Promise<UserSessionRow[]> =>
  open.all(r, { userId, nowMs });

const fromSource = statement<unknown, OfUser & { source: string }>(
  "SELECT 1 FROM user_sessions WHERE user_id = :userId AND source = :source LIMIT 1",
);

/** Whether the user has signed in from this source recently. */
export const hasUserSignedInFrom = async (r: Reader, userId: string, source: string): Promise<boolean> =>
  (await fromSource.all(r, { userId, source })).length > 0;

const extend = statement<never, { id: string; expiresAt: number }>(
  "UPDATE user_sessions SET expires_at = :expiresAt WHERE id = :id",
);
export const extendUserSession = async (tx: Tx, id: string, expiresAt: number): Promise<void> =>
  extend.run(tx, { id, expiresAt });

const end = statement<unknown, Open & { id: string }>(
  `UPDATE user_sessions SET ended_at = :nowMs WHERE id = :id AND ${IS_OPEN} RETURNING 1`,
);

/** Ends one open session of a user. False without such a session. */
export const endUserSession = async (tx: Tx, userId: string, id: string, nowMs: number): Promise<boolean> =>
  (await end.all(tx, { userId, id, nowMs })).length > 0;

const endAll = statement<never, Open>(`UPDATE user_sessions SET ended_at = :nowMs WHERE ${IS_OPEN}`);

/** Ends all open sessions of a user. */
export const endUserSessions = async (tx: Tx, userId: string, nowMs: number): Promise<void> =>
  endAll.run(tx, { userId, nowMs });

const remove = statement<never, OfUser>("DELETE FROM user_sessions WHERE user_id = :userId");
export const deleteUserSessions = async (tx: Tx, userId: string): Promise<void> => remove.run(tx, { userId });

const prune = statement<unknown, { beforeMs: number; limit: number }>(
  `DELETE FROM user_sessions WHERE id IN (SELECT id FROM user_sessions WHERE expires_at < :beforeMs LIMIT :limit)
    RETURNING 1`,
);

/** Deletes sessions that expired before; true when there may be more. */
export const pruneUserSessions = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (await prune.all(tx, { beforeMs, limit })).length === limit;
