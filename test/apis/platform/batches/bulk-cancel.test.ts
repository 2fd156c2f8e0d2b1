import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import type { SendOutcome } from "../../../../src/contract/outcome.ts";
import { HOUR_MS } from "../../../../src/kernel/clock.ts";
import type { BatchId } from "../../../../src/kernel/ids.ts";
import { cancelPending } from "../../../../src/store/tables/messaging/batch-recipients.ts";
import { rowsOf } from "../../../support/customers/customer.ts";
import { reported, type SessionNetwork, sessionNetwork } from "../../../support/session/scripted-sends.ts";
import {
  batchOf,
  batchRows,
  bulkSender,
  cancel,
  newBatch,
  numbers,
  passes,
  type Sender,
  sentBy,
} from "../../../support/tenants/bulk.ts";
import { made, wabaChannel, webhookAt } from "../../../support/tenants/platform.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { startWorld, type World } from "../../../support/world.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

let network: SessionNetwork;
let w: World;
let who: Sender;
let received: () => string[];
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [network.plugin] });
});
beforeEach(async () => {
  await w.advance(MINUTE);
  network.pace = () => 0;
  network.sent.length = 0;
  network.outcomes.length = 0;
  who = await bulkSender(w);
  const hook = w.receiver();
  await webhookAt(w, who.key, hook, { events: ["bulk.completed", "bulk.failed"] });
  received = () => hook.arrived.map(({ body }) => body.type);
});
/** Or a batch that a test leaves would send through the network of the next. */
afterEach(() => w.platform(`/v1/channels/${who.channelId}`, { key: who.key, method: "DELETE" }));
afterAll(() => w.stop());

const recipients = () => sentBy(network, who.channelId).map(({ to }) => to);
const jobs = () =>
  rowsOf(w, "SELECT kind FROM jobs WHERE kind IN ('bulk.send', 'message.deliver') AND queue LIKE '%' || ?1 || '%'", [
    who.channelId,
  ]);
const deleteChannel = async (channelId: string) =>
  made(await w.platform(`/v1/channels/${channelId}`, { key: who.key, method: "DELETE" }), 204);

test("P-353 P-354 what was sent stays sent, the rest never goes out, and no event is published", async () => {
  const id = await newBatch(w, who, { recipients: numbers(10) });
  await passes(w, 3500);
  const answer = await cancel(w, who, id);
  expect([answer.status, answer.body]).toEqual([200, { batchId: id, status: "CANCELLED", sent: 4, cancelled: 6 }]);
  expect(await jobs()).toEqual([]);
  await passes(w, MINUTE);
  const shown = {
    status: "CANCELLED",
    total: 10,
    sent: 4,
    failed: 0,
    pending: 0,
    cancelled: 6,
    errors: [],
    finishedAt: expect.any(String),
  };
  expect(await batchOf(w, who, id)).toMatchObject(shown);
  expect(await rowsOf(w, "SELECT DISTINCT status FROM messages WHERE batch_id = ?1", [id])).toEqual([
    { status: "SENT" },
  ]);
  expect([recipients(), received(), await jobs()]).toEqual([numbers(4), [], []]);
});

test("P-353 a long batch is cancelled at once, and in slices of its recipients", async () => {
  const id = await newBatch(w, who, { recipients: numbers(1000), paused: true });
  const more = { recipients: numbers(2500).slice(1000, 1900) };
  made(await w.platform(`/v1/bulk/${id}/recipients`, { key: who.key, body: more }), 200);
  const { db } = w.app.env;
  expect(await db.write((tx) => cancelPending(tx, id as BatchId, 300))).toBe(300);
  expect(made(await cancel(w, who, id), 200)).toMatchObject({ status: "CANCELLED", sent: 0, cancelled: 1900 });
  await w.settle();
  expect(await batchOf(w, who, id)).toMatchObject({ status: "CANCELLED", pending: 0, cancelled: 1900 });
  expect([recipients(), received()]).toEqual([[], []]);
});

test("P-353 a batch that has ended, or was cancelled, is not cancelled again, and stays as it is", async () => {
  const [completed, cancelled] = [await newBatch(w, who), await newBatch(w, who, { delay: MINUTE })];
  await passes(w, 5 * SECOND);
  made(await cancel(w, who, cancelled), 200);
  const before = await batchRows(w, who);
  for (const id of [completed, cancelled])
    expect(await cancel(w, who, id)).toMatchObject({
      status: 409,
      body: { message: expect.any(String), code: "BATCH_FINISHED" },
    });
  expect(await batchRows(w, who)).toEqual(before);
});

