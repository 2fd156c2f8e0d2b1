import type { TenantId } from "../kernel/ids.ts";
import type { Reader, Tx } from "./db.ts";
import { type Queue, refreshQueue } from "./queues.ts";

/** The account whose rows move, and the institution that gets them. `channelIds`: the channels of the account. */
export type Joining = { from: TenantId; into: TenantId; channelIds: readonly string[] };

/** How the rows of a table move. `where` finds them; ?1 is the account, ?2 the institution, ?3 the channels. */
type Rule = { where: string; move: readonly string[] };

const OF_TENANT = "tenant_id = ?1";
/** For tables whose rows are found by their channel. */
const OF_CHANNELS = "tenant_id = ?1 AND channel_id IN (SELECT value FROM json_each(?3))";

const changing = (table: string, where = OF_TENANT, set = "tenant_id = ?2"): Rule => ({
  where,
  move: [`UPDATE ${table} SET ${set} WHERE ${where}`],
});

/** Rows of sums: where the institution has one too, both are added. `kept`: columns that are no sums. */
const adding = (table: string, { by, sums, kept = [] }: { by: string[]; sums: string[]; kept?: string[] }): Rule => {
  const columns = [...by, ...sums, ...kept].join(", ");
  const added = sums.map((name) => `${name} = ${name} + excluded.${name}`).join(", ");
  return {
    where: OF_TENANT,
    move: [
      `INSERT INTO ${table} (tenant_id, ${columns}) SELECT ?2, ${columns} FROM ${table} WHERE ${OF_TENANT}
        ON CONFLICT (tenant_id, ${by.join(", ")}) DO UPDATE SET ${added}`,
      `DELETE FROM ${table} WHERE ${OF_TENANT}`,
    ],
  };
};

/** Rows of which a tenant has one per name: that of the institution stays. */
const yielding = (table: string): Rule => ({
  where: OF_TENANT,
  move: [`UPDATE OR IGNORE ${table} SET tenant_id = ?2 WHERE ${OF_TENANT}`, `DELETE FROM ${table} WHERE ${OF_TENANT}`],
});

const LAGS = "50 100 250 500 1000 2500 5000 15000 60000 300000 3600000 more".split(" ").map((name) => `lag_${name}`);

/**
 * TABLE: every table of a tenant's rows, in the order in which they move: those that are found by other rows before
 * these. `contacts` are merged before they move.
 */
