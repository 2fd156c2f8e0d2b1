import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Received } from "../../src/contract/events.ts";
import { ANA, BIA, EVENTS } from "../support/customers/conversations.ts";
import type { Receiver } from "../support/servers/receiver.ts";
import { newSessionPhone, type SessionNetwork, sessionNetwork, textFrom } from "../support/session/scripted-sends.ts";
import { type Customer, customer, gatewayKeyOf, made, webhookAt } from "../support/tenants/platform.ts";
import { startWorld, type World } from "../support/world.ts";

/** The bytes of a message that names Bia. */
const RAW = Buffer.from(`\u00f2\u000b mentions ${BIA}@s.whatsapp.net`, "latin1").toString("base64");

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
});
afterAll(() => w.stop());

const comes = async (event: Received) => {
  await network.notify(channelId, event);
  await w.settle();
};
const unsupported: Partial<Received> = {
  content: { type: "unsupported", content: { originalType: "field190" } },
  raw: RAW,
};
const stored = () =>
  w.app.env.db.read(async (reader) =>
    reader.rows<{ type: string; raw: string | null }>("SELECT type, raw FROM received_messages WHERE channel_id = ?1", [
      channelId,
    ]),
  );
const people = (path: string, body: object) => w.gateway(`/v1/admin/people/${path}`, { admin: true, body });

test("G-610 the bytes of a message that could not be read are kept beside it, and not published", async () => {
  await comes({ ...textFrom(ANA, { at: 1000 }), ...unsupported });
  expect(await stored()).toEqual([{ type: "unsupported", raw: RAW }]);
  expect(hook.arrived.map(({ body }) => body.type)).toContain("message.received");
  expect(JSON.stringify(hook.arrived.map(({ body }) => body))).not.toContain(RAW);
  const { data } = made(await w.platform("/v1/conversations", { key: who.key }), 200);
  const page = made(await w.platform(`/v1/conversations/${data[0].id}/messages`, { key: who.key }), 200);
  expect(page.data).toMatchObject([{ type: "unsupported", content: { originalType: "field190" } }]);
  expect(JSON.stringify(page)).not.toContain("raw");
});

test("the content that follows a placeholder has its bytes, too", async () => {
  const first = textFrom(ANA, { at: 2000 });
  await comes({ ...first, ...unsupported, raw: "", isPlaceholder: true });
  await comes({ ...first, ...unsupported });
  expect(await stored()).toEqual([{ type: "unsupported", raw: RAW }]);
});

test("a person's export has the bytes, and the erasure of somebody whom they name empties them", async () => {
  await comes({ ...textFrom(ANA, { at: 3000 }), ...unsupported });
  expect((await people("export", { person: ANA })).text).toContain(RAW);
  made(await people("erase", { person: BIA }), 202);
  await w.settle();
  expect(await stored()).toEqual([{ type: "unsupported", raw: null }]);
  made(await people("erase", { person: ANA }), 202);
  await w.settle();
  expect(await stored()).toEqual([]);
});
