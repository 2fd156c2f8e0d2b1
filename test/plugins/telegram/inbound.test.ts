import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { address, isKey, messageOf, placeOf } from "../../../plugins/telegram/address.ts";
import { eventsOf } from "../../../plugins/telegram/inbound.ts";
import { telegramWebhook } from "../../../plugins/telegram/webhook.ts";
import { GROUP, keyOf, PERSON } from "../../support/networks/telegram-channel.ts";
import { webhookRequest } from "../../support/networks/webhook-request.ts";

const eventOf = (update: object) => {
  const [event, ...others] = eventsOf(update as Record<string, unknown>);
  if (!event || others.length > 0) throw new Error("an update of one event was expected");
  return event;
};

const DATE = 1_795_000_000;
const FROM = { id: PERSON, is_bot: false, first_name: "Ana", last_name: "Souza", username: "AnaSouza" };
const PRIVATE = { id: PERSON, type: "private", first_name: "Ana" };
const WHO = { uid: String(PERSON), username: "anasouza" };

const message = (said: object, more: object = {}) => ({
  message_id: 7,
  from: FROM,
  chat: PRIVATE,
  date: DATE,
  ...said,
  ...more,
});
const received = (said: object, more: object = {}) => eventOf({ update_id: 1, message: message(said, more) });
const FILE = { file_id: "BAADAgADx", file_unique_id: "u", file_size: 77 };

describe("a message", () => {
  test("of a person: who, where, when, and what it answers", () => {
    expect(received({ text: "oi" }, { reply_to_message: { message_id: 3, chat: PRIVATE, date: DATE } })).toEqual({
      kind: "received",
      key: keyOf(PERSON, 7),
      at: DATE * 1000,
      from: WHO,
      chat: WHO,
      pushName: "Ana Souza",
      content: { type: "text", content: { text: "oi" } },
      quotedProviderMessageId: keyOf(PERSON, 3),
    });
  });

  test("in a group: the group is its chat, the person its writer", () => {
    const event = received({ text: "oi" }, { chat: { id: GROUP, type: "supergroup", title: "Padeiros" } });
    expect(event).toMatchObject({ key: keyOf(GROUP, 7), from: WHO, chat: { group: String(GROUP) } });
  });

  test.each<[string, object, object]>([
    [
      "photo",
      { photo: [{ file_id: "small" }, { file_id: "large", file_size: 9 }], caption: "olha" },
      { type: "image", content: { caption: "olha", mimeType: "image/jpeg" } },
    ],
    [
      "video",
      { video: { ...FILE, mime_type: "video/mp4", file_name: "a.mp4" } },
      { type: "video", content: { mimeType: "video/mp4", filename: "a.mp4" } },
    ],
    [
      "animation",
      { animation: FILE, document: FILE },
      { type: "video", content: { mimeType: "video/mp4", animated: true } },
    ],
    ["video_note", { video_note: FILE }, { type: "video", content: { mimeType: "video/mp4" } }],
    [
      "voice",
      { voice: { ...FILE, mime_type: "audio/ogg" } },
      { type: "audio", content: { mimeType: "audio/ogg", voice: true } },
    ],
    ["audio", { audio: FILE }, { type: "audio", content: { mimeType: "audio/mpeg" } }],
    [
      "document",
      { document: { ...FILE, mime_type: "application/pdf", file_name: "n.pdf" } },
      { type: "document", content: { mimeType: "application/pdf", filename: "n.pdf" } },
    ],
    [
      "sticker",
      { sticker: { ...FILE, is_animated: false, is_video: true } },
      { type: "sticker", content: { mimeType: "video/webm", animated: true } },
    ],
  ])("with a %s brings its file", (_, said, content) => {
    const event = received(said);
    expect(event).toMatchObject({ kind: "received", content });
    if (event.kind !== "received") throw new Error("no message");
    expect(event.media?.nativeId).toBe("photo" in said ? "large" : FILE.file_id);
  });

  test.each<[string, object, object]>([
    [
      "location",
      { location: { latitude: -23.5, longitude: -46.6 } },
      { type: "location", content: { latitude: -23.5, longitude: -46.6 } },
    ],
    [
      "venue",
      {
        venue: { location: { latitude: 1, longitude: 2 }, title: "Loja", address: "Rua A" },
        location: { latitude: 1, longitude: 2 },
      },
      { type: "location", content: { latitude: 1, longitude: 2, name: "Loja", address: "Rua A" } },
    ],
    [
      "contact",
      { contact: { phone_number: "5511", first_name: "Bia", last_name: "Reis" } },
      { type: "contact", content: { contacts: [{ name: "Bia Reis", phones: ["5511"] }] } },
    ],
    [
      "forwarded text",
      { text: "veja", forward_origin: { type: "user" } },
      { type: "text", content: { text: "veja", forwarded: true } },
    ],
    ["poll without options", { poll: { id: "1" } }, { type: "unsupported", content: { originalType: "poll" } }],
    ["photo without a file", { photo: [] }, { type: "unsupported", content: { originalType: "photo" } }],
  ])("with a %s says so", (_, said, content) => {
    expect(received(said)).toMatchObject({ kind: "received", content });
  });

  test("the files of one album have its id, each as a message of its own", () => {
    const photo = { photo: [{ file_id: "large" }], media_group_id: "13768217301654" };
    expect(received(photo)).toMatchObject({ content: { content: { album: { id: "13768217301654" } } } });
    expect(received({ text: "oi" })).toMatchObject({ content: { type: "text", content: { text: "oi" } } });
  });

  test("a note of the network is no message", () => {
    expect(received({ new_chat_members: [FROM] })).toMatchObject({
      kind: "unknown",
      what: "message of new_chat_members",
    });
  });
});

