import type { TenantId } from "../../kernel/ids.ts";
import type { Db, Reader, Tx } from "../engine/db.ts";
import { noteSubscriptionChange } from "../tables/events/subscriptions.ts";
import { KEY_ENDED } from "../tables/messaging/messages.ts";
import { type Queue, refreshQueue } from "../tables/queues.ts";

/** The account whose rows move, and the institution that gets them. `channelIds`: the channels of the account. */
export type Joining = { from: TenantId; into: TenantId; channelIds: readonly string[] };

/**
 * How the rows of a table move. `which` finds those that move in the write of the join: ?1 is the account, ?3 its
 * channels. `move`: the statements for some of the rows; ?2 is the institution. `isHistory`: rows that nothing depends
 * on, and that may be many: they follow, some per write.
 */
type Rule = { which: string; move(which: string): string[]; isHistory?: true };

const OF_TENANT = "tenant_id = ?1";
/** For tables whose rows are found by their channel. */
const OF_CHANNELS = "tenant_id = ?1 AND channel_id IN (SELECT value FROM json_each(?3))";
const NONE = "0";
/** A waiting job, as an index has it. */
const WAITS = "owner IS NULL AND priority IN (0, 1, 2)";

const changing = (table: string, which = OF_TENANT, set = "tenant_id = ?2"): Rule => ({
  which,
  move: (some) => [`UPDATE ${table} SET ${set} WHERE ${some}`],
});

/** Rows of sums: where the institution has one too, both are added. `kept`: columns that are no sums. */
const adding = (table: string, { by, sums, kept = [] }: { by: string[]; sums: string[]; kept?: string[] }): Rule => {
  const columns = [...by, ...sums, ...kept].join(", ");
  const added = sums.map((name) => `${name} = ${name} + excluded.${name}`).join(", ");
  return {
    which: OF_TENANT,
    move: (some) => [
      `INSERT INTO ${table} (tenant_id, ${columns}) SELECT ?2, ${columns} FROM ${table} WHERE ${some}
        ON CONFLICT (tenant_id, ${by.join(", ")}) DO UPDATE SET ${added}`,
      `DELETE FROM ${table} WHERE ${some}`,
    ],
  };
};

/** Rows of which a tenant has one per name: that of the institution stays. */
const yielding = (table: string): Rule => ({
  which: OF_TENANT,
  move: (some) => [`UPDATE OR IGNORE ${table} SET tenant_id = ?2 WHERE ${some}`, `DELETE FROM ${table} WHERE ${some}`],
});

/** `which`: the rows that work which waits depends on. */
const history = (rule: Rule, which = NONE): Rule => ({ ...rule, which, isHistory: true });

const LAGS = "50 100 250 500 1000 2500 5000 15000 60000 300000 3600000 more".split(" ").map((name) => `lag_${name}`);

