import { SECOND_MS } from "../../kernel/clock.ts";
import { countAtMost } from "./bounded-counts.ts";
import { bind, openBeside } from "./connection.ts";
import { type Reader, readerOf } from "./db.ts";
import { MIGRATIONS } from "./migrations.ts";
import { KNOWN, missingOf } from "./migrator.ts";
import { createHrana, type ServerAddress } from "./remote/hrana.ts";
import type { RemoteReads } from "./remote/remote-reads.ts";
import { createRowCache } from "./row-cache.ts";
import { statement } from "./statement.ts";

/** Read-only access to a database that another process may serve. Writes, creates and locks nothing. */
export type Inspection = { reader: Reader; close(): void };

/**
 * Opens a file for inspection.
 *
 * @throws Error when it is missing, unreadable or no database
 */
export const inspectFile = async (path: string): Promise<Inspection> => {
  const connection = openBeside(path);
  const reader = readerOf(connection);
  try {
    await reader.rows("SELECT count(*) FROM sqlite_master"); // reads the file for the first time: opening alone does not
  } catch (error) {
    connection.close();
    throw error;
  }
  return { reader, close: () => connection.close() };
};

/**
 * Opens a server's database for inspection.
 *
 * @throws when the server is unreachable or refuses access
 */
export const inspectServer = async (address: ServerAddress): Promise<Inspection> => {
  const server = createHrana(address);
  const ask: RemoteReads["ask"] = async (sql, params) => {
    const [result] = await server.open().batch([{ sql, params: params.map(bind), wantsRows: true }], { isLast: true });
    if (result?.is === "done") return result;
    throw result?.is === "failed" ? result.error : new Error("the database server left a statement out");
  };
  const { readerOn } = await import("./remote/remote-db.ts"); // not needed for a file
  const reader = readerOn({ ask }, createRowCache());
  try {
    await reader.rows("SELECT 1");
  } catch (error) {
    server.close();
    throw error;
  }
  return { reader, close: server.close };
};

/**
 * The migrations that the database lacks.
 *
 * @throws Error when the database is newer than this program, or of another program
 */
export const missingMigrations = async (r: Reader): Promise<string[]> => {
  const [table] = await r.rows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'");
  const known = table ? await r.rows<{ tag: string; hash: string }>(KNOWN) : [];
  const missing = missingOf(
    known.map(({ tag, hash }) => [tag, hash]),
    MIGRATIONS,
  );
  return missing.map(({ tag }) => tag);
};

const FEW = 10;
const damage = statement<{ integrity_check: string }>(`PRAGMA integrity_check(${FEW})`);
const brokenReferences = statement<{ table: string; count: number }>(
  'SELECT "table", count(*) AS count FROM pragma_foreign_key_check GROUP BY 1',
);

/**
 * At most ten faults that SQLite finds, and the tables with rows that refer to missing rows. Reads the whole file.
 * Bound: ten faults, and one row per table.
 */
export const findDamages = async (r: Reader): Promise<string[]> => {
  const damages = await damage.all(r);
  const broken = await brokenReferences.all(r);
  return [
    ...damages.map(({ integrity_check: found }) => found).filter((found) => found !== "ok"),
    ...broken.map(({ table, count }) => `${table}: ${count} rows refer to rows that do not exist`),
  ];
};

/**
 * The parts of the database that need a network or a set-up: the kinds of channels, and whether an account uses the
 * server's default model provider.
 */
export type Uses = { tenants: number; kinds: string[]; hasDefaultLlm: boolean };

const kindsInUse = statement<{ kind: string }>("SELECT DISTINCT kind FROM channels");
const uses = statement<{ tenants: number; llm: number }>(
  `SELECT (SELECT count(*) FROM tenants) AS tenants, EXISTS (SELECT 1 FROM llm_settings WHERE key IS NOT NULL
    AND base_url IS NULL) AS llm`,
);

