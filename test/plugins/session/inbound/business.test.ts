import { describe, expect, test } from "bun:test";
import { proto } from "@whiskeysockets/baileys";
import { WORDS } from "../../../../plugins/session/inbound/content/business.ts";
import { READERS, SILENT, WORDLESS } from "../../../../plugins/session/inbound/content/content.ts";
import { PARTS } from "../../../../plugins/session/inbound/content/files.ts";
import { unwrapped } from "../../../../plugins/session/inbound/content/wrappers.ts";
import { fromAna, startReading } from "../../../support/session/reading.ts";
import { wireField } from "../../../support/whatsapp/people/content.ts";

const file = {
  mediaKey: new Uint8Array(32).fill(1),
  directPath: "/v/t62.7118-24/1_n.enc?ccb=11",
  fileSha256: new Uint8Array(32).fill(2),
  fileLength: 1234,
};
const TEMPLATE: proto.Message.TemplateMessage.IHydratedFourRowTemplate = {
  hydratedTitleText: "Banco",
  hydratedContentText: "Seu código é 123456",
  hydratedFooterText: "Não o passe a ninguém",
  hydratedButtons: [
    { quickReplyButton: { displayText: "Não fui eu", id: "1" } },
    { urlButton: { displayText: "Abrir", url: "https://e.org/x" } },
    { callButton: { displayText: "Ligar", phoneNumber: "+5511" } },
  ],
};
const TEMPLATE_TEXT =
  "Banco\nSeu código é 123456\nNão o passe a ninguém\nNão fui eu\nAbrir: https://e.org/x\nLigar: +5511";

/** Each: what a business sends, and the type and content of its event. */
const KINDS: [name: string, message: proto.IMessage, type: string, content: object][] = [
  ["a template", { templateMessage: { hydratedTemplate: TEMPLATE } }, "text", { text: TEMPLATE_TEXT }],
  [
    "a template in four rows",
    { templateMessage: { hydratedFourRowTemplate: TEMPLATE } },
    "text",
    { text: TEMPLATE_TEXT },
  ],
  [
    "a template of the newer kind",
    { templateMessage: { interactiveMessageTemplate: { body: { text: "oi" } } } },
    "text",
    { text: "oi" },
  ],
  [
    "a template that is filled in by the app",
    { templateMessage: { fourRowTemplate: { content: { params: ["123"] }, footer: { params: ["fim"] } } } },
    "text",
    { text: "123\nfim" },
  ],
  [
    "a template below a file",
    {
      templateMessage: {
        hydratedTemplate: {
          hydratedContentText: "Seu boleto",
          documentMessage: { ...file, mimetype: "application/pdf", fileName: "boleto.pdf" },
        },
      },
    },
    "document",
    { mimeType: "application/pdf", filename: "boleto.pdf", caption: "Seu boleto" },
  ],
  [
    "a template without a word",
    { templateMessage: { hydratedTemplate: {} } },
    "unsupported",
    { originalType: "template" },
  ],
  [
    "buttons",
    {
      buttonsMessage: {
        text: "Oi",
        contentText: "Quer?",
        footerText: "Loja",
        buttons: [{ buttonId: "1", buttonText: { displayText: "Sim" } }],
      },
    },
    "text",
    { text: "Oi\nQuer?\nLoja\nSim" },
  ],
  [
    "buttons below a picture",
    { buttonsMessage: { contentText: "Quer?", imageMessage: { ...file, mimetype: "image/jpeg" } } },
    "image",
    { mimeType: "image/jpeg", caption: "Quer?" },
  ],
  [
    "a list",
    {
      listMessage: {
        title: "Menu",
        description: "Escolha",
        footerText: "Loja",
        sections: [{ title: "Doces", rows: [{ title: "Bolo", description: "R$ 10", rowId: "1" }] }],
      },
    },
    "text",
    { text: "Menu\nEscolha\nLoja\nDoces\nBolo: R$ 10" },
  ],
  [
    "an interactive message",
    {
      interactiveMessage: {
        header: { title: "Loja", subtitle: "Hoje" },
        body: { text: "Seu código" },
        footer: { text: "fim" },
        nativeFlowMessage: {
          buttons: [
            { name: "cta_copy", buttonParamsJson: '{"display_text":"Copiar","copy_code":"123456"}' },
            { name: "quick_reply", buttonParamsJson: '{"display_text":"Sim","id":"1"}' },
            { name: "x", buttonParamsJson: "[" },
          ],
        },
      },
    },
    "text",
    { text: "Loja\nHoje\nSeu código\nfim\nCopiar: 123456\nSim" },
  ],
  [
    "cards",
    {
      interactiveMessage: {
        body: { text: "Veja" },
        carouselMessage: { cards: [{ body: { text: "um" } }, { body: { text: "dois" } }] },
      },
    },
    "text",
    { text: "Veja\num\ndois" },
  ],
  [
    "an interactive message below a video",
    { interactiveMessage: { header: { videoMessage: { ...file, mimetype: "video/mp4" } }, body: { text: "Veja" } } },
    "video",
    { mimeType: "video/mp4", caption: "Veja" },
  ],
  [
    "a structured message",
    { highlyStructuredMessage: { hydratedHsm: { hydratedTemplate: { hydratedContentText: "oi" } } } },
    "text",
    { text: "oi" },
  ],
  ["its parameters alone", { highlyStructuredMessage: { params: ["123"] } }, "text", { text: "123" }],
  [
    "an order",
    {
      orderMessage: {
        orderId: "77",
        orderTitle: "Bolo",
        message: "sem açúcar",
        totalAmount1000: 12_500,
        totalCurrencyCode: "BRL",
      },
    },
    "order",
    { catalogId: null, orderId: "77", text: "Bolo\nsem açúcar\nBRL 12.50", items: [] },
  ],
  [
    "a product",
    {
      productMessage: {
        body: "veja",
        product: {
          title: "Bolo",
          description: "doce",
          priceAmount1000: 1000,
          currencyCode: "BRL",
          url: "https://e.org",
        },
      },
    },
    "unsupported",
    { originalType: "product", title: "Bolo", text: "veja\ndoce\nBRL 1.00", url: "https://e.org" },
  ],
  [
    "an invitation to a group",
    { groupInviteMessage: { groupName: "Equipe", caption: "venha", inviteCode: "AbC123" } },
    "unsupported",
    { originalType: "groupInvite", title: "Equipe", text: "venha", url: "https://chat.whatsapp.com/AbC123" },
  ],
  [
    "an event",
    { eventMessage: { name: "festa", description: "traga bolo", startTime: 1_800_000_000, joinLink: "https://e.org" } },
    "event",
    { name: "festa", description: "traga bolo", startsAt: "2027-01-15T08:00:00.000Z", callLink: "https://e.org" },
  ],
  [
    "a request to pay",
    { requestPaymentMessage: { noteMessage: { extendedTextMessage: { text: "o almoço" } } } },
    "unsupported",
    { originalType: "requestPayment", text: "o almoço" },
  ],
  [
    "the result of a poll",
    { pollResultSnapshotMessage: { name: "Qual?", pollVotes: [{ optionName: "a", optionVoteCount: 3 }] } },
    "unsupported",
    { originalType: "pollResultSnapshot", title: "Qual?", text: "a: 3" },
  ],
  [
    "a missed call",
    { callLogMesssage: { isVideo: false, callOutcome: 1 } },
    "unsupported",
    { originalType: "callLog", title: "voice, MISSED" },
  ],
  [
    "an answer of an assistant",
    { richResponseMessage: { submessages: [{ messageText: "um" }, { messageText: "dois" }] } },
    "text",
    { text: "um\ndois" },
  ],
  [
    "a comment",
    { commentMessage: { message: { conversation: "oi" }, targetMessageKey: { id: "3EB0" } } },
    "text",
    { text: "oi" },
  ],
  [
    "a sticker that is an animation",
    { lottieStickerMessage: { message: { stickerMessage: { ...file, mimetype: "application/was" } } } },
    "sticker",
    { mimeType: "application/was" },
  ],
  [
    "an answer to a status",
    { statusAddYours: { message: { extendedTextMessage: { text: "o meu" } } } },
    "text",
    { text: "o meu" },
  ],
  [
    "a wrapper around what is silent",
    { limitSharingMessage: { message: { protocolMessage: { type: 27 } } } },
    "unsupported",
    { originalType: "limitSharing" },
  ],
];

