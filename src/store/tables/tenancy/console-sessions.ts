import { and, desc, eq, gt, isNull, ne, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { hot, type Reader, type Tx } from "../../engine/db.ts";
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
    rule: "30 days after its end: it shows from where its person has signed in",
    isSwept: true,
  },
  personal: { none: "of who uses the product" },
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
    rule: "until they end; deleted together with console_sessions",
    isSwept: false,
  },
  personal: { none: "of who uses the product" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "at most five per person, and made within the rate of requests; ten minutes" },
  files: "none",
  backup: "rows alone",
});

const CACHED = "console-session/";
const cacheKeyOf = (hash: string): string => `${CACHED}${hash}`;

/** Forgets what is cached of all sessions: something of a person has changed, or their session. */
export const forgetSessions = (tx: Tx): void => tx.atCommit(() => tx.cache.forgetAll(CACHED));

/** What is cached of a session is what `load` makes of its row. */
export const throughSession = <Row>(
  r: Reader,
  hash: string,
  load: (row: ConsoleSessionRow) => Promise<Row | undefined>,
): Promise<Row | undefined> =>
  r.cache.through(cacheKeyOf(hash), async () => {
    const row = await byHash(r).get({ hash });
    return row && load(row);
  });

const byHash = hot((q) =>
  q
    .select()
    .from(consoleSessions)
    .where(eq(consoleSessions.hash, sql.placeholder("hash")))
    .prepare(),
);

export const findSessionByHash = (r: Reader, hash: string): Promise<ConsoleSessionRow | undefined> =>
  byHash(r).get({ hash });

/** Adds a session. A person keeps at most `keep`, the newest. */
export const insertConsoleSession = async (tx: Tx, row: ConsoleSessionRow, keep: number): Promise<void> => {
  await tx.q.insert(consoleSessions).values(row);
  const dropped = await tx.rows<{ hash: string }>(
    `DELETE FROM console_sessions WHERE person = ?1 AND id NOT IN (SELECT id FROM console_sessions WHERE person = ?1
      ORDER BY created_at DESC, id DESC LIMIT ?2) RETURNING hash`,
    [row.person, keep],
  );
  if (dropped.length > 0) forgetSessions(tx);
};

const open = (person: PersonKey, nowMs: number) =>
  and(eq(consoleSessions.person, person), isNull(consoleSessions.endedAt), gt(consoleSessions.expiresAt, nowMs));

/** The open sessions of a person that were used since, the last used first. */
export const listConsoleSessions = (
  r: Reader,
  person: PersonKey,
  { nowMs, seenAfterMs }: { nowMs: number; seenAfterMs: number },
): Promise<ConsoleSessionRow[]> =>
  r.q
    .select()
    .from(consoleSessions)
    .where(and(open(person, nowMs), gt(consoleSessions.seenAt, seenAfterMs)))
    .orderBy(desc(consoleSessions.seenAt), desc(consoleSessions.id));

/** Ends one open session of a person. False when there is none with this id. */
export const endConsoleSession = async (tx: Tx, person: PersonKey, id: string, nowMs: number): Promise<boolean> => {
  forgetSessions(tx);
  const ended = await tx.q
    .update(consoleSessions)
    .set({ endedAt: nowMs })
    .where(and(eq(consoleSessions.id, id), open(person, nowMs)))
    .returning({ id: consoleSessions.id });
  return ended.length > 0;
};

/** Ends the open sessions of a person, but `except`. */
export const endConsoleSessions = async (tx: Tx, person: PersonKey, nowMs: number, except = ""): Promise<void> => {
  forgetSessions(tx);
  await tx.q
    .update(consoleSessions)
    .set({ endedAt: nowMs })
    .where(and(open(person, nowMs), ne(consoleSessions.id, except)));
};

