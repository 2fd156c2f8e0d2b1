import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { contactOfKey } from "../../../../src/core/domain-event.ts";
import { publish } from "../../../../src/core/events/publish.ts";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { type ChannelId, type MessageId, newId, type TenantId } from "../../../../src/kernel/ids.ts";
import { askedIn, type Chat, newChat } from "../../../support/customers/agents/ai-chat.ts";
import { newCustomer, receivedBy, rowsOf, suspend, TO, tracesOf } from "../../../support/customers/customer.ts";
import { until } from "../../../support/graph/fixture.ts";
import { REPLIES } from "../../../support/llm/index.ts";
import { giveKey, type LlmWorld, startLlmWorld } from "../../../support/llm/world.ts";

const originOf = ({ accountId, phone }: Chat) => ({
  tenantId: accountId as TenantId,
  channel: { id: phone.id as ChannelId, kind: null, sharedWebhookId: null },
});
const OTHER = "5511999990002";

let l: LlmWorld;
beforeAll(async () => {
  l = await startLlmWorld();
});
afterAll(() => l.stop());
beforeEach(() => l.llm.reset());

describe("an agent that is enabled", () => {
  test("X-030 X-033 answers what somebody writes, and has one conversation in AI with them", async () => {
    const c = await newChat(l);
    const wamid = await c.says("Vocês abrem hoje?");
    expect(c.sent()).toEqual([`${TO}: You said: Vocês abrem hoje?`]);
    const { items } = (await c.talk()).body;
    expect(items).toMatchObject([
      { contactKey: `pn:${TO}`, status: "AI", turnCount: 1, handoffReason: null, handoffAt: null, closedAt: null },
    ]);
    const [user, assistant] = await c.turns();
    expect([user.chatMessageId, user.content, assistant.content]).toEqual([
      wamid,
      "Vocês abrem hoje?",
      "You said: Vocês abrem hoje?",
    ]);
  });

  test("is the sender of its answers in the lists of messages, which find them by it", async () => {
    const c = await newChat(l);
    await c.says("Vocês abrem hoje?");
    await c.send({ content: { text: "da chave" } });
    await l.w.settle();
    const phone = (await l.w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body;
    for (const sentBy of ["agent", `agent:${c.phone.id}`]) {
      const { items } = (await l.w.gateway(`/v1/messages?sentBy=${sentBy}`, { key: c.key })).body;
      expect(items.map((one: any) => [one.content.text, one.sentBy])).toEqual([
        ["You said: Vocês abrem hoje?", { kind: "agent", id: c.phone.id, name: phone.label }],
      ]);
    }
  });

  test("X-034 has one conversation with each contact, however often they write", async () => {
    const c = await newChat(l);
    for (const text of ["um", "dois", "três"]) await c.says(text);
    await c.says("eu", OTHER);
    const { items } = (await c.talk()).body;
    expect(items.map(({ contactKey, turnCount }: any) => `${contactKey} ${turnCount}`).toSorted()).toEqual([
      `pn:${TO} 3`,
      `pn:${OTHER} 1`,
    ]);
  });

  test("X-034 knows somebody whom it knew by a user id, once their number is known", async () => {
    const c = await newChat(l);
    await c.says("sou eu", "BR.13491208655302741918");
    const before = (await c.talk()).body.items;
    expect(before).toMatchObject([{ contactKey: "bsuid:BR.13491208655302741918" }]);
    await l.w.app.env.db.write(async (tx) =>
      tx.run("UPDATE identities SET pn = ?2 WHERE channel_id = ?1", [c.phone.id, OTHER]),
    );
    await c.says("e agora?", "BR.13491208655302741918");
    expect((await c.talk()).body.items).toMatchObject([{ id: before[0].id, contactKey: `pn:${OTHER}`, turnCount: 2 }]);
  });

  test.each([
    ["the words beside a file", { kind: "image", caption: "quanto custa?" }, "quanto custa?"],
    ["a button that was pressed", { kind: "buttonReply", id: "b1", title: "Sim, quero" }, "Sim, quero"],
    ["a row that was chosen", { kind: "listReply", id: "r1", title: "Bolo de milho" }, "Bolo de milho"],
  ] as const)("X-030 answers %s", async (_, seed, words) => {
    const c = await newChat(l);
    await l.w.graph.inbound.batch([{ to: c.phone.phoneNumberId, from: TO, ...seed }]);
    await l.w.settle();
    expect(c.sent()).toEqual([`${TO}: You said: ${words}`]);
  });

  test.each([
    ["a voice message", { kind: "audio", voice: true }],
    ["a picture without words", { kind: "image" }],
    ["a place", { kind: "location", latitude: 1, longitude: 2 }],
    ["a sticker", { kind: "sticker" }],
    ["a reaction", { kind: "reaction", messageId: "wamid.A", emoji: "👍" }],
  ] as const)("X-030 does not answer %s, and nothing is noted of it", async (_, seed) => {
    const c = await newChat(l, { greeting: "Bem-vindo!" });
    await l.w.graph.inbound.batch([{ to: c.phone.phoneNumberId, from: TO, ...seed }]);
    await l.w.settle();
    expect([c.sent(), (await c.talk()).body.items, l.llm.journal]).toEqual([[], [], []]);
  });

  test.each([
    ["what the phone's owner wrote elsewhere", { direction: "outbound" }],
    ["what was written before the phone came", { isHistory: true }],
    ["what is written in a group", { chat: contactOfKey("group:120363040000000001") }],
  ] as const)("X-030 does not answer %s", async (_, change) => {
    const c = await newChat(l);
    const from = contactOfKey(`pn:${TO}`);
    const said = { type: "text", content: { text: "oi" } } as const;
    const about = {
      direction: "inbound",
      isHistory: false,
      media: null,
      from,
      chat: from,
      pushName: null,
      content: said,
      quotedMessageId: null,
      conversationId: null,
      to: null,
    } as const;
    const notify = (more: object) =>
      l.w.app.env.db.write((tx) =>
        publish(l.w.app.env, tx, originOf(c), {
          type: "message.received",
          messageId: newId<MessageId>(l.w.app.env),
          at: l.w.clock.now(),
          ...about,
          ...more,
        }),
      );
    await notify(change);
    await l.w.settle();
    expect([c.sent(), l.llm.journal]).toEqual([[], []]);
    await notify({});
    await l.w.settle();
    expect(c.sent()).toEqual([`${TO}: You said: oi`]);
  });

  test("X-012 does not greet whom a human is to answer", async () => {
    const c = await newChat(l, { greeting: "Bem-vindo!", handoffRules: { keywords: ["humano"] } });
    await c.says("um humano, por favor");
    expect([c.sent(), (await c.with()).status, l.llm.journal]).toEqual([[], "HUMAN_HANDOFF", []]);
  });

  test("X-030 answers a message that the network repeats once", async () => {
    const c = await newChat(l);
    for (let n = 0; n < 3; n++) {
      await l.w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "oi", wamid: "wamid.repeated" });
      await l.w.settle();
    }
    expect([c.sent(), (await c.turns()).length, l.llm.chats().length]).toEqual([[`${TO}: You said: oi`], 2, 1]);
  });

  test("X-030 the answer is a message like any other: it has a status, and its events are published", async () => {
    const c = await newChat(l);
    await c.says("oi");
    const [, { sentMessageId }] = await c.turns();
    expect(await c.message(sentMessageId)).toMatchObject({ messageId: sentMessageId, status: "SENT" });
    expect(receivedBy(c.hook, "message:status")).toMatchObject([{ messageId: sentMessageId, status: "sent" }]);
  });

  test("X-012 greets on the first contact, before the model, and never again", async () => {
    const c = await newChat(l, { greeting: "Bem-vindo à padaria!" });
    const gate = Promise.withResolvers<void>();
    l.llm.next(REPLIES.held(gate.promise));
    await l.w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "oi" });
    await l.llm.received(1);
    await until(() => c.sent().length === 1);
    gate.resolve();
    await l.w.settle();
    await c.says("e aí?");
    expect(c.sent()).toEqual([`${TO}: Bem-vindo à padaria!`, `${TO}: You said: oi`, `${TO}: You said: e aí?`]);
    await c.talk(`/${encodeURIComponent(`pn:${TO}`)}/close`, { method: "POST" });
    await c.says("voltei");
    expect(c.sent().slice(3)).toEqual([`${TO}: You said: voltei`]);
  });

  test("X-012 a greeting of spaces is none, and keeps nobody from an answer", async () => {
    const c = await newChat(l, { greeting: " \n " });
    expect((await c.agent("", "GET")).body.greeting).toBeNull();
    await c.says("oi");
    expect(c.sent()).toEqual([`${TO}: You said: oi`]);
  });

  test("X-041 is asked with the last turns of its window, oldest first, and with what is said now", async () => {
    const c = await newChat(l, { contextWindowTurns: 2 });
    for (const text of ["um", "dois", "três"]) await c.says(text);
    await c.says("quatro");
    const [system, ...said] = askedIn(l);
    expect(system?.role).toBe("system");
    expect(said.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      "user: dois",
      "assistant: You said: dois",
      "user: três",
      "assistant: You said: três",
      "user: quatro",
    ]);
  });

  test("X-041 is asked with all that was said where that is less", async () => {
    const c = await newChat(l);
    await c.says("um");
    await c.says("dois");
    expect(
      askedIn(l)
        .slice(1)
        .map(({ content }) => content),
    ).toEqual(["um", "You said: um", "dois"]);
  });

  test("X-043 the tokens of an answer are counted for the account, and cost nothing", async () => {
    const c = await newChat(l);
    await c.says("oi");
    const rows = await rowsOf(
      l.w,
      "SELECT model, calls, prompt_tokens > 0 AS asked, completion_tokens > 0 AS answered FROM llm_usage WHERE tenant_id = ?1",
      [c.accountId],
    );
    expect(rows).toEqual([{ model: "gpt-4o-mini", calls: 1, asked: 1, answered: 1 }]);
  });

  test("X-030 an answer that is too long is cut at a sentence", async () => {
    const c = await newChat(l);
    l.llm.next(`${"Uma frase. ".repeat(500)}`);
    await c.says("fale mais");
    const [{ content }] = (await c.turns()).slice(-1);
    expect(content).toBe("Uma frase. ".repeat(372).trim());
    expect(c.sent()).toEqual([`${TO}: ${content}`]);
  });
});

