import { systemClock } from "../../src/kernel/clock.ts";
import type { BatchId, ChannelId, TenantId } from "../../src/kernel/ids.ts";
import { numberKeyOf } from "../../src/kernel/numbers/phone-numbers.ts";
import { type Db, openDatabase, type Tx } from "../../src/store/engine/db.ts";
import { insertInto } from "../../src/store/engine/statement.ts";
import { type ContactRow, makeFindable } from "../../src/store/tables/conversations/contacts.ts";
import { type BatchStatus, batches as batchRows } from "../../src/store/tables/messaging/batches.ts";

/**
 * The numbers of rows of one institution. Ten others have as many together, of the same times, so that the rows of all
 * are mixed.
 */
export type Size = {
  contacts: number;
  perContact: number;
  long: number;
  batches: number;
  recipients: number;
  errors: number;
  attempts: number;
};

/** The owners of the rows: the institution, two of its channels, and its webhook with logs. */
export type Owner = { tenantId: string; channels: readonly [string, string]; webhookId: string };

/** The rows that were made for the institution, each numbered from 0. The first conversation is the longest. */
export type Data = {
  contactId(n: number): string;
  conversationId(n: number): string;
  receivedId(n: number): string;
  sentId(n: number): string;
  batchId(n: number): string;
};

const AT_ONCE = 50_000;
const SPAN_MS = 30 * 86_400_000;
const OTHERS = 10;

const FIRST_NAMES =
  "João Maria José Ana Antônio Francisca Carlos Adriana Paulo Juliana Pedro Márcia Lucas Fernanda Luiz Patrícia Marcos Aline Gabriel Sandra".split(
    " ",
  );
const LAST_NAMES =
  "Silva Santos Oliveira Souza Rodrigues Ferreira Alves Pereira Lima Gomes Costa Ribeiro Martins Carvalho Almeida Lopes Soares Fernandes Vieira Barbosa".split(
    " ",
  );

/** The kind of a row: a digit of its id, so that no two rows have the same id. */
const KINDS = { contact: 0, conversation: 1, received: 2, sent: 3, batch: 4, attempt: 5, other: 6 } as const;

/** An id in the form of kernel/ids.ts: the time comes first. */
const idOf = <Id extends string>(kind: keyof typeof KINDS, ms: number, n: number): Id => {
  const hex = (value: number, width: number) => value.toString(16).padStart(width, "0");
  const time = hex(ms, 12);
  return `${time.slice(0, 8)}-${time.slice(8)}-4${KINDS[kind]}00-8${hex((n * 30_011) % 4096, 3)}-${hex(n, 12)}` as Id;
};

/** Every second row is the institution's. */
const ownNth = (n: number): number => n * 2;
const isOwn = (n: number): boolean => n % 2 === 0;

/** The time of everybody's n-th of `count` rows. */
const createTimes = (startMs: number, { contacts, perContact, batches }: Size) => {
  const at = (share: number) => Math.floor(startMs + SPAN_MS * share);
  return {
    person: (n: number) => at((0.1 * n) / (contacts * 2)),
    message: (n: number) => at(0.1 + (0.8 * n) / (contacts * 2 * perContact)),
    batch: (n: number) => at((0.9 * n) / (batches * 2)),
  };
};
type Times = ReturnType<typeof createTimes>;

/** The owner of the n-th person's rows. */
const ownershipOf =
  ({ tenantId, channels }: Owner) =>
  (n: number) => {
    const [nth, other] = [Math.floor(n / 2), Math.floor(n / 2) % OTHERS];
    if (!isOwn(n))
      return { tenantId: idOf<TenantId>("other", 1, other), channelId: idOf<ChannelId>("other", 2, other) };
    return { tenantId: tenantId as TenantId, channelId: channels[nth % 10 === 9 ? 1 : 0] as ChannelId };
  };
type Ownership = ReturnType<typeof ownershipOf>;

/** Calls `put` for each number below `count`, many of them in a write. */
const inWrites = async (db: Db, count: number, put: (tx: Tx, n: number) => unknown): Promise<void> => {
  for (let from = 0; from < count; from += AT_ONCE) {
    await db.write(async (tx) => {
      for (let n = from; n < Math.min(count, from + AT_ONCE); n++) await put(tx, n);
    });
  }
};

