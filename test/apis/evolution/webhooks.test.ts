import { beforeEach, expect, test } from "bun:test";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import { clientOf, EVOLUTION_ENV, type EvolutionClient, evolutionSays } from "../../support/apis/evolution.ts";
import { type Customer, rowsOf } from "../../support/customers/customer.ts";
import type { Receiver } from "../../support/servers/receiver.ts";
import { newSessionCustomer, reported, sessionNetwork, textFrom } from "../../support/session/scripted-sends.ts";
import { useWorld } from "../../support/use-world.ts";

const network = sessionNetwork();
const w = useWorld({ env: EVOLUTION_ENV, plugins: [network.plugin] });
const ANA = "5511999990001";

let c: Customer;
let client: EvolutionClient;
let hook: Receiver;
beforeEach(async () => {
  c = await newSessionCustomer(w);
  client = clientOf(w, c);
  hook = w.receiver();
});

const set = (webhook: object) => client.on("/webhook/set", { body: { webhook } });
/** The events about messages, unless a test names others. */
const MESSAGES = ["MESSAGES_UPSERT", "MESSAGES_UPDATE", "MESSAGES_DELETE", "SEND_MESSAGE"];
const subscribed = async (more: object = {}) => {
  expect((await set({ enabled: true, url: hook.url, events: MESSAGES, ...more })).status).toBe(201);
};
const bodies = (): any[] => hook.arrived.map(({ body }) => body);
const rows = () =>
  rowsOf(w, "SELECT id FROM subscriptions WHERE tenant_id = ? AND audience = 'evolution'", [c.accountId]);
const receipt = async (id: string, kind: "delivered" | "read") => {
  const key = network.sent.find(({ order }) => order.messageId === id)?.order.key as ProviderMessageId;
  await network.notify(c.phone.id, { kind: "receipt", key, status: kind, at: w.clock.now() } as never);
  await w.settle();
};

test("a webhook is set, found, replaced and removed as Evolution's clients do it", async () => {
  const answer = await set({
    enabled: true,
    url: hook.url,
    byEvents: false,
    base64: false,
    events: ["MESSAGES_UPSERT"],
  });
  expect(answer.status).toBe(201);
  const view = {
    id: expect.any(String),
    url: hook.url,
    enabled: true,
    events: ["MESSAGES_UPSERT"],
    webhookByEvents: false,
    webhookBase64: false,
    instanceId: c.phone.id,
  };
  expect(answer.body).toMatchObject(view);
  expect((await client.on("/webhook/find")).body).toMatchObject(view);
  await set({ enabled: true, url: `${hook.url}/2`, events: [] });
  expect((await client.on("/webhook/find")).body).toMatchObject({
    id: answer.body.id,
    url: `${hook.url}/2`,
    events: [],
  });
  expect((await set({ enabled: false, url: hook.url })).body).toMatchObject({ enabled: false });
  const none = await client.on("/webhook/find");
  expect([none.status, none.text]).toEqual([200, "null"]);
  expect(await rows()).toHaveLength(0);
});

test("a card that comes in has its name, numbers and addresses, and no value adds a line to it", async () => {
  await subscribed();
  const contact = {
    name: { formatted_name: "Bia; da Silva\nTEL:+1" },
    phones: [{ phone: "+55 11 92222-0001", wa_id: "5511922220001", type: "WORK" }, { phone: "1133334444" }],
    emails: [{ email: "bia@ex.org" }],
    org: { company: "Bia Doces" },
  };
  await network.notify(
    c.phone.id,
    textFrom(ANA, { content: { type: "contact", content: { contacts: [contact] } } } as never),
  );
  await w.settle();
  const { displayName, vcard } = bodies()[0].data.message.contactMessage;
  expect(displayName).toBe(contact.name.formatted_name);
  expect(vcard.split("\n")).toEqual([
    "BEGIN:VCARD",
    "VERSION:3.0",
    String.raw`N:;Bia\; da Silva\nTEL:+1;;;`,
    String.raw`FN:Bia\; da Silva\nTEL:+1`,
    "ORG:Bia Doces",
    "TEL;type=WORK;type=VOICE;waid=5511922220001:+55 11 92222-0001",
    "TEL:1133334444",
    "EMAIL:bia@ex.org",
    "END:VCARD",
  ]);
});

