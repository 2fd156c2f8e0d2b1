import { describe, expect, test } from "bun:test";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import { DAY_MS, HOUR_MS } from "../../../../src/kernel/clock.ts";
import { received, receivingChannel, sendText, untilPaced } from "../../../support/session/receiving.ts";

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
    await untilPaced({ host, link }, order.to);
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

  test("goes to the LID from the first one on: the network names it with the number", async () => {
    const { bia, net } = channel();
    await sendText(channel(), `pn:${bia.pn}`, "um");
    await sendText(channel(), `pn:${bia.pn}`, "dois");
    await sendText(channel(), `lid:${bia.lid}`, "três");
    await net.until(() => bia.received.length === 3);
    expect(destinations()).toEqual(Array.from({ length: 3 }, () => [bia.lidJid, bia.jid]));
    expect(bia.received.map(({ text }) => text)).toEqual(["um", "dois", "três"]);
  });

  test("goes to the number where the network names no LID with it", async () => {
    const { bia, net } = channel();
    net.faults.hideLid(bia);
    await sendText(channel(), `pn:${bia.pn}`, "um");
    await sendText(channel(), `pn:${bia.pn}`, "dois");
    await net.until(() => bia.received.length === 2);
    expect(destinations()).toEqual([
      [bia.jid, undefined],
      [bia.jid, undefined],
    ]);
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

describe("W26-7.4 a message to a number that belongs to somebody else by now", () => {
  const channel = receivingChannel();
  const OTHER_LID = "77700001111";
  /** Ana and the channel have written to each other; then her number belongs to somebody else. */
  const moved = async () => {
    const { ana, phone, host, net } = channel();
    await ana.say("oi", { to: phone });
    await received(host, "received");
    await sendText(channel(), `pn:${ana.pn}`, "olá");
    await ana.until(({ text }) => text === "olá");
    ana.moveTo("5511944440001");
    return { number: ana.pn ?? "", holder: net.contact({ pn: ana.pn ?? "", lid: OTHER_LID, name: "Caio" }) };
  };
  const attempt = async (to: string, text: string, key?: ProviderMessageId) => {
    const { host, link } = channel();
    await untilPaced({ host, link }, to);
    const order = { type: "text", content: { text }, to, messageId: MESSAGE_ID } as const;
    return link.send(key === undefined ? order : { ...order, key });
  };
  const textsOf = ({ received: all }: { received: readonly { text: string }[] }) => all.map(({ text }) => text);

  test("waits where the network refuses it, and its repeat goes to the new holder alone", async () => {
    const { ana, link } = channel();
    const { number, holder } = await moved();
    const key = link.providerMessageIdFor?.("6f1b6f0e-6c1f-4b0a-8d55-0d6d2f8f3b13");
    expect(await attempt(`pn:${number}`, "segredo", key)).toMatchObject({ ok: false, kind: "retry" });
    expect(await attempt(`pn:${number}`, "segredo", key)).toMatchObject({ ok: true, key });
    await holder.until(({ text }) => text === "segredo");
    expect(textsOf(ana)).toEqual(["olá"]);
    expect(channel().net.stat.destinations.at(-1)).toMatchObject({ to: holder.lidJid, alias: holder.jid });
  });

  test("is addressed to the former holder by no stanza once the devices have to be learned anew", async () => {
    const { ana, host, net } = channel();
    const { number, holder } = await moved();
    host.clock.advance(HOUR_MS);
    const before = net.stat.destinations.length;
    expect(await attempt(`pn:${number}`, "segredo")).toMatchObject({ ok: false, kind: "retry" });
    expect(await attempt(`pn:${number}`, "segredo")).toMatchObject({ ok: true });
    await holder.until(({ text }) => text === "segredo");
    expect(net.stat.destinations.slice(before).map(({ to }) => to)).toEqual([holder.lidJid]);
    expect(textsOf(ana)).toEqual(["olá"]);
  });

  test("goes to the new holder at once where the network is asked for the number again", async () => {
    const { ana, host, net } = channel();
    const { number, holder } = await moved();
    host.clock.advance(7 * DAY_MS);
    const before = net.stat.destinations.length;
    expect(await attempt(`pn:${number}`, "segredo")).toMatchObject({ ok: true });
    await holder.until(({ text }) => text === "segredo");
    expect(net.stat.destinations.slice(before).map(({ to }) => to)).toEqual([holder.lidJid]);
    expect(textsOf(ana)).toEqual(["olá"]);
  });

  test("is refused where nobody has the number any more", async () => {
    const { ana, phone, host } = channel();
    await ana.say("oi", { to: phone });
    await received(host, "received");
    await sendText(channel(), `pn:${ana.pn}`, "olá");
    ana.moveTo("5511944440001");
    expect(await attempt(`pn:${ana.pn}`, "segredo")).toMatchObject({ ok: false, kind: "retry" });
    expect(await attempt(`pn:${ana.pn}`, "segredo")).toMatchObject({ code: "RECIPIENT_NOT_ON_NETWORK" });
    await ana.until(({ text }) => text === "olá");
    expect(textsOf(ana)).toEqual(["olá"]);
  });

  test("a block names the new holder, and the former one is known by the LID and the new number", async () => {
    const { ana, phone, host, link } = channel();
    const { number, holder } = await moved();
    host.clock.advance(7 * DAY_MS);
    expect(await link.people?.setBlocked(`pn:${number}`, true)).toMatchObject({ ok: true });
    expect([...(phone.account.blocked ?? [])].map(({ lid }) => lid)).toEqual([holder.lid]);
    await ana.say("mudei de número", { to: phone });
    const [, said] = await received(host, "received", 2);
    expect(said?.from).toEqual({ pn: "5511944440001", lid: ana.lid });
    expect(await attempt(`lid:${ana.lid}`, "certo")).toMatchObject({ ok: true });
    await ana.until(({ text }) => text === "certo");
    expect(channel().net.stat.destinations.at(-1)).toMatchObject({
      to: ana.lidJid,
      alias: "5511944440001@s.whatsapp.net",
    });
  });
});

describe("W26-7.4 where the network names the devices of a LID alone", () => {
  const channel = receivingChannel();

  test("a message goes to the LID that it has just named with the number, and to a LID without the number", async () => {
    const { ana, phone, host, net } = channel();
    ana.account.isListedByLid = true;
    await ana.say("oi", { to: phone });
    await received(host, "received");
    await sendText(channel(), `pn:${ana.pn}`, "um");
    await ana.until(({ text }) => text === "um");
    const { link } = channel();
    host.clock.advance(2 * HOUR_MS);
    const order = { type: "text", content: { text: "dois" }, to: `lid:${ana.lid}`, messageId: MESSAGE_ID } as const;
    expect(await link.send(order)).toMatchObject({ ok: false, kind: "retry" });
    expect(await link.send(order)).toMatchObject({ ok: true });
    await ana.until(({ text }) => text === "dois");
    expect(net.stat.destinations.map(({ to, alias }) => [to, alias])).toEqual([
      [ana.lidJid, ana.jid],
      [ana.lidJid, undefined],
    ]);
  });
});

describe("W26-7.4 where the network names a pair again that was forgotten", () => {
  const channel = receivingChannel();

  test("receipts name the person by both addresses as before", async () => {
    const { ana, phone, host, link } = channel();
    ana.account.isListedByLid = true;
    ana.receipts = { delivered: true, read: false, retry: false };
    await ana.say("oi", { to: phone });
    await received(host, "received");
    await sendText(channel(), `pn:${ana.pn}`, "um");
    await received(host, "receipt");
    host.clock.advance(2 * HOUR_MS);
    const order = { type: "text", content: { text: "dois" }, to: `pn:${ana.pn}`, messageId: MESSAGE_ID } as const;
    expect(await link.send(order)).toMatchObject({ ok: false, kind: "retry" });
    expect(await link.send(order)).toMatchObject({ ok: true });
    const [, second] = await received(host, "receipt", 2);
    expect(second?.to).toEqual({ pn: ana.pn as string, lid: ana.lid });
  });
});

describe("W26-7.4 what a former holder of a number writes", () => {
  const channel = receivingChannel();

  test("is not taken for a message of the present holder", async () => {
    const { ana, phone, host, net, link } = channel();
    await ana.say("oi", { to: phone });
    await received(host, "received");
    ana.moveTo(undefined);
    const holder = net.contact({ pn: ana.pn ?? "", lid: "77700001111", name: "Caio" });
    await link.lookup?.find([holder.pn ?? ""]);
    await ana.say("sou eu", { to: phone });
    await holder.say("e eu", { to: phone });
    const [, former, present] = await received(host, "received", 3);
    expect(former?.from).toEqual({ lid: ana.lid });
    expect(present?.from).toEqual({ pn: holder.pn as string, lid: holder.lid });
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
