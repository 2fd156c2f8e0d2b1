import { beforeAll, expect, test } from "bun:test";
import {
  type Customer,
  connectedChannel,
  customer,
  gatewayKeyOf,
  made,
  sendText,
} from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld();
let who: Customer;
beforeAll(async () => {
  who = await customer(w);
});

/** A message that a test key had somebody write to a channel that is really connected. */
const simulated = async () => {
  const channel = await connectedChannel(w, who);
  const { messageId } = made(
    await w.platform(`/v1/sandbox/channels/${channel.id}/messages`, {
      key: who.testKey,
      body: { from: "5511988887777", text: "olá" },
    }),
    202,
  );
  return { phoneId: channel.id, messageId: messageId as string, key: await gatewayKeyOf(w, who) };
};

test("P-119 a simulated message is unknown to the network: no operation applies, no real quote", async () => {
  const { phoneId, messageId, key } = await simulated();
  const before = w.graph.journal.length;
  for (const [operation, body] of [
    ["read", {}],
    ["react", { emoji: "👍" }],
  ] as const) {
    const answer = await w.gateway(`/v1/messages/${messageId}/${operation}`, { key, body: { phoneId, ...body } });
    expect([answer.status, answer.body.error.code]).toEqual([404, "MESSAGE_KEY_NOT_FOUND"]);
  }
  const quoting = await w.gateway("/v1/messages", {
    key,
    body: { phoneId, to: "5511988887777", type: "text", content: { text: "sim" }, quotedMessageId: messageId },
  });
  expect([quoting.status, quoting.body.error.code]).toEqual([404, "MESSAGE_KEY_NOT_FOUND"]);
  await w.settle();
  expect(w.graph.journal.length).toBe(before);
});

test("P-119 what a test key sends is from the number that it sees: the simulated one, where there is one", async () => {
  const { id } = made(
    await w.platform("/v1/channels", { key: who.key, body: { name: "A channel", type: "CHAT_SESSION" } }),
    201,
  );
  const { messageId } = made(await sendText(w, who.testKey, id), 202);
  const from = async () => made(await w.platform(`/v1/messages/${messageId}`, { key: who.testKey }), 200).from;
  expect(await from()).toBeNull();
  const { phoneNumber } = made(
    await w.platform(`/v1/sandbox/channels/${id}/connect`, { key: who.testKey, method: "POST" }),
    200,
  );
  expect(await from()).toBe(phoneNumber);
  const live = made(await sendText(w, who.key, id), 202).messageId;
  expect(made(await w.platform(`/v1/messages/${live}`, { key: who.key }), 200).from).toBeNull();
});
