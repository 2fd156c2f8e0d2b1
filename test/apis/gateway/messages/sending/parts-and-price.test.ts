import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { ProviderMessageId } from "../../../../../src/contract/events.ts";
import { iso } from "../../../../../src/kernel/clock.ts";
import { receivedBy } from "../../../../support/customers/customer.ts";
import { type PagerNetwork, pagerNetwork } from "../../../../support/networks/pager.ts";
import { startWorld, untilConnected, WEBHOOK_SECRET, type World } from "../../../../support/world.ts";

let w: World;
let network: PagerNetwork;
let key: string;
let phoneId: string;
let hook: ReturnType<World["receiver"]>;
beforeAll(async () => {
  network = pagerNetwork();
  w = await startWorld({ plugins: [network.plugin] });
  ({ key } = await w.account());
  hook = w.receiver();
  network.tokens.add("pg-6000001");
  const webhook = { url: hook.url, secret: WEBHOOK_SECRET };
  const body = { type: "PAGER", label: "Night shift", credentials: { token: "pg-6000001" }, webhook };
  phoneId = (await w.gateway("/v1/phones", { key, body })).body.id;
  await untilConnected(w, phoneId);
});
beforeEach(() => {
  network.measured = {};
});
afterAll(() => w.stop());

const sent = async (text: string, by: { key: string; phoneId: string } = { key, phoneId }) => {
  const body = { phoneId: by.phoneId, to: "anna.7", type: "text", content: { text } };
  const id: string = (await w.gateway("/v1/messages", { key: by.key, body })).body.messageId;
  await w.settle();
  return { id, key: network.sent.find((page) => page.text === text)?.key ?? ("" as ProviderMessageId) };
};
/** The parts and the price of a message, as the message, the list and the newest event of a status show them. */
const shown = async (id: string, status: string) => {
  const { body: message } = await w.gateway(`/v1/messages/${id}`, { key });
  const { body: page } = await w.gateway(`/v1/messages?phoneId=${phoneId}`, { key });
  const listed = page.items.find((one: { id: string }) => one.id === id);
  const event = receivedBy(hook, "message:status").findLast((one) => one.messageId === id && one.status === status);
  return [message, listed, event].map(({ parts, price }) => ({ parts, price }));
};
const thrice = <Shown>(one: Shown): Shown[] => [one, one, one];

describe("the parts and the price that a network names", () => {
  test("in the outcome of a send are shown with the message, in lists and in the event", async () => {
    network.measured = { parts: 2, price: { amount: 90_000, currency: "BRL" } };
    const { id } = await sent("two segments");
    expect(await shown(id, "sent")).toEqual(thrice({ parts: 2, price: { amountMicros: 90_000, currency: "BRL" } }));
  });

  test("in a receipt replace those of the send, and what it does not name stays", async () => {
    network.measured = { parts: 2, price: { amount: 90_000, currency: "BRL" } };
    const message = await sent("dearer");
    const price = { amount: 95_000, currency: "USD" };
    await network.notify(phoneId, { kind: "receipt", key: message.key, at: 0, status: "delivered", price });
    await w.settle();
    expect(await shown(message.id, "delivered")).toEqual(
      thrice({ parts: 2, price: { amountMicros: 95_000, currency: "USD" } }),
    );
  });

  test("are absent while the network has not named them", async () => {
    const { id } = await sent("free");
    const { body } = await w.gateway(`/v1/messages/${id}`, { key });
    expect([Object.hasOwn(body, "parts"), Object.hasOwn(body, "price")]).toEqual([false, false]);
  });
});

describe("the prices that a network names", () => {
  let tokens = 6_100_000;
  /** An account with two phones. */
  const twoPhones = async () => {
    const account = await w.account();
    const phones: { key: string; phoneId: string }[] = [];
    while (phones.length < 2) {
      const token = `pg-${++tokens}`;
      network.tokens.add(token);
      const body = { type: "PAGER", label: "Shift", credentials: { token } };
      const { id } = (await w.gateway("/v1/phones", { key: account.key, body })).body;
      await untilConnected(w, id);
      phones.push({ key: account.key, phoneId: id });
    }
    const [day, night] = phones;
    if (!day || !night) throw new Error("an account has two phones");
    return { key: account.key, day, night };
  };
  const charged = async (by: { key: string }) => {
    const { lines } = (await w.gateway("/v1/billing/ledger", { key: by.key })).body;
    const { networkCharges, wabaPassthroughCents, costCents } = (await w.gateway("/v1/usage", { key: by.key })).body;
    return {
      lines,
      networkCharges,
      cents: [wabaPassthroughCents, costCents],
    };
  };
  const line = (phone: { phoneId: string }, currency: string, count: number, amountMicros: number) => ({
    day: iso(w.app.env.clock.now()).slice(0, 10),
    phoneId: phone.phoneId,
    country: null,
    category: null,
    type: null,
    state: "STATED",
    currency,
    count,
    amountMicros,
  });
  const usage = (currency: string, count: number, amountMicros: number) => ({
    category: "",
    state: "STATED",
    currency,
    count,
    amountMicros,
  });

  test("add up in the ledger by phone and in the usage by currency, and cost nothing here", async () => {
    const account = await twoPhones();
    const before = (await charged(account)).cents;
    for (const [amount, currency, phone] of [
      [90_000, "BRL", account.day],
      [95_000, "BRL", account.day],
      [7500, "USD", account.day],
      [80_000, "BRL", account.night],
    ] as const) {
      network.measured = { price: { amount, currency } };
      await sent(`${currency} ${amount}`, phone);
    }
    const found = await charged(account);
    expect(new Set(found.lines)).toEqual(
      new Set([
        line(account.day, "BRL", 2, 185_000),
        line(account.day, "USD", 1, 7500),
        line(account.night, "BRL", 1, 80_000),
      ]),
    );
    expect(new Set(found.networkCharges)).toEqual(new Set([usage("BRL", 3, 265_000), usage("USD", 1, 7500)]));
    expect(found.cents).toEqual(before);
  });

  test("count once for each message, however often they are said, and as they were said last", async () => {
    const account = await twoPhones();
    network.measured = { parts: 2, price: { amount: 90_000, currency: "BRL" } };
    const message = await sent("repeated", account.day);
    const say = (fields: object) =>
      network.notify(account.day.phoneId, { kind: "receipt", key: message.key, at: 0, status: "delivered", ...fields });
    await say({ price: { amount: 90_000, currency: "BRL" } });
    await say({ price: { amount: 90_000, currency: "BRL" } });
    await w.settle();
    expect((await charged(account)).networkCharges).toEqual([usage("BRL", 1, 90_000)]);
    await say({ parts: 2 });
    await say({ price: { amount: 16_000, currency: "USD" } });
    await w.settle();
    expect((await charged(account)).networkCharges).toEqual([usage("USD", 1, 16_000)]);
  });
});
