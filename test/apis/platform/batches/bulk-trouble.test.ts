import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import { applyStage } from "../../../../src/core/billing/stages.ts";
import { discardBatch } from "../../../../src/core/messaging/batches/batch-settle.ts";
import { cancelBatch } from "../../../../src/core/messaging/batches/batches.ts";
import { changeInstitutionPlan, type PlatformPlan } from "../../../../src/core/tenancy/accounts/accounts.ts";
import { LOCAL, THE_SERVER } from "../../../../src/core/tenancy/audit/audit.ts";
import { HOUR_MS } from "../../../../src/kernel/clock.ts";
import type { BatchId, TenantId } from "../../../../src/kernel/ids.ts";
import { countRecipientsOf } from "../../../../src/store/tables/messaging/batch-recipients.ts";
import { rowsOf, suspend } from "../../../support/customers/customer.ts";
import { reported, type SessionNetwork, sessionNetwork } from "../../../support/session/scripted-sends.ts";
import {
  batchOf,
  batchRows,
  bulkSender,
  cancel,
  newBatch,
  numbers,
  passes,
  postBatch,
  type Sender,
  sentBy,
} from "../../../support/tenants/bulk.ts";
import { made, sendText, wabaChannel, webhookAt } from "../../../support/tenants/platform.ts";
import { startWorld, type World } from "../../../support/world.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * HOUR_MS;

let network: SessionNetwork;
let w: World;
let who: Sender;
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [network.plugin] });
});
beforeEach(async () => {
  await passes(w, 10 * SECOND); // a batch of the test before ends: its sends would use up the outcomes of this one
  await w.advance(DAY - (w.clock.now() % DAY)); // each test has a day, and the calls of a minute, of its own
  network.sent.length = 0;
  network.outcomes.length = 0;
  network.pace = () => 0;
  who = await bulkSender(w);
});
afterAll(() => w.stop());

const bulkHook = async (events = ["bulk.completed", "bulk.failed"]) => {
  const hook = w.receiver();
  await webhookAt(w, who.key, hook, { events });
  return () => hook.arrived.map(({ body }) => [body.type, body.batchId, body.total, body.sent, body.failed]);
};
const disconnect = () => reported(w, network, who.channelId, { state: "CONNECTING" });
const reconnect = () => reported(w, network, who.channelId, { state: "CONNECTED" });
const recipients = () => sentBy(network, who.channelId).map(({ to }) => to);
const jobs = () =>
  rowsOf(w, "SELECT id FROM jobs WHERE queue LIKE 'bulk:%' AND queue LIKE '%' || ?1 || '%'", [who.channelId]);

describe("the messages of a day", () => {
  const limited = async (plan: PlatformPlan, sent: number) => {
    await changeInstitutionPlan(w.app.env, LOCAL, who.id, plan);
    await w.app.env.db.write(async (tx) =>
      tx.run("INSERT INTO daily_sends (tenant_id, day, sends) VALUES (?1, ?2, ?3)", [
        who.id,
        Math.floor(w.clock.now() / DAY),
        sent,
      ]),
    );
  };

  test("P-344 P-172 a batch above the plan's rest of the day is refused with Retry-After; nothing is stored", async () => {
    await limited("FREE", 98);
    const seconds = String((DAY - (w.clock.now() % DAY)) / 1000);
    const over = await postBatch(w, who, { recipients: numbers(3) });
    expect([over.status, over.body, over.headers.get("retry-after")]).toEqual([
      429,
      { message: expect.stringContaining(seconds), code: "RATE_LIMIT_EXCEEDED" },
      seconds,
    ]);
    expect(await batchRows(w, who)).toEqual([]);
    expect((await postBatch(w, { ...who, key: who.testKey }, { recipients: numbers(3) })).status).toBe(202);
    const [first = "", second = ""] = numbers(2);
    expect((await postBatch(w, who, { recipients: [first, second, first] })).status).toBe(202);
  });

  test("P-344 a recipient who is due when the day is used up is an error; the batch goes on with the next day", async () => {
    await w.advance(DAY - 3 * SECOND);
    await limited("FREE", 95);
    const received = await bulkHook();
    const id = await newBatch(w, who, { recipients: numbers(5) });
    await w.settle();
    await w.app.env.db.write(async (tx) => tx.run("UPDATE daily_sends SET sends = 100 WHERE tenant_id = ?1", [who.id]));
    await passes(w, 10 * SECOND);
    const [first, second, third, ...rest] = numbers(5);
    const errors = [second, third].map((to) => ({ to, code: "DAY_LIMIT_REACHED", message: expect.any(String) }));
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", sent: 3, failed: 2, errors });
    expect(received()).toEqual([["bulk.completed", id, 5, 3, 2]]);
    expect(recipients()).toEqual([first ?? "", ...rest]);
  });
});

