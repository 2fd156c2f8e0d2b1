import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { BIA, EVENTS } from "../../../support/customers/conversations.ts";
import type { Receiver } from "../../../support/servers/receiver.ts";
import {
  newSessionPhone,
  type SessionNetwork,
  sessionNetwork,
  textFrom,
} from "../../../support/session/scripted-sends.ts";
import { type Customer, customer, gatewayKeyOf, made, sendText, webhookAt } from "../../../support/tenants/platform.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { startWorld, type World } from "../../../support/world.ts";

const LONG = "5511992220001";
const SHORT = "551192220001";

let network: SessionNetwork;
let w: World;
let who: Customer;
let channelId: string;
let hook: Receiver;
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [network.plugin] });
});
beforeEach(async () => {
  who = await customer(w);
  channelId = await newSessionPhone(w, await gatewayKeyOf(w, who));
  hook = w.receiver();
  await webhookAt(w, who.key, hook, { events: EVENTS });
  // an endpoint that answers well gets several deliveries at once
  await network.notify(channelId, textFrom("5511900000000"));
  await w.settle();
  hook.arrived.length = 0;
});
afterAll(() => w.stop());

const types = () => hook.arrived.map(({ body }) => body.type);
/**
 * The events of a conversation that arrive while the next `held` is on its way, as far as others do not wait for it;
 * then it arrives.
 */
const receivedDuring = async (held: string, work: () => Promise<void>): Promise<string[]> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isHeld = false;
  hook.reply(async ({ body }) => {
    if (body.type !== held || isHeld) return new Response("ok");
    isHeld = true;
    await promise;
    return new Response("ok");
  });
  await work();
  made(await sendText(w, who.key, channelId, { to: BIA }), 202); // of another chat, and published last
  await untilTrue(() => hook.arrived.some(({ body }) => body.type === "message.sent" && body.to === BIA));
  const before = types();
  resolve();
  await w.settle();
  return before;
};

describe("the events of one conversation come in order, one after the other", () => {
  test("P-324 P-325 however the network spells the number", async () => {
    made(await sendText(w, who.key, channelId, { to: LONG }), 202);
    await w.settle();
    const [{ id }] = made(
      await w.platform(`/v1/conversations?contactId=${hook.arrived[0]?.body.contact.id}`, { key: who.key }),
      200,
    ).data;
    const during = await receivedDuring("message.received", async () => {
      await network.notify(channelId, textFrom(SHORT));
      made(await w.platform(`/v1/conversations/${id}/close`, { key: who.key, method: "POST" }), 200);
    });
    expect(during).not.toContain("conversation.closed");
    expect(types().at(-1)).toBe("conversation.closed");
  });

  test("P-324 P-325 also of one that is closed because two contacts turned out to be one person", async () => {
    made(await sendText(w, who.key, channelId, { to: LONG }), 202);
    await w.settle();
    const during = await receivedDuring("conversation.created", async () => {
      await network.notify(channelId, textFrom("", { from: { lid: "77" }, chat: { lid: "77" } }));
      await hook.received(5);
      await network.notify(channelId, textFrom("", { from: { lid: "77", pn: SHORT }, chat: { lid: "77", pn: SHORT } }));
    });
    expect(during).not.toContain("conversation.closed");
    expect(types()).toContain("conversation.closed");
  });
});
