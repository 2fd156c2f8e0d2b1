import { expect, test } from "bun:test";
import type { Broadcast } from "../../../src/contract/events.ts";
import { EVENTS, storedRowsOf } from "../../support/customers/conversations.ts";
import { newSessionPhone, sessionNetwork } from "../../support/session/scripted-sends.ts";
import { customer, gatewayKeyOf, webhookAt } from "../../support/tenants/platform.ts";
import { startWorld, WEBHOOK_SECRET } from "../../support/world.ts";

test("W26-5 a status and a post are events of the gateway, once each, and belong to nobody's conversation", async () => {
  const network = sessionNetwork();
  const w = await startWorld({ plugins: [network.plugin] });
  const who = await customer(w);
  const key = await gatewayKeyOf(w, who);
  const channelId = await newSessionPhone(w, key);
  const [platform, gateway] = [w.receiver(), w.receiver()];
  await webhookAt(w, who.key, platform, { events: EVENTS });
  const webhook = { url: gateway.url, secret: WEBHOOK_SECRET };
  expect((await w.gateway(`/v1/phones/${channelId}`, { key, method: "PATCH", body: { webhook } })).status).toBe(200);
  const broadcast = (id: string, more: Partial<Broadcast>): Broadcast => ({
    kind: "broadcast",
    key: id as Broadcast["key"],
    at: 1_795_000_000_000,
    pushName: null,
    content: { type: "text", content: { text: "na praia" } },
    ...more,
  });
  const status = broadcast("S1", { from: { pn: "5511911110001", lid: "978001" }, pushName: "Ana" });
  const post = broadcast("S1", { newsletter: "120363000000000009" });
  for (const event of [status, status, post, post]) await network.notify(channelId, event);
  await w.settle();
  const said = { type: "text", timestamp: "2026-11-18T11:06:40.000Z", content: { text: "na praia" } };
  const ofBroadcasts = gateway.arrived.map(({ body }) => body).filter(({ type }) => type.endsWith(":received"));
  expect(ofBroadcasts.map(({ type, data }) => [type, data])).toEqual([
    [
      "status:received",
      {
        ...said,
        from: expect.objectContaining({ canonicalKey: "pn:5511911110001", lid: "978001@lid" }),
        pushName: "Ana",
      },
    ],
    ["newsletter:received", { newsletterId: "120363000000000009", ...said }],
  ]);
  expect([platform.arrived, await storedRowsOf(w, who.id)]).toEqual([
    [],
    { contacts: 0, conversations: 0, received_messages: 0 },
  ]);
  await w.stop();
});
