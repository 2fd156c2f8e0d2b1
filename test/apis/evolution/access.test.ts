import { describe, expect, test } from "bun:test";
import { clientOf, EVOLUTION_ENV, evolutionSays } from "../../support/apis/evolution.ts";
import { newCustomer, rowsOf } from "../../support/customers/customer.ts";
import { newSessionCustomer, sessionNetwork } from "../../support/session/scripted-sends.ts";
import { made } from "../../support/tenants/platform.ts";
import { useWorld } from "../../support/use-world.ts";

const network = sessionNetwork();
const w = useWorld({ env: EVOLUTION_ENV, plugins: [network.plugin] });

describe("off by default", () => {
  const plain = useWorld();
  test("there is no such address", async () => {
    expect(plain.app.evolutionUrl).toBeUndefined();
    expect((await fetch(`${plain.app.url}/evolution/`)).status).toBe(404);
    expect((await fetch(`${plain.app.url}/evolution/instance/fetchInstances`)).status).toBe(404);
  });
});

test("the root says what it speaks, to anybody", async () => {
  const answer = await fetch(`${w.app.evolutionUrl}/`);
  expect([answer.status, await answer.json()]).toMatchObject([200, { status: 200, version: expect.any(String) }]);
});

test("a request needs a key that is known, whatever it asks for", async () => {
  const client = clientOf(w, await newSessionCustomer(w));
  for (const key of [null, "nothing", "ak_live_0000000000000000000000000000000000000000"])
    for (const path of ["/instance/fetchInstances", "/no/such/path"]) {
      const answer = await client.ask(path, { key });
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ status: 401, error: "Unauthorized", response: { message: "Unauthorized" } });
    }
  const unknown = await client.ask("/no/such/path");
  expect(evolutionSays(unknown)).toBe("404 Cannot GET /evolution/no/such/path");
});

test("an instance of another account is one that does not exist, and nothing is sent", async () => {
  const [mine, theirs] = [await newSessionCustomer(w), await newSessionCustomer(w)];
  network.sent.length = 0;
  const client = clientOf(w, mine);
  const routes: [string, string, object | undefined][] = [
    ["/message/sendText", "POST", { number: "5511999990001", text: "oi" }],
    ["/instance/connect", "GET", undefined],
    ["/instance/connectionState", "GET", undefined],
    ["/instance/logout", "DELETE", undefined],
    ["/instance/delete", "DELETE", undefined],
    ["/webhook/set", "POST", { webhook: { enabled: true, url: "https://example.com" } }],
    ["/webhook/find", "GET", undefined],
    ["/chat/findMessages", "POST", {}],
    ["/chat/findChats", "POST", {}],
    ["/group/fetchAllGroups", "GET", undefined],
    ["/proxy/find", "GET", undefined],
    ["/settings/find", "GET", undefined],
    ["/settings/set", "POST", { rejectCall: true }],
    ["/label/findLabels", "GET", undefined],
    ["/label/handleLabel", "POST", { number: "5511999990001", labelId: "1", action: "add" }],
    ["/chat/archiveChat", "POST", { chat: "5511999990001@s.whatsapp.net", archive: true }],
    ["/chat/fetchPrivacySettings", "GET", undefined],
    ["/chat/findChannels", "POST", {}],
    ["/chat/getPollVote", "POST", { message: { key: { id: "1" } } }],
    ["/chat/markMessageAsPlayed", "POST", { playedMessages: [{ id: "1" }] }],
    ["/business/getCatalog", "POST", {}],
    ["/group/sendInvite", "POST", { groupJid: "1@g.us", numbers: ["5511999990001"] }],
    ["/s3/getMediaUrl", "POST", { id: "1" }],
  ];
  for (const [path, method, body] of routes) {
    const answer = await client.ask(`${path}/${theirs.phone.id}`, { method, ...(body ? { body } : {}) });
    expect([path, evolutionSays(answer)]).toEqual([path, `404 The "${theirs.phone.id}" instance does not exist`]);
  }
  await w.settle();
  expect(network.sent).toHaveLength(0);
  expect(await rowsOf(w, "SELECT id FROM channels WHERE id = ?", [theirs.phone.id])).toHaveLength(1);
});

test("a message of another phone of the same account is not found through this one", async () => {
  const one = await newSessionCustomer(w);
  const other = await newCustomer(w);
  const id = await other.sent();
  const client = clientOf(w, one);
  expect((await client.on("/chat/findMessages", { body: { where: { id } } })).status).toBe(404);
  expect((await client.on("/chat/getBase64FromMediaMessage", { body: { message: { key: { id } } } })).status).toBe(404);
});

