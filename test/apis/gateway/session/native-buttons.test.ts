import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { type Customer, receivedBy } from "../../../support/customers/customer.ts";
import { pairedCustomer } from "../../../support/session/paired-phone.ts";
import { type Contact, type Phone, startWhatsApp, type WhatsApp } from "../../../support/whatsapp/index.ts";
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
  const pn = `55119333000${10 + people++}`;
  ana = Object.assign(net.contact({ pn, name: "Ana" }), { pn });
  ana.receipts = { ...ana.receipts, delivered: false };
});
afterEach(() => {
  expect(net.stat.unhandled).toEqual([]);
  net.faults.clear();
});

const BUTTONS = {
  type: "button",
  content: {
    text: "Confirma?",
    buttons: [
      { id: "yes", text: "Sim" },
      { id: "no", text: "Não" },
    ],
  },
};
const LIST = {
  type: "list",
  content: {
    text: "O quê?",
    buttonText: "Abrir",
    sections: [{ title: "Bolos", rows: [{ id: "a", title: "Cenoura" }] }],
  },
};
const set = (nativeButtons: string | null) =>
  w.gateway(`/v1/phones/${c.phone.id}/settings`, { key: c.key, method: "PATCH", body: { nativeButtons } });
const accepted = async (input: object): Promise<string> => {
  const { status, body, text } = await c.send({ to: ana.pn, ...input });
  if (status !== 202) throw new Error(text);
  return body.messageId;
};
/** The data of the events of one type, once there are so many. */
const untilReceived = async (type: string, count = 1): Promise<any[]> => {
  for (let arrived = 1; ; arrived++) {
    const found = receivedBy(c.hook, type);
    if (found.length >= count) return found;
    await c.hook.received(arrived);
  }
};

test("by default a menu is a text; the setting `try` makes it buttons, and null a text again", async () => {
  const shown = async () => {
    const id = await accepted(BUTTONS);
    const [status] = (await untilReceived("message:status")).filter(({ messageId }) => messageId === id);
    return [ana.received.at(-1)?.message.interactiveMessage?.body?.text, status?.sentAs];
  };
  expect(await shown()).toEqual([undefined, undefined]);
  expect((await set("try")).status).toBe(200);
  await accepted(BUTTONS);
  await ana.until(({ message }) => message.interactiveMessage?.body?.text === "Confirma?");
  expect((await set(null)).status).toBe(200);
  await accepted(BUTTONS);
  await ana.until(() => ana.received.length === 3);
  expect(ana.received.at(-1)?.text).toBe("Confirma?\n\n1. Sim\n2. Não");
  expect((await set("always")).status).toBe(400);
});

test("a tap on a button or a row and an answer to the text come in alike", async () => {
  await set("try");
  for (const [menu, id, text] of [
    [BUTTONS, "no", "Não"],
    [LIST, "a", "Cenoura"],
  ] as const) {
    const before = receivedBy(c.hook, "message:received").length;
    const messageId = await accepted(menu);
    const shown = await ana.until(({ message }) => message.interactiveMessage?.body?.text === menu.content.text);
    await ana.tap(shown, id);
    await ana.say(text, { to: c.owner, quoted: { id: shown.id } });
    const replies = (await untilReceived("message:received", before + 2)).slice(before);
    expect(replies).toMatchObject(
      [1, 2].map(() => ({ type: "button_reply", content: { selectedId: id, text }, quotedMessageId: messageId })),
    );
  }
});

test("a form that the network refuses goes out as the text under the same message, which says so everywhere", async () => {
  await set("try");
  net.faults.nack(473, undefined, { times: 1 });
  const id = await accepted(BUTTONS);
  expect(await untilReceived("message:status")).toMatchObject([{ messageId: id, status: "sent", sentAs: "text" }]);
  expect(ana.received).toMatchObject([{ text: "Confirma?\n\n1. Sim\n2. Não" }]);
  expect(await c.message(id)).toMatchObject({ status: "SENT", failedReason: null, sentAs: "text" });
  const { steps } = (await w.gateway(`/v1/messages/${id}/timeline`, { key: c.key })).body;
  expect(steps).toMatchObject([
    { kind: "ACCEPTED" },
    { kind: "TRY_REFUSED", code: "UPSTREAM_UNSUPPORTED", networkCode: 473, reason: expect.stringContaining("text") },
    { kind: "SENT" },
  ]);
  await ana.say("2", { to: c.owner });
  expect(await untilReceived("message:received")).toMatchObject([
    { type: "button_reply", content: { selectedId: "no", text: "Não" } },
  ]);
});

test("a carousel and a code go out by default as a text, and answers to its replies come in", async () => {
  await accepted({ type: "copy_code", content: { text: "Seu cupom", buttonText: "Copiar", code: "BOLO10" } });
  await ana.until(({ text }) => text === "Seu cupom\n\nCopiar: BOLO10");
  await accepted({ type: "carousel", content: carousel() });
  await ana.until(({ text }) => text.includes("2. Quero"));
  await ana.say("2", { to: c.owner });
  expect(await untilReceived("message:received")).toMatchObject([
    { type: "button_reply", content: { selectedId: "fuba", text: "Quero" } },
  ]);
});

const card = (id: string, more: object = {}) => ({
  header: { type: "image", mediaUrl: "https://padaria-estrela.example/a.jpg" },
  text: id,
  buttons: [{ type: "reply", id, text: "Quero" }],
  ...more,
});
const carousel = (...cards: object[]) => ({
  text: "Os bolos",
  cards: cards.length > 0 ? cards : [card("cenoura"), card("fuba")],
});

test.each<[string, object, string]>([
  ["one card", carousel(card("a")), "cards"],
  ["a reply without an id", carousel(card("a"), card("b", { buttons: [{ type: "reply", text: "x" }] })), "id"],
  ["a link without an address", carousel(card("a"), card("b", { buttons: [{ type: "url", text: "x" }] })), "url"],
  ["a copy without a code", carousel(card("a"), card("b", { buttons: [{ type: "copy", text: "x" }] })), "code"],
  ["two replies with one id", carousel(card("a"), card("a")), "id"],
  [
    "a picture at a private address",
    carousel(card("a"), card("b", { header: { type: "image", mediaUrl: "http://10.0.0.1/a.jpg" } })),
    "mediaUrl",
  ],
])("a carousel with %s is refused by its field, and nothing is sent", async (_, content, field) => {
  const before = net.stat.stanzas["message"];
  const { status, text } = await c.send({ to: ana.pn, type: "carousel", content });
  expect([status, text]).toEqual([400, expect.stringContaining(field)]);
  expect(net.stat.stanzas["message"]).toBe(before);
});
