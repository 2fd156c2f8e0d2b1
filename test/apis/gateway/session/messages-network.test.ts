import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { nextTurn } from "../../../../src/conformance/recording-host.ts";
import { SAMPLES } from "../../../../src/conformance/samples.ts";
import { MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { type Customer, customerOf, receivedBy } from "../../../support/customers/customer.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { type Contact, type Phone, startWhatsApp, type WhatsApp } from "../../../support/whatsapp/index.ts";
import { startWorld, untilStatus, WEBHOOK_SECRET, type World } from "../../../support/world.ts";

let net: WhatsApp;
let w: World;
let c: Customer;
let owner: Phone;
let ana: Contact & { pn: string };
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
  owner = net.phone(`55119000001${10 + people}`);
  const pn = `55119111101${10 + people++}`;
  ana = Object.assign(net.contact({ pn }), { pn });
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

const accepted = async (input: Record<string, unknown> = {}): Promise<string> => {
  const { status, body, text } = await c.send({ to: ana.pn, ...input });
  if (status !== 202) throw new Error(text);
  return body.messageId;
};
const statuses = async (count: number) => {
  await c.hook.received(count);
  return receivedBy(c.hook, "message:status").map(({ status }) => status);
};

test("G-397 G-398 G-399 a send is published as sent, delivered and read, each when its other side says so", async () => {
  ana.receipts = { ...ana.receipts, delivered: false };
  const id = await accepted();
  expect(await statuses(1)).toEqual(["sent"]);
  const { id: key } = await ana.until(() => true);
  ana.deliver(key);
  expect(await statuses(2)).toEqual(["sent", "delivered"]);
  ana.read(key);
  expect(await statuses(3)).toEqual(["sent", "delivered", "read"]);
  expect((await c.message(id)).status).toBe("READ");
});

test("G-399 G-401 a read that overtakes the network's own answer publishes all three, once, and a delivery after it nothing", async () => {
  ana.receipts = { ...ana.receipts, delivered: false };
  const release = net.faults.delayAcks();
  const id = await accepted();
  const { id: key } = await ana.until(() => true);
  ana.read(key);
  expect(await statuses(3)).toEqual(["sent", "delivered", "read"]);
  release();
  ana.deliver(key);
  await ana.say("oi", { to: owner });
  await c.hook.received(4);
  expect(await statuses(4)).toEqual(["sent", "delivered", "read"]);
  expect((await c.message(id)).status).toBe("READ");
});

test("the receipts of a message to a group name each member, who got it and who read it", async () => {
  const bia = net.contact({ pn: `55119111201${10 + people}` });
  const group = net.group({ subject: "Equipe", members: [owner, ana, bia] });
  ana.receipts = { ...ana.receipts, delivered: false };
  const id = await accepted({ to: group.jid });
  const { id: key } = await ana.until(() => true);
  await bia.until(() => true);
  ana.read(key);
  const shown = async (): Promise<[string, boolean][]> => {
    const { body } = await w.gateway(`/v1/messages/${id}/receipts`, { key: c.key });
    return body.items.map((one: { person: { lid: string }; readAt: string | null }) => [
      one.person.lid,
      one.readAt !== null,
    ]);
  };
  await untilTrue(async () => (await shown()).length === 2);
  expect(new Map(await shown())).toEqual(
    new Map([
      [ana.lidJid, true],
      [bia.lidJid, false],
    ]),
  );
});

test("G-400 G-401 G-622 a send that the network refuses is FAILED for good", async () => {
  net.faults.nack(463, undefined, { times: 1 });
  const id = await accepted();
  expect(await statuses(1)).toEqual(["failed"]);
  expect((await c.message(id)).failedReason).toStartWith("[PRIVACY_TOKEN_MISSING] ");
  expect(ana.received).toEqual([]);
});

test("G-622 G-643 a number that is not on the network fails under a code of its own, and nothing is sent", async () => {
  const sent = net.stat.stanzas["message"];
  const id = await accepted({ to: "351999999999" });
  expect(await statuses(1)).toEqual(["failed"]);
  const { status, failedReason } = await c.message(id);
  expect([status, failedReason, net.stat.stanzas["message"]]).toEqual([
    "FAILED",
    "[RECIPIENT_NOT_ON_NETWORK] the number is not on the network",
    sent,
  ]);
  expect(receivedBy(c.hook, "message:status").at(-1).errors[0].title).toBe("RECIPIENT_NOT_ON_NETWORK");
});

test("what the network took on a connection that was cut before its answer is sent again under the same id, after a restart too, and arrives once", async () => {
  ana.receipts = { ...ana.receipts, delivered: false };
  const heal = net.faults.dropAcks();
  const id = await accepted();
  const { id: key } = await ana.until(() => true);
  owner.cut();
  heal();
  await w.restart();
  await untilStatus(w, c.phone.id, "CONNECTED");
  for (let minute = 0; (await c.message(id)).status === "QUEUED"; minute++) {
    w.clock.advance(minute < 5 ? SECOND_MS : MINUTE_MS);
    await nextTurn();
  }
  expect(await statuses(1)).toEqual(["sent"]);
  expect(ana.received.map((one) => one.id)).toEqual([key]);
  expect((await c.message(id)).status).toBe("SENT");
});

test("G-384 G-615 the number that answers a list is published as the option, alone and in a group", async () => {
  const group = net.group({ subject: "Equipe", members: [owner, ana] });
  for (const [to, place] of [
    [ana.pn, owner],
    [group.jid, group],
  ] as const) {
    c.hook.arrived.length = 0;
    const before = ana.received.length;
    await accepted({ to, type: "list", content: SAMPLES.list });
    await ana.until(({ text }) => ana.received.length > before && text.includes("1. "));
    await ana.say("1", { to: place });
    await untilTrue(async () => {
      if (receivedBy(c.hook, "message:received").length !== 0) return true;
      await c.hook.received(c.hook.arrived.length + 1);
      return false;
    });
    const row = (SAMPLES.list as { sections: { rows: { id: string; title: string }[] }[] }).sections[0]?.rows[0];
    expect(receivedBy(c.hook, "message:received")).toMatchObject([
      { type: "button_reply", content: { selectedId: row?.id, text: row?.title } },
    ]);
  }
});

test("G-563 G-571 G-572 a lookup asks the network, which knows one under its other spelling, and another not", async () => {
  const old = net.contact({ pn: `551188880${100 + people}` });
  const asked = `5511988880${100 + people}`;
  const { body } = await w.gateway("/v1/lookup", {
    key: c.key,
    body: { phoneId: c.phone.id, numbers: [`+${asked}`, "351999999998"] },
  });
  const results = async () => (await w.gateway(`/v1/lookup/${body.taskId}`, { key: c.key })).body;
  await untilTrue(async () => (await results()).status !== "pending");
  expect(await results()).toEqual({
    status: "completed",
    results: [
      { phoneNumber: asked, exists: true, jid: old.jid },
      { phoneNumber: "351999999998", exists: false, jid: null },
    ],
  });
});
