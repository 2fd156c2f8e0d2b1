import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { planLimits } from "../../../../src/core/tenancy/accounts/plans.ts";
import { made } from "../../../support/tenants/platform.ts";
import { addressed, isPermission, ROUTES } from "../../../support/tenants/platform-routes.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { type Answer, startWorld, type World } from "../../../support/world.ts";

let w: World;
beforeAll(async () => {
  w = await startWorld();
});
afterAll(() => w.stop());

const MINUTE = 60_000;
const limitsIn = ({ headers }: Answer) =>
  [headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")].map(Number);
const times = <T>(count: number, ask: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, ask));

describe("the limit of a plan", () => {
  test.each(["FREE", "STARTER", "PROFESSIONAL", "ENTERPRISE"] as const)(
    "P-163 P-168 P-169 P-170 P-171 %s: so many requests a minute, and not one more until it is over",
    async (plan) => {
      const { token } = await w.institution(plan);
      const key = await w.platformKey(token); // counts as one request of this minute
      const { requestsPerMinute } = planLimits(plan);
      expect(requestsPerMinute).toBe({ FREE: 20, STARTER: 60, PROFESSIONAL: 200, ENTERPRISE: 1000 }[plan]);
      const answers = await times(requestsPerMinute - 1, () => w.platform("/v1/channels", { key }));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      expect(answers.map((answer) => limitsIn(answer)[1]).sort((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: requestsPerMinute - 1 }, (_, n) => n),
      );
      const over = await w.platform("/v1/channels", { key });
      expect([over.status, over.body.code, limitsIn(over)]).toEqual([
        429,
        "RATE_LIMIT_EXCEEDED",
        [requestsPerMinute, 0],
      ]);
      await w.advance(MINUTE);
      expect((await w.platform("/v1/channels", { key })).status).toBe(200);
    },
  );

  test("P-180 is shared by all keys and tokens of the institution, and by no other", async () => {
    const { token } = await w.institution("FREE");
    const [a, b] = [await w.platformKey(token), await w.platformKey(token)];
    await w.advance(MINUTE);
    for (let n = 0; n < 20; n++)
      expect((await w.platform("/v1/channels", n % 3 === 0 ? { token } : { key: n % 2 === 0 ? a : b })).status).toBe(
        200,
      );
    for (const as of [{ key: a }, { key: b }, { token }])
      expect((await w.platform("/v1/channels", as)).status).toBe(429);
    const other = await w.institution("FREE");
    expect((await w.platform("/v1/channels", { token: other.token })).status).toBe(200);
  });

  test("P-168 a plan that the administrator changes counts from the next request on", async () => {
    const { id, token } = await w.institution("FREE");
    await times(20, () => w.platform("/v1/channels", { token }));
    expect((await w.platform("/v1/channels", { token })).status).toBe(429);
    made(
      await w.gateway(`/v1/admin/institutions/${id}`, { admin: true, method: "PATCH", body: { plan: "STARTER" } }),
      200,
    );
    const answer = await w.platform("/v1/channels", { token });
    expect([answer.status, limitsIn(answer)]).toEqual([200, [60, 39]]);
  });
});

describe("the limit of a key", () => {
  test("P-097 is 60 by default, and shows where it is the tighter one", async () => {
    const { token } = await w.institution("ENTERPRISE");
    const { key } = made(
      await w.platform("/v1/api-keys", { token, body: { name: "A key", permissions: ["channels.read"] } }),
      201,
    );
    expect(limitsIn(await w.platform("/v1/channels", { key }))).toEqual([60, 59]);
  });

  test("P-161 P-167 holds for this key alone; its refused requests do not count for the institution", async () => {
    const { token } = await w.institution("FREE");
    const [tight, other] = [await w.platformKey(token, { rateLimit: 2 }), await w.platformKey(token)];
    await w.advance(MINUTE);
    const answers: Answer[] = [];
    for (let n = 0; n < 10; n++) answers.push(await w.platform("/v1/channels", { key: tight }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, ...Array<number>(8).fill(429)]);
    expect(answers.slice(0, 3).map(limitsIn)).toEqual([
      [2, 1],
      [2, 0],
      [2, 0],
    ]);
    expect(limitsIn(await w.platform("/v1/channels", { key: other }))).toEqual([20, 17]);
  });

  test("P-097 a limit above the plan's is accepted and never reached: the plan's shows", async () => {
    const { token } = await w.institution("FREE");
    const key = await w.platformKey(token, { rateLimit: 10_000 });
    await w.advance(MINUTE);
    await times(20, () => w.platform("/v1/channels", { key }));
    const over = await w.platform("/v1/channels", { key });
    expect([over.status, limitsIn(over)]).toEqual([429, [20, 0]]);
  });

  test("P-161 of both limits the one with fewer requests left is shown", async () => {
    const { token } = await w.institution("FREE");
    const key = await w.platformKey(token, { rateLimit: 15 });
    await w.advance(MINUTE);
    expect(limitsIn(await w.platform("/v1/channels", { key }))).toEqual([15, 14]);
    await times(12, () => w.platform("/v1/channels", { token }));
    expect(limitsIn(await w.platform("/v1/channels", { key }))).toEqual([20, 6]);
  });
});

