import { beforeEach, expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { type Customer, holdBack, receivedBy, release, TO } from "../../../support/customers/customer.ts";
import { type OperationName, operate } from "../../../support/customers/operations.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { useWorld } from "../../../support/use-world.ts";

// a SESSION phone on a network that does whatever it is asked
const w = useWorld({ simulated: true });
let who: Pick<Customer, "key" | "phone" | "hook">;
let ids: { inbound: string; text: string };
beforeEach(async () => {
  const { key } = await w.account();
  const hook = w.receiver();
  const { body } = await w.gateway("/v1/phones", {
    key,
    body: { type: "SESSION", label: "A phone", webhook: { url: hook.url, secret: "a secret of 16 characters" } },
  });
  who = { key, phone: { id: body.id, phoneNumberId: "", accessToken: "", number: "" }, hook };
  await hook.received(1); // connected
  const sent = await w.gateway("/v1/messages", {
    key,
    body: { phoneId: body.id, to: TO, type: "text", content: { text: "olá" } },
  });
  await w.settle();
  await w.advance(1000);
  await hook.received(5); // sent, delivered, read, and the answer
  await w.settle();
  ids = { inbound: receivedBy(hook, "message:received").at(-1).messageId, text: sent.body.messageId };
  hook.arrived.length = 0;
});
const receivedOf = async (name: OperationName, id: string, input: object = {}) => {
  who.hook.arrived.length = 0;
  expect([name, gatewaySays(await operate(w, who, [name, id], input))]).toEqual([name, "202"]);
  await w.settle();
  return who.hook.arrived.map(({ body }) => [body.type, body.data]);
};
const statusOf = async (id: string) => (await w.gateway(`/v1/messages/${id}`, { key: who.key })).body.status;

test("G-451 G-459 GAP-G46 an edit is published with its text once it is done", async () => {
  const editedAt = new Date(w.clock.now()).toISOString();
  expect(await receivedOf("edit", ids.text, { text: "novo" })).toEqual([
    ["message:edited", { messageId: ids.text, text: "novo", editedAt }],
  ]);
  expect(await statusOf(ids.text)).toBe("READ");
});

test("G-457 G-458 GAP-G38 a deletion is published as the status deleted, for what was sent and what came, and the stored status stays", async () => {
  for (const id of [ids.text, ids.inbound])
    expect(await receivedOf("delete", id)).toEqual([
      [
        "message:status",
        expect.objectContaining({
          messageId: id,
          status: "deleted",
          to: expect.objectContaining({ canonicalKey: `pn:${TO}` }),
        }),
      ],
    ]);
  expect(await statusOf(ids.text)).toBe("READ");
});

test("G-449 G-452 an edit of 1 to 4096 characters is done for 15 minutes; later it is taken, changes nothing and is not published", async () => {
  for (const text of ["x", "😀".repeat(4096)]) expect(await receivedOf("edit", ids.text, { text })).toHaveLength(1);
  await w.advance(15 * MINUTE_MS - 1000);
  expect(await receivedOf("edit", ids.text)).toHaveLength(1);
  await w.advance(1);
  expect(await receivedOf("edit", ids.text)).toEqual([]);
});

test("G-456 GAP-G47 a deletion is done for 2 days; later it is taken and has no effect", async () => {
  await w.advance(2 * DAY_MS - 1000);
  expect(await receivedOf("delete", ids.text)).toHaveLength(1);
  await w.advance(1001);
  for (const id of [ids.text, ids.inbound]) expect(await receivedOf("delete", id)).toEqual([]);
});

test("G-442 the keys of a SESSION phone are kept beyond 7 days", async () => {
  await w.advance(30 * DAY_MS);
  for (const id of [ids.text, ids.inbound])
    expect(await receivedOf("react", id)).toEqual([
      ["message:reaction", expect.objectContaining({ messageId: id, emoji: "👍" })],
    ]);
});

test("GAP-G47 what a message can never take is refused here too", async () => {
  for (const [name, id] of [
    ["edit", ids.inbound],
    ["read", ids.text],
    ["typing", ids.text],
  ] as const)
    expect([name, gatewaySays(await operate(w, who, [name, id]))]).toEqual([name, "400 UNSUPPORTED_TYPE"]);
});

test("an edit that was asked for in time and could not be done in time is published as failed", async () => {
  await holdBack(w, `channel:${who.phone.id}`);
  expect((await operate(w, who, ["edit", ids.text])).status).toBe(202);
  await w.advance(15 * MINUTE_MS);
  await release(w, `channel:${who.phone.id}`);
  expect(receivedBy(who.hook)).toEqual([
    {
      messageId: ids.text,
      operation: "edit",
      code: "CHANNEL_UNAVAILABLE",
      reason: "no connection to the network in time",
    },
  ]);
});
