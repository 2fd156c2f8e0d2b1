import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import type { proto } from "@whiskeysockets/baileys";
import { SAMPLES } from "../../../src/conformance/samples.ts";
import { sha256 } from "../../../src/kernel/crypto.ts";
import { toneWav } from "../../support/files/sounds.ts";
import { processes } from "../../support/processes/process.ts";
import { fileServer, WEBP } from "../../support/session/file-server.ts";
import { type Customer, startGateway } from "../../support/session/gateway-process.ts";
import type { Contact } from "../../support/whatsapp/index.ts";

const VOICE = toneWav();

const tools = processes(afterAll);
const gateway = await startGateway(tools);
const { net } = gateway;
afterAll(() => gateway.end());

let customer: Customer;
let ana: Contact;
let tests = 10;
beforeEach(async () => {
  customer = await gateway.customer(`55119000000${++tests}`);
  ana = net.contact({ pn: `55119111100${tests}`, name: "Ana" });
});
afterEach(async () => {
  await gateway.client.remove(`/v1/phones/${customer.id}`, customer.key);
  expect([net.stat.unhandled, net.stat.refused]).toEqual([[], []]);
});

const sentTo = async (type: string, content: object): Promise<proto.IMessage> => {
  const { length } = ana.received;
  const id = await customer.send(`${ana.pn}`, type, content);
  await net.until(() => ana.received.length > length);
  await customer.untilReceived(({ data }) => data.messageId === id && data.status === "delivered");
  return ana.received[length]?.message ?? {};
};

/** Has Ana write; the message as it was published. */
const received = async (text: string) => {
  const id = await ana.say(text, { to: customer.device });
  const { data } = await customer.untilReceived(
    (event) => event.type === "message:received" && event.data.content.text === text,
  );
  return { id, messageId: data.messageId as string, data };
};

test("G-176 G-170 G-210 a phone is made, shows a QR code, is scanned, and is connected", async () => {
  const first = await customer.askPhone("qrcode");
  expect([
    await customer.status(),
    first.status === 200 || (first.status === 425 && first.body.error.code === "QR_NOT_READY"),
  ]).toEqual(["PENDING_QR", true]);
  const qr = await customer.qr();
  expect(qr).toStartWith("https://wa.me/settings/linked_devices#");
  await customer.device.scan(qr);
  const { data } = await customer.untilReceived(({ type }) => type === "channel:connected");
  expect([data.phoneNumber, await customer.status()]).toEqual([customer.device.pn, "CONNECTED"]);
  expect(await customer.askPhone("qrcode")).toMatchObject({
    status: 409,
    body: { error: { code: "ALREADY_CONNECTED" } },
  });
});

test("every kind of content that a session sends arrives and is delivered", async () => {
  await customer.pair();
  const uploads = net.stat.uploads.length;
  await using server = fileServer(
    (path) =>
      new Response(path.endsWith("ogg") ? VOICE : WEBP, { headers: { "content-type": TYPES[path.slice(3)] ?? "" } }),
  );
  const at = (extension: string) => ({ mediaUrl: `${server.url}/a.${extension}` });
  expect(await sentTo("text", SAMPLES.text)).toMatchObject({ extendedTextMessage: SAMPLES.text });
  expect(await sentTo("image", { ...at("jpg"), caption: "a frente" })).toMatchObject({
    imageMessage: { caption: "a frente", mimetype: "image/webp" }, // as its bytes show
  });
  expect(await sentTo("video", at("mp4"))).toMatchObject({ videoMessage: { mimetype: "video/mp4" } });
  expect(await sentTo("audio", { ...at("ogg"), ptt: true })).toMatchObject({
    audioMessage: { ptt: true, mimetype: "audio/ogg; codecs=opus", seconds: 2 },
  });
  expect(await sentTo("document", { ...at("pdf"), filename: "nota.pdf" })).toMatchObject({
    documentMessage: { fileName: "nota.pdf" },
  });
  expect(await sentTo("sticker", at("webp"))).toMatchObject({ stickerMessage: { mimetype: "image/webp" } });
  expect((await sentTo("location", SAMPLES.location)).locationMessage?.degreesLatitude).toBeCloseTo(
    SAMPLES.location.latitude,
  );
  expect((await sentTo("contact", SAMPLES.contact)).contactMessage?.vcard).toContain("waid=5511999990001");
  expect(JSON.stringify(await sentTo("list", SAMPLES.list))).toContain("Pão francês");
  expect(JSON.stringify(await sentTo("button", SAMPLES.button))).toContain("Sim");
  expect(net.stat.uploads.length - uploads).toBe(5);
  await ana.say("1", { to: customer.device });
  const { data } = await customer.untilReceived((event) => event.data.type === "button_reply");
  expect(data.content).toMatchObject({ selectedId: "yes" });
});

