import { describe, expect, test } from "bun:test";
import type { proto } from "@whiskeysockets/baileys";
import { menuRow } from "../../../../plugins/session/outbound/content/choices.ts";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import { ANA, AT, fromAna, startReading } from "../../../support/session/reading.ts";

const KEY = new Uint8Array(32).fill(1);
const HASH = new Uint8Array(32).fill(2);
const file = { mediaKey: KEY, directPath: "/v/t62.7118-24/1_n.enc?ccb=11", fileSha256: HASH, fileLength: 1234 };
const VCARD =
  "BEGIN:VCARD\nVERSION:3.0\nN:Silva;Bia;;;\nFN:Bia Silva\nORG:Padaria\\, Ltda;\nitem1.TEL;type=CELL;waid=5511922220001:+55 11 92222-0001\nEMAIL:bia@exam\n ple.org\nEND:VCARD";

const LONG = "x".repeat(5000);

/** Each: what somebody sends, and the type and content of its event. */
const KINDS: [name: string, message: proto.IMessage, type: string, content: object][] = [
  ["a plain text", { conversation: "oi" }, "text", { text: "oi" }],
  ["a text with more to it", { extendedTextMessage: { text: "oi" } }, "text", { text: "oi" }],
  [
    "an image",
    { imageMessage: { ...file, mimetype: "image/jpeg", caption: "veja" } },
    "image",
    { mimeType: "image/jpeg", caption: "veja" },
  ],
  ["a video", { videoMessage: { ...file, mimetype: "video/mp4" } }, "video", { mimeType: "video/mp4" }],
  [
    "a round video",
    { ptvMessage: { ...file, mimetype: "video/mp4" } },
    "video",
    { mimeType: "video/mp4", videoNote: true },
  ],
  [
    "a film that plays as a GIF",
    { videoMessage: { ...file, mimetype: "video/mp4", gifPlayback: true } },
    "video",
    { mimeType: "video/mp4", gifPlayback: true },
  ],
  [
    "a picture for one view, as the apps mark it",
    { viewOnceMessageV2: { message: { imageMessage: { ...file, mimetype: "image/jpeg", viewOnce: true } } } },
    "image",
    { mimeType: "image/jpeg", viewOnce: true },
  ],
  [
    "a film for one view, by its wrapper alone",
    { viewOnceMessage: { message: { videoMessage: { ...file, mimetype: "video/mp4" } } } },
    "video",
    { mimeType: "video/mp4", viewOnce: true },
  ],
  [
    "a voice note for one view",
    { viewOnceMessageV2Extension: { message: { audioMessage: { ...file, mimetype: "audio/ogg", ptt: true } } } },
    "audio",
    { mimeType: "audio/ogg", voice: true, viewOnce: true },
  ],
  ["a recording", { audioMessage: { ...file, mimetype: "audio/mpeg" } }, "audio", { mimeType: "audio/mpeg" }],
  [
    "a voice note",
    { audioMessage: { ...file, mimetype: "audio/ogg; codecs=opus", ptt: true } },
    "audio",
    { mimeType: "audio/ogg; codecs=opus", voice: true },
  ],
  [
    "a document",
    { documentMessage: { ...file, mimetype: "application/pdf", fileName: "conta.pdf" } },
    "document",
    { mimeType: "application/pdf", filename: "conta.pdf" },
  ],
  [
    "a document with a caption",
    {
      documentWithCaptionMessage: {
        message: { documentMessage: { ...file, mimetype: "application/pdf", title: "conta", caption: "veja" } },
      },
    },
    "document",
    { mimeType: "application/pdf", filename: "conta", caption: "veja" },
  ],
  ["a sticker", { stickerMessage: { ...file, mimetype: "image/webp" } }, "sticker", { mimeType: "image/webp" }],
  [
    "a sticker that moves",
    { stickerMessage: { ...file, mimetype: "image/webp", isAnimated: true } },
    "sticker",
    { mimeType: "image/webp", animated: true },
  ],
  [
    "a file of a type that is none",
    { imageMessage: { ...file, mimetype: "image\r\nx: y" } },
    "image",
    { mimeType: "application/octet-stream" },
  ],
  [
    "an image without a key",
    { imageMessage: { directPath: "/v/x", mimetype: "image/jpeg" } },
    "unsupported",
    { originalType: "image" },
  ],
  [
    "a place",
    {
      locationMessage: {
        degreesLatitude: -23.5,
        degreesLongitude: -46.6,
        name: "Sé",
        address: "Praça",
        url: "https://e.org",
      },
    },
    "location",
    { latitude: -23.5, longitude: -46.6, name: "Sé", address: "Praça", url: "https://e.org" },
  ],
  [
    "a place on the move",
    { liveLocationMessage: { degreesLatitude: 1, degreesLongitude: 2, sequenceNumber: 3 } },
    "location",
    { latitude: 1, longitude: 2, live: true },
  ],
  [
    "a place with longer words than a place may have",
    {
      locationMessage: {
        degreesLatitude: 1,
        degreesLongitude: 2,
        name: LONG,
        address: LONG,
        url: `https://e.org/${LONG}`,
      },
    },
    "location",
    { latitude: 1, longitude: 2, name: LONG.slice(0, 1024), address: LONG.slice(0, 1024) },
  ],
  [
    "a calendar event at a place that is nowhere, with a link that is too long",
    {
      eventMessage: {
        name: "Festa",
        startTime: 1_800_000_000,
        endTime: 999_999_999_999,
        location: { name: LONG, degreesLatitude: 999, degreesLongitude: -500 },
        joinLink: `https://e.org/${LONG}`,
      },
    },
    "event",
    { name: "Festa", startsAt: "2027-01-15T08:00:00.000Z", location: { name: LONG.slice(0, 4096) } },
  ],
  [
    "a place that is nowhere",
    { locationMessage: { degreesLatitude: 91, degreesLongitude: 0 } },
    "unsupported",
    { originalType: "location" },
  ],
  [
    "a contact",
    { contactMessage: { displayName: "Bia", vcard: VCARD } },
    "contact",
    {
      contacts: [
        {
          name: { formatted_name: "Bia" },
          phones: [{ phone: "+55 11 92222-0001", wa_id: "5511922220001", type: "CELL" }],
          emails: [{ email: "bia@example.org" }],
          org: { company: "Padaria, Ltda" },
        },
      ],
    },
  ],
  [
    "contacts, one of them two cards in one",
    {
      contactsArrayMessage: {
        contacts: [
          { vcard: "FN:Caio" },
          { displayName: "Davi", vcard: "" },
          {
            displayName: "2 contatos",
            vcard: "BEGIN:VCARD\nFN:Eva\nTEL;type=CELL;type=VOICE:1\nEND:VCARD\nBEGIN:VCARD\nFN:Zé\nEND:VCARD",
          },
        ],
      },
    },
    "contact",
    {
      contacts: [
        { name: { formatted_name: "Caio" } },
        { name: { formatted_name: "Davi" } },
        { name: { formatted_name: "Eva" }, phones: [{ phone: "1", type: "CELL" }] },
        { name: { formatted_name: "Zé" } },
      ],
    },
  ],
  [
    "a pressed button (G-336)",
    { buttonsResponseMessage: { selectedButtonId: "b1", selectedDisplayText: "Sim" } },
    "button_reply",
    { selectedId: "b1", text: "Sim" },
  ],
  [
    "a quick reply (G-384)",
    { templateButtonReplyMessage: { selectedId: "q1", selectedDisplayText: "Quero" } },
    "button_reply",
    { selectedId: "q1", text: "Quero" },
  ],
  [
    "a row of a list",
    { listResponseMessage: { title: "Segunda", description: "9h", singleSelectReply: { selectedRowId: "r1" } } },
    "button_reply",
    { selectedId: "r1", text: "Segunda", description: "9h" },
  ],
  [
    "a native reply",
    {
      interactiveResponseMessage: {
        body: { text: "Sim" },
        nativeFlowResponseMessage: { name: "quick_reply", paramsJson: '{"id":"n1"}' },
      },
    },
    "button_reply",
    { selectedId: "n1", text: "Sim" },
  ],
  [
    "a native reply that is none",
    { interactiveResponseMessage: { nativeFlowResponseMessage: { paramsJson: "[" } } },
    "unsupported",
    { originalType: "interactiveResponse" },
  ],
  [
    "a poll",
    { pollCreationMessageV3: { name: "?", options: [{ optionName: "a" }] } },
    "poll",
    { question: "?", options: ["a"], maxSelections: 1 },
  ],
  ["what disappears", { ephemeralMessage: { message: { conversation: "oi" } } }, "text", { text: "oi" }],
  [
    "what may be opened once",
    { viewOnceMessageV2: { message: { imageMessage: { ...file, mimetype: "image/jpeg" } } } },
    "image",
    { mimeType: "image/jpeg", viewOnce: true },
  ],
  [
    "beside the keys of a group",
    { senderKeyDistributionMessage: { groupId: "g" }, messageContextInfo: {}, conversation: "oi" },
    "text",
    { text: "oi" },
  ],
  [
    "forwarded",
    { extendedTextMessage: { text: "oi", contextInfo: { isForwarded: true, forwardingScore: 1 } } },
    "text",
    { text: "oi", forwarded: true },
  ],
  [
    "forwarded many times",
    { extendedTextMessage: { text: "oi", contextInfo: { isForwarded: true, forwardingScore: 127 } } },
    "text",
    { text: "oi", forwarded: true, frequentlyForwarded: true },
  ],
  [
    "from an advertisement",
    {
      extendedTextMessage: {
        text: "oi",
        contextInfo: {
          externalAdReply: {
            title: "Promo",
            body: "Já",
            mediaType: 1,
            sourceType: "ad",
            sourceId: "7",
            sourceUrl: "https://fb.me/x",
            ctwaClid: "c",
          },
        },
      },
    },
    "text",
    {
      text: "oi",
      referral: {
        sourceUrl: "https://fb.me/x",
        sourceId: "7",
        sourceType: "ad",
        headline: "Promo",
        body: "Já",
        mediaType: "image",
        ctwaClid: "c",
      },
    },
  ],
  [
    "with a preview of a link",
    {
      extendedTextMessage: {
        text: "oi",
        contextInfo: { externalAdReply: { title: "Site", sourceUrl: "https://e.org" } },
      },
    },
    "text",
    { text: "oi" },
  ],
];

