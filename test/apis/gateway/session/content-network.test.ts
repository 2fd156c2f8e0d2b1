import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { proto } from "@whiskeysockets/baileys";
import { type Customer, newCustomer, receivedBy } from "../../../support/customers/customer.ts";
import { resolve } from "../../../support/networks/waba-posts.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { pairedCustomer } from "../../../support/session/paired-phone.ts";
import { type Contact, type Phone, startWhatsApp, type WhatsApp } from "../../../support/whatsapp/index.ts";
import { editUnder, reactionUnder, voteUnder } from "../../../support/whatsapp/messages/secrets.ts";
import { startWorld, type World } from "../../../support/world.ts";

let net: WhatsApp;
let w: World;
let c: Customer & { owner: Phone };
let ana: Contact & { pn: string };
let people = 0;
beforeAll(async () => {
  net = await startWhatsApp();
  w = await startWorld({
    env: { RECADO_WHATSAPP_WEB_URL: net.url, RECADO_WHATSAPP_WEB_ROOT: net.root, RECADO_GATEWAY_RATE: "1000000" },
  });
});
afterAll(async () => {
  await w.stop();
  await net.stop();
});
beforeEach(async () => {
  c = await pairedCustomer(w, net);
  const pn = `55119222000${10 + people++}`;
  ana = Object.assign(net.contact({ pn, name: "Ana" }), { pn });
  ana.receipts = { ...ana.receipts, delivered: false };
});
afterEach(() => {
  expect(net.stat.unhandled).toEqual([]);
});

/** The data of the events of one type, once there are so many. */
const untilReceived = async (type: string, count = 1): Promise<any[]> => {
  for (let arrived = 1; ; arrived++) {
    const found = receivedBy(c.hook, type);
    if (found.length >= count) return found;
    await c.hook.received(arrived);
  }
};
const accepted = async (input: object): Promise<string> => {
  const { status, body, text } = await c.send({ to: ana.pn, ...input });
  if (status !== 202) throw new Error(text);
  return body.messageId;
};
const POLL = { question: "Quando?", options: ["Sábado", "Domingo", "Nunca"] };

describe("W26-8 a poll", () => {
  test("is sent, and its votes come with the customer's id of it, the last one of each voter", async () => {
    const messageId = await accepted({ type: "poll", content: POLL });
    const { id, message } = await ana.until(() => true);
    expect(message.pollCreationMessageV3).toMatchObject({
      name: "Quando?",
      options: POLL.options.map((optionName) => ({ optionName })),
      selectableOptionsCount: 1,
    });
    const secret = message.messageContextInfo?.messageSecret ?? new Uint8Array();
    const under = { id, secret, author: c.owner.jid, doer: ana.lidJid };
    await ana.sendProto(voteUnder(under, ["Sábado"], 1), { to: c.owner });
    await ana.sendProto(voteUnder({ ...under, author: c.owner.lidJid, doer: ana.jid }, ["Nunca"], 2), { to: c.owner });
    await ana.sendProto(voteUnder(under, [], 3), { to: c.owner });
    const votes = await untilReceived("message:poll-vote", 3);
    expect(votes.map(({ options, totals }) => [options, totals.map((total: any) => total.votes)])).toEqual([
      [["Sábado"], [1, 0, 0]],
      [["Nunca"], [0, 0, 1]],
      [[], [0, 0, 0]],
    ]);
    expect(votes[0]).toMatchObject({
      messageId,
      from: { pn: `${ana.pn}@s.whatsapp.net` },
      timestamp: expect.any(String),
    });
  });

  test("of several selections says how many, and any number as the network does", async () => {
    await accepted({ type: "poll", content: { ...POLL, maxSelections: 2 } });
    await accepted({ type: "poll", content: { ...POLL, maxSelections: 3 } });
    const sent = async (count: number) =>
      (await ana.until(({ message }) => message.pollCreationMessage?.selectableOptionsCount === count)).text;
    expect([await sent(2), await sent(0)]).toEqual(["", ""]);
  });

  test.each([
    ["one option", { ...POLL, options: ["a"] }],
    ["thirteen options", { ...POLL, options: Array.from({ length: 13 }, (_, n) => `${n}`) }],
    ["an option twice", { ...POLL, options: ["a", "a"] }],
    ["more selections than options", { ...POLL, maxSelections: 4 }],
    ["no selection", { ...POLL, maxSelections: 0 }],
    ["no question", { options: ["a", "b"] }],
  ])("with %s is refused, and nothing is sent", async (_, content) => {
    expect(gatewaySays(await c.send({ to: ana.pn, type: "poll", content }))).toBe("400 VALIDATION_ERROR");
    expect(ana.received).toEqual([]);
  });

  test("that somebody sends can be read, and voted on in a group", async () => {
    const group = net.group({ subject: "Equipe", members: [c.owner, ana] });
    const secret = Buffer.alloc(32, 7);
    const id = await ana.sendProto(
      {
        pollCreationMessageV3: { name: "Quando?", options: [{ optionName: "Já" }], selectableOptionsCount: 1 },
        messageContextInfo: { messageSecret: secret },
      },
      { to: group },
    );
    await ana.sendProto(voteUnder({ id, secret, author: ana.lidJid, doer: ana.lidJid }, ["Já"], 1), { to: group });
    const [vote] = await untilReceived("message:poll-vote");
    const [poll] = receivedBy(c.hook, "message:received");
    expect(poll).toMatchObject({ type: "poll", content: { question: "Quando?", options: ["Já"], maxSelections: 1 } });
    expect(vote).toMatchObject({ messageId: poll.messageId, options: ["Já"], totals: [{ option: "Já", votes: 1 }] });
  });
});

