import { afterAll, beforeAll, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../../src/kernel/clock.ts";
import { fieldsOf, gatewaySays } from "../../support/refusals.ts";
import { startWorld, WEBHOOK_SECRET, type World } from "../../support/world.ts";

let w: World;
beforeAll(async () => {
  w = await startWorld();
});
afterAll(() => w.stop());

const advance = (advanceMs: unknown, by: { admin?: boolean; key?: string } = { admin: true }) =>
  w.gateway("/v1/admin/clock", { ...by, body: { advanceMs } });
const iso = (ms: number) => new Date(ms).toISOString();

test("the test clock moves forward by what is asked and answers the new time, by which everything then goes", async () => {
  const before = w.clock.now();
  const { status, body } = await advance(HOUR_MS);
  expect({ status, body }).toEqual({ status: 200, body: { now: iso(before + HOUR_MS) } });
  const { key } = await w.account();
  expect((await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "A phone" } })).body.createdAt).toBe(
    iso(before + HOUR_MS),
  );
  expect((await advance(0)).body.now).toBe(iso(before + HOUR_MS));
});

test("what became due has been started when it answers", async () => {
  const { key } = await w.account();
  const hook = w.receiver();
  hook.reply((_, index) => new Response("", { status: index === 0 ? 500 : 200 }));
  await w.wabaPhone(key, { webhook: { url: hook.url, secret: WEBHOOK_SECRET } });
  await w.settle();
  expect(hook.arrived.length).toBe(1);
  expect((await advance(4000)).status).toBe(200);
  await w.settle();
  expect(hook.arrived.length).toBe(1);
  expect((await advance(60_000)).status).toBe(200);
  await hook.received(2);
  expect(hook.arrived.map(({ headers }) => headers["x-gateway-attempt"])).toEqual(["1", "2"]);
});

test("the rate windows read the same clock", async () => {
  const { key } = await w.account();
  for (let n = 0; n < 12; n++) await Promise.all(Array.from({ length: 50 }, () => w.gateway("/v1/phones", { key })));
  expect(gatewaySays(await w.gateway("/v1/phones", { key }))).toBe("429 RATE_LIMITED");
  await advance(60_000);
  expect(gatewaySays(await w.gateway("/v1/phones", { key }))).toBe("200");
});

for (const advanceMs of [-1, 1.5, "1000", null, undefined, 10 * 366 * DAY_MS]) {
  test(`${String(advanceMs)} ms (${typeof advanceMs}) is refused, and time stands still`, async () => {
    const before = w.clock.now();
    expect(fieldsOf(await advance(advanceMs))).toEqual(["advanceMs"]);
    expect(w.clock.now()).toBe(before);
  });
}

test("G-085 only the administrator moves it", async () => {
  const before = w.clock.now();
  const { key } = await w.account();
  expect(gatewaySays(await advance(1000, { key }))).toBe("403 ADMIN_FORBIDDEN");
  expect(gatewaySays(await advance(1000, {}))).toBe("403 ADMIN_FORBIDDEN");
  expect(w.clock.now()).toBe(before);
});

test("a server without the setting has no such clock", async () => {
  const other = await startWorld({ env: { RECADO_TEST_CLOCK: "" } });
  try {
    const before = other.clock.now();
    expect((await other.gateway("/v1/admin/clock", { admin: true, body: { advanceMs: 1000 } })).status).toBe(404);
    expect(other.clock.now()).toBe(before);
  } finally {
    await other.stop();
  }
});
