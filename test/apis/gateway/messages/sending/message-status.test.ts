import { describe, expect, test } from "bun:test";
import { discardMessage } from "../../../../../src/core/messaging/sending/deliver.ts";
import type { MessageId } from "../../../../../src/kernel/ids.ts";
import { newCustomer, receivedBy, TO, wamidOf } from "../../../../support/customers/customer.ts";
import { gatewaySays } from "../../../../support/refusals.ts";
import { useEach, useWorld } from "../../../../support/use-world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

/** A receipt as the network posts it, with a time of its own. */
const receipt = async (messageId: string, status: "sent" | "delivered" | "read" | "failed", at: string) => {
  await w.graph.inbound.status({
    to: c.phone.phoneNumberId,
    from: TO,
    wamid: wamidOf(w, messageId),
    status,
    at: Date.parse(at),
  });
  await w.settle();
};

const statusesReceived = () => receivedBy(c.hook, "message:status").map(({ status }) => status);

test("G-390 G-391 G-392 a message has these fields and no others, and only our id", async () => {
  const id = await c.sent();
  const { status, body } = await w.gateway(`/v1/messages/${id}`, { key: c.key });
  expect(status).toBe(200);
  expect(body).toEqual({
    messageId: id,
    status: "SENT",
    sentAt: w.clock.now() > 0 ? new Date(w.clock.now()).toISOString() : "",
    deliveredAt: null,
    readAt: null,
    failedReason: null,
  });
});

test("G-395 an unknown id is not found, and neither is another account's", async () => {
  const theirs = await (await newCustomer(w)).sent();
  for (const id of ["0198a000-1111-4222-8333-444455556666", "nonsense", theirs])
    expect([id, gatewaySays(await w.gateway(`/v1/messages/${id}`, { key: c.key }))]).toEqual([
      id,
      "404 MESSAGE_NOT_FOUND",
    ]);
});

test("G-396 GAP-C07 a received message is published and not stored: its id is not found", async () => {
  await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "oi" });
  await w.settle();
  const [{ messageId }] = receivedBy(c.hook, "message:received");
  expect(gatewaySays(await w.gateway(`/v1/messages/${messageId}`, { key: c.key }))).toBe("404 MESSAGE_NOT_FOUND");
});

test("G-393 G-397 G-398 G-399 G-619 G-620 each state that is reached sets its time and is published, in lower case, under our id", async () => {
  const id = await c.sent();
  const sentAt = (await c.message(id)).sentAt;
  expect(await c.message(id)).toMatchObject({ status: "SENT", deliveredAt: null, readAt: null });
  await receipt(id, "delivered", "2026-11-20T12:00:05Z");
  expect(await c.message(id)).toMatchObject({
    status: "DELIVERED",
    sentAt,
    deliveredAt: "2026-11-20T12:00:05.000Z",
    readAt: null,
  });
  await receipt(id, "read", "2026-11-20T12:01:00Z");
  expect(await c.message(id)).toMatchObject({
    status: "READ",
    sentAt,
    deliveredAt: "2026-11-20T12:00:05.000Z",
    readAt: "2026-11-20T12:01:00.000Z",
  });
  const to = { canonicalKey: `pn:${TO}`, pn: `${TO}@s.whatsapp.net`, lid: null, type: "pn" };
  expect(receivedBy(c.hook, "message:status")).toMatchObject([
    { messageId: id, status: "sent", timestamp: sentAt, to },
    { messageId: id, status: "delivered", timestamp: "2026-11-20T12:00:05.000Z", to },
    { messageId: id, status: "read", timestamp: "2026-11-20T12:01:00.000Z", to },
  ]);
});

describe("receipts out of order", () => {
  test("G-398 GAP-C16 a read without a delivered sets both times to its own, and is published once", async () => {
    const id = await c.sent();
    await receipt(id, "read", "2026-11-20T12:00:07Z");
    expect(await c.message(id)).toMatchObject({
      status: "READ",
      deliveredAt: "2026-11-20T12:00:07.000Z",
      readAt: "2026-11-20T12:00:07.000Z",
    });
    expect(statusesReceived()).toEqual(["sent", "read"]);
  });

  test("G-398 GAP-C16 receipts of states that were passed already change nothing and are not published", async () => {
    const id = await c.sent();
    await receipt(id, "read", "2026-11-20T12:00:07Z");
    const read = await c.message(id);
    for (const late of ["delivered", "sent", "read"] as const) await receipt(id, late, "2026-11-20T12:00:09Z");
    expect(await c.message(id)).toEqual(read);
    expect(statusesReceived()).toEqual(["sent", "read"]);
  });

  test.each([
    [
      ["read", "delivered", "sent"],
      ["sent", "read"],
    ],
    [
      ["delivered", "sent", "read"],
      ["sent", "delivered", "read"],
    ],
    [
      ["sent", "delivered", "delivered", "read", "read"],
      ["sent", "delivered", "read"],
    ],
  ] as const)("GAP-C16 %p in one webhook are published as %p", async (posted, received) => {
    const id = await c.sent();
    await w.graph.deliverStatuses(wamidOf(w, id), [...posted], { isBatched: true });
    await w.settle();
    expect(statusesReceived()).toEqual([...received]);
    expect((await c.message(id)).status).toBe("READ");
  });

  test("GAP-C16 a receipt that overtakes the answer to the send is published, the answer no more", async () => {
    w.graph.configure({ autoStatuses: ["delivered"] });
    w.graph.failNext(1, { kind: "reset", isAccepted: true }, { phoneNumberId: c.phone.phoneNumberId });
    const id = await c.sent();
    w.graph.configure({ autoStatuses: [] });
    await w.graph.webhooks.settled();
    await w.settle();
    expect(statusesReceived()).toEqual(["delivered"]);
    const { status, sentAt, deliveredAt } = await c.message(id);
    expect([status, sentAt]).toEqual(["DELIVERED", deliveredAt]);
  });
});

