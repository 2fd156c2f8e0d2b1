import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SendOutcome } from "../../../src/contract/outcome.ts";
import { DAY_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import type { Customer } from "../../support/customer.ts";
import { newSessionCustomer, reported, type SessionNetwork, sessionNetwork } from "../../support/session-channel.ts";
import { startWorld, type World } from "../../support/world.ts";

const AWAY: SendOutcome = { ok: false, kind: "retry", code: "CHANNEL_UNAVAILABLE", reason: "the channel is not connected" };

let network: SessionNetwork;
let w: World;
let c: Customer;
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [network.plugin] });
  c = await newSessionCustomer(w);
});
afterAll(() => w.stop());

const textsSent = () => network.sent.map(({ order }) => (order.type === "text" ? order.content.text : order.type));

test("a link that is not open, although its channel seems connected, has sends wait in their order, and no such try counts", async () => {
  network.outcomes.push(...Array<SendOutcome>(10).fill(AWAY));
  const first = await c.sent({ content: { text: "first" } });
  for (let turn = 0; turn < 9; turn++) await w.advance(2 * SECOND_MS);
  expect(textsSent()).toEqual(Array(10).fill("first"));
  const second = await c.sent({ content: { text: "second" } });
  expect(await c.message(first)).toMatchObject({ status: "QUEUED" });
  await w.advance(2 * SECOND_MS);
  expect(textsSent().slice(10)).toEqual(["first", "second"]);
  expect([(await c.message(first)).status, (await c.message(second)).status]).toEqual(["SENT", "SENT"]);
});

test("what waits so goes out when the channel connects, and not before its time is over otherwise", async () => {
  network.outcomes.push(AWAY);
  const id = await c.sent({ content: { text: "third" } });
  expect(await c.message(id)).toMatchObject({ status: "QUEUED" });
  await reported(w, network, c.phone.id, { state: "CONNECTING" });
  await w.advance(DAY_MS / 2);
  expect(await c.message(id)).toMatchObject({ status: "QUEUED" });
  await reported(w, network, c.phone.id, { state: "CONNECTED", phoneNumber: "5511988887777" });
  await w.settle();
  expect(await c.message(id)).toMatchObject({ status: "SENT" });
});
