import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { proto } from "@whiskeysockets/baileys";
import { type Client, connect, linked } from "../baileys.ts";
import { type Contact, type Phone, startWhatsApp, type WhatsApp } from "../index.ts";
import { type Stanza, stanza } from "../wire/stanza.ts";

const PN = "5511900000001";

let net: WhatsApp;
let phone: Phone;
let ana: Contact;
let client: Client;

beforeEach(async () => {
  net = await startWhatsApp();
  phone = net.phone(PN);
  ana = net.contact({ pn: "5511911110001", name: "Ana" });
  client = await linked(net, PN);
});

afterEach(async () => {
  client.end();
  expect(net.stat.unhandled).toEqual([]);
  await net.stop();
});

const textOf = ({ messages }: Client, id: string) =>
  messages.find(({ key, message }) => key.id === id && message)?.message?.conversation;

describe("a client that writes", () => {
  test("is read by the contact, acknowledged, and its arrival is reported", async () => {
    const sent = await client.sock.sendMessage(ana.jid, { text: "olá" });
    const got = await ana.until(({ text }) => text === "olá");
    expect(got).toMatchObject({ id: sent?.key.id, from: PN, type: "text", isOwn: false });
    expect(await client.until(() => client.acks.find(({ attrs }) => attrs["id"] === got.id))).toMatchObject({
      attrs: { class: "message" },
    });
    await client.until(() =>
      client.receipts.find(({ attrs }) => attrs["id"] === got.id && attrs["type"] === undefined),
    );
    ana.read(got.id);
    await client.until(() => client.receipts.find(({ attrs }) => attrs["id"] === got.id && attrs["type"] === "read"));
    expect(phone.received).toMatchObject([{ id: got.id, isOwn: true, text: "olá", chat: ana.jid }]);
  });

  test("to somebody who is not on the network is refused", async () => {
    await client.sock.relayMessage("5511999999999@s.whatsapp.net", { conversation: "?" }, { messageId: "A1" });
    expect(await client.until(() => client.acks.find(({ attrs }) => attrs["id"] === "A1"))).toMatchObject({
      attrs: { error: "404" },
    });
  });

  test("with legacy buttons is refused, and nobody sees it", async () => {
    await client.sock.relayMessage(ana.jid, { buttonsMessage: { contentText: "?", buttons: [] } }, { messageId: "A2" });
    expect(await client.until(() => client.acks.find(({ attrs }) => attrs["id"] === "A2"))).toMatchObject({
      attrs: { error: "405" },
    });
    expect(ana.received).toEqual([]);
  });

  const NATIVE = { interactiveMessage: { body: { text: "?" }, nativeFlowMessage: { buttons: [] } } };
  const MEASURED = { actual_actors: "2", host_storage: "2", privacy_mode_ts: "1702112400" };
  const flow = (attrs: Record<string, string>): Stanza =>
    stanza("interactive", { type: "native_flow", v: "1" }, [stanza("native_flow", attrs)]);
  const THIRD_PARTY = stanza("quality_control", { source_type: "third_party" });
  const WHOLE = stanza("biz", MEASURED, [flow({ v: "9", name: "mixed" }), THIRD_PARTY]);
  const BOT = stanza("bot", { biz_bot: "1" });
  /** The error in the network's answer to a message with these nodes. */
  const answerTo = async (message: proto.IMessage, additionalNodes: Stanza[]): Promise<string | undefined> => {
    const messageId = `B${++sends}`;
    await client.sock.relayMessage(ana.jid, message, {
      messageId,
      additionalNodes,
    });
    const ack = await client.until(() => client.acks.find(({ attrs }) => attrs["id"] === messageId));
    return ack.attrs["error"];
  };
  let sends = 0;

  test.each([
    ["of old apps", "405", stanza("biz", {}, [stanza("buttons")])],
    ["that is bare", "479", stanza("biz", {}, [stanza("interactive", { type: "native_flow", v: "1" })])],
    ["without its measures", "479", stanza("biz", {}, [flow({ v: "9", name: "mixed" }), THIRD_PARTY])],
    ["of a named flow", "473", stanza("biz", MEASURED, [flow({ v: "9", name: "cta_url" }), THIRD_PARTY])],
    ["of an old flow", "405", stanza("biz", MEASURED, [flow({ v: "9", name: "galaxy_message" }), THIRD_PARTY])],
  ])("native buttons with a node %s are refused with %s, and nobody sees them", async (_, code, biz) => {
    expect(await answerTo(NATIVE, [BOT, biz])).toBe(code);
    expect([ana.received, ana.unshown]).toEqual([[], []]);
  });

  test.each([
    ["without their node", NATIVE, []],
    ["without the mark of a bot before it", NATIVE, [WHOLE, BOT]],
    ["in a view-once wrapper", { viewOnceMessage: { message: NATIVE } }, [BOT, WHOLE]],
  ])("native buttons %s are taken, and nobody is shown them", async (_, message, nodes) => {
    expect(await answerTo(message, nodes)).toBeUndefined();
    await net.until(() => ana.unshown.length > 0);
    expect(ana.received).toEqual([]);
  });

  test("native buttons with the whole node are shown", async () => {
    expect(await answerTo(NATIVE, [BOT, WHOLE])).toBeUndefined();
    expect(await ana.until(({ text }) => text === "?")).toMatchObject({ message: NATIVE });
    expect(ana.unshown).toEqual([]);
  });

  test.each([
    ["whose smaller one never came", { id: "B0" }],
    ["with words of its own", { caption: "oi" }],
    ["that is not the larger one", { width: 800 }],
    ["that does not say so", { contextInfo: {} }],
  ])("a picture in HD %s is taken, and nobody is shown it", async (_, { id, ...fields }: any) => {
    const [before, unshown] = [ana.received.length, ana.unshown.length];
    const parent = `B${++sends}`;
    const picture = { mimetype: "image/jpeg", width: 1600, height: 1600 };
    await client.sock.relayMessage(
      ana.jid,
      { imageMessage: { ...picture, contextInfo: { pairedMediaType: 3 } } },
      { messageId: parent },
    );
    await ana.until((received) => received.id === parent);
    const inHd = { ...picture, width: 2560, contextInfo: { pairedMediaType: 4 }, ...fields };
    const key = { remoteJid: ana.jid, fromMe: true, id: id ?? parent };
    const messageContextInfo = { messageAssociation: { associationType: 10, parentMessageKey: key } };
    expect(
      await answerTo({ associatedChildMessage: { message: { imageMessage: inHd } }, messageContextInfo }, []),
    ).toBeUndefined();
    await net.until(() => ana.unshown.length > unshown);
    expect(ana.received.length).toBe(before + 1);
  });

  test("to a companion of the contact as well", async () => {
    const bia = net.contact({ pn: "5511911110002", devices: 2 });
    await client.sock.sendMessage(bia.jid, { text: "oi" });
    await bia.until(({ device }) => device === 1);
    await bia.until(({ device }) => device === 0);
  });

  test("sends again to whom could not read it, by the keys of the retry receipt", async () => {
    ana.blind = true;
    client.end();
    client = connect(net, client.identity, { getMessage: () => Promise.resolve({ conversation: "de novo" }) });
    await client.opened();
    const sent = await client.sock.sendMessage(ana.lidJid, { text: "de novo" });
    await net.until(() => ana.unread.length > 0);
    ana.blind = false;
    const got = await ana.until(({ text }) => text === "de novo");
    expect(got.id).toBe(sent?.key.id ?? "");
    expect(ana.received).toHaveLength(1);
  });
});

