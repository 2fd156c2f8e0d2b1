import { expect, test } from "bun:test";
import { MESSAGING_JOBS } from "../../../../../src/core/messaging/jobs.ts";
import { deliverMessage } from "../../../../../src/core/messaging/sending/deliver.ts";
import { jobOf } from "../../../../../src/runtime/jobs.ts";
import { claimJob } from "../../../../../src/store/tables/job-claims.ts";
import { resumeQueue } from "../../../../../src/store/tables/queues.ts";
import { holdBack, newCustomer, rowsOf, sendsOf } from "../../../../support/customers/customer.ts";
import { made } from "../../../../support/tenants/platform.ts";
import { useEach, useWorld } from "../../../../support/use-world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

/** A queued message whose send begins and may then not leave: the process stops in that moment. */
const begunAtStop = async () => {
  await c.sent();
  const queue = `channel:${c.phone.id}`;
  await holdBack(w, queue);
  const { messageId } = made(await c.send(), 202);
  const [waiting] = await rowsOf<{ id: number }>(w, "SELECT id FROM jobs WHERE payload ->> 'messageId' = ?1", [
    messageId,
  ]);
  const claimed = await w.app.env.db.write(async (tx) => {
    resumeQueue(tx, w.app.env.jobs, queue);
    return claimJob(tx, { id: waiting?.id ?? 0, owner: "of the test" });
  });
  if (!claimed) throw new Error("the job was not claimed");
  let asked = 0;
  const job = jobOf(claimed, {
    payload: JSON.parse(claimed.payload),
    format: MESSAGING_JOBS["message.deliver"].payload,
    isShared: false,
    mayAct: () => asked++ === 0,
    onReturn: () => {},
  });
  const row = async () => (await rowsOf(w, "SELECT status, send_state FROM messages WHERE id = ?1", [messageId]))[0];
  const jobRow = async () => (await rowsOf(w, "SELECT owner FROM jobs WHERE id = ?1", [claimed.id]))[0];
  return { job, claimed, row, jobRow, wasAsked: () => asked };
};

test("a try that begins while the process stops goes back to the queue, as if it had not begun", async () => {
  const { job, row, jobRow, wasAsked } = await begunAtStop();
  expect(await deliverMessage(w.app.env, job)).toEqual({ is: "settled" });
  expect([await row(), await jobRow()]).toEqual([{ status: "QUEUED", send_state: "NONE" }, { owner: null }]);
  expect(wasAsked()).toBe(2);
  expect([sendsOf(w, c).length, w.app.env.unsentTries.size]).toEqual([1, 0]);
});

test("where its job was claimed anew meanwhile it stays begun: that try may have arrived", async () => {
  const { job, claimed, row, jobRow } = await begunAtStop();
  await w.app.env.db.write(async (tx) =>
    tx.run("UPDATE jobs SET claims = claims + 1, owner = 'another' WHERE id = ?1", [claimed.id]),
  );
  expect(await deliverMessage(w.app.env, job)).toEqual({ is: "settled" });
  expect([await row(), await jobRow()]).toEqual([{ status: "QUEUED", send_state: "SENDING" }, { owner: "another" }]);
  expect(sendsOf(w, c)).toHaveLength(1);
});
