import { beforeEach, expect, test } from "bun:test";
import { holdBack, release } from "../../../support/customers/customer.ts";
import type { Receiver } from "../../../support/servers/receiver.ts";
import {
  type Customer,
  connectedChannel,
  customer,
  made,
  RECIPIENT,
  rowsOf,
  sendText,
  wabaChannel,
  webhookAt,
} from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";
import type { Answer } from "../../../support/world.ts";

const RECEIPTS = ["message.sent", "message.delivered", "message.read"];

const w = useWorld();
let who: Customer;
let hook: Receiver;
let channelId: string;
beforeEach(async () => {
  who = await customer(w);
  hook = w.receiver();
  await webhookAt(w, who.key, hook, { events: RECEIPTS });
  channelId = (await wabaChannel(w, who.key)).id;
});

const move = (id: string, status: unknown, key = who.testKey): Promise<Answer> =>
  w.platform(`/v1/sandbox/messages/${id}/status`, { key, body: { status } });
const get = async (id: string) => made(await w.platform(`/v1/messages/${id}`, { key: who.key }), 200);
const webhooks = async () => {
  await w.settle();
  return hook.arrived.map(({ body }) => body);
};
const now = () => new Date(w.clock.now()).toISOString();

/** A message that a test key sent: the simulator has taken it and has yet to say what became of it. */
const sent = async (): Promise<string> => {
  const { messageId } = made(await sendText(w, who.testKey, channelId), 202);
  expect((await webhooks()).map(({ type }) => type)).toEqual(["message.sent"]);
  return messageId;
};
/** The same while it still waits for its turn. */
const queued = async (): Promise<string> => {
  await sent();
  hook.arrived.length = 0;
  await holdBack(w, `channel:${channelId}/test`);
  return made(await sendText(w, who.testKey, channelId), 202).messageId;
};

test("P-157 P-365 a message is delivered, then read: one event each, marked test; the answer is the message", async () => {
  const id = await sent();
  const before = await get(id);
  expect(before).toMatchObject({ status: "SENT", environment: "test" });
  expect(await move(id, "delivered")).toMatchObject({
    status: 200,
    body: { ...before, status: "DELIVERED", deliveredAt: now() },
  });
  const { status, body } = await move(id, "read");
  expect([status, body]).toEqual([200, { ...before, status: "READ", deliveredAt: now(), readAt: now() }]);
  expect(await get(id)).toEqual(body);
  const common = { messageId: id, channelId, institutionId: who.id, to: RECIPIENT, environment: "test" };
  expect((await webhooks()).slice(1)).toMatchObject([
    { ...common, event: "message:delivered", status: "delivered" },
    { ...common, event: "message:read", status: "read" },
  ]);
});

test("P-365 P-323 a status of the simulator that has been passed publishes nothing", async () => {
  const id = await sent();
  made(await move(id, "read"), 200);
  await w.advance(10_000);
  expect((await webhooks()).map(({ type }) => type)).toEqual(["message.sent", "message.read"]);
  expect((await get(id)).status).toBe("READ");
});

test("P-365 GAP-C16 forward only: what a message has passed changes nothing and publishes nothing", async () => {
  const id = await sent();
  made(await move(id, "read"), 200);
  const [before, published] = [await get(id), (await webhooks()).length];
  await w.advance(1000);
  for (const status of ["sent", "delivered", "read"])
    expect([status, (await move(id, status)).body]).toEqual([status, before]);
  expect(await webhooks()).toHaveLength(published);
});

test("P-365 P-229 failed is the end: nothing comes after it, and no event is published", async () => {
  const id = await sent();
  const failed = made(await move(id, "failed"), 200);
  expect(failed).toMatchObject({
    status: "FAILED",
    failedReason: expect.stringMatching(/^\[UPSTREAM_BAD_REQUEST\] ./),
  });
  for (const status of ["sent", "delivered", "read", "failed"]) expect((await move(id, status)).body).toEqual(failed);
  await w.advance(10_000);
  expect(await get(id)).toEqual(failed);
  expect(await webhooks()).toHaveLength(1);
});

test.each([
  ["sent", "SENT"],
  ["delivered", "DELIVERED"],
  ["read", "READ"],
  ["failed", "FAILED"],
])("P-365 a message that still waits can be %s, and is not sent any more", async (status, shown) => {
  const id = await queued();
  expect((await get(id)).status).toBe("QUEUED");
  expect(made(await move(id, status), 200).status).toBe(shown);
  await release(w, `channel:${channelId}/test`);
  await w.advance(10_000);
  expect((await get(id)).status).toBe(shown);
  expect((await webhooks()).filter(({ messageId }) => messageId === id).map(({ type }) => type)).toEqual(
    status === "failed" ? [] : [`message.${status}`],
  );
});

test("P-365 two that wait can both be moved on", async () => {
  const ids = [await queued(), made(await sendText(w, who.testKey, channelId), 202).messageId];
  for (const id of ids) expect(made(await move(id, "delivered"), 200).status).toBe("DELIVERED");
});

test("P-365 a really sent, received, foreign or unknown message is MESSAGE_NOT_FOUND, without effect", async () => {
  const [stranger, real] = [await customer(w), await connectedChannel(w, who)];
  const { id: theirChannel } = await wabaChannel(w, stranger.key);
  const theirs = made(await sendText(w, stranger.testKey, theirChannel), 202).messageId;
  const live = made(await sendText(w, who.key, real.id), 202).messageId;
  const received = made(
    await w.platform(`/v1/sandbox/channels/${channelId}/messages`, {
      key: who.testKey,
      body: { from: RECIPIENT, text: "oi" },
    }),
    202,
  ).messageId;
  await w.settle();
  const before = [
    await get(live),
    await get(received),
    await rowsOf(w, who.id),
    await rowsOf(w, stranger.id),
    await webhooks(),
  ];
  for (const id of [live, received, theirs, "none"])
    for (const status of ["delivered", "failed"])
      expect(await move(id, status)).toMatchObject({
        status: 404,
        body: { message: expect.any(String), code: "MESSAGE_NOT_FOUND" },
      });
  expect([
    await get(live),
    await get(received),
    await rowsOf(w, who.id),
    await rowsOf(w, stranger.id),
    await webhooks(),
  ]).toEqual(before);
});

test.each([[undefined], [null], ["SENT"], ["queued"], ["played"], [""], [5], [["sent"]]])(
  "P-365 the status %j is refused by its name, and nothing happens",
  async (status) => {
    const id = await sent();
    const before = await get(id);
    expect(await move(id, status)).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", errors: [{ path: "status" }] },
    });
    expect([await get(id), (await webhooks()).length]).toEqual([before, 1]);
  },
);

test("P-157 a live key and a user's token are FORBIDDEN_PERMISSION, and nothing happens", async () => {
  const id = await sent();
  const before = await get(id);
  for (const as of [{ key: who.key }, { token: who.token }])
    expect(await w.platform(`/v1/sandbox/messages/${id}/status`, { ...as, body: { status: "read" } })).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN_PERMISSION" },
    });
  expect([await get(id), (await webhooks()).length]).toEqual([before, 1]);
});