describe("what cannot be sent", () => {
  test("P-342 is an error of its recipient with its code, and the batch goes on", async () => {
    network.outcomes.push(
      { ok: true, key: "K1" as ProviderMessageId },
      { ok: false, kind: "refused", code: "UPSTREAM_BAD_REQUEST", reason: "nobody has this number" },
    );
    const received = await bulkHook();
    const id = await newBatch(w, who, { recipients: numbers(3) });
    await passes(w, 5 * SECOND);
    const errors = [{ to: numbers(3)[1], code: "UPSTREAM_BAD_REQUEST", message: "nobody has this number" }];
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", sent: 2, failed: 1, pending: 0, errors });
    expect(received()).toEqual([["bulk.completed", id, 3, 2, 1]]);
  });

  test("P-331 bulk.failed is published once, when nothing could be sent", async () => {
    for (let n = 0; n < 2; n++)
      network.outcomes.push({ ok: false, kind: "refused", code: "UPSTREAM_BAD_REQUEST", reason: "no" });
    const received = await bulkHook();
    const id = await newBatch(w, who);
    await passes(w, 5 * SECOND);
    expect(await batchOf(w, who, id)).toMatchObject({
      status: "FAILED",
      sent: 0,
      failed: 2,
      finishedAt: expect.any(String),
    });
    expect(received()).toEqual([["bulk.failed", id, 2, 0, 2]]);
  });

  test("P-342 a message that fails later counts as an error, also after the batch's end, whose event comes once", async () => {
    const received = await bulkHook();
    const id = await newBatch(w, who);
    await passes(w, 5 * SECOND);
    const [, second] = await rowsOf<{ key: ProviderMessageId }>(
      w,
      "SELECT provider_message_id AS key FROM messages WHERE batch_id = ?1 ORDER BY id",
      [id],
    );
    await network.notify(who.channelId, {
      kind: "receipt",
      key: second?.key ?? ("" as ProviderMessageId),
      at: w.clock.now(),
      status: "failed",
      error: { code: 131026, reason: "Undeliverable" },
    });
    await w.settle();
    const errors = [{ to: numbers(2)[1], code: "UPSTREAM_BAD_REQUEST", message: "Undeliverable" }];
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", sent: 1, failed: 1, errors });
    expect(received()).toEqual([["bulk.completed", id, 2, 2, 0]]);
  });

  test("a limit of one person does not hold up the others", async () => {
    const limit = {
      ok: false,
      kind: "retry",
      code: "UPSTREAM_RATE_LIMIT",
      reason: "slowly",
      isRateLimit: true,
      isOfChat: true,
      retryAfterMs: 60 * SECOND,
    } as const;
    network.outcomes.push(limit);
    const id = await newBatch(w, who, { recipients: numbers(4) });
    await passes(w, 10 * SECOND);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "RUNNING", sent: 3, pending: 1 });
    await passes(w, 60 * SECOND);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", sent: 4 });
  });

  test("a batch whose account may not send any more has errors for it", async () => {
    const id = await newBatch(w, who, { recipients: numbers(3) });
    await w.settle();
    await w.app.env.db.write(async (tx) => tx.run("UPDATE tenants SET status = 'INACTIVE' WHERE id = ?1", [who.id]));
    await passes(w, 5 * SECOND);
    const rows = await batchRows(w, who);
    expect(rows.map((row) => [row["status"], row["error_code"]])).toEqual([
      ["SENT", null],
      ["FAILED", "ACCOUNT_INACTIVE"],
      ["FAILED", "ACCOUNT_INACTIVE"],
    ]);
    expect([rows[0]?.["batch_id"], recipients()]).toEqual([id, numbers(1)]);
  });
});

