import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { ProviderMessageId, Receipt } from "../../../../src/contract/events.ts";
import type { SendOutcome } from "../../../../src/contract/outcome.ts";
import { iso, MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { type Customer, customerOf, receivedBy, TO } from "../../../support/customers/customer.ts";
import { until } from "../../../support/graph/fixture.ts";
import type { Receiver } from "../../../support/servers/receiver.ts";
import { newSessionPhone, type SessionNetwork, sessionNetwork } from "../../../support/session/scripted-sends.ts";
import { customer, gatewayKeyOf, made, sendText, webhookAt } from "../../../support/tenants/platform.ts";
import { startWorld, WEBHOOK_SECRET, type World } from "../../../support/world.ts";

// one tenant of both APIs, whose phone is a session
let network: SessionNetwork;
let w: World;
let c: Customer;
let platformHook: Receiver;
let send: () => Promise<string>;
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [network.plugin], env: { RECADO_GATEWAY_RATE: "100000" } });
});
beforeEach(async () => {
  const who = await customer(w);
  const key = await gatewayKeyOf(w, who);
  const hook = w.receiver();
  platformHook = w.receiver();
  const id = await newSessionPhone(w, key, { url: hook.url, secret: WEBHOOK_SECRET });
  await webhookAt(w, who.key, platformHook, { events: ["message.sent", "message.delivered", "message.read"] });
  c = customerOf(w, { accountId: who.id, key, hook, phone: { id, phoneNumberId: "", accessToken: "", number: "" } });
  send = async () => made(await sendText(w, who.key, id, { to: TO }), 202).messageId;
  network.sent.length = 0;
});
afterAll(() => w.stop());

const START = Date.parse("2026-11-20T12:00:00Z");
const at = (seconds: number) => Math.max(START, w.clock.now()) + seconds * SECOND_MS;
const keyOf = (id: string) => network.sent.find(({ order }) => order.messageId === id)?.order.key as ProviderMessageId;
const receipt = async (id: string, status: Receipt["status"], rest: Partial<Receipt> = {}) => {
  await network.notify(c.phone.id, { kind: "receipt", key: keyOf(id), at: at(5), status, to: { pn: TO }, ...rest });
  await w.settle();
};
const received = (): { gateway: string[]; platform: string[] } => ({
  gateway: receivedBy(c.hook, "message:status").map(({ status }) => status),
  platform: platformHook.arrived.map(({ body }) => body.status),
});
const bothReceived = (...statuses: string[]) => ({ gateway: statuses, platform: statuses });
/** Accepted, and on its way: the link has it and has not answered. */
const inFlight = async () => {
  const { promise, resolve } = Promise.withResolvers<SendOutcome>();
  network.outcomes.push(promise);
  const id = await send();
  await until(() => network.sent.length > 0);
  return { id, answer: resolve };
};

test("G-397 G-398 G-399 P-321 P-322 P-323 each step that the network reports is published to both APIs, in order", async () => {
  const id = await send();
  await w.settle();
  for (const status of ["delivered", "read"] as const) await receipt(id, status);
  expect(received()).toEqual(bothReceived("sent", "delivered", "read"));
});

test("G-398 G-399 a read alone means that the message was delivered, too, and sets both times", async () => {
  const id = await send();
  await w.settle();
  const readAt = at(7);
  await receipt(id, "read", { at: readAt });
  expect(received()).toEqual(bothReceived("sent", "delivered", "read"));
  expect(await c.message(id)).toMatchObject({ status: "READ", deliveredAt: iso(readAt), readAt: iso(readAt) });
});

test("GAP-C16 late and repeated receipts change nothing and are not published", async () => {
  const id = await send();
  await w.settle();
  await receipt(id, "read");
  const read = await c.message(id);
  for (const status of ["delivered", "sent", "read"] as const) await receipt(id, status, { at: at(60) });
  expect(await c.message(id)).toEqual(read);
  expect(received()).toEqual(bothReceived("sent", "delivered", "read"));
});

test.each([
  ["delivered", ["sent", "delivered"]],
  ["read", ["sent", "delivered", "read"]],
] as const)(
  "a receipt %s that overtakes the network's own answer publishes all that it stands for, and the answer nothing more",
  async (status, steps) => {
    const { id, answer } = await inFlight();
    await network.notify(c.phone.id, { kind: "receipt", key: keyOf(id), at: at(5), status, to: { pn: TO } });
    answer({ ok: true, key: keyOf(id) });
    await w.settle();
    expect(received()).toEqual(bothReceived(...steps));
    expect(await c.message(id)).toMatchObject({ status: status.toUpperCase(), sentAt: expect.any(String) });
    expect(network.sent).toHaveLength(1);
  },
);

test("a late answer of the network ends the doubt about a send, and it is not repeated", async () => {
  network.outcomes.push({ ok: false, kind: "unknown", code: "OUTCOME_UNKNOWN", reason: "no answer came" });
  const id = await send();
  await w.settle();
  expect((await c.message(id)).status).toBe("QUEUED");
  await receipt(id, "sent");
  await w.advance(2 * MINUTE_MS);
  expect([(await c.message(id)).status, network.sent.length]).toEqual(["SENT", 1]);
  expect(received()).toEqual(bothReceived("sent"));
});

describe("G-400 G-622 G-643 a refusal that comes late ends the message", () => {
  test.each([
    [
      "with what it means, where the link knows",
      { code: 463, reason: "the account may not write to new people", failure: "UPSTREAM_ACCOUNT_RESTRICTED" },
      "UPSTREAM_ACCOUNT_RESTRICTED",
    ],
    ["as a bad request otherwise", { code: 479, reason: "the network refused it" }, "UPSTREAM_BAD_REQUEST"],
  ] as const)("%s", async (_, error, code) => {
    network.outcomes.push({ ok: false, kind: "unknown", code: "OUTCOME_UNKNOWN", reason: "no answer came" });
    const id = await send();
    await w.settle();
    await receipt(id, "failed", { error });
    expect(await c.message(id)).toMatchObject({ status: "FAILED", failedReason: `[${code}] ${error.reason}` });
    expect(receivedBy(c.hook, "message:status")).toMatchObject([
      { messageId: id, status: "failed", errors: [{ code: error.code, title: code, message: error.reason }] },
    ]);
    await w.advance(2 * MINUTE_MS);
    expect(network.sent).toHaveLength(1);
  });
});
