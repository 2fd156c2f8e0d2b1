import { afterEach, expect, test } from "bun:test";
import { createHash, randomUUID } from "node:crypto";
import {
  type BaileysEventMap,
  decryptEventResponse,
  decryptPollVote,
  type proto,
  type WAMessage,
} from "@whiskeysockets/baileys";
import type { Action } from "../../../src/contract/abilities/operations.ts";
import type { Content } from "../../../src/contract/content/content.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import { fileServer, PNG } from "../../support/session/file-server.ts";
import { untilPaced } from "../../support/session/receiving.ts";
import { PN, unpairedChannel } from "../../support/session/unpaired.ts";
import { type Client, linked } from "../../support/whatsapp/baileys.ts";

/** The other party of a session is here the library as everybody has it, without what is mended for sessions. */
const channel = unpairedChannel();
const PERSON = "5511977770002";
const TO = `pn:${PERSON}`;
const clients: Client[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.end();
});

/** A paired session, and a person on plain Baileys. */
const both = async () => {
  const all = channel();
  await all.pair();
  const client = await linked(all.net, PERSON);
  clients.push(client);
  const person = all.net.phone(PERSON);
  await all.net.until(() => (person.devices.at(-1)?.preKeys ?? 0) > 0); // nobody can write to it before
  const of = (id: string): Promise<WAMessage> => client.until(() => client.messages.find(({ key }) => key.id === id));
  const reads = (matches: (message: proto.IMessage) => boolean): Promise<WAMessage> =>
    client.until(() => client.messages.find(({ message }) => message && matches(message)));
  const send = async (content: Content & { forwards?: ProviderMessageId }, to = TO): Promise<ProviderMessageId> => {
    const key = all.link.providerMessageIdFor?.(randomUUID());
    if (!key) throw new Error("a session chooses its keys");
    await untilPaced(all, to);
    const outcome = await all.link.send({ ...content, to, key, messageId: randomUUID() });
    if (!outcome.ok) throw new Error(outcome.reason);
    return key;
  };
  const does = async (key: ProviderMessageId, action: Action) =>
    expect(await all.link.operate?.({ ...action, key, chat: TO, sender: null, operationId: randomUUID() })).toEqual({
      ok: true,
    });
  return { ...all, client, person, of, reads, send, does };
};
const text = (words: string): Content => ({ type: "text", content: { text: words } });
const POLL: Content = { type: "poll", content: { question: "Quando?", options: ["Sábado", "Domingo"] } };
const PARTY: Content = { type: "event", content: { name: "Festa", startsAt: "2026-12-05T18:00:00.000Z" } };

test("plain Baileys reads what a session does with a message: reaction, edits, pin, forward, timer, taking back", async () => {
  const { net, link, of, reads, send, does, person } = await both();
  await using server = fileServer(() => new Response(PNG, { headers: { "content-type": "image/png" } }));
  const key = await send(text("primeiro"));
  expect((await of(key)).message?.extendedTextMessage?.text).toBe("primeiro");
  await does(key, { name: "react", emoji: "👍" });
  await reads(({ reactionMessage: reaction }) => reaction?.text === "👍" && reaction.key?.id === key);
  await does(key, { name: "edit", text: "segundo" });
  await reads(
    ({ protocolMessage: said }) => said?.key?.id === key && said.editedMessage?.extendedTextMessage?.text === "segundo",
  );
  await does(key, { name: "pin", seconds: 86_400 });
  await reads(({ pinInChatMessage: pin }) => pin?.type === 1 && pin.key?.id === key);
  const forward = await send({ ...text("segundo"), forwards: key });
  expect((await of(forward)).message?.extendedTextMessage).toMatchObject({
    text: "segundo",
    contextInfo: { isForwarded: true },
  });

  const mediaUrl = `${server.url}/a.png`;
  const photo = await send({ type: "image", content: { mediaUrl, caption: "bolo" } });
  await of(photo);
  await does(photo, { name: "edit", text: "bolo de cenoura" });
  await reads(({ protocolMessage: said }) => said?.editedMessage?.imageMessage?.caption === "bolo de cenoura");
  const once = await send({ type: "image", content: { mediaUrl, viewOnce: true } });
  expect((await of(once)).message?.viewOnceMessage?.message?.imageMessage?.viewOnce).toBe(true);
  const mention = await send({ type: "text", content: { text: `oi @${PERSON}`, mentions: [PERSON] } });
  expect((await of(mention)).message?.extendedTextMessage?.contextInfo?.mentionedJid).toEqual([person.lidJid]);

  await does(key, { name: "delete" });
  await reads(({ protocolMessage: said }) => said?.type === 0 && said.key?.id === key);
  expect(await link.timers?.set(TO, 86_400)).toMatchObject({ ok: true });
  await reads(({ protocolMessage: said }) => said?.type === 3 && said.ephemeralExpiration === 86_400);
  expect(net.stat.unhandled).toEqual([]);
});