describe("X-156 a batch of a suspended account", () => {
  /** Without debts a run of the dunning would end the suspension, so it comes later. */
  const suspended = async () => {
    await suspend(w, who.id);
    const runAt = w.clock.now() + 30 * DAY;
    await w.app.env.db.write(async (tx) => w.app.env.jobs.replace(tx, "dunning.run", {}, { runAt }));
  };
  const reinstate = () => w.app.env.db.write((tx) => applyStage(w.app.env, tx, THE_SERVER, who.id as TenantId));
  const statuses = async () => (await batchRows(w, who)).map((row) => row["status"]);

  test("waits as a single send does: no recipient fails, and it goes on without a burst when it has paid", async () => {
    await newBatch(w, who, { recipients: numbers(4), delay: 2000 });
    await passes(w, SECOND);
    await suspended();
    await passes(w, HOUR_MS);
    expect([await statuses(), recipients()]).toEqual([["SENT", "PENDING", "PENDING", "PENDING"], numbers(1)]);
    await reinstate();
    const paidAt = w.clock.now();
    await passes(w, MINUTE);
    expect([await statuses(), recipients()]).toEqual([Array.from({ length: 4 }, () => "SENT"), numbers(4)]);
    const since = sentBy(network, who.channelId).map(({ at }) => at - paidAt);
    expect(since.slice(1)).toEqual([0, 2000, 4000]);
  });

  test("waits for its channel afterwards, for 24 hours from the payment on", async () => {
    const id = await newBatch(w, who, { recipients: numbers(2) });
    await w.settle();
    await suspended();
    await disconnect();
    await passes(w, 10 * HOUR_MS);
    await reinstate();
    await passes(w, 23 * HOUR_MS);
    expect(await statuses()).toEqual(["SENT", "PENDING"]);
    await reconnect();
    await passes(w, MINUTE);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", sent: 2 });
  });

  test("can be cancelled by the server meanwhile, and sends nothing when it has paid", async () => {
    const id = await newBatch(w, who, { recipients: numbers(3), delay: 2000 });
    await w.settle();
    await suspended();
    await passes(w, MINUTE);
    await cancelBatch(w.app.env, { tenantId: who.id as TenantId, environment: "live" }, id);
    await reinstate();
    await passes(w, MINUTE);
    expect([await statuses(), recipients(), await jobs()]).toEqual([
      ["SENT", "CANCELLED", "CANCELLED"],
      numbers(1),
      [],
    ]);
  });
});