test("a message that comes in is messages.upsert, in the envelope of Evolution", async () => {
  await subscribed({ headers: { "x-secret": "of its owner" } });
  await network.notify(c.phone.id, textFrom(ANA));
  await w.settle();
  expect(bodies()).toHaveLength(1);
  const [body] = bodies();
  expect(body).toMatchObject({
    event: "messages.upsert",
    instance: "A phone",
    destination: hook.url,
    sender: "5511988887777@s.whatsapp.net",
    server_url: w.app.evolutionUrl,
    apikey: null,
    data: {
      key: { remoteJid: `${ANA}@s.whatsapp.net`, fromMe: false, id: expect.any(String) },
      messageType: "conversation",
      status: "DELIVERY_ACK",
      instanceId: c.phone.id,
    },
  });
  expect(body.data.message).toEqual({ conversation: expect.any(String) });
  expect(body.data.messageTimestamp).toBeInteger();
  expect(new Date(body.date_time).getTime()).toBe(w.clock.now());
  expect(hook.arrived[0]?.headers).toMatchObject({ "x-secret": "of its owner", "webhook-id": expect.any(String) });
});

test("a message that is sent is send.message, and its receipts are messages.update", async () => {
  await subscribed();
  const { body: sent } = await client.on("/message/sendText", { body: { number: ANA, text: "oi" } });
  await w.settle();
  expect(bodies().map(({ event }) => event)).toEqual(["send.message"]);
  expect(bodies()[0].data).toMatchObject({ key: sent.key, message: { conversation: "oi" }, status: "SERVER_ACK" });
  await receipt(sent.key.id, "delivered");
  await receipt(sent.key.id, "read");
  expect(bodies().slice(1)).toMatchObject(
    ["DELIVERY_ACK", "READ"].map((status) => ({
      event: "messages.update",
      data: { keyId: sent.key.id, remoteJid: `${ANA}@s.whatsapp.net`, fromMe: true, status },
    })),
  );
});

test("a stored header never goes to another host, unless its value is given anew", async () => {
  await subscribed({ headers: { authorization: "Bearer of its owner" } });
  const other = w.receiver();
  const masked = await set({ enabled: true, url: other.url, headers: { authorization: "********" } });
  expect(evolutionSays(masked)).toBe("400 headers must be given anew with all values, because url is of another host");
  expect((await client.on("/webhook/find")).body.url).toBe(hook.url);
  await client.on("/message/sendText", { body: { number: ANA, text: "oi" } });
  await w.settle();
  expect(other.arrived).toHaveLength(0);
  expect(hook.arrived[0]?.headers).toMatchObject({ authorization: "Bearer of its owner" });
  expect((await set({ enabled: true, url: other.url, headers: { authorization: "Bearer anew" } })).status).toBe(201);
  expect((await set({ enabled: true, url: hook.url })).status).toBe(201);
});

test("a lost connection is connection.update", async () => {
  await subscribed({ events: ["CONNECTION_UPDATE"] });
  await network.notify(c.phone.id, textFrom(ANA));
  await reported(w, network, c.phone.id, { state: "DISCONNECTED", reason: "LOGGED_OUT" });
  await w.settle();
  expect(bodies()).toMatchObject([
    { event: "connection.update", data: { instance: "A phone", state: "close", statusReason: 428 } },
  ]);
});

test("a webhook gets the events that it names, and nothing of another instance", async () => {
  await subscribed({ events: ["SEND_MESSAGE", "CHATS_SET"] });
  const other = await newSessionCustomer(w);
  await network.notify(c.phone.id, textFrom(ANA));
  await network.notify(other.phone.id, textFrom(ANA));
  await w.settle();
  expect(bodies()).toEqual([]);
});

test("without a webhook nothing is stored for this API", async () => {
  await network.notify(c.phone.id, textFrom(ANA));
  await w.settle();
  expect(
    await rowsOf(w, "SELECT seq FROM events WHERE tenant_id = ? AND audience = 'evolution'", [c.accountId]),
  ).toEqual([]);
});

