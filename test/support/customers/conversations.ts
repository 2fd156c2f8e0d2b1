import type { InboundSeed } from "../graph/index.ts";
import type { Receiver } from "../servers/receiver.ts";
import { type Customer, connectedChannel, customer, made, webhookAt } from "../tenants/platform.ts";
import type { World } from "../world.ts";

export const ANA = "5511911110001";
export const BIA = "5511911110002";

/** Every event of messages, contacts and conversations. */
export const EVENTS = [
  "message.received",
  "message.sent",
  "message.delivered",
  "message.read",
  "contact.created",
  "contact.updated",
  "conversation.created",
  "conversation.closed",
];

/**
 * An institution with a connected CHAT_WABA channel, a webhook that gets every event, and the most frequent acts of a
 * test.
 */
export type Desk = Customer & {
  channel: Awaited<ReturnType<typeof connectedChannel>>;
  hook: Receiver;
  /** A person writes to the channel. Resolves after all effects. */
  receives(message?: Partial<Extract<InboundSeed, { kind: "text" }>>): Promise<void>;
  /** The body of a GET that answers 200. */
  get(path: string): Promise<any>;
  post(path: string, body?: object): ReturnType<World["platform"]>;
  conversations(query?: string): Promise<any[]>;
  /** The only conversation. Throws without one, or if there are more. */
  conversation(): Promise<any>;
  messages(conversationId: string, query?: string): Promise<any[]>;
  /** The types of the received events, in order. */
  received(): string[];
};

export const newDesk = async (w: World): Promise<Desk> => {
  const who = await customer(w);
  const channel = await connectedChannel(w, who);
  const hook = w.receiver();
  await webhookAt(w, who.key, hook, { events: EVENTS });
  const get = async (path: string) => made(await w.platform(path, { key: who.key }), 200);
  const conversations = async (query = "") => (await get(`/v1/conversations${query}`)).data;
  return {
    ...who,
    channel,
    hook,
    async receives(message) {
      await w.graph.inbound.text({ to: channel.phoneNumberId, from: ANA, text: "oi", ...message });
      await w.settle();
    },
    get,
    post: (path, body) => w.platform(path, { key: who.key, method: "POST", ...(body ? { body } : {}) }),
    conversations,
    async conversation() {
      const found = await conversations();
      if (found.length !== 1) throw new Error(`there are ${found.length} conversations`);
      return found[0];
    },
    messages: async (conversationId, query = "") =>
      (await get(`/v1/conversations/${conversationId}/messages${query}`)).data,
    received: () => hook.arrived.map(({ body }) => body.type),
  };
};

/** The numbers of rows that belong to conversations. */
export const storedRowsOf = async (w: World, tenantId: string): Promise<Record<string, number>> =>
  w.app.env.db.read(async (reader) => {
    const count = async (table: string) =>
      (await reader.rows<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE tenant_id = ?1`, [tenantId]))[0]?.n ??
      0;
    return Object.fromEntries(
      await Promise.all(
        ["contacts", "conversations", "received_messages"].map(async (table) => [table, await count(table)] as const),
      ),
    );
  });
