import { beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { type Customer, customerOf, newCustomer, receivedBy, TO } from "../../../support/customers/customer.ts";
import { posterNetwork } from "../../../support/networks/poster.ts";
import { postInbound, resolve } from "../../../support/networks/waba-posts.ts";
import { made } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";
import { untilConnected, WEBHOOK_SECRET } from "../../../support/world.ts";

const poster = posterNetwork();
const w = useWorld({ plugins: [poster.plugin], env: { RECADO_GATEWAY_RATE: "100000" } });

/** A customer with an official number; `sms`: the same one with a phone of a network that is not WhatsApp. */
let waba: Customer;
let sms: Customer;
beforeEach(async () => {
  waba = await newCustomer(w);
  const { accountId, key } = waba;
  const hook = w.receiver();
  const body = {
    type: "POSTER",
    label: "Torpedos",
    credentials: { token: "a-token" },
    webhook: { url: hook.url, secret: WEBHOOK_SECRET },
  };
  const phone = made(await w.gateway("/v1/phones", { key, body }), 201);
  await untilConnected(w, phone.id);
  sms = customerOf(w, { accountId, key, phone, hook });
});

const SHORT_CODE = "28999";
const DIGITS = { canonicalKey: `pn:${TO}`, type: "pn", pn: TO, lid: null };
const CHAT_ADDRESS = { ...DIGITS, pn: `${TO}@s.whatsapp.net` };

let messages = 0;
const receiveSms = async (pn = TO) => {
  const key = `sms-${++messages}` as never;
  const content = { type: "text", content: { text: "oi" } } as const;
  const at = w.app.env.clock.now();
  await poster.notify(sms.phone.id, { kind: "received", key, at, from: { pn }, chat: { pn }, pushName: null, content });
  await w.settle();
};
const listed = async (query: string) => (await w.gateway(`/v1/messages${query}`, { key: sms.key })).body.items;
/** Everything that the gateway says of the phone's people. */
const said = async (messageId: string) =>
  JSON.stringify([
    sms.hook.arrived,
    await sms.events(`?phoneId=${sms.phone.id}`),
    await listed(`?phoneId=${sms.phone.id}`),
    (await w.gateway(`/v1/messages/${messageId}/timeline`, { key: sms.key })).body,
    (await w.gateway(`/v1/chats?phoneId=${sms.phone.id}`, { key: sms.key })).body,
    (await w.gateway("/v1/contacts", { key: sms.key })).body,
  ]);

describe("a phone whose network is not WhatsApp shows numbers as digits", () => {
  test("in events of its messages, to its webhook and to those who ask", async () => {
    const id = await sms.sent();
    await receiveSms();
    expect(receivedBy(sms.hook, "message:status")[0]).toMatchObject({ messageId: id, status: "sent", to: DIGITS });
    expect(receivedBy(sms.hook, "message:received")[0]).toMatchObject({ from: DIGITS, chat: DIGITS });
    expect(await said(id)).not.toContain("s.whatsapp.net");
  });

  test("in lists of messages, in a message's timeline, and in its chat", async () => {
    const id = await sms.sent();
    await receiveSms();
    const [received, sent] = await listed(`?phoneId=${sms.phone.id}`);
    expect([received.from, sent.to]).toEqual([DIGITS, DIGITS]);
    const { body: timeline } = await w.gateway(`/v1/messages/${id}/timeline`, { key: sms.key });
    expect(timeline.message.to).toEqual(DIGITS);
    const { body: inChat } = await w.gateway(`/v1/chats/${sent.chatId}/messages`, { key: sms.key });
    expect(inChat.items).toEqual([received, sent]);
  });

  test.each([TO, SHORT_CODE])("of %s too, and finds the person by what it showed", async (number) => {
    await receiveSms(number);
    const { pn } = receivedBy(sms.hook, "message:received")[0].from;
    expect(pn).toBe(number);
    expect((await resolve(w, sms, pn)).body).toMatchObject({ canonicalKey: `pn:${number}`, pn: number, lid: null });
    expect((await listed(`?contact=${pn}`)).map(({ from }: any) => from.pn)).toEqual([number]);
  });

  test("in the sample that tries its webhook", async () => {
    const body = { type: "message:received" };
    const { status } = await w.gateway(`/v1/phones/${sms.phone.id}/webhook/test`, { key: sms.key, body });
    expect([status, JSON.stringify(sms.hook.arrived)]).toEqual([200, expect.not.stringContaining("s.whatsapp.net")]);
  });

  test("in what fails after the phone was deleted", async () => {
    poster.outcomes.push({ ok: false, kind: "retry", code: "UPSTREAM_UNAVAILABLE", reason: "busy" });
    const { status, body } = await sms.send();
    expect(status).toBe(202);
    await w.settle();
    await w.gateway(`/v1/phones/${sms.phone.id}`, { key: sms.key, method: "DELETE" });
    await w.advance(DAY_MS);
    expect(receivedBy(sms.hook, "message:status")).toEqual([
      expect.objectContaining({ messageId: body.messageId, status: "failed", to: DIGITS }),
    ]);
  });
});

test("what a deleted phone sent and received keeps the form of its network", async () => {
  await sms.sent();
  await receiveSms();
  await waba.sent();
  for (const { phone } of [sms, waba]) await w.gateway(`/v1/phones/${phone.id}`, { key: sms.key, method: "DELETE" });
  await w.advance(DAY_MS);
  const shown = (await listed("")).map(({ from, to }: any) => (from ?? to).pn);
  expect(shown).toEqual([CHAT_ADDRESS.pn, DIGITS.pn, DIGITS.pn]);
});

describe("one person, whom an official number and another network know,", () => {
  test("is shown by each phone in the form of its network, and found by both forms", async () => {
    await receiveSms();
    await postInbound(w, waba);
    await w.settle();
    expect(receivedBy(waba.hook, "message:received")[0].from).toMatchObject(CHAT_ADDRESS);
    expect(receivedBy(sms.hook, "message:received")[0].from).toEqual(DIGITS);
    for (const contact of [DIGITS.pn, CHAT_ADDRESS.pn, DIGITS.canonicalKey]) {
      const found = await listed(`?contact=${encodeURIComponent(contact)}`);
      expect(found.map(({ phoneId, from }: any) => [phoneId, from.pn])).toEqual([
        [waba.phone.id, CHAT_ADDRESS.pn],
        [sms.phone.id, DIGITS.pn],
      ]);
    }
    expect((await resolve(w, waba, TO)).body.pn).toBe(CHAT_ADDRESS.pn);
    expect((await resolve(w, sms, TO)).body.pn).toBe(DIGITS.pn);
  });

  test("is one contact, whose number is digits", async () => {
    await receiveSms();
    await postInbound(w, waba);
    await w.settle();
    const { items } = (await w.gateway("/v1/contacts", { key: sms.key })).body;
    expect(items).toEqual([expect.objectContaining({ phoneNumber: TO, canonicalKey: `pn:${TO}` })]);
  });
});
