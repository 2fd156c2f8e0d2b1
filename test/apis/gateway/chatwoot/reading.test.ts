import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Presence } from "../../../../src/contract/abilities/people.ts";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import { ACCOUNT, ADMIN_TOKEN, type SimulatedChatwoot, startChatwoot } from "../../../support/chatwoot/server.ts";
import { type Customer, rowsOf } from "../../../support/customers/customer.ts";
import { newSessionCustomer, reported, sessionNetwork, textFrom } from "../../../support/session/scripted-sends.ts";
import { useWorld } from "../../../support/use-world.ts";

// what both sides see of each other besides messages: who has read, and who types

const network = sessionNetwork({ hasPeople: true });
const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" }, plugins: [network.plugin] });
const ANA = "5511999990001";
const GROUP = "120363041234567890";
const SECOND = 1000;

let c: Customer;
let chatwoot: SimulatedChatwoot;
beforeEach(async () => {
  network.sent.length = 0;
  network.operated.length = 0;
  network.shown.length = 0;
  network.watched.length = 0;
  chatwoot = startChatwoot({ now: () => w.clock.now() });
  c = await newSessionCustomer(w);
});
afterEach(async () => {
  await chatwoot.called();
  await chatwoot.stop();
});

const connected = async (more: object = {}) => {
  const body = { url: chatwoot.url, chatwootAccountId: ACCOUNT, token: ADMIN_TOKEN, inboxName: "Padaria", ...more };
  const answer = await w.gateway(`/v1/phones/${c.phone.id}/chatwoot`, { key: c.key, method: "PUT", body });
  expect(answer.status).toBe(200);
  await w.settle();
  return answer.body;
};
/** Runs all that is due, with the webhooks that it causes. */
const settled = async () => {
  for (let round = 0; round < 3; round++) {
    await w.settle();
    await chatwoot.called();
  }
  await w.settle();
};
const says = async (text: string, rest: object = {}): Promise<ProviderMessageId> => {
  const event = textFrom(ANA, { content: { type: "text", content: { text } }, at: w.clock.now(), ...rest });
  await network.notify(c.phone.id, event);
  await settled();
  return event.key;
};
/** Ana has written, so there is a conversation with her. Gives its number, and the key of her message. */
const begun = async (more: object = {}) => {
  await connected(more);
  const key = await says("oi");
  return { conversationId: chatwoot.conversations.at(-1)?.id ?? 0, key };
};
const reads = () => network.operated.filter(({ name }) => name === "read").map(({ key }) => key);
const unread = async (): Promise<number> => {
  const [row] = await rowsOf<{ n: number }>(w, "SELECT sum(unread_count) AS n FROM conversations WHERE tenant_id = ?", [
    c.accountId,
  ]);
  return row?.n ?? 0;
};
const receipt = async (index: number, status: "delivered" | "read") => {
  const key = network.sent[index]?.order.key;
  await network.notify(c.phone.id, { kind: "receipt", key, status, at: w.clock.now() } as never);
  await settled();
};
const shows = async (state: Presence, { at, chat }: { at?: number; chat?: object } = {}) => {
  const from = { pn: ANA };
  const event = { kind: "presence", at: at ?? w.clock.now(), from, chat: chat ?? from, state };
  await network.notify(c.phone.id, event as never);
  await settled();
};