const TYPES: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  mp4: "video/mp4",
  ogg: "audio/ogg; codecs=opus",
  pdf: "application/pdf",
  webp: "image/webp",
};

test("what comes is published: texts, files, reactions, edits, and what is read", async () => {
  await customer.pair();
  const { data } = await received("bom dia");
  expect(data).toMatchObject({ type: "text", from: { pn: ana.jid, lid: `${ana.lid}@lid` }, pushName: "Ana" });
  const bytes = new Uint8Array(50_000).fill(9);
  await ana.sendMedia("image", bytes, { to: customer.device, mimetype: "image/jpeg", caption: "olhe" });
  const image = await customer.untilReceived((event) => event.data.content?.caption === "olhe");
  const url = new URL(image.data.media.downloadUrl);
  const file = await fetch(`${gateway.server.url}${url.pathname}`, { headers: { "x-api-key": customer.key } });
  expect(sha256(new Uint8Array(await file.arrayBuffer()))).toBe(sha256(bytes));

  const { id, messageId } = await received("com erro");
  await ana.react(customer.device, { id, fromMe: true }, "👍");
  await customer.untilReceived(
    (event) => event.type === "message:reaction" && event.data.messageId === messageId && event.data.emoji === "👍",
  );
  await ana.edit(customer.device, id, "sem erro");
  await customer.untilReceived(
    (event) => event.type === "message:edited" && event.data.messageId === messageId && event.data.text === "sem erro",
  );
  const ours = await customer.send(`${ana.pn}`, "text", { text: "leia" });
  ana.read((await ana.until(({ text }) => text === "leia")).id);
  await customer.untilReceived((event) => event.data.messageId === ours && event.data.status === "read");
});

test("messages can be reacted to, edited, deleted and marked as read", async () => {
  await customer.pair();
  const { id, messageId } = await received("reaja");
  const operate = (of: string, what: string, body: object) =>
    customer.ask(`/messages/${of}/${what}`, { phoneId: customer.id, ...body });
  expect((await operate(messageId, "react", { emoji: "🎉" })).status).toBe(202);
  await ana.until(({ message }) => message.reactionMessage?.text === "🎉" && message.reactionMessage.key?.id === id);
  expect((await operate(messageId, "read", {})).status).toBe(202);
  await ana.untilReceived((receipt) => receipt.id === id && receipt.type === "read");
  const ours = await customer.send(`${ana.pn}`, "text", { text: "de saída" });
  await customer.untilReceived((event) => event.data.messageId === ours && event.data.status === "delivered");
  expect((await operate(ours, "edit", { text: "corrigido" })).status).toBe(202);
  await ana.until(({ text, edit }) => edit === "1" && text === "corrigido");
  await gateway.client.remove(`/v1/messages/${ours}?phoneId=${customer.id}`, customer.key);
  await customer.untilReceived((event) => event.data.messageId === ours && event.data.status === "deleted");
  expect(ana.received.at(-1)?.edit).toBe("7");
});

test("G-200 a process that is stopped and started connects without a QR code, says nothing of the stop, and publishes what came meanwhile", async () => {
  await customer.pair();
  const channelEvents = () => customer.hook.arrived.filter(({ body }) => body.type.startsWith("channel:")).length;
  await customer.untilReceived(({ type }) => type === "channel:connected");
  const before = channelEvents();
  const { logins, pairings } = net.stat;
  await gateway.stop();
  await ana.say("alguém aí?", { to: customer.device });
  expect(customer.received("message:received").at(-1)?.data.content.text).not.toBe("alguém aí?");
  await gateway.restart();
  await customer.untilReceived((event) => event.data.content?.text === "alguém aí?");
  await customer.until("CONNECTED");
  expect((await customer.askPhone("qrcode")).status).toBe(409);
  await sentTo("text", { text: "voltamos" });
  expect([channelEvents() - before, net.stat.logins - logins, net.stat.pairings - pairings]).toEqual([0, 1, 0]);
});
