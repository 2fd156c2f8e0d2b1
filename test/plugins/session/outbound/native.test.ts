import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import sharp from "sharp";
import { cachedMessage } from "../../../../plugins/session/message-cache.ts";
import { lastRefusal } from "../../../../plugins/session/outbound/content/native.ts";
import type { Content } from "../../../../src/contract/content/content.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { fileServer } from "../../../support/session/file-server.ts";
import { openedFile } from "../../../support/session/opened-file.ts";
import { type Session, sendingSession, text, untilWaiting } from "../../../support/session/sending.ts";
import { untilTrue } from "../../../support/waiting.ts";
import type { Received } from "../../../support/whatsapp/people/person.ts";
import { child } from "../../../support/whatsapp/wire/stanza.ts";

let session: Session;
beforeAll(async () => {
  session = await sendingSession();
});
beforeEach(() => session.host.vault.write({ nativeButtons: "try" }));
afterEach(() => {
  expect(session.net.stat.unhandled).toEqual([]);
  session.net.faults.clear();
  session.host.clock.advance(DAY_MS); // a refusal is remembered for a day
});
afterAll(() => session.stop());

const BUTTONS: Content = {
  type: "button",
  content: {
    text: "Confirma?",
    footer: "Loja",
    buttons: [
      { id: "yes", text: "Sim" },
      { id: "no", text: "Não" },
    ],
  },
};
const LIST: Content = {
  type: "list",
  content: {
    text: "O que deseja?",
    buttonText: "Abrir",
    sections: [{ title: "Vendas", rows: [{ id: "a", title: "Preços", description: "de tudo" }] }],
  },
};
const LINK: Content = {
  type: "cta_url",
  content: { text: "Veja", buttonText: "Cardápio", url: "https://padaria-estrela.example/cardapio" },
};
const CODE: Content = {
  type: "copy_code",
  content: { text: "Seu cupom", buttonText: "Copiar", code: "BOLO10" },
};
const TEXTS = {
  copy_code: "Seu cupom\n\nCopiar: BOLO10",
  button: "Confirma?\n\n1. Sim\n2. Não\n\n_Loja_",
  list: "O que deseja?\n\n*Vendas*\n1. Preços – de tudo",
  cta_url: "Veja\n\nCardápio: https://padaria-estrela.example/cardapio",
};
const FLOWS = {
  copy_code: [["cta_copy", { display_text: "Copiar", id: "BOLO10", copy_code: "BOLO10" }]],
  button: [
    ["quick_reply", { display_text: "Sim", id: "yes" }],
    ["quick_reply", { display_text: "Não", id: "no" }],
  ],
  list: [
    [
      "single_select",
      { title: "Abrir", sections: [{ title: "Vendas", rows: [{ id: "a", title: "Preços", description: "de tudo" }] }] },
    ],
  ],
  cta_url: [
    [
      "cta_url",
      {
        display_text: "Cardápio",
        url: "https://padaria-estrela.example/cardapio",
        merchant_url: "https://padaria-estrela.example/cardapio",
      },
    ],
  ],
};
const MENUS = [BUTTONS, LIST, LINK, CODE] as (Content & { type: keyof typeof TEXTS })[];

/** The parameters of the first button in a message. */
const flowIn = ({ message }: Received) =>
  message.interactiveMessage?.nativeFlowMessage?.buttons?.map(({ name, buttonParamsJson }) => [
    name,
    JSON.parse(buttonParamsJson ?? ""),
  ]);

const sentMenu = async (content: Content) => {
  const ana = session.contact();
  const key = session.newKey();
  const outcome = await session.send(content, { to: `pn:${ana.pn}`, key });
  return { ana, key, outcome };
};

