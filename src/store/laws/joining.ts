import type { TenantId } from "../../kernel/ids.ts";
import type { Db, Reader, Tx } from "../engine/db.ts";
import { statement } from "../engine/statement.ts";
import { noteSubscriptionChange } from "../tables/events/subscriptions.ts";
import { JOB_WAITS } from "../tables/jobs.ts";
import { KEY_ENDED } from "../tables/messaging/messages.ts";
import { type Queue, refreshQueue } from "../tables/queues.ts";
import type { MovedRows, Sums, TableLaws } from "../tables/table-laws.ts";
import { TABLE_LAWS } from "./table-list.ts";

/** The account whose rows move, and the institution that gets them. `channelIds`: the channels of the account. */
export type Joining = { from: TenantId; into: TenantId; channelIds: readonly string[] };

/**
 * How the rows of a table move. `which` finds the rows that move in the write of the join: `:from` is the account,
 * `:ids` its channels. `move`: the statements for some of the rows; `:into` is the institution. `isHistory`: the other
 * rows follow, some per write.
 */
type Rule = { which: string; move(which: string): string[]; isHistory: boolean };

const NONE = "0";
const WHICH = {
  all: "tenant_id = :from",
  "of channels": "tenant_id = :from AND channel_id IN (SELECT value FROM json_each(:ids))",
  none: NONE,
};

const adding = (table: string, { by, add, keep }: Sums) => {
  const columns = [...by, ...add, ...keep].join(", ");
  const added = add.map((name) => `${name} = ${name} + excluded.${name}`).join(", ");
  return (some: string): string[] => [
    `INSERT INTO ${table} (tenant_id, ${columns}) SELECT :into, ${columns} FROM ${table} WHERE ${some}
        ON CONFLICT (tenant_id, ${by.join(", ")}) DO UPDATE SET ${added}`,
    `DELETE FROM ${table} WHERE ${some}`,
  ];
};

const changing =
  (table: string, set = "tenant_id = :into") =>
  (some: string): string[] => [`UPDATE ${table} SET ${set} WHERE ${some}`];

const yielding =
  (table: string) =>
  (some: string): string[] => [
    `UPDATE OR IGNORE ${table} SET tenant_id = :into WHERE ${some}`,
    `DELETE FROM ${table} WHERE ${some}`,
  ];

const moving = (table: string, rows: MovedRows): Rule["move"] => {
  if (rows === "move") return changing(table);
  if (rows === "yield") return yielding(table);
  return "set" in rows ? changing(table, rows.set) : adding(table, rows);
};

const ruleOf = ({ table, joins }: TableLaws): [string, Rule][] => {
  if (joins === "of no tenant" || "stay" in joins) return [];
  const { rows, now, later } = joins;
  return [
    [table, { which: typeof now === "string" ? WHICH[now] : now.where, move: moving(table, rows), isHistory: later }],
  ];
};

const RULES: Readonly<Record<string, Rule>> = Object.fromEntries(TABLE_LAWS.flatMap(ruleOf));

/**
 * The tables whose rows follow, in the order in which jobs count them. A new table is added at the end. Messages come
 * before their fallbacks, because waiting messages are found by their fallbacks.
 */
const COUNTED_BY_JOBS = [
  "activity_hours",
  "charge_days",
  "deliveries",
  "events",
  "identities",
  "media",
  "message_acts",
  "messages",
  "fallbacks",
  "received_messages",
  "reported_charges",
  "stored_items",
  "usage_days",
];

/** The tables whose rows follow, in their order. */
export const HISTORY: readonly string[] = [
  ...new Set([...COUNTED_BY_JOBS, ...Object.keys(RULES).filter((table) => RULES[table]?.isHistory)]),
];

/** Channels come last, because the rows of other tables are found by their channels. */
const placeOf = (table: string): number => (table === "channels" ? HISTORY.length : HISTORY.indexOf(table));

/** How the rows of each table move, in this order. Contacts are merged before they move. */
export const MOVES: Readonly<Record<string, Rule>> = Object.fromEntries(
  Object.entries(RULES).toSorted(([one], [other]) => placeOf(one) - placeOf(other)),
);

