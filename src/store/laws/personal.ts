import type { TenantId } from "../../kernel/ids.ts";
import type { Db, Tx } from "../engine/db.ts";
import { deleteContact } from "../tables/conversations/contacts.ts";
import { refreshQueue } from "../tables/queues.ts";

/**
 * A person with all their ids. `names`: whether a text is one of them, in any spelling. `namesIn`: whether a JSON text
 * contains one. `mentions`: whether any text contains one.
 */
export type Somebody = {
  names(text: unknown): boolean;
  namesIn(json: unknown): boolean;
  mentions(text: unknown): boolean;
  redact(text: string): string;
};

/** A row of a page. `at` is its rowid. `tenantId` is null where only the row's text shows its tenant. */
export type PersonalRow = { at: number; tenantId: string | null; [column: string]: string | number | null | undefined };

/**
 * The effects of an erased row outside the database: its file is deleted before the row; its batch continues after it.
 * `wait`: a job works on the row.
 */
export type Effects = { file?: string; batchId?: string; wait?: true };

/**
 * How a table holds personal data. `page`: the next ?2 rows after ?1. `isOf`: whether the row belongs to the person.
 * `erase` deletes the row, or the person's part of it. `texts`: the columns of other people's rows in which the
 * person's ids are replaced. `bytes`: those in base64 that are emptied where they contain one. `sealed`: the row's binding, for a column that is opened first.
 */
export type Personal = {
  page: string;
  isOf(row: PersonalRow, who: Somebody): boolean;
  erase(tx: Tx, row: PersonalRow, who: Somebody): Effects | Promise<Effects>;
  effects?(row: PersonalRow): Effects;
  texts?: readonly string[];
  bytes?: readonly string[];
  sealed?(row: PersonalRow): string;
};

export const REDACTED = "[erased]";

// the rowid comes last, because a table may have a column of its own named `at`
const pageOf = (columns: string, from: string, at: string): string =>
  `SELECT ${columns}, ${at}.rowid AS at FROM ${from} WHERE ${at}.rowid > ?1 ORDER BY ${at}.rowid LIMIT ?2`;

const remove =
  (table: string) =>
  (tx: Tx, { at }: PersonalRow): Effects => {
    tx.run(`DELETE FROM ${table} WHERE rowid = ?1`, [at]);
    return {};
  };

/** Rows that belong to a person by a column, and are deleted as a whole. */
const owned = (table: string, by: readonly string[], columns = `${table}.*, tenant_id AS tenantId`): Personal => ({
  page: pageOf(columns, table, table),
  isOf: (row, who) => by.some((column) => who.names(row[column])),
  erase: remove(table),
});

/** The same for rows that have only a channel. */
const ofChannel = (table: string, by: readonly string[]): Personal => ({
  ...owned(table, by),
  page: pageOf(
    `${table}.*, channels.tenant_id AS tenantId`,
    `${table} JOIN channels ON channels.id = ${table}.channel_id`,
    table,
  ),
});

const WHO_WROTE = `coalesce((SELECT chat FROM inbox WHERE message_id = media.message_id LIMIT 1), (SELECT recipient
  FROM messages WHERE id = media.message_id)) AS chat,
  coalesce((SELECT sender FROM inbox WHERE message_id = media.message_id LIMIT 1), (SELECT sender
  FROM received_messages WHERE id = media.message_id)) AS sender`;
const OF_CALL = "(SELECT peer FROM calls WHERE calls.id = events.call_id) AS peer";
const EVENT_COLUMNS = `events.id, events.chat, events.audience, events.type, events.body, events.created_at,
  ${OF_CALL}`;
const isOfEvent = (row: PersonalRow, who: Somebody): boolean =>
  ["chat", "peer"].some((column) => who.names(row[column])) || who.namesIn(row["body"]);

/**
 * The rows of other people's end-to-end keys. The channel's own rows belong to nobody else: its identity, pending
 * unlinks and limits.
 */
const KEY_STORES_OF_OTHERS =
  "key_rows.kind NOT IN ('creds', 'unlink', 'limit', 'pre-key', 'app-state-sync-key', 'app-state-sync-version')";

/** Deletes a waiting job. A running one ends by itself. */
const dropWaiting = async (tx: Tx, { at }: PersonalRow): Promise<Effects> => {
  const [dropped] = await tx.rows<{ queue: string }>(
    "DELETE FROM jobs WHERE id = ?1 AND owner IS NULL RETURNING queue",
    [at],
  );
  if (!dropped) return { wait: true };
  refreshQueue(tx, dropped.queue);
  return {};
};

