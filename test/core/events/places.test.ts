import { expect, test } from "bun:test";
import { createPlaces } from "../../../src/core/events/places.ts";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import type { SubscriptionId } from "../../../src/kernel/ids.ts";

const [A, B, C] = ["a", "b", "c"] as SubscriptionId[] as [SubscriptionId, SubscriptionId, SubscriptionId];
/** Of a slow endpoint for which others wait; of one that keeps up; of one whose deliveries wait for something else. */
const late = (at = 0) => ({ at, tookMs: 100, waitedMs: 500 });
const inTime = (at = 0) => ({ at, tookMs: 100, waitedMs: 5 });
const quick = (at = 0) => ({ at, tookMs: 2, waitedMs: 500 });

const limitsOf = (changes: { subscriptionId: SubscriptionId; limit: number }[]) =>
  changes.map(({ subscriptionId, limit }) => [subscriptionId, limit]);

test("an endpoint that answers late while others wait gets a place with each answer, 64 at most", () => {
  const places = createPlaces();
  expect(limitsOf(places.afterArrival(A, late()))).toEqual([[A, 9]]);
  for (let n = 0; n < 100; n++) places.afterArrival(A, late());
  expect([limitsOf(places.afterArrival(A, late())), places.more]).toEqual([[[A, 64]], 56]);
});

test("one that answers at once has enough with 8, and a retry says nothing", () => {
  const places = createPlaces();
  expect(limitsOf(places.afterArrival(A, quick()))).toEqual([[A, 8]]);
  places.afterArrival(A, late());
  expect(limitsOf(places.afterArrival(A, quick()))).toEqual([[A, 9]]);
  expect(limitsOf(places.afterArrival(A, { ...late(), waitedMs: undefined }))).toEqual([[A, 9]]);
});

test("a place is given back with each delivery that begins in time, and all at a failure", () => {
  const places = createPlaces();
  for (let n = 0; n < 3; n++) places.afterArrival(A, late());
  expect(limitsOf(places.afterArrival(A, inTime()))).toEqual([[A, 10]]);
  places.afterFailure(A);
  expect([limitsOf(places.afterArrival(A, inTime())), places.more]).toEqual([[[A, 8]], 0]);
});

test("all endpoints together have no more than so many, and one that is not used gives its own", () => {
  const places = createPlaces({ most: 3 });
  for (let n = 0; n < 3; n++) places.afterArrival(A, late(0));
  expect([limitsOf(places.afterArrival(B, late(SECOND_MS))), places.more]).toEqual([[[B, 8]], 3]);
  expect(limitsOf(places.afterArrival(B, late(10 * SECOND_MS)))).toEqual([
    [B, 9],
    [A, 8],
  ]);
  expect(limitsOf(places.afterArrival(C, late(11 * SECOND_MS)))).toEqual([[C, 9]]);
  expect(limitsOf(places.afterArrival(A, late(11 * SECOND_MS)))).toEqual([[A, 9]]);
  expect(limitsOf(places.afterArrival(C, late(12 * SECOND_MS)))).toEqual([[C, 9]]);
  expect(places.more).toBe(3);
});

test("where several processes share the database, each endpoint keeps its 8", () => {
  const places = createPlaces({ most: 0 });
  for (let n = 0; n < 20; n++) expect(limitsOf(places.afterArrival(A, late(n * SECOND_MS)))).toEqual([[A, 8]]);
});
