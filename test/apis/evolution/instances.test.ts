import { beforeEach, expect, test } from "bun:test";
import { EVOLUTION_ENV, type EvolutionClient, evolutionClient, evolutionSays } from "../../support/apis/evolution.ts";
import { rowsOf } from "../../support/customers/customer.ts";
import { useWorld } from "../../support/use-world.ts";
import { startWorld, untilStatus } from "../../support/world.ts";

const w = useWorld({ env: EVOLUTION_ENV });
const TOKEN = "a-token-of-its-own";

let account: { id: string; key: string };
let client: EvolutionClient;
let made = 0;
let name = "";
beforeEach(async () => {
  account = await w.account();
  name = `loja ${++made}`;
  client = evolutionClient(w, account.key, name);
});

const create = (more: object = {}, call: object = {}) =>
  client.ask("/instance/create", { body: { instanceName: name, integration: "WHATSAPP-BAILEYS", ...more }, ...call });
const channels = () => rowsOf(w, "SELECT id FROM channels WHERE tenant_id = ?", [account.id]);
const keys = () => rowsOf(w, "SELECT id FROM api_keys WHERE tenant_id = ? AND api = 'evolution'", [account.id]);
const stateOf = async () => (await client.on("/instance/connectionState")).body.instance.state;

test("an instance is made, connected by a QR code, found, logged out and deleted", async () => {
  const answer = await create();
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({
    instance: { instanceName: name, integration: "WHATSAPP-BAILEYS", status: "close" },
    hash: expect.stringMatching(/^ei_live_/),
    settings: { rejectCall: false, groupsIgnore: false },
  });
  const { instanceId: id } = answer.body.instance;
  const qr = await client.on("/instance/connect");
  expect(qr.body).toMatchObject({ pairingCode: null, code: expect.any(String), count: 1 });
  expect(qr.body.base64).toStartWith("data:image/png;base64,");
  expect(await stateOf()).toBe("connecting");
  await w.sessions.of(id).scan("5511988887777");
  w.sessions.of(id).open();
  await untilStatus(w, id, "CONNECTED");
  expect(await stateOf()).toBe("open");
  expect((await client.on("/instance/connect")).body).toEqual({ instance: { instanceName: name, state: "open" } });
  expect((await client.ask("/instance/fetchInstances")).body).toMatchObject([
    { id, name, connectionStatus: "open", ownerJid: "5511988887777@s.whatsapp.net", integration: "WHATSAPP-BAILEYS" },
  ]);
  expect((await client.on("/instance/restart", { method: "POST" })).body.instance.state).toBe("open");
  expect((await client.on("/instance/logout", { method: "DELETE" })).body).toMatchObject({ status: "SUCCESS" });
  await w.settle();
  expect(await stateOf()).toBe("close");
  expect((await client.on("/instance/delete", { method: "DELETE" })).body).toMatchObject({ status: "SUCCESS" });
  expect(evolutionSays(await client.on("/instance/connectionState"))).toBe(`404 The "${name}" instance does not exist`);
  expect(await channels()).toHaveLength(0);
});

test("`qrcode` gives the code with the answer", async () => {
  const { body } = await create({ qrcode: true });
  expect(body.qrcode).toMatchObject({ code: expect.any(String), pairingCode: null });
  expect(body.instance.status).toBe("connecting");
});

test("an instance's own token opens that instance, and nothing else of the account", async () => {
  const { hash } = (await create({ token: TOKEN + name })).body;
  expect(hash).toBe(TOKEN + name);
  const own = { key: hash };
  const other = evolutionClient(w, account.key, `outra ${made}`);
  await client.ask("/instance/create", { body: { instanceName: `outra ${made}` } });
  expect((await client.on("/instance/connectionState", own)).status).toBe(200);
  expect((await client.ask("/instance/fetchInstances", own)).body.map((one: { name: string }) => one.name)).toEqual([
    name,
  ]);
  expect(evolutionSays(await other.on("/instance/connectionState", own))).toBe("401 Unauthorized");
  expect(evolutionSays(await other.ask("/instance/connectionState/nothing", own))).toBe("401 Unauthorized");
  expect(evolutionSays(await create({ instanceName: "mais uma" }, own))).toBe(
    "403 The token of an instance may not do this: use a key of the account.",
  );
  expect((await w.gateway("/v1/phones", { key: hash })).status).toBe(401);
  await client.on("/instance/delete", { method: "DELETE" });
  expect(evolutionSays(await client.ask("/instance/fetchInstances", own))).toBe("401 Unauthorized");
});