type Participant = { waId: string };
type Named = { numbers: string; results: string | null };

const withoutParticipant = (row: PersonalRow, who: Somebody) => {
  const participants = (JSON.parse(String(row["participants"])) as Participant[]).filter(
    ({ waId }) => !who.names(waId),
  );
  const providerUpdatedAt = Object.fromEntries(
    Object.entries(JSON.parse(String(row["provider_updated_at"])) as Record<string, number>).filter(
      ([name]) => !who.names(name),
    ),
  );
  return [JSON.stringify(participants), JSON.stringify(providerUpdatedAt)];
};

const withoutNumber = ({ numbers, results }: Named, who: Somebody) => {
  const isOther = (number: string): boolean => !who.names(number);
  const others = (JSON.parse(results ?? "[]") as { phoneNumber: string }[]).filter(({ phoneNumber }) =>
    isOther(phoneNumber),
  );
  return [JSON.stringify((JSON.parse(numbers) as string[]).filter(isOther)), JSON.stringify(others)];
};

/** Whether a provider message id contains the number, as those of some networks do. */
const holdsNumber = (providerMessageId: unknown, who: Somebody): boolean =>
  who.mentions(Buffer.from(String(providerMessageId).replace(/^wamid\./, ""), "base64").toString("latin1")) ||
  who.mentions(providerMessageId);

/**
 * TABLE: the personal data, in the order of erasure. A row is erased before the rows that it refers to. Events come
 * last, because running work writes them. A tenant's own texts (templates, knowledge, prompts) are not included.
 */
