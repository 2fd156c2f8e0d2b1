import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import sharp from "sharp";
import {
  type Customer,
  customerOf,
  newCustomer,
  receivedBy,
  rowsOf,
  tracesOf,
} from "../../../support/customers/customer.ts";
import { fileServer } from "../../../support/session/file-server.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { type Contact, type Phone, startWhatsApp, type WhatsApp } from "../../../support/whatsapp/index.ts";
import { startWorld, untilStatus, WEBHOOK_SECRET, type World } from "../../../support/world.ts";

let net: WhatsApp;
let w: World;
let c: Customer;
let owner: Phone;
let ana: Contact;
let bia: Contact;
let people = 0;
beforeAll(async () => {
  net = await startWhatsApp();
  w = await startWorld({
    env: {
      RECADO_WHATSAPP_WEB_URL: net.url,
      RECADO_WHATSAPP_WEB_ROOT: net.root,
      RECADO_EXTRA_CA: net.mediaCa,
      RECADO_OUTBOUND_ALLOW: "127.0.0.1,::1,localhost",
      RECADO_GATEWAY_RATE: "1000000",
      RECADO_KEEP_MESSAGES: "30d",
    },
  });
});
afterAll(async () => {
  await w.stop();
  await net.stop();
});
beforeEach(async () => {
  const { id: accountId, key } = await w.account();
  const hook = w.receiver();
  const webhook = { url: hook.url, secret: WEBHOOK_SECRET };
  const { id } = (await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "A phone", webhook } })).body;
  owner = net.phone(`55119000002${10 + people}`);
  [ana, bia] = [net.contact({ pn: `55119222101${10 + people}` }), net.contact({ pn: `55119222201${10 + people}` })];
  people += 1;
  c = customerOf(w, {
    accountId,
    key,
    hook,
    phone: { id, phoneNumberId: "", accessToken: "", number: owner.pn ?? "" },
  });
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

const forward = (id: string, input: object = {}) =>
  w.gateway(`/v1/messages/${id}/forward`, { key: c.key, body: { to: bia.pn, ...input } });
/** The id of the last message that arrived. */
const arrived = async (): Promise<string> => {
  await untilTrue(() => receivedBy(c.hook, "message:received").length > 0);
  return receivedBy(c.hook, "message:received").at(-1).messageId;
};

describe("a message that is forwarded", () => {
  test("arrives with its words and the mark, and is a send of its own", async () => {
    await ana.say("O bolo está pronto.", { to: owner });
    const id = await arrived();
    const { status, body } = await forward(id);
    expect(status).toBe(202);
    const { message } = await bia.until(({ text }) => text === "O bolo está pronto.");
    expect(message.extendedTextMessage?.contextInfo).toMatchObject({ isForwarded: true, forwardingScore: 1 });
    await untilTrue(async () => (await c.message(body.messageId)).status !== "QUEUED");
    const { body: listed } = await w.gateway(`/v1/messages?phoneId=${c.phone.id}&direction=outbound`, { key: c.key });
    expect(listed.items[0]).toMatchObject({
      id: body.messageId,
      type: "text",
      content: { text: "O bolo está pronto.", forwarded: true, forwardedMessageId: id },
    });
  });

  test("counts how often it was forwarded, and loses its quote and its timer", async () => {
    const contextInfo = {
      isForwarded: true,
      forwardingScore: 4,
      expiration: 86_400,
      stanzaId: "3EB0X",
      quotedMessage: { conversation: "?" },
    };
    await ana.sendProto({ extendedTextMessage: { text: "corrente", contextInfo } }, { to: owner });
    await forward(await arrived());
    const { message } = await bia.until(({ text }) => text === "corrente");
    const { forwardingScore, expiration, stanzaId } = message.extendedTextMessage?.contextInfo ?? {};
    expect([forwardingScore, expiration, stanzaId]).toEqual([5, null, null] as never);
  });

  test("has its file under the key that it has: nothing is uploaded", async () => {
    const sent = await ana.sendMedia("document", Buffer.from("%PDF-1.4 cardápio"), {
      to: owner,
      mimetype: "application/pdf",
      caption: "Veja",
      fields: { fileName: "cardapio.pdf" },
    });
    expect((await forward(await arrived())).status).toBe(202);
    const { message } = await bia.until(({ message: one }) => Boolean(one.documentMessage));
    expect(message.documentMessage).toMatchObject({
      caption: "Veja",
      fileName: "cardapio.pdf",
      directPath: sent.message.documentMessage?.directPath ?? "",
      contextInfo: { isForwarded: true },
    });
  });

  test("is sent once under one idempotency key, and a sent message goes on too, with its edit", async () => {
    const { body } = await c.send({ to: ana.pn ?? "", content: { text: "às 9h" } });
    await ana.until(({ text }) => text === "às 9h");
    await untilTrue(async () => (await c.message(body.messageId)).status !== "QUEUED");
    await w.gateway(`/v1/messages/${body.messageId}/edit`, {
      key: c.key,
      body: { phoneId: c.phone.id, text: "às 10h" },
    });
    await untilTrue(() => receivedBy(c.hook, "message:edited").length > 0);
    const first = await forward(body.messageId, { idempotencyKey: "encaminha-1" });
    const again = await forward(body.messageId, { idempotencyKey: "encaminha-1" });
    expect([first.status, again.status, again.body.messageId]).toEqual([202, 200, first.body.messageId]);
    await bia.until(({ text }) => text === "às 10h");
    expect(bia.received.length).toBe(1);
  });
});

