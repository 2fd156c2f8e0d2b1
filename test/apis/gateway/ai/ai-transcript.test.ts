import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { askedIn, type Chat, chatOf, keyOf, newChat } from "../../../support/customers/agents/ai-chat.ts";
import { holdBack, newCustomer, receivedBy, release, TO } from "../../../support/customers/customer.ts";
import { REPLIES } from "../../../support/llm/index.ts";
import { giveAgent, type LlmWorld, startLlmWorld } from "../../../support/llm/world.ts";
import { ofNumber, post } from "../../../support/networks/waba-posts.ts";
import { untilTrue } from "../../../support/waiting.ts";

let l: LlmWorld;
beforeAll(async () => {
  l = await startLlmWorld();
});
afterAll(() => l.stop());
beforeEach(() => l.llm.reset());

const OTHER = "5511999990002";
const handoffs = (c: Chat) =>
  receivedBy(c.hook, "agent:handoff").map(({ reason, manual, turnCount }) => ({ reason, manual, turnCount }));
const said = async (c: Chat, from?: string) => (await c.turns(from)).map(({ role, content }) => `${role}: ${content}`);
/** The turns of the last prompt; those of one role in a row go as one message, with a blank line between them. */
const prompt = () =>
  askedIn(l)
    .slice(1)
    .flatMap(({ role, content }) => content.split("\n\n").map((turn) => `${role}: ${turn}`));
const hand = (c: Chat, verb: "handoff" | "release" | "close") => c.talk(`/${keyOf()}/${verb}`, { method: "POST" });

/** A person answers by the API, and the network has taken it. */
const byApi = async (c: Chat, text: string, input: object = {}): Promise<string> => {
  const { status, body, text: why } = await c.send({ content: { text }, ...input });
  if (status !== 202) throw new Error(why);
  await l.w.settle();
  return body.messageId;
};
/** The owner answers in the business app, which the network reports. */
const byPhone = async (c: Chat, text: string, id = `wamid.${text}`): Promise<void> => {
  const echo = { from: c.phone.number, to: TO, id, timestamp: "1700000000", type: "text", text: { body: text } };
  await post(l.w, [ofNumber(c, { message_echoes: [echo] }, "smb_message_echoes")]);
};

describe("a hand-off is judged when the message arrives", () => {
  const without = async (handoffRules: object): Promise<Chat> => {
    const customer = await newCustomer(l.w);
    await giveAgent(l.w, customer, { handoffRules });
    return chatOf(l.w, customer);
  };

  test("X-035 X-037 GAP-X (usage) by a keyword without a provider's key", async () => {
    const c = await without({ keywords: ["humano"] });
    await c.says("quero um humano");
    expect([(await c.with()).status, handoffs(c), l.llm.journal]).toEqual([
      "HUMAN_HANDOFF",
      [{ reason: "keyword", manual: false, turnCount: 1 }],
      [],
    ]);
  });

  test("X-036 GAP-X (usage) by turns without a provider's key", async () => {
    const c = await without({ afterTurns: 2 });
    for (const text of ["um", "dois", "três"]) await c.says(text);
    expect([handoffs(c), await said(c), c.sent()]).toEqual([
      [{ reason: "after_turns", manual: false, turnCount: 2 }],
      ["USER: um", "USER: dois", "USER: três"],
      [],
    ]);
  });

  test("X-035 GAP-X (usage) while the turn waits for its turn, however late that comes: only the reply is dropped", async () => {
    const c = await newChat(l, { handoffRules: { keywords: ["humano"] } });
    await c.says("oi");
    await holdBack(l.w, `ai:${c.accountId}`);
    await c.says("ainda aí?");
    await c.says("um humano!");
    expect([(await c.with()).status, handoffs(c).length]).toEqual(["HUMAN_HANDOFF", 1]);
    await l.w.advance(HOUR_MS + 1);
    await release(l.w, `ai:${c.accountId}`);
    expect([c.sent(), await said(c)]).toEqual([
      [`${TO}: You said: oi`],
      ["USER: oi", "ASSISTANT: You said: oi", "USER: ainda aí?", "USER: um humano!"],
    ]);
  });
});

