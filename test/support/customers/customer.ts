import type { TenantId } from "../../../src/kernel/ids.ts";
import { pauseQueue, resumeQueue } from "../../../src/store/tables/queues.ts";
import { updateTenant } from "../../../src/store/tables/tenancy/tenants.ts";
import type { Arrived, Receiver } from "../servers/receiver.ts";
import { type Answer, WEBHOOK_SECRET, type World } from "../world.ts";

export type SendInput = { to?: string; type?: string; content?: unknown; [field: string]: unknown };

/** An account with a CONNECTED WABA phone whose webhook is a receiver, and its most frequent acts. */
export type Customer = {
  accountId: string;
  key: string;
  phone: Awaited<ReturnType<World["wabaPhone"]>>;
  hook: Receiver;
  /** POST /v1/messages; a text to `TO` by default. */
  send(input?: SendInput): Promise<Answer>;
  /** Sends a message, and runs all work for it that is due now. Gives its id. Throws if it is refused. */
  sent(input?: SendInput): Promise<string>;
  /** GET /v1/messages/{id}. */
  message(id: string): Promise<any>;
  /** GET /v1/events/{id}. */
  event(id: string): Promise<any>;
  /** The items of GET /v1/events, newest first. */
  events(query?: string): Promise<any[]>;
};

export const TO = "5511999990001";

/** The events of connecting are removed: the receiver is empty. */
export const newCustomer = async (
  w: World,
  { events, url }: { events?: string[]; url?: string } = {},
): Promise<Customer> => {
  const { id: accountId, key } = await w.account();
  const hook = w.receiver();
  const phone = await w.wabaPhone(key, {
    webhook: { url: url ?? hook.url, secret: WEBHOOK_SECRET, ...(events ? { events } : {}) },
  });
  hook.arrived.length = 0;
  return customerOf(w, { accountId, key, phone, hook });
};

/** A customer's most frequent acts, with a phone of any kind. */
export const customerOf = (
  w: World,
  { accountId, key, phone, hook }: Pick<Customer, "accountId" | "key" | "phone" | "hook">,
): Customer => {
  const send: Customer["send"] = (input = {}) =>
    w.gateway("/v1/messages", {
      key,
      body: { phoneId: phone.id, to: TO, type: "text", content: { text: "olá" }, ...input },
    });
  return {
    accountId,
    key,
    phone,
    hook,
    send,
    async sent(input) {
      const { status, body, text } = await send(input);
      if (status !== 202) throw new Error(`the message was not accepted: ${status} ${text}`);
      await w.settle();
      return body.messageId;
    },
    message: async (id) => (await w.gateway(`/v1/messages/${id}`, { key })).body,
    event: async (id) => (await w.gateway(`/v1/events/${id}`, { key })).body,
    events: async (query = "") => (await w.gateway(`/v1/events${query}`, { key })).body.items,
  };
};

/** The data of the received events, of one type or of all. */
export const receivedBy = ({ arrived }: { arrived: readonly Arrived[] }, type?: string): any[] =>
  arrived.filter(({ body }) => type === undefined || body.type === type).map(({ body }) => body.data);

/** The rows that a query of the database gives. */
export const rowsOf = <Row = Record<string, unknown>>(w: World, sql: string, params: unknown[] = []): Promise<Row[]> =>
  w.app.env.db.read(async (reader) => reader.rows<Row>(sql, params));

/** All traces of an accepted request, which a refusal must not change. */
export const tracesOf = async (w: World, { accountId, hook }: Pick<Customer, "accountId" | "hook">) => {
  await w.settle();
  const [count] = await rowsOf<Record<"messages" | "events" | "keys" | "jobs" | "envelopes", number>>(
    w,
    "SELECT (SELECT count(*) FROM messages WHERE tenant_id = ?1) AS messages, (SELECT count(*) FROM events WHERE tenant_id = ?1) AS events, (SELECT count(*) FROM idempotency_keys WHERE tenant_id = ?1) AS keys, (SELECT count(*) FROM jobs) AS jobs, (SELECT count(*) FROM upstream_envelopes) AS envelopes",
    [accountId],
  );
  return { ...count, upstreamCalls: w.graph.journal.length, arrived: hook.arrived.length };
};

/** Suspends the account as billing does, or reinstates it. No route does so. */
export const suspend = (
  w: World,
  accountId: string,
  dunningStage: "SUSPENDED" | "NONE" = "SUSPENDED",
): Promise<unknown> => w.app.env.db.write((tx) => updateTenant(tx, accountId as TenantId, { dunningStage }));

/** Pauses a queue until `release`. @throws for a queue that has never had a job. */
export const holdBack = async (w: World, queue: string): Promise<void> => {
  if ((await rowsOf(w, "SELECT key FROM queues WHERE key = ?1", [queue])).length === 0)
    throw new Error(`there is no queue ${queue}`);
  await w.app.env.db.write(async (tx) => pauseQueue(tx, queue, Number.MAX_SAFE_INTEGER, "away"));
};

/** Resumes a queue, and waits for all effects. */
export const release = async (w: World, queue: string): Promise<void> => {
  await w.app.env.db.write(async (tx) => resumeQueue(tx, w.app.env.jobs, queue));
  await w.settle();
};

/** The bodies of the sends that the upstream got for a phone, with refused ones, in order. */
export const sendsOf = (w: World, { phone }: Pick<Customer, "phone">): any[] =>
  w.graph.journal
    .filter(({ method, path }) => method === "POST" && path.endsWith(`/${phone.phoneNumberId}/messages`))
    .map(({ body }) => body);

/** The network's id of the only message that it accepted. @throws if it accepted no message, or more than one. */
export const wamidOf = (w: World, messageId: string): string => {
  const taken = [...w.graph.sent.values()].filter(({ bizOpaque }) => bizOpaque === messageId);
  if (taken.length !== 1) throw new Error(`the network took the message ${taken.length} times`);
  return taken[0]?.wamid ?? "";
};