test("a failed delivery is tried again, and the ones of the chat keep their order", async () => {
  await subscribed();
  hook.reply(() => new Response("no", { status: 500 }));
  await network.notify(c.phone.id, textFrom(ANA, { key: "A1" as ProviderMessageId }));
  await network.notify(c.phone.id, textFrom(ANA, { key: "A2" as ProviderMessageId }));
  await w.settle();
  expect(bodies()).toHaveLength(1);
  hook.reply(() => new Response("ok"));
  await w.advance(6000);
  await w.settle();
  const ids = bodies().map(({ data }) => data.key.id);
  expect(ids).toHaveLength(3);
  expect(ids[0]).toBe(ids[1]);
  expect(ids[2]).not.toBe(ids[1]);
});

test("one that failed and is set anew gets at once what waited for it, as another webhook that is activated does", async () => {
  await subscribed({ events: ["MESSAGES_UPSERT"] });
  hook.reply(() => new Response("", { status: 500 }));
  for (let n = 10; n < 25; n++) await network.notify(c.phone.id, textFrom(`55119999900${n}`));
  await w.settle();
  expect(hook.arrived).toHaveLength(10);
  hook.reply(() => new Response("ok"));
  hook.arrived.length = 0;
  await subscribed({ events: ["MESSAGES_UPSERT"] });
  await w.settle();
  expect(hook.arrived).toHaveLength(5);
});

const of = (event: string): any => bodies().find((body) => body.event === event)?.data;
const writtenBy = async (number: string): Promise<{ key: string; id: string }> => {
  const text = textFrom(number);
  await network.notify(c.phone.id, text);
  await w.settle();
  const [{ id } = { id: "" }] = await rowsOf<{ id: string }>(
    w,
    "SELECT message_id AS id FROM inbox WHERE channel_id = ?",
    [c.phone.id],
  );
  return { key: text.key, id };
};

test("a vote says whose poll it is about", async () => {
  await subscribed();
  const poll = textFrom(ANA, {
    content: { type: "poll", content: { question: "Q?", options: ["a", "b"], maxSelections: 1 } } as never,
  });
  await network.notify(c.phone.id, poll);
  await client.on("/message/sendPoll", {
    body: { number: ANA, name: "R?", selectableCount: 1, values: ["a", "b"] },
  });
  await w.settle();
  const ownKey = network.sent.at(-1)?.order.key as ProviderMessageId;
  hook.arrived.length = 0;
  for (const key of [poll.key, ownKey])
    await network.notify(c.phone.id, {
      kind: "voted",
      key,
      nativeId: `v-${key}`,
      at: w.clock.now(),
      from: { pn: ANA },
      options: ["a"],
    } as never);
  await w.settle();
  expect(bodies().map(({ event, data }) => [event, data.fromMe])).toEqual([
    ["messages.update", false],
    ["messages.update", true],
  ]);
});

test("a reaction has an id of its own, and names the message and whose it is", async () => {
  await subscribed();
  const written = await writtenBy(ANA);
  const sent = await client.on("/message/sendText", { body: { number: ANA, text: "oi" } });
  await w.settle();
  const ownKey = network.sent.at(-1)?.order.key as ProviderMessageId;
  hook.arrived.length = 0;
  for (const key of [written.key, ownKey] as ProviderMessageId[])
    await network.notify(c.phone.id, {
      kind: "reacted",
      key,
      nativeId: `r-${key}`,
      at: w.clock.now(),
      from: { pn: ANA },
      emoji: "👍",
    } as never);
  await w.settle();
  const [toTheirs, toOurs] = bodies().map(({ data }) => data);
  const remoteJid = `${ANA}@s.whatsapp.net`;
  expect(toTheirs).toMatchObject({
    messageType: "reactionMessage",
    key: { remoteJid, fromMe: false },
    message: { reactionMessage: { key: { remoteJid, fromMe: false, id: written.id }, text: "👍" } },
  });
  expect(toOurs.message.reactionMessage.key).toEqual({ remoteJid, fromMe: true, id: sent.body.key.id });
  expect(new Set([toTheirs.key.id, toOurs.key.id, written.id, sent.body.key.id]).size).toBe(4);
});