export const PERSONAL: Readonly<Record<string, Personal>> = {
  batch_recipients: {
    ...owned("batch_recipients", ["recipient"]),
    page: pageOf(
      "batch_recipients.*, batches.tenant_id AS tenantId",
      "batch_recipients JOIN batches ON batches.id = batch_id",
      "batch_recipients",
    ),
    erase(tx, { at, batch_id: batchId }) {
      const status = "iif(status IN ('PENDING', 'QUEUED'), 'CANCELLED', status)";
      tx.run(
        `UPDATE batch_recipients SET recipient = ?2, variables = NULL, error_message = NULL, status = ${status}
          WHERE rowid = ?1`,
        [at, REDACTED],
      );
      return { batchId: String(batchId) };
    },
    texts: ["variables", "error_message"],
  },
  batches: {
    ...owned("batches", []),
    page: pageOf(
      `batches.*, tenant_id AS tenantId, NOT EXISTS (SELECT 1 FROM batch_recipients WHERE batch_id = batches.id
        AND recipient <> '[erased]') AS isNobodys`,
      "batches",
      "batches",
    ),
    isOf: ({ isNobodys, text }) => isNobodys === 1 && text !== REDACTED,
    erase: (tx, { at }) => (
      tx.run("UPDATE batches SET text = ?2, template = NULL, fallback = NULL, name = NULL WHERE rowid = ?1", [
        at,
        REDACTED,
      ]),
      {}
    ),
    texts: ["text", "template", "fallback", "name"],
  },
  scheduled: { ...owned("scheduled", []), isOf: ({ payload }, who) => who.namesIn(payload), texts: ["payload"] },
  lookups: {
    ...owned("lookups", []),
    isOf: ({ numbers, results }, who) => who.namesIn(numbers) || who.namesIn(results),
    erase(tx, row, who) {
      if (row["results"] === null) return remove("lookups")(tx, row);
      tx.run("UPDATE lookups SET numbers = ?2, results = ?3 WHERE rowid = ?1", [
        row.at,
        ...withoutNumber(row as unknown as Named, who),
      ]);
      return {};
    },
  },
  jobs: {
    ...owned("jobs", []),
    page: pageOf("jobs.*, NULL AS tenantId", "jobs", "jobs"),
    isOf: ({ payload, last_error: lastError }, who) => who.namesIn(payload) || who.mentions(lastError),
    erase: dropWaiting,
  },
  discarded_jobs: {
    ...owned("discarded_jobs", [], "discarded_jobs.*, NULL AS tenantId"),
    isOf: ({ payload, reason }, who) => who.namesIn(payload) || who.mentions(reason),
  },
  media: {
    ...owned("media", ["chat", "sender"], `media.*, media.tenant_id AS tenantId, ${WHO_WROTE}`),
    effects: ({ tenant_id: tenantId, id, folder }) => ({ file: `${folder ?? tenantId}/${id}` }),
    texts: ["filename"],
  },
  cached_messages: {
    ...ofChannel("cached_messages", []),
    sealed: ({ channel_id: channelId, provider_message_id: key }) => `copy:${channelId}:${key}`,
    isOf: ({ opened }, who) => who.mentions(opened) || who.mentions(textOfCopy(opened)),
  },
  key_rows: {
    ...ofChannel("key_rows", []),
    page: pageOf(
      "key_rows.*, channels.tenant_id AS tenantId",
      `key_rows JOIN channels ON channels.id = channel_id AND ${KEY_STORES_OF_OTHERS}`,
      "key_rows",
    ),
    sealed: ({ channel_id: channelId, kind, id }) => `ring:${channelId}:${kind}:${id}`,
    isOf: ({ id, opened }, who) => who.mentions(id) || who.mentions(opened),
  },
  early_acts: {
    ...ofChannel("early_acts", []),
    isOf: ({ act, provider_message_id: key }, who) => who.namesIn(act) || holdsNumber(key, who),
    texts: ["act"],
  },
  conversation_holders: ofChannel("conversation_holders", ["chat"]),
  call_permissions: ofChannel("call_permissions", ["peer"]),
  charge_windows: owned("charge_windows", ["recipient"]),
  ai_turns: {
    ...owned("ai_turns", ["contactKey"]),
    page: pageOf(
      "ai_turns.*, c.contact_key AS contactKey, c.tenant_id AS tenantId",
      "ai_turns JOIN ai_conversations AS c ON c.id = conversation_id",
      "ai_turns",
    ),
    texts: ["content"],
  },
  ai_conversations: { ...owned("ai_conversations", ["contact_key"]), texts: ["handoff_reason"] },
  idempotency_keys: { ...owned("idempotency_keys", []), isOf: ({ key }, who) => who.mentions(key) },
  keyed_requests: {
    ...owned("keyed_requests", [], "keyed_requests.*, keyed_requests.owner AS tenantId"),
    sealed: ({ id }) => `keyed_requests:${id}:sealed`,
    isOf: ({ sealed, opened }, who) => sealed !== null && who.mentions(opened),
    // the key stays used, so that no repeat does the same again
    erase: (tx, { at }) => (
      tx.run("UPDATE keyed_requests SET sealed = NULL, claim = 'erased' WHERE rowid = ?1", [at]), {}
    ),
  },
  groups: {
    ...owned("groups", []),
    isOf: ({ participants, provider_updated_at: providerUpdatedAt }, who) =>
      who.namesIn(participants) || who.namesIn(providerUpdatedAt),
    erase(tx, row, who) {
      const [participants, providerUpdatedAt] = withoutParticipant(row, who);
      const [before, after] = [row["participants"], participants].map(
        (list) => (JSON.parse(String(list)) as unknown[]).length,
      );
      const left = Number(row["total_participant_count"]) - ((before ?? 0) - (after ?? 0));
      tx.run(
        "UPDATE groups SET participants = ?2, provider_updated_at = ?3, total_participant_count = ?4 WHERE rowid = ?1",
        [row.at, participants, providerUpdatedAt, Math.max(0, left)],
      );
      return {};
    },
    texts: ["subject", "description"],
  },
  message_acts: {
    ...owned(
      "message_acts",
      ["author", "chat"],
      `id, message_id, kind, author, chat, text, message_acts.at AS acted_at, tenant_id AS tenantId`,
    ),
    texts: ["text"],
  },
  fallbacks: { ...owned("fallbacks", ["recipient"]), texts: ["template", "error_message"] },
  messages: { ...owned("messages", ["recipient"]), texts: ["content", "failed_reason", "failed_tries", "pricing"] },
  received_messages: {
    ...owned("received_messages", ["sender", "recipient"]),
    texts: ["content"],
    bytes: ["raw"],
  },
  conversations: {
    ...owned("conversations", ["phone_number", "alias"]),
    page: pageOf(
      "v.*, v.tenant_id AS tenantId, p.phone_number, p.alias",
      "conversations AS v JOIN contacts AS p ON p.id = contact_id",
      "v",
    ),
    texts: ["transfer_note"],
  },
  contacts: {
    ...owned("contacts", ["phone_number", "number_key", "alias"]),
    async erase(tx, { id, tenantId }) {
      await deleteContact(tx, { tenantId: tenantId as TenantId }, String(id));
      return {};
    },
    texts: ["metadata"],
  },
  inbox: {
    ...ofChannel("inbox", ["chat", "sender"]),
    // a repeat is still recognised by its id, unless the id itself contains the number
    erase: (tx, row, who) =>
      holdsNumber(row["provider_message_id"], who)
        ? remove("inbox")(tx, row)
        : (tx.run("UPDATE inbox SET chat = '', sender = '', message_id = 'erased:' || rowid WHERE rowid = ?1", [
            row.at,
          ]),
          {}),
  },
  upstream_envelopes: {
    ...owned("upstream_envelopes", []),
    page: pageOf(
      `upstream_envelopes.*, NULL AS tenantId, EXISTS (SELECT 1 FROM jobs
        WHERE unique_key = 'upstream:' || upstream_envelopes.id) AS isWaiting`,
      "upstream_envelopes",
      "upstream_envelopes",
    ),
    isOf: ({ body }, who) => who.mentions(body),
    // the hash stays, so that the same envelope is recognised when it is posted again
    erase: (tx, { at, isWaiting }) =>
      isWaiting === 1
        ? { wait: true }
        : (tx.run("UPDATE upstream_envelopes SET body = '{}' WHERE rowid = ?1", [at]), {}),
  },
  attempts: {
    ...owned("attempts", []),
    page: pageOf(
      `attempts.*, ${EVENT_COLUMNS}, coalesce(d.tenant_id, (SELECT tenant_id FROM subscriptions
        WHERE id = attempts.subscription_id)) AS tenantId`,
      "attempts LEFT JOIN deliveries AS d ON d.id = attempts.delivery_id LEFT JOIN events ON events.seq = d.event_seq",
      "attempts",
    ),
    isOf: (row, who) =>
      (row["response"] !== null || row["error"] !== null) &&
      (isOfEvent(row, who) || who.mentions(row["response"]) || who.mentions(row["error"])),
    erase: (tx, { at }) => (tx.run("UPDATE attempts SET response = NULL, error = NULL WHERE rowid = ?1", [at]), {}),
  },
  events: {
    ...owned("events", [], `events.seq, events.tenant_id AS tenantId, ${EVENT_COLUMNS}`),
    isOf: isOfEvent,
    erase(tx, { at }) {
      tx.run("DELETE FROM deliveries WHERE event_seq = ?1", [at]);
      tx.run("DELETE FROM events WHERE seq = ?1", [at]);
      return {};
    },
    texts: ["body"],
  },
  calls: {
    ...owned("calls", ["peer"]),
    effects: ({ recording }) =>
      recording === null ? {} : { file: (JSON.parse(String(recording)) as { objectKey: string }).objectKey },
  },
  identities: owned("identities", ["pn", "lid", "bsuid", "parent_bsuid", "igsid", "uid", "username"]),
};