const OPERATIONS = Object.entries(ROUTES).flatMap(([route, { perMinute }]) =>
  perMinute === undefined ? [] : [[route, perMinute] as const],
);

describe("the limit of an operation", () => {
  test.each(OPERATIONS)(
    "P-350 P-351 P-352 %s: %i a minute of the institution, whichever key asks and whatever it may do",
    async (route, perMinute) => {
      const { token } = await w.institution();
      const [one, other] = [
        await w.platformKey(token, { rateLimit: 10_000 }),
        await w.platformKey(token, { rateLimit: 10_000, permissions: ["contacts.read"] }),
      ];
      await w.advance(MINUTE);
      let asked = 0;
      const ask = (as: { key?: string; token?: string }) => {
        const { method, path } = addressed(route, { batchId: `unknown-${asked++}` });
        return w.platform(path, { method, ...as, ...(method === "GET" ? {} : { body: {} }) });
      };
      for (let n = 0; n < perMinute; n++) {
        const answer = await ask([{ key: one }, { key: other }, { token }][n % 3] ?? {});
        expect([answer.status >= 400 && answer.status < 429, limitsIn(answer)]).toEqual([
          true,
          [perMinute, perMinute - 1 - n],
        ]);
      }
      for (const as of [{ key: one }, { key: other }, { token }]) {
        const over = await ask(as);
        const seconds = Number(over.headers.get("retry-after"));
        expect([over.status, over.body, limitsIn(over)]).toEqual([
          429,
          { message: `Too many requests; try again in ${seconds} seconds.`, code: "RATE_LIMIT_EXCEEDED" },
          [perMinute, 0],
        ]);
      }
      expect((await w.platform("/v1/channels", { key: one })).status).toBe(200);
      const stranger = await w.institution();
      const { method, path } = addressed(route, {});
      expect(limitsIn(await w.platform(path, { method, token: stranger.token }))).toEqual([perMinute, perMinute - 1]);
      await w.advance(MINUTE);
      expect(limitsIn(await ask({ key: one }))).toEqual([perMinute, perMinute - 1]);
    },
  );

  test.each(OPERATIONS)("P-161 P-350 %s: where the plan has less left, the plan's numbers are shown", async (route) => {
    const { token } = await w.institution("FREE");
    await w.advance(MINUTE);
    await times(17, () => w.platform("/v1/channels", { token }));
    const { method, path } = addressed(route, {});
    expect(limitsIn(await w.platform(path, { method, token }))).toEqual([20, 2]);
    await times(2, () => w.platform("/v1/channels", { token }));
    expect(await w.platform(path, { method, token })).toMatchObject({ status: 429 });
  });
});

describe("429", () => {
  test.each(Object.entries(ROUTES).filter(([, { access }]) => access !== "public"))(
    "P-021 P-025 P-031 P-164 P-165 P-259 P-268 P-309 %s answers, in the route's shape, with Retry-After",
    async (route, { shape }) => {
      const { token } = await w.institution();
      const key = await w.platformKey(token, { rateLimit: 1 });
      await w.advance(12_345);
      await w.platform("/v1/channels", { key });
      const { method, path } = addressed(route, {});
      const answer = await w.platform(path, { method, key });
      const seconds = Number(answer.headers.get("retry-after"));
      expect([answer.status, seconds]).toEqual([429, Math.ceil((MINUTE - (w.clock.now() % MINUTE)) / 1000)]);
      const message = expect.stringContaining(` ${seconds} second`);
      expect(answer.body).toEqual(
        shape === "webhooks"
          ? { error: "RATE_LIMIT_EXCEEDED", message, retryAfter: seconds }
          : { message, code: "RATE_LIMIT_EXCEEDED" },
      );
    },
  );

  test("P-026 P-166 after retryAfter seconds the request passes, and not before", async () => {
    const { token } = await w.institution();
    const key = await w.platformKey(token, { rateLimit: 1 });
    await w.platform("/v1/webhooks", { key });
    const { retryAfter } = (await w.platform("/v1/webhooks", { key })).body;
    await w.advance((retryAfter - 1) * 1000);
    expect((await w.platform("/v1/webhooks", { key })).status).toBe(429);
    await w.advance(1000);
    expect((await w.platform("/v1/webhooks", { key })).status).toBe(200);
  });
});

