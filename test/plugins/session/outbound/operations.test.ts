import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { toCachedMessage } from "../../../../plugins/session/message-cache.ts";
import type { Action } from "../../../../src/contract/abilities/operations.ts";
import type { Content } from "../../../../src/contract/content/content.ts";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import { SECOND_MS } from "../../../../src/kernel/clock.ts";
import { fileServer, WEBP } from "../../../support/session/file-server.ts";
import { type Session, sendingSession, text, untilWaiting } from "../../../support/session/sending.ts";
import type { Contact } from "../../../support/whatsapp/index.ts";

let session: Session;
beforeAll(async () => {
  session = await sendingSession();
});
afterEach(() => {
  expect(session.net.stat.unhandled).toEqual([]);
  session.net.faults.clear();
});
afterAll(() => session.stop());

const operate = (action: Action, { key, ana, isOurs }: { key: ProviderMessageId; ana: Contact; isOurs: boolean }) =>
  session.sender.operate({ ...action, key, chat: `pn:${ana.pn}`, sender: isOurs ? null : `pn:${ana.pn}` });

/** A message of ours that somebody has. */
const ours = async (words = "olá") => {
  const ana = session.contact();
  const key = session.newKey();
  await session.send(text(words), { to: `pn:${ana.pn}`, key });
  await ana.until(({ id }) => id === key);
  return { ana, key, isOurs: true };
};

/** A message of theirs, as reading keeps it. */
const theirs = async () => {
  const ana = session.contact();
  const key = (await ana.say("oi", { to: session.phone })) as ProviderMessageId;
  await session.client.until(() => session.client.messages.find((message) => message.key.id === key));
  await session.keyStore.write({
    messages: [
      toCachedMessage({
        key: { remoteJid: ana.lidJid, remoteJidAlt: ana.jid, fromMe: false, id: key },
        message: { conversation: "oi" },
        sender: ana.lidJid,
      }),
    ],
  });
  return { ana, key, isOurs: false };
};

