import { describe, expect, test } from "bun:test";
import { PERMISSIONS } from "../../../../src/core/tenancy/keys/keys.ts";
import { made, rowsOf } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld();

const SECOND = 1000;
const isoIn = (ms: number): string => new Date(w.clock.now() + ms).toISOString();
const create = (token: string, fields: object = {}) =>
  w.platform("/v1/api-keys", { token, body: { name: "A key", permissions: ["channels.read"], ...fields } });
const list = (token: string) => w.platform("/v1/api-keys", { token });
const revoke = (token: string, id: string) => w.platform(`/v1/api-keys/${id}`, { token, method: "DELETE" });

describe("POST /v1/api-keys", () => {
  test("P-090 P-101 P-102 P-103 P-105 P-109 answers with the key and what was asked for", async () => {
    const { token } = await w.institution();
    const { status, body } = await create(token, { permissions: ["channels.read", "messages.send"] });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: "A key",
      key: expect.stringMatching(/^oapi_sk_live_[0-9A-Za-z]{43}$/),
      prefix: expect.any(String),
      permissions: ["channels.read", "messages.send"],
      environment: "live",
      createdAt: new Date(w.clock.now()).toISOString(),
    });
    expect((await w.platform("/v1/channels", { key: body.key })).status).toBe(200);
  });

  test("P-101 P-104 P-105 P-106 a key is of the live environment unless test is asked for; its prefix says which", async () => {
    const { token } = await w.institution();
    for (const environment of ["live", "test"])
      expect((await create(token, { environment })).body).toMatchObject({
        environment,
        key: expect.stringMatching(new RegExp(`^oapi_sk_${environment}_`)),
      });
    const before = (await list(token)).text;
    for (const environment of ["prod", "LIVE", "", null, 1])
      expect(await create(token, { environment })).toMatchObject({
        status: 400,
        body: { errors: [{ path: "environment" }] },
      });
    expect((await list(token)).text).toBe(before);
  });

  test("P-107 no two keys are the same, nor start the same beyond their environment", async () => {
    const { token } = await w.institution();
    const keys = await Promise.all(
      Array.from({ length: 20 }, async () => made(await create(token), 201).key as string),
    );
    expect(new Set(keys).size).toBe(20);
    expect(new Set(keys.map((key) => key.slice(0, 20))).size).toBe(20);
  });

  test.each(["name", "permissions"])("P-092 P-094 %s is required", async (field) => {
    const { token, id } = await w.institution();
    const before = await rowsOf(w, id);
    for (const value of [undefined, null])
      expect(await create(token, { [field]: value })).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_ERROR", errors: [{ path: field }] },
      });
    expect(await rowsOf(w, id)).toEqual(before);
  });

  test("P-093 a name has 3 to 100 characters, counted as people count", async () => {
    const { token, id } = await w.institution();
    for (const name of ["ab", "😀😀", "x".repeat(101), 123]) expect((await create(token, { name })).status).toBe(400);
    expect((await rowsOf(w, id))["api_keys"]).toBe(0);
    for (const name of ["abc", "😀😀😀", "x".repeat(100), "😀".repeat(100)])
      expect((await create(token, { name })).body.name).toBe(name);
  });

  test("P-095 P-096 permissions are one or more of the thirteen; repeated ones are merged", async () => {
    const { token, id } = await w.institution();
    for (const permissions of [
      [],
      "channels.read",
      ["foo.bar"],
      ["channels.read", "Channels.Read"],
      [7],
      [["channels.read"]],
      { 0: "channels.read" },
    ]) {
      expect(await create(token, { permissions })).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
    }
    expect((await rowsOf(w, id))["api_keys"]).toBe(0);
    expect(PERMISSIONS).toHaveLength(13);
    expect((await create(token, { permissions: PERMISSIONS })).body.permissions).toEqual([...PERMISSIONS]);
    expect((await create(token, { permissions: ["channels.read", "channels.read"] })).body.permissions).toEqual([
      "channels.read",
    ]);
  });

  test("P-098 rateLimit is a whole number from 1 to 10000", async () => {
    const { token, id } = await w.institution();
    for (const rateLimit of [0, -1, 10_001, 1.5, "60", null, true])
      expect(await create(token, { rateLimit })).toMatchObject({
        status: 400,
        body: { errors: [{ path: "rateLimit" }] },
      });
    expect((await rowsOf(w, id))["api_keys"]).toBe(0);
    for (const rateLimit of [1, 10_000]) expect((await create(token, { rateLimit })).status).toBe(201);
  });

  test("P-099 P-103 expiresAt is a future time with a zone; the answer and the list repeat it", async () => {
    const { token, id } = await w.institution();
    for (const expiresAt of [
      "tomorrow",
      "",
      "2027-02-30T00:00:00Z",
      "2027-01-01T00:00:00",
      1_800_000_000_000,
      null,
      isoIn(0),
      isoIn(-1),
    ]) {
      expect([expiresAt, (await create(token, { expiresAt })).status]).toEqual([expiresAt, 400]);
    }
    expect((await rowsOf(w, id))["api_keys"]).toBe(0);
    const expiresAt = isoIn(1);
    expect((await create(token, { expiresAt })).body.expiresAt).toBe(expiresAt);
    expect((await list(token)).body.data[0].expiresAt).toBe(expiresAt);
    expect((await create(token, { expiresAt: "2030-01-01T02:00:00+02:00" })).body.expiresAt).toBe(
      "2030-01-01T00:00:00.000Z",
    );
  });

  test("P-100 a key without expiresAt has none to show, and works long after", async () => {
    const { token } = await w.institution();
    const { body } = await create(token);
    expect(body).not.toHaveProperty("expiresAt");
    expect((await list(token)).body.data[0]).not.toHaveProperty("expiresAt");
    await w.advance(40 * 24 * 3600 * SECOND);
    expect((await w.platform("/v1/channels", { key: body.key })).status).toBe(200);
  });

  test("P-117 P-132 an expired key is a 401 from the moment that it names", async () => {
    const { token } = await w.institution();
    const { key } = made(await create(token, { expiresAt: isoIn(2 * SECOND) }), 201);
    await w.advance(2 * SECOND - 1);
    expect((await w.platform("/v1/channels", { key })).status).toBe(200);
    await w.advance(1);
    expect(await w.platform("/v1/channels", { key })).toMatchObject({ status: 401, body: { code: "INVALID_API_KEY" } });
  });
});

