import { expect, test } from "bun:test";
import { proto } from "@whiskeysockets/baileys";
import { ANA, BIA, fromAna, fromBia, inGroup, startReading } from "../../../support/session/reading.ts";

const saying = (contextInfo: proto.IContextInfo): proto.IMessage => ({
  extendedTextMessage: { text: "oi", contextInfo },
});
const file = { mediaKey: new Uint8Array(32).fill(1), directPath: "/v/x", mimetype: "image/jpeg" };
const MEDIA_ALBUM = 1;

test("G-611 a message names whom it means; this phone knows that it was called, by its number and by its LID", async () => {
  const { read } = await startReading();
  const mentionedJid = ["900001@lid", BIA.jid, "5511900000001@s.whatsapp.net", "nobody", "120363000000000001@g.us"];
  const [event] = await read(inGroup(fromAna()), saying({ mentionedJid }));
  expect(event).toHaveProperty("content.content", {
    text: "oi",
    mentions: [
      { phoneNumber: "5511900000001", lid: "900001", isMe: true },
      { phoneNumber: null, lid: BIA.lid, isMe: false },
      { phoneNumber: "5511900000001", lid: null, isMe: true },
    ],
    mentionsMe: true,
  });
});

test("a message that mentions everybody means this phone, and one that mentions others does not", async () => {
  const { read } = await startReading();
  const [all] = await read(inGroup(fromAna({ id: "3EB0ALL" })), saying({ nonJidMentions: 1 }));
  expect(all).toHaveProperty("content.content", { text: "oi", mentionsMe: true, mentionsAll: true });
  const [others] = await read(inGroup(fromAna({ id: "3EB0OTHERS" })), saying({ mentionedJid: [BIA.jid] }));
  expect(others).toHaveProperty("content.content", {
    text: "oi",
    mentions: [{ phoneNumber: null, lid: BIA.lid, isMe: false }],
  });
});

test("a message names the groups of the community that it mentions; what is no group is left out", async () => {
  const { read } = await startReading();
  const groupMentions = [
    { groupJid: "120363000000000001@g.us", groupSubject: "Equipe" },
    { groupJid: "120363000000000002@g.us" },
    { groupJid: ANA.jid, groupSubject: "Ana" },
    {},
  ];
  const [event] = await read(inGroup(fromAna()), saying({ groupMentions }));
  expect(event).toHaveProperty("content.content", {
    text: "oi",
    groupMentions: [{ id: "120363000000000001@g.us", name: "Equipe" }, { id: "120363000000000002@g.us" }],
  });
});

test("a reply to a message that never came keeps its id and its words; to one that came it names that alone", async () => {
  const { read } = await startReading();
  const quoting = (stanzaId: string) => saying({ stanzaId, quotedMessage: { conversation: "Quer?" } });
  const [late] = await read(fromAna(), quoting("3EB0BEFORE"));
  expect(late).toMatchObject({
    quotedProviderMessageId: "3EB0BEFORE",
    content: { content: { text: "oi", quoted: { id: "3EB0BEFORE", text: "Quer?" } } },
  });
  await read(fromBia({ id: "3EB0KNOWN" }), { conversation: "Quer?" });
  const [known] = await read(fromAna(), quoting("3EB0KNOWN"));
  expect(known).toHaveProperty("quotedProviderMessageId", "3EB0KNOWN");
  expect(known).toHaveProperty("content.content", { text: "oi" });
});

test("a quoted business keeps its words, and what has none its id", async () => {
  const { read } = await startReading();
  const quotedMessage = { templateMessage: { hydratedTemplate: { hydratedContentText: "Confirma?" } } };
  const [event] = await read(fromAna(), saying({ stanzaId: "3EB0T", quotedMessage }));
  expect(event).toHaveProperty("content.content.quoted", { id: "3EB0T", text: "Confirma?" });
  const [bare] = await read(fromAna(), saying({ stanzaId: "3EB0U", quotedMessage: { imageMessage: file } }));
  expect(bare).toHaveProperty("content.content.quoted", { id: "3EB0U" });
});

test.each([
  ["beside it", (info: proto.IMessageContextInfo) => ({ imageMessage: file, messageContextInfo: info })],
  [
    "in its wrapper",
    (info: proto.IMessageContextInfo) => ({
      associatedChildMessage: { message: { imageMessage: file, messageContextInfo: info } },
    }),
  ],
  [
    "beside its wrapper",
    (info: proto.IMessageContextInfo) => ({
      associatedChildMessage: { message: { imageMessage: file } },
      messageContextInfo: info,
    }),
  ],
])("the pictures of an album have its id: %s", async (_, message) => {
  const { read } = await startReading();
  const messageAssociation = { associationType: MEDIA_ALBUM, parentMessageKey: { id: "3EB0ALBUM" } };
  const [event] = await read(fromAna(), message({ messageAssociation }));
  expect(event).toHaveProperty("content", {
    type: "image",
    content: { mimeType: "image/jpeg", album: { id: "3EB0ALBUM" } },
  });
});

test.each([
  ["HD_IMAGE_DUAL_UPLOAD", { imageMessage: file }],
  ["HD_VIDEO_DUAL_UPLOAD", { videoMessage: { ...file, mimetype: "video/mp4" } }],
  ["HEVC_VIDEO_DUAL_UPLOAD", { videoMessage: { ...file, mimetype: "video/mp4" } }],
] as const)("a file in HD names the message with the same file in lower quality: %s", async (name, child) => {
  const { read } = await startReading();
  const associationType = proto.MessageAssociation.AssociationType[name];
  const messageAssociation = { associationType, parentMessageKey: { id: "3EB0LOWER" } };
  const [event] = await read(fromAna(), {
    associatedChildMessage: { message: child },
    messageContextInfo: { messageAssociation },
  });
  expect(event).toHaveProperty("content.content.hdOf", { id: "3EB0LOWER" });
  expect(event).not.toHaveProperty("content.content.album");
});

test("a message says where the person came from, and when it disappears", async () => {
  const { read } = await startReading();
  const context = { entryPointConversionSource: "click_to_chat_link", entryPointConversionApp: "whatsapp" };
  const [event] = await read(fromAna(), saying({ ...context, expiration: 86_400 }));
  expect(event).toHaveProperty("content.content", {
    text: "oi",
    entryPoint: { source: "click_to_chat_link", app: "whatsapp" },
    disappearsAfter: 86_400,
  });
  expect(event).toHaveProperty("from.pn", ANA.pn);
});
