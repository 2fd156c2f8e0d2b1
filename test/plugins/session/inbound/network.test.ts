import { describe, expect, test } from "bun:test";
import { proto } from "@whiskeysockets/baileys";
import type { ChannelEvent } from "../../../../src/contract/events.ts";
import { MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { received as emitted, receivingChannel, sendText } from "../../../support/session/receiving.ts";
import { stanza } from "../../../support/whatsapp/index.ts";

const channel = receivingChannel();

const textOf = (event: ChannelEvent | undefined) =>
  event?.kind === "received" && event.content.type === "text" ? event.content.content.text : undefined;
const REVOKED = proto.Message.ProtocolMessage.Type.REVOKE;

describe("a message to a session", () => {
  test("G-610 is published, and acknowledged only when it is on disk (5.9)", async () => {
    const { ana, bia, phone, host, link, net } = channel();
    host.hold();
    const id = await ana.say("oi", { to: phone });
    await host.until(() => host.openEmits === 1);
    await link.lookup?.find([bia.pn ?? ""]); // what was said before is known to the network now
    const isAcknowledged = () => net.stat.receipts.some((receipt) => receipt.id === id);
    expect(isAcknowledged()).toBe(false);
    host.release();
    await net.until(isAcknowledged);
    expect(host.events).toMatchObject([
      {
        kind: "received",
        key: id as never,
        from: { pn: ana.pn, lid: ana.lid },
        pushName: "Ana",
        content: { type: "text", content: { text: "oi" } },
      },
    ]);
  });

  test("is published in the order of its chat, also when it waited for the session to come back (5.10)", async () => {
    const { ana, phone, host, link } = channel();
    await link.close();
    for (const text of ["um", "dois", "três"]) await ana.say(text, { to: phone });
    expect(host.events).toEqual([]);
    link.connect();
    expect((await emitted(host, "received", 3)).map(textOf)).toEqual(["um", "dois", "três"]);
  });

  test("that comes twice has the same key both times", async () => {
    const { ana, phone, host, net } = channel();
    net.faults.duplicate({ times: 1 });
    const id = await ana.say("oi", { to: phone });
    await ana.say("fim", { to: phone });
    await host.until(() => textOf(host.events.at(-1)) === "fim");
    expect((await emitted(host, "received")).filter((event) => event.key === id).length).toBeGreaterThan(0);
    expect(new Set(host.events.map((event) => (event.kind === "received" ? event.key : event.kind))).size).toBe(2);
  });

  test("that could not be decrypted is published once, when its sender has sent it again (5.11)", async () => {
    const { ana, phone, host, net } = channel();
    await ana.say("antes", { to: phone });
    net.faults.corrupt({ times: 1 });
    const id = await ana.say("oi", { to: phone });
    await host.until(() => textOf(host.events.at(-1)) === "oi");
    expect((await emitted(host, "received")).map(({ key }) => key as string).filter((key) => key === id)).toHaveLength(
      1,
    );
    host.clock.advance(2 * MINUTE_MS);
    expect(host.logLines.join()).not.toContain("did not come again");
  });

  test("that is never sent again is counted in the log after 60 s", async () => {
    const { ana, bia, phone, host, net } = channel();
    ana.receipts = { ...ana.receipts, retry: false };
    net.faults.corrupt({ times: 1 });
    const id = await ana.say("oi", { to: phone });
    await ana.untilReceived((receipt) => receipt.id === id && receipt.type === "retry");
    await bia.say("fim", { to: phone });
    await host.until(() => textOf(host.events.at(-1)) === "fim");
    host.clock.advance(MINUTE_MS);
    const lines = host.logLines.filter((line) => line.includes("did not come again"));
    expect(lines.map((line) => (JSON.parse(line) as { count: number }).count)).toEqual([1]);
    expect(host.events).toHaveLength(1);
  });

  test("of somebody with a LID alone is from that, and the number is published when it becomes known", async () => {
    const { net, phone, host } = channel();
    const hidden = net.contact({ lid: "98765432" });
    await hidden.say("oi", { to: phone });
    expect((await emitted(host, "received"))[0]).toMatchObject({
      from: { lid: "98765432" },
      chat: { lid: "98765432" },
    });
    await phone.history({
      lidPnMappings: [
        { lid: "98765432", pn: "5511977770001" },
        { lid: "98765433", pn: "5511977770002" },
      ],
    });
    expect(await emitted(host, "known")).toMatchObject([{ identity: { lid: "98765432", pn: "5511977770001" } }]);
  });

  test("that may be opened once has a placeholder, which is on disk before it is acknowledged", async () => {
    const { net, ana, bia, phone, host, link } = channel();
    host.hold();
    const id = ana.viewOnce(phone);
    await host.until(() => host.openEmits === 1);
    await link.lookup?.find([bia.pn ?? ""]);
    const isAcknowledged = () => [...net.stat.receipts, ...net.stat.acks].some((answer) => answer.id === id);
    expect(isAcknowledged()).toBe(false);
    host.release();
    await net.until(isAcknowledged);
    expect(host.events).toMatchObject([
      {
        key: id as never,
        isPlaceholder: true,
        content: { type: "unsupported", content: { originalType: "viewOnce" } },
      },
    ]);
  });

  test("of a group is in the group's chat, its keys publish nothing", async () => {
    const { net, ana, bia, phone, host } = channel();
    const group = net.group({ subject: "Equipe", members: [phone, ana, bia] });
    await ana.say("oi", { to: group });
    await bia.say("olá", { to: group });
    await ana.say("fim", { to: group });
    const received = await emitted(host, "received", 3);
    expect(received.map(textOf)).toEqual(["oi", "olá", "fim"]);
    expect(received[1]).toMatchObject({
      chat: { group: group.jid.replace("@g.us", "") },
      from: { pn: bia.pn, lid: bia.lid },
    });
    expect(host.events.map(({ kind }) => kind).toSorted()).toEqual(["group", "received", "received", "received"]);
  });

  test("that the owner writes on the phone is published as the owner's, and may be reacted to", async () => {
    const { ana, phone, host } = channel();
    const id = await phone.say("olá", { to: ana });
    await ana.until((message) => message.id === id);
    await ana.react(phone, { id }, "👍");
    expect(await emitted(host, "reacted")).toMatchObject([{ key: id as never, emoji: "👍" }]);
    expect(host.events.filter(({ kind }) => kind === "received")).toMatchObject([
      { key: id as never, isOwn: true, from: { pn: phone.pn, lid: phone.lid }, chat: { pn: ana.pn, lid: ana.lid } },
    ]);
  });

  test("that the owner writes on the phone while the session is away is published once, also after a restart", async () => {
    const { ana, phone, host, link, net } = channel();
    await link.close();
    const id = await phone.say("olá", { to: ana });
    link.connect();
    expect(await emitted(host, "received")).toMatchObject([{ key: id as never, isOwn: true }]);
    net.faults.duplicate({ times: 1 });
    await phone.edit(ana, id, "olá!");
    expect(await emitted(host, "edited")).toMatchObject([{ key: id as never, text: "olá!", isOwn: true }]);
    await link.close();
    link.connect();
    await ana.say("fim", { to: phone });
    await emitted(host, "received", 2);
    expect(host.events.filter((event) => event.kind === "received" && event.isOwn)).toHaveLength(1);
  });

  test("that the session sends is not published as the owner's", async () => {
    const { ana, phone, host, link } = channel();
    await sendText({ host, link }, `pn:${ana.pn}`, "olá");
    await ana.say("oi", { to: phone });
    expect(await emitted(host, "received")).toMatchObject([{ from: { pn: ana.pn } }]);
  });
});

describe("what is done to a message", () => {
  test("is published of a received one: reactions, edits and a revocation", async () => {
    const { ana, phone, host } = channel();
    const id = await ana.say("oi", { to: phone });
    await ana.react(phone, { id, fromMe: true }, "👍");
    await ana.react(phone, { id, fromMe: true }, "");
    await ana.edit(phone, id, "olá");
    await ana.revoke(phone, id);
    await emitted(host, "revoked");
    expect(host.events.slice(1)).toMatchObject([
      { kind: "reacted", key: id as never, emoji: "👍" },
      { kind: "reacted", key: id as never, emoji: null },
      { kind: "edited", key: id as never, text: "olá" },
      { kind: "revoked", key: id as never },
    ]);
  });

  test("is published of a sent one only where anybody may do it", async () => {
    const { ana, phone, host } = channel();
    const key = await sendText(channel(), `pn:${ana.pn}`, "olá");
    await ana.until((message) => message.id === key);
    await ana.edit(phone, key, "falso");
    await ana.sendProto(
      { protocolMessage: { type: REVOKED, key: { id: key, fromMe: false, remoteJid: ana.lidJid } } },
      { to: phone, edit: "8" },
    );
    await ana.react(phone, { id: key }, "👍");
    expect(await emitted(host, "reacted")).toMatchObject([{ key, from: { pn: ana.pn } }]);
    expect(host.events.filter(({ kind }) => kind !== "receipt")).toHaveLength(1);
  });

  test("is not published when somebody else than its author did it", async () => {
    const { net, ana, bia, phone, host } = channel();
    const group = net.group({ subject: "Equipe", members: [phone, ana, bia] });
    const [mine, ours] = [await ana.say("oi", { to: phone }), await ana.say("oi", { to: group })];
    await bia.edit(phone, mine, "falso");
    await bia.revoke(group, ours);
    await bia.react(phone, { id: mine }, "👎");
    await bia.say("fim", { to: phone });
    await host.until(() => textOf(host.events.at(-1)) === "fim");
    expect(new Set(host.events.map(({ kind }) => kind))).toEqual(new Set(["group", "received"]));
  });
});

describe("receipts", () => {
  const statuses = (events: readonly ChannelEvent[], key: string) =>
    events.flatMap((event) => (event.kind === "receipt" && event.key === key ? [event.status] : []));

  test("are published in the order in which they come", async () => {
    const { ana, host } = channel();
    ana.receipts = { delivered: true, read: true, retry: true };
    const key = await sendText(channel(), `pn:${ana.pn}`, "olá");
    await host.until(() => statuses(host.events, key).length === 2);
    expect(statuses(host.events, key)).toEqual(["delivered", "read"]);
    expect((await emitted(host, "receipt"))[0]).toMatchObject({ to: { pn: ana.pn, lid: ana.lid } });
  });

  test("are published as they come, a reading before its delivery too, and each of a list", async () => {
    const { ana, host } = channel();
    ana.receipts = { delivered: false, read: false, retry: true };
    const keys = [await sendText(channel(), `pn:${ana.pn}`, "um"), await sendText(channel(), `pn:${ana.pn}`, "dois")];
    for (const key of keys) await ana.until((message) => message.id === key);
    ana.play(...keys);
    ana.deliver(...keys);
    await emitted(host, "receipt", 4);
    for (const key of keys) expect(statuses(host.events, key)).toEqual(["read", "delivered"]);
  });

  test("by the hundred are few writes, and every one is published", async () => {
    const { net, ana, bia, phone, host, link } = channel();
    const ids = Array.from({ length: 500 }, (_, index) => `3EB0${String(index).padStart(18, "0")}`);
    host.hold();
    for (const id of ids) phone.notify(stanza("receipt", { from: ana.lidJid, id, type: "read", t: "1795000000" }));
    await link.lookup?.find([bia.pn ?? ""]); // by now all of them have come
    const before = host.touches;
    host.release();
    await emitted(host, "receipt", ids.length);
    expect(host.events.map((event) => (event.kind === "receipt" ? event.key : ""))).toEqual(ids as never);
    expect(host.touches - before).toBeLessThan(10);
    await net.until(() => net.stat.acks.filter((ack) => ack.id.startsWith("3EB0")).length === ids.length);
  });

  test("of a group come from each participant", async () => {
    const { net, ana, bia, phone, host } = channel();
    const group = net.group({ subject: "Equipe", members: [phone, ana, bia] });
    const key = await sendText(channel(), `group:${group.jid.replace("@g.us", "")}`, "olá");
    await emitted(host, "receipt", 2);
    expect(statuses(host.events, key)).toEqual(["delivered", "delivered"]);
  });

  test("that cannot be written are not acknowledged: they come again", async () => {
    const { net, ana, host, link } = channel();
    ana.receipts = { delivered: false, read: false, retry: true };
    const key = await sendText(channel(), `pn:${ana.pn}`, "olá");
    await ana.until((message) => message.id === key);
    await host.vault.openKeyStore(); // somebody else holds the keys now
    ana.read(key);
    await net.until(() => net.stat.connections === 0);
    expect([statuses(host.events, key), net.stat.acks.filter(({ id }) => id === key)]).toEqual([[], []]);
    await link.close();
    link.connect();
    await host.until(() => statuses(host.events, key).length > 0);
    expect(statuses(host.events, key)).toEqual(["read"]);
  });
});