test("of a message of a business the words go on as a text, and with its file as the file's caption", async () => {
  const hydratedHsm = { hydratedTemplate: { hydratedContentText: "Escolha um bolo", hydratedFooterText: "Estrela" } };
  await ana.sendProto({ highlyStructuredMessage: { hydratedHsm } }, { to: owner });
  await forward(await arrived());
  const words = "Escolha um bolo\nEstrela";
  const { message } = await bia.until(({ message: one }) => one.extendedTextMessage?.text === words);
  expect(message.extendedTextMessage?.contextInfo).toMatchObject({ isForwarded: true, forwardingScore: 1 });
  const { message: sent } = await ana.sendMedia("image", Buffer.from("a picture"), { to: bia, mimetype: "image/jpeg" });
  const imageMessage = sent.imageMessage ?? null;
  const withFile = { hydratedTemplate: { ...hydratedHsm.hydratedTemplate, imageMessage } };
  await ana.sendProto({ highlyStructuredMessage: { hydratedHsm: withFile } }, { to: owner });
  await untilTrue(() => receivedBy(c.hook, "message:received").length > 1);
  await forward(await arrived());
  const { message: picture } = await bia.until((one) => one.message.imageMessage?.caption === words);
  expect(picture.imageMessage).toMatchObject({
    directPath: imageMessage?.directPath ?? "",
    contextInfo: { isForwarded: true },
  });
});

describe("a message is not forwarded, and nothing is sent,", () => {
  const refused = async (id: string, input: object = {}) => {
    const before = await tracesOf(w, c);
    const { status, body } = await forward(id, input);
    expect(await tracesOf(w, c)).toEqual(before);
    return [status, body.error.code];
  };

  test("that can be opened once alone, or is a poll", async () => {
    ana.viewOnce(owner);
    expect(await refused(await arrived())).toEqual([400, "UNSUPPORTED_TYPE"]);
  });

  test("that is a live location, or came as a picture for one view", async () => {
    const place = { degreesLatitude: -23.5, degreesLongitude: -46.6 };
    await ana.sendProto({ liveLocationMessage: place }, { to: owner });
    expect(await refused(await arrived())).toEqual([400, "UNSUPPORTED_TYPE"]);
    await ana.sendMedia("image", Buffer.from("a picture"), {
      to: owner,
      mimetype: "image/jpeg",
      fields: { viewOnce: true },
    });
    await untilTrue(() => receivedBy(c.hook, "message:received").length > 1);
    expect(await refused(await arrived())).toEqual([400, "UNSUPPORTED_TYPE"]);
  });

  test("that was deleted for everyone", async () => {
    const key = await ana.say("ops", { to: owner });
    const id = await arrived();
    await ana.revoke(owner, key);
    await untilTrue(() => receivedBy(c.hook, "message:status").some(({ status }) => status === "deleted"));
    expect(await refused(id)).toEqual([400, "UNSUPPORTED_TYPE"]);
  });

  test("by another phone, of another account, or if it is unknown", async () => {
    await ana.say("oi", { to: owner });
    const id = await arrived();
    const other = await newCustomer(w);
    expect(await refused(id, { phoneId: other.phone.id })).toEqual([404, "PHONE_NOT_FOUND"]);
    expect(await refused("019a1b2c-2222-4a12-8b22-c32d42e52f02")).toEqual([404, "MESSAGE_NOT_FOUND"]);
    const { status } = await w.gateway(`/v1/messages/${id}/forward`, { key: other.key, body: { to: "5511988887777" } });
    expect(status).toBe(404);
  });

  test("on a network that forwards nothing", async () => {
    const official = await newCustomer(w);
    const id = await official.sent();
    const { status, body } = await w.gateway(`/v1/messages/${id}/forward`, {
      key: official.key,
      body: { to: "5511988887777" },
    });
    expect([status, body.error.code]).toEqual([400, "UNSUPPORTED_TYPE"]);
  });
});