describe("what a person wrote is marked as read", () => {
  test("when an agent answers, and no message is marked twice", async () => {
    const { conversationId, key } = await begun();
    const second = await says("tem pão?");
    expect(reads()).toEqual([]);
    chatwoot.agentWrites({ conversationId, content: "tem" });
    await settled();
    expect(reads().toSorted()).toEqual([key, second].toSorted());
    expect(await unread()).toBe(0);
    chatwoot.agentWrites({ conversationId, content: "e bolo" });
    await settled();
    expect(reads()).toHaveLength(2);
    expect(network.sent).toHaveLength(2);
  });

  test("when an agent begins to type", async () => {
    const { conversationId, key } = await begun();
    chatwoot.agentTypes(conversationId);
    await settled();
    expect(reads()).toEqual([key]);
  });

  test.each(["conversation_updated", "conversation_status_changed"] as const)(
    "when Chatwoot says that an agent has seen it, and not without: %s",
    async (event) => {
      const { conversationId, key } = await begun();
      chatwoot.changes(conversationId, event);
      await settled();
      expect(reads()).toEqual([]);
      await w.advance(2 * SECOND);
      chatwoot.agentOpens(conversationId);
      await w.advance(2 * SECOND);
      await says("mais uma"); // nobody has seen this one
      chatwoot.changes(conversationId, event);
      await settled();
      expect(reads()).toEqual([key]);
      expect(await unread()).toBe(1);
    },
  );

  test("when an agent who has opened it writes a note, which itself says nothing", async () => {
    const { conversationId, key } = await begun();
    chatwoot.agentWrites({ conversationId, content: "ninguém abriu", isPrivate: true });
    await settled();
    expect(reads()).toEqual([]);
    await w.advance(2 * SECOND);
    chatwoot.agentOpens(conversationId);
    chatwoot.agentWrites({ conversationId, content: "cliente antigo", isPrivate: true });
    await settled();
    expect(reads()).toEqual([key]);
    expect(network.sent).toHaveLength(0);
  });

  test("but not by bots and greetings, nor for a message that Chatwoot does not have yet", async () => {
    await connected();
    chatwoot.answersFirst({ content: "Bem-vindo!", by: "agent_bot" });
    await says("oi");
    expect(network.sent).toHaveLength(1);
    expect(reads()).toEqual([]);
    const conversationId = chatwoot.conversations[0]?.id ?? 0;
    chatwoot.failNext("POST", /messages$/, { status: 503 });
    const key = await says("está no caminho");
    chatwoot.agentTypes(conversationId);
    await settled();
    expect(reads()).not.toContain(key);
  });

  test("and if that fails in a way that nobody expects, the answer goes out all the same", async () => {
    const { conversationId } = await begun();
    const fails = `CREATE TRIGGER unmarkable BEFORE UPDATE OF unread_count ON conversations
      BEGIN SELECT RAISE(ABORT, 'no mark'); END`;
    await w.app.env.db.write((tx) => tx.rows(fails));
    try {
      chatwoot.agentWrites({ conversationId, content: "já vai" });
      await chatwoot.called();
    } finally {
      await w.app.env.db.write((tx) => tx.rows("DROP TRIGGER unmarkable"));
    }
    expect(chatwoot.webhooks.every(({ status }) => status === 200)).toBe(true);
    await w.advance(60 * SECOND);
    await settled();
    expect(network.sent).toHaveLength(1);
  });

  test("but not if it is switched off", async () => {
    const { conversationId } = await begun({ markRead: false });
    chatwoot.agentTypes(conversationId);
    chatwoot.agentWrites({ conversationId, content: "oi" });
    await settled();
    expect(reads()).toEqual([]);
    expect(network.sent).toHaveLength(1);
  });

  test("by an address with the wrong secret it is not", async () => {
    const { conversationId } = await begun();
    const webhook = chatwoot.inboxes[1]?.webhook_url ?? "";
    const body = JSON.stringify({
      event: "conversation_typing_on",
      user: { id: 1, type: "user" },
      conversation: { id: conversationId },
      is_private: false,
    });
    expect((await fetch(`${webhook}x`, { method: "POST", body })).status).toBe(403);
    await settled();
    expect([reads(), network.shown]).toEqual([[], []]);
  });

  test("a phone that is not connected marks nothing, and the answer waits", async () => {
    const { conversationId } = await begun();
    await reported(w, network, c.phone.id, { state: "DISCONNECTED", phoneNumber: "5511988887777" });
    chatwoot.agentTypes(conversationId);
    chatwoot.agentWrites({ conversationId, content: "já vai" });
    await settled();
    expect(chatwoot.webhooks.every(({ status }) => status === 200)).toBe(true);
    expect([reads(), network.shown, network.sent]).toEqual([[], [], []]);
    await reported(w, network, c.phone.id, { state: "CONNECTED", phoneNumber: "5511988887777" });
    await w.advance(60 * SECOND);
    await settled();
    expect(network.sent).toHaveLength(1);
  });
});