describe("G-610 a message that somebody sends to a session is published", () => {
  test.each(KINDS)("%s", async (_, message, type, content) => {
    const { read } = await startReading();
    const attrs = fromAna({ id: "3EB0AB" });
    expect(await read(attrs, message)).toMatchObject([
      {
        kind: "received",
        key: "3EB0AB" as ProviderMessageId,
        at: AT * 1000,
        from: { pn: ANA.pn, lid: ANA.lid },
        chat: { pn: ANA.pn, lid: ANA.lid },
        pushName: "Ana",
        content: { type, content } as never,
      },
    ]);
  });

  test("with nothing more in its content than its schema knows", async () => {
    const { read } = await startReading();
    for (const [, message, type, content] of KINDS)
      expect((await read(fromAna(), message))[0]).toHaveProperty("content", { type, content });
  });

  test("a file is named by its message, and its key stays in the copy", async () => {
    const { read, host } = await startReading();
    const [received] = await read(fromAna({ id: "3EB0CD" }), {
      documentMessage: { ...file, mimetype: "application/pdf", fileName: `${"a".repeat(300)}.pdf` },
    });
    expect(received).toHaveProperty("media", {
      nativeId: "3EB0CD",
      contentType: "application/pdf",
      sizeBytes: 1234,
      filename: "a".repeat(255),
      sha256: Buffer.from(HASH).toString("hex"),
    });
    expect(JSON.stringify(host.events)).not.toContain(Buffer.from(KEY).toString("base64"));
  });

  test("a reply names the message that it quotes; an id that could be none names nothing", async () => {
    const { read } = await startReading();
    const quoting = (stanzaId: string) =>
      read(fromAna(), { extendedTextMessage: { text: "oi", contextInfo: { stanzaId } } });
    expect((await quoting("3EB0FF"))[0]).toHaveProperty("quotedProviderMessageId", "3EB0FF");
    expect((await quoting("not an id"))[0]).not.toHaveProperty("quotedProviderMessageId");
  });
});

