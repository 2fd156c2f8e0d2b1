import { expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import type { Content } from "../../../../src/contract/content/content.ts";
import type { ChannelEvent, ProviderMessageId, Receipt, Received } from "../../../../src/contract/events.ts";
import type { SendOrder } from "../../../../src/contract/plugin.ts";
import { CONNECTED, unpairedChannel } from "../../../support/session/unpaired.ts";
import { untilTrue } from "../../../support/waiting.ts";

const channel = unpairedChannel();

const newKey = (): ProviderMessageId => {
  const key = channel().link.providerMessageIdFor?.(randomUUID());
  if (key === undefined) throw new Error("a session chooses its keys");
  return key;
};
const orderOf = (
  content: Content,
  to: string,
  more: { key?: ProviderMessageId; quotedProviderMessageId?: ProviderMessageId } = {},
): SendOrder => ({
  ...content,
  messageId: "6a0c2b1e-0000-4000-8000-000000000001",
  to,
  key: newKey(),
  ...more,
});
const text = (words: string): Content => ({ type: "text", content: { text: words } });

/** Somebody on the network, and a session that is connected. */
const pairedWith = async (pn: string) => {
  const { net, pair } = channel();
  const ana = net.contact({ pn });
  await pair();
  return ana;
};
const eventually = async <Found extends ChannelEvent>(
  matches: (event: ChannelEvent) => event is Found,
): Promise<Found> => {
  const { host } = channel();
  await host.until(() => host.events.some(matches));
  return host.events.find(matches) as Found;
};
const received = (event: ChannelEvent): event is Received => event.kind === "received";
const untilLogged = async (words: string): Promise<void> => {
  await untilTrue(() => channel().host.logLines.some((line) => line.includes(words)));
};
/** In seconds; far from now by the machine's clock too. */
const END_OF_RESTRICTION = 4_000_000_000;
const receiptOf =
  (key: ProviderMessageId, status: Receipt["status"]) =>
  (event: ChannelEvent): event is Receipt =>
    event.kind === "receipt" && event.key === key && event.status === status;

test("a send is taken, delivered and read", async () => {
  const ana = await pairedWith("5511911110001");
  const order = orderOf(text("olá"), "pn:5511911110001");
  expect(await channel().link.send(order)).toEqual({ ok: true, key: order.key as ProviderMessageId });
  await ana.until(({ id }) => id === order.key);
  await eventually(receiptOf(order.key as ProviderMessageId, "delivered"));
  ana.read(order.key ?? "");
  await eventually(receiptOf(order.key as ProviderMessageId, "read"));
});

test("the answer to buttons is a button_reply, by number and by title", async () => {
  const ana = await pairedWith("5511911110001");
  const { link, phone, host } = channel();
  const menu: Content = {
    type: "button",
    content: {
      text: "Confirma?",
      buttons: [
        { id: "yes", text: "Sim" },
        { id: "no", text: "Não" },
      ],
    },
  };
  expect(await link.send(orderOf(menu, "pn:5511911110001"))).toMatchObject({ ok: true });
  await ana.until(({ text: said }) => said.startsWith("Confirma?"));
  await ana.say("2.", { to: phone });
  expect((await eventually(received)).content).toEqual({
    type: "button_reply",
    content: { selectedId: "no", text: "Não" },
  });
  host.events.length = 0;
  await ana.say("Sim", { to: phone });
  expect((await eventually(received)).content).toEqual({
    type: "button_reply",
    content: { selectedId: "yes", text: "Sim" },
  });
  host.events.length = 0;
  await ana.say("talvez", { to: phone });
  expect((await eventually(received)).content).toEqual({ type: "text", content: { text: "talvez" } });
});

test("who wrote is answered with a quote, reacted to and marked as read", async () => {
  const ana = await pairedWith("5511911110001");
  const { link, phone, host } = channel();
  await ana.say("tem pão?", { to: phone });
  const { key } = await eventually(received);
  const reply = orderOf(text("tem"), "pn:5511911110001", { quotedProviderMessageId: key });
  expect(await link.send(reply)).toMatchObject({ ok: true });
  const { message } = await ana.until(({ id }) => id === reply.key);
  expect(message.extendedTextMessage?.contextInfo).toMatchObject({
    stanzaId: key,
    participant: ana.lidJid,
    quotedMessage: { conversation: "tem pão?" },
  });
  const target = { key, chat: "pn:5511911110001", sender: "pn:5511911110001" };
  expect(await link.operate?.({ name: "react", emoji: "👍", ...target })).toEqual({ ok: true });
  await ana.until(
    ({ message: { reactionMessage } }) => reactionMessage?.key?.id === key && reactionMessage.text === "👍",
  );
  expect(await link.operate?.({ name: "read", ...target })).toEqual({ ok: true });
  await ana.untilReceived(({ id, type }) => id === key && type === "read");
  expect(host.logLines.join()).not.toContain("pão");
});

test("a restricted account may answer those who wrote; when the network lifts that, it may write to all", async () => {
  const ana = await pairedWith("5511911110001");
  const { net, link, phone } = channel();
  const bia = net.contact({ pn: "5511911110002" });
  await ana.say("oi", { to: phone });
  await eventually(received);
  const restricted = { kind: "refused", code: "UPSTREAM_ACCOUNT_RESTRICTED" };
  phone.restrict({ until: END_OF_RESTRICTION });
  await untilLogged("may not write to strangers");
  expect(await link.send(orderOf(text("?"), "pn:5511911110002"))).toMatchObject(restricted);
  expect(bia.received).toEqual([]);
  expect(await link.send(orderOf(text("oi!"), "pn:5511911110001"))).toMatchObject({ ok: true });
  phone.unrestrict();
  await untilLogged("may write to strangers again");
  expect(await link.send(orderOf(text("!"), "pn:5511911110002"))).toMatchObject({ ok: true });
});

test("a send whose link is cut is unknown, and its repeat on the next one reaches the contact once", async () => {
  const ana = await pairedWith("5511911110001");
  const { net, link, phone, host, pass, reported } = channel();
  const order = orderOf(text("olá"), "pn:5511911110001");
  net.faults.dropAcks(undefined, { times: 1 });
  const sending = link.send(order);
  await ana.until(({ id }) => id === order.key);
  host.reports.length = 0;
  phone.cut();
  expect(await sending).toMatchObject({ ok: false, kind: "unknown" });
  await pass();
  await reported(CONNECTED);
  expect(await link.send(order)).toEqual({ ok: true, key: order.key as ProviderMessageId });
  expect(ana.received.filter(({ id }) => id === order.key)).toHaveLength(1);
});

test("many sends at once to one contact all arrive, each under its id", async () => {
  const ana = await pairedWith("5511911110001");
  const orders = Array.from({ length: 40 }, (_, at) => orderOf(text(`n ${at}`), "pn:5511911110001"));
  const outcomes = await Promise.all(orders.map((order) => channel().link.send(order)));
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(40);
  await ana.until(() => new Set(ana.received.map(({ id }) => id)).size === 40);
  expect(ana.unread).toEqual([]);
});
