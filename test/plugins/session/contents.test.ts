import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { proto } from "@whiskeysockets/baileys";
import { choiceOf } from "../../../plugins/session/outbound/content/choices.ts";
import type { Content } from "../../../src/contract/content/content.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import { type Session, sendingSession, text } from "../../support/session/sending.ts";

let session: Session;
beforeAll(async () => {
  session = await sendingSession();
});
afterAll(() => session.stop());

/** What somebody's phone shows of a content that was sent to them. */
const shown = async (content: Content, more: { quotedProviderMessageId?: ProviderMessageId } = {}) => {
  const ana = session.contact();
  const key = session.newKey();
  expect(await session.send(content, { to: `pn:${ana.pn}`, key, ...more })).toEqual({ ok: true, key });
  return { ana, key, ...(await ana.until(({ id }) => id === key)) };
};

const MENU: Content = { type: "button", content: { text: "Confirma?", buttons: [{ id: "yes", text: "Sim" }] } };

describe("what arrives", () => {
  test("text: as it was written, and no server is asked about its URL", async () => {
    const { message, type } = await shown(text("olá 🚚\nhttps://127.0.0.1:9/x"));
    expect(type).toBe("text");
    expect(message.extendedTextMessage?.text).toBe("olá 🚚\nhttps://127.0.0.1:9/x");
    expect(message.extendedTextMessage?.title ?? "").toBe("");
  });

  test("location: with the name and address that it has", async () => {
    const { message } = await shown({
      type: "location",
      content: { latitude: -23.5, longitude: -46.6, name: "Loja", address: "Rua 1" },
    });
    expect(message.locationMessage).toMatchObject({
      degreesLatitude: -23.5,
      degreesLongitude: -46.6,
      name: "Loja",
      address: "Rua 1",
    });
  });

  test("contact: a card that can be written to", async () => {
    const { message, mediatype } = await shown({
      type: "contact",
      content: { contacts: [{ name: "Ana; Souza, Dra.", phone: "+55 11 91234-5678", email: "ana@example.com" }] },
    });
    expect(mediatype).toBe("vcard");
    expect(message.contactMessage?.displayName).toBe("Ana; Souza, Dra.");
    expect(message.contactMessage?.vcard?.split("\n")).toEqual([
      "BEGIN:VCARD",
      "VERSION:3.0",
      String.raw`N:;Ana\; Souza\, Dra.;;;`,
      String.raw`FN:Ana\; Souza\, Dra.`,
      "TEL;type=CELL;type=VOICE;waid=5511912345678:+5511912345678",
      "EMAIL:ana@example.com",
      "END:VCARD",
    ]);
  });

  test("contact: a name cannot add lines to its card", async () => {
    const { message } = await shown({
      type: "contact",
      content: { contacts: [{ name: "A\nTEL:+1", phone: "5511912345678" }] },
    });
    expect(message.contactMessage?.vcard?.split("\n")).toHaveLength(6);
  });

  test("contacts: several in one", async () => {
    const contacts = [
      { name: "Ana", phone: "5511912345678" },
      { name: "Bia", phone: "5511912345679" },
    ];
    const { message, mediatype } = await shown({ type: "contact", content: { contacts } });
    expect(mediatype).toBe("contact_array");
    expect(message.contactsArrayMessage?.displayName).toBe("Ana, Bia");
    expect(message.contactsArrayMessage?.contacts?.map(({ displayName }) => displayName)).toEqual(["Ana", "Bia"]);
  });

  test("buttons: a numbered text, whose answer is known afterwards", async () => {
    const { ana, message, key } = await shown(MENU);
    expect(message.extendedTextMessage?.text).toBe("Confirma?\n\n1. Sim");
    const now = session.host.clock.now();
    expect(
      await choiceOf(session.keyStore, [`pn:${ana.pn}`], { text: "1", quotedProviderMessageId: undefined, now }),
    ).toEqual({ selectedId: "yes", text: "Sim" });
    expect(
      await choiceOf(session.keyStore, [`pn:${ana.pn}`], { text: "Sim", quotedProviderMessageId: key, now }),
    ).toEqual({ selectedId: "yes", text: "Sim" });
  });

  test("a menu to a LID is known under the number, where that is known", async () => {
    const ana = session.contact();
    await session.send(text("oi"), { to: `pn:${ana.pn}` });
    await session.keyStore.write({
      rows: [{ kind: "lid-mapping", id: `${ana.lid}_reverse`, value: JSON.stringify(ana.pn) }],
    });
    await session.send(MENU, { to: `lid:${ana.lid}` });
    expect(
      await choiceOf(session.keyStore, [`pn:${ana.pn}`], {
        text: "1",
        quotedProviderMessageId: undefined,
        now: session.host.clock.now(),
      }),
    ).toBeDefined();
  });

  test("to a group: for everybody in it", async () => {
    const [ana, bia] = [session.contact(), session.contact()];
    const group = session.net.group({ subject: "Equipe", members: [session.phone, ana, bia] });
    const key = session.newKey();
    expect(await session.send(text("pessoal"), { to: `group:${group.jid.split("@")[0]}`, key })).toEqual({
      ok: true,
      key,
    });
    for (const one of [ana, bia])
      expect(await one.until(({ id }) => id === key)).toMatchObject({ text: "pessoal", chat: group.jid });
  });

  test("types that the network has no message for are refused, and nothing is sent", async () => {
    const sent = session.net.stat.stanzas["message"];
    const ana = session.contact();
    const order = { type: "location_request", content: { text: "x" } } as Content;
    expect(await session.send(order, { to: `pn:${ana.pn}` })).toMatchObject({
      kind: "refused",
      code: "UPSTREAM_UNSUPPORTED",
    });
    expect(session.net.stat.stanzas["message"]).toBe(sent);
  });
});