test("a contact who was reinstalled is read and reads", async () => {
  await ana.say("antes", { to: phone });
  await client.sock.sendMessage(ana.jid, { text: "antes também" });
  await ana.until(({ text }) => text === "antes também");
  ana.reset();
  const id = await ana.say("depois", { to: phone });
  await client.until(() => textOf(client, id) === "depois");
  await client.sock.sendMessage(ana.jid, { text: "olá de novo" });
  await ana.until(({ text }) => text === "olá de novo");
});

test("a companion that runs out of one-time keys brings more", async () => {
  const [device] = phone.devices;
  while ((device?.preKeys ?? 0) > 4) device?.bundle();
  await net.until(() => (device?.preKeys ?? 0) > 4);
});

describe("a contact who writes", () => {
  test("is named by LID with the number beside it", async () => {
    const id = await ana.say("bom dia", { to: phone });
    await client.until(() => textOf(client, id) === "bom dia");
    const { key, pushName } = client.messages.find((message) => message.key.id === id) ?? {};
    expect(key).toMatchObject({ remoteJid: ana.lidJid, remoteJidAlt: ana.jid, fromMe: false });
    expect(pushName).toBe("Ana");
    await ana.untilReceived((receipt) => receipt.id === id && receipt.type === "inactive");
    await net.until(() => phone.devices[0]?.queued === 0);
  });

  test("without a number is named by LID alone; by number when it so chooses", async () => {
    const hidden = net.contact({ lid: "98765" });
    const plain = net.contact({ pn: "5511911110009", addressing: "pn" });
    const first = await hidden.say("quem sou", { to: phone });
    const second = await plain.say("eu", { to: phone });
    await client.until(() => textOf(client, first) && textOf(client, second));
    const keyOf = (id: string) => client.messages.find(({ key }) => key.id === id)?.key;
    expect(keyOf(first)).toMatchObject({ remoteJid: "98765@lid" });
    expect(keyOf(first)?.remoteJidAlt).toBeUndefined();
    expect(keyOf(second)).toMatchObject({ remoteJid: plain.jid, remoteJidAlt: plain.lidJid });
  });

  test("reaches a companion that was away, in order and marked as offline", async () => {
    client.end();
    await net.until(() => net.stat.connections === 0);
    const ids = [await ana.say("um", { to: phone }), await ana.say("dois", { to: phone })];
    client = connect(net, client.identity);
    const upserts: string[] = [];
    client.sock.ev.on("messages.upsert", ({ type }) => upserts.push(type));
    await client.until(() => ids.every((id) => textOf(client, id)));
    expect(client.messages.map(({ key }) => key.id)).toEqual(ids);
    expect(new Set(upserts)).toEqual(new Set(["append"]));
    await net.until(() => phone.devices[0]?.queued === 0);
  });

  test("reacts, edits, revokes and quotes", async () => {
    const id = await ana.say("erro", { to: phone });
    const reaction = await ana.react(phone, { id }, "👍");
    await ana.edit(phone, id, "certo");
    await ana.revoke(phone, id);
    const answer = await ana.say("sim", { to: phone, quoted: { id, fromMe: true, text: "erro" } });
    await client.until(() => client.messages.find(({ key }) => key.id === answer));
    expect(client.messages.find(({ key }) => key.id === reaction)?.message?.reactionMessage).toMatchObject({
      text: "👍",
      key: { id },
    });
    expect(
      client.messages.find(({ key }) => key.id === answer)?.message?.extendedTextMessage?.contextInfo?.stanzaId,
    ).toBe(id);
  });

  test("sends again what arrived damaged", async () => {
    await ana.say("primeiro", { to: phone });
    net.faults.corrupt({ phone });
    const id = await ana.say("de novo", { to: phone });
    await client.until(() => textOf(client, id) === "de novo");
    await net.until(() => phone.devices[0]?.queued === 0);
    expect(ana.receivedReceipts.filter(({ type }) => type === "retry")).toHaveLength(1);
  });

  test("leaves a placeholder for what may be seen once", async () => {
    const id = ana.viewOnce(phone);
    await client.until(() => client.messages.find(({ key }) => key.id === id));
    await net.until(() => phone.devices[0]?.queued === 0);
  });
});

