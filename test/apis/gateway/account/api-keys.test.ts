import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { made } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld();
let key: string;
let accountId: string;
beforeAll(async () => {
  ({ key, id: accountId } = await w.account());
});
beforeEach(() => w.advance(60_000));

const create = (body: object, by = key) => w.gateway("/v1/api-keys", { key: by, body: { name: "A key", ...body } });
const issue = async (body: object): Promise<string> =>
  made(
    await w.gateway(`/v1/admin/accounts/${accountId}/api-keys`, { admin: true, body: { name: "maker", ...body } }),
    201,
  ).key;
const countOf = async (): Promise<number> => (await w.gateway("/v1/api-keys?limit=200", { key })).body.items.length;

describe("keys of the account itself", () => {
  test("are made, shown once, listed and revoked", async () => {
    const one = made(await create({ name: "Bot", scopes: ["messages.write"] }), 201);
    expect(one).toMatchObject({ accountId, name: "Bot", scopes: ["messages.write"], limitedTo: ["messages.write"] });
    expect((await w.gateway("/v1/account", { key: one.key })).body.key.id).toBe(one.id);
    const listed = await w.gateway("/v1/api-keys?limit=1", { key });
    expect(listed.body.items).toMatchObject([{ id: one.id, prefix: one.key.slice(0, 15), revokedAt: null }]);
    expect(listed.text).not.toContain(one.key);
    expect((await w.gateway(`/v1/api-keys?cursor=${listed.body.nextCursor}`, { key })).body.items).not.toContainEqual(
      expect.objectContaining({ id: one.id }),
    );
    const revoked = made(await w.gateway(`/v1/api-keys/${one.id}/revoke`, { key, method: "POST" }), 200);
    expect((await w.gateway("/v1/account", { key: one.key })).body.error.code).toBe("AUTH_REVOKED");
    expect(made(await w.gateway(`/v1/api-keys/${one.id}/revoke`, { key, method: "POST" }), 200)).toEqual(revoked);
    const ids = async (query: string) =>
      (await w.gateway(`/v1/api-keys${query}`, { key })).body.items.map(({ id }: { id: string }) => id);
    expect(await ids("")).not.toContain(one.id);
    expect(await ids("?revoked=true")).toContain(one.id);
  });

  test("are acts of who made them, in the audit log", async () => {
    const { id } = made(await create({}), 201);
    const { items } = (await w.gateway("/v1/admin/audit?action=key.create&limit=1", { admin: true })).body;
    expect(items).toMatchObject([{ target: id, tenantId: accountId, actor: expect.stringMatching(/^key:/) }]);
  });
});

describe("a limited key", () => {
  test("without keys.write makes, lists and revokes none", async () => {
    const limited = await issue({ scopes: ["messages.write", "keys.read"] });
    const before = await countOf();
    const refused = await create({ scopes: ["messages.write"] }, limited);
    expect([refused.status, refused.body.error.code]).toEqual([403, "KEY_SCOPE_MISSING"]);
    expect(await countOf()).toBe(before);
    expect((await w.gateway("/v1/api-keys", { key: limited })).status).toBe(200);
    const sends = await issue({ scopes: ["messages.write"] });
    expect((await w.gateway("/v1/api-keys", { key: sends })).status).toBe(403);
  });

  test("makes keys within its own scopes alone", async () => {
    const limited = await issue({ scopes: ["messages.read", "messages.write", "keys.write"] });
    const before = await countOf();
    for (const body of [
      {},
      { scopes: ["phones.read"] },
      { scopes: ["messages.read", "billing.read"] },
      { readOnly: true },
    ]) {
      const refused = await create(body, limited);
      expect([refused.status, refused.body.error.code]).toEqual([403, "KEY_SCOPE_MISSING"]);
      expect(refused.body.error.details.scopes.length).toBeGreaterThan(0);
    }
    expect(await countOf()).toBe(before);
    made(await create({ scopes: ["messages.read", "keys.write"] }, limited), 201);
  });

  test("hands on its addresses and its end, and lets them be narrowed", async () => {
    const expiresAt = "2027-01-01T00:00:00.000Z";
    const limited = await issue({ allowedAddresses: ["127.0.0.0/8", "10.1.0.0/16"], expiresAt });
    const before = await countOf();
    for (const body of [
      { expiresAt: "2027-01-02T00:00:00Z" },
      { allowedAddresses: ["192.0.2.1"] },
      { allowedAddresses: ["0.0.0.0/0"] },
    ])
      expect((await create(body, limited)).status).toBe(400);
    expect(await countOf()).toBe(before);
    expect(made(await create({}, limited), 201)).toMatchObject({
      allowedAddresses: ["127.0.0.0/8", "10.1.0.0/16"],
      expiresAt,
    });
    expect(
      made(await create({ allowedAddresses: ["127.0.0.1"], expiresAt: "2026-12-01T00:00:00Z" }, limited), 201),
    ).toMatchObject({ allowedAddresses: ["127.0.0.1"], expiresAt: "2026-12-01T00:00:00.000Z" });
  });
});

test("a key of another account is not there", async () => {
  const other = await w.account();
  const { id } = made(await create({}, other.key), 201);
  const refused = await w.gateway(`/v1/api-keys/${id}/revoke`, { key, method: "POST" });
  expect([refused.status, refused.body.error.code]).toEqual([404, "API_KEY_NOT_FOUND"]);
  expect((await w.gateway("/v1/api-keys", { key: other.key })).body.items).toContainEqual(
    expect.objectContaining({ id, revokedAt: null }),
  );
  expect((await w.gateway(`/v1/api-keys?cursor=${id}`, { key })).status).toBe(400);
});
