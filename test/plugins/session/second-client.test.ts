import { afterEach, describe, expect, test } from "bun:test";
import { createHash, randomUUID } from "node:crypto";
import type { proto } from "@whiskeysockets/baileys";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import type { Action } from "../../../src/contract/abilities/operations.ts";
import type { Content } from "../../../src/contract/content/content.ts";
import type { ProviderMessageId, Receipt, Received } from "../../../src/contract/events.ts";
import { fileServer, PNG, WEBP } from "../../support/session/file-server.ts";
import { untilPaced } from "../../support/session/receiving.ts";
import { type UnpairedChannel, unpairedChannel } from "../../support/session/unpaired.ts";
import { openedByZapo, type ZapoClient, zapoClient } from "../../support/whatsapp/zapo.ts";

/** The other party of a session is here a client that shares no code with the session's library. */
const channel = unpairedChannel();
const ZAPO = "5511977770001";
const OWNER = "5511900000001";
const FILE = new Uint8Array(seededRandom(7).bytes(100_003));
const clients: ZapoClient[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.stop();
});

/** A paired session, and a person on zapo-js. */
const both = async () => {
  const all = channel();
  await all.pair();
  const zapo = await zapoClient(all.net, ZAPO);
  clients.push(zapo);
  return { ...all, zapo };
};

const send = async (
  { host, link }: Pick<UnpairedChannel, "host" | "link">,
  to: string,
  content: Content & { forwards?: ProviderMessageId },
) => {
  const key = link.providerMessageIdFor?.(randomUUID());
  if (!key) throw new Error("a session chooses its keys");
  await untilPaced({ host, link }, to);
  expect(await link.send({ ...content, to, key, messageId: randomUUID() })).toMatchObject({ ok: true, key });
  return key;
};
const POLL: Content = { type: "poll", content: { question: "Quando?", options: ["Sábado", "Domingo"] } };
const PARTY: Content = { type: "event", content: { name: "Festa", startsAt: "2026-12-05T18:00:00.000Z" } };
const BUTTONS: Content = { type: "button", content: { text: "Vamos?", buttons: [{ id: "s", text: "Sim" }] } };
const text = (words: string): Content => ({ type: "text", content: { text: words } });
/** The message that the session reads next, of this content. */
const read = async ({ host }: Pick<UnpairedChannel, "host">, type: string): Promise<Received> => {
  const isIt = (event: object): event is Received =>
    "kind" in event && event.kind === "received" && (event as Received).content.type === type;
  await host.until(() => host.events.some(isIt));
  const found = host.events.find(isIt);
  if (!found) throw new Error("it is gone");
  return found;
};
const textOf = ({ conversation, extendedTextMessage }: proto.IMessage = {}): string | undefined =>
  conversation ?? extendedTextMessage?.text ?? undefined;