describe("with the setting `try`, native buttons", () => {
  test.each(MENUS)("$type goes out as the network's own, and is shown", async (content) => {
    const { ana, key, outcome } = await sentMenu(content);
    expect(outcome).toEqual({ ok: true, key });
    const got = await ana.until(({ id }) => id === key);
    expect(got.message.interactiveMessage?.body?.text).toBe(content.content.text);
    expect(flowIn(got)).toEqual(FLOWS[content.type]);
    expect(ana.unshown).toEqual([]);
  });

  test("have the one stanza that the network delivers, with the time at its distance", async () => {
    const { ana, key } = await sentMenu(BUTTONS);
    const { stanza } = await ana.until(({ id }) => id === key);
    const seconds = Math.floor(session.host.clock.now() / SECOND_MS) - 77_980_457;
    expect(child(stanza, "bot")?.attrs).toEqual({ biz_bot: "1" });
    expect(child(stanza, "biz")?.attrs).toEqual({
      actual_actors: "2",
      host_storage: "2",
      privacy_mode_ts: String(seconds),
    });
  });

  test("go to a group without the mark of a bot", async () => {
    const ana = session.contact();
    const group = session.net.group({ subject: "Equipe", members: [session.phone, ana], owner: session.phone });
    const key = session.newKey();
    expect(await session.send(BUTTONS, { to: `group:${group.jid.split("@")[0]}`, key })).toEqual({ ok: true, key });
    const { stanza } = await ana.until(({ id }) => id === key);
    expect([child(stanza, "bot"), child(stanza, "biz")?.tag]).toEqual([undefined, "biz"]);
  });

  test("quote, and are under the chat's timer, as their text is", async () => {
    const ana = session.contact();
    const first = session.newKey();
    await session.send(text("olá"), { to: `pn:${ana.pn}`, key: first });
    const key = session.newKey();
    await session.send(BUTTONS, { to: `pn:${ana.pn}`, key, quotedProviderMessageId: first });
    const { message } = await ana.until(({ id }) => id === key);
    expect(message.interactiveMessage?.contextInfo).toMatchObject({ stanzaId: first });
  });

  test("have the text of their header", async () => {
    const { ana, key } = await sentMenu({
      ...BUTTONS,
      content: { ...BUTTONS.content, header: { type: "text", text: "Padaria" } },
    });
    const { message } = await ana.until(({ id }) => id === key);
    expect(message.interactiveMessage?.header).toMatchObject({ title: "Padaria", hasMediaAttachment: false });
  });

  test("have the picture of their header, whole", async () => {
    const bytes = new Uint8Array(
      await sharp({ create: { width: 20, height: 10, channels: 3, background: "red" } })
        .png()
        .toBuffer(),
    );
    await using server = fileServer(() => new Response(bytes, { headers: { "content-type": "image/png" } }));
    const header = { type: "image", mediaUrl: `${server.url}/a.png` };
    const { ana, key, outcome } = await sentMenu({ ...BUTTONS, content: { ...BUTTONS.content, header } } as Content);
    expect(outcome).toEqual({ ok: true, key });
    const { message } = await ana.until(({ id }) => id === key);
    const { hasMediaAttachment, imageMessage } = message.interactiveMessage?.header ?? {};
    expect(hasMediaAttachment).toBe(true);
    expect(await openedFile(session.net, imageMessage, "image")).toEqual(Buffer.from(bytes));
  });

  test("whose file is unavailable go out as a text, which says so", async () => {
    const header = { type: "image", mediaUrl: "https://127.0.0.1:9/nada.png" };
    const { ana, key, outcome } = await sentMenu({
      ...BUTTONS,
      content: { ...BUTTONS.content, header },
    } as Content);
    expect(outcome).toMatchObject({ ok: true, plainer: { sentAs: "text", reason: expect.stringContaining("header") } });
    expect(await ana.until(({ id }) => id === key)).toMatchObject({ text: expect.stringContaining("1. Sim") });
  });

  test("that a device asks for again come as their text, for the stanza of the repeat has no place for their node", async () => {
    const ana = session.contact();
    ana.blind = true;
    const key = session.newKey();
    await session.send(BUTTONS, { to: `pn:${ana.pn}`, key });
    await session.net.until(() => ana.unread.includes(key));
    ana.blind = false;
    expect(await ana.until(({ id }) => id === key)).toMatchObject({ text: TEXTS.button });
    expect(ana.unshown).toEqual([]);
  });

  test("whose answer was lost are sent again as buttons under the same id, and arrive once", async () => {
    const ana = session.contact();
    const key = session.newKey();
    const heal = session.net.faults.dropAcks(({ attrs }) => attrs["id"] === key, { times: 1 });
    const sending = session.send(BUTTONS, { to: `pn:${ana.pn}`, key });
    await untilWaiting(session);
    session.host.clock.advance(20 * SECOND_MS);
    expect(await sending).toMatchObject({ kind: "unknown" });
    heal();
    expect(await session.send(BUTTONS, { to: `pn:${ana.pn}`, key })).toEqual({ ok: true, key });
    expect(ana.received.filter(({ id }) => id === key)).toHaveLength(1);
    expect(ana.received.at(-1)?.message.interactiveMessage?.body?.text).toBe("Confirma?");
  });
});