test("a message whose file the network has deleted fails by name, and never arrives", async () => {
  await ana.sendMedia("image", Buffer.from("a picture"), { to: owner, mimetype: "image/jpeg" });
  const id = await arrived();
  net.faults.media(404);
  const { body } = await forward(id);
  await untilTrue(async () => (await c.message(body.messageId)).status === "FAILED");
  expect((await c.message(body.messageId)).failedReason).toContain("the file of the message is no longer");
  expect(bia.received).toEqual([]);
});

describe("the time after which the messages of a chat disappear", () => {
  const timer = (to: string, seconds?: number) =>
    w.gateway(`/v1/phones/${c.phone.id}/chats/${to}/timer`, {
      key: c.key,
      ...(seconds === undefined ? {} : { method: "PUT", body: { seconds } }),
    });
  const setting = async () => {
    const { message } = await ana.until((one) => Boolean(one.message.protocolMessage));
    return message.protocolMessage?.ephemeralExpiration;
  };

  test("is set for both sides of a chat of two, kept, and in each message from then on", async () => {
    await ana.say("oi", { to: owner });
    await arrived();
    expect((await timer(ana.pn ?? "")).body).toEqual({ seconds: 0, setAt: null });
    const { status, body } = await timer(ana.pn ?? "", 604_800);
    expect([status, body]).toEqual([200, { seconds: 604_800, setAt: expect.any(String) }]);
    expect(await setting()).toBe(604_800);
    expect((await timer(ana.lidJid)).body.seconds).toBe(604_800);
    await c.send({ to: ana.pn ?? "", content: { text: "some" } });
    const { message } = await ana.until(({ text }) => text === "some");
    expect(message.extendedTextMessage?.contextInfo?.expiration).toBe(604_800);
    expect((await timer(ana.pn ?? "", 0)).body).toEqual({ seconds: 0, setAt: null });
  });

  test("is set in a group by an administrator; the network refuses others, and nothing changes", async () => {
    const group = net.group({ subject: "Nossa", members: [owner, ana] });
    expect((await timer(group.jid, 86_400)).body).toMatchObject({ seconds: 86_400 });
    await c.send({ to: group.jid, content: { text: "some" } });
    const { message } = await ana.until(({ text }) => text === "some");
    expect(message.extendedTextMessage?.contextInfo?.expiration).toBe(86_400);
    const other = net.group({ subject: "Dela", members: [owner, ana], owner: ana });
    const { status } = await timer(other.jid, 86_400);
    expect(status).toBeGreaterThanOrEqual(400);
    expect((await timer(other.jid)).body.seconds).toBe(0);
  });

  test("is refused for a person without a chat: nothing is sent, and the network is not asked", async () => {
    const before = net.stat.stanzas["message"];
    const addresses = [ana.pn ?? "", ana.jid, ana.lidJid];
    for (const to of addresses) {
      const { status, body } = await timer(to, 86_400);
      expect([status, body.error.message]).toEqual([400, expect.stringContaining("there is no chat with this person")]);
    }
    expect(net.stat.stanzas["message"]).toBe(before);
    expect(net.stat.usync.flatMap(({ users }) => users.filter((user) => addresses.includes(user)))).toEqual([]);
    expect([ana.received, (await timer(ana.pn ?? "")).body.seconds]).toEqual([[], 0]);
  });

  test("is set where the phone alone has written, by either spelling of the number", async () => {
    const caio = net.contact({ pn: "5511988880003" });
    await c.send({ to: caio.pn ?? "", content: { text: "oi" } });
    await caio.until(({ text }) => text === "oi");
    expect((await timer("551188880003", 86_400)).status).toBe(200);
    const { message } = await caio.until((one) => Boolean(one.message.protocolMessage));
    expect(message.protocolMessage?.ephemeralExpiration).toBe(86_400);
  });

  test("is refused as another time, for what is no chat, and on a network without timers", async () => {
    const before = net.stat.stanzas["message"];
    expect((await timer(ana.pn ?? "", 60)).status).toBe(400);
    expect((await timer("120363041234567890@newsletter", 86_400)).status).toBe(400);
    expect(net.stat.stanzas["message"]).toBe(before);
    const official = await newCustomer(w);
    const { body } = await w.gateway(`/v1/phones/${official.phone.id}/chats/5511988887777/timer`, {
      key: official.key,
      method: "PUT",
      body: { seconds: 86_400 },
    });
    expect(body.error.code).toBe("UPSTREAM_BAD_REQUEST");
  });
});