type Given = { from: TenantId; into: TenantId; ids: readonly (string | number)[] };
const givenOf = ({ from, into, channelIds }: Joining): Given => ({ from, into, ids: channelIds });

export type Counts = Record<string, number>;

/** The number of rows of each table that move in the write of the join; a table is counted up to `most`. */
export const countJoining = async (r: Reader, joining: Joining, most: number): Promise<Counts> => {
  const counts: Counts = {};
  for (const [table, { which }] of Object.entries(MOVES)) {
    if (which === NONE) continue;
    const count = statement<{ n: number }, Given & { most: number }>(
      `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE ${which} LIMIT :most)`,
    );
    const row = await count.get(r, { ...givenOf(joining), most });
    if (row && row.n > 0) counts[table] = row.n;
  }
  return counts;
};

const liveOf = (table: string): string =>
  `(SELECT count(*) FROM
    (SELECT 1 FROM ${table} WHERE tenant_id = :tenantId AND environment = 'live' LIMIT :most))`;
const history = statement<{ n: number }, { tenantId: TenantId; most: number }>(
  `SELECT ${liveOf("messages")} + ${liveOf("received_messages")} AS n`,
);

/** The number of messages that an account has sent and received, counted up to `most`. */
export const countHistory = async (r: Reader, tenantId: TenantId, most: number): Promise<number> =>
  Math.min(most, (await history.get(r, { tenantId, most }))?.n ?? 0);

/** Moves all rows but those of the history. Contacts that both tenants have must be merged before. */
export const moveRows = (tx: Tx, joining: Joining): void => {
  for (const { which, move } of Object.values(MOVES)) {
    if (which === NONE) continue;
    for (const sql of move(which)) statement<never, Given>(sql).run(tx, givenOf(joining));
  }
  noteSubscriptionChange(tx);
  tx.atCommit(() => {
    for (const prefix of ["channel/", "cloud-number/"])
      for (const id of joining.channelIds) tx.cache.forget(prefix + id);
  });
};

type Both = Pick<Joining, "from" | "into">;

/** The institution's keys that the account has too, and that no longer stand for anything. */
const endKeys = statement<never, Both & { nowMs: number }>(
  `DELETE FROM idempotency_keys WHERE tenant_id = :into
    AND key IN (SELECT key FROM idempotency_keys WHERE tenant_id = :from) AND ${KEY_ENDED}`,
);

/** A waiting message whose key stands for a thing of the other tenant, and for nothing else of its own tenant. */
const withoutKey = statement<never, Both>(
  `UPDATE scheduled SET payload = json_remove(payload, '$.idempotencyKey')
    WHERE tenant_id IN (:from, :into) AND status IN ('PENDING', 'PROCESSING')
    AND EXISTS (SELECT 1 FROM idempotency_keys AS other WHERE other.key = scheduled.payload ->> 'idempotencyKey'
      AND other.tenant_id = iif(scheduled.tenant_id = :from, :into, :from))
    AND NOT EXISTS (SELECT 1 FROM idempotency_keys AS own WHERE own.key = scheduled.payload ->> 'idempotencyKey'
      AND own.tenant_id = scheduled.tenant_id AND (own.tenant_id = :into OR own.message_id <> scheduled.id))`,
);

/**
 * Settles the meaning of an idempotency key that both tenants have used: the institution's meaning stays. A scheduled
 * message of the account then waits without a key, so that it is sent. A repeat of its request is refused, and so sends
 * nothing twice.
 */
export const settleKeys = (tx: Tx, { from, into }: Joining, nowMs: number): void => {
  endKeys.run(tx, { from, into, nowMs });
  withoutKey.run(tx, { from, into });
};

/** Rows that were read of a table: the account's rows, and the last row that was read; undefined at the table's end. */
export type Page = { rows: readonly number[]; last: number | undefined };