/** The bytes of a message, which contain its texts unchanged. */
const textOfCopy = (opened: unknown): string => {
  try {
    return Buffer.from((JSON.parse(String(opened)) as { message: string }).message, "base64").toString("latin1");
  } catch {
    return ""; // stored in another form, which the other check reads
  }
};

/** The number of rows per turn of the event loop; some rows are long. */
export const ROWS_A_TURN = 25;

/**
 * The next rows of a table after one, in a separate turn of the event loop, so that reading a whole table blocks
 * nobody.
 */
export const readPersonalPage = async (
  db: Pick<Db, "read">,
  { page }: Personal,
  after: number,
): Promise<PersonalRow[]> => {
  await new Promise<void>((resolve) => void setImmediate(resolve));
  return db.read((reader) => reader.rows<PersonalRow>(page, [after, ROWS_A_TURN]));
};

/** The columns of a row in which a text, or bytes in base64, contain an id of the person. */
const naming = ({ texts = [], bytes = [] }: Personal, row: PersonalRow, who: Somebody) => ({
  texts: texts.filter((column) => who.mentions(row[column])),
  bytes: bytes.filter((column) => who.mentions(Buffer.from(String(row[column] ?? ""), "base64").toString("latin1"))),
});

/** Whether a row of somebody else contains an id of the person. */
export const isNaming = (personal: Personal, row: PersonalRow, who: Somebody): boolean => {
  const { texts, bytes } = naming(personal, row, who);
  return texts.length + bytes.length > 0;
};

/** Replaces the person's ids in another row. True when there were any. */
export const redactTexts = (tx: Tx, table: string, row: PersonalRow, who: Somebody): boolean => {
  const personal = PERSONAL[table];
  if (!personal) return false;
  const { texts, bytes } = naming(personal, row, who);
  for (const column of texts)
    tx.run(`UPDATE ${table} SET ${column} = ?2 WHERE rowid = ?1`, [row.at, who.redact(String(row[column]))]);
  for (const column of bytes) tx.run(`UPDATE ${table} SET ${column} = NULL WHERE rowid = ?1`, [row.at]);
  return texts.length + bytes.length > 0;
};