const insertSql = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map((_, n) => `?${n + 1}`).join(", ")})`;

const numberOf = (n: number): string => `55119${60_000_000 + ((n * 7919) % 40_000_000)}`;
const nameOf = (nth: number): string => `${FIRST_NAMES[nth % 20]} ${LAST_NAMES[Math.floor(nth / 20) % 20]}`;

const CONTACT = insertSql("contacts", [
  "seq",
  "id",
  "tenant_id",
  "phone_number",
  "number_key",
  "name",
  "email",
  "tags",
  "metadata",
  "created_at",
  "updated_at",
]);
const CONVERSATION = insertSql("conversations", [
  "id",
  "tenant_id",
  "channel_id",
  "contact_id",
  "status",
  "last_message_at",
  "created_at",
  "closed_at",
]);

const contactOf = (n: number, at: number, tenantId: TenantId): ContactRow => {
  const [nth, phoneNumber] = [Math.floor(n / 2), numberOf(n)];
  const said = {
    name: nameOf(nth),
    email: nth % 3 === 0 ? `person${nth}@example.com` : null,
    tags: nth % 5 === 0 ? ["cliente"] : [],
    metadata: {},
  };
  return {
    seq: n + 1,
    id: idOf("contact", at, n),
    tenantId,
    environment: "live",
    phoneNumber,
    numberKey: numberKeyOf(phoneNumber),
    alias: null,
    optedOutAt: null,
    optedOutBy: null,
    ...said,
    createdAt: at,
    updatedAt: at,
  };
};

/**
 * Contacts, each with a conversation; every fourth is closed. The store's own statement would make the search write to
 * the disk once a row.
 */
const putPeople = (db: Db, { contacts, perContact }: Size, times: Times, of: Ownership): Promise<void> =>
  inWrites(db, contacts * 2, (tx, n) => {
    const [at, { tenantId, channelId }] = [times.person(n), of(n)];
    const contact = contactOf(n, at, tenantId);
    const { seq, id, phoneNumber, numberKey, name, email } = contact;
    tx.run(CONTACT, [
      seq,
      id,
      tenantId,
      phoneNumber,
      numberKey,
      name,
      email,
      JSON.stringify(contact.tags),
      "{}",
      at,
      at,
    ]);
    makeFindable(tx, contact);
    const lastAt = times.message(contacts * 2 * (perContact - 1) + n);
    const isClosed = Math.floor(n / 2) % 4 === 3;
    tx.run(CONVERSATION, [
      idOf("conversation", at, n),
      tenantId,
      channelId,
      id,
      isClosed ? "CLOSED" : "OPEN",
      lastAt,
      at,
      isClosed ? lastAt : null,
    ]);
  });

const COMMON = ["id", "tenant_id", "channel_id", "conversation_id", "environment", "type", "created_at", "content"];
const RECEIVED = insertSql("received_messages", [...COMMON, "sender", "recipient"]);
const SENT = insertSql("messages", [
  ...COMMON,
  "recipient",
  "status",
  "send_state",
  "uncertain_attempts",
  "provider_message_id",
  "sent_at",
  "delivered_at",
  "read_at",
]);

/** The k-th message, in the n-th person's conversation. */
const putMessage = (
  tx: Tx,
  times: Times,
  of: Ownership,
  { kind, k, n, at }: { kind: "received" | "sent"; k: number; n: number; at: number },
): void => {
  const [{ tenantId, channelId }, conversationId, person] = [
    of(n),
    idOf("conversation", times.person(n), n),
    `pn:${numberOf(n)}`,
  ];
  const content = JSON.stringify({ text: `Bom dia, esta é a mensagem ${k} da conversa, e o benchmark a lê.` });
  const common = [idOf(kind, at, k), tenantId, channelId, conversationId, "live", "text", at, content];
  if (kind === "received") tx.run(RECEIVED, [...common, person, "15550001001"]);
  else tx.run(SENT, [...common, person, "READ", "NONE", 0, `wamid.bench${k}`, at + 900, at + 1900, at + 9000]);
};

const turnOf = (n: number): "received" | "sent" => (n % 2 === 0 ? "received" : "sent");

/** Builds these indexes once, after `work`. Inserting rows into them one by one costs several times as much. */
const sortingAfterwards = async (db: Db, indexes: readonly string[], work: () => Promise<void>): Promise<void> => {
  const made = await db.read(async (reader) =>
    reader.rows<{ sql: string }>("SELECT sql FROM sqlite_master WHERE name IN (SELECT value FROM json_each(?1))", [
      JSON.stringify(indexes),
    ]),
  );
  await db.write(async (tx) => indexes.forEach((index) => tx.run(`DROP INDEX ${index}`)));
  await work();
  for (const { sql } of made) await db.write(async (tx) => tx.rows(sql));
};

const putMessages = async (
  db: Db,
  { contacts, perContact, long }: Size,
  times: Times,
  of: Ownership,
): Promise<void> => {
  const people = contacts * 2;
  const all = people * perContact;
  await inWrites(db, all, (tx, k) =>
    putMessage(tx, times, of, { kind: turnOf(Math.floor(k / people)), k, n: k % people, at: times.message(k) }),
  );
  await inWrites(db, long, (tx, k) =>
    putMessage(tx, times, of, { kind: turnOf(k), k: all + k, n: 0, at: times.message((all * k) / long) }),
  );
};

const RECIPIENTS = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)
  INSERT INTO batch_recipients (batch_id, position, recipient, status, message_id, error_code, error_message)
  SELECT ?1, i, '551196' || (1000000 + i), iif(i < ?3, 'FAILED', 'SENT'), ?1 || '/' || i, iif(i < ?3, 'RECIPIENT_REFUSED', NULL), iif(i < ?3, 'the network refused this recipient', NULL) FROM n`;
