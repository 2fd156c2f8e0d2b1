import { describe, expect, test } from "bun:test";
import { iso } from "../../../../src/kernel/clock.ts";
import { newCustomer } from "../../../support/customers/customer.ts";
import { made } from "../../../support/tenants/platform.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));
const account = async (key = c.key): Promise<any> => made(await w.gateway("/v1/account", { key }), 200);
const keyWith = async (body: object): Promise<any> =>
  made(
    await w.gateway(`/v1/admin/accounts/${c.accountId}/api-keys`, { admin: true, body: { name: "A key", ...body } }),
    201,
  );

describe("GET /v1/account", () => {
  test("says who asks, by which key and plan, and shows no key", async () => {
    const expiresAt = iso(w.clock.now() + 3_600_000);
    const { key, id, prefix } = await keyWith({ scopes: ["media.read", "x"], expiresAt });
    const said = await account(key);
    expect(said).toMatchObject({
      id: c.accountId,
      status: "ACTIVE",
      dunningStage: "NONE",
      key: {
        id,
        prefix,
        name: "A key",
        scopes: ["media.read", "x"],
        limitedTo: ["media.read"],
        readOnly: false,
        allowedAddresses: [],
        expiresAt,
        lastUsedAt: iso(w.clock.now()),
      },
    });
    expect(said.plan === null || typeof said.plan.code === "string").toBe(true);
    expect(JSON.stringify(said)).not.toContain(key);
  });

  test.each([[{}], [{ readOnly: true }], [{ scopes: ["media.read"] }], [{ scopes: ["phones.write"], readOnly: true }]])(
    "opens to every key: %j",
    async (body) => {
      expect((await account((await keyWith(body)).key)).id).toBe(c.accountId);
    },
  );

  test("counts what the account has, and what is left of each limit", async () => {
    const limitOf = async (name: string) => (await account()).limits.find((one: any) => one.name === name);
    const before = await limitOf("phones");
    expect(before).toEqual({ name: "phones", used: 1, limit: expect.any(Number), left: before.limit - 1 });
    await w.wabaPhone(c.key);
    expect(await limitOf("phones")).toEqual({ ...before, used: 2, left: before.limit - 2 });
    const names = (await account()).limits.map(({ name }: any) => name);
    expect(names).toEqual(expect.arrayContaining(["webhooks", "keys", "templates", "contacts", "stored-bytes"]));
  });

  test("says what is left of this minute, of requests and of sends", async () => {
    await w.advance(60_000);
    const { requestsPerMinute: all, sendsPerMinute: sends } = (await account()).rates;
    expect([all.left, sends.left]).toEqual([all.limit - 1, sends.limit]);
    await c.sent();
    const after = (await account()).rates;
    expect([after.requestsPerMinute.left, after.sendsPerMinute.left]).toEqual([all.left - 2, sends.limit - 1]);
    expect(Date.parse(all.resetsAt)).toBeGreaterThan(w.clock.now() - 1);
  });
});