describe("a message of a chat whose messages disappear", () => {
  const HOUR = 60 * 60 * 1000;
  /** A message that its writer's phone ends by the clock of the server here. */
  const under = (text: string, expiration = 86_400) => ({ extendedTextMessage: { text, contextInfo: { expiration } } });
  const now = () => ({ to: owner, time: Math.floor(w.clock.now() / 1000) });
  const expired = () => receivedBy(c.hook, "message:expired");
  const listed = async (id: string) => {
    const { body } = await w.gateway(`/v1/messages?phoneId=${c.phone.id}`, { key: c.key });
    return body.items.find((one: any) => one.id === id);
  };
  /** Time passes, and what is due is done. */
  const pass = async (ms: number) => {
    w.clock.advance(ms);
    await w.settle();
  };
  const act = (id: string, name: string, method = "POST") =>
    w.gateway(`/v1/messages/${id}/${name}?phoneId=${c.phone.id}`, {
      key: c.key,
      method,
      ...(method === "POST" ? { body: { phoneId: c.phone.id } } : {}),
    });

  test("ends once, a day after it came, and what is stored of it stays; so does one that was sent", async () => {
    await ana.sendProto(under("some"), now());
    const id = await arrived();
    const { body } = await c.send({ to: ana.pn ?? "", content: { text: "também" } });
    await ana.until(({ text }) => text === "também");
    await untilTrue(async () => (await c.message(body.messageId)).status !== "QUEUED");
    await pass(23 * HOUR);
    expect(expired()).toEqual([]);
    expect((await listed(id)).expiredAt).toBeNull();
    await pass(2 * HOUR);
    await untilTrue(() => expired().length === 2);
    expect(new Set(expired().map(({ messageId }) => messageId))).toEqual(new Set([id, body.messageId]));
    expect(expired()[0]).toMatchObject({ chat: { canonicalKey: `pn:${ana.pn}` }, timestamp: expect.any(String) });
    expect(await listed(id)).toMatchObject({
      content: { text: "some" },
      deletedAt: null,
      expiredAt: expect.any(String),
    });
    await pass(48 * HOUR);
    expect(expired()).toHaveLength(2);
  });

  test("that was kept ends when its keep is taken back, and one that was deleted does not end again", async () => {
    await ana.sendProto(under("fica"), now());
    const id = await arrived();
    const key = await ana.sendProto(under("apagada"), now());
    await untilTrue(() => receivedBy(c.hook, "message:received").length > 1);
    await ana.revoke(owner, key);
    await untilTrue(() => receivedBy(c.hook, "message:status").some(({ status }) => status === "deleted"));
    expect((await act(id, "keep")).status).toBe(202);
    await untilTrue(() => receivedBy(c.hook, "message:kept").length === 1);
    await pass(25 * HOUR);
    expect(expired()).toEqual([]);
    expect(await listed(id)).toMatchObject({ kept: true, expiredAt: null });
    expect((await act(id, "keep", "DELETE")).status).toBe(202);
    await untilTrue(() => expired().length === 1);
    expect(expired()[0]).toMatchObject({ messageId: id });
  });

  test("does not end once it is no longer stored", async () => {
    await ana.sendProto(under("antiga", 60 * 86_400), now());
    const id = await arrived();
    await pass(31 * 24 * HOUR);
    await untilTrue(async () => (await listed(id)) === undefined);
    await pass(31 * 24 * HOUR);
    expect(expired()).toEqual([]);
    expect(await rowsOf(w, "SELECT * FROM message_acts WHERE message_id = ?", [id])).toEqual([]);
    const jobs = await rowsOf<{ payload: string }>(w, "SELECT payload FROM jobs WHERE kind = 'message.expire'", []);
    expect(jobs.filter(({ payload }) => payload.includes(id))).toEqual([]);
  });

  test("that names an endless time, or none, stays", async () => {
    await ana.sendProto(under("sempre", 4_000_000_000), now());
    await bia.say("fica", { to: owner });
    await untilTrue(() => receivedBy(c.hook, "message:received").length > 1);
    await pass(400 * 24 * HOUR);
    expect(expired()).toEqual([]);
  });
});