/** TABLE: every table of a tenant's rows. `contacts` are merged before they move. */
export const MOVES: Readonly<Record<string, Rule>> = {
  agents: changing("agents"),
  ai_conversations: changing("ai_conversations", OF_CHANNELS),
  api_keys: changing("api_keys"),
  batches: changing("batches"),
  business_hours: yielding("business_hours"),
  calls: changing("calls"),
  charge_windows: changing("charge_windows", OF_CHANNELS),
  cloud_numbers: changing("cloud_numbers"),
  contacts: changing("contacts"),
  conversations: changing("conversations"),
  daily_sends: adding("daily_sends", { by: ["day"], sums: ["sends"] }),
  documents: changing("documents", OF_CHANNELS),
  erasures: changing("erasures"),
  flows: changing("flows"),
  groups: changing("groups", OF_CHANNELS),
  idempotency_keys: yielding("idempotency_keys"),
  // the institution may have an invoice of the same month: then this one counts as an entry of its own
  invoices: changing(
    "invoices",
    OF_TENANT,
    `is_manual = is_manual OR EXISTS (SELECT 1 FROM invoices AS own WHERE own.tenant_id = ?2
      AND own.period_start = invoices.period_start AND own.is_manual = 0), tenant_id = ?2`,
  ),
  llm_spending: adding("llm_spending", {
    by: ["day", "channel_id", "conversation_id"],
    sums: ["tokens"],
    kept: ["notified_at"],
  }),
  llm_usage: adding("llm_usage", { by: ["day", "model"], sums: ["calls", "prompt_tokens", "completion_tokens"] }),
  lookups: changing("lookups", OF_CHANNELS),
  mails: changing("mails"),
  pairing_links: changing("pairing_links", OF_CHANNELS),
  scheduled: changing("scheduled"),
  subscriptions: changing("subscriptions"),
  // requests under an idempotency key stay with who made them, for a day
  tenant_counts: {
    ...adding("tenant_counts", { by: ["collection"], sums: ["n"] }),
    which: "tenant_id = ?1 AND collection <> 'keyed-requests'",
  },
  templates: changing("templates"),
  usage_conversations: adding("usage_conversations", { by: ["day", "category"], sums: ["count"] }),
  activity_hours: history(
    adding("activity_hours", {
      by: ["channel_id", "hour", "kind"],
      sums: ["accepted", "sent", "delivered", "read", "failed", "received", "notified", "refused", "dead", ...LAGS],
    }),
  ),
  charge_days: history(
    adding("charge_days", {
      by: ["day", "local_day", "channel_id", "country", "category", "type", "state", "currency"],
      sums: ["count", "micros"],
    }),
  ),
  deliveries: history(changing("deliveries")),
  events: history(
    changing("events"),
    `tenant_id = ?1 AND seq IN (SELECT json_extract(payload, '$.eventSeq') FROM jobs
      WHERE queue = 'fan-out:' || ?1 AND ${WAITS})`,
  ),
  identities: history(changing("identities")),
  media: history(changing("media", OF_TENANT, "folder = coalesce(folder, tenant_id), tenant_id = ?2")),
  message_acts: history(changing("message_acts")),
  messages: history(
    changing("messages"),
    `tenant_id = ?1 AND rowid IN (SELECT rowid FROM messages WHERE status = 'QUEUED'
        AND channel_id IN (SELECT value FROM json_each(?3))
      UNION ALL SELECT messages.rowid FROM fallbacks JOIN messages ON messages.id = fallbacks.id
        WHERE fallbacks.tenant_id = ?1 AND fallbacks.status = 'WAITING')`,
  ),
  // after their messages
  fallbacks: history(changing("fallbacks"), "tenant_id = ?1 AND status = 'WAITING'"),
  received_messages: history(changing("received_messages")),
  reported_charges: history(
    adding("reported_charges", {
      by: ["day", "channel_id", "country", "category", "type", "tier"],
      sums: ["count", "micros"],
      kept: ["local_day", "currency"],
    }),
  ),
  stored_items: history(changing("stored_items")),
  usage_days: history(adding("usage_days", { by: ["day", "channel_id"], sums: ["sent", "received"], kept: ["kind"] })),
  // last, so that what they let be found has moved before
  channels: changing("channels"),
};

/** The tables whose rows follow, in their order. */
export const HISTORY: readonly string[] = Object.keys(MOVES).filter((table) => MOVES[table]?.isHistory);

/** TABLE: the tables of a tenant's rows that do not move so, and why. */
export const STAYS: Readonly<Record<string, string>> = {
  audit_entries: "the chain is evidence: its entries never change",
  billing_customers: "its CPF or CNPJ is sealed for one tenant: it is sealed anew",
  invitations: "an account of the gateway has no members",
  llm_settings: "its key is sealed for one tenant: it is sealed anew",
  members: "an account of the gateway has no members",
};

/** Runs SQL with as many of the parameters as it names. */
const bound = (sql: string, given: readonly unknown[]): [string, unknown[]] => [
  sql.includes("?2") || !sql.includes("?3") ? sql : sql.replaceAll("?3", "?2"),
  sql.includes("?3")
    ? [given[0], ...(sql.includes("?2") ? [given[1]] : []), given[2]]
    : given.slice(0, sql.includes("?2") ? 2 : sql.includes("?1") ? 1 : 0),
];

