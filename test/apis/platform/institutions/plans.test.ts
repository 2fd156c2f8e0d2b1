import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { changeInstitutionPlan, type PlatformPlan } from "../../../../src/core/tenancy/accounts/accounts.ts";
import { LOCAL } from "../../../../src/core/tenancy/audit/audit.ts";
import { customer, made, rowsOf, sendText, wabaChannel } from "../../../support/tenants/platform.ts";
import { startWorld, type World } from "../../../support/world.ts";

let w: World;
beforeAll(async () => {
  w = await startWorld();
});
afterAll(() => w.stop());

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const create = (key: string, name = "A channel") =>
  w.platform("/v1/channels", { key, body: { name, type: "CHAT_WABA" } });

describe("messages per day", () => {
  test.each([
    ["P-172", "FREE", 100],
    ["P-173", "STARTER", 1000],
    ["P-174", "PROFESSIONAL", 10_000],
  ] as const)("%s on %s: %i are accepted, and not one more until midnight UTC", async (_, plan, limit) => {
    const { id, key, channel } = await sender(plan, limit - 1);
    expect((await sendText(w, key, channel)).status).toBe(202);
    const before = await rowsOf(w, id);
    const over = await sendText(w, key, channel);
    const seconds = Math.ceil((DAY - (w.clock.now() % DAY)) / 1000);
    expect([over.status, over.body, over.headers.get("retry-after")]).toEqual([
      429,
      { message: expect.stringContaining(String(seconds)), code: "RATE_LIMIT_EXCEEDED" },
      String(seconds),
    ]);
    expect(await rowsOf(w, id)).toEqual(before);
    await w.advance(seconds * 1000 - 1);
    expect((await sendText(w, key, channel)).status).toBe(429);
    await w.advance(1);
    expect((await sendText(w, key, channel)).status).toBe(202);
  });

  test("P-175 on ENTERPRISE no count refuses", async () => {
    const { key, channel } = await sender("ENTERPRISE", 5_000_000);
    expect((await sendText(w, key, channel)).status).toBe(202);
  });

  test("P-172 what is refused does not count, and what a test key sends does not either", async () => {
    const { key, testKey, channel } = await sender("FREE", 98);
    for (const body of [{ to: "abc" }, { text: "" }, { to: "0000000000" }])
      expect((await sendText(w, key, channel, body)).status).toBe(400);
    expect((await sendText(w, key, "none")).status).toBe(404);
    await w.advance(MINUTE);
    for (let n = 0; n < 5; n++) expect((await sendText(w, testKey, channel)).status).toBe(202);
    expect([
      (await sendText(w, key, channel)).status,
      (await sendText(w, key, channel)).status,
      (await sendText(w, key, channel)).status,
    ]).toEqual([202, 202, 429]);
    expect((await sendText(w, testKey, channel)).status).toBe(202);
  });

  test("P-172 what was sent today is remembered across a restart", async () => {
    const { key, channel } = await sender("FREE", 98);
    expect((await sendText(w, key, channel)).status).toBe(202);
    await w.restart();
    expect([(await sendText(w, key, channel)).status, (await sendText(w, key, channel)).status]).toEqual([202, 429]);
  });

  test("P-172 P-173 a plan that the administrator changes counts from the next send on, up and down", async () => {
    const { id, key, channel } = await sender("FREE", 100);
    const change = async (plan: PlatformPlan) =>
      made(await w.gateway(`/v1/admin/institutions/${id}`, { admin: true, method: "PATCH", body: { plan } }), 200);
    const statuses: number[] = [];
    for (const plan of ["STARTER", "FREE", "ENTERPRISE", "FREE"] as const) {
      await change(plan);
      statuses.push((await sendText(w, key, channel)).status);
    }
    expect(statuses).toEqual([202, 429, 202, 429]);
  });

  test("P-160 P-172 over the day's limit the headers still show the minute's", async () => {
    const { key, channel } = await sender("STARTER", 999);
    await w.advance(MINUTE);
    const answers = [await sendText(w, key, channel), await sendText(w, key, channel)];
    expect(
      answers.map(({ status, headers }) => [
        status,
        headers.get("x-ratelimit-limit"),
        headers.get("x-ratelimit-remaining"),
      ]),
    ).toEqual([
      [202, "60", "59"],
      [429, "60", "58"],
    ]);
  });

  test("P-180 keys and channels of one institution share the day; another institution has its own", async () => {
    const { token, key, channel } = await sender("FREE", 99);
    const other = await w.platformKey(token);
    expect((await sendText(w, key, channel)).status).toBe(202);
    expect((await sendText(w, other, channel)).status).toBe(429);
    const stranger = await sender("FREE", 0);
    expect((await sendText(w, stranger.key, stranger.channel)).status).toBe(202);
  });

  test("P-172 of sends at the same moment no more than the rest of the day is accepted", async () => {
    const { id, key, channel } = await sender("FREE", 95);
    await w.advance(MINUTE);
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => sendText(w, key, channel)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 202)).toHaveLength(5);
    expect((await rowsOf(w, id))["messages"]).toBe(5);
  });
});