test("a key is limited to its scopes", async () => {
  const c = await newSessionCustomer(w);
  network.sent.length = 0;
  const issued = async (more: object) =>
    made(
      await w.gateway(`/v1/admin/accounts/${c.accountId}/api-keys`, { admin: true, body: { name: "k", ...more } }),
      201,
    ).key;
  const text = { body: { number: "5511999990001", text: "oi" } };
  const reading = clientOf(w, { ...c, key: await issued({ scopes: ["phones.read"] }) });
  expect((await reading.on("/instance/connectionState")).status).toBe(200);
  expect(evolutionSays(await reading.on("/message/sendText", text))).toBe(
    "403 The key lacks the scope messages.write.",
  );
  const sending = clientOf(w, { ...c, key: await issued({ scopes: ["messages.write"] }) });
  expect((await sending.on("/message/sendText", text)).status).toBe(201);
  expect((await sending.on("/instance/delete", { method: "DELETE" })).status).toBe(403);
  const readOnly = clientOf(w, { ...c, key: await issued({ readOnly: true }) });
  expect((await readOnly.on("/message/sendText", text)).status).toBe(403);
  expect((await readOnly.on("/chat/findChats", { body: {} })).status).toBe(200);
  await w.settle();
  expect(network.sent).toHaveLength(1);
});

test("a key without lookup.write asks the network about no number", async () => {
  const c = await newSessionCustomer(w);
  const { key } = made(
    await w.gateway(`/v1/admin/accounts/${c.accountId}/api-keys`, {
      admin: true,
      body: { name: "k", scopes: ["phones.read"] },
    }),
    201,
  );
  const client = clientOf(w, { ...c, key });
  network.asked.length = 0;
  for (const path of [
    "chat/fetchProfile",
    "chat/fetchBusinessProfile",
    "business/getCatalog",
    "business/getCollections",
  ])
    expect(evolutionSays(await client.on(`/${path}`, { body: { number: "5511999990001" } }))).toBe(
      "403 The key lacks the scope lookup.write.",
    );
  expect(network.asked).toEqual([]);
});

test("an instance's token may do no more than the key that made it, and has its bounds", async () => {
  const c = await newSessionCustomer(w);
  const hook = w.receiver();
  const expiresAt = new Date(w.clock.now() + 3_600_000).toISOString();
  const bounds = { scopes: ["phones.write", "phones.read"], expiresAt, allowedAddresses: ["127.0.0.1"] };
  const { key } = made(
    await w.gateway(`/v1/admin/accounts/${c.accountId}/api-keys`, { admin: true, body: { name: "k", ...bounds } }),
    201,
  );
  const client = clientOf(w, { ...c, key });
  const withWebhook = { instanceName: "hooked", webhook: { url: hook.url } };
  expect(evolutionSays(await client.ask("/instance/create", { body: withWebhook }))).toBe(
    "403 The key lacks the scope webhooks.write.",
  );
  expect(await rowsOf(w, "SELECT id FROM channels WHERE label = 'hooked'")).toHaveLength(0);
  const own = { key: made(await client.ask("/instance/create", { body: { instanceName: "mine" } }), 201).hash };
  const says = async (path: string, body: object, more = {}) =>
    evolutionSays(await client.ask(`${path}/mine`, { ...own, body, ...more }));
  expect(await says("/chat/findMessages", {})).toBe("403 The key lacks the scope messages.read.");
  expect(await says("/message/sendText", { number: "5511999990001", text: "oi" })).toBe(
    "403 The key lacks the scope messages.write.",
  );
  expect(await says("/webhook/set", { webhook: { url: hook.url } })).toBe(
    "403 The key lacks the scope webhooks.write.",
  );
  const state = (headers = {}) => client.ask("/instance/connectionState/mine", { ...own, headers });
  expect((await state()).status).toBe(200);
  expect((await state({ "x-forwarded-for": "203.0.113.7" })).status).toBe(401);
  await w.advance(3_600_000);
  expect((await state()).status).toBe(401);
});

test("a revoked key, and a key of another API, open nothing", async () => {
  const c = await newSessionCustomer(w);
  const { body } = await w.gateway("/v1/api-keys", { key: c.key, body: { name: "k" } });
  const client = clientOf(w, { ...c, key: body.key });
  expect((await client.on("/instance/connectionState")).status).toBe(200);
  made(await w.gateway(`/v1/api-keys/${body.id}/revoke`, { key: c.key, method: "POST" }), 200);
  expect((await client.on("/instance/connectionState")).status).toBe(401);
  const { token } = await w.institution();
  expect((await client.on("/instance/connectionState", { key: await w.platformKey(token) })).status).toBe(401);
});

test("a body that is no JSON, or too large, is refused in Evolution's shape", async () => {
  const c = await newSessionCustomer(w);
  const url = `${w.app.evolutionUrl}/message/sendText/${c.phone.id}`;
  const post = (body: string, type = "application/json") =>
    fetch(url, { method: "POST", headers: { apikey: c.key, "content-type": type }, body });
  for (const [answer, status] of [
    [await post("{"), 400],
    [await post("a=b", "application/x-www-form-urlencoded"), 400],
    [await post(JSON.stringify({ number: "1", text: "x".repeat(1_100_000) })), 413],
  ] as const)
    expect([answer.status, await answer.json()]).toMatchObject([
      status,
      { status, response: { message: [expect.any(String)] } },
    ]);
});
