import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, statement, updateOf } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";

/** A person who signs in to the console, named as in the audit log. */
export type PersonKey = `operator:${string}` | `user:${string}`;

/**
 * Sessions of the console. `hash`: the SHA-256 of the cookie's value. `source`: the key under which the address is
 * counted. `strongAt`: when the person last proved who they are. `challenge`: what a passkey signs for this session.
 * An ended session stays for a while, because it shows from where its person has signed in.
 */
export const consoleSessions = sqliteTable(
  "console_sessions",
  {
    hash: text().primaryKey(),
    id: text().notNull().unique(),
    person: text().$type<PersonKey>().notNull(),
    address: text().notNull(),
    source: text().notNull(),
    userAgent: text("user_agent"),
    createdAt: integer("created_at").notNull(),
    seenAt: integer("seen_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    strongAt: integer("strong_at").notNull(),
    challenge: text(),
    challengeUntil: integer("challenge_until"),
    endedAt: integer("ended_at"),
  },
  (t) => [
    index("console_sessions_by_person").on(t.person, t.source),
    index("console_sessions_by_expiry").on(t.expiresAt),
  ],
);
export type ConsoleSessionRow = typeof consoleSessions.$inferSelect;

export const consoleSessionsLaws = laws(consoleSessions, {
  keeps: {
    group: "work",
    setting: "none",
    rule: "30 days after the session's end, because its person sees from where they signed in",
    isSwept: true,
  },
  personal: { none: "data of the product's own users" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "at most 100 per operator and user" },
  files: "none",
  backup: "rows alone",
});

/** Sign-ins that wait for a second step, or for a passkey. `person`: null until a passkey says who it is. */
export const signInSteps = sqliteTable(
  "sign_in_steps",
  {
    hash: text().primaryKey(),
    person: text().$type<PersonKey>(),
    challenge: text().notNull(),
    /** The wrong answers so far. */
    failures: integer().notNull().default(0),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [index("sign_in_steps_by_expiry").on(t.expiresAt)],
);
export type SignInStepRow = typeof signInSteps.$inferSelect;

export const signInStepsLaws = laws(signInSteps, {
  keeps: {
    group: "work",
    setting: "none",
    rule: "until it expires; deleted together with console_sessions",
    isSwept: false,
  },
  personal: { none: "data of the product's own users" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "at most five per person, made within the rate of requests; kept for ten minutes" },
  files: "none",
  backup: "rows alone",
});

const CACHED = "console-session/";
const cacheKeyOf = (hash: string): string => `${CACHED}${hash}`;

/** Clears the cache of all sessions, because a person or a session has changed. */
export const forgetSessions = (tx: Tx): void => tx.atCommit(() => tx.cache.forgetAll(CACHED));

const SESSION = columnsOf(consoleSessions);
type OfPerson = { person: PersonKey };

const byHash = statement<ConsoleSessionRow, { hash: string }>(
  "SELECT * FROM console_sessions WHERE hash = :hash",
  SESSION,
);

/** The cache holds what `load` makes of the session's row. */
export const throughSession = <Row>(
  r: Reader,
  hash: string,
  load: (row: ConsoleSessionRow) => Promise<Row | undefined>,
): Promise<Row | undefined> =>
  r.cache.through(cacheKeyOf(hash), async () => {
    const row = await byHash.get(r, { hash });
    return row && load(row);
  });

export const findSessionByHash = (r: Reader, hash: string): Promise<ConsoleSessionRow | undefined> =>
  byHash.get(r, { hash });

const insertSession = insertInto(consoleSessions);
const dropOldest = statement<unknown, OfPerson & { keep: number }>(
  `DELETE FROM console_sessions WHERE person = :person AND id NOT IN (SELECT id FROM console_sessions
    WHERE person = :person ORDER BY created_at DESC, id DESC LIMIT :keep) RETURNING 1`,
);

/** Adds a session. A person keeps at most `keep`, the newest. */
export const insertConsoleSession = async (tx: Tx, row: ConsoleSessionRow, keep: number): Promise<void> => {
  insertSession(tx, row);
  const dropped = await dropOldest.all(tx, { person: row.person, keep });
  if (dropped.length > 0) forgetSessions(tx);
};

const IS_OPEN = "person = :person AND ended_at IS NULL AND expires_at > :nowMs";
type Now = { nowMs: number };

const open = statement<ConsoleSessionRow, OfPerson & Now & { seenAfterMs: number }>(
  `SELECT * FROM console_sessions WHERE ${IS_OPEN} AND seen_at > :seenAfterMs ORDER BY seen_at DESC, id DESC`,
  SESSION,
);

/** The open sessions of a person that were used since a time, the last used first. Bound: 100 per person. */
export const listConsoleSessions = (
  r: Reader,
  person: PersonKey,
  { nowMs, seenAfterMs }: Now & { seenAfterMs: number },
): Promise<ConsoleSessionRow[]> => open.all(r, { person, nowMs, seenAfterMs });

const end = statement<unknown, OfPerson & Now & { id: string }>(
  `UPDATE console_sessions SET ended_at = :nowMs WHERE id = :id AND ${IS_OPEN} RETURNING 1`,
);

/** Ends one open session of a person. False without such a session. */
export const endConsoleSession = async (tx: Tx, person: PersonKey, id: string, nowMs: number): Promise<boolean> => {
  forgetSessions(tx);
  return (await end.all(tx, { person, id, nowMs })).length > 0;
};

const endOthers = statement<never, OfPerson & Now & { except: string }>(
  `UPDATE console_sessions SET ended_at = :nowMs WHERE ${IS_OPEN} AND id <> :except`,
);

/** Ends the open sessions of a person, except for `except`. */
export const endConsoleSessions = async (tx: Tx, person: PersonKey, nowMs: number, except = ""): Promise<void> => {
  forgetSessions(tx);
  endOthers.run(tx, { person, nowMs, except });
};

type Device = Pick<ConsoleSessionRow, "source" | "userAgent">;
const usedDevice = statement<{ isKnown: number | null }, OfPerson & Device & { userId: string }>(
  `SELECT max(source = :source) AND max(user_agent IS :userAgent) AS isKnown FROM (
    SELECT source, user_agent FROM console_sessions WHERE person = :person
    UNION ALL SELECT source, user_agent FROM user_sessions WHERE user_id = :userId)`,
);

/** Whether sessions of the person, of the APIs too, have come from this source and with this program. */
export const hasUsedDevice = async (r: Reader, person: PersonKey, { source, userAgent }: Device): Promise<boolean> => {
  const userId = person.startsWith("user:") ? person.slice("user:".length) : "";
  return (await usedDevice.get(r, { person, source, userAgent, userId }))?.isKnown === 1;
};

const touch = statement<never, { hash: string; atMs: number }>(
  "UPDATE console_sessions SET seen_at = :atMs WHERE hash = :hash",
);

export const touchConsoleSession = async (tx: Tx, hash: string, atMs: number): Promise<void> => {
  tx.atCommit(() => tx.cache.forget(cacheKeyOf(hash)));
  touch.run(tx, { hash, atMs });
};

const update = updateOf<typeof consoleSessions, { id: string }>(consoleSessions, "WHERE id = :id");

/** Changes the proofs of its person that a session stores. */
export const updateConsoleSession = async (
  tx: Tx,
  id: string,
  changes: Partial<Pick<ConsoleSessionRow, "strongAt" | "challenge" | "challengeUntil">>,
): Promise<void> => {
  forgetSessions(tx);
  await update(tx, changes, { id });
};

const take = statement<unknown, { id: string; challenge: string }>(
  `UPDATE console_sessions SET challenge = NULL, challenge_until = NULL WHERE id = :id AND challenge = :challenge
    RETURNING 1`,
);

/**
 * Takes the challenge of a session, which works once. False if the session waits for another challenge, or for no
 * challenge.
 */
export const takeSessionChallenge = async (tx: Tx, id: string, challenge: string): Promise<boolean> => {
  forgetSessions(tx);
  return (await take.get(tx, { id, challenge })) !== undefined;
};

const usedFrom = statement<unknown, { persons: readonly PersonKey[]; source: string }>(
  `SELECT 1 FROM console_sessions WHERE person IN (SELECT value FROM json_each(:persons)) AND source = :source
    LIMIT 1`,
);

/** Whether one of these persons has signed in to the console from this source recently. */
export const hasUsedConsoleFrom = async (r: Reader, persons: readonly PersonKey[], source: string): Promise<boolean> =>
  (await usedFrom.all(r, { persons, source })).length > 0;

const removeSessions = statement<never, OfPerson>("DELETE FROM console_sessions WHERE person = :person");

export const deleteConsoleSessions = async (tx: Tx, person: PersonKey): Promise<void> => {
  forgetSessions(tx);
  removeSessions.run(tx, { person });
};

const pruneExpired = statement<unknown, { beforeMs: number; limit: number }>(
  `DELETE FROM console_sessions WHERE hash IN (SELECT hash FROM console_sessions WHERE expires_at < :beforeMs
    LIMIT :limit) RETURNING 1`,
);

/** Deletes sessions that expired before a time; true when there may be more. */
export const pruneConsoleSessions = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (await pruneExpired.all(tx, { beforeMs, limit })).length === limit;

const insertSignIn = insertInto(signInSteps);
const dropOldSteps = statement<never, OfPerson & { keep: number }>(
  `DELETE FROM sign_in_steps WHERE person = :person AND hash NOT IN (SELECT hash FROM sign_in_steps
    WHERE person = :person ORDER BY expires_at DESC LIMIT :keep)`,
);

/** Adds a step. A person keeps at most `keep`, the newest; those without a person are bounded by the rate of requests. */
export const insertStep = async (tx: Tx, row: Omit<SignInStepRow, "failures">, keep: number): Promise<void> => {
  insertSignIn(tx, row);
  if (row.person !== null) dropOldSteps.run(tx, { person: row.person, keep });
};

const stepByHash = statement<SignInStepRow, Now & { hash: string }>(
  "SELECT * FROM sign_in_steps WHERE hash = :hash AND expires_at > :nowMs",
  columnsOf(signInSteps),
);

export const findStep = (r: Reader, hash: string, nowMs: number): Promise<SignInStepRow | undefined> =>
  stepByHash.get(r, { hash, nowMs });

const countFailure = statement<never, { hash: string }>(
  "UPDATE sign_in_steps SET failures = failures + 1 WHERE hash = :hash",
);
export const countStepFailure = (tx: Tx, hash: string): void => countFailure.run(tx, { hash });

const removeStep = statement<unknown, { hash: string }>("DELETE FROM sign_in_steps WHERE hash = :hash RETURNING 1");

/** False when the step was already used. */
export const deleteStep = async (tx: Tx, hash: string): Promise<boolean> =>
  (await removeStep.all(tx, { hash })).length > 0;

const removeStepsOf = statement<never, OfPerson>("DELETE FROM sign_in_steps WHERE person = :person");
export const deleteStepsOf = async (tx: Tx, person: PersonKey): Promise<void> => removeStepsOf.run(tx, { person });

const pruneExpiredSteps = statement<unknown, Now & { limit: number }>(
  `DELETE FROM sign_in_steps WHERE hash IN (SELECT hash FROM sign_in_steps WHERE expires_at < :nowMs LIMIT :limit)
    RETURNING 1`,
);

/** Deletes expired steps; true when there may be more. */
export const pruneSteps = async (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  (await pruneExpiredSteps.all(tx, { nowMs, limit })).length === limit;