describe("an answer to a menu that was sent as a numbered text", () => {
  const withMenu = async () => {
    const reading = await startReading();
    const order = {
      type: "button",
      messageId: "",
      to: `pn:${ANA.pn}`,
      content: {
        text: "?",
        buttons: [
          { id: "yes", text: "Sim" },
          { id: "no", text: "Não" },
        ],
      },
    } as const;
    const row = await menuRow(reading.keyStore, {
      chat: `pn:${ANA.pn}`,
      key: "3EB0MENU" as ProviderMessageId,
      order: order as never,
      now: reading.host.clock.now(),
    });
    await reading.keyStore.write({ rows: [row] });
    return reading;
  };

  test.each([
    ["its number", { conversation: "2" }, { selectedId: "no", text: "Não" }],
    ["its title", { conversation: "Sim" }, { selectedId: "yes", text: "Sim" }],
    [
      "a quote of the menu",
      { extendedTextMessage: { text: "1.", contextInfo: { stanzaId: "3EB0MENU", isForwarded: true } } },
      { selectedId: "yes", text: "Sim", forwarded: true },
    ],
  ] as [string, proto.IMessage, object][])("is the button's reply, by %s (G-336)", async (_, message, content) => {
    const { read } = await withMenu();
    expect((await read(fromAna(), message))[0]).toHaveProperty("content", { type: "button_reply", content });
  });

  test("is a text when it chooses nothing, and in another's chat", async () => {
    const { read } = await withMenu();
    expect((await read(fromAna(), { conversation: "3" }))[0]).toHaveProperty("content.type", "text");
    expect((await read(fromAna({ from: "978009@lid", sender_pn: "" }), { conversation: "1" }))[0]).toHaveProperty(
      "content.type",
      "text",
    );
  });
});