describe("a reply", () => {
  const contextOf = (message: proto.IMessage) => message.extendedTextMessage?.contextInfo;

  test("G-274 quotes a message of ours", async () => {
    const { ana, key } = await shown(text("primeira"));
    const reply = session.newKey();
    await session.send(text("segunda"), { to: `pn:${ana.pn}`, key: reply, quotedProviderMessageId: key });
    const { message } = await ana.until(({ id }) => id === reply);
    expect(contextOf(message)).toMatchObject({
      stanzaId: key,
      participant: session.phone.lidJid,
      quotedMessage: { extendedTextMessage: { text: "primeira" } },
    });
    expect(contextOf(message)?.remoteJid ?? "").toBe("");
  });

  test("G-274 quotes a message of theirs under the address that it goes to, wherever it came from", async () => {
    const ana = session.contact();
    const key = "AC0123456789" as ProviderMessageId;
    const { toCachedMessage } = await import("../../../plugins/session/message-cache.ts");
    await session.keyStore.write({
      messages: [
        toCachedMessage({
          key: { remoteJid: ana.jid, remoteJidAlt: ana.lidJid, fromMe: false, id: key },
          message: { conversation: "pergunta" },
          sender: ana.jid,
        }),
      ],
    });
    const reply = session.newKey();
    await session.send(text("resposta"), { to: `pn:${ana.pn}`, key: reply, quotedProviderMessageId: key });
    const { message } = await ana.until(({ id }) => id === reply);
    expect(contextOf(message)).toMatchObject({
      stanzaId: key,
      participant: ana.lidJid,
      quotedMessage: { conversation: "pergunta" },
    });
    expect(contextOf(message)?.remoteJid ?? "").toBe("");
  });

  test("G-291 to a message that is no longer cached is refused; without the quote it is sent", async () => {
    const ana = session.contact();
    const sent = session.net.stat.stanzas["message"];
    expect(
      await session.send(text("?"), { to: `pn:${ana.pn}`, quotedProviderMessageId: "AC00" as ProviderMessageId }),
    ).toMatchObject({ kind: "refused", code: "UPSTREAM_BAD_REQUEST" });
    expect(session.net.stat.stanzas["message"]).toBe(sent);
    expect(await session.send(text("!"), { to: `pn:${ana.pn}` })).toMatchObject({ ok: true });
  });
});