describe("a second, independent client on the simulated network", () => {
  test("links, uploads its keys, and finds the digest of them right", async () => {
    const { zapo, net } = await both();
    expect(zapo.phone.devices.map(({ preKeys, isActive }) => [(preKeys ?? 0) > 0, isActive])).toEqual([[true, true]]);
    expect([zapo.failures, net.stat.unhandled]).toEqual([[], []]);
  });

  test("reads what a session writes, and the session sees that it was delivered", async () => {
    const { zapo, host, link } = await both();
    const key = await send({ host, link }, `pn:${ZAPO}`, text("olá, zapo"));
    const { message, stanzaId } = await zapo.until((event) => textOf(event.message) === "olá, zapo");
    expect([textOf(message), stanzaId]).toEqual(["olá, zapo", key]);
    await host.until(() =>
      host.events.some(
        (event): event is Receipt => event.kind === "receipt" && event.key === key && event.status === "delivered",
      ),
    );
  });

  test("writes what a session reads, and both go on in the same chat", async () => {
    const { zapo, host, link, net } = await both();
    await zapo.client.sendMessage(`${OWNER}@s.whatsapp.net`, "oi da zapo");
    expect(await read({ host }, "text")).toMatchObject({
      from: { pn: ZAPO },
      content: { type: "text", content: { text: "oi da zapo" } },
    });
    for (const words of ["um", "dois", "três"]) {
      await send({ host, link }, `pn:${ZAPO}`, text(words));
      await zapo.until((event) => textOf(event.message) === words);
      await zapo.client.sendMessage(`${OWNER}@s.whatsapp.net`, `${words} também`);
      await host.until(() => JSON.stringify(host.events).includes(`${words} também`));
    }
    expect(net.stat.unhandled).toEqual([]);
  });

  test("shares a group with a session: each reads what the other writes there", async () => {
    const { zapo, host, link, net, phone } = await both();
    const group = net.group({ subject: "Equipe", members: [phone, zapo.phone] });
    await zapo.client.sendMessage(group.jid, "oi, grupo");
    expect(await read({ host }, "text")).toMatchObject({
      chat: expect.anything(),
      content: { content: { text: "oi, grupo" } },
    });
    await send({ host, link }, `group:${group.jid.split("@")[0]}`, text("olá, grupo"));
    const { chatJid, isGroupChat } = await zapo.until((event) => textOf(event.message) === "olá, grupo");
    expect([chatJid, isGroupChat]).toEqual([group.jid, true]);
  });

  test("sends a file whose bytes a session reads", async () => {
    const { zapo, host, link } = await both();
    const file = { type: "document", media: FILE, mimetype: "application/pdf", fileName: "a.pdf" } as const;
    await zapo.client.sendMessage(`${OWNER}@s.whatsapp.net`, file);
    const { media } = await read({ host }, "document");
    const opened = await link.media?.open(media?.nativeId ?? "");
    if (!opened?.ok) throw new Error("not opened");
    expect(Buffer.concat(await Array.fromAsync(opened.value.body))).toEqual(Buffer.from(FILE));
  });

  test("reads the bytes of a file that a session sends", async () => {
    const { zapo, host, link } = await both();
    await using server = fileServer(() => new Response(FILE, { headers: { "content-type": "application/pdf" } }));
    await send({ host, link }, `pn:${ZAPO}`, {
      type: "document",
      content: { mediaUrl: `${server.url}/a.pdf`, filename: "a.pdf" },
    });
    const { message } = await zapo.until((event) => Boolean(event.message?.documentMessage));
    const { directPath, mediaKey, fileSha256, fileEncSha256 } = message?.documentMessage ?? {};
    const bytes = await zapo.client.mediaTransfer.downloadAndDecrypt({
      directPath: directPath ?? "",
      hosts: [channel().net.mediaHost],
      mediaType: "document",
      mediaKey: mediaKey ?? new Uint8Array(),
      fileSha256: fileSha256 ?? new Uint8Array(),
      fileEncSha256: fileEncSha256 ?? new Uint8Array(),
    });
    expect(Buffer.from(bytes)).toEqual(Buffer.from(FILE));
  });

  test("reads each kind of content that a session writes, native buttons too", async () => {
    const { zapo, host, link, net } = await both();
    await using server = fileServer(() => new Response(WEBP));
    const to = `pn:${ZAPO}`;
    const reads = (matches: (message: proto.IMessage) => boolean) =>
      zapo.until(({ message }) => message !== undefined && matches(message));
    await send({ host, link }, to, { type: "text", content: { text: `oi @${ZAPO}`, mentions: [ZAPO] } });
    const mention = await reads(({ extendedTextMessage: part }) => Boolean(part?.contextInfo?.mentionedJid?.length));
    expect(mention.message?.extendedTextMessage).toMatchObject({
      text: `oi @${zapo.phone.lid}`,
      contextInfo: { mentionedJid: [zapo.phone.lidJid] },
    });
    await send({ host, link }, to, POLL);
    await reads(({ pollCreationMessageV3: poll }) => poll?.name === "Quando?" && poll.options?.length === 2);
    await send({ host, link }, to, PARTY);
    await reads(({ eventMessage }) => eventMessage?.name === "Festa");
    await send({ host, link }, to, BUTTONS);
    await reads((message) => textOf(message) === "Vamos?\n\n1. Sim");
    await host.vault.write({ nativeButtons: "try" });
    await link.settings?.changed();
    await send({ host, link }, to, BUTTONS);
    await reads(({ interactiveMessage: menu }) => menu?.nativeFlowMessage?.buttons?.[0]?.name === "quick_reply");
    await send({ host, link }, to, { type: "sticker", content: { mediaUrl: `${server.url}/a.webp` } });
    await reads(({ stickerMessage }) => stickerMessage?.mimetype === "image/webp");
    expect([zapo.failures, net.stat.unhandled]).toEqual([[], []]);
  });

  test("reads what a session does with a message: reaction, edit, pin, vote, timer, and taking it back", async () => {
    const { zapo, host, link, net } = await both();
    const to = `pn:${ZAPO}`;
    const key = await send({ host, link }, to, text("primeiro"));
    const poll = await send({ host, link }, to, POLL);
    const does = async (id: ProviderMessageId, action: Action) =>
      expect(await link.operate?.({ ...action, key: id, chat: to, sender: null, operationId: randomUUID() })).toEqual({
        ok: true,
      });
    const reads = (matches: (message: proto.IMessage) => boolean) =>
      zapo.until(({ message }) => message !== undefined && matches(message));
    const told = (type: number) =>
      zapo.untilAct(({ event, said }) => event === "message_protocol" && said.message?.protocolMessage?.type === type);
    await does(key, { name: "react", emoji: "👍" });
    await reads(({ reactionMessage: reaction }) => reaction?.text === "👍" && reaction.key?.id === key);
    await does(key, { name: "edit", text: "segundo" });
    expect((await told(14)).said.message.protocolMessage).toMatchObject({
      key: { id: key },
      editedMessage: { extendedTextMessage: { text: "segundo" } },
    });
    await does(key, { name: "pin", seconds: 86_400 });
    await reads(({ pinInChatMessage: pin }) => pin?.type === 1 && pin.key?.id === key);
    await does(poll, { name: "vote", options: ["Sábado"] });
    await reads(({ pollUpdateMessage: vote }) => vote?.pollCreationMessageKey?.id === poll);
    await does(key, { name: "delete" });
    expect((await told(0)).said.message.protocolMessage.key.id).toBe(key);
    expect(await link.timers?.set(to, 86_400)).toMatchObject({ ok: true });
    expect((await told(3)).said.message.protocolMessage.ephemeralExpiration).toBe(86_400);
    await send({ host, link }, to, text("some depois"));
    await reads(({ extendedTextMessage: part }) => part?.contextInfo?.expiration === 86_400);
    expect([zapo.failures, net.stat.unhandled]).toEqual([[], []]);
  });

  test("reads a file for one view, an edited caption, a forward with its mark, and opens a vote and an answer to an event", async () => {
    const { zapo, host, link, net } = await both();
    await using server = fileServer(() => new Response(PNG, { headers: { "content-type": "image/png" } }));
    const to = `pn:${ZAPO}`;
    const does = async (id: ProviderMessageId, action: Action) =>
      expect(await link.operate?.({ ...action, key: id, chat: to, sender: null, operationId: randomUUID() })).toEqual({
        ok: true,
      });
    const mediaUrl = `${server.url}/a.png`;
    const once = await send({ host, link }, to, { type: "image", content: { mediaUrl, viewOnce: true } });
    const shownOnce = await zapo.until(({ stanzaId }) => stanzaId === once);
    expect(shownOnce.message?.viewOnceMessage?.message?.imageMessage).toMatchObject({ viewOnce: true });

    const photo = await send({ host, link }, to, { type: "image", content: { mediaUrl, caption: "bolo" } });
    await zapo.until(({ message }) => message?.imageMessage?.caption === "bolo");
    await does(photo, { name: "edit", text: "bolo de cenoura" });
    const edit = await zapo.untilAct(({ said }) => said.message?.protocolMessage?.type === 14);
    expect(edit.said.message.protocolMessage).toMatchObject({
      key: { id: photo },
      editedMessage: { imageMessage: { caption: "bolo de cenoura" } },
    });

    const words = await send({ host, link }, to, text("avise a todos"));
    const forward = await send({ host, link }, to, { ...text("avise a todos"), forwards: words });
    expect((await zapo.until(({ stanzaId }) => stanzaId === forward)).message?.extendedTextMessage).toMatchObject({
      text: "avise a todos",
      contextInfo: { isForwarded: true, forwardingScore: 1 },
    });

    const poll = await send({ host, link }, to, POLL);
    const asked = await zapo.until(({ stanzaId }) => stanzaId === poll);
    await does(poll, { name: "vote", options: ["Domingo"] });
    const vote = await zapo.until(({ message }) => Boolean(message?.pollUpdateMessage));
    expect(await openedByZapo(asked, vote)).toMatchObject({
      kind: "poll_vote",
      pollVote: { selectedOptions: [new Uint8Array(createHash("sha256").update("Domingo").digest())] },
    });
    const party = await send({ host, link }, to, PARTY);
    const invited = await zapo.until(({ stanzaId }) => stanzaId === party);
    await does(party, { name: "respond", response: "going", extraGuests: 0 });
    const answer = await zapo.until(({ message }) => Boolean(message?.encEventResponseMessage));
    expect(await openedByZapo(invited, answer)).toMatchObject({
      kind: "event_response",
      eventResponse: { response: 1 },
    });
    expect([zapo.failures, net.stat.unhandled]).toEqual([[], []]);
  });

  test("invites a session to a group, which the session looks at and joins", async () => {
    const { zapo, host, link, net, phone } = await both();
    const group = net.group({ subject: "Feira", members: [zapo.phone], owner: zapo.phone });
    const { code, expiration } = group.invite(phone);
    await zapo.client.sendMessage(`${OWNER}@s.whatsapp.net`, {
      groupInviteMessage: {
        groupJid: group.jid,
        inviteCode: code,
        inviteExpiration: expiration,
        groupName: "Feira",
        caption: "venha",
      },
    });
    await host.until(() => host.events.some((event) => event.kind === "received" && event.from.pn === ZAPO));
    const [key] = host.events.flatMap((event) => (event.kind === "received" ? [event.key] : []));
    if (!key) throw new Error("nothing was received");
    expect(await link.groups?.look?.({ key })).toMatchObject({ ok: true, value: { subject: "Feira" } });
    expect(await link.groups?.join?.({ key })).toMatchObject({ ok: true });
    await zapo.client.sendMessage(group.jid, "bem-vindo");
    expect(await read({ host }, "text")).toMatchObject({ content: { content: { text: "bem-vindo" } } });
    expect([zapo.failures, net.stat.unhandled]).toEqual([[], []]);
  });

  test("does what a session tells of: a reaction, an edit, and taking a message back", async () => {
    const { zapo, host, net } = await both();
    const owner = `${OWNER}@s.whatsapp.net`;
    await zapo.client.sendMessage(owner, "da zapo");
    const { key: id } = await read({ host }, "text");
    const key = { remoteJid: owner, fromMe: true, id };
    const tells = (kind: string) =>
      host.until(() => host.events.some((event) => event.kind === kind && "key" in event && event.key === id));
    await zapo.client.sendMessage(owner, { reactionMessage: { key, text: "🎉", senderTimestampMs: Date.now() } });
    await tells("reacted");
    await zapo.client.sendMessage(owner, {
      protocolMessage: { key, type: 14, editedMessage: { conversation: "outra" }, timestampMs: Date.now() },
    });
    await tells("edited");
    await zapo.client.sendMessage(owner, { protocolMessage: { key, type: 0 } });
    await tells("revoked");
    expect([zapo.failures, net.stat.unhandled]).toEqual([[], []]);
  });

  test("reads a status of a session, and the session reads that it was mentioned in a group", async () => {
    const { zapo, host, link, net, phone } = await both();
    await send({ host, link }, `pn:${ZAPO}`, text("oi")); // so that both know each other
    const key = link.providerMessageIdFor?.(randomUUID());
    if (!key) throw new Error("a session chooses its keys");
    await untilPaced({ host, link }, "broadcast:status");
    const status = { ...text("Hoje tem bolo"), to: "broadcast:status", key, messageId: randomUUID() };
    expect(await link.send({ ...status, options: { audience: `pn:${ZAPO}` } })).toEqual({ ok: true, key });
    expect(await zapo.until((event) => textOf(event.message) === "Hoje tem bolo")).toMatchObject({
      chatJid: "status@broadcast",
      stanzaId: key,
    });
    const group = net.group({ subject: "Equipe", members: [phone, zapo.phone] });
    await zapo.client.sendMessage(group.jid, {
      extendedTextMessage: { text: `oi @${phone.lid}`, contextInfo: { mentionedJid: [phone.lidJid] } },
    });
    expect(await read({ host }, "text")).toMatchObject({ content: { content: { mentionsMe: true } } });
    expect([zapo.failures, net.stat.unhandled]).toEqual([[], []]);
  });
});