/** Whether sessions of the person, of the APIs too, have come from this source and with this program. */
export const hasUsedDevice = async (
  r: Reader,
  person: PersonKey,
  { source, userAgent }: { source: string; userAgent: string | null },
): Promise<boolean> => {
  const [row] = await r.rows<{ isKnown: number | null }>(
    `SELECT max(source = ?2) AND max(user_agent IS ?3) AS isKnown FROM (
      SELECT source, user_agent FROM console_sessions WHERE person = ?1
      UNION ALL SELECT source, user_agent FROM user_sessions WHERE user_id = ?4)`,
    [person, source, userAgent, person.startsWith("user:") ? person.slice("user:".length) : ""],
  );
  return row?.isKnown === 1;
};

export const touchConsoleSession = async (tx: Tx, hash: string, atMs: number): Promise<void> => {
  tx.atCommit(() => tx.cache.forget(cacheKeyOf(hash)));
  await tx.q.update(consoleSessions).set({ seenAt: atMs }).where(eq(consoleSessions.hash, hash));
};

/** Changes what a session knows of its person's proofs. */
export const updateConsoleSession = async (
  tx: Tx,
  id: string,
  changes: Partial<Pick<ConsoleSessionRow, "strongAt" | "challenge" | "challengeUntil">>,
): Promise<void> => {
  forgetSessions(tx);
  await tx.q.update(consoleSessions).set(changes).where(eq(consoleSessions.id, id));
};

/** Whether one of these persons has signed in to the console from this source recently. */
export const hasUsedConsoleFrom = async (r: Reader, persons: readonly PersonKey[], source: string): Promise<boolean> =>
  (
    await r.rows(
      "SELECT 1 FROM console_sessions WHERE person IN (SELECT value FROM json_each(?1)) AND source = ?2 LIMIT 1",
      [JSON.stringify(persons), source],
    )
  ).length > 0;

export const deleteConsoleSessions = async (tx: Tx, person: PersonKey): Promise<void> => {
  forgetSessions(tx);
  await tx.q.delete(consoleSessions).where(eq(consoleSessions.person, person));
};

/** Deletes sessions that expired before; true when there may be more. */
export const pruneConsoleSessions = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      `DELETE FROM console_sessions WHERE hash IN (SELECT hash FROM console_sessions WHERE expires_at < ?1 LIMIT ?2)
        RETURNING hash`,
      [beforeMs, limit],
    )
  ).length === limit;

/** Adds a step. A person keeps at most `keep`, the newest; those without a person are bounded by the rate of requests. */
export const insertStep = async (tx: Tx, row: Omit<SignInStepRow, "failures">, keep: number): Promise<void> => {
  await tx.q.insert(signInSteps).values(row);
  if (row.person !== null)
    tx.run(
      `DELETE FROM sign_in_steps WHERE person = ?1 AND hash NOT IN (SELECT hash FROM sign_in_steps WHERE person = ?1
        ORDER BY expires_at DESC LIMIT ?2)`,
      [row.person, keep],
    );
};

export const findStep = (r: Reader, hash: string, nowMs: number): Promise<SignInStepRow | undefined> =>
  r.q
    .select()
    .from(signInSteps)
    .where(and(eq(signInSteps.hash, hash), gt(signInSteps.expiresAt, nowMs)))
    .get();

export const countStepFailure = (tx: Tx, hash: string): void =>
  tx.run("UPDATE sign_in_steps SET failures = failures + 1 WHERE hash = ?1", [hash]);

/** False when the step was already used. */
export const deleteStep = async (tx: Tx, hash: string): Promise<boolean> =>
  (await tx.q.delete(signInSteps).where(eq(signInSteps.hash, hash)).returning({ hash: signInSteps.hash })).length > 0;

export const deleteStepsOf = async (tx: Tx, person: PersonKey): Promise<void> =>
  void (await tx.q.delete(signInSteps).where(eq(signInSteps.person, person)));

/** Deletes expired steps; true when there may be more. */
export const pruneSteps = async (tx: Tx, nowMs: number, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      `DELETE FROM sign_in_steps WHERE hash IN (SELECT hash FROM sign_in_steps WHERE expires_at < ?1 LIMIT ?2)
        RETURNING hash`,
      [nowMs, limit],
    )
  ).length === limit;
