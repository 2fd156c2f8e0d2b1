import { expect, test } from "bun:test";
import { gatewaySays } from "../../../support/refusals.ts";
import { useWorld } from "../../../support/use-world.ts";
import { type Answer, VERIFY_TOKEN } from "../../../support/world.ts";

const w = useWorld();

const MINUTE_MS = 60_000;
const PER_MINUTE = 600;
const SENDS_PER_MINUTE = 300;

test("G-052 G-057 G-100 G-103 an account has 600 requests a minute; the next is refused with the time to wait, and accepted after it", async () => {
  const { key } = await w.account();
  await w.advance(15_250);
  expect(await said(PER_MINUTE, () => w.gateway("/v1/phones", { key }))).toEqual({ "200": PER_MINUTE });
  const refused = await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "One too many" } });
  expect(gatewaySays(refused)).toBe("429 RATE_LIMITED");
  const waitSeconds = refused.headers.get("retry-after") ?? "";
  expect(waitSeconds).toMatch(/^[1-9]\d?$/);
  expect(Number(waitSeconds)).toBe(Math.ceil((MINUTE_MS - (w.clock.now() % MINUTE_MS)) / 1000));
  await w.advance(Number(waitSeconds) * 1000 - 1001);
  expect(gatewaySays(await w.gateway("/v1/phones", { key }))).toBe("429 RATE_LIMITED");
  await w.advance(1001);
  const after = await w.gateway("/v1/phones", { key });
  expect(gatewaySays(after)).toBe("200");
  expect(after.body).toEqual([]);
});

test("G-101 of these, 300 may be sends; reading goes on when they are used up", async () => {
  await nextMinute();
  const { key } = await w.account();
  const send = () => w.gateway("/v1/messages", { key, body: {} });
  expect(await said(SENDS_PER_MINUTE, send)).toEqual({ "400 VALIDATION_ERROR": SENDS_PER_MINUTE });
  const refused = await send();
  expect(gatewaySays(refused)).toBe("429 RATE_LIMITED");
  expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d?$/);
  expect(gatewaySays(await w.gateway("/v1/messages/", { key, body: {} }))).toBe("429 RATE_LIMITED");
  expect(await said(PER_MINUTE - SENDS_PER_MINUTE, () => w.gateway("/v1/phones", { key }))).toEqual({
    "200": PER_MINUTE - SENDS_PER_MINUTE,
  });
  expect(gatewaySays(await w.gateway("/v1/phones", { key }))).toBe("429 RATE_LIMITED");
});

test("G-102 the keys of an account share its limit, and another account has its own", async () => {
  await nextMinute();
  const [{ id, key }, other] = [await w.account(), await w.account()];
  const second = (await w.gateway(`/v1/admin/accounts/${id}/api-keys`, { admin: true, body: { name: "second" } })).body
    .key;
  expect(await said(PER_MINUTE / 2, () => w.gateway("/v1/phones", { key }))).toEqual({ "200": PER_MINUTE / 2 });
  expect(await said(PER_MINUTE / 2, () => w.gateway("/v1/phones", { key: second }))).toEqual({ "200": PER_MINUTE / 2 });
  for (const one of [key, second])
    expect(gatewaySays(await w.gateway("/v1/phones", { key: one }))).toBe("429 RATE_LIMITED");
  expect(gatewaySays(await w.gateway("/v1/phones", { key: other.key }))).toBe("200");
});

test("G-100 what is public or the administrator's does not count, and is not refused", async () => {
  await nextMinute();
  const { key } = await w.account();
  await said(PER_MINUTE, () => w.gateway("/v1/phones", { key }));
  expect(gatewaySays(await w.gateway("/v1/phones", { key }))).toBe("429 RATE_LIMITED");
  for (const path of ["/health", "/versao", "/openapi.json"])
    expect(gatewaySays(await w.gateway(path, { key }))).toBe("200");
  expect(gatewaySays(await w.gateway("/v1/admin/accounts", { key, admin: true }))).toBe("200");
});

test("G-100 requests without a good key are limited by their address, and cost no account anything", async () => {
  await nextMinute();
  const { key } = await w.account();
  const guess = (from: string) =>
    w.gateway("/v1/phones", { key: "ak_live_guess", headers: { "x-forwarded-for": from } });
  expect(await said(PER_MINUTE, () => guess("203.0.113.7"))).toEqual({ "401 AUTH_INVALID": PER_MINUTE });
  const refused = await guess("203.0.113.7");
  expect(gatewaySays(refused)).toBe("429 RATE_LIMITED");
  expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d?$/);
  expect(gatewaySays(await guess("203.0.113.8"))).toBe("401 AUTH_INVALID");
  expect(gatewaySays(await w.gateway("/v1/phones", { key, headers: { "x-forwarded-for": "203.0.113.7" } }))).toBe(
    "200",
  );
});

test("G-100 all addresses of one /64 count as one, and a port makes no other address", async () => {
  await nextMinute();
  let host = 0;
  const guess = (from: string) =>
    w.gateway("/v1/phones", { key: "ak_live_guess", headers: { "x-forwarded-for": from } });
  expect(await said(PER_MINUTE, () => guess(`2001:db8:7:7::${(++host).toString(16)}`))).toEqual({
    "401 AUTH_INVALID": PER_MINUTE,
  });
  for (const from of ["2001:db8:7:7:ffff::1", "[2001:db8:7:7::1]:4711"])
    expect(gatewaySays(await guess(from))).toBe("429 RATE_LIMITED");
  expect(gatewaySays(await guess("2001:db8:7:8::1"))).toBe("401 AUTH_INVALID");
});

const nextMinute = () => w.advance(MINUTE_MS - (w.clock.now() % MINUTE_MS));

/** What `times` calls were answered, and how often each. */
const said = async (times: number, call: () => Promise<Answer>): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (let left = times; left > 0; left -= 50) {
    for (const answer of await Promise.all(Array.from({ length: Math.min(50, left) }, call)))
      counts[gatewaySays(answer)] = (counts[gatewaySays(answer)] ?? 0) + 1;
  }
  return counts;
};

test("G-083 G-100 guesses at the admin token are limited by their address, and the right one never is", async () => {
  await nextMinute();
  const guess = () =>
    w.gateway("/v1/admin/accounts", { headers: { "x-admin-token": "guess", "x-forwarded-for": "203.0.113.9" } });
  expect(await said(PER_MINUTE, guess)).toEqual({ "403 ADMIN_FORBIDDEN": PER_MINUTE });
  expect(gatewaySays(await guess())).toBe("429 RATE_LIMITED");
  expect(
    gatewaySays(await w.gateway("/v1/admin/accounts", { admin: true, headers: { "x-forwarded-for": "203.0.113.9" } })),
  ).toBe("200");
});

test("GAP-C11 guesses at the verify token are limited by their address, and the right one never is", async () => {
  await nextMinute();
  const handshake = (token: string) =>
    w.gateway(`/v1/upstream-webhook?hub.mode=subscribe&hub.challenge=1&hub.verify_token=${token}`, {
      headers: { "x-forwarded-for": "203.0.113.10" },
    });
  expect(await said(PER_MINUTE, () => handshake("guess"))).toEqual({ "403 FORBIDDEN": PER_MINUTE });
  expect(gatewaySays(await handshake("guess"))).toBe("429 RATE_LIMITED");
  expect((await handshake(VERIFY_TOKEN)).status).toBe(200);
});