export type Counts = Record<string, number>;

/** How many rows of each table move in the write of the join; a table is counted up to `most`. */
export const countJoining = async (r: Reader, { from, into, channelIds }: Joining, most: number): Promise<Counts> => {
  const counts: Counts = {};
  for (const [table, { which }] of Object.entries(MOVES)) {
    if (which === NONE) continue;
    const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${which} LIMIT ${most})`;
    const [row] = await r.rows<{ n: number }>(...bound(sql, [from, into, JSON.stringify(channelIds)]));
    if (row && row.n > 0) counts[table] = row.n;
  }
  return counts;
};

/** How many messages an account has sent and received, counted up to `most`. */
export const countHistory = async (r: Reader, tenantId: TenantId, most: number): Promise<number> => {
  const ofTable = (table: string) =>
    `(SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE tenant_id = ?1 AND environment = 'live' LIMIT ${most}))`;
  const sql = `SELECT ${ofTable("messages")} + ${ofTable("received_messages")} AS n`;
  return Math.min(most, (await r.rows<{ n: number }>(sql, [tenantId]))[0]?.n ?? 0);
};

/** Moves all rows but those of the history. Contacts that both have must be merged before. */
export const moveRows = (tx: Tx, { from, into, channelIds }: Joining): void => {
  for (const { which, move } of Object.values(MOVES)) {
    if (which === NONE) continue;
    for (const sql of move(which)) tx.run(...bound(sql, [from, into, JSON.stringify(channelIds)]));
  }
  noteSubscriptionChange(tx);
  tx.atCommit(() => {
    for (const prefix of ["channel/", "cloud-number/"]) for (const id of channelIds) tx.cache.forget(prefix + id);
  });
};

/** The institution's keys of names that the account has too, and that mean nothing any more. */
const END_KEYS = `DELETE FROM idempotency_keys WHERE tenant_id = ?2
  AND key IN (SELECT key FROM idempotency_keys WHERE tenant_id = ?1) AND ${KEY_ENDED("?3")}`;

/** A message that waits under a key which stands for something of the other tenant, and for nothing else of its own. */
const WITHOUT_KEY = `UPDATE scheduled SET payload = json_remove(payload, '$.idempotencyKey')
  WHERE tenant_id IN (?1, ?2) AND status IN ('PENDING', 'PROCESSING')
  AND EXISTS (SELECT 1 FROM idempotency_keys AS other WHERE other.key = scheduled.payload ->> 'idempotencyKey'
    AND other.tenant_id = iif(scheduled.tenant_id = ?1, ?2, ?1))
  AND NOT EXISTS (SELECT 1 FROM idempotency_keys AS own WHERE own.key = scheduled.payload ->> 'idempotencyKey'
    AND own.tenant_id = scheduled.tenant_id AND (own.tenant_id = ?2 OR own.message_id <> scheduled.id))`;

/**
 * Settles what an idempotency key means that both have used: the institution's stays. A scheduled message whose key
 * yields waits on without one, so that it is sent. A repeat of its request is refused, and so sends nothing twice.
 */
export const settleKeys = (tx: Tx, { from, into }: Joining, nowMs: number): void => {
  tx.run(END_KEYS, [from, into, nowMs]);
  tx.run(WITHOUT_KEY, [from, into]);
};

/** Rows of a table that were looked at: those of the account, and the last one; undefined at its end. */
export type Page = { rows: readonly number[]; last: number | undefined };

/** The next rows, in a turn of the event loop of their own, so that reading a whole table blocks nobody. */
export const readHistory = async (
  db: Pick<Db, "read">,
  { table, from, after, limit }: { table: string; from: TenantId; after: number; limit: number },
): Promise<Page> => {
  await new Promise<void>((resolve) => void setImmediate(resolve));
  const looked = await db.read((reader) =>
    reader.rows<{ at: number; isOwn: number }>(
      `SELECT rowid AS at, tenant_id = ?1 AS isOwn FROM ${table} WHERE rowid > ?2 ORDER BY rowid LIMIT ?3`,
      [from, after, limit],
    ),
  );
  return {
    rows: looked.filter(({ isOwn }) => isOwn === 1).map(({ at }) => at),
    last: looked.length < limit ? undefined : looked.at(-1)?.at,
  };
};

/** Moves these rows of a table, as far as they are still the account's. */
export const moveHistory = (
  tx: Tx,
  table: string,
  { from, into, rows }: { from: TenantId; into: TenantId; rows: readonly number[] },
): void => {
  const some = "tenant_id = ?1 AND rowid IN (SELECT value FROM json_each(?3))";
  for (const sql of MOVES[table]?.move(some) ?? []) tx.run(...bound(sql, [from, into, JSON.stringify(rows)]));
};

/** A contact of the account whom the institution knows too. */
export type SharedContact = { id: string; knownId: string };

/** By number first: a person's alias is the weaker sign. */
export const listShared = (r: Reader, { from, into }: Joining): Promise<SharedContact[]> =>
  r.rows(
    `SELECT c.id, coalesce(n.id, a.id) AS knownId FROM contacts AS c
      LEFT JOIN contacts AS n ON c.number_key IS NOT NULL AND n.tenant_id = ?2 AND n.number_key = c.number_key
        AND n.environment = c.environment
      LEFT JOIN contacts AS a ON c.alias IS NOT NULL AND a.tenant_id = ?2 AND a.alias = c.alias
        AND a.environment = c.environment
      WHERE c.tenant_id = ?1 AND coalesce(n.id, a.id) IS NOT NULL`,
    [from, into],
  );

/** Gives the conversations of one contact to another. One that is open beside an open one of the same channel is closed. */
export const moveConversations = (tx: Tx, { id, knownId }: SharedContact, nowMs: number): void => {
  tx.run(
    `UPDATE conversations SET status = 'CLOSED', closed_at = ?3 WHERE contact_id = ?1 AND status = 'OPEN' AND EXISTS
      (SELECT 1 FROM conversations AS own WHERE own.channel_id = conversations.channel_id AND own.contact_id = ?2
        AND own.environment = conversations.environment AND own.status = 'OPEN')`,
    [id, knownId, nowMs],
  );
  tx.run("UPDATE conversations SET contact_id = ?2 WHERE contact_id = ?1", [id, knownId]);
};

/** Whether a job of a queue is running. */
export const isRunning = async (r: Reader, keys: readonly string[]): Promise<boolean> =>
  (
    await r.rows("SELECT 1 FROM queues WHERE key IN (SELECT value FROM json_each(?1)) AND running > 0 LIMIT 1", [
      JSON.stringify(keys),
    ])
  ).length > 0;

/** Moves the waiting jobs of a tenant's queue to that of another tenant, whose id their payloads then have. */
export const moveJobs = (tx: Tx, from: Queue, into: Queue, tenantId: TenantId): void => {
  tx.run(
    `INSERT OR IGNORE INTO queues (key, kind, channel_id, concurrency_limit, running, next_at, paused_until, owner)
      SELECT ?2, kind, channel_id, concurrency_limit, 0, NULL, 0, NULL FROM queues WHERE key = ?1`,
    [from.key, into.key],
  );
  tx.run(`UPDATE jobs SET queue = ?2, payload = json_set(payload, '$.tenantId', ?3) WHERE queue = ?1 AND ${WAITS}`, [
    from.key,
    into.key,
    tenantId,
  ]);
  for (const { key } of [from, into]) refreshQueue(tx, key);
};

/** Whether personal data of an account is being erased. */
export const isErasing = async (r: Reader, tenantId: TenantId): Promise<boolean> =>
  (await r.rows("SELECT 1 FROM erasures WHERE tenant_id = ?1 AND finished_at IS NULL LIMIT 1", [tenantId])).length > 0;
