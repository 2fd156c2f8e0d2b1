import { expect, test } from "bun:test";
import { proto } from "@whiskeysockets/baileys";
import {
  cachedMessage,
  type MessageKey,
  providerMessageIdOf,
  toCachedMessage,
} from "../../../plugins/session/message-cache.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";

const KEY: MessageKey = {
  remoteJid: "978001@lid",
  remoteJidAlt: "5511911110001@s.whatsapp.net",
  fromMe: false,
  id: "3EB0AA",
};
const SENDER = "978001@lid";
const bytes = (length: number) => new Uint8Array(length).fill(7);

const keyStoreWith = (messages: readonly { key: ProviderMessageId; value: string }[]) => ({
  cachedMessage: async (id: ProviderMessageId) => messages.find(({ key }) => key === id)?.value,
});
const kept = async (message: proto.IMessage, key = KEY) =>
  cachedMessage(keyStoreWith([toCachedMessage({ key, message, sender: SENDER })]), key.id as ProviderMessageId);

test("a copy gives back the message, its key and who wrote it", async () => {
  const copy = await kept({
    imageMessage: { directPath: "/v/t62", mediaKey: bytes(32), fileLength: 12, caption: "oi" },
  });
  expect(copy).toMatchObject({ key: KEY, sender: SENDER });
  expect(copy?.message.imageMessage).toMatchObject({
    directPath: "/v/t62",
    caption: "oi",
    mediaKey: Buffer.from(bytes(32)),
  });
  expect(Number(copy?.message.imageMessage?.fileLength)).toBe(12);
});

test("there is no copy of what was never kept", async () => {
  expect(await cachedMessage(keyStoreWith([]), "3EB0AA" as ProviderMessageId)).toBeUndefined();
});

const PREVIEWED: proto.IMessage = {
  extendedTextMessage: {
    text: "oi",
    jpegThumbnail: bytes(9),
    contextInfo: { stanzaId: "A", quotedMessage: { imageMessage: { caption: "x", jpegThumbnail: bytes(9) } } },
  },
};
const textIn = (copy: Awaited<ReturnType<typeof kept>>) =>
  JSON.parse(JSON.stringify(copy?.message.extendedTextMessage)) as unknown;

test("a received message is kept without previews and without what it quotes", async () => {
  expect(textIn(await kept(PREVIEWED))).toEqual({ text: "oi", contextInfo: { stanzaId: "A" } });
  expect(PREVIEWED.extendedTextMessage?.jpegThumbnail).toHaveLength(9); // the message itself is as it was
});

test("a message of our own is kept with what it quotes, for it may have to be sent again", async () => {
  const copy = await kept(PREVIEWED, { ...KEY, fromMe: true });
  expect(textIn(copy)).toEqual({
    text: "oi",
    contextInfo: { stanzaId: "A", quotedMessage: { imageMessage: { caption: "x" } } },
  });
});

test.each(["", "A".repeat(129), "a b", "a\nb", "é", undefined, null])("an id like %p names no message", (id) => {
  expect(providerMessageIdOf(id)).toBeUndefined();
});

test.each(["3EB0AA11", "ABCDEF.1-2_3", "A".repeat(128)])("the id %s does", (id) => {
  expect(providerMessageIdOf(id) as string | undefined).toBe(id);
});
