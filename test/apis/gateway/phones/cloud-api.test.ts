import { describe, expect, test } from "bun:test";
import { errorOf, useCloud } from "../../../support/apis/cloud.ts";
import { rowsOf, suspend } from "../../../support/customers/customer.ts";
import { useEach } from "../../../support/use-world.ts";
import { ADMIN_TOKEN } from "../../../support/world.ts";

const { w, customer } = useCloud();
const c = useEach(() => customer("session"));

const ask = (path: string, call: object = {}) =>
  w.gateway(`/v1/phones/${c.phone.id}/cloud-api${path}`, { key: c.key, ...call });
const tokenOf = async (body: object = { name: "Chatwoot" }): Promise<any> => (await ask("/tokens", { body })).body;
const opens = async (token: string) => (await c.client.ask(`/${c.client.number.numberId}`, { token })).status;

describe("a phone for programs that speak to the Cloud API", () => {
  test("has ids that are digits, and stay", async () => {
    const { status, body } = await ask("");
    expect([status, body]).toEqual([
      200,
      {
        baseUrl: w.app.cloudUrl,
        phoneNumberId: c.client.number.numberId,
        businessAccountId: c.client.number.accountId,
        appId: c.client.number.appId,
        displayPhoneNumber: null,
        templatesAsText: false,
      },
    ]);
    expect((await ask("")).body).toEqual(body);
    for (const id of [body.phoneNumberId, body.businessAccountId, body.appId]) expect(id).toMatch(/^[1-9]\d{14}$/);
  });

  test("rule 19: is shown under the number that a program knows", async () => {
    const changed = await ask("", { method: "PATCH", body: { displayPhoneNumber: "551188887777" } });
    expect([changed.status, changed.body.displayPhoneNumber]).toEqual([200, "551188887777"]);
    const shown = async () => (await c.client.ask(`/${c.client.number.numberId}`)).body.display_phone_number;
    expect(await shown()).toBe("551188887777");
    await ask("", { method: "PATCH", body: { displayPhoneNumber: null } });
    expect(await shown()).toBe("5511988887777");
    const refused = await ask("", { method: "PATCH", body: { displayPhoneNumber: "+55 11" } });
    expect([refused.status, await shown()]).toEqual([400, "5511988887777"]);
    expect((await ask("", { method: "PATCH", body: {} })).status).toBe(200);
  });

  test("has tokens, which are shown once, open this phone, and are revoked", async () => {
    const made = await tokenOf();
    expect(made.token).toMatch(/^ck_live_[\w-]{43}$/);
    expect(await opens(made.token)).toBe(200);
    const { items } = (await ask("/tokens")).body;
    expect(items.map(({ id, name, token }: any) => [id, name, token])).toEqual([
      [made.id, "Chatwoot", undefined],
      [expect.any(String), "a client", undefined],
    ]);
    const [row] = await rowsOf<{ found: number }>(w, "SELECT count(*) AS found FROM api_keys WHERE hash = ?1", [
      made.token,
    ]);
    expect(row?.found).toBe(0);
    expect((await ask(`/tokens/${made.id}`, { method: "DELETE" })).status).toBe(204);
    expect(await opens(made.token)).toBe(401);
    expect((await ask(`/tokens/${made.id}`, { method: "DELETE" })).status).toBe(404);
  });

  test("a token opens no other API, and a key of another no phone", async () => {
    const { token } = await tokenOf();
    expect((await w.gateway("/v1/phones", { key: token })).status).toBe(401);
    expect((await w.platform("/v1/channels", { key: token })).status).toBe(401);
    expect([await opens(c.key), await opens(ADMIN_TOKEN)]).toEqual([401, 401]);
  });

  test("a limited key makes no token that may do more, and gives its own bounds on", async () => {
    const keyWith = async (body: object) =>
      (await w.gateway("/v1/api-keys", { key: c.key, body: { name: "k", ...body } })).body.key;
    const limited = await keyWith({ scopes: ["keys.read", "keys.write", "phones.write"] });
    const refused = await ask("/tokens", { key: limited, body: { name: "x" } });
    expect([refused.status, refused.body.error.code]).toEqual([403, "KEY_SCOPE_MISSING"]);
    const bound = await keyWith({ allowedAddresses: ["127.0.0.1", "::1"] });
    const made = await ask("/tokens", { key: bound, body: { name: "x" } });
    expect(made.body.allowedAddresses).toEqual(["127.0.0.1", "::1"]);
    expect((await ask("/tokens")).body.items.length).toBe(2);
  });

  test("a token ends with its time, and is no longer taken from another address", async () => {
    const until = new Date(w.clock.now() + 60_000).toISOString();
    const { token } = await tokenOf({ name: "short", expiresAt: until });
    expect(await opens(token)).toBe(200);
    await w.advance(60_001);
    expect(await opens(token)).toBe(401);
    const elsewhere = await tokenOf({ name: "elsewhere", allowedAddresses: ["203.0.113.7"] });
    expect(errorOf(await c.client.ask(`/${c.client.number.numberId}`, { token: elsewhere.token }))).toEqual([
      403,
      131005,
      undefined,
    ]);
    for (const body of [{ name: "x", expiresAt: "2020-01-01T00:00:00Z" }, { name: "x", allowedAddresses: ["x"] }, {}])
      expect((await ask("/tokens", { body })).status).toBe(400);
  });

  test("a deleted phone's token opens nothing, and its ids are forgotten", async () => {
    const { token } = await tokenOf();
    expect((await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" })).status).toBeLessThan(300);
    await w.settle();
    expect(await opens(token)).toBe(401);
    expect(await rowsOf(w, "SELECT channel_id FROM cloud_numbers WHERE channel_id = ?1", [c.phone.id])).toEqual([]);
  });
});

describe("a suspended account", () => {
  test("is refused with the network's code of a locked one, and nothing is kept", async () => {
    await suspend(w, c.accountId);
    expect(errorOf(await c.client.send())).toEqual([403, 131031, undefined]);
    await suspend(w, c.accountId, "NONE");
    expect(await rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?1", [c.accountId])).toEqual([]);
    expect((await c.client.send()).status).toBe(200);
  });
});
