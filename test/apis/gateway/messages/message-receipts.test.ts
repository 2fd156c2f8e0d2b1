import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { ProviderMessageId, Receipt } from "../../../../src/contract/events.ts";
import { SECOND_MS } from "../../../../src/kernel/clock.ts";
import type { Customer } from "../../../support/customers/customer.ts";
import { newSessionCustomer, type SessionNetwork, sessionNetwork } from "../../../support/session/scripted-sends.ts";
import { startWorld, type World } from "../../../support/world.ts";

const GROUP = "120363041234567890";
const ANA = "5511999990001";
const BIA = "5511999990002";

let network: SessionNetwork;
let w: World;
let c: Customer;
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [network.plugin], env: { RECADO_GATEWAY_RATE: "100000" } });
});
beforeEach(async () => {
  c = await newSessionCustomer(w);
  network.sent.length = 0;
});
afterAll(() => w.stop());

const sent = async (to: string) => {
  const id = await c.sent({ to });
  return { id, key: network.sent.find(({ order }) => order.messageId === id)?.order.key as ProviderMessageId };
};
const receipts = (id: string, key = c.key) => w.gateway(`/v1/messages/${id}/receipts`, { key });
const arrives = async (receipt: Omit<Receipt, "kind" | "at">, seconds: number) => {
  await network.notify(c.phone.id, { kind: "receipt", at: w.clock.now() + seconds * SECOND_MS, ...receipt });
  await w.settle();
};
const iso = (seconds: number) => new Date(w.clock.now() + seconds * SECOND_MS).toISOString();

describe("the receipts of a message to a group", () => {
  test("are of each member, with the first time of each kind, in their order, also where only the LID is known", async () => {
    const { id, key } = await sent(`${GROUP}@g.us`);
    expect((await receipts(id)).body).toEqual({ items: [] });
    await arrives({ key, status: "delivered", by: { pn: ANA, lid: "111" } }, 1);
    await arrives({ key, status: "delivered", by: { lid: "222" } }, 2);
    await arrives({ key, status: "delivered", by: { pn: ANA, lid: "111" } }, 3); // by another device
    await arrives({ key, status: "read", by: { lid: "222" } }, 4);
    await arrives({ key, status: "read", by: { lid: "222" } }, 5);
    await arrives({ key, status: "read", isPlayed: true, by: { pn: BIA } }, 6);
    const { status, body } = await receipts(id);
    expect(status).toBe(200);
    expect(body.items).toMatchObject([
      { person: { pn: `${ANA}@s.whatsapp.net` }, deliveredAt: iso(1), readAt: null, playedAt: null },
      { person: { pn: null, lid: "222@lid" }, deliveredAt: iso(2), readAt: iso(4), playedAt: null },
      { person: { pn: `${BIA}@s.whatsapp.net` }, deliveredAt: iso(6), readAt: iso(6), playedAt: iso(6) },
    ]);
  });

  test("are one person's once the number behind a LID is known", async () => {
    const { id, key } = await sent(`${GROUP}@g.us`);
    await arrives({ key, status: "delivered", by: { lid: "333" } }, 1);
    await arrives({ key, status: "read", to: { pn: BIA, lid: "333" }, by: { pn: BIA, lid: "333" } }, 2);
    expect((await receipts(id)).body.items).toMatchObject([
      { person: { pn: `${BIA}@s.whatsapp.net`, lid: "333@lid" }, deliveredAt: iso(1), readAt: iso(2) },
    ]);
  });

  test("are no reactions and no edits of the message in lists", async () => {
    const { id, key } = await sent(`${GROUP}@g.us`);
    await arrives({ key, status: "read", by: { pn: ANA } }, 1);
    const { body } = await w.gateway(`/v1/messages?phoneId=${c.phone.id}`, { key: c.key });
    expect(body.items).toMatchObject([{ id, reactions: [], editedAt: null, deletedAt: null, transcript: null }]);
  });
});

test("a message to a person has the receipts of the message, and whether the voice note was played", async () => {
  const { id, key } = await sent(ANA);
  await arrives({ key, status: "delivered", to: { pn: ANA }, by: { pn: ANA } }, 1);
  await arrives({ key, status: "read", isPlayed: true, to: { pn: ANA }, by: { pn: ANA } }, 2);
  expect((await receipts(id)).body.items).toMatchObject([
    { person: { canonicalKey: `pn:${ANA}` }, deliveredAt: iso(1), readAt: iso(2), playedAt: iso(2) },
  ]);
});

test("a received message, an unknown one and another account's have no receipts", async () => {
  const { id } = await sent(ANA);
  const other = await newSessionCustomer(w);
  for (const [asked, key] of [
    ["019a1b2c-2222-4a12-8b22-c32d42e52f02", c.key],
    [id, other.key],
  ] as const) {
    const { status, body } = await receipts(asked, key);
    expect([status, body.error.code]).toEqual([404, "MESSAGE_NOT_FOUND"]);
  }
});