describe("GET /v1/api-keys", () => {
  test("P-108 P-109 P-110 P-111 shows all but the key, and a longer prefix than its creation did", async () => {
    const { token } = await w.institution();
    const created = made(await create(token), 201);
    const { status, body } = await list(token);
    expect(status).toBe(200);
    const { key, prefix, ...same } = created;
    expect(body.data).toEqual([{ ...same, prefix: expect.any(String), lastUsedAt: null }]);
    expect([prefix.length, body.data[0].prefix.length]).toEqual([
      "oapi_sk_live_".length + 3,
      "oapi_sk_live_".length + 7,
    ]);
    expect(key).toStartWith(prefix);
    expect(key).toStartWith(body.data[0].prefix);
  });

  test("P-112 shows the keys of the institution alone, newest first, those of the gateway API not", async () => {
    const [a, b] = [await w.institution(), await w.institution()];
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      w.clock.advance(1);
      ids.unshift(made(await create(a.token), 201).id);
    }
    made(
      await w.gateway(`/v1/admin/accounts/${a.id}/api-keys`, { admin: true, body: { name: "Of the gateway" } }),
      201,
    );
    expect((await list(a.token)).body.data.map((one: { id: string }) => one.id)).toEqual(ids);
    expect((await list(b.token)).body).toEqual({ data: [] });
  });

  test("P-113 lastUsedAt is current at once and after a restart; refused requests do not count", async () => {
    const { token } = await w.institution();
    const { key } = made(await create(token, { rateLimit: 1 }), 201);
    const lastUsedAt = async () => (await list(token)).body.data[0].lastUsedAt;
    expect(await lastUsedAt()).toBeNull();
    await w.platform("/v1/channels", { key });
    const usedAt = isoIn(0);
    expect(await lastUsedAt()).toBe(usedAt);
    await w.advance(2 * SECOND);
    expect((await w.platform("/v1/channels", { key })).status).toBe(429);
    expect(await lastUsedAt()).toBe(usedAt);
    await w.restart();
    expect(await lastUsedAt()).toBe(usedAt);
  });
});

describe("DELETE /v1/api-keys/{apiKeyId}", () => {
  test("P-114 P-115 P-132 a revoked key is a 401 at once, everywhere, and gone from the list", async () => {
    const { token } = await w.institution();
    const { id, key } = made(await create(token, { permissions: PERMISSIONS }), 201);
    const { status, text } = await revoke(token, id);
    expect([status, text]).toEqual([204, ""]);
    for (const path of ["/v1/channels", "/v1/none"])
      expect(await w.platform(path, { key })).toMatchObject({ status: 401, body: { code: "INVALID_API_KEY" } });
    expect((await w.platform("/v1/webhooks", { key })).body.error).toBe("UNAUTHORIZED");
    expect((await list(token)).body).toEqual({ data: [] });
  });

  test("P-116 an unknown, foreign, revoked or gateway key is API_KEY_NOT_FOUND and does not change", async () => {
    const [a, b] = [await w.institution(), await w.institution()];
    const foreign = made(await create(b.token), 201);
    const revoked = made(await create(a.token), 201);
    made(await revoke(a.token, revoked.id), 204);
    const gateway = made(
      await w.gateway(`/v1/admin/accounts/${a.id}/api-keys`, { admin: true, body: { name: "Of the gateway" } }),
      201,
    );
    for (const id of [foreign.id, revoked.id, gateway.id, "none", "00000000-0000-4000-8000-000000000000"]) {
      expect(await revoke(a.token, id)).toMatchObject({
        status: 404,
        body: { message: expect.any(String), code: "API_KEY_NOT_FOUND" },
      });
    }
    expect((await w.platform("/v1/channels", { key: foreign.key })).status).toBe(200);
    expect((await w.gateway("/v1/phones", { key: gateway.key })).status).toBe(200);
  });

  test("P-115 every character of a key counts; another case, a longer end or the other API's header opens nothing", async () => {
    const { token } = await w.institution();
    const { key } = made(await create(token), 201);
    for (const other of [key.slice(0, -1), `${key}x`, key.toLowerCase(), key.replace("_live_", "_test_")]) {
      expect(await w.platform("/v1/channels", { key: other })).toMatchObject({
        status: 401,
        body: { code: "INVALID_API_KEY" },
      });
    }
    expect((await w.gateway("/v1/phones", { key })).status).toBe(401);
  });
});