test("a deletion says whose message it was", async () => {
  await subscribed();
  const written = await writtenBy(ANA);
  hook.arrived.length = 0;
  await network.notify(c.phone.id, {
    kind: "revoked",
    key: written.key,
    nativeId: "d-1",
    at: w.clock.now(),
    from: { pn: ANA },
  } as never);
  await w.settle();
  expect(of("messages.delete")).toMatchObject({ fromMe: false, id: written.id, status: "DELETED" });
});

test("the advertisement that led to a message is in its context", async () => {
  await subscribed();
  const referral = {
    headline: "Bolos",
    sourceUrl: "https://fb.me/1",
    sourceId: "1",
    sourceType: "ad",
    ctwaClid: "ARA",
  };
  await network.notify(
    c.phone.id,
    textFrom(ANA, { content: { type: "text", content: { text: "oi", referral } } } as never),
  );
  await w.settle();
  const { headline: title, ...rest } = referral;
  expect(of("messages.upsert").contextInfo).toEqual({ externalAdReply: { title, ...rest } });
});

const notified = async (event: object): Promise<void> => {
  await network.notify(c.phone.id, { at: w.clock.now(), ...event } as never);
  await w.settle();
};
const GROUP = "120363020000000001@g.us";
const REMOTE = `${ANA}@s.whatsapp.net`;

test("what the owner does with a chat and with labels is chats.update, chats.delete and labels", async () => {
  await subscribed({ events: ["CHATS_UPDATE", "CHATS_DELETE", "LABELS_EDIT", "LABELS_ASSOCIATION"] });
  await notified({ kind: "chat", chat: { pn: ANA }, changes: { archived: true } });
  await notified({ kind: "label", id: "3", name: "Novo", color: 4 });
  await notified({ kind: "labelled", chat: { pn: ANA }, labelId: "3", isLabelled: true });
  await notified({ kind: "labelled", chat: { pn: ANA }, labelId: "3", isLabelled: false });
  await notified({ kind: "label", id: "3", name: "Novo", color: 4, isDeleted: true });
  await notified({ kind: "chat", chat: { pn: ANA }, changes: { gone: "deleted" } });
  const instanceId = c.phone.id;
  const label = { id: "3", name: "Novo", color: 4, instance: "A phone" };
  const association = { instance: "A phone", chatId: REMOTE, labelId: "3" };
  expect(bodies().map(({ event, data }) => [event, data])).toEqual([
    [
      "chats.update",
      [{ remoteJid: REMOTE, instanceId, archived: true, pinned: false, markedAsUnread: false, muteEndTime: null }],
    ],
    ["labels.edit", { ...label, deleted: false }],
    ["labels.association", { ...association, type: "add" }],
    ["labels.association", { ...association, type: "remove" }],
    ["labels.edit", { ...label, deleted: true }],
    ["chats.delete", [REMOTE]],
  ]);
});

test("a group is groups.upsert when it comes, groups.update when it changes, and names who comes and goes", async () => {
  await subscribed({ events: ["GROUPS_UPSERT", "GROUP_UPDATE", "GROUP_PARTICIPANTS_UPDATE"] });
  const group = { kind: "group", groupId: GROUP };
  const made = { what: "created", subject: "Feira", participants: [ANA], admins: [ANA] };
  await notified({ ...group, ...made, nativeId: "g1" });
  await notified({ ...group, what: "settings", subject: "Casa", by: ANA, nativeId: "g2" });
  await notified({ ...group, what: "settings", rules: { onlyAdminsSend: true, onlyAdminsAdd: true }, nativeId: "g3" });
  const people = { what: "participants", waIds: ["5511922220001", "lid:77"] };
  await notified({ ...group, ...people, action: "join", nativeId: "g4" });
  await notified({ ...group, ...people, action: "leave", by: ANA, nativeId: "g5" });
  const participants = ["5511922220001@s.whatsapp.net", "77@lid"];
  const participantsData = [
    { jid: "5511922220001@s.whatsapp.net", phoneNumber: "5511922220001@s.whatsapp.net" },
    { jid: "77@lid" },
  ];
  expect(bodies().map(({ event, data }) => [event, data])).toEqual([
    ["groups.upsert", [expect.objectContaining({ id: GROUP, subject: "Feira", size: 1 })]],
    ["groups.update", [{ id: GROUP, author: REMOTE, subject: "Casa" }]],
    ["groups.update", [{ id: GROUP, announce: true, memberAddMode: false }]],
    ["group-participants.update", { id: GROUP, participants, participantsData, action: "add" }],
    ["group-participants.update", { id: GROUP, author: REMOTE, participants, participantsData, action: "remove" }],
  ]);
  expect(bodies()[0].data[0].participants).toEqual([{ id: REMOTE, admin: "admin" }]);
});

