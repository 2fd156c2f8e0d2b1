import { expect, test } from "bun:test";
import { manualClock } from "../../../../src/conformance/manual-clock.ts";
import { createLastingLimiter, OF_ADDRESS } from "../../../../src/core/tenancy/accounts/lasting-limiter.ts";
import { HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { createLog } from "../../../../src/kernel/log.ts";
import { soleNode } from "../../../../src/runtime/node.ts";
import { openDatabase } from "../../../../src/store/engine/db.ts";
import { rowsOf } from "../../../support/customers/customer.ts";
import { tempDatabases } from "../../../support/databases/temp-database.ts";
import { made } from "../../../support/tenants/platform.ts";
import { useWorld } from "../../../support/use-world.ts";
import type { Answer } from "../../../support/world.ts";

const temp = tempDatabases();
const w = useWorld();

const limitsIn = ({ headers }: Answer) =>
  [headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")].map(Number);
const windows = (ofTenant: string) =>
  rowsOf<{ key: string; used: number }>(w, "SELECT key, used FROM rate_windows WHERE key LIKE ?1", [`%${ofTenant}%`]);

test("P-161 P-350 P-351 windows of operations and of users without an institution survive a restart, too", async () => {
  const who = await w.institution();
  const key = await w.platformKey(who.token, { rateLimit: 10_000 });
  made(await w.platform("/v1/institutions", { token: who.token, body: { name: "Second" } }), 201);
  const { token: pending } = made(
    await w.platform("/v1/auth/login", { body: { email: who.email, password: "password-1" } }),
    200,
  );
  await w.advance(MINUTE_MS);
  const ask = async () => [
    limitsIn(await w.platform("/v1/bulk/none", { key })),
    limitsIn(await w.platform("/v1/auth/institutions", { token: pending })),
  ];
  expect(await ask()).toEqual([
    [60, 59],
    [10_000, 9999],
  ]);
  await w.restart();
  expect(await ask()).toEqual([
    [60, 58],
    [10_000, 9998],
  ]);
});

test("P-166 a minute that ended while the process was down counts no more", async () => {
  const { token } = await w.institution("FREE");
  for (let n = 0; n < 21; n++) await w.platform("/v1/channels", { token });
  expect((await w.platform("/v1/channels", { token })).status).toBe(429);
  w.clock.advance(MINUTE_MS);
  await w.restart();
  expect(limitsIn(await w.platform("/v1/channels", { token }))).toEqual([20, 19]);
});

test("windows of minutes that are over are removed within the hour; addresses are never written", async () => {
  const { id, token } = await w.institution();
  await w.platform("/v1/channels", { token });
  await w.platform("/v1/channels");
  await w.settle();
  expect(await windows("address")).toEqual([]);
  expect(await windows(id)).toEqual([{ key: `institution:${id}`, used: 1 }]);
  await w.app.env.db.write(async (tx) => {
    for (let n = 0; n < 250; n++)
      tx.run("INSERT INTO rate_windows (key, minute, used) VALUES (?1, 1, 1)", [`institution:old-${n}`]);
  });
  await w.advance(HOUR_MS);
  expect(await windows("")).toEqual([]);
});

test("P-161 what an answer shows is on disk when it comes", async () => {
  const { id, token } = await w.institution();
  for (let used = 1; used <= 5; used++) {
    await w.platform("/v1/channels", { token });
    expect(await windows(id)).toEqual([{ key: `institution:${id}`, used }]);
  }
});

test("P-160 P-168 G-103 many addresses evict no window of an institution, key or account", async () => {
  const { token } = await w.institution("FREE");
  const account = await w.account();
  await w.advance(MINUTE_MS);
  const { limiter, clock } = w.app.env;
  for (let n = 0; n < 100_001; n++) limiter.take(`${OF_ADDRESS}platform/${n}`, 1, clock.now());
  expect(limiter.peek(`${OF_ADDRESS}platform/never seen`, 1, clock.now()).isExceeded).toBe(true);
  for (const remaining of [19, 18])
    expect(limitsIn(await w.platform("/v1/channels", { token }))).toEqual([20, remaining]);
  expect((await w.gateway("/v1/phones", { key: account.key })).status).toBe(200);
  await w.advance(MINUTE_MS);
});

test("a database that takes no writes keeps no request from being counted, and is logged once", async () => {
  const lines: string[] = [];
  const db = openDatabase(temp.path(), {
    nowMs: 0,
    onFatal: (error) => {
      throw error;
    },
  });
  await db.close();
  const limiter = createLastingLimiter({
    clock: manualClock(),
    db,
    node: soleNode("process"),
    log: createLog("error", { write: (line) => void lines.push(line) }),
  });
  for (let n = 0; n < 5; n++) {
    expect(limiter.take("institution:a", 3, 0).isExceeded).toBe(n >= 3);
    await new Promise(setImmediate);
  }
  expect(lines).toHaveLength(1);
});

test("of several nodes each admits its share of a limit, and shows the whole", () => {
  const node = { count: 1 };
  const limiter = createLastingLimiter({ clock: manualClock(), db: temp.database(), node, log: createLog("silent") });
  const take = () => limiter.take("institution:a", 5, 0);
  expect([take().remaining, take().remaining]).toEqual([4, 3]);
  node.count = 2; // a share of three
  expect(take()).toEqual({ limit: 5, remaining: 0, resetAt: MINUTE_MS, isExceeded: false });
  expect(take().isExceeded).toBe(true);
  expect(limiter.peek("institution:b", 5, 0)).toMatchObject({ limit: 5, remaining: 5 });
  node.count = 1;
  expect([take().isExceeded, take().isExceeded, take().isExceeded]).toEqual([false, false, true]);
});