describe("channels", () => {
  test.each([
    ["P-176", "FREE", 1],
    ["P-177", "STARTER", 3],
    ["P-178", "PROFESSIONAL", 10],
  ] as const)("%s on %s: %i, and the next is PLAN_LIMIT_EXCEEDED until one is deleted", async (_, plan, limit) => {
    const { key, id } = await customer(w, plan);
    const ids: string[] = [];
    for (let n = 0; n < limit; n++) ids.push(made(await create(key), 201).id);
    expect(await create(key)).toMatchObject({
      status: 403,
      body: { message: expect.any(String), code: "PLAN_LIMIT_EXCEEDED" },
    });
    expect((await rowsOf(w, id))["channels"]).toBe(limit);
    made(await w.platform(`/v1/channels/${ids[0]}/disconnect`, { key, method: "POST" }), 200);
    expect((await create(key)).status).toBe(403);
    made(await w.platform(`/v1/channels/${ids[0]}`, { key, method: "DELETE" }), 204);
    expect((await create(key)).status).toBe(201);
    expect((await create(key)).status).toBe(403);
  });

  test("P-179 on ENTERPRISE an eleventh and more", async () => {
    const { key } = await customer(w, "ENTERPRISE");
    const statuses = (await Promise.all(Array.from({ length: 12 }, () => create(key)))).map(({ status }) => status);
    expect(statuses).toEqual(Array<number>(12).fill(201));
  });

  test("P-176 of creations at the same moment no more succeed than the plan has places", async () => {
    const { key, id } = await customer(w, "STARTER");
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => create(key)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(3);
    expect((await rowsOf(w, id))["channels"]).toBe(3);
  });

  test("P-176 P-177 a higher plan has its places at once", async () => {
    const { key, id } = await customer(w, "FREE");
    made(await create(key), 201);
    expect((await create(key)).status).toBe(403);
    await changeInstitutionPlan(w.app.env, LOCAL, id, "STARTER");
    expect([(await create(key)).status, (await create(key)).status, (await create(key)).status]).toEqual([
      201, 201, 403,
    ]);
  });

  test("P-176 a lower plan takes nothing away, and lets nothing be added", async () => {
    const { key, id } = await customer(w, "STARTER");
    for (let n = 0; n < 3; n++) made(await create(key), 201);
    await changeInstitutionPlan(w.app.env, LOCAL, id, "FREE");
    expect((await w.platform("/v1/channels", { key })).body.data).toHaveLength(3);
    expect((await create(key)).status).toBe(403);
  });
});

test("P-168 a new institution is on the FREE plan unless the operator chose another", async () => {
  const other = await startWorld({ env: { RECADO_PLATFORM_DEFAULT_PLAN: "PROFESSIONAL" } });
  try {
    for (const [world, limit] of [
      [w, "20"],
      [other, "200"],
    ] as const) {
      const body = { name: "A", email: "plan@example.com", password: "password-1", institutionName: "B" };
      const { token } = made(await world.platform("/v1/auth/register", { body }), 201);
      expect((await world.platform("/v1/channels", { token })).headers.get("x-ratelimit-limit")).toBe(limit);
    }
  } finally {
    await other.stop();
  }
});

/** A customer with a channel that has used so many messages of the day already. */
const sender = async (plan: PlatformPlan, used: number) => {
  const who = await customer(w, plan);
  const { id: channel } = await wabaChannel(w, who.key);
  const day = Math.floor(w.clock.now() / DAY);
  await w.app.env.db.write(async (tx) =>
    tx.run("INSERT INTO daily_sends (tenant_id, day, sends) VALUES (?1, ?2, ?3)", [who.id, day, used]),
  );
  return { ...who, channel };
};