export const MOVES: Readonly<Record<string, Rule>> = {
  deliveries: changing("deliveries", "tenant_id = ?1 AND event_seq IN (SELECT seq FROM events WHERE tenant_id = ?1)"),
  message_acts: changing(
    "message_acts",
    `tenant_id = ?1 AND message_id IN (SELECT id FROM messages WHERE tenant_id = ?1 AND environment = 'live'
      UNION ALL SELECT id FROM received_messages WHERE tenant_id = ?1 AND environment = 'live')`,
  ),
  stored_items: changing(
    "stored_items",
    `tenant_id = ?1 AND (key BETWEEN ?1 || '/' AND ?1 || '0'
      OR key IN (SELECT 'document/' || id FROM documents WHERE channel_id IN (SELECT value FROM json_each(?3))))`,
  ),
  ai_conversations: changing("ai_conversations", OF_CHANNELS),
  charge_windows: changing("charge_windows", OF_CHANNELS),
  documents: changing("documents", OF_CHANNELS),
  groups: changing("groups", OF_CHANNELS),
  identities: changing("identities", OF_CHANNELS),
  lookups: changing("lookups", OF_CHANNELS),
  media: changing("media", OF_CHANNELS, "folder = coalesce(folder, tenant_id), tenant_id = ?2"),
  pairing_links: changing("pairing_links", OF_CHANNELS),
  agents: changing("agents"),
  api_keys: changing("api_keys"),
  batches: changing("batches"),
  calls: changing("calls"),
  channels: changing("channels"),
  contacts: changing("contacts"),
  conversations: changing("conversations"),
  erasures: changing("erasures"),
  events: changing("events"),
  flows: changing("flows"),
  // the institution may have an invoice of the same month: then this one counts as an entry of its own
  invoices: changing(
    "invoices",
    OF_TENANT,
    `is_manual = is_manual OR EXISTS (SELECT 1 FROM invoices AS own WHERE own.tenant_id = ?2
      AND own.period_start = invoices.period_start AND own.is_manual = 0), tenant_id = ?2`,
  ),
  mails: changing("mails"),
  messages: changing("messages", "tenant_id = ?1 AND environment = 'live'"),
  received_messages: changing("received_messages", "tenant_id = ?1 AND environment = 'live'"),
  scheduled: changing("scheduled"),
  subscriptions: changing("subscriptions"),
  templates: changing("templates"),
  billing_customers: yielding("billing_customers"),
  idempotency_keys: yielding("idempotency_keys"),
  activity_hours: adding("activity_hours", {
    by: ["channel_id", "hour", "kind"],
    sums: ["accepted", "sent", "delivered", "read", "failed", "received", "notified", "refused", "dead", ...LAGS],
  }),
  charge_days: adding("charge_days", {
    by: ["day", "local_day", "channel_id", "country", "category", "type", "state", "currency"],
    sums: ["count", "micros"],
  }),
  reported_charges: adding("reported_charges", {
    by: ["day", "channel_id", "country", "category", "type", "tier"],
    sums: ["count", "micros"],
    kept: ["local_day", "currency"],
  }),
  daily_sends: adding("daily_sends", { by: ["day"], sums: ["sends"] }),
  llm_spending: adding("llm_spending", {
    by: ["day", "channel_id", "conversation_id"],
    sums: ["tokens"],
    kept: ["notified_at"],
  }),
  llm_usage: adding("llm_usage", { by: ["day", "model"], sums: ["calls", "prompt_tokens", "completion_tokens"] }),
  tenant_counts: {
    // requests under an idempotency key stay with who made them, for a day
    where: "tenant_id = ?1 AND collection <> 'keyed-requests'",
    move: [
      `INSERT INTO tenant_counts (tenant_id, collection, n) SELECT ?2, collection, n FROM tenant_counts
        WHERE tenant_id = ?1 AND collection <> 'keyed-requests'
        ON CONFLICT (tenant_id, collection) DO UPDATE SET n = n + excluded.n`,
      "DELETE FROM tenant_counts WHERE tenant_id = ?1 AND collection <> 'keyed-requests'",
    ],
  },
  usage_conversations: adding("usage_conversations", { by: ["day", "category"], sums: ["count"] }),
  usage_days: adding("usage_days", { by: ["day", "channel_id"], sums: ["sent", "received"], kept: ["kind"] }),
};

/** TABLE: the tables of a tenant's rows that do not move so, and why. */
export const STAYS: Readonly<Record<string, string>> = {
  audit_entries: "the chain is evidence: its entries never change",
  invitations: "an account of the gateway has no members",
  llm_settings: "its key is sealed for one tenant: it is sealed anew",
  members: "an account of the gateway has no members",
};

const parametersOf = (sql: string, { from, into, channelIds }: Joining): unknown[] => {
  const given = [from, into, JSON.stringify(channelIds)];
  // a statement gets as many parameters as it names
  return given.slice(0, sql.includes("?3") ? 3 : sql.includes("?2") ? 2 : 1);
};

export type Counts = Record<string, number>;

/** How many rows of each table would move; a table is counted up to `most`. */
export const countJoining = async (r: Reader, joining: Joining, most: number): Promise<Counts> => {
  const counts: Counts = {};
  for (const [table, { where }] of Object.entries(MOVES)) {
    const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${where} LIMIT ${most})`;
    const [row] = await r.rows<{ n: number }>(sql.replaceAll("?3", "?2"), [
      joining.from,
      ...(sql.includes("?3") ? [JSON.stringify(joining.channelIds)] : []),
    ]);
    if (row && row.n > 0) counts[table] = row.n;
  }
  return counts;
};

/** Moves all rows. Contacts that both have must be merged before. */
export const moveRows = (tx: Tx, joining: Joining): void => {
  for (const { move } of Object.values(MOVES)) {
    for (const sql of move) tx.run(sql, parametersOf(sql, joining));
  }
  tx.atCommit(() => {
    for (const id of joining.channelIds) tx.cache.forget(`channel/${id}`);
  });
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
  tx.run("UPDATE jobs SET queue = ?2, payload = json_set(payload, '$.tenantId', ?3) WHERE queue = ?1", [
    from.key,
    into.key,
    tenantId,
  ]);
  for (const { key } of [from, into]) refreshQueue(tx, key);
};

/** Whether personal data of an account is being erased. */
export const isErasing = async (r: Reader, tenantId: TenantId): Promise<boolean> =>
  (await r.rows("SELECT 1 FROM erasures WHERE tenant_id = ?1 AND finished_at IS NULL LIMIT 1", [tenantId])).length > 0;