/** A channel is connected whose QR code does not come in time. */
const withoutQrCode = async (key: string) => {
  const { id } = made(await w.platform("/v1/channels", { key, body: { name: "A", type: "CHAT_SESSION" } }), 201);
  w.sessions.of(id).hideQr();
  const { pendingTimers } = w.clock;
  const answer = w.platform(`/v1/channels/${id}/connect`, { key, method: "POST" });
  await untilTrue(() => w.clock.pendingTimers !== pendingTimers);
  w.clock.advance(15_000);
  return answer;
};

describe("the headers", () => {
  test("P-160 P-161 P-162 are on every answer, whatever it is", async () => {
    await w.advance(MINUTE - (w.clock.now() % MINUTE)); // all of it happens within one minute
    const { token } = await w.institution();
    const [key, tight] = [
      await w.platformKey(token),
      await w.platformKey(token, { rateLimit: 1, permissions: ["channels.read"] }),
    ];
    await w.platform("/v1/channels", { key: tight });
    const answers = {
      200: await w.platform("/v1/channels", { key }),
      201: await w.platform("/v1/channels", { key, body: { name: "A channel", type: "CHAT_WABA" } }),
      400: await w.platform("/v1/channels", { key, raw: "{" }),
      401: await w.platform("/v1/channels"),
      403: await w.platform("/v1/api-keys", { key }),
      404: await w.platform("/v1/none", { key }),
      405: await w.platform("/v1/channels", { key, method: "PUT" }),
      413: await w.platform("/v1/channels", { key, raw: "x".repeat(1024 * 1024 + 1) }),
      429: await w.platform("/v1/channels", { key: tight }),
      503: await withoutQrCode(key),
      204: await w.platform(
        `/v1/channels/${made(await w.platform("/v1/channels", { key, body: { name: "A", type: "CHAT_WABA" } }), 201).id}`,
        { key, method: "DELETE" },
      ),
    };
    const others = [
      await w.platform("/v1/auth/login", { body: {} }),
      await w.platform("/none"),
      await w.platform("/openapi.json"),
      await w.platform("/v1/auth/register"),
    ];
    for (const [status, answer] of Object.entries(answers)) expect(answer.status).toBe(Number(status));
    for (const { headers } of [...Object.values(answers), ...others]) {
      expect(headers.get("x-ratelimit-limit")).toMatch(/^[1-9]\d*$/);
      expect(headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/);
      expect(Number(headers.get("x-ratelimit-reset"))).toBe((Math.floor(w.clock.now() / MINUTE) + 1) * 60);
    }
  });
});

test("P-160 requests without valid credentials are limited by address, 20 a minute, in the route's shape", async () => {
  const strict = await startWorld({ env: { RECADO_ADDRESS_RATE: "" } });
  try {
    const { token } = await strict.institution(); // one of the twenty
    const ask = (path: string) => strict.platform(path, { body: {} });
    const answers = await times(19, () => ask("/v1/auth/login"));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(19).fill(400));
    expect(answers.map((answer) => limitsIn(answer)[1]).sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 19 }, (_, n) => n),
    );
    for (const path of ["/v1/auth/login", "/v1/auth/register"])
      expect(await ask(path)).toMatchObject({ status: 429, body: { error: expect.stringContaining("60 seconds") } });
    expect(await strict.platform("/v1/channels")).toMatchObject({ status: 429, body: { code: "RATE_LIMIT_EXCEEDED" } });
    expect((await strict.platform("/v1/channels", { key: "oapi_sk_live_guess" })).status).toBe(429);
    expect((await strict.platform("/v1/webhooks")).body).toEqual({
      error: "RATE_LIMIT_EXCEEDED",
      message: expect.any(String),
      retryAfter: 60,
    });
    // valid credentials still work, and other addresses too
    expect((await strict.platform("/v1/channels", { token })).status).toBe(200);
    expect(
      (await strict.platform("/v1/auth/login", { body: {}, headers: { "x-forwarded-for": "203.0.113.9" } })).status,
    ).toBe(400);
    await strict.advance(MINUTE);
    expect((await ask("/v1/auth/login")).status).toBe(400);
  } finally {
    await strict.stop();
  }
});

test("P-163 a limit is asked for before the permission and the body", async () => {
  const { token } = await w.institution();
  const key = await w.platformKey(token, { permissions: ["sandbox.write"], rateLimit: 1 });
  await w.platform("/v1/channels", { key });
  const open = Object.entries(ROUTES).filter(([, { access }]) => isPermission(access));
  for (const [route] of open) {
    const { method, path } = addressed(route, {});
    expect([
      route,
      (await w.platform(path, { method, key, ...(method === "GET" ? {} : { raw: "{" }) })).status,
    ]).toEqual([route, 429]);
  }
});
