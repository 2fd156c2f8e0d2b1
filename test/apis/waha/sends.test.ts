import { beforeEach, expect, test } from "bun:test";
import { WAHA_ENV, type WahaClient, wahaClientOf, wahaSays } from "../../support/apis/waha.ts";
import { type Customer, newCustomer, rowsOf } from "../../support/customers/customer.ts";
import { filesOf } from "../../support/customers/media.ts";
import { newSessionCustomer, reported, sessionNetwork, textFrom } from "../../support/session/scripted-sends.ts";
import { useWorld } from "../../support/use-world.ts";

const network = sessionNetwork();
const w = useWorld({ env: WAHA_ENV, plugins: [network.plugin] });
const NUMBER = "5511999990001";
const CHAT = `${NUMBER}@c.us`;
const URL = "https://example.com/file";
const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex").toString("base64");

let c: Customer;
let client: WahaClient;
beforeEach(async () => {
  c = await newSessionCustomer(w);
  client = wahaClientOf(w, c);
  network.sent.length = 0;
  network.operated.length = 0;
});

const send = (name: string, body: object) => client.send(`/api/${name}`, { chatId: CHAT, ...body });
const lastSent = () => network.sent.at(-1)?.order;
const lastOperated = () => network.operated.at(-1);
const stored = async () => (await rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?", [c.accountId])).length;
/** Recado's id of a message that the person has just written, and WAHA's. */
const received = async () => {
  await network.notify(c.phone.id, textFrom(NUMBER, { at: w.clock.now() }));
  await w.settle();
  const [{ id, key } = { id: "", key: "" }] = await rowsOf<{ id: string; key: string }>(
    w,
    `SELECT r.id, i.provider_message_id AS key FROM received_messages r
      JOIN inbox i ON i.message_id = r.id WHERE r.tenant_id = ?1 ORDER BY r.id DESC`,
    [c.accountId],
  );
  return { id, key, waha: `false_${CHAT}_${id}` };
};
const sent = async () => {
  const { body } = await send("sendText", { text: "oi" });
  await w.settle();
  return { id: body.key.id as string, waha: body.id as string };
};

test("a text is accepted as WAHA answers it, and goes out under the same id", async () => {
  const answer = await send("sendText", {
    text: "olá",
    linkPreview: false,
    linkPreviewHighQuality: false,
    reply_to: null,
  });
  expect(answer.status).toBe(201);
  const { id } = answer.body.key;
  expect(answer.body).toMatchObject({
    id: `true_${CHAT}_${id}`,
    timestamp: Math.floor(w.clock.now() / 1000),
    fromMe: true,
    source: "api",
    to: CHAT,
    body: "olá",
    hasMedia: false,
    ack: 0,
    ackName: "PENDING",
    replyTo: null,
    key: { remoteJid: `${NUMBER}@s.whatsapp.net`, fromMe: true, id },
    status: "PENDING",
  });
  await w.settle();
  expect(lastSent()).toMatchObject({ messageId: id, to: `pn:${NUMBER}`, type: "text", content: { text: "olá" } });
});

test.each([
  ["a chat id", CHAT, CHAT],
  ["an address of the network", `${NUMBER}@s.whatsapp.net`, CHAT],
  ["a number alone", NUMBER, CHAT],
  ["a group", "120363041234567890@g.us", "120363041234567890@g.us"],
  ["a person without a number", "123456789@lid", "123456789@lid"],
])("%s is a recipient", async (_, chatId, to) => {
  const answer = await send("sendText", { chatId, text: "oi" });
  expect([answer.status, answer.body.to]).toEqual([201, to]);
});

test("a body without a session is sent by the only phone", async () => {
  const answer = await client.ask("/api/sendText", { body: { chatId: CHAT, text: "oi" } });
  expect(answer.status).toBe(201);
  const old = await client.ask(`/api/sendText?phone=${NUMBER}&text=oi&session={session}`);
  expect([old.status, old.body.body]).toEqual([201, "oi"]);
  expect(await stored()).toBe(2);
});

test("each content of WAHA becomes one of ours", async () => {
  const vcard = "BEGIN:VCARD\nVERSION:3.0\nFN:Jane Doe\nTEL;type=CELL;waid=5511977776666:+55 11 97777-6666\nEND:VCARD";
  const cases: [string, object, object][] = [
    [
      "sendImage",
      { file: { url: URL, mimetype: "image/jpeg", filename: "a.jpg" }, caption: "veja" },
      { type: "image", content: { mediaUrl: URL, caption: "veja" } },
    ],
    [
      "sendVideo",
      { file: { url: URL }, caption: "veja" },
      { type: "video", content: { mediaUrl: URL, caption: "veja" } },
    ],
    ["sendVideo", { file: { url: URL }, asNote: true }, { type: "video", content: { mediaUrl: URL, videoNote: true } }],
    [
      "sendFile",
      { file: { url: URL, mimetype: "application/pdf", filename: "a.pdf" }, caption: null },
      { type: "document", content: { mediaUrl: URL, filename: "a.pdf" } },
    ],
    ["sendVoice", { file: { url: URL }, convert: true }, { type: "audio", content: { mediaUrl: URL, ptt: true } }],
    [
      "sendLocation",
      { latitude: -23.5, longitude: -46.6, title: "Padaria" },
      { type: "location", content: { latitude: -23.5, longitude: -46.6, name: "Padaria" } },
    ],
    [
      "sendContactVcard",
      {
        contacts: [
          { fullName: "Ana", phoneNumber: "+55 11 98888-7777", whatsappId: "5511988887777", vcard: null },
          { vcard },
        ],
      },
      {
        type: "contact",
        content: {
          contacts: [
            { name: "Ana", phone: "+55 11 98888-7777" },
            { name: "Jane Doe", phone: "5511977776666" },
          ],
        },
      },
    ],
    [
      "sendPoll",
      { poll: { name: "Qual?", options: ["a", "b"], multipleAnswers: true } },
      { type: "poll", content: { question: "Qual?", options: ["a", "b"], maxSelections: 2 } },
    ],
    [
      "sendButtons",
      {
        header: "Olá",
        body: "Vem?",
        footer: "Padaria",
        buttons: [
          { type: "reply", text: "Sim" },
          { type: "reply", text: "Não", id: "no" },
        ],
      },
      {
        type: "button",
        content: {
          text: "Olá\n\nVem?",
          footer: "Padaria",
          buttons: [
            { id: "1", text: "Sim" },
            { id: "no", text: "Não" },
          ],
        },
      },
    ],
    [
      "sendButtons",
      { body: "Veja", buttons: [{ type: "url", text: "Abrir", url: "https://example.com" }] },
      { type: "cta_url", content: { text: "Veja", buttonText: "Abrir", url: "https://example.com" } },
    ],
    [
      "sendList",
      {
        message: {
          title: "Cardápio",
          description: "Escolha",
          footer: "Padaria",
          button: "Abrir",
          sections: [{ title: "Bolos", rows: [{ title: "Cenoura", rowId: "1", description: null }] }],
        },
      },
      {
        type: "list",
        content: {
          text: "Cardápio\n\nEscolha",
          footer: "Padaria",
          buttonText: "Abrir",
          sections: [{ title: "Bolos", rows: [{ id: "1", title: "Cenoura" }] }],
        },
      },
    ],
    [
      "sendLinkPreview",
      { url: "https://example.com", title: "Veja" },
      { type: "text", content: { text: "Veja\nhttps://example.com", linkPreview: true } },
    ],
    [
      "send/link-custom-preview",
      { text: "Veja https://example.com", preview: { url: "https://example.com", title: "Bolo", image: { url: URL } } },
      {
        type: "text",
        content: {
          text: "Veja https://example.com",
          linkPreview: { url: "https://example.com", title: "Bolo", image: { mediaUrl: URL } },
        },
      },
    ],
  ];
  for (const [name, body, order] of cases) {
    const answer = await send(name, body);
    expect([name, answer.status, wahaSays(answer)]).toEqual([name, 201, "201 "]);
    await w.settle();
    expect(lastSent()).toMatchObject(order);
  }
  const event = { name: "Festa", startTime: 2_063_137_000, endTime: null, location: { name: "Padaria" } };
  const answer = await client.ask("/api/{session}/events", { body: { chatId: CHAT, event } });
  expect(answer.status).toBe(201);
  await w.settle();
  expect(lastSent()).toMatchObject({
    type: "event",
    content: { name: "Festa", startsAt: "2035-05-18T21:36:40.000Z", location: { name: "Padaria" } },
  });
});

test("a file in base64 is kept and sent by its handle", async () => {
  const answer = await send("sendImage", { file: { data: PNG, mimetype: "image/png", filename: "a.png" } });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({ hasMedia: true, body: null });
  await w.settle();
  expect(network.sent.at(-1)?.bytes).toBe(Buffer.from(PNG, "base64").toString("hex"));
});

test("an answer quotes the message that `reply_to` names, and a mention names people", async () => {
  const { id, key, waha } = await received();
  const answer = await send("reply", { text: "oi @5511988887777", reply_to: waha, mentions: ["5511988887777@c.us"] });
  expect(answer.body.replyTo).toMatchObject({ id });
  await w.settle();
  expect(lastSent()).toMatchObject({ content: { mentions: ["5511988887777"] }, quotedProviderMessageId: key });
});

test("a message is forwarded, and counts as a send", async () => {
  const { waha } = await received();
  const answer = await send("forwardMessage", { chatId: "5511977776666@c.us", messageId: waha });
  expect([answer.status, answer.body.to]).toEqual([201, "5511977776666@c.us"]);
  await w.settle();
  expect(lastSent()).toMatchObject({ to: "pn:5511977776666", content: { forwarded: true } });
});

test("acts on messages reach the network under the ids that WAHA writes", async () => {
  const mine = await sent();
  const theirs = await received();
  const place = (id: string) => `/api/{session}/chats/${encodeURIComponent(CHAT)}/messages/${encodeURIComponent(id)}`;
  const cases: [string, string, object | undefined, object][] = [
    ["PUT", "/api/reaction", { messageId: theirs.waha, reaction: "👍" }, { name: "react", emoji: "👍" }],
    ["PUT", "/api/reaction", { messageId: theirs.waha, reaction: "" }, { name: "react", emoji: "" }],
    ["PUT", "/api/star", { messageId: theirs.waha, chatId: CHAT, star: true }, { name: "star", isStarred: true }],
    ["POST", "/api/sendSeen", { chatId: CHAT, messageId: theirs.waha }, { name: "read" }],
    ["PUT", place(mine.waha), { text: "novo" }, { name: "edit", text: "novo" }],
    ["POST", `${place(theirs.waha)}/pin`, { duration: 604_800 }, { name: "pin", seconds: 604_800 }],
    ["POST", `${place(theirs.waha)}/unpin`, {}, { name: "pin", seconds: null }],
    ["DELETE", place(mine.waha), undefined, { name: "delete" }],
  ];
  for (const [method, path, body, operation] of cases) {
    const answer = await client.ask(path, { method, ...(body ? { body: { session: c.phone.id, ...body } } : {}) });
    expect([path, answer.status]).toEqual([path, method === "POST" ? 201 : 200]);
    await w.settle();
    expect(lastOperated()).toMatchObject(operation);
  }
});

test("a chat that is seen marks what is unread in it, and nothing twice", async () => {
  await received();
  await received();
  const seen = () => client.send("/api/sendSeen", { chatId: CHAT });
  expect((await seen()).status).toBe(201);
  await w.settle();
  expect(network.operated.filter(({ name }) => name === "read")).toHaveLength(2);
  expect((await seen()).status).toBe(201);
  await w.settle();
  expect(network.operated.filter(({ name }) => name === "read")).toHaveLength(2);
});

const unread = async () => (await client.ask("/api/{session}/chats")).body[0]?.unreadCount as number;
const readKeys = () => network.operated.filter(({ name }) => name === "read").map(({ key }) => key);
const arrive = async (count: number) => {
  const messages = Array.from({ length: count }, () => textFrom(NUMBER, { at: w.clock.now() }));
  for (const message of messages) await network.notify(c.phone.id, message);
  await w.settle();
  return messages.map(({ key }) => key);
};

test("what is marked is what is no longer unread: the oldest first, until nothing is left", async () => {
  const keys = await arrive(25);
  const path = `/api/{session}/chats/${encodeURIComponent(CHAT)}/messages/read?messages=3`;
  const answer = await client.ask(path, { method: "POST" });
  await w.settle();
  expect([answer.status, answer.body.ids.length, await unread()]).toEqual([201, 3, 22]);
  expect(readKeys().toSorted()).toEqual(keys.slice(0, 3).toSorted());
  expect((await client.send("/api/sendSeen", { chatId: CHAT })).status).toBe(201);
  await w.settle();
  expect([await unread(), readKeys().toSorted()]).toEqual([0, keys.toSorted()]);
});

test("a chat that is not kept here has nothing unread", async () => {
  for (const chatId of ["5511900009999@c.us", "120363041234567890@g.us", "1@newsletter"])
    expect(await client.send("/api/sendSeen", { chatId })).toMatchObject({ status: 201, body: { result: true } });
  await w.settle();
  expect(readKeys()).toEqual([]);
});

test("a session that is not connected marks nothing, here or at the network", async () => {
  const { waha } = await received();
  await reported(w, network, c.phone.id, { state: "DISCONNECTED", reason: "LOGGED_OUT" });
  const path = `/api/{session}/chats/${encodeURIComponent(CHAT)}/messages/read`;
  for (const answer of [
    await client.send("/api/sendSeen", { chatId: CHAT }),
    await client.send("/api/sendSeen", { chatId: CHAT, messageId: waha }),
    await client.ask(path, { method: "POST" }),
  ])
    expect(answer.status).toBe(422);
  await w.settle();
  expect([await unread(), readKeys()]).toEqual([1, []]);
});

test("a vote chooses an option of a poll that came in", async () => {
  await network.notify(
    c.phone.id,
    textFrom(NUMBER, {
      content: { type: "poll", content: { question: "Qual?", options: ["a", "b"], maxSelections: 1 } },
    }),
  );
  await w.settle();
  const [{ id } = { id: "" }] = await rowsOf<{ id: string }>(
    w,
    "SELECT id FROM received_messages WHERE tenant_id = ?1",
    [c.accountId],
  );
  const vote = (votes: string[]) => send("sendPollVote", { pollMessageId: `false_${CHAT}_${id}`, votes });
  expect((await vote(["b"])).status).toBe(201);
  await w.settle();
  expect(lastOperated()).toMatchObject({ name: "vote", options: ["b"] });
  expect(wahaSays(await vote(["c"]))).toBe("400 votes.0 is no option of the poll");
});

test.each<[string, string, object, number]>([
  ["no text", "sendText", { text: "" }, 400],
  ["no recipient", "sendText", { chatId: "", text: "oi" }, 400],
  ["a recipient that is none", "sendText", { chatId: "nobody@nowhere", text: "oi" }, 400],
  ["an unknown session", "sendText", { session: "nothing", text: "oi" }, 404],
  ["an unknown quote", "sendText", { text: "oi", reply_to: "false_1@c.us_01a5c0de-0000-4000-8000-000000000009" }, 404],
  ["a mention without a text", "sendVoice", { file: { url: URL }, mentions: ["5511988887777@c.us"] }, 400],
  ["no file", "sendImage", { file: {} }, 400],
  ["a file that is neither", "sendImage", { file: { data: "***" } }, 400],
  ["a file in two ways", "sendImage", { file: { data: PNG, url: URL } }, 400],
  ["a private address", "sendImage", { file: { url: "http://10.0.0.1/a.png" } }, 400],
  ["a private sound", "sendVoice", { file: { url: "http://10.0.0.1/a.ogg" } }, 400],
  [
    "a private picture of a preview",
    "send/link-custom-preview",
    {
      text: "https://example.com",
      preview: { url: "https://example.com", title: "x", image: { url: "http://10.0.0.1/a" } },
    },
    400,
  ],
  ["a card without a number", "sendContactVcard", { contacts: [{ vcard: "BEGIN:VCARD\nFN:Ana\nEND:VCARD" }] }, 400],
  ["a poll of equals", "sendPoll", { poll: { name: "?", options: ["a", "a"] } }, 400],
  ["a button that calls", "sendButtons", { body: "x", buttons: [{ type: "call", text: "x", phoneNumber: "1" }] }, 400],
])("%s is refused, and nothing is stored", async (_, name, body, status) => {
  const answer = await send(name, body);
  expect([answer.status, answer.body.statusCode, answer.body.message.length > 0]).toEqual([status, status, true]);
  await w.settle();
  expect([await stored(), network.sent.length]).toEqual([0, 0]);
});

test("a file is kept only for a message that has a way out", async () => {
  await client.ask("/api/sessions", { body: { name: "offline", start: false } });
  const file = { data: PNG, mimetype: "image/png" };
  const preview = { url: "https://example.com", title: "x", image: file };
  for (const [where, status] of [
    [{ session: "nothing" }, 404],
    [{ session: "offline" }, 422],
    [{ chatId: "nobody@nowhere" }, 400],
  ] as const) {
    expect((await send("sendImage", { file, ...where })).status).toBe(status);
    const text = "https://example.com";
    expect((await send("send/link-custom-preview", { text, preview, ...where })).status).toBe(status);
  }
  expect((await send("sendVoice", { file, mentions: ["5511988887777@c.us"] })).status).toBe(400);
  expect(await rowsOf(w, "SELECT key FROM stored_items WHERE tenant_id = ?", [c.accountId])).toEqual([]);
});

test("a refused send or status leaves no file, in the database or on disk", async () => {
  const file = { data: PNG, mimetype: "image/png" };
  const status = (name: string, body: object) => client.ask(`/api/{session}/status/${name}`, { body });
  for (const [answer, code] of [
    [await send("sendImage", { file, reply_to: "nothing" }), 404],
    [await send("sendFile", { file: { ...file, filename: "x".repeat(5000) } }), 400],
    [await status("image", { file, contacts: ["@@"] }), 400],
    [await status("video", { file, contacts: [CHAT], id: "AAAA" }), 400],
    [await status("voice", { file }), 400],
  ] as const)
    expect(wahaSays(answer)).toStartWith(`${code} `);
  await w.settle();
  expect(await rowsOf(w, "SELECT key FROM stored_items WHERE tenant_id = ?", [c.accountId])).toEqual([]);
  expect(filesOf(w).filter((key) => key.startsWith(c.accountId))).toEqual([]);
  expect([await stored(), network.sent.length]).toEqual([0, 0]);
});

test.each<[string, string, object, string]>([
  [
    "a long word on a list",
    "sendList",
    {
      message: {
        button: "x".repeat(300),
        sections: [{ title: "s", rows: [{ title: "a", rowId: "1" }] }],
        description: "d",
      },
    },
    "message.button",
  ],
  [
    "an address that is none",
    "sendButtons",
    { body: "x", buttons: [{ type: "url", text: "Ver", url: "nothing" }] },
    "buttons.0.url",
  ],
  ["a time outside the calendar", "{session}/events", { event: { name: "Festa", startTime: 9e12 } }, "event.startTime"],
  ["a note with a caption", "sendVideo", { file: { url: URL }, asNote: true, caption: "oi" }, "caption"],
])("the refusal of %s names the client's own field, and nothing is stored", async (_, name, body, field) => {
  const answer = await send(name, body);
  expect([answer.status, [answer.body.message].flat()[0].split(" ")[0]]).toEqual([400, field]);
  expect(await stored()).toBe(0);
});

test("an edit with mentions is refused, and nothing is changed", async () => {
  const { waha } = await sent();
  const edit = (body: object) =>
    client.ask(`/api/{session}/chats/${CHAT}/messages/${waha}`, { method: "PUT", body: { text: "oi @1", ...body } });
  expect(wahaSays(await edit({ mentions: ["5511988887777@c.us"] }))).toStartWith("400 mentions ");
  await w.settle();
  expect(network.operated).toEqual([]);
  expect((await edit({ mentions: [] })).status).toBe(200);
});

test("a word about previews has no effect on a network without them", async () => {
  const other = await newCustomer(w);
  const answer = await wahaClientOf(w, other).send("/api/sendText", { chatId: CHAT, text: "oi", linkPreview: true });
  expect([answer.status, wahaSays(answer)]).toEqual([201, "201 "]);
});

test("a session that is not connected sends nothing, and says so", async () => {
  const made = await client.ask("/api/sessions", { body: { name: "offline", start: false } });
  expect(made.status).toBe(201);
  expect((await send("sendText", { session: "offline", text: "oi" })).status).toBe(422);
  expect(await stored()).toBe(0);
});