test("W26-8 an edit and a reaction that are hidden under their message's secret are events as any other", async () => {
  const secret = Buffer.alloc(32, 9);
  const id = await ana.sendProto(
    { conversation: "oi", messageContextInfo: { messageSecret: secret } },
    { to: c.owner },
  );
  const under = { id, secret, author: ana.jid, doer: ana.lidJid };
  await ana.sendProto(editUnder(under, { conversation: "olá" }), { to: c.owner });
  await ana.sendProto(reactionUnder(under, "👍"), { to: c.owner });
  const [[edited], [reacted]] = [await untilReceived("message:edited"), await untilReceived("message:reaction")];
  const [{ messageId }] = receivedBy(c.hook, "message:received");
  expect([edited, reacted]).toMatchObject([
    { messageId, text: "olá" },
    { messageId, emoji: "👍" },
  ]);
});

describe("W26-9 somebody without a number", () => {
  const person = () => net.contact({ lid: `98765${people++}`, username: `joana.${people}`, name: "Joana" });

  test("writes, is named by LID and username, and is answered", async () => {
    const joana = person();
    await joana.say("oi", { to: c.owner });
    const [received] = await untilReceived("message:received");
    expect(received).toMatchObject({
      from: {
        canonicalKey: `lid:${joana.lid}`,
        pn: null,
        lid: joana.lidJid,
        type: "lid",
        username: joana.account.username,
      },
      chat: { canonicalKey: `lid:${joana.lid}` },
    });
    for (const to of [joana.lidJid, `lid:${joana.lid}`]) await accepted({ to, content: { text: `para ${to}` } });
    await joana.until(({ text }) => text === `para lid:${joana.lid}`);
    expect(joana.received.map(({ text }) => text)).toEqual([`para ${joana.lidJid}`, `para lid:${joana.lid}`]);
  });

  test("is named so in a group, and where the owner writes to them", async () => {
    const joana = person();
    const group = net.group({ subject: "Equipe", members: [c.owner, joana] });
    await joana.say("oi", { to: group });
    await c.owner.say("olá", { to: joana });
    // in any order: they are of two chats
    const received = await untilReceived("message:received", 2);
    const named = { lid: joana.lidJid, username: joana.account.username };
    expect(received.find(({ direction }) => direction === "inbound")).toMatchObject({ from: named });
    expect(received.find(({ direction }) => direction === "outbound")).toMatchObject({ chat: named });
  });

  test("is asked for the number, gives it, and is the same person from then on", async () => {
    const joana = person();
    await joana.say("oi", { to: c.owner });
    await untilReceived("message:received");
    await accepted({ to: joana.lidJid, type: "phone_number_request", content: {} });
    await joana.until(({ message }) => Boolean(message.requestPhoneNumberMessage));
    const pn = `55119333000${10 + people}`;
    await joana.sharePhoneNumber(pn, c.owner);
    await joana.say("pronto", { to: c.owner });
    const [, shared, later] = await untilReceived("message:received", 3);
    expect(shared).toMatchObject({ type: "phone_number_share", content: { phoneNumber: pn } });
    const who = { canonicalKey: `pn:${pn}`, pn: `${pn}@s.whatsapp.net`, lid: joana.lidJid };
    expect([shared.from, later.from]).toMatchObject([who, who]);
    const resolved = await resolve(w, c, `lid:${joana.lid}`);
    expect([resolved.status, resolved.body?.canonicalKey]).toEqual([200, `pn:${pn}`]);
  });

  test("asks for our number, and is given it", async () => {
    const joana = person();
    await joana.sendProto({ requestPhoneNumberMessage: {} }, { to: c.owner });
    expect((await untilReceived("message:received"))[0]).toMatchObject({ type: "phone_number_request", content: {} });
    await accepted({ to: joana.lidJid, type: "phone_number_share", content: {} });
    const { SHARE_PHONE_NUMBER } = proto.Message.ProtocolMessage.Type;
    await joana.until(({ message }) => message.protocolMessage?.type === SHARE_PHONE_NUMBER);
  });
});