describe("a carousel", () => {
  const carousel = (mediaUrl: string): Content => ({
    type: "carousel",
    content: {
      text: "Os bolos",
      footer: "Loja",
      cards: [
        {
          header: { type: "image", mediaUrl },
          text: "Cenoura",
          footer: "R$ 40",
          buttons: [
            { type: "reply", id: "cenoura", text: "Quero" },
            { type: "url", url: "https://padaria-estrela.example/cenoura", text: "Ver" },
          ],
        },
        {
          header: { type: "image", mediaUrl },
          text: "Fubá",
          buttons: [
            { type: "reply", id: "fuba", text: "Quero este" },
            { type: "copy", code: "BOLO10", text: "Cupom" },
          ],
        },
      ],
    },
  });
  const textWith = (url: string) =>
    `Os bolos\n\n${url}\nCenoura\n1. Quero\nVer: https://padaria-estrela.example/cenoura\n_R$ 40_\n\n` +
    `${url}\nFubá\n2. Quero este\nCupom: BOLO10\n\n_Loja_`;
  const picture = async () =>
    new Uint8Array(
      await sharp({ create: { width: 20, height: 10, channels: 3, background: "red" } })
        .png()
        .toBuffer(),
    );

  test("goes out the same way: each card with its picture and its buttons", async () => {
    const bytes = await picture();
    await using server = fileServer(() => new Response(bytes, { headers: { "content-type": "image/png" } }));
    const { ana, key, outcome } = await sentMenu(carousel(`${server.url}/a.png`));
    expect(outcome).toEqual({ ok: true, key });
    const { message, stanza } = await ana.until(({ id }) => id === key);
    const { body, carouselMessage, nativeFlowMessage } = message.interactiveMessage ?? {};
    expect([body?.text, nativeFlowMessage ?? null, child(stanza, "biz")?.tag]).toEqual(["Os bolos", null, "biz"]);
    const cards = carouselMessage?.cards ?? [];
    expect(cards.map((card) => [card.body?.text, card.footer?.text])).toEqual([
      ["Cenoura", "R$ 40"],
      ["Fubá", undefined],
    ]);
    expect(cards.map((card) => card.nativeFlowMessage?.buttons?.map(({ name }) => name))).toEqual([
      ["quick_reply", "cta_url"],
      ["quick_reply", "cta_copy"],
    ]);
    for (const card of cards)
      expect(await openedFile(session.net, card.header?.imageMessage, "image")).toEqual(Buffer.from(bytes));
  });

  test("that the network refuses, or whose picture is missing, is one text with all cards", async () => {
    const bytes = await picture();
    await using server = fileServer(() => new Response(bytes, { headers: { "content-type": "image/png" } }));
    const url = `${server.url}/a.png`;
    session.net.faults.nack(473, () => true, { times: 1 });
    const refused = await sentMenu(carousel(url));
    expect(refused.outcome).toMatchObject({ ok: true, plainer: { upstreamCode: 473 } });
    expect(await refused.ana.until(({ id }) => id === refused.key)).toMatchObject({ text: textWith(url) });
    session.host.clock.advance(DAY_MS);
    const missing = await sentMenu(carousel("https://127.0.0.1:9/nada.png"));
    expect(missing.outcome).toMatchObject({ ok: true, plainer: { reason: expect.stringContaining("header") } });
    expect(await missing.ana.until(({ id }) => id === missing.key)).toMatchObject({
      text: textWith("https://127.0.0.1:9/nada.png"),
    });
  });
});