/** Bound: one row per kind. */
export const readUses = async (r: Reader): Promise<Uses> => {
  const kinds = await kindsInUse.all(r);
  const counted = await uses.get(r);
  return { tenants: counted?.tenants ?? 0, kinds: kinds.map(({ kind }) => kind), hasDefaultLlm: counted?.llm === 1 };
};

const ownLlms = statement<{ url: string }, { limit: number }>(
  `SELECT base_url AS url FROM llm_settings WHERE key IS NOT NULL AND base_url IS NOT NULL
    UNION SELECT embedding_base_url FROM llm_settings WHERE key IS NOT NULL AND embedding_base_url IS NOT NULL
    ORDER BY url LIMIT :limit`,
);

/** The model providers of accounts with a key of their own, those for knowledge too; at most `limit`. */
export const listOwnLlmUrls = async (r: Reader, limit: number): Promise<string[]> =>
  (await ownLlms.all(r, { limit })).map(({ url }) => url);

/** The maximum number of webhooks to inspect. */
const MANY = 1000;
const FAILURES = "max(breaker_failures, consecutive_failures)";

const activeWebhooks = statement<{ url: string }, { limit: number }>(
  `SELECT url FROM subscriptions WHERE is_active = 1 ORDER BY ${FAILURES} DESC, id LIMIT :limit`,
);

/** The URLs of active webhooks, failing ones first. */
export const listWebhookUrls = async (r: Reader): Promise<string[]> =>
  (await activeWebhooks.all(r, { limit: MANY })).map(({ url }) => url);

/** A webhook whose last delivery failed, or that was disabled after failures, with its last error. */
export type FailingEndpoint = {
  id: string;
  url: string;
  isActive: number;
  failures: number;
  lastFailedAt: number | null;
  lastError: string | null;
};

const failing = statement<FailingEndpoint, { limit: number }>(
  `SELECT id, url, is_active AS isActive, ${FAILURES} AS failures, last_failed_at AS lastFailedAt,
    (SELECT error FROM attempts WHERE subscription_id = s.id AND is_delivered = 0
    ORDER BY attempts.id DESC LIMIT 1) AS lastError
    FROM subscriptions s WHERE (is_active = 1 AND ${FAILURES} > 0) OR (is_active = 0 AND disabled_at IS NOT NULL)
    ORDER BY failures DESC, id LIMIT :limit`,
);

/** The webhooks with most failures first. */
export const listFailingEndpoints = (r: Reader, limit: number): Promise<FailingEndpoint[]> => failing.all(r, { limit });

/** Work that waits, was discarded, or is overdue, counted up to 10,000. `oldestDueAt`: when the first waiting job was due. */
export type Backlog = {
  waiting: number;
  stuckQueues: number;
  oldestDueAt: number | null;
  discardedJobs: number;
  deadDeliveries: number;
};

const backlog = statement<Backlog, { dueBeforeMs: number }>(
  `SELECT ${countAtMost("jobs")} AS waiting,
    (SELECT count(*) FROM queues WHERE running < concurrency_limit AND next_at IS NOT NULL
    AND next_at < :dueBeforeMs) AS stuckQueues,
    (SELECT min(next_at) FROM queues WHERE running < concurrency_limit AND next_at IS NOT NULL) AS oldestDueAt,
    ${countAtMost("discarded_jobs")} AS discardedJobs,
    ${countAtMost("deliveries WHERE status = 'DEAD'")} AS deadDeliveries`,
);

/** `stuck` are queues with a free place whose first job was due before `dueBeforeMs`. */
export const readBacklog = async (r: Reader, dueBeforeMs: number): Promise<Backlog> =>
  (await backlog.get(r, { dueBeforeMs })) as Backlog; // there is always one row

/** A channel that should be connected without limits and is not. */
export type ChannelAway = { id: string; kind: string; state: string; reason: string | null };