describe("FAILED", () => {
  test.each([[[]], [["delivered"]], [["delivered", "read"]]] as const)(
    "G-400 GAP-G38 is reached after %p too, with a reason, and is published",
    async (before) => {
      const id = await c.sent();
      await w.graph.deliverStatuses(wamidOf(w, id), [...before, "failed"], { code: 131026 });
      await w.settle();
      expect(await c.message(id)).toMatchObject({
        status: "FAILED",
        failedReason: expect.stringMatching(/^\[UPSTREAM_BAD_REQUEST\] \(#131026\) /),
      });
      expect(receivedBy(c.hook, "message:status").at(-1)).toMatchObject({
        messageId: id,
        status: "failed",
        errors: [{ code: 131026, title: "UPSTREAM_BAD_REQUEST" }],
      });
    },
  );

  test("G-401 GAP-G38 is the end: no receipt changes it, and none is published", async () => {
    const id = await c.sent();
    await w.graph.deliverStatuses(wamidOf(w, id), ["failed"]);
    await w.settle();
    const failed = await c.message(id);
    for (const late of ["sent", "delivered", "read", "failed"] as const)
      await receipt(id, late, "2026-11-20T12:10:00Z");
    expect(await c.message(id)).toEqual(failed);
    expect(statusesReceived()).toEqual(["sent", "failed"]);
  });

  test("G-402 G-394 a number that is not on the network: at once, with code and reason", async () => {
    w.graph.failNext(1, { kind: "error", code: 131026 }, { phoneNumberId: c.phone.phoneNumberId });
    const id = await c.sent();
    expect(await c.message(id)).toMatchObject({
      status: "FAILED",
      sentAt: null,
      failedReason: expect.stringMatching(/^\[UPSTREAM_BAD_REQUEST\] .*131026/),
    });
    expect(statusesReceived()).toEqual(["failed"]);
  });

  test("G-402 a number that is not on the network, as the network reports it afterwards", async () => {
    w.graph.failNext(1, { kind: "failed-status", code: 131026 }, { phoneNumberId: c.phone.phoneNumberId });
    const id = await c.sent();
    await w.graph.webhooks.settled();
    await w.settle();
    expect((await c.message(id)).status).toBe("FAILED");
    expect(statusesReceived()).toEqual(["sent", "failed"]);
  });
});

test("G-393 a receipt without a time of its own is dated by when it came", async () => {
  const id = await c.sent();
  await w.graph.inbound.raw({
    object: "whatsapp_business_account",
    entry: [
      {
        id: "1",
        changes: [
          {
            field: "messages",
            value: {
              metadata: { phone_number_id: c.phone.phoneNumberId },
              statuses: [{ id: wamidOf(w, id), status: "read" }],
            },
          },
        ],
      },
    ],
  });
  await w.settle();
  const now = new Date(w.clock.now()).toISOString();
  expect(await c.message(id)).toMatchObject({ status: "READ", deliveredAt: now, readAt: now });
  expect(receivedBy(c.hook, "message:status").at(-1).timestamp).toBe(now);
});

test("what we decide ourselves never overrides what the network has reported", async () => {
  const id = (await c.sent()) as MessageId;
  await receipt(id, "delivered", "2030-01-01T00:00:00.000Z");
  await w.app.env.db.write((tx) => discardMessage(w.app.env, tx, { messageId: id }, "we gave up"));
  await w.settle();
  expect(await c.message(id)).toMatchObject({ status: "DELIVERED", failedReason: null });
  expect(statusesReceived()).toEqual(["sent", "delivered"]);
});

test("G-392 a network that counts whole seconds does not have a message read before it was sent", async () => {
  w.clock.advance(700);
  const id = await c.sent();
  const { sentAt } = await c.message(id);
  await receipt(id, "delivered", new Date(Math.floor(w.clock.now() / 1000) * 1000 - 5000).toISOString());
  expect(await c.message(id)).toMatchObject({ status: "DELIVERED", sentAt, deliveredAt: sentAt });
});