test("P-353 what was accepted and waits to be sent is taken back, and is a failed message", async () => {
  network.pace = () => (network.sent.length > 0 ? HOUR_MS : 0);
  const id = await newBatch(w, who, { recipients: numbers(10) });
  await passes(w, 10 * SECOND);
  const statuses = () =>
    rowsOf<{ status: string; reason: string | null }>(
      w,
      "SELECT status, failed_reason AS reason FROM messages WHERE batch_id = ?1 ORDER BY id",
      [id],
    );
  expect((await statuses()).map(({ status }) => status)).toEqual(["SENT", "QUEUED", "QUEUED", "QUEUED", "QUEUED"]);
  expect(made(await cancel(w, who, id), 200)).toMatchObject({ sent: 1, cancelled: 9 });
  const takenBack = { status: "FAILED", reason: "[BATCH_CANCELLED] its batch was cancelled" };
  expect(await statuses()).toEqual([{ status: "SENT", reason: null }, ...Array<typeof takenBack>(4).fill(takenBack)]);
  network.pace = () => 0;
  await passes(w, 2 * HOUR_MS);
  expect([recipients(), received(), await jobs()]).toEqual([numbers(1), [], []]);
});

test("P-353 what is being sent at that moment is counted when it has ended, whichever way", async () => {
  const answers = [Promise.withResolvers<SendOutcome>(), Promise.withResolvers<SendOutcome>()];
  network.outcomes.push(...answers.map(({ promise }) => promise));
  const id = await newBatch(w, who, { recipients: numbers(5) });
  await untilTrue(() => network.sent.length >= 1);
  w.clock.advance(SECOND);
  await untilTrue(() => network.sent.length >= 2);
  expect(made(await cancel(w, who, id), 200)).toMatchObject({ sent: 0, cancelled: 3 });
  expect(await batchOf(w, who, id)).toMatchObject({ status: "CANCELLED", sent: 0, pending: 2, cancelled: 3 });
  const { finishedAt } = await batchOf(w, who, id);
  w.clock.advance(SECOND);
  answers[0]?.resolve({ ok: true, key: "taken" as never });
  answers[1]?.resolve({ ok: false, kind: "refused", code: "UPSTREAM_BAD_REQUEST", reason: "no" });
  await passes(w, MINUTE);
  expect(await batchOf(w, who, id)).toMatchObject({
    status: "CANCELLED",
    sent: 1,
    failed: 1,
    pending: 0,
    cancelled: 3,
    finishedAt,
  });
  expect([recipients(), received(), await jobs()]).toEqual([numbers(2), [], []]);
});

test("P-353 what the network was asked to take at that moment, and did not, is not tried again", async () => {
  const answer = Promise.withResolvers<SendOutcome>();
  network.outcomes.push(answer.promise);
  const id = await newBatch(w, who, { recipients: numbers(3) });
  await untilTrue(() => network.sent.length >= 1);
  expect(made(await cancel(w, who, id), 200)).toMatchObject({ sent: 0, cancelled: 2 });
  answer.resolve({ ok: false, kind: "retry", code: "UPSTREAM_RATE_LIMIT", reason: "slowly", isRateLimit: true });
  await passes(w, HOUR_MS);
  expect(await batchOf(w, who, id)).toMatchObject({
    status: "CANCELLED",
    sent: 0,
    failed: 0,
    pending: 0,
    cancelled: 3,
  });
  expect([recipients(), received(), await jobs()]).toEqual([numbers(1), [], []]);
});

test("P-353 one that waits for its channel is cancelled, and does not go on when that connects", async () => {
  const id = await newBatch(w, who, { recipients: numbers(3) });
  await w.settle();
  await reported(w, network, who.channelId, { state: "CONNECTING" });
  await passes(w, MINUTE);
  expect(made(await cancel(w, who, id), 200)).toMatchObject({ sent: 1, cancelled: 2 });
  await reported(w, network, who.channelId, { state: "CONNECTED" });
  await passes(w, MINUTE);
  expect([recipients(), await jobs()]).toEqual([numbers(1), []]);
});

test("P-210 deleting a channel cancels its batches, live and simulated, and leaves those of others alone", async () => {
  const other = { ...who, channelId: (await wabaChannel(w, who.key)).id };
  const ids = [
    await newBatch(w, who, { recipients: numbers(3) }),
    await newBatch(w, { ...who, key: who.testKey }, { recipients: numbers(3) }),
  ];
  const theirs = await newBatch(w, other);
  await w.settle();
  await deleteChannel(who.channelId);
  await passes(w, MINUTE);
  for (const id of ids)
    expect(await batchOf(w, who, id)).toMatchObject({
      status: "CANCELLED",
      sent: 1,
      failed: 0,
      pending: 0,
      cancelled: 2,
      finishedAt: expect.any(String),
    });
  expect(await batchOf(w, who, theirs)).toMatchObject({ status: "QUEUED", pending: 2 });
  expect([recipients(), received(), await jobs()]).toEqual([numbers(1), [], []]);
});

test("P-345 a batch that was cancelled makes room for another at once", async () => {
  const ids = [
    await newBatch(w, who, { delay: MINUTE }),
    await newBatch(w, who, { delay: MINUTE }),
    await newBatch(w, who, { delay: MINUTE }),
  ];
  made(await cancel(w, who, ids[1] ?? ""), 200);
  await newBatch(w, who, { delay: MINUTE });
});
