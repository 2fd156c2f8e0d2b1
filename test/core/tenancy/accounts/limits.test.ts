import { expect, test } from "bun:test";
import {
  allowAccount,
  allowancesOf,
  allowFurtherSends,
  type LimitEnv,
} from "../../../../src/core/tenancy/accounts/limits.ts";
import { createRateLimiter } from "../../../../src/runtime/rate-limit.ts";

test("further sends of a request count all or none, and never more than the minute has room for", () => {
  const rates = { gatewayPerMinute: 100, gatewaySendsPerMinute: 5, addressPerMinute: 100 };
  const env = { clock: { now: () => 0 }, limiter: createRateLimiter(), rates } as unknown as LimitEnv;
  const left = () => allowancesOf(env, "a").sends.remaining;
  const isRefused = (more: number) => allowFurtherSends(env, "a", more).isExceeded;
  allowAccount(env, "a", true);
  expect([isRefused(0), left()]).toEqual([false, 4]);
  expect([isRefused(5), left()]).toEqual([true, 4]);
  expect([isRefused(4), left()]).toEqual([false, 0]);
  expect([isRefused(0), isRefused(1), left()]).toEqual([false, true, 0]);
  expect(allowFurtherSends(env, "b", 5).isExceeded).toBe(false);
});