describe("what the person has read", () => {
  test("makes the conversation seen once no message to the person is unread", async () => {
    const { conversationId } = await begun();
    for (const content of ["um", "dois"]) {
      chatwoot.agentWrites({ conversationId, content });
      await settled();
    }
    await w.advance(5 * SECOND);
    await receipt(0, "read");
    const [conversation] = chatwoot.conversations;
    expect(conversation?.contactSeenAt).toBe(0);
    expect(chatwoot.messages.map(({ status }) => status)).toEqual(["sent", "read", "sent"]);
    await receipt(1, "delivered");
    expect(conversation?.contactSeenAt).toBe(0);
    await receipt(1, "read");
    expect(conversation?.contactSeenAt).toBe(Math.floor(w.clock.now() / SECOND));
    expect(chatwoot.leaked).toEqual([]);
  });

  test("is not said of an answer that waits: Chatwoot would take it for read", async () => {
    const { conversationId } = await begun();
    chatwoot.agentWrites({ conversationId, content: "primeira" });
    await settled();
    await reported(w, network, c.phone.id, { state: "DISCONNECTED", phoneNumber: "5511988887777" });
    const waiting = chatwoot.agentWrites({ conversationId, content: "espera" });
    await settled();
    await receipt(0, "read");
    expect(waiting.status).toBe("sent");
    expect(chatwoot.publicCalls).toEqual([]);
  });

  test("is said in a conversation that an agent began, whose contact has a name of Chatwoot's own", async () => {
    await connected();
    const contact = { name: "Ana", phone_number: `+${ANA}`, identifier: null };
    const { id: conversationId } = chatwoot.agentBegins(chatwoot.inboxes[1]?.id ?? 0, contact);
    chatwoot.agentWrites({ conversationId, content: "Olá" });
    await settled();
    await w.advance(5 * SECOND);
    await receipt(0, "read");
    expect(chatwoot.conversations[0]?.contactSeenAt).toBe(Math.floor(w.clock.now() / SECOND));
  });

  test("holds up nothing if Chatwoot's public API cannot be asked", async () => {
    const { conversationId } = await begun();
    delete chatwoot.inboxes[1]?.inbox_identifier;
    chatwoot.agentWrites({ conversationId, content: "oi" });
    await settled();
    await receipt(0, "read");
    await says("obrigada");
    expect(chatwoot.said()).toEqual(["< oi", "> oi", "< obrigada"]);
    expect(chatwoot.messages[1]?.status).toBe("read");
  });
});

