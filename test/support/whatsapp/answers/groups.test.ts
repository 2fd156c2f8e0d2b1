import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Client, linked } from "../baileys.ts";
import { type Contact, type Phone, startWhatsApp, type WhatsApp } from "../index.ts";
import { child, type Stanza, stanza } from "../wire/stanza.ts";

let net: WhatsApp;
let phone: Phone;
let [ana, bia]: Contact[] = [];
let client: Client;

const member = (who: Contact | undefined): Contact => {
  if (!who) throw new Error("nobody");
  return who;
};

beforeEach(async () => {
  net = await startWhatsApp();
  phone = net.phone("5511900000001");
  ana = net.contact({ pn: "5511911110001", name: "Ana" });
  bia = net.contact({ pn: "5511911110002", name: "Bia" });
  client = await linked(net, "5511900000001");
});

afterEach(async () => {
  client.end();
  expect(net.stat.unhandled).toEqual([]);
  await net.stop();
});

const textOf = (id: string) =>
  client.messages.find(({ key, message }) => key.id === id && message?.conversation)?.message?.conversation;

test.each(["lid", "pn"] as const)("everybody in a group reads everybody, addressed by %s", async (addressing) => {
  const group = net.group({ subject: "Equipe", members: [phone, member(ana), member(bia)], addressing });
  const sent = await client.sock.sendMessage(group.jid, { text: "olá grupo" });
  for (const who of [member(ana), member(bia), phone]) {
    const got = await who.until(({ text }) => text === "olá grupo");
    expect(got).toMatchObject({ id: sent?.key.id, chat: group.jid, from: "5511900000001" });
  }
  const id = await member(ana).say("oi todos", { to: group });
  await member(bia).until(({ text }) => text === "oi todos");
  await client.until(() => textOf(id) === "oi todos");
  const { key } = client.messages.find((message) => message.key.id === id) ?? {};
  const [own, alt] =
    addressing === "lid" ? [member(ana).lidJid, member(ana).jid] : [member(ana).jid, member(ana).lidJid];
  expect(key).toMatchObject({ remoteJid: group.jid, participant: own, participantAlt: alt });
  const second = await member(ana).say("de novo", { to: group });
  await client.until(() => textOf(second) === "de novo");
  await client.until(
    () => client.receipts.filter(({ attrs }) => attrs["id"] === sent?.key.id && attrs["participant"]).length >= 2,
  );
});

test("a member who leaves reads no more, and one who comes does", async () => {
  const group = net.group({ subject: "Equipe", members: [phone, member(ana)] });
  group.remove(member(ana));
  group.add(member(bia));
  group.rename("Nova");
  await client.sock.sendMessage(group.jid, { text: "quem lê" });
  await member(bia).until(({ text }) => text === "quem lê");
  expect(member(ana).received).toEqual([]);
  expect(await client.sock.groupMetadata(group.jid)).toMatchObject({ subject: "Nova", addressingMode: "lid" });
});

test("one who is no member is refused", async () => {
  const group = net.group({ subject: "Fechado", members: [member(ana), member(bia)] });
  expect(client.sock.groupMetadata(group.jid)).rejects.toThrow();
  expect(member(bia).received).toEqual([]);
});

test("what a member could not read is sent again", async () => {
  const group = net.group({ subject: "Equipe", members: [phone, member(ana)] });
  await member(ana).say("primeiro", { to: group });
  net.faults.corrupt({ phone });
  const id = await member(ana).say("segundo", { to: group });
  await client.until(() => textOf(id) === "segundo");
});

test("a member who cannot read asks, and is sent it alone", async () => {
  const group = net.group({ subject: "Equipe", members: [phone, member(ana), member(bia)] });
  member(ana).blind = true;
  const sent = await client.sock.sendMessage(group.jid, { text: "de novo" });
  await member(bia).until(({ text }) => text === "de novo");
  await net.until(() => member(ana).unread.length > 0);
  member(ana).blind = false;
  const got = await member(ana).until(({ text }) => text === "de novo");
  expect(got.id).toBe(sent?.key.id ?? "");
});

test("Baileys itself sees a group by its invite link, joins it, and is refused where the network refuses", async () => {
  const group = net.group({ subject: "Feira", members: [member(ana), member(bia)] });
  const { invite } = group.group;
  expect(await client.sock.groupGetInviteInfo(invite)).toMatchObject({ id: group.jid, subject: "Feira", size: 2 });
  expect(await client.sock.groupAcceptInvite(invite)).toBe(group.jid);
  expect(group.group.members.has(phone.account)).toBe(true);
  expect(client.sock.groupAcceptInvite(invite)).rejects.toThrow("conflict");
  expect(client.sock.groupAcceptInvite("UNKNOWN")).rejects.toThrow("not-acceptable");
});

/** Makes a group by a raw question: the library's own functions for communities write to the console. */
const create = async (subject: string, ...content: Stanza[]): Promise<string> => {
  const asked = stanza("create", { subject, key: subject }, content);
  const answer: Stanza = await client.sock.query(stanza("iq", { type: "set", xmlns: "w:g2", to: "@g.us" }, [asked]));
  return `${child(answer, "group")?.attrs["id"]}@g.us`;
};

test("Baileys itself reads a community, links groups to it, and lists them", async () => {
  const parent = await create("Bairro", stanza("parent", { default_membership_approval_mode: "request_required" }));
  expect(await client.sock.groupMetadata(parent)).toMatchObject({ subject: "Bairro", isCommunity: true });
  const inside = await create("Dentro", stanza("linked_parent", { jid: parent }));
  expect(await client.sock.groupMetadata(inside)).toMatchObject({ linkedParent: parent, isCommunityAnnounce: false });
  const own = await client.sock.groupCreate("Entregas", [member(bia).jid]);
  await client.sock.communityLinkGroup(own.id, parent);
  expect(await client.sock.groupMetadata(own.id)).toMatchObject({ linkedParent: parent });
  const { linkedGroups } = await client.sock.communityFetchLinkedGroups(parent);
  expect(linkedGroups.map(({ subject }) => subject)).toEqual(["Bairro", "Dentro", "Entregas"]);
  await client.sock.communityUnlinkGroup(own.id, parent);
  expect((await client.sock.groupMetadata(own.id)).linkedParent).toBeUndefined();
});