describe("an operation of a session", () => {
  test("react and unreact, to a message of ours and of theirs", async () => {
    for (const target of [await ours(), await theirs()]) {
      expect(await operate({ name: "react", emoji: "👍" }, target)).toEqual({ ok: true });
      expect(await operate({ name: "react", emoji: "" }, target)).toEqual({ ok: true });
      await target.ana.until(({ message }) => message.reactionMessage?.text === "");
      const reactions = target.ana.received.flatMap(({ message, type }) =>
        message.reactionMessage ? [{ ...message.reactionMessage, type }] : [],
      );
      expect(reactions).toMatchObject([
        { text: "👍", type: "reaction", key: { id: target.key, fromMe: target.isOurs } },
        { text: "", key: { id: target.key } },
      ]);
    }
  });

  test("edit: the new text of a message of ours", async () => {
    const target = await ours();
    expect(await operate({ name: "edit", text: "corrigido https://127.0.0.1:9" }, target)).toEqual({ ok: true });
    const { message, edit } = await target.ana.until(({ edit: kind }) => kind === "1");
    expect(edit).toBe("1");
    expect(message.protocolMessage).toMatchObject({
      key: { id: target.key, fromMe: true },
      editedMessage: { extendedTextMessage: { text: "corrigido https://127.0.0.1:9" } },
    });
  });

  /** A file of ours that somebody has. */
  const ourFile = async (content: Content) => {
    const ana = session.contact();
    const key = session.newKey();
    expect(await session.send(content, { to: `pn:${ana.pn}`, key })).toEqual({ ok: true, key });
    await ana.until(({ id }) => id === key);
    return { ana, key, isOurs: true };
  };
  const served = (bytes: Uint8Array<ArrayBuffer>, type: string) =>
    fileServer(() => new Response(bytes, { headers: { "content-type": type } }));
  const FILM = new Uint8Array(Buffer.from("\0\0\0\x18ftypmp42\0\0\0\0mp42isom", "latin1"));

  test("edit: the new caption of a picture, a film and a document of ours, without the file", async () => {
    await using films = served(FILM, "video/mp4");
    await using papers = served(new Uint8Array(300).fill(3), "application/pdf");
    await using pictures = served(WEBP, "image/webp");
    const files = [
      { type: "image", mediaUrl: pictures.url, part: "imageMessage" },
      { type: "video", mediaUrl: films.url, part: "videoMessage" },
      { type: "document", mediaUrl: papers.url, part: "documentMessage" },
    ] as const;
    for (const { type, mediaUrl, part } of files) {
      const target = await ourFile({ type, content: { mediaUrl, caption: "velho" } });
      expect(await operate({ name: "edit", text: "novo" }, target)).toEqual({ ok: true });
      const { message, text: shown } = await target.ana.until(({ edit }) => edit === "1");
      expect(shown).toBe("novo");
      expect(message.protocolMessage).toMatchObject({ key: { id: target.key, fromMe: true }, type: 14 });
      expect(Object.keys(message.protocolMessage?.editedMessage ?? {})).toEqual([part]);
      expect(message.protocolMessage?.editedMessage?.[part]?.directPath ?? "").toBe("");
    }
  });

  test.each([
    ["a file without a caption", {}],
    ["a video note", { videoNote: true }],
    ["a film for one view", { viewOnce: true, caption: "oi" }],
  ])("edit of %s is refused, and nothing is sent", async (_, fields) => {
    await using films = served(FILM, "video/mp4");
    const target = await ourFile({ type: "video", content: { mediaUrl: films.url, ...fields } });
    const sent = session.net.stat.stanzas["message"];
    expect(await operate({ name: "edit", text: "x" }, target)).toMatchObject({
      kind: "refused",
      code: "UPSTREAM_UNSUPPORTED",
    });
    expect(session.net.stat.stanzas["message"]).toBe(sent);
  });

  test("edit of a message of theirs is refused, and nothing is sent", async () => {
    const target = await theirs();
    const sent = session.net.stat.stanzas["message"];
    expect(await operate({ name: "edit", text: "x" }, target)).toMatchObject({
      kind: "refused",
      code: "UPSTREAM_UNSUPPORTED",
    });
    expect(session.net.stat.stanzas["message"]).toBe(sent);
  });

  test("delete: a message of ours, and of theirs", async () => {
    for (const target of [await ours(), await theirs()]) {
      expect(await operate({ name: "delete" }, target)).toEqual({ ok: true });
      const { message, edit } = await target.ana.until(
        ({ message: { protocolMessage } }) => protocolMessage?.key?.id === target.key,
      );
      expect(edit).toBe("7");
      expect(message.protocolMessage).toMatchObject({ type: 0, key: { fromMe: target.isOurs } });
    }
  });

  test("delete of what another wrote in a group is done as its admin", async () => {
    const ana = session.contact();
    const group = session.net.group({ subject: "Equipe", members: [session.phone, ana], owner: session.phone });
    const key = "AC77" as ProviderMessageId;
    await session.keyStore.write({
      messages: [
        toCachedMessage({
          key: { remoteJid: group.jid, fromMe: false, id: key, participant: ana.lidJid },
          message: { conversation: "oi" },
          sender: ana.lidJid,
        }),
      ],
    });
    expect(await operate({ name: "delete" }, { key, ana, isOurs: false })).toEqual({ ok: true });
    expect(await ana.until(({ edit }) => edit === "8")).toMatchObject({
      chat: group.jid,
      message: { protocolMessage: { key: { id: key, participant: ana.lidJid } } },
    });
  });

  test("read: its sender gets a receipt", async () => {
    const target = await theirs();
    expect(await operate({ name: "read" }, target)).toEqual({ ok: true });
    await target.ana.untilReceived(({ id, type }) => id === target.key && type === "read");
  });

  test("typing is not offered", async () => {
    expect(await operate({ name: "typing" }, await ours())).toMatchObject({
      kind: "refused",
      code: "UPSTREAM_UNSUPPORTED",
    });
  });

  test.each<Action>([
    { name: "react", emoji: "👍" },
    { name: "edit", text: "x" },
    { name: "delete" },
    { name: "read" },
  ])("%p of a message that is no longer kept is refused, and nothing is sent", async (action) => {
    const { stanzas } = session.net.stat;
    const [messages, receipts] = [stanzas["message"], stanzas["receipt"]];
    const target = { key: "AC00" as ProviderMessageId, ana: session.contact(), isOurs: true };
    expect(await operate(action, target)).toMatchObject({ kind: "refused", code: "UPSTREAM_BAD_REQUEST" });
    expect([stanzas["message"], stanzas["receipt"]]).toEqual([messages, receipts]);
  });

  test("without an answer is unknown, and may be done again", async () => {
    const target = await ours();
    const heal = session.net.faults.dropAcks();
    const reacting = operate({ name: "react", emoji: "👍" }, target);
    await untilWaiting(session);
    session.host.clock.advance(20 * SECOND_MS);
    expect(await reacting).toMatchObject({ ok: false, kind: "unknown" });
    heal();
    expect(await operate({ name: "react", emoji: "👍" }, target)).toEqual({ ok: true });
  });

  test("that the network refuses is refused with its code", async () => {
    const target = await ours();
    session.net.faults.nack(400);
    expect(await operate({ name: "delete" }, target)).toMatchObject({ kind: "refused", upstreamCode: 400 });
  });

  test("without a connection fails at once", async () => {
    const target = await ours();
    session.leave();
    expect(await operate({ name: "read" }, target)).toMatchObject({ kind: "retry", code: "CHANNEL_UNAVAILABLE" });
    await session.rejoin();
  });
});