test("a call is call, from its ring to its end, with the caller at each step", async () => {
  await subscribed({ events: ["CALL"] });
  const call = { kind: "call", nativeId: "C1" };
  await notified({ ...call, what: "connect", direction: "INBOUND", from: { pn: ANA }, isVideo: true });
  await notified({ ...call, what: "rejected" });
  const shown = { id: "C1", from: REMOTE, chatId: REMOTE, isGroup: false, offline: false };
  expect(bodies().map(({ event, data }) => [event, data])).toEqual([
    ["call", { ...shown, isVideo: true, date: expect.any(String), status: "offer" }],
    ["call", { ...shown, date: expect.any(String), status: "reject" }],
  ]);
});

test("a webhook that names no events gets all of them", async () => {
  await subscribed({ events: [] });
  await notified(textFrom(ANA));
  expect(bodies().map(({ event }) => event)).toEqual(["chats.upsert", "messages.upsert"]);
});

test("a person whose name becomes known is contacts.update", async () => {
  await subscribed({ events: ["CONTACTS_UPDATE"] });
  await client.on("/message/sendText", { body: { number: ANA, text: "oi" } });
  await w.settle();
  expect(bodies()).toEqual([]);
  await notified(textFrom(ANA));
  expect(bodies().map(({ event, data }) => [event, data])).toEqual([
    ["contacts.update", [{ remoteJid: REMOTE, pushName: "Ana", profilePicUrl: null, instanceId: c.phone.id }]],
  ]);
});

test("a new chat is chats.upsert, and the end of the history messaging-history.set", async () => {
  await subscribed({ events: ["CHATS_UPSERT", "MESSAGING_HISTORY_SET"] });
  await notified(textFrom(ANA));
  await notified({ kind: "sync", what: "history", percent: 40, imported: 7 });
  await notified({ kind: "sync", what: "history", percent: 100, imported: 9 });
  expect(bodies().map(({ event, data }) => [event, data])).toEqual([
    ["chats.upsert", [{ remoteJid: REMOTE, instanceId: c.phone.id, unreadMessages: 1 }]],
    ["messaging-history.set", { messageCount: 9, progress: 100 }],
  ]);
});

test("the webhook ends with its instance", async () => {
  await subscribed();
  expect((await client.on("/instance/delete", { method: "DELETE" })).body).toMatchObject({ status: "SUCCESS" });
  await w.settle();
  expect(await rows()).toHaveLength(0);
});

test.each([
  [
    "a key of a JWT",
    { headers: { jwt_key: "k" } },
    "400 webhook.headers.jwt_key is not supported: use a header with a secret of your own",
  ],
  ["no address", { url: "" }, "400 webhook.url is required"],
  ["a private address", { url: "http://10.1.2.3/hook" }, /^400 url /],
  ["an event that is none", { events: ["NOTHING"] }, /^400 webhook\.events\.0 /],
])("%s is refused, and no webhook is stored", async (_, more, says) => {
  const answer = await set({ enabled: true, url: hook.url, ...more });
  if (typeof says === "string") expect(evolutionSays(answer)).toBe(says);
  else expect(evolutionSays(answer)).toMatch(says);
  expect(await rows()).toHaveLength(0);
});