/** The next rows, in a separate turn of the event loop, so that reading a whole table blocks nobody. */
export const readHistory = async (
  db: Pick<Db, "read">,
  { table, from, after, limit }: { table: string; from: TenantId; after: number; limit: number },
): Promise<Page> => {
  await new Promise<void>((resolve) => void setImmediate(resolve));
  const next = statement<{ at: number; isOwn: number }, { from: TenantId; after: number; limit: number }>(
    `SELECT rowid AS at, tenant_id = :from AS isOwn FROM ${table} WHERE rowid > :after ORDER BY rowid LIMIT :limit`,
  );
  const looked = await db.read((reader) => next.all(reader, { from, after, limit }));
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
  const some = "tenant_id = :from AND rowid IN (SELECT value FROM json_each(:ids))";
  for (const sql of MOVES[table]?.move(some) ?? []) statement<never, Given>(sql).run(tx, { from, into, ids: rows });
};

/** A contact of the account that the institution has too. */
export type SharedContact = { id: string; knownId: string };

const shared = statement<SharedContact, Both>(
  `SELECT c.id, coalesce(n.id, a.id) AS knownId FROM contacts AS c
    LEFT JOIN contacts AS n ON c.number_key IS NOT NULL AND n.tenant_id = :into AND n.number_key = c.number_key
      AND n.environment = c.environment
    LEFT JOIN contacts AS a ON c.alias IS NOT NULL AND a.tenant_id = :into AND a.alias = c.alias
      AND a.environment = c.environment
    WHERE c.tenant_id = :from AND coalesce(n.id, a.id) IS NOT NULL`,
);

/**
 * The number decides first, because an alias identifies a person less surely. Bound: the rows that one join may move.
 */
export const listShared = (r: Reader, { from, into }: Joining): Promise<SharedContact[]> =>
  shared.all(r, { from, into });

const closeSecond = statement<never, SharedContact & { nowMs: number }>(
  `UPDATE conversations SET status = 'CLOSED', closed_at = :nowMs WHERE contact_id = :id AND status = 'OPEN' AND EXISTS
    (SELECT 1 FROM conversations AS own WHERE own.channel_id = conversations.channel_id AND own.contact_id = :knownId
      AND own.environment = conversations.environment AND own.status = 'OPEN')`,
);
const give = statement<never, SharedContact>("UPDATE conversations SET contact_id = :knownId WHERE contact_id = :id");

/** Gives the conversations of one contact to another. Of two open conversations on the same channel, one is closed. */
export const moveConversations = (tx: Tx, { id, knownId }: SharedContact, nowMs: number): void => {
  closeSecond.run(tx, { id, knownId, nowMs });
  give.run(tx, { id, knownId });
};

const running = statement<unknown, { keys: readonly string[] }>(
  "SELECT 1 FROM queues WHERE key IN (SELECT value FROM json_each(:keys)) AND running > 0 LIMIT 1",
);

/** Whether a job of a queue is running. */
export const isRunning = async (r: Reader, keys: readonly string[]): Promise<boolean> =>
  (await running.get(r, { keys })) !== undefined;

type Queues = { from: string; into: string };
const openQueue = statement<never, Queues>(
  `INSERT OR IGNORE INTO queues (key, kind, channel_id, concurrency_limit, running, next_at, paused_until, owner)
    SELECT :into, kind, channel_id, concurrency_limit, 0, NULL, 0, NULL FROM queues WHERE key = :from`,
);
const changeQueue = statement<never, Queues & { tenantId: TenantId }>(
  `UPDATE jobs SET queue = :into, payload = json_set(payload, '$.tenantId', :tenantId) WHERE queue = :from
    AND ${JOB_WAITS}`,
);

/** Moves the waiting jobs of a tenant's queue to another tenant's queue. Their payloads get the other tenant's id. */
export const moveJobs = (tx: Tx, from: Queue, into: Queue, tenantId: TenantId): void => {
  const both = { from: from.key, into: into.key };
  openQueue.run(tx, both);
  changeQueue.run(tx, { ...both, tenantId });
  for (const { key } of [from, into]) refreshQueue(tx, key);
};

const erasing = statement<unknown, { tenantId: TenantId }>(
  "SELECT 1 FROM erasures WHERE tenant_id = :tenantId AND finished_at IS NULL LIMIT 1",
);

/** Whether personal data of an account is being erased. */
export const isErasing = async (r: Reader, tenantId: TenantId): Promise<boolean> =>
  (await erasing.get(r, { tenantId })) !== undefined;