describe("a channel that is not connected", () => {
  test("P-340 is waited for: nothing is accepted meanwhile; on connection the batch continues without a burst", async () => {
    const began = w.clock.now();
    const id = await newBatch(w, who, { recipients: numbers(6), delay: 2000 });
    await passes(w, 3 * SECOND);
    await disconnect();
    await passes(w, 10 * HOUR_MS);
    expect(await batchOf(w, who, id)).toMatchObject({
      status: "RUNNING",
      sent: 2,
      pending: 4,
      waitingSince: new Date(began + 4 * SECOND).toISOString(),
    });
    expect(await rowsOf(w, "SELECT id FROM messages WHERE batch_id = ?1 AND status = 'QUEUED'", [id])).toEqual([]);
    await reconnect();
    const again = w.clock.now();
    await passes(w, 10 * SECOND);
    expect(
      sentBy(network, who.channelId)
        .slice(2)
        .map(({ at }) => at - again),
    ).toEqual([0, 2000, 4000, 6000]);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "COMPLETED", sent: 6, waitingSince: null });
  });

  test("P-331 after waiting 24 hours a batch fails, its rest are errors, and bulk.failed comes although some were sent", async () => {
    const received = await bulkHook();
    const id = await newBatch(w, who, { recipients: numbers(3) });
    await w.settle();
    await disconnect();
    await passes(w, SECOND + DAY - 1);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "RUNNING", sent: 1, pending: 2 });
    await passes(w, SECOND);
    const left = numbers(3)
      .slice(1)
      .map((to) => ({ to, code: "CHANNEL_UNAVAILABLE", message: expect.any(String) }));
    expect(await batchOf(w, who, id)).toMatchObject({ status: "FAILED", sent: 1, failed: 2, pending: 0, errors: left });
    expect(received()).toEqual([["bulk.failed", id, 3, 1, 2]]);
    await reconnect();
    await passes(w, 10 * SECOND);
    expect([recipients(), await jobs()]).toEqual([numbers(1), []]);
  });

  test("P-331 the rest of a long batch fails in slices, and none of it is sent meanwhile", async () => {
    const received = await bulkHook();
    const startsAt = new Date(w.clock.now() + HOUR_MS).toISOString();
    const id = await newBatch(w, who, { recipients: numbers(1000), startsAt });
    const more = { recipients: numbers(1900).slice(1000) };
    made(await w.platform(`/v1/bulk/${id}/recipients`, { key: who.key, body: more }), 200);
    const { env } = w.app;
    const after = await env.db.write(async (tx) => {
      await discardBatch(env, tx, { batchId: id as BatchId });
      return [
        await countRecipientsOf(tx, id as BatchId),
        await tx.rows("SELECT kind FROM jobs WHERE unique_key = ?1", [`bulk:${id}`]),
      ];
    });
    expect(after).toMatchObject([{ PENDING: 900, FAILED: 1000 }, [{ kind: "bulk.fail" }]]);
    await passes(w, 2 * HOUR_MS);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "FAILED", sent: 0, failed: 1900, pending: 0 });
    expect([received(), recipients()]).toEqual([[["bulk.failed", id, 1900, 0, 1900]], []]);
  });

  test("P-345 all three batches of it wait as one, each for its own 24 hours", async () => {
    const other = { ...who, channelId: (await wabaChannel(w, who.key)).id };
    const first = [await newBatch(w, other), await newBatch(w, other)];
    await passes(w, HOUR_MS);
    const later = await newBatch(w, other);
    const statuses = () => Promise.all([...first, later].map(async (id) => (await batchOf(w, who, id)).status));
    await passes(w, 23 * HOUR_MS - 1);
    expect(await statuses()).toEqual(["QUEUED", "QUEUED", "QUEUED"]);
    await passes(w, 1);
    expect(await statuses()).toEqual(["FAILED", "FAILED", "QUEUED"]);
    await passes(w, HOUR_MS);
    expect(await statuses()).toEqual(["FAILED", "FAILED", "FAILED"]);
  });

  test("P-331 a batch whose messages are all queued when the channel disconnects fails after 24 hours, too", async () => {
    network.pace = () => (network.sent.length > 0 ? 60 * SECOND : 0);
    const received = await bulkHook();
    const id = await newBatch(w, who, { recipients: numbers(8) });
    await passes(w, 30 * SECOND);
    await disconnect();
    await passes(w, DAY + 60 * SECOND);
    network.pace = () => 0;
    expect(await batchOf(w, who, id)).toMatchObject({ status: "FAILED", sent: 1, failed: 7, pending: 0 });
    expect(received()).toEqual([["bulk.failed", id, 8, 1, 7]]);
    expect((await batchOf(w, who, id)).errors.map(({ code }: { code: string }) => code)).toEqual(
      Array<string>(7).fill("CHANNEL_UNAVAILABLE"),
    );
  });

  test("P-331 its messages wait their 24 hours also when many others wait for the channel", async () => {
    network.outcomes.push({ ok: false, kind: "retry", code: "CHANNEL_UNAVAILABLE", reason: "away" });
    const id = await newBatch(w, who, { recipients: numbers(1) });
    await w.settle();
    await disconnect();
    await passes(w, 10 * HOUR_MS);
    for (const to of numbers(9, 100)) made(await sendText(w, who.key, who.channelId, { to }), 202);
    await passes(w, 14 * HOUR_MS);
    expect(await batchOf(w, who, id)).toMatchObject({
      status: "FAILED",
      errors: [{ to: numbers(1)[0], code: "CHANNEL_UNAVAILABLE" }],
    });
  });

  test("any connection in between restarts the 24 hours, also for a batch that was not running", async () => {
    const id = await newBatch(w, who, { recipients: numbers(2), delay: HOUR_MS });
    const busy = await newBatch(w, who, { recipients: numbers(1000, 100) });
    await passes(w, 10 * SECOND);
    await disconnect(); // which the busy one notices
    await passes(w, 10 * SECOND);
    expect((await batchOf(w, who, id)).waitingSince).toEqual((await batchOf(w, who, busy)).waitingSince);
    await reconnect();
    expect((await batchOf(w, who, id)).waitingSince).toBeNull();
    made(await cancel(w, who, busy), 200);
    await disconnect();
    await passes(w, 25 * HOUR_MS - MINUTE);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "RUNNING", sent: 1, pending: 1 });
    await passes(w, MINUTE);
    expect(await batchOf(w, who, id)).toMatchObject({ status: "FAILED", sent: 1, failed: 1 });
  });
});
