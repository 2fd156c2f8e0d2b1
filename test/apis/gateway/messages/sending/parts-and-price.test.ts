import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { ProviderMessageId } from "../../../../../src/contract/events.ts";
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

const sent = async (text: string) => {
  const body = { phoneId, to: "anna.7", type: "text", content: { text } };
  const id: string = (await w.gateway("/v1/messages", { key, body })).body.messageId;
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