test("an instance that is asked for by a name which nobody has is not found", async () => {
  await create();
  expect(evolutionSays(await client.ask("/instance/fetchInstances?instanceName=nobody"))).toBe(
    '404 Instance "nobody" not found',
  );
  expect((await client.ask("/instance/fetchInstances?number=5500000000000")).body).toEqual([]);
});

test("the name is that of the phone, and its id is a name too", async () => {
  const body = { type: "SESSION", label: name };
  const { id } = (await w.gateway("/v1/phones", { key: account.key, body })).body;
  expect((await client.on("/instance/connectionState")).body.instance.instanceName).toBe(name);
  expect((await client.ask(`/instance/connectionState/${id}`)).body.instance.instanceName).toBe(name);
  await w.gateway("/v1/phones", { key: account.key, body });
  expect(evolutionSays(await client.on("/instance/connectionState"))).toBe(
    `403 Several instances have the name "${name}": use the instance's id.`,
  );
  expect((await client.ask(`/instance/connectionState/${id}`)).status).toBe(200);
});

test("a webhook comes with the instance, or neither is made", async () => {
  const hook = w.receiver();
  expect(
    (await create({ webhook: { url: hook.url, byEvents: false, base64: true, events: ["MESSAGES_UPSERT"] } })).status,
  ).toBe(201);
  expect((await client.on("/webhook/find")).body).toMatchObject({
    url: hook.url,
    events: ["MESSAGES_UPSERT"],
    webhookBase64: true,
    enabled: true,
  });
  const refused = await create({ instanceName: "outra", webhook: { url: "http://10.0.0.1/" } });
  expect(refused.status).toBe(400);
  expect(await channels()).toHaveLength(1);
});

test("settings are taken when an instance is made, and shown in the answer", async () => {
  const given = { rejectCall: true, msgCall: "Escreva", readMessages: true, syncFullHistory: true };
  expect((await create(given)).body.settings).toMatchObject({ ...given, groupsIgnore: false, alwaysOnline: false });
  expect((await client.on("/settings/find")).body).toMatchObject(given);
  expect((await client.on("/settings/set", { body: { syncFullHistory: true } })).status).toBe(201);
});

test.each([
  ["a name in use", {}, /^403 This name "loja \d+" is already in use\.$/, 1],
  [
    "an official number",
    { instanceName: "x", integration: "WHATSAPP-BUSINESS" },
    /^400 integration is not supported/,
    1,
  ],
  ["a short token", { instanceName: "x", token: "123" }, /^400 token /, 1],
  ["a setting", { instanceName: "x", readStatus: true }, /^400 readStatus cannot be switched on here/, 1],
  ["a long text", { instanceName: "x", msgCall: "a".repeat(1001) }, /^400 msgCall /, 1],
  ["no name", { instanceName: "" }, /^400 instanceName /, 1],
])("%s is refused, and nothing is made", async (_, more, says, count) => {
  await create();
  expect(evolutionSays(await create(more))).toMatch(says);
  expect(await channels()).toHaveLength(count);
  expect(await keys()).toHaveLength(count);
});

test("tokens of instances leave the account's room for keys as it is", async () => {
  const small = { env: { ...EVOLUTION_ENV, RECADO_LIMITS: "keys=2" } };
  const tight = await startWorld(small);
  try {
    const { key } = await tight.account();
    const own = evolutionClient(tight, key, "");
    for (const instanceName of ["a", "b", "c"])
      expect((await own.ask("/instance/create", { body: { instanceName } })).status).toBe(201);
    expect((await tight.gateway("/v1/api-keys", { key, body: { name: "second" } })).status).toBe(201);
    expect((await tight.gateway("/v1/api-keys", { key, body: { name: "third" } })).status).toBe(403);
  } finally {
    await tight.stop();
  }
});

test("a token that another instance has is refused, in any account", async () => {
  const token = `${TOKEN} ${name}`;
  await create({ token });
  const stranger = await w.account();
  const answer = await client.ask("/instance/create", { key: stranger.key, body: { instanceName: "x", token } });
  expect(evolutionSays(answer)).toBe("400 token is not free: choose another");
  expect(await rowsOf(w, "SELECT id FROM channels WHERE tenant_id = ?", [stranger.id])).toHaveLength(0);
});