describe("several pictures in one message", () => {
  const files = () =>
    fileServer(() => new Response(new Uint8Array(200).fill(1), { headers: { "content-type": "image/jpeg" } }));

  test("arrive as an album, whose message is one here, is not forwarded, and is deleted whole", async () => {
    await using server = files();
    const images = ["a", "b"].map((name) => ({ mediaUrl: `${server.url}/${name}.jpg` }));
    const { body } = await c.send({ to: ana.pn ?? "", type: "image", content: { images, caption: "Bolos" } });
    await untilTrue(async () => (await c.message(body.messageId)).status === "DELIVERED");
    await ana.until(({ message }) => message.imageMessage?.caption === "Bolos");
    await net.until(() => ana.received.length === 3);
    expect(ana.received.map(({ message }) => Boolean(message.albumMessage))).toEqual([true, false, false]);
    expect((await forward(body.messageId)).status).toBe(400);
    const { status } = await w.gateway(`/v1/messages/${body.messageId}?phoneId=${c.phone.id}`, {
      key: c.key,
      method: "DELETE",
    });
    expect(status).toBe(202);
    await ana.until(({ message }) => message.protocolMessage?.key?.id === ana.received[0]?.id);
    expect(bia.received).toEqual([]);
  });

  test("are refused to be opened once, in a quality, beyond ten, and beside another file", async () => {
    const images = Array.from({ length: 11 }, (_, at) => ({ mediaUrl: `https://x.example/${at}.jpg` }));
    for (const content of [
      { images: images.slice(0, 2), viewOnce: true },
      { images: images.slice(0, 2), quality: "standard" },
      { images },
      { images: images.slice(0, 1) },
      { images: images.slice(0, 2), mediaUrl: "https://x.example/a.jpg" },
    ])
      expect((await c.send({ to: ana.pn ?? "", type: "image", content })).status).toBe(400);
    expect(ana.received).toEqual([]);
  });
});

describe("a picture in HD", () => {
  test("arrives in both qualities, is one message here, and is forwarded as the smaller one alone", async () => {
    const bytes = await sharp({ create: { width: 2400, height: 1200, channels: 3, background: "red" } })
      .jpeg()
      .toBuffer();
    await using server = fileServer(() => new Response(new Uint8Array(bytes)));
    const content = { mediaUrl: `${server.url}/bolo.jpg`, caption: "Bolo", quality: "hd" };
    const { body } = await c.send({ to: ana.pn ?? "", type: "image", content });
    await untilTrue(async () => (await c.message(body.messageId)).status === "DELIVERED");
    await net.until(() => ana.received.length === 2);
    const [shown, whole] = ana.received;
    expect(shown?.message.imageMessage).toMatchObject({ caption: "Bolo", width: 1600 });
    expect(whole?.message.associatedChildMessage?.message?.imageMessage).toMatchObject({ caption: null, width: 2400 });
    expect((await forward(body.messageId)).status).toBe(202);
    const forwarded = await bia.until(({ message }) => Boolean(message.imageMessage));
    expect(forwarded.message.imageMessage).toMatchObject({ width: 1600, contextInfo: { isForwarded: true } });
    expect(forwarded.message.imageMessage?.contextInfo?.pairedMediaType ?? 0).toBe(0);
    expect([ana.unshown, bia.unshown]).toEqual([[], []]);
  });

  test("is refused where it opens once, and in a quality that there is not", async () => {
    const mediaUrl = "https://x.example/a.jpg";
    for (const content of [
      { mediaUrl, quality: "hd", viewOnce: true },
      { mediaUrl, quality: "4k" },
    ])
      expect((await c.send({ to: ana.pn ?? "", type: "image", content })).status).toBe(400);
    expect(ana.received).toEqual([]);
  });
});