describe("no answer", () => {
  test("X-031 a phone without an agent, or with one that is disabled, has none, and no conversation", async () => {
    const without = await newCustomer(l.w);
    await giveKey(l.w, without);
    await l.w.graph.inbound.text({ to: without.phone.phoneNumberId, from: TO, text: "oi" });
    const c = await newChat(l, { enabled: false });
    await c.says("oi");
    expect([c.sent(), (await c.talk()).body.items, l.llm.journal]).toEqual([[], [], []]);
  });

  test("X-155 not while the account is suspended; afterwards what is written then is answered", async () => {
    const c = await newChat(l);
    await suspend(l.w, c.accountId);
    const before = await tracesOf(l.w, c);
    await l.w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "oi" });
    await l.w.settle();
    expect([(await tracesOf(l.w, c)).messages, l.llm.journal]).toEqual([before.messages, []]);
    await suspend(l.w, c.accountId, "NONE");
    await c.says("e agora?");
    expect(c.sent()).toEqual([`${TO}: You said: e agora?`]);
  });

  test("X-030 a conversation that a human takes while the provider is asked gets none", async () => {
    const c = await newChat(l);
    const gate = Promise.withResolvers<void>();
    l.llm.next(REPLIES.held(gate.promise));
    await l.w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "oi" });
    await l.llm.received(1);
    await c.talk(`/${encodeURIComponent(`pn:${TO}`)}/handoff`, { method: "POST" });
    gate.resolve();
    await l.w.settle();
    expect([c.sent(), (await c.turns()).map(({ role }) => role)]).toEqual([[], ["USER"]]);
  });

  test("X-015 an agent that is deleted while the provider is asked says nothing more", async () => {
    const c = await newChat(l);
    const gate = Promise.withResolvers<void>();
    l.llm.next(REPLIES.held(gate.promise));
    await l.w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "oi" });
    await l.llm.received(1);
    await c.agent("", "DELETE");
    gate.resolve();
    await l.w.settle();
    expect([
      c.sent(),
      await rowsOf(l.w, "SELECT id FROM ai_conversations WHERE channel_id = ?1", [c.phone.id]),
    ]).toEqual([[], []]);
  });

  test("X-032 GAP-X13 once disabled it answers so many turns more as its window has, and nobody new", async () => {
    const c = await newChat(l, { contextWindowTurns: 2 });
    await c.says("um");
    await l.w.advance(1000);
    await c.agent("/disable");
    for (const text of ["dois", "três", "quatro"]) await c.says(text);
    await c.says("e eu?", OTHER);
    expect(c.sent()).toEqual(["um", "dois", "três"].map((text) => `${TO}: You said: ${text}`));
    await c.agent("/enable");
    await c.says("cinco");
    expect(c.sent().at(-1)).toBe(`${TO}: You said: cinco`);
  });

  test("X-032 GAP-X13 once disabled it answers no conversation that has been still for a day", async () => {
    const c = await newChat(l);
    await c.says("um");
    await l.w.advance(1000);
    await c.agent("/disable");
    await c.says("dois");
    await l.w.advance(DAY_MS + 1000);
    await c.says("três");
    expect(c.sent()).toEqual(["um", "dois"].map((text) => `${TO}: You said: ${text}`));
  });
});
