import { expect, test } from "bun:test";
import type { TenantId } from "../../../../src/kernel/ids.ts";
import { updateTenant } from "../../../../src/store/tables/tenancy/tenants.ts";
import { connectedChannel, customer, made, rowsOf, sendText } from "../../../support/tenants/platform.ts";
import { addressed, NOTHING, ROUTES } from "../../../support/tenants/platform-routes.ts";
import { useWorld } from "../../../support/use-world.ts";

const w = useWorld();

const setStatus = async (id: string, status: string) =>
  made(await w.gateway(`/v1/admin/accounts/${id}`, { admin: true, method: "PATCH", body: { status } }), 200);

test.each(["CANCELLED", "INACTIVE"])(
  "GAP-C11 an institution that the operator sets to %s is refused on every route, before permissions",
  async (status) => {
    const who = await customer(w);
    const { id } = await connectedChannel(w, who);
    const weak = await w.platformKey(who.token, { permissions: ["contacts.read"] });
    const before = [await rowsOf(w, who.id), w.graph.sent.size];
    await setStatus(who.id, status);
    const things = { ...NOTHING, channelId: id, institutionId: who.id, userId: who.userId, strangerEmail: who.email };
    for (const [route, { access, body }] of Object.entries(ROUTES).filter(
      ([, one]) => one.access !== "public" && one.access !== "pending",
    ))
      for (const as of [{ key: who.key }, { key: who.testKey }, { key: weak }, { token: who.token }]) {
        const { method, path } = addressed(route, things);
        const refused = await w.platform(path, { method, ...as, ...(body ? { body: body(things) } : {}) });
        expect([route, access, refused.status, refused.body]).toEqual([
          route,
          access,
          403,
          { message: expect.any(String), code: "ACCOUNT_INACTIVE" },
        ]);
        expect(Number(refused.headers.get("x-ratelimit-limit"))).toBeGreaterThan(0);
      }
    await w.settle();
    expect([await rowsOf(w, who.id), w.graph.sent.size]).toEqual(before);
    await setStatus(who.id, "ACTIVE");
    expect((await sendText(w, who.key, id)).status).toBe(202);
  },
);

test("GAP-C11 the account's state is answered before the limit, and unknown credentials before both", async () => {
  const who = await customer(w);
  const key = await w.platformKey(who.token, { rateLimit: 1 });
  await setStatus(who.id, "CANCELLED");
  for (let n = 0; n < 3; n++)
    expect(await w.platform("/v1/channels", { key })).toMatchObject({
      status: 403,
      body: { code: "ACCOUNT_INACTIVE" },
    });
  expect((await w.platform("/v1/channels", { key: `${key}x` })).status).toBe(401);
});

test("GAP-C11 a user whose institution is not active may still choose another one", async () => {
  const who = await customer(w);
  const other = made(await w.platform("/v1/institutions", { token: who.token, body: { name: "Another" } }), 201);
  await setStatus(who.id, "INACTIVE");
  expect(made(await w.platform("/v1/auth/institutions", { token: who.token }), 200).institutions).toHaveLength(2);
  const { token } = made(
    await w.platform("/v1/auth/select-institution", { token: who.token, body: { institutionId: other.id } }),
    200,
  );
  expect((await w.platform("/v1/channels", { token })).status).toBe(200);
});

test.each([{ dunningStage: "SUSPENDED", status: "SUSPENDED" }, { dunningStage: "SUSPENDED" }] as const)(
  "GAP-X08 what the gateway's dunning makes of it (%j) refuses nothing here",
  async (changes) => {
    const who = await customer(w);
    await w.app.env.db.write((tx) => updateTenant(tx, who.id as TenantId, changes));
    expect((await w.platform("/v1/channels", { key: who.key })).status).toBe(200);
    expect((await w.platform("/v1/channels", { token: who.token })).status).toBe(200);
  },
);
