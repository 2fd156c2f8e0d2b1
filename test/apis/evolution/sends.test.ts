import { beforeEach, expect, test } from "bun:test";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { clientOf, EVOLUTION_ENV, type EvolutionClient, evolutionSays } from "../../support/apis/evolution.ts";
import { type Customer, rowsOf } from "../../support/customers/customer.ts";
import { filesOf } from "../../support/customers/media.ts";
import { newSessionCustomer, sessionNetwork, textFrom } from "../../support/session/scripted-sends.ts";
import { useWorld } from "../../support/use-world.ts";

const network = sessionNetwork();
const w = useWorld({ env: EVOLUTION_ENV, plugins: [network.plugin] });
const NUMBER = "5511999990001";
const PNG = `data:image/png;base64,${Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").toString("base64")}`;

let c: Customer;
let client: EvolutionClient;
beforeEach(async () => {
  c = await newSessionCustomer(w);
  client = clientOf(w, c);
  network.sent.length = 0;
  network.operated.length = 0;
});

const send = (name: string, body: object) => client.on(`/message/${name}`, { body: { number: NUMBER, ...body } });
const lastSent = () => network.sent.at(-1)?.order;
const messagesOf = async () => (await rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?", [c.accountId])).length;

test("a text is accepted as Evolution answers it, and goes out under the same id", async () => {
  const answer = await send("sendText", { text: "olá", delay: 1200, linkPreview: false });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({
    key: { remoteJid: `${NUMBER}@s.whatsapp.net`, fromMe: true },
    status: "PENDING",
    message: { conversation: "olá" },
    messageType: "conversation",
    instanceId: c.phone.id,
    contextInfo: null,
  });
  expect(answer.body.messageTimestamp).toBe(Math.floor(w.clock.now() / 1000));
  await w.settle();
  expect(lastSent()).toMatchObject({ messageId: answer.body.key.id, to: `pn:${NUMBER}`, type: "text" });
});

test("a person who opted out gets answers alone: for a day after what they wrote since, and to what is quoted", async () => {
  const writes = async () => {
    await network.notify(c.phone.id, textFrom(NUMBER, { at: w.clock.now() }));
    await w.settle();
  };
  await writes();
  const [contact] = (await w.gateway("/v1/contacts", { key: c.key })).body.items;
  await w.gateway(`/v1/contacts/${contact.id}/opt-out`, { key: c.key, method: "PUT" });
  const says = async (more: object = {}) => (await send("sendText", { text: "olá", ...more })).status;
  const [{ id } = { id: "" }] = await rowsOf<{ id: string }>(
    w,
    "SELECT id FROM received_messages WHERE tenant_id = ?1",
    [c.accountId],
  );
  expect([await says(), await says({ quoted: { key: { id } } }), await messagesOf()]).toEqual([409, 201, 1]);
  await w.advance(1000);
  await writes();
  expect(await says()).toBe(201);
  await w.advance(DAY_MS);
  expect([await says(), await messagesOf()]).toEqual([409, 2]);
});

test.each([
  ["a chat address", `${NUMBER}@s.whatsapp.net`, `${NUMBER}@s.whatsapp.net`],
  ["a number as people write it", "+55 (11) 99999-0001", `${NUMBER}@s.whatsapp.net`],
  ["a group", "120363041234567890@g.us", "120363041234567890@g.us"],
  ["a person without a number", "123456789@lid", "123456789@lid"],
])("%s is a recipient", async (_, number, remoteJid) => {
  const answer = await send("sendText", { number, text: "oi" });
  expect([answer.status, answer.body.key?.remoteJid]).toEqual([201, remoteJid]);
});

// bodies as programs of others send them, recorded from their public sources
test.each([
  ["a CRM", "sendText", { number: `+${NUMBER}`, text: "oi" }],
  ["a web shop", "sendText", { text: "oi", options: { delay: 1200, presence: "composing", linkPreview: false } }],
  ["an agent", "sendWhatsAppAudio", { audio: "https://example.com/a.ogg", encoding: true }],
  ["a voice bot", "sendWhatsAppAudio", { audio: "T2dnUw==", options: { delay: 1000, presence: "composing" } }],
  ["an inbox", "sendWhatsAppAudio", { audio: "https://example.com/a.ogg", caption: "", mentionsEveryOne: false }],
  [
    "a help desk",
    "sendMedia",
    {
      number: `${NUMBER}@s.whatsapp.net`,
      mediatype: "document",
      mimetype: "application/pdf",
      media: "https://example.com/a.pdf",
      fileName: "a.pdf",
      caption: "",
    },
  ],
  ["a barber", "sendText", { text: "oi", mentioned: [], quoted: {} }],
])("the call of %s is accepted as it is", async (_, name, body) => {
  const answer = await send(name, body);
  expect([answer.status, answer.body.key?.remoteJid]).toEqual([201, `${NUMBER}@s.whatsapp.net`]);
  await w.settle();
  expect(lastSent()?.messageId).toBe(answer.body.key.id);
});

test("people whom a text mentions, and everybody in a group, are mentioned", async () => {
  const mentioned = ["5511988887777@s.whatsapp.net"];
  const number = "120363041234567890@g.us";
  const text = "oi @5511988887777";
  const answer = await send("sendText", { number, text, mentioned, mentionsEveryOne: true });
  expect(answer.status).toBe(201);
  await w.settle();
  expect(lastSent()).toMatchObject({ content: { text, mentions: ["all", ...mentioned] } });
});

test("each content of Evolution becomes one of ours", async () => {
  const url = "https://example.com/file";
  const cases: [string, object, object][] = [
    [
      "sendMedia",
      { mediatype: "image", media: url, mimetype: "image/jpeg", caption: "veja" },
      { type: "image", content: { mediaUrl: url, mimeType: "image/jpeg", caption: "veja" } },
    ],
    [
      "sendMedia",
      { mediatype: "document", media: url, fileName: "nota.pdf", caption: "" },
      { type: "document", content: { mediaUrl: url, filename: "nota.pdf" } },
    ],
    ["sendMedia", { mediatype: "video", media: url }, { type: "video", content: { mediaUrl: url } }],
    ["sendWhatsAppAudio", { audio: url }, { type: "audio", content: { mediaUrl: url, ptt: true } }],
    ["sendPtv", { video: url }, { type: "video", content: { mediaUrl: url, videoNote: true } }],
    ["sendSticker", { sticker: url }, { type: "sticker", content: { mediaUrl: url } }],
    [
      "sendLocation",
      { latitude: -23.5, longitude: -46.6, name: "Sé", address: "Praça da Sé" },
      { type: "location", content: { latitude: -23.5, longitude: -46.6, name: "Sé", address: "Praça da Sé" } },
    ],
    [
      "sendContact",
      { contact: [{ fullName: "Bia", wuid: "5511988887777", phoneNumber: "+55 11 98888-7777", organization: "x" }] },
      { type: "contact", content: { contacts: [{ name: "Bia", phone: "+55 11 98888-7777" }] } },
    ],
    [
      "sendButtons",
      { title: "Veja", buttons: [{ type: "url", displayText: "Abrir", url }] },
      { type: "cta_url", content: { text: "Veja", buttonText: "Abrir", url } },
    ],
    [
      "sendButtons",
      { title: "Cupom", footer: "Loja", buttons: [{ type: "copy", displayText: "Copiar", copyCode: "BOLO10" }] },
      { type: "copy_code", content: { text: "Cupom", footer: "Loja", buttonText: "Copiar", code: "BOLO10" } },
    ],
    [
      "sendPoll",
      { name: "Quando?", selectableCount: 1, values: ["hoje", "amanhã"] },
      { type: "poll", content: { question: "Quando?", options: ["hoje", "amanhã"], maxSelections: 1 } },
    ],
    [
      "sendList",
      {
        title: "Menu",
        description: "Escolha",
        buttonText: "Abrir",
        footerText: "rodapé",
        sections: [{ title: "A", rows: [{ title: "Um", description: "", rowId: "1" }] }],
      },
      {
        type: "list",
        content: {
          text: "Menu\n\nEscolha",
          footer: "rodapé",
          buttonText: "Abrir",
          sections: [{ title: "A", rows: [{ id: "1", title: "Um" }] }],
        },
      },
    ],
    [
      "sendButtons",
      { title: "Oi", description: "Sim?", buttons: [{ type: "reply", displayText: "Sim", id: "s" }] },
      { type: "button", content: { text: "Oi\n\nSim?", buttons: [{ id: "s", text: "Sim" }] } },
    ],
  ];
  for (const [name, body, sent] of cases) {
    const answer = await send(name, body);
    expect([name, answer.status, answer.text]).toEqual([name, 201, answer.text]);
    await w.settle();
    expect(lastSent()).toMatchObject(sent);
    expect(lastSent()?.messageId).toBe(answer.body.key.id);
  }
});

test("a file in base64 is kept and sent by its handle", async () => {
  const answer = await send("sendMedia", { mediatype: "image", media: PNG });
  expect(answer.status).toBe(201);
  await w.settle();
  expect(lastSent()).toMatchObject({ type: "image", content: { mediaHandle: expect.stringMatching(/^file-/) } });
});

test("an answer quotes the message that `quoted` names", async () => {
  const first = await send("sendText", { text: "um" });
  await w.settle();
  const answer = await send("sendText", { text: "dois", quoted: { key: { id: first.body.key.id } } });
  expect(answer.body.contextInfo).toEqual({ stanzaId: first.body.key.id });
  await w.settle();
  expect(lastSent()?.quotedProviderMessageId).toBeDefined();
});

test("a reaction is set and taken back", async () => {
  const first = await send("sendText", { text: "um" });
  await w.settle();
  const key = { id: first.body.key.id, remoteJid: first.body.key.remoteJid, fromMe: true };
  expect((await client.on("/message/sendReaction", { body: { key, reaction: "👍" } })).status).toBe(201);
  await w.settle();
  expect(network.operated.at(-1)).toMatchObject({ name: "react", emoji: "👍" });
});

test.each([
  ["no text", "sendText", {}, "400 text is required"],
  ["no recipient", "sendText", { number: undefined, text: "oi" }, "400 number is required"],
  [
    "a recipient that is none",
    "sendText",
    { number: "abc", text: "oi" },
    "400 This instance cannot send to this recipient.",
  ],
  [
    "a mention without a text",
    "sendWhatsAppAudio",
    { audio: "https://example.com/a.ogg", mentioned: ["5511988887777@s.whatsapp.net"] },
    "400 mentioned is not supported: a message without a text mentions nobody",
  ],
  [
    "all mentioned in a chat of two",
    "sendText",
    { text: "oi", mentionsEveryOne: true },
    "400 mentioned.0 mentions everybody, which only a group has",
  ],
  ["a file that is neither", "sendMedia", { mediatype: "image", media: "not base64!" }, "400 media must be base64"],
  ...["undefined", "filesystem-v2", "null=", "AAAAA", "data:image/png;base64,undefined"].map(
    (media) =>
      [`a file of ${media}`, "sendMedia", { mediatype: "document", media }, "400 media must be base64"] as const,
  ),
  ["a private address", "sendMedia", { mediatype: "image", media: "http://10.0.0.1/a.png" }, /^400 media /],
  ["a private sound", "sendWhatsAppAudio", { audio: "http://10.0.0.1/a.ogg" }, /^400 audio /],
  ["a private video note", "sendPtv", { video: "http://10.0.0.1/a.mp4" }, /^400 video /],
  ["a private sticker", "sendSticker", { sticker: "http://10.0.0.1/a.webp" }, /^400 sticker /],
  [
    "a long caption",
    "sendMedia",
    { mediatype: "image", media: "https://a.example/a", caption: "x".repeat(1025) },
    /^400 caption /,
  ],
  [
    "a contact without a name",
    "sendContact",
    { contact: [{ fullName: "", phoneNumber: NUMBER }] },
    /^400 contact\.0\.fullName /,
  ],
  ["a contact without a number", "sendContact", { contact: [{ fullName: "Ana" }] }, /^400 contact\.0\.phoneNumber /],
  ["a poll of equals", "sendPoll", { name: "?", values: ["a", "a"], selectableCount: 1 }, /^400 values/],
  [
    "a button without a word",
    "sendButtons",
    { title: "x", buttons: [{ type: "reply", id: "1" }] },
    /^400 buttons\.0\.displayText /,
  ],
  ["an unknown quote", "sendText", { text: "oi", quoted: { key: { id: "nothing" } } }, /^404 /],
  [
    "a button of Pix",
    "sendButtons",
    { title: "x", buttons: [{ type: "pix" }] },
    /^400 buttons\.0\.type is not supported/,
  ],
])("%s is refused, and nothing is stored", async (_, name, body, says) => {
  const answer = await send(name, body);
  if (typeof says === "string") expect(evolutionSays(answer)).toBe(says);
  else expect(evolutionSays(answer)).toMatch(says);
  expect(answer.body).toMatchObject({ status: answer.status, error: expect.any(String) });
  await w.settle();
  expect(network.sent).toHaveLength(0);
  expect(await messagesOf()).toBe(0);
});

test("a message with the client's own id is sent once, and the repeat answers the first one's key", async () => {
  const text = { text: "olá", messageId: "PEDIDO-1042" };
  const first = await send("sendText", text);
  const again = await send("sendText", text);
  expect([again.status, again.body.key]).toEqual([201, first.body.key]);
  const other = await send("sendText", { ...text, text: "outra coisa" });
  expect(other.status).toBeGreaterThanOrEqual(400);
  await w.settle();
  expect(network.sent).toHaveLength(1);
  const second = await newSessionCustomer(w);
  expect((await clientOf(w, second).on("/message/sendText", { body: { number: NUMBER, ...text } })).status).toBe(201);
  expect(await messagesOf()).toBe(1);
});

test("a file in base64 with the client's own id is sent once, and another file under it is refused", async () => {
  const file = { mediatype: "image", media: PNG, messageId: "X2" };
  const first = await send("sendMedia", file);
  const again = await send("sendMedia", { ...file, media: PNG.slice(PNG.indexOf(",") + 1) });
  expect([first.status, again.status, again.body.key]).toEqual([201, 201, first.body.key]);
  const other = await send("sendMedia", { ...file, media: `${PNG.slice(0, -4)}AAAA` });
  expect(other.status).toBe(409);
  const voice = { audio: "T2dnUw==", messageId: "X3" };
  expect((await send("sendWhatsAppAudio", voice)).body.key).toEqual((await send("sendWhatsAppAudio", voice)).body.key);
  await w.settle();
  expect(network.sent).toHaveLength(2);
});

test("a refused send or status leaves no file, in the database or on disk, and a repeat none of its own", async () => {
  const media = PNG;
  const image = { mediatype: "image", media };
  const kept = async () => {
    await w.settle();
    const rows = await rowsOf(w, "SELECT key FROM stored_items WHERE tenant_id = ?", [c.accountId]);
    return [rows.length, filesOf(w).filter((key) => key.startsWith(c.accountId)).length];
  };
  for (const [answer, code] of [
    [await send("sendMedia", { ...image, number: "nobody@nowhere" }), 400],
    [await send("sendMedia", { ...image, quoted: { key: { id: "nothing" } } }), 404],
    [await send("sendSticker", { sticker: media, mentioned: [NUMBER] }), 400],
    [await send("sendWhatsAppAudio", { audio: media, mentionsEveryOne: true }), 400],
    [await send("sendStatus", { type: "image", content: media, statusJidList: ["@@"] }), 400],
    [await send("sendStatus", { type: "audio", content: media, allContacts: true }), 400],
  ] as const)
    expect(evolutionSays(answer)).toStartWith(`${code} `);
  expect([...(await kept()), await messagesOf()]).toEqual([0, 0, 0]);
  expect((await send("sendMedia", { ...image, messageId: "A1" })).status).toBe(201);
  const before = await kept();
  expect((await send("sendMedia", { ...image, messageId: "A1" })).status).toBe(201);
  expect(
    (await send("sendMedia", { ...image, media: `${PNG.slice(0, -4)}AAAA`, messageId: "A1" })).status,
  ).toBeGreaterThanOrEqual(400);
  expect([...(await kept()), network.sent.length]).toEqual([...before, 1]);
});

test("a text has a preview or none as the client wishes, and else as the phone's setting says", async () => {
  for (const [wish, said] of [
    [{ linkPreview: true }, { linkPreview: true }],
    [{ linkPreview: false }, { linkPreview: false }],
    [{}, {}],
  ] as const) {
    await send("sendText", { text: "veja https://example.com", ...wish });
    await w.settle();
    expect(lastSent()?.content).toEqual({ text: "veja https://example.com", ...said });
  }
});

const CARD = {
  title: "Bolo",
  body: "De cenoura",
  footer: "R$ 40",
  imageUrl: "https://example.com/bolo.jpg",
  buttons: [
    { type: "reply", displayText: "Quero", id: "q" },
    { type: "url", displayText: "Ver", url: "https://example.com" },
    { type: "copy", displayText: "Cupom", copyCode: "BOLO10" },
  ],
};

test("a carousel is one of ours, and one card without a picture a message with buttons", async () => {
  const other = { ...CARD, buttons: [{ type: "reply", displayText: "Quero", id: "q2" }] };
  expect((await send("sendCarousel", { body: "Hoje:", cards: [CARD, other] })).status).toBe(201);
  await w.settle();
  expect(lastSent()).toMatchObject({
    type: "carousel",
    content: {
      text: "Hoje:",
      cards: [
        {
          header: { type: "image", mediaUrl: CARD.imageUrl },
          text: "Bolo\n\nDe cenoura",
          footer: "R$ 40",
          buttons: [
            { type: "reply", text: "Quero", id: "q" },
            { type: "url", text: "Ver", url: "https://example.com" },
            { type: "copy", text: "Cupom", code: "BOLO10" },
          ],
        },
        { buttons: [{ id: "q2" }] },
      ],
    },
  });
  const { imageUrl: _, ...plain } = other;
  await send("sendCarousel", { body: "Hoje:", cards: [plain] });
  await w.settle();
  expect(lastSent()).toMatchObject({
    type: "button",
    content: { text: "Hoje:\n\nBolo\n\nDe cenoura", buttons: [{ id: "q2", text: "Quero" }] },
  });
});

test.each([
  ["a card without a picture", { cards: [CARD, { ...CARD, imageUrl: "" }] }, /^400 cards\.1\.imageUrl /],
  ["a button that calls", { cards: [{ ...CARD, buttons: [{ type: "call" }] }] }, /^400 cards\.0\.buttons\.0\.type /],
  [
    "a button without a text",
    { cards: [{ ...CARD, buttons: [{ type: "reply", id: "q" }] }, CARD] },
    /^400 cards\.0\.buttons\.0\.displayText /,
  ],
])("a carousel with %s is refused, and nothing is stored", async (_, more, says) => {
  expect(evolutionSays(await send("sendCarousel", { body: "Hoje:", ...more }))).toMatch(says);
  expect(await messagesOf()).toBe(0);
});

test("a film plays as a GIF where the client says so", async () => {
  for (const gifPlayback of [true, "true"]) {
    const film = { mediatype: "video", media: "https://example.com/a.mp4", gifPlayback };
    expect((await send("sendMedia", film)).status).toBe(201);
    await w.settle();
    expect(lastSent()).toMatchObject({ type: "video", content: { gifPlayback: true } });
  }
});

test("the votes of a poll are counted by its options, and another message has none", async () => {
  const { body } = await send("sendPoll", { name: "Quando?", selectableCount: 1, values: ["hoje", "amanhã"] });
  await w.settle();
  const key = lastSent()?.key;
  const vote = (pn: string, options: string[]) =>
    network.notify(c.phone.id, {
      kind: "voted",
      key,
      nativeId: `v-${pn}-${options.join()}`,
      at: w.clock.now(),
      from: { pn },
      options,
    } as never);
  await vote(NUMBER, ["hoje"]);
  await vote("5511922220001", ["hoje"]);
  await vote("5511922220001", ["amanhã"]);
  await w.settle();
  const votes = (id: string) =>
    client.on("/chat/getPollVote", { body: { message: { key: { id } }, remoteJid: `${NUMBER}@s.whatsapp.net` } });
  expect((await votes(body.key.id)).body).toEqual({
    poll: {
      name: "Quando?",
      totalVotes: 2,
      results: {
        hoje: { votes: 1, voters: [`${NUMBER}@s.whatsapp.net`] },
        amanhã: { votes: 1, voters: ["5511922220001@s.whatsapp.net"] },
      },
    },
  });
  const text = await send("sendText", { text: "oi" });
  expect(evolutionSays(await votes(text.body.key.id))).toBe("400 message.key.id is not the id of a poll");
});

test("a status goes to the people whom it names, with its colours", async () => {
  const answer = await send("sendStatus", {
    type: "text",
    content: "Hoje tem pão de queijo",
    backgroundColor: "#008000",
    font: 1,
    statusJidList: [`${NUMBER}@s.whatsapp.net`],
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({ key: { remoteJid: "status@broadcast", fromMe: true }, status: "PENDING" });
  await w.settle();
  expect(lastSent()).toMatchObject({
    to: "broadcast:status",
    type: "text",
    content: { text: "Hoje tem pão de queijo" },
    options: { audience: `pn:${NUMBER}`, backgroundColor: "#008000", font: "1" },
  });
});

test("a status for nobody is refused, and nothing is stored", async () => {
  for (const more of [{}, { statusJidList: [] }, { allContacts: true }, { statusJidList: ["120363041234567890@g.us"] }])
    expect((await send("sendStatus", { type: "text", content: "oi", ...more })).status).toBe(400);
  expect(await messagesOf()).toBe(0);
});

test("a file whose base64 is almost all padding is refused at once", async () => {
  const answer = await send("sendMedia", { mediatype: "image", media: `${"=".repeat(700_000)}x` });
  expect(evolutionSays(answer)).toBe("400 media must be base64");
  expect(await messagesOf()).toBe(0);
});

test("an address of a chat that is almost all @ is refused at once", async () => {
  const where = { remoteJid: `${"@".repeat(300_000)}\n` };
  expect((await client.on("/chat/findChats", { body: { where } })).status).toBe(400);
});