test("what few networks have is refused elsewhere with the usual code, and nothing is sent", async () => {
  const waba = await w.wabaPhone(c.key);
  for (const [type, content] of [
    ["poll", POLL],
    ["phone_number_share", {}],
  ] as const)
    expect(gatewaySays(await c.send({ phoneId: waba.id, to: ana.pn, type, content }))).toBe("400 UNSUPPORTED_TYPE");
});

describe("the preview of a link", () => {
  test("of a received text is in its content, and a text without one has none", async () => {
    const part = { text: "veja https://x.example", matchedText: "https://x.example", title: "X", description: "Um X" };
    await ana.sendProto({ extendedTextMessage: part }, { to: c.owner });
    await ana.sendProto({ extendedTextMessage: { text: "https://y.example" } }, { to: c.owner });
    const [first, second] = await untilReceived("message:received", 2);
    expect(first.content).toEqual({
      text: "veja https://x.example",
      linkPreview: { url: "https://x.example", title: "X", description: "Um X" },
    });
    expect(second.content).toEqual({ text: "https://y.example" });
  });

  test.each([
    ["of an address that is not in the text", { title: "X", url: "https://other.example" }],
    ["without a title", { url: "https://x.example" }],
    ["with a picture that no page has", { title: "X", image: { mediaUrl: "ftp://x.example/x.png" } }],
    ["with a picture by its handle", { title: "X", image: { mediaHandle: "4::x" } }],
    ["that is a word", "yes"],
  ])("%s is refused, and nothing is sent", async (_, linkPreview) => {
    const answer = await c.send({ to: ana.pn, content: { text: "veja https://x.example", linkPreview } });
    expect(gatewaySays(answer)).toBe("400 VALIDATION_ERROR");
    expect(ana.received).toEqual([]);
  });

  test("is refused on a network that has none, and false or null asks for nothing", async () => {
    const official = await newCustomer(w);
    const send = (linkPreview: unknown) =>
      official.send({ to: "5511988887777", content: { text: "https://x.example", linkPreview } });
    expect(gatewaySays(await send(true))).toBe("400 VALIDATION_ERROR");
    for (const none of [false, null]) expect((await send(none)).status).toBe(202);
  });

  test("arrives with the text that gives it, and the setting of the phone is a choice", async () => {
    await accepted({ content: { text: "veja https://x.example", linkPreview: { title: "Meu X" } } });
    const { message } = await ana.until(({ text }) => text === "veja https://x.example");
    expect(message.extendedTextMessage).toMatchObject({ matchedText: "https://x.example", title: "Meu X" });
    const settings = `/v1/phones/${c.phone.id}/settings`;
    const set = (linkPreviews: unknown) => w.gateway(settings, { key: c.key, method: "PATCH", body: { linkPreviews } });
    expect(gatewaySays(await set("maybe"))).toBe("400 VALIDATION_ERROR");
    expect((await set("on")).body).toMatchObject({ linkPreviews: "on" });
  });
});
