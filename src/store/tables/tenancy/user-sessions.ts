import { and, desc, eq, gt, isNull } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../../engine/db.ts";
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
  keeps: { group: "work", setting: "none", rule: "until its tokens have ended", isSwept: true },
  personal: { none: "of who uses the product" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "at most 100 per user" },
  files: "none",
  backup: "rows alone",
});

/** Adds a session. A user keeps at most `keep`, the newest. */
export const insertUserSession = async (tx: Tx, row: UserSessionRow, keep: number): Promise<void> => {
  await tx.q.insert(userSessions).values(row);
  tx.run(
    `DELETE FROM user_sessions WHERE user_id = ?1 AND id NOT IN (SELECT id FROM user_sessions WHERE user_id = ?1
      ORDER BY created_at DESC, id DESC LIMIT ?2)`,
    [row.userId, keep],
  );
};

const open = (userId: string, nowMs: number) =>
  and(eq(userSessions.userId, userId), isNull(userSessions.endedAt), gt(userSessions.expiresAt, nowMs));

export const findOpenSession = (
  r: Reader,
  userId: string,
  id: string,
  nowMs: number,
): Promise<UserSessionRow | undefined> =>
  r.q
    .select()
    .from(userSessions)
    .where(and(eq(userSessions.id, id), open(userId, nowMs)))
    .get();

/** The open sessions of a user, newest first. */
export const listOpenSessions = (r: Reader, userId: string, nowMs: number): Promise<UserSessionRow[]> =>
  r.q
    .select()
    .from(userSessions)
    .where(open(userId, nowMs))
    .orderBy(desc(userSessions.createdAt), desc(userSessions.id));

/** Whether the user has signed in from this source recently. */
export const hasUserSignedInFrom = async (r: Reader, userId: string, source: string): Promise<boolean> =>
  (await r.rows("SELECT 1 FROM user_sessions WHERE user_id = ?1 AND source = ?2 LIMIT 1", [userId, source])).length > 0;

export const extendUserSession = async (tx: Tx, id: string, expiresAt: number): Promise<void> =>
  void (await tx.q.update(userSessions).set({ expiresAt }).where(eq(userSessions.id, id)));

/** Ends one open session of a user. False when there is none with this id. */
export const endUserSession = async (tx: Tx, userId: string, id: string, nowMs: number): Promise<boolean> =>
  (
    await tx.q
      .update(userSessions)
      .set({ endedAt: nowMs })
      .where(and(eq(userSessions.id, id), open(userId, nowMs)))
      .returning({ id: userSessions.id })
  ).length > 0;

/** Ends all open sessions of a user. */
export const endUserSessions = async (tx: Tx, userId: string, nowMs: number): Promise<void> =>
  void (await tx.q.update(userSessions).set({ endedAt: nowMs }).where(open(userId, nowMs)));

export const deleteUserSessions = async (tx: Tx, userId: string): Promise<void> =>
  void (await tx.q.delete(userSessions).where(eq(userSessions.userId, userId)));

/** Deletes sessions that expired before; true when there may be more. */
export const pruneUserSessions = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      `DELETE FROM user_sessions WHERE id IN (SELECT id FROM user_sessions WHERE expires_at < ?1 LIMIT ?2)
        RETURNING id`,
      [beforeMs, limit],
    )
  ).length === limit;