type Away = { byOwner: string; sinceMs: number };
const away = statement<ChannelAway, Away>(
  `SELECT id, kind, state, profile ->> 'stateReason' AS reason FROM channels
    WHERE connected_at IS NOT NULL AND (state IN ('TOKEN_EXPIRED', 'FAILED', 'PENDING_QR', 'RESTRICTED')
      OR (state = 'CONNECTING' AND updated_at < :sinceMs)
      OR (state = 'DISCONNECTED' AND coalesce(profile ->> 'stateReason', :byOwner) <> :byOwner)) ORDER BY id`,
);

/**
 * Channels that lost their connection or are restricted, except those that their owner disconnected. A connecting
 * channel counts only if it has been connecting since before `sinceMs`. Bound: the channels of this server.
 */
export const listChannelsAway = (r: Reader, { byOwner, sinceMs }: Away): Promise<ChannelAway[]> =>
  away.all(r, { byOwner, sinceMs });

/** A process with a valid lease. `url`: where other nodes reach it. */
export type LiveNode = { id: string; url: string | null };

const NOW = "cast(unixepoch('subsec') * 1000 AS integer)";
const liveNodes = statement<LiveNode>(`SELECT id, url FROM processes WHERE lease_until > ${NOW} ORDER BY id`);

/** Uses the database's time. Bound: the processes that serve the database. */
export const listLiveNodes = (r: Reader): Promise<LiveNode[]> => liveNodes.all(r);

const databaseTime = statement<{ now: number }>(`SELECT ${NOW} AS now`);

/** The database's time in milliseconds; a remote database has another machine's time. */
export const databaseNow = async (r: Reader): Promise<number> => (await databaseTime.get(r))?.now ?? 0;

/** NTP keeps clocks within milliseconds of each other. Above this, one of two clocks is wrong. */
export const MAX_CLOCK_DIFFERENCE_MS = 5 * SECOND_MS;

/**
 * The time by which the clock of the database's machine is ahead of this one, in ms; negative if it is behind. 0 up to
 * five seconds. A slow answer makes no difference.
 */
export const databaseAhead = async (r: Reader, now: () => number): Promise<number> => {
  const before = now();
  const theirs = await databaseNow(r);
  const after = now();
  const ahead = theirs < before ? theirs - before : Math.max(0, theirs - after);
  return Math.abs(ahead) > MAX_CLOCK_DIFFERENCE_MS ? ahead : 0;
};

const synchronous = statement<{ synchronous: number }>("PRAGMA synchronous");

/** SQLite's `synchronous` setting; 2 syncs at every commit. */
export const readSynchronous = async (r: Reader): Promise<number> => (await synchronous.get(r))?.synchronous ?? 0;

type Operators = { operators: number; withoutSecond: number };
const operators = statement<Operators>(
  `SELECT count(*) AS operators, count(*) FILTER (WHERE
    NOT EXISTS (SELECT 1 FROM console_people WHERE person = 'operator:' || operators.id AND totp_since IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM passkeys WHERE person = 'operator:' || operators.id)) AS withoutSecond
    FROM operators`,
);

/** The number of operators, and how many of them have neither an authenticator app nor a passkey. */
export const operatorsWithoutSecondStep = async (r: Reader): Promise<Operators> =>
  (await operators.get(r)) ?? { operators: 0, withoutSecond: 0 };

type OpenLinks = { pairing: number; invitations: number };
const openLinks = statement<OpenLinks, { nowMs: number }>(
  `SELECT (SELECT count(*) FROM pairing_links WHERE expires_at > :nowMs AND ended_at IS NULL) AS pairing,
    (SELECT count(*) FROM invitations WHERE expires_at > :nowMs) AS invitations`,
);

/** The number of open links for others: to pair a phone, and to join an institution. */
export const countOpenLinks = async (r: Reader, nowMs: number): Promise<OpenLinks> =>
  (await openLinks.get(r, { nowMs })) ?? { pairing: 0, invitations: 0 };
