import { describe, expect, test } from "bun:test";
import { HOUSEKEEPING } from "../../../../src/core/job-parts.ts";
import { discardBatch } from "../../../../src/core/messaging/batches/batch-settle.ts";
import { HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import type { BatchId } from "../../../../src/kernel/ids.ts";
import { pauseQueue } from "../../../../src/store/tables/queues.ts";
import { hoursFrom } from "../../../support/customers/business-hours.ts";
import { batchOf, newBatch, numbers, passes, sentBy, useSender } from "../../../support/tenants/bulk.ts";
import { made } from "../../../support/tenants/platform.ts";

const { network, w, who } = useSender();
const LONG = 1005;

/** A long batch whose job is discarded while other housekeeping delays the failing of its rest by a minute. */
const failingBatch = async (fields: object): Promise<string> => {
  const id = await newBatch(w, who, { recipients: numbers(1000), ...fields });
  const more = { recipients: numbers(LONG).slice(1000) };
  made(await w.platform(`/v1/bulk/${id}/recipients`, { key: who.key, body: more }), 200);
  await w.settle();
  const { env } = w.app;
  await env.db.write(async (tx) => {
    env.jobs.enqueue(tx, "bulk.cancel", { batchId: "none" as BatchId }); // a queue that never had a job cannot be paused
    pauseQueue(tx, HOUSEKEEPING.queue().key, w.clock.now() + MINUTE_MS, "breaker");
    await discardBatch(env, tx, { batchId: id as BatchId });
  });
  expect(await batchOf(w, who, id)).toMatchObject({ status: "QUEUED", failed: 1000, pending: LONG - 1000 });
  return id;
};
const act = async (id: string, what: "pause" | "resume") =>
  made(await w.platform(`/v1/bulk/${id}/${what}`, { key: who.key, method: "POST" }), 200);
const expectFailed = async (id: string) => {
  await passes(w, 2 * HOUR_MS);
  expect(await batchOf(w, who, id)).toMatchObject({ status: "FAILED", sent: 0, failed: LONG, pending: 0 });
  expect(sentBy(network, who.channelId)).toEqual([]);
};

describe("P-331 a long batch that fails sends nothing more", () => {
  const later = () => ({ startsAt: new Date(w.clock.now() + HOUR_MS).toISOString() });

  test("after it was paused and resumed", async () => {
    const id = await failingBatch(later());
    await act(id, "pause");
    await act(id, "resume");
    await expectFailed(id);
  });

  test("and fails to its end while it is paused", async () => {
    const id = await failingBatch(later());
    await act(id, "pause");
    await expectFailed(id);
  });

  test("when the business hours for which it waited begin at once", async () => {
    const set = async (body: object) =>
      made(await w.platform("/v1/business-hours", { key: who.key, method: "PUT", body }), 200);
    await set(hoursFrom(w, 3 * HOUR_MS));
    const id = await failingBatch({ respectHours: true });
    await set(hoursFrom(w, -HOUR_MS / 2));
    await expectFailed(id);
  });
});