describe("typing", () => {
  test("of an agent is shown to the person, begins and ends, and the person is watched", async () => {
    const { conversationId } = await begun();
    chatwoot.agentTypes(conversationId);
    await settled();
    chatwoot.agentTypes(conversationId, { isOn: false });
    await settled();
    expect(network.shown).toEqual([`composing pn:${ANA}`, `paused pn:${ANA}`]);
    expect(network.watched).toEqual([`pn:${ANA}`]);
  });

  test("of many agents at once is shown once in five seconds, its end once, and the person is watched once", async () => {
    const { conversationId } = await begun();
    const other = textFrom("5511999990002", { content: { type: "text", content: { text: "oi" } }, at: w.clock.now() });
    await network.notify(c.phone.id, other);
    await settled();
    const second = chatwoot.conversations.at(-1)?.id ?? 0;
    chatwoot.agentTypes(conversationId, { isOn: false }); // nobody was shown the beginning
    await settled();
    expect(network.shown).toEqual([]);
    for (let n = 0; n < 30; n++) chatwoot.agentTypes(conversationId);
    await settled();
    expect(network.shown).toEqual([`composing pn:${ANA}`]);
    for (let n = 0; n < 10; n++) chatwoot.agentTypes(conversationId, { isOn: false });
    await settled();
    for (let n = 0; n < 10; n++) chatwoot.agentTypes(conversationId, { isOn: n % 2 === 0 });
    await settled();
    expect(network.shown).toEqual([`composing pn:${ANA}`, `paused pn:${ANA}`]);
    chatwoot.agentTypes(second);
    await settled();
    await w.advance(5 * SECOND);
    chatwoot.agentTypes(conversationId);
    await settled();
    expect(network.shown.slice(2)).toEqual(["composing pn:5511999990002", `composing pn:${ANA}`]);
    expect(network.watched).toEqual([`pn:${ANA}`, "pn:5511999990002", `pn:${ANA}`]);
  });

  test("of a note, in an unknown conversation, or switched off is not shown", async () => {
    const { conversationId } = await begun();
    chatwoot.agentTypes(conversationId, { isPrivate: true });
    await settled();
    const contact = { name: "Bia", phone_number: "+5511999990002", identifier: null };
    chatwoot.agentTypes(chatwoot.agentBegins(chatwoot.inboxes[1]?.id ?? 0, contact).id);
    await settled();
    await connected({ typing: false });
    chatwoot.agentTypes(conversationId);
    await settled();
    expect([network.shown, network.watched]).toEqual([[], []]);
  });

  test("of the person is shown to agents, and does not come back to the person", async () => {
    await begun();
    const [conversation] = chatwoot.conversations;
    await shows("composing");
    expect(conversation?.isContactTyping).toBe(true);
    await shows("paused");
    expect(conversation?.isContactTyping).toBe(false);
    expect([network.shown, reads()]).toEqual([[], []]);
    expect(chatwoot.leaked).toEqual([]);
  });

  test("of a person without a conversation begins none, and an old one is not shown", async () => {
    await connected();
    await shows("composing");
    expect([chatwoot.conversations, chatwoot.publicCalls]).toEqual([[], []]);
    await says("oi");
    await shows("composing", { at: w.clock.now() - 60 * SECOND });
    expect(chatwoot.publicCalls).toEqual([]);
  });

  test("that Chatwoot refuses is left, and the messages go on", async () => {
    await begun();
    delete chatwoot.inboxes[1]?.inbox_identifier;
    await shows("composing");
    await says("pronto");
    expect(chatwoot.said()).toEqual(["< oi", "< pronto"]);
    const { body } = await w.gateway(`/v1/phones/${c.phone.id}/chatwoot`, { key: c.key });
    expect(body).toMatchObject({ state: "OK", waiting: 0, lost: 0 });
  });

  test("in a group is shown both ways", async () => {
    await connected();
    await says("reunião", { chat: { group: GROUP } });
    const [conversation] = chatwoot.conversations;
    chatwoot.agentTypes(conversation?.id ?? 0);
    await settled();
    expect(network.shown).toEqual([`composing group:${GROUP}`]);
    expect(network.watched).toEqual([`group:${GROUP}`]);
    await shows("composing", { chat: { group: GROUP } });
    expect(conversation?.isContactTyping).toBe(true);
  });
});

describe("the settings", () => {
  test("stay as they were if a call does not name them, also through an import", async () => {
    await connected({ markRead: false, batches: true });
    expect(await connected({ importDays: 7 })).toMatchObject({ markRead: false, typing: true, batches: true });
    await settled();
    expect(await connected({ typing: false })).toMatchObject({ markRead: false, typing: false, batches: true });
    expect(await connected({ inboxName: "Outra" })).toMatchObject({ markRead: false, typing: false, batches: true });
  });
});