describe("native buttons that the network refuses", () => {
  test.each([405, 473, 479])("with %d go out as the numbered text under the same id, and say so", async (code) => {
    for (const content of MENUS) {
      const ana = session.contact();
      const key = session.newKey();
      // 479 may mean old devices: the buttons are tried once more
      session.net.faults.nack(code, ({ attrs }) => attrs["id"] === key, { times: code === 479 ? 2 : 1 });
      expect(await session.send(content, { to: `pn:${ana.pn}`, key })).toMatchObject({
        ok: true,
        key,
        plainer: { sentAs: "text", upstreamCode: code },
      });
      expect(await ana.until(({ id }) => id === key)).toMatchObject({ text: TEXTS[content.type] });
      expect(ana.received).toHaveLength(1);
      session.host.clock.advance(DAY_MS);
    }
  });

  test("are not tried again for a day", async () => {
    session.net.faults.nack(473, () => true, { times: 1 });
    await sentMenu(BUTTONS);
    session.host.clock.advance(DAY_MS - MINUTE_MS);
    const refused = session.net.stat.refused.length;
    const { ana, key, outcome } = await sentMenu(BUTTONS);
    expect(outcome).toMatchObject({ ok: true, plainer: { sentAs: "text", upstreamCode: 473 } });
    expect(await ana.until(({ id }) => id === key)).toMatchObject({ text: TEXTS.button });
    expect(session.net.stat.refused).toHaveLength(refused);
    session.host.clock.advance(MINUTE_MS);
    const { outcome: after } = await sentMenu(BUTTONS);
    expect(after).not.toHaveProperty("plainer");
  });

  test("a 479 that the text gets too is not called a refusal of buttons, and forbids none", async () => {
    session.net.faults.nack(479, () => true, { times: 3 });
    const { ana, key, outcome } = await sentMenu(BUTTONS);
    expect(outcome).toMatchObject({ ok: true, plainer: { upstreamCode: 479, reason: expect.stringMatching(/old/) } });
    expect(outcome).not.toMatchObject({ plainer: { reason: expect.stringMatching(/refuses/) } });
    expect(await ana.until(({ id }) => id === key)).toMatchObject({ text: TEXTS.button });
    const { outcome: next } = await sentMenu(BUTTONS);
    expect(next).not.toHaveProperty("plainer");
  });

  test("a refusal of the form is remembered, although the addresses of the text were old", async () => {
    session.net.faults.nack(473, () => true, { times: 1 });
    session.net.faults.nack(479, () => true, { times: 1 });
    expect((await sentMenu(BUTTONS)).outcome).toMatchObject({ ok: true, plainer: { upstreamCode: 473 } });
    expect((await sentMenu(BUTTONS)).outcome).toMatchObject({ ok: true, plainer: { upstreamCode: 473 } });
  });

  test.each([406, 479])("a %d for old addresses: they are asked for anew, and the buttons go out", async (code) => {
    session.net.faults.nack(code, () => true, { times: 1 });
    const asked = session.net.stat.usync.length;
    const { ana, key, outcome } = await sentMenu(BUTTONS);
    expect(outcome).toEqual({ ok: true, key });
    const { message, stanza } = await ana.until(({ id }) => id === key);
    expect([message.interactiveMessage?.body?.text, child(stanza, "biz")?.tag]).toEqual(["Confirma?", "biz"]);
    expect(session.net.stat.usync.slice(asked).filter(({ protocols }) => protocols.includes("devices"))).toHaveLength(
      2,
    );
    expect((await sentMenu(BUTTONS)).outcome).not.toHaveProperty("plainer");
  });

  test.each([406, 421, 479])("in a group, a %d for old addresses: the buttons go out", async (code) => {
    const ana = session.contact();
    const group = session.net.group({ subject: "Equipe", members: [session.phone, ana], owner: session.phone });
    const key = session.newKey();
    session.net.faults.nack(code, () => true, { times: 1 });
    expect(await session.send(BUTTONS, { to: `group:${group.jid.split("@")[0]}`, key })).toEqual({ ok: true, key });
    const { message } = await ana.until(({ id }) => id === key);
    expect(message.interactiveMessage?.body?.text).toBe("Confirma?");
  });

  test.each([405, 473])("with %d after the wait are not failed: the repeat is the text", async (code) => {
    const ana = session.contact();
    const key = session.newKey();
    const release = session.net.faults.delayAcks();
    const heal = session.net.faults.nack(code, ({ attrs }) => attrs["id"] === key);
    const sending = session.send(BUTTONS, { to: `pn:${ana.pn}`, key });
    await untilWaiting(session);
    session.host.clock.advance(20 * SECOND_MS);
    expect(await sending).toMatchObject({ kind: "unknown" });
    const events = session.host.events.length;
    release();
    await untilTrue(async () => (await lastRefusal(session.keyStore, session.host.clock.now())) === code);
    heal();
    expect(await session.send(BUTTONS, { to: `pn:${ana.pn}`, key })).toMatchObject({
      ok: true,
      plainer: { sentAs: "text", upstreamCode: code },
    });
    expect(await ana.until(({ id }) => id === key)).toMatchObject({ text: TEXTS.button });
    expect(session.host.events).toHaveLength(events);
  });

  test("a 406 that stays is the outcome, and nothing arrives", async () => {
    session.net.faults.nack(406);
    const { ana, outcome } = await sentMenu(BUTTONS);
    expect(outcome).toMatchObject({ ok: false, kind: "refused", upstreamCode: 406 });
    expect(ana.received).toEqual([]);
  });

  test("any other refusal is the message's own, and no text follows", async () => {
    session.net.faults.nack(403, () => true, { times: 1 });
    const { ana, outcome } = await sentMenu(BUTTONS);
    expect(outcome).toMatchObject({ ok: false, kind: "refused", upstreamCode: 403 });
    expect(ana.received).toEqual([]);
  });
});

test.each([undefined, "", "off", "TRY"])("with the setting %p nothing but the text is sent", async (value) => {
  await session.host.vault.write({ nativeButtons: value ?? "" });
  for (const content of MENUS) {
    const { ana, key, outcome } = await sentMenu(content);
    expect(outcome).toEqual({ ok: true, key });
    const { text: said, stanza } = await ana.until(({ id }) => id === key);
    expect([said, child(stanza, "biz")]).toEqual([TEXTS[content.type], undefined]);
  }
});

test("the copy that is kept is the text, so that quotes and repeats show it", async () => {
  const { key } = await sentMenu(BUTTONS);
  expect((await cachedMessage(session.keyStore, key))?.message.extendedTextMessage?.text).toBe(TEXTS.button);
});