test("plain Baileys opens a vote of a session, and its answer to an event", async () => {
  const { net, of, reads, send, does, phone } = await both();
  const secretOf = ({ message }: WAMessage) => message?.messageContextInfo?.messageSecret ?? new Uint8Array();
  const poll = await send(POLL);
  const asked = await of(poll);
  await does(poll, { name: "vote", options: ["Domingo"] });
  const { message: voted } = await reads(({ pollUpdateMessage }) => Boolean(pollUpdateMessage));
  const by = { pollCreatorJid: phone.lidJid, voterJid: phone.lidJid };
  expect(
    decryptPollVote(voted?.pollUpdateMessage?.vote ?? {}, {
      ...by,
      pollMsgId: poll,
      pollEncKey: secretOf(asked),
    }).selectedOptions,
  ).toEqual([createHash("sha256").update("Domingo").digest()]);
  const party = await send(PARTY);
  const invited = await of(party);
  await does(party, { name: "respond", response: "going", extraGuests: 0 });
  const { message: answered } = await reads(({ encEventResponseMessage }) => Boolean(encEventResponseMessage));
  expect(
    decryptEventResponse(answered?.encEventResponseMessage ?? {}, {
      eventCreatorJid: phone.lidJid,
      responderJid: phone.lidJid,
      eventMsgId: party,
      eventEncKey: secretOf(invited),
    }).response,
  ).toBe(1);
  expect(net.stat.unhandled).toEqual([]);
});

test("plain Baileys on the owner's account reads the label that a session gives a message, and gives others", async () => {
  const all = channel();
  await all.pair();
  const fetching = (url: string, init: object) =>
    fetch(url.replace("mmg.whatsapp.net", all.net.mediaHost), { ...init, tls: { rejectUnauthorized: false } });
  const client = await linked(all.net, PN, { options: { fetch: fetching } as never });
  clients.push(client);
  const changes: BaileysEventMap["labels.association"][] = [];
  client.sock.ev.on("labels.association", (change) => void changes.push(change));
  const before = all.net.stat.iqs["w:sync:app:state"] ?? 0;
  await all.phone.appState.share();
  await client.until(() => client.identity.creds.myAppStateKeyId);
  await all.net.until(() => (all.net.stat.iqs["w:sync:app:state"] ?? 0) >= before + 5);
  const ana = all.net.contact({ pn: PERSON });
  const key = (await ana.say("oi", { to: all.phone })) as ProviderMessageId;
  await all.host.until(() => all.host.events.some(({ kind }) => kind === "received"));

  const change = { name: "label", labelId: "7", isLabelled: true } as const;
  expect(await all.link.operate?.({ ...change, key, chat: TO, sender: TO })).toEqual({ ok: true });
  await all.net.until(() => all.phone.appState.value(["label_message", "7", ana.lidJid, key, "0", "0"]));
  await client.sock.resyncAppState(["regular"], false);
  expect(changes).toEqual([
    {
      type: "add",
      association: { type: "label_message" as never, chatId: ana.lidJid, messageId: key, labelId: "7" },
    },
  ]);

  await client.sock.addMessageLabel(ana.lidJid, key, "8");
  await client.sock.removeMessageLabel(ana.lidJid, key, "7");
  const marks = () => all.host.events.flatMap((event) => (event.kind === "message-labelled" ? [event] : []));
  await all.host.until(() => marks().length === 2);
  expect(marks()).toMatchObject([
    { key, labelId: "8", isLabelled: true },
    { key, labelId: "7", isLabelled: false },
  ]);
  expect([all.net.stat.unhandled, all.phone.appState.broken]).toEqual([[], []]);
});

test("plain Baileys follows a newsletter of a session, and reads a post", async () => {
  const { link, client, send } = await both();
  const made = await link.newsletters?.create({ name: "Padaria Estrela" });
  if (!made?.ok) throw new Error("it was not made");
  const jid = `${made.value.newsletterId}@newsletter`;
  await client.sock.newsletterFollow(jid);
  await send(text("Hoje tem bolo"), `newsletter:${made.value.newsletterId}`);
  const post = await client.until(() => client.messages.find(({ key }) => key.remoteJid === jid));
  expect(post.message?.extendedTextMessage?.text ?? post.message?.conversation).toBe("Hoje tem bolo");
});