describe("what is done to a message", () => {
  test("an edit, of a text or a caption", () => {
    const edited = (said: object) => eventOf({ update_id: 5, edited_message: message(said, { edit_date: DATE + 60 }) });
    const expected = {
      kind: "edited",
      key: keyOf(PERSON, 7),
      nativeId: `${PERSON}:7/5`,
      at: (DATE + 60) * 1000,
      from: WHO,
    };
    expect(edited({ text: "melhor" })).toEqual({ ...expected, text: "melhor" } as ReturnType<typeof eventOf>);
    expect(edited({ photo: [], caption: "melhor" })).toMatchObject({ text: "melhor" });
    expect(edited({ photo: [] })).toMatchObject({ kind: "unknown" });
  });

  test("a reaction, its end, and one that has no character", () => {
    const reaction = (now: object[]) =>
      eventOf({
        update_id: 6,
        message_reaction: { chat: PRIVATE, message_id: 7, user: FROM, date: DATE, old_reaction: [], new_reaction: now },
      });
    expect(reaction([{ type: "emoji", emoji: "👍" }])).toMatchObject({
      kind: "reacted",
      key: keyOf(PERSON, 7),
      emoji: "👍",
      nativeId: `${PERSON}:7/6`,
    });
    expect(reaction([])).toMatchObject({ kind: "reacted", emoji: null });
    expect(reaction([{ type: "custom_emoji", custom_emoji_id: "1" }])).toMatchObject({ kind: "unknown" });
  });

  test("a button that is pressed is an answer to its message, with its label", () => {
    const keyboard = {
      inline_keyboard: [
        [
          { text: "Sim", callback_data: "yes" },
          { text: "Não", callback_data: "no" },
        ],
      ],
    };
    const pressed = eventOf({
      update_id: 8,
      callback_query: { id: "4382", from: FROM, message: message({ reply_markup: keyboard }), data: "no" },
    });
    const content = { type: "button_reply", content: { selectedId: "no", text: "Não" } };
    expect(pressed).toMatchObject({
      kind: "received",
      key: `${PERSON}:q4382`,
      at: 0,
      chat: WHO,
      content,
      quotedProviderMessageId: keyOf(PERSON, 7),
    });
    expect(
      eventOf({ update_id: 8, callback_query: { id: "4382", from: FROM, inline_message_id: "x", data: "no" } }),
    ).toMatchObject({ kind: "unknown" });
  });
});

test("whatever comes is read without an exception", () => {
  const part = fc.oneof(
    fc.constantFrom("message", "edited_message", "callback_query", "message_reaction", "poll"),
    fc.string(),
  );
  fc.assert(
    fc.property(part, fc.jsonValue(), (name, value) => {
      expect(eventOf({ update_id: 1, [name]: value }).kind).toBeString();
      expect(telegramWebhook.parse(webhookRequest(JSON.stringify({ [name]: value }))).length).toBe(1);
    }),
    { numRuns: 300 },
  );
  expect(telegramWebhook.parse(webhookRequest("no JSON"))).toMatchObject([{ kind: "unknown" }]);
});

describe("addresses", () => {
  test.each([
    [String(PERSON), `uid:${PERSON}`],
    [`uid:${PERSON}`, `uid:${PERSON}`],
    [String(GROUP), `group:${GROUP}`],
    [`group:${GROUP}`, `group:${GROUP}`],
  ])("%s is %s", (to, canonical) => {
    expect(address(to)).toEqual({ ok: true, to: canonical });
    expect(placeOf(canonical)).toEqual({ chatId: canonical.replace(/^\w+:/, "") });
  });

  test.each(["@AnaSouza", "anasouza", "", "0", "-0", "uid:-5", "group:5", "1.5", "99999999999999999999"])(
    "%p is refused",
    (to) => {
      expect(address(to)).toEqual({ ok: false, code: "RECIPIENT_INVALID" });
    },
  );

  test("a key is that of a chat's message, or of a button that was pressed", () => {
    expect([isKey("12345:7"), isKey("-100123:7"), isKey("12345:q4382"), isKey("wamid.x"), isKey("12345:")]).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(messageOf(keyOf(GROUP, 7))).toEqual({ chat_id: GROUP, message_id: 7 });
  });
});