describe("the agent remembers", () => {
  test("X-077 X-041 what customer and human said after the hand-off is in the transcript and in the next prompt", async () => {
    const c = await newChat(l);
    await c.says("Meu pedido não chegou");
    await hand(c, "handoff");
    await c.says("É o número 4711");
    const messageId = await byApi(c, "Achei: está com o entregador.");
    await byPhone(c, "Chega às seis.");
    await hand(c, "release");
    await c.says("Obrigada! A que horas mesmo?");
    const all = [
      "Meu pedido não chegou",
      "You said: Meu pedido não chegou",
      "É o número 4711",
      "Achei: está com o entregador.",
      "Chega às seis.",
      "Obrigada! A que horas mesmo?",
    ];
    expect(prompt()).toEqual(
      ["user", "assistant", "user", "assistant", "assistant", "user"].map((role, at) => `${role}: ${all[at]}`),
    );
    const turns = await c.turns();
    expect(turns.map(({ role }) => role)).toEqual(["USER", "ASSISTANT", "USER", "HUMAN", "HUMAN", "USER", "ASSISTANT"]);
    expect(turns.slice(0, -1).map(({ content }) => content)).toEqual(all);
    expect([turns[3].sentMessageId, turns[4].chatMessageId, typeof turns[4].messageId]).toEqual([
      messageId,
      "wamid.Chega às seis.",
      "string",
    ]);
  });

  test("X-041 the words of every kind of answer are a turn, once, and what has no words is none", async () => {
    const c = await newChat(l);
    await c.says("oi");
    await byApi(c, "", { type: "button", content: { text: "Qual?", buttons: [{ id: "a", text: "A" }] } });
    await byApi(c, "", { type: "image", content: { mediaUrl: "https://example.com/a.jpg", caption: "Este" } });
    await byApi(c, "", { type: "image", content: { mediaUrl: "https://example.com/a.jpg" } });
    await byPhone(c, "assim", "wamid.same");
    await byPhone(c, "assim", "wamid.same");
    expect(await said(c)).toEqual([
      "USER: oi",
      "ASSISTANT: You said: oi",
      "HUMAN: Qual?",
      "HUMAN: Este",
      "HUMAN: assim",
    ]);
  });

  test("X-012 X-077 the agent's greeting is a turn of its own", async () => {
    const c = await newChat(l, { greeting: "Bem-vindo!" });
    await c.says("oi");
    await c.says("tudo bem?");
    expect(await said(c)).toEqual([
      "USER: oi",
      "ASSISTANT: Bem-vindo!",
      "ASSISTANT: You said: oi",
      "USER: tudo bem?",
      "ASSISTANT: You said: tudo bem?",
    ]);
    expect(prompt()).toEqual(["user: oi", "assistant: Bem-vindo!", "assistant: You said: oi", "user: tudo bem?"]);
  });

  test("X-033 what a human writes begins no conversation, and is in nobody else's; nor is it noted in one that is closed", async () => {
    const c = await newChat(l);
    await byApi(c, "Temos pão fresco!");
    expect((await c.talk()).body.items).toEqual([]);
    await c.says("oi", OTHER);
    await c.says("oi");
    await hand(c, "close");
    await byApi(c, "Até logo!");
    expect([await said(c), await said(c, OTHER)]).toEqual([
      ["USER: oi", "ASSISTANT: You said: oi"],
      ["USER: oi", "ASSISTANT: You said: oi"],
    ]);
  });

  test("X-032 GAP-X13 messages to a disabled agent are stored in the ended conversation, and revive nothing", async () => {
    const c = await newChat(l);
    await c.says("um");
    await c.agent("/disable");
    await l.w.advance(DAY_MS + 1000);
    await c.says("dois");
    await byApi(c, "Já respondo.");
    await c.says("três");
    expect([c.sent().length, l.llm.chats().length]).toEqual([2, 1]);
    await c.agent("/enable");
    await c.says("quatro");
    expect(prompt()).toEqual([
      "user: um",
      "assistant: You said: um",
      "user: dois",
      "assistant: Já respondo.",
      "user: três",
      "user: quatro",
    ]);
  });

  test("X-041 however much a human writes, the prompt holds twice as many turns as the window, and begins with the customer", async () => {
    const c = await newChat(l, { contextWindowTurns: 2 });
    await c.says("um");
    for (const text of ["a", "b", "c", "d"]) await byApi(c, text);
    await c.says("dois");
    expect(prompt()).toEqual(["user: dois"]);
    for (const text of ["e", "f"]) await byApi(c, text);
    await c.says("três");
    expect(prompt()).toEqual(["user: dois", "assistant: You said: dois", "assistant: e", "assistant: f", "user: três"]);
  });

  test("X-030 what is written while the provider is asked is noted at once and answered in its turn", async () => {
    const c = await newChat(l);
    const gate = Promise.withResolvers<void>();
    l.llm.next(REPLIES.held(gate.promise));
    for (const text of ["um", "dois"]) await l.w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text });
    await l.llm.received(1);
    await untilTrue(async () => (await said(c)).length === 2); // while the provider is asked
    expect([await said(c), prompt()]).toEqual([["USER: um", "USER: dois"], ["user: um"]]);
    gate.resolve();
    await l.w.settle();
    expect(prompt()[0]).toBe("user: um");
    expect(prompt().slice(1)).toEqual([expect.stringMatching(/^assistant: /), "user: dois"]);
    expect(c.sent().length).toBe(2);
  });
});

