import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { WAHA_ENV, wahaClientOf, wahaSays } from "../../support/apis/waha.ts";
import { pairedPhone, type SessionWorld, sessionWorld, untilEvents } from "../../support/session/world.ts";
import { untilTrue } from "../../support/waiting.ts";

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld(WAHA_ENV);
});
afterAll(() => s.stop());
afterEach(() => expect(s.net.stat.unhandled).toEqual([]));

test("labels are made, changed, given to a chat, and deleted; in the app too", async () => {
  const { customer, hook, owner } = await pairedPhone(s);
  const client = wahaClientOf(s.w, customer);
  const ana = s.contact();
  await owner.appState.share();
  await ana.say("oi", { to: owner });
  await untilEvents(s.w, hook, "message:received");
  const ask = (path: string, body?: object, method = body === undefined ? "GET" : "POST") =>
    client.ask(`/api/{session}/labels${path}`, { method, ...(body === undefined ? {} : { body }) });

  const lead = await ask("", { name: "Lead", colorHex: "#64C4FF" });
  expect([lead.status, lead.body]).toEqual([201, { id: "1", name: "Lead", color: 1, colorHex: "#64c4ff" }]);
  const vip = (await ask("", { name: "VIP", color: 5 })).body;
  for (const [body, says] of [
    [{ name: "Lead", color: 2 }, "400 name is the name of another label"],
    [{ name: "x" }, "400 color is required, or colorHex"],
    [{ name: "x", color: 1, colorHex: "#64c4ff" }, "400 colorHex must not stand beside color"],
  ] as const)
    expect(wahaSays(await ask("", body))).toBe(says);
  expect((await ask("", { name: "x", colorHex: "#123456" })).status).toBe(400);
  expect((await ask("")).body.map(({ name }: { name: string }) => name)).toEqual(["Lead", "VIP"]);

  const changed = { id: vip.id, name: "Cliente VIP", color: 0, colorHex: "#ff9485" };
  expect((await ask(`/${vip.id}`, { name: "Cliente VIP", color: 0 }, "PUT")).body).toEqual(changed);
  await s.net.until(() => owner.appState.value(["label_edit", vip.id])?.labelEditAction?.name === "Cliente VIP");

  const chat = `/chats/${ana.pn}@c.us`;
  expect((await ask(chat, { labels: [{ id: vip.id }] }, "PUT")).status).toBe(200);
  await untilEvents(s.w, hook, "chat:labelled");
  expect((await ask(chat)).body).toEqual([changed]);
  expect((await ask(`/${vip.id}/chats`)).body).toMatchObject([{ id: `${ana.pn}@c.us` }]);
  const { items } = (await s.w.gateway("/v1/chats", customer)).body;
  await s.w.gateway(`/v1/chats/${items[0].id}/close`, { key: customer.key, method: "POST" });
  await ana.say("de novo", { to: owner });
  await untilEvents(s.w, hook, "message:received", 2);
  expect((await ask(`/${vip.id}/chats`)).body).toHaveLength(1);
  expect((await ask("/1/chats")).body).toEqual([]);
  expect((await ask(chat, { labels: [{ id: "404" }] }, "PUT")).status).toBe(400);
  expect((await ask("/chats/5511900009999@c.us")).status).toBe(404);

  expect((await ask(`/${vip.id}`, undefined, "DELETE")).body).toEqual({ result: true });
  await untilTrue(async () => (await ask(chat)).body.length === 0);
  expect((await ask("")).body).toHaveLength(1);
  expect(owner.appState.broken).toEqual([]);
});