describe("not published is", () => {
  test.each([
    ["what only carries keys", fromAna(), { senderKeyDistributionMessage: { groupId: "g" } }],
    ["a setting of the chat", fromAna(), { protocolMessage: { type: 3, ephemeralExpiration: 60 } }],
    ["a pin", fromAna(), { pinInChatMessage: { type: 1 } }],
    ["the announcement of an album", fromAna(), { albumMessage: { expectedImageCount: 2 } }],
    ["a message between the owner's devices", fromAna({ category: "peer" }), { conversation: "oi" }],
    ["a status", fromAna({ from: "status@broadcast", participant: ANA.pnJid }), { conversation: "oi" }],
    ["a channel's post", fromAna({ from: "120363@newsletter" }), { conversation: "oi" }],
    ["what the network itself announces", fromAna({ from: "0@s.whatsapp.net", sender_pn: "" }), { conversation: "oi" }],
    ["a message under an id that could be none", fromAna({ id: "a b" }), { conversation: "oi" }],
    ["an empty message", fromAna(), {}],
    ["a message from nowhere", fromAna({ from: "ana@example.org" }), { conversation: "oi" }],
    ["a message that only the owner could send", fromAna({ recipient: ANA.jid }), { conversation: "oi" }],
  ] as [string, Record<string, string>, proto.IMessage][])("%s", async (_, attrs, message) => {
    const { read, keyStore } = await startReading();
    expect(await read(attrs, message)).toEqual([]);
    expect(await keyStore.cachedMessage(attrs["id"] as ProviderMessageId)).toBeUndefined();
  });
});