describe("G-611 what a business writes keeps its words", () => {
  test.each(KINDS)("%s", async (_, message, type, content) => {
    const { read } = await startReading();
    const [event] = await read(fromAna(), message);
    expect(event).toHaveProperty("content", { type, content });
    expect(Boolean(event && "media" in event)).toBe(["document", "image", "video", "sticker"].includes(type));
  });
});

/** The names of all fields of a message that the pinned library knows. */
const FIELDS = Array.from(
  { length: 1000 },
  (_, at) => Object.keys(proto.Message.decode(wireField(at + 1, "")))[0],
).filter((name) => name !== undefined);

/** The tables that say what becomes of a part. */
const placesOf = (name: string): string[] => [
  ...(name in SILENT && name !== "protocolMessage" ? ["silent"] : []),
  ...(name in WORDLESS ? ["without words"] : []),
  ...(name in READERS ? ["read"] : []),
  ...(name in WORDS ? ["text of a business"] : []),
  ...(PARTS.some(([part]) => part === name) ? ["a file"] : []),
  ...(/^pollCreationMessage(V[235])?$/.test(name) ? ["a poll"] : []),
  ...(isWrapper(name) ? ["a wrapper"] : []),
];
const isWrapper = (name: string): boolean =>
  unwrapped(proto.Message.fromObject({ [name]: { message: { conversation: "oi" } } })).conversation === "oi";

describe("every part of a message that the pinned library knows", () => {
  test("is found", () => {
    expect(FIELDS.length).toBeGreaterThan(90);
    expect(FIELDS).toContain("pollResultSnapshotMessageV3");
  });

  test.each(FIELDS)("%s is read, or silent or without words for a reason", (name) => {
    expect(placesOf(name)).toHaveLength(1);
  });
});
