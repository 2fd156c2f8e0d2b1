import { afterEach, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../src/kernel/clock.ts";
import { newCustomer } from "../support/customers/customer.ts";
import { filesOf, mediaCalls, storedFile } from "../support/customers/media.ts";
import { startWorld, type World } from "../support/world.ts";

let w: World;
afterEach(() => w.stop());

const lives = async (term: string) => {
  w = await startWorld({ env: { RECADO_KEEP_MEDIA: term } });
  const customer = await newCustomer(w);
  const { id } = await storedFile(w, customer);
  const info = (await mediaCalls(w, customer).info(id)).body;
  return { id, customer, ttlMs: Date.parse(info.expiresAt) - w.clock.now() };
};

test("a file lives as long as RECADO_KEEP_MEDIA says, and then it is gone from the disk too", async () => {
  const { id, customer, ttlMs } = await lives("3d");
  expect([ttlMs, filesOf(w).length]).toEqual([3 * DAY_MS, 1]);
  await w.advance(3 * DAY_MS + HOUR_MS);
  expect([(await mediaCalls(w, customer).open(id)).status, filesOf(w)]).toEqual([410, []]);
});

test("one that is kept for ever has an end that a date can say", async () => {
  const { ttlMs } = await lives("forever");
  expect(ttlMs).toBe(36_500 * DAY_MS);
});