const STATUSES: readonly BatchStatus[] = ["COMPLETED", "COMPLETED", "COMPLETED", "FAILED", "CANCELLED"];
const insertBatch = insertInto(batchRows);

const putBatches = async (
  db: Db,
  { batches, recipients, errors }: Size,
  times: Times,
  of: Ownership,
): Promise<void> => {
  for (let n = 0; n < batches * 2; n++) {
    const at = times.batch(n);
    const id = idOf<BatchId>("batch", at, n);
    const said = {
      environment: "live",
      name: `Batch ${n}`,
      text: "Olá {{name}}, esta é uma mensagem do benchmark.",
      delayMs: 3000,
      jitter: 0.3,
    } as const;
    const status = STATUSES[Math.floor(n / 2) % STATUSES.length] ?? "COMPLETED";
    await db.write(async (tx) => {
      insertBatch(tx, { id, ...of(n), ...said, status, nextAt: at, createdAt: at, startedAt: at, finishedAt: at });
      tx.run(RECIPIENTS, [id, recipients, errors]);
    });
  }
};

const ATTEMPT = insertSql("attempts", [
  "public_id",
  "delivery_id",
  "subscription_id",
  "event_type",
  "attempt",
  "is_delivered",
  "status_code",
  "duration_ms",
  "at",
]);

/** Every tenth attempt failed; as many belong to another webhook. */
const putAttempts = (db: Db, { attempts }: Size, nowMs: number, { webhookId }: Owner): Promise<void> =>
  inWrites(db, attempts * 2, (tx, n) => {
    const [at, isDelivered] = [nowMs - attempts * 2 + n, n % 20 < 18];
    const subscriptionId = isOwn(n) ? webhookId : idOf("other", 3, 0);
    tx.run(ATTEMPT, [
      idOf("attempt", at, n),
      idOf("other", at, n),
      subscriptionId,
      "message.sent",
      1,
      isDelivered ? 1 : 0,
      isDelivered ? 200 : 503,
      87,
      at,
    ]);
  });

/** Writes all rows into a database file that nobody serves. */
export const putData = async (path: string, owner: Owner, size: Size): Promise<Data> => {
  const nowMs = systemClock().now();
  const onFatal = (error: unknown) => {
    throw error;
  };
  const [times, of] = [createTimes(nowMs - SPAN_MS, size), ownershipOf(owner)];
  const db = openDatabase(path, { nowMs, onFatal });
  await putPeople(db, size, times, of);
  await sortingAfterwards(
    db,
    ["messages_by_conversation", "messages_by_provider_message_id", "received_by_conversation"],
    () => putMessages(db, size, times, of),
  );
  await putBatches(db, size, times, of);
  await putAttempts(db, size, nowMs, owner);
  await db.close();
  const ownMessage = (kind: "received" | "sent", turn: number) => (n: number) => {
    const k = size.contacts * 2 * turn + ownNth(n);
    return idOf(kind, times.message(k), k);
  };
  return {
    contactId: (n) => idOf("contact", times.person(ownNth(n)), ownNth(n)),
    conversationId: (n) => idOf("conversation", times.person(ownNth(n)), ownNth(n)),
    receivedId: ownMessage("received", 0),
    sentId: ownMessage("sent", 1),
    batchId: (n) => idOf("batch", times.batch(ownNth(n)), ownNth(n)),
  };
};
