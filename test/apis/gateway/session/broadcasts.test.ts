import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { SAMPLES } from "../../../../src/conformance/samples.ts";
import { MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { type Customer, customerOf, receivedBy } from "../../../support/customers/customer.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { type Contact, type Phone, startWhatsApp, type WhatsApp } from "../../../support/whatsapp/index.ts";
import type { NewsletterChat } from "../../../support/whatsapp/newsletters/newsletters.ts";
import { startWorld, untilStatus, WEBHOOK_SECRET, type World } from "../../../support/world.ts";

let net: WhatsApp;
let w: World;
let c: Customer;
let owner: Phone;
let ana: Contact;
let people = 0;
beforeAll(async () => {
  net = await startWhatsApp();
  w = await startWorld({
    env: { RECADO_WHATSAPP_WEB_URL: net.url, RECADO_WHATSAPP_WEB_ROOT: net.root, RECADO_GATEWAY_RATE: "1000000" },
  });
});
afterAll(async () => {
  await w.stop();
  await net.stop();
});
beforeEach(async () => {
  const { id: accountId, key } = await w.account();
  const hook = w.receiver();
  const { id } = (
    await w.gateway("/v1/phones", {
      key,
      body: { type: "SESSION", label: "A phone", webhook: { url: hook.url, secret: WEBHOOK_SECRET } },
    })
  ).body;
  owner = net.phone(`55119000011${10 + people}`);
  ana = net.contact({ pn: `55119111111${10 + people++}` });
  const phone = { id, phoneNumberId: "", accessToken: "", number: owner.pn ?? "" };
  c = customerOf(w, { accountId, key, hook, phone });
  let answer = await w.gateway(`/v1/phones/${id}/qrcode`, { key });
  await untilTrue(async () => {
    if (answer.status !== 425) return true;
    answer = await w.gateway(`/v1/phones/${id}/qrcode`, { key });
    return false;
  });
  await owner.scan(answer.body.qr);
  await untilStatus(w, id, "CONNECTED");
  await hook.received(1);
  hook.arrived.length = 0;
});
afterEach(() => {
  expect(net.stat.unhandled).toEqual([]);
  net.faults.clear();
});

const ask = (path: string, { method = "GET", body }: { method?: string; body?: unknown } = {}) =>
  w.gateway(`/v1/newsletters${path}${path.includes("?") ? "&" : "?"}phoneId=${c.phone.id}`, {
    key: c.key,
    method,
    ...(body === undefined ? {} : { body: { phoneId: c.phone.id, ...Object(body) } }),
  });
const own = async (): Promise<NewsletterChat> => {
  const { status, body, text } = await w.gateway("/v1/newsletters", {
    key: c.key,
    body: { phoneId: c.phone.id, name: "Padaria Estrela" },
  });
  if (status !== 201) throw new Error(text);
  return net.newsletterOf(`${body.newsletterId}@newsletter`) as NewsletterChat;
};
const send = (of: NewsletterChat, input: Record<string, unknown> = {}) => c.send({ to: of.jid, ...input });
const sent = async (of: NewsletterChat, text: string): Promise<string> => {
  const { status, body, text: answer } = await send(of, { type: "text", content: { text } });
  if (status !== 202) throw new Error(answer);
  await untilTrue(async () => (await c.message(body.messageId)).status === "SENT");
  return body.messageId;
};

describe("a newsletter of a session", () => {
  test("is made, changed, listed, looked at by its link, and deleted", async () => {
    const mine = await own();
    const changes = { name: "Padaria", description: "Pães", reactions: "none" };
    expect((await ask(`/${mine.jid}`, { method: "PATCH", body: changes })).status).toBe(204);
    const view = { newsletterId: mine.id, ...changes, role: "owner", muted: false, subscriberCount: 0 };
    expect((await ask("")).body).toMatchObject({ items: [view] });
    const link = encodeURIComponent(`https://whatsapp.com/channel/${mine.newsletter.invite}`);
    expect((await ask(`/${link}`)).body).toMatchObject(view);
    expect((await ask(`/${mine.id}`, { method: "DELETE" })).status).toBe(204);
    const gone = await ask(`/${mine.id}`);
    expect([gone.status, gone.body.error.details.upstreamError.code]).toEqual([400, 404]);
    expect(net.newsletterOf(mine.jid)).toBeUndefined();
  });

  test("of somebody else is followed and muted, in the app too, and each is an event", async () => {
    const hers = net.newsletter({ name: "De Ana", owner: ana });
    for (const [path, method] of [
      ["follow", "PUT"],
      ["mute", "PUT"],
      ["mute", "DELETE"],
      ["follow", "DELETE"],
    ] as const)
      expect((await ask(`/${hers.id}/${path}`, { method })).status).toBe(204);
    await c.hook.received(4);
    expect(receivedBy(c.hook, "newsletter:changed").map(({ change }) => change)).toEqual([
      "followed",
      "muted",
      "unmuted",
      "unfollowed",
    ]);
    expect(receivedBy(c.hook, "newsletter:changed")[0]).toMatchObject({ newsletterId: hers.id, name: "De Ana" });
  });

  test("a change that its owner alone may make is refused, and nothing changes", async () => {
    const hers = net.newsletter({ name: "De Ana", owner: ana });
    const refused = await ask(`/${hers.id}`, { method: "PATCH", body: { name: "Minha" } });
    expect(refused.status).toBe(400);
    expect(refused.body.error.details.upstreamError.code).toBe(403);
    expect((await ask(`/${hers.id}`, { method: "PATCH", body: {} })).status).toBe(400);
    expect((await ask("/no id", { method: "DELETE" })).status).toBe(400);
    expect(hers.newsletter.name).toBe("De Ana");
  });

  test("another account's phone is no phone", async () => {
    const { key } = await w.account();
    const path = `/v1/newsletters?phoneId=${c.phone.id}`;
    expect((await w.gateway(path, { key })).status).toBe(404);
  });
});

describe("a post of a session", () => {
  test("is a message: queued, sent, with a status, in no conversation", async () => {
    const mine = await own();
    const messageId = await sent(mine, "Pão quente");
    expect(mine.posts).toMatchObject([{ message: { extendedTextMessage: { text: "Pão quente" } } }]);
    await c.hook.received(1);
    expect(receivedBy(c.hook, "message:status")).toMatchObject([
      { messageId, status: "sent", to: { canonicalKey: `newsletter:${mine.id}`, type: "newsletter" } },
    ]);
    expect((await w.gateway(`/v1/chats?phoneId=${c.phone.id}`, { key: c.key })).body.items).toEqual([]);
  });

  test("of a type that a newsletter does not take is refused before anything is queued", async () => {
    const mine = await own();
    const { location, contact, button } = SAMPLES;
    for (const [type, content] of Object.entries({ location, contact, button })) {
      const { status, body } = await send(mine, { type, content });
      expect([status, body.error.code]).toEqual([400, "UNSUPPORTED_TYPE"]);
    }
    const messageId = await sent(mine, "um");
    const quoting = await send(mine, { type: "text", content: { text: "dois" }, quotedMessageId: messageId });
    expect([quoting.status, quoting.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(mine.posts.length).toBe(1);
  });

  test("is edited, reacted to and deleted by its messageId, and its list entry names it", async () => {
    const mine = await own();
    const messageId = await sent(mine, "às 7h");
    const operate = (act: string, body: object) =>
      w.gateway(`/v1/messages/${messageId}/${act}`, { key: c.key, body: { phoneId: c.phone.id, ...body } });
    expect((await operate("edit", { text: "às 8h" })).status).toBe(202);
    await net.until(() => mine.posts[0]?.isEdited);
    expect((await operate("react", { emoji: "❤️" })).status).toBe(202);
    await net.until(() => mine.posts[0]?.reactions.size === 1);
    mine.see(100);
    const listed = await ask(`/${mine.id}/messages`);
    expect(listed.body).toMatchObject({
      items: [
        {
          serverId: "100",
          messageId,
          own: true,
          type: "text",
          content: { text: "às 8h" },
          views: 1,
          reactions: [{ emoji: "❤️", count: 1 }],
        },
      ],
      nextBefore: null,
    });
    const deleted = `/v1/messages/${messageId}?phoneId=${c.phone.id}`;
    expect((await w.gateway(deleted, { key: c.key, method: "DELETE" })).status).toBe(202);
    await net.until(() => mine.posts[0]?.message === undefined);
  });

  test("is edited weeks later, when a message to a person no longer is", async () => {
    const mine = await own();
    const messageId = await sent(mine, "às 7h");
    ana.receipts = { ...ana.receipts, delivered: false }; // its time would be that of the network's own clock
    const toAna = await c.send({ to: ana.pn ?? "", type: "text", content: { text: "às 7h" } });
    await ana.until(({ text }) => text === "às 7h");
    await untilTrue(async () => (await c.message(toAna.body.messageId)).status !== "QUEUED");
    w.clock.advance(16 * MINUTE_MS);
    await untilStatus(w, c.phone.id, "CONNECTED");
    for (const id of [toAna.body.messageId, messageId]) {
      const body = { phoneId: c.phone.id, text: "às 8h" };
      expect((await w.gateway(`/v1/messages/${id}/edit`, { key: c.key, body })).status).toBe(202);
    }
    await net.until(() => mine.posts[0]?.isEdited);
    expect(ana.received.filter(({ edit }) => edit === "1")).toEqual([]);
  });

  test("of anybody takes a reaction by its number, and its counts are events while they are watched", async () => {
    const hers = net.newsletter({ name: "De Ana", owner: ana, followers: [owner] });
    const serverId = hers.post({ conversation: "oi" });
    expect((await ask(`/${hers.id}/live-updates`, { method: "POST" })).body).toEqual({ seconds: 300 });
    const reaction = `/${hers.id}/messages/${serverId}/reaction`;
    expect((await ask(reaction, { method: "PUT", body: { emoji: "👍" } })).status).toBe(204);
    await c.hook.received(1);
    expect(receivedBy(c.hook, "newsletter:counts")).toMatchObject([
      { newsletterId: hers.id, serverId: "100", messageId: null, views: 0, reactions: [{ emoji: "👍", count: 1 }] },
    ]);
    expect((await ask(`/${hers.id}/messages/x/reaction`, { method: "PUT", body: { emoji: "👍" } })).status).toBe(404);
  });
});

describe("a status of a session", () => {
  const post = (input: Record<string, unknown>) =>
    w.gateway(`/v1/phones/${c.phone.id}/statuses`, {
      key: c.key,
      body: { type: "text", content: { text: "Hoje tem pão de queijo" }, ...input },
    });
  const postedTo = async (...audience: Contact[]): Promise<string> => {
    const { status, body, text } = await post({ audience: audience.map(({ pn }) => pn) });
    if (status !== 202) throw new Error(text);
    return body.messageId;
  };
  const statusesOf = ({ received }: Contact) => received.filter(({ chat }) => chat === "status@broadcast");

  test("is a message with a status, and its receipts say who saw it", async () => {
    const bia = net.contact({ pn: `55119111112${10 + people}` });
    const messageId = await postedTo(ana, bia);
    const { id } = await ana.until(({ text }) => text === "Hoje tem pão de queijo");
    await bia.until((message) => message.id === id);
    ana.read(id);
    await untilTrue(async () => (await c.message(messageId)).status === "READ");
    const { body } = await w.gateway(`/v1/messages/${messageId}/receipts`, { key: c.key });
    expect(body.items.filter(({ readAt }: { readAt: string | null }) => readAt !== null)).toMatchObject([
      { person: { canonicalKey: `pn:${ana.pn}` } },
    ]);
    expect((await w.gateway(`/v1/chats?phoneId=${c.phone.id}`, { key: c.key })).body.items).toEqual([]);
    expect(receivedBy(c.hook, "message:status")[0]).toMatchObject({
      messageId,
      to: { canonicalKey: "broadcast:status", type: "broadcast" },
    });
  });

  test("without an audience is for the people of the phone's chats, but for those who opted out", async () => {
    const bia = net.contact({ pn: `55119111113${10 + people}` });
    expect((await post({})).status).toBe(400);
    await ana.say("oi", { to: owner });
    await bia.say("oi", { to: owner });
    await untilTrue(async () => {
      const { items } = (await w.gateway(`/v1/chats?phoneId=${c.phone.id}`, { key: c.key })).body;
      return items.length === 2;
    });
    const { items } = (await w.gateway(`/v1/contacts?q=${bia.pn?.slice(-4)}`, { key: c.key })).body;
    expect((await w.gateway(`/v1/contacts/${items[0].id}/opt-out`, { key: c.key, method: "PUT" })).status).toBe(200);
    const { status, body } = await post({});
    expect(status).toBe(202);
    await untilTrue(async () => (await c.message(body.messageId)).status !== "QUEUED");
    await ana.until(({ chat }) => chat === "status@broadcast");
    expect(statusesOf(bia)).toEqual([]);
  });

  test("that is repeated under its idempotency key is posted once, whoever wrote meanwhile", async () => {
    await ana.say("oi", { to: owner });
    await c.hook.received(1);
    const first = await post({ idempotencyKey: "status-de-hoje" });
    await net.contact({ pn: `55119111114${10 + people}` }).say("oi", { to: owner });
    await c.hook.received(2);
    const second = await post({ idempotencyKey: "status-de-hoje" });
    expect([first.status, second.status, second.body.messageId]).toEqual([202, 200, first.body.messageId]);
    expect((await post({ idempotencyKey: "status-de-hoje", font: 3 })).status).toBe(409);
    await untilTrue(async () => (await c.message(first.body.messageId)).status !== "QUEUED");
    expect(statusesOf(ana).length).toBe(1);
  });

  test("for no people, in another form or as an ordinary message is refused, and nothing is queued", async () => {
    const refused = [
      await post({ audience: ["120363041234567890@g.us"] }),
      await post({ audience: ["status@broadcast"] }),
      await post({ audience: [] }),
      await post({ audience: Array.from({ length: 1001 }, (_, at) => `55119${10_000_000 + at}`) }),
      await post({ audience: [ana.pn], backgroundColor: "green" }),
      await post({ audience: [ana.pn], type: "location" }),
      await c.send({ to: "status@broadcast" }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400));
    expect(refused.at(-1)?.body.error.code).toBe("INVALID_JID");
    expect((await c.events()).filter(({ type }) => type === "message:status")).toEqual([]);
    expect(statusesOf(ana)).toEqual([]);
  });

  test("is deleted by its messageId, and an answer and a reaction to it name it", async () => {
    const messageId = await postedTo(ana);
    const { id } = await ana.until(({ chat }) => chat === "status@broadcast");
    await untilTrue(async () => (await c.message(messageId)).status !== "QUEUED");
    await ana.say("Quero um!", { to: owner, quoted: { id, author: owner } });
    await ana.react(net.status(ana, [owner]), { id, author: owner }, "❤️");
    await untilTrue(() => receivedBy(c.hook, "message:reaction").length > 0);
    expect(receivedBy(c.hook, "message:received")).toMatchObject([{ quotedMessageId: messageId }]);
    expect(receivedBy(c.hook, "message:reaction")).toMatchObject([{ messageId, emoji: "❤️" }]);
    const deleted = `/v1/messages/${messageId}?phoneId=${c.phone.id}`;
    expect((await w.gateway(deleted, { key: c.key, method: "DELETE" })).status).toBe(202);
    await ana.until(({ message }) => Boolean(message.protocolMessage));
  });
});
