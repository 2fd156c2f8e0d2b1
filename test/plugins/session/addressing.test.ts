import { describe, expect, test } from "bun:test";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { received, receivingChannel, sendText } from "../../support/session/receiving.ts";

const MESSAGE_ID = "6f1b6f0e-6c1f-4b0a-8d55-0d6d2f8f3b12";

describe("W26-7.4 a message to a person whose LID is known", () => {
  const channel = receivingChannel();
  const destinations = () => channel().net.stat.destinations.map(({ to, alias }) => [to, alias]);
  type Act = { name: "react"; emoji: string } | { name: "edit"; text: string } | { name: "delete" };
  const operate = async (key: ProviderMessageId, act: Act) => {
    const { ana, link } = channel();
    expect(await link.operate?.({ ...act, key, chat: `pn:${ana.pn}`, sender: null })).toEqual({ ok: true });
  };

  test("goes to the LID, with the number beside it, and so does all that is done to it", async () => {
    const { ana, phone, host, link } = channel();
    const theirs = (await ana.say("oi", { to: phone })) as ProviderMessageId;
    await received(host, "received");
    const ours = await sendText(channel(), `pn:${ana.pn}`, "olá");
    await ana.until(({ text }) => text === "olá");
    const order = { type: "text", content: { text: "citado" }, to: `pn:${ana.pn}`, messageId: MESSAGE_ID } as const;
    while ((link.paceMs?.(order.to) ?? 0) > 0) host.clock.advance(MINUTE_MS);
    expect(await link.send({ ...order, quotedProviderMessageId: theirs })).toMatchObject({ ok: true });
    await operate(theirs, { name: "react", emoji: "👍" });
    await operate(ours, { name: "edit", text: "olá!" });
    await operate(ours, { name: "delete" });
    const quote = await ana.until(({ text }) => text === "citado");
    const context = quote.message.extendedTextMessage?.contextInfo;
    expect([context?.stanzaId, context?.participant]).toEqual([theirs, ana.lidJid]);
    expect(destinations()).toEqual(Array.from({ length: 5 }, () => [ana.lidJid, ana.jid]));
    const acts = ana.received
      .slice(-3)
      .map(
        ({ message }) =>
          message.reactionMessage?.key?.id ??
          message.protocolMessage?.key?.id ??
          message.editedMessage?.message?.protocolMessage?.key?.id,
      );
    expect(acts).toEqual([theirs, ours, ours]);
  });

  test("has its receipts, reactions and repeats as before: ids and people do not change", async () => {
    const { ana, phone, host } = channel();
    await ana.say("oi", { to: phone });
    await received(host, "received");
    ana.receipts = { delivered: true, read: true, retry: true };
    ana.blind = true;
    const key = await sendText(channel(), `pn:${ana.pn}`, "olá");
    await channel().net.until(() => ana.unread.includes(key));
    ana.blind = false;
    await ana.until(({ id }) => id === key);
    await received(host, "receipt", 2);
    expect(host.events.filter(({ kind }) => kind === "receipt")).toMatchObject([
      { key, status: "delivered", to: { pn: ana.pn, lid: ana.lid } },
      { key, status: "read", to: { pn: ana.pn, lid: ana.lid } },
    ]);
    await ana.react(phone, { id: key }, "👍");
    expect(await received(host, "reacted")).toMatchObject([{ key, from: { pn: ana.pn, lid: ana.lid } }]);
  });

  test("goes to the number as long as the LID is not known, and to the LID from then on", async () => {
    const { bia, net } = channel();
    await sendText(channel(), `pn:${bia.pn}`, "um");
    await sendText(channel(), `pn:${bia.pn}`, "dois");
    await sendText(channel(), `lid:${bia.lid}`, "três");
    await net.until(() => bia.received.length === 3);
    expect(destinations()).toEqual([
      [bia.jid, undefined],
      [bia.lidJid, bia.jid],
      [bia.lidJid, bia.jid],
    ]);
    expect(bia.received.map(({ text }) => text)).toEqual(["um", "dois", "três"]);
  });

  test("goes to a LID alone where the person has no number, and to a group as before", async () => {
    const { net, phone, ana, host } = channel();
    const hidden = net.contact({ lid: "98765432" });
    await hidden.say("oi", { to: phone });
    await received(host, "received");
    await sendText(channel(), "lid:98765432", "olá");
    const group = net.group({ subject: "Equipe", members: [phone, ana] });
    await sendText(channel(), `group:${group.jid.replace("@g.us", "")}`, "olá");
    expect(destinations()).toEqual([
      [hidden.lidJid, undefined],
      [group.jid, undefined],
    ]);
  });
});

describe("W26-7.4 with RECADO_SESSION_ADDRESS=number a message to a person", () => {
  const channel = receivingChannel({ addressing: "number" });

  test("goes to the number, also where the LID is known", async () => {
    const { ana, phone, host, net } = channel();
    await ana.say("oi", { to: phone });
    await received(host, "received");
    await sendText(channel(), `pn:${ana.pn}`, "olá");
    await ana.until(({ text }) => text === "olá");
    expect(net.stat.destinations.map(({ to, alias }) => [to, alias])).toEqual([[ana.jid, undefined]]);
  });
});