test("the phone's own messages reach its companion", async () => {
  const id = await phone.say("do celular", { to: ana });
  await ana.until(({ text }) => text === "do celular");
  await client.until(() => textOf(client, id) === "do celular");
  expect(client.messages.find(({ key }) => key.id === id)?.key).toMatchObject({ fromMe: true, remoteJid: ana.lidJid });
});

test("what the owner reads on the phone is reported to the contact, and to the companion as its own reading", async () => {
  const id = await ana.say("leia", { to: phone });
  await phone.until((message) => message.id === id);
  phone.read(id);
  await ana.untilReceived((receipt) => receipt.id === id && receipt.type === "read");
  const own = await client.until(() => client.receipts.find(({ attrs }) => attrs["type"] === "read-self"));
  expect(own.attrs).toMatchObject({ id, from: phone.lidJid, recipient: ana.lidJid });
});

test("usync finds numbers, other spellings of them, and nobody else", async () => {
  const bia = net.contact({ pn: "5511922220002", aliases: ["551122220002"] });
  const answers = await client.sock.onWhatsApp(ana.jid, "551122220002", "5511933330003");
  expect(answers).toEqual([
    { jid: ana.jid, exists: true },
    { jid: bia.jid, exists: true },
  ]);
  expect(net.stat.usync.at(-1)).toEqual({
    users: ["5511911110001", "551122220002", "5511933330003"],
    protocols: ["contact"],
  });
});
