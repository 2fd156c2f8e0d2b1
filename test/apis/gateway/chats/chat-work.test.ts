import { describe, expect, test } from "bun:test";
import { newCustomer, receivedBy, TO } from "../../../support/customers/customer.ts";
import { connectedChannel, customer, gatewayKeyOf, joined, made } from "../../../support/tenants/platform.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

const post = (path: string, body: object = {}, key = c.key) => w.gateway(path, { key, body });
const writes = async (text = "oi", from = TO) => {
  await w.graph.inbound.text({ to: c.phone.phoneNumberId, from, text, at: w.clock.now() });
  await w.settle();
};
const onlyChat = async () => {
  const { items } = made(await w.gateway("/v1/chats", { key: c.key }), 200);
  expect(items).toHaveLength(1);
  return items[0];
};
/** What was published of work on chats so far, oldest first; and forgets it. */
const updates = async (): Promise<any[]> => {
  await w.settle();
  const found = receivedBy(c.hook, "chat:updated");
  c.hook.arrived.length = 0;
  return found;
};

/** An institution whose channel has one chat, with its key of the gateway and the id of its owner. */
const desk = async () => {
  const who = await customer(w);
  const channel = await connectedChannel(w, who);
  await w.graph.inbound.text({ to: channel.phoneNumberId, from: TO, text: "oi" });
  await w.settle();
  const key = await gatewayKeyOf(w, who);
  const [{ id }] = made(await w.gateway("/v1/chats", { key }), 200).items;
  const [{ userId }] = made(await w.platform(`/v1/institutions/${who.id}/members`, { token: who.token }), 200).data;
  const published = async (): Promise<any[]> =>
    made(await w.gateway("/v1/events?type=chat:updated&include=data&limit=50", { key }), 200)
      .items.map(({ data }: any) => data)
      .toReversed();
  return { who, key, id, userId, published };
};

describe("chat:updated", () => {
  test("tells of closing and opening, with the key that did it; a repeat tells nothing", async () => {
    await writes();
    const { id } = await onlyChat();
    await updates();
    made(await post(`/v1/chats/${id}/close`), 200);
    made(await post(`/v1/chats/${id}/close`), 200);
    const by = { kind: "key", id: expect.any(String), name: expect.any(String) };
    const same = { conversationId: id, chat: expect.objectContaining({ canonicalKey: `pn:${TO}` }), by };
    expect(await updates()).toEqual([
      {
        ...same,
        changed: ["state"],
        state: "CLOSED",
        assignee: null,
        unreadCount: 1,
        snoozedUntil: null,
        timestamp: expect.any(String),
      },
    ]);
    made(await post(`/v1/chats/${id}/reopen`), 200);
    made(await post(`/v1/chats/${id}/reopen`), 200);
    expect(await updates()).toMatchObject([{ ...same, changed: ["state"], state: "OPEN" }]);
  });

  test("tells of reading once, and not of a chat without unread messages", async () => {
    await writes();
    const { id } = await onlyChat();
    await updates();
    made(await post(`/v1/chats/${id}/read`), 200);
    made(await post(`/v1/chats/${id}/read`), 200);
    expect(await updates()).toMatchObject([{ conversationId: id, changed: ["unread"], unreadCount: 0 }]);
  });

  test("tells of an assignment and of a new note, and not of the same assignment again", async () => {
    const { key, id, userId, published } = await desk();
    for (const body of [{ userId }, { userId }, { userId, note: "cliente antigo" }, { userId: null }])
      made(await post(`/v1/chats/${id}/assign`, body, key), 200);
    const assigned = { conversationId: id, changed: ["assignee"], assignee: { userId, name: expect.any(String) } };
    expect(await published()).toMatchObject([assigned, assigned, { ...assigned, assignee: null }]);
  });

  test("tells of a refused assignment nothing", async () => {
    const { key, id, published } = await desk();
    expect((await post(`/v1/chats/${id}/assign`, { userId: "nobody" }, key)).status).toBe(404);
    expect(await published()).toEqual([]);
  });

  test("tells by nobody that a member who left has no chats any more", async () => {
    const { who, key, id, published } = await desk();
    const { userId, email, token } = await customer(w);
    await joined(w, who, { email, token });
    made(await post(`/v1/chats/${id}/assign`, { userId }, key), 200);
    const path = `/v1/institutions/${who.id}/members/${userId}`;
    made(await w.platform(path, { token: who.token, method: "DELETE" }), 204);
    await w.settle();
    const [, left] = await published();
    expect(left).toMatchObject({ conversationId: id, changed: ["assignee"], assignee: null, by: null });
  });

  test("tells of a deleted contact that its chat is closed", async () => {
    await writes();
    const { id, contact } = await onlyChat();
    await updates();
    made(await w.gateway(`/v1/contacts/${contact.id}`, { key: c.key, method: "DELETE" }), 204);
    expect(await updates()).toMatchObject([{ conversationId: id, changed: ["state"], state: "CLOSED" }]);
    made(await post(`/v1/chats/${id}/read`), 200);
    expect(await updates()).toMatchObject([{ conversationId: id, chat: null, changed: ["unread"], unreadCount: 0 }]);
  });
});