describe("the owner answers on the phone", () => {
  test("and the agent is silent from then on, once and for one person, until the conversation is given back", async () => {
    const c = await newChat(l);
    await c.says("oi");
    await c.says("oi", OTHER);
    await byPhone(c, "Deixa comigo.");
    await byPhone(c, "Deixa comigo.");
    await c.says("obrigada");
    await c.says("tudo bem?", OTHER);
    expect([handoffs(c), (await c.with()).status, (await c.with(OTHER)).status]).toEqual([
      [{ reason: "owner_replied", manual: false, turnCount: 1 }],
      "HUMAN_HANDOFF",
      "AI",
    ]);
    expect(await said(c)).toEqual(["USER: oi", "ASSISTANT: You said: oi", "HUMAN: Deixa comigo.", "USER: obrigada"]);
    await hand(c, "release");
    await c.says("mais uma coisa");
    expect((await said(c)).at(-1)).toBe("ASSISTANT: You said: mais uma coisa");
  });

  test("with a picture that says nothing, too", async () => {
    const c = await newChat(l);
    await c.says("oi");
    const echo = { from: c.phone.number, to: TO, id: "wamid.PIC", timestamp: "1700000000", type: "sticker" };
    await post(l.w, [ofNumber(c, { message_echoes: [{ ...echo, sticker: { id: "1" } }] }, "smb_message_echoes")]);
    expect([handoffs(c).length, await said(c)]).toEqual([1, ["USER: oi", "ASSISTANT: You said: oi"]]);
  });

  test("while the agent thinks: its answer is dropped", async () => {
    const c = await newChat(l);
    const gate = Promise.withResolvers<void>();
    l.llm.next(REPLIES.held(gate.promise));
    await l.w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "oi" });
    await l.llm.received(1);
    const echo = { from: c.phone.number, to: TO, id: "wamid.NOW", timestamp: "1700000000", type: "text" };
    const changes = [ofNumber(c, { message_echoes: [{ ...echo, text: { body: "eu" } }] }, "smb_message_echoes")];
    await l.w.graph.inbound.raw({ object: "whatsapp_business_account", entry: [{ id: "1", changes }] });
    await untilTrue(async () => (await said(c)).includes("HUMAN: eu"));
    gate.resolve();
    await l.w.settle();
    expect([c.sent(), await said(c)]).toEqual([[], ["USER: oi", "HUMAN: eu"]]);
  });
});

describe("two agents that answer each other", () => {
  test("X-035 are noticed by thirty messages in ten minutes: a human is called, once, and the provider is asked no more", async () => {
    const c = await newChat(l);
    for (let n = 1; n <= 40; n++) await c.says(`Como posso ajudar? ${n}`);
    expect([handoffs(c), c.sent().length, l.llm.chats().length]).toEqual([
      [{ reason: "loop", manual: false, turnCount: 30 }],
      29,
      29,
    ]);
    expect(await c.with()).toMatchObject({ status: "HUMAN_HANDOFF", handoffReason: "loop" });
    await hand(c, "release");
    await c.says("Sou eu, a Ana");
    expect([(await c.with()).status, c.sent().length]).toEqual(["AI", 30]);
  });

  test("X-035 are noticed by one text five times in a row", async () => {
    const c = await newChat(l);
    await c.says("oi");
    for (let n = 1; n <= 6; n++) await c.says(n % 2 ? "Não entendi." : " não entendi. ");
    expect([handoffs(c), c.sent().length]).toEqual([[{ reason: "loop", manual: false, turnCount: 6 }], 5]);
  });

  test("X-035 a person who writes much, with pauses, and says the same again, is none", async () => {
    const c = await newChat(l);
    for (let n = 1; n <= 45; n++) {
      await c.says(n % 5 ? "sim" : `item ${n}`);
      await l.w.advance(MINUTE_MS / 2);
    }
    expect([handoffs(c), c.sent().length]).toEqual([[], 45]);
  });
});
