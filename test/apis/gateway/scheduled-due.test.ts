import { describe, expect, test } from "bun:test";
import { PAYLOADS } from "../../../src/core/job-payloads.ts";
import { acceptScheduled } from "../../../src/core/messaging/due.ts";
import { cancelScheduled, reschedule } from "../../../src/core/messaging/schedule.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/kernel/clock.ts";
import type { TenantId } from "../../../src/kernel/ids.ts";
import { jobOf } from "../../../src/runtime/jobs.ts";
import { claimJob } from "../../../src/store/job-claims.ts";
import { holdBack, newCustomer, receivedBy, release, rowsOf, sendsOf } from "../../support/customer.ts";
import { gatewaySays } from "../../support/refusals.ts";
import {
  disconnect,
  endOf,
  inMs,
  onScheduled,
  payloadOf,
  reconnect,
  scheduled,
  seedScheduled,
} from "../../support/scheduled.ts";
import { useEach, useWorld } from "../../support/use-world.ts";

const w = useWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
const c = useEach(() => newCustomer(w));

const SOON = 5000;
const texts = () => sendsOf(w, c).map(({ text }) => text.body);
const stateOf = (id: string) => endOf(w, c, id);
const jobsOf = (id: string) => rowsOf(w, "SELECT owner, run_at FROM jobs WHERE unique_key = ?1", [`scheduled:${id}`]);
const byText = (a: string, b: string) => a.localeCompare(b);
const queue = () => `scheduled:${c.phone.id}`;

test("G-429 at its time, and not before, it goes out as a normal send; it is SENT, and says which message it became", async () => {
  const id = await scheduled(w, c, SOON);
  await w.advance(SOON - 1);
  expect([texts(), await stateOf(id)]).toEqual([[], { status: "PENDING", messageId: null, failedReason: null }]);
  await w.advance(1);
  const { status, messageId } = await stateOf(id);
  expect([texts(), status]).toEqual([["até logo"], "SENT"]);
  expect(await c.message(messageId)).toMatchObject({ messageId, status: "SENT", sentAt: inMs(w, 0) });
  expect(receivedBy(c.hook, "message:status")).toMatchObject([{ messageId, status: "sent" }]);
  expect(await jobsOf(id)).toEqual([]);
});

test("G-430 what was cancelled never goes out", async () => {
  const id = await scheduled(w, c, SOON);
  await onScheduled(w, c, id, { method: "DELETE" });
  expect(await jobsOf(id)).toEqual([]);
  await w.advance(DAY_MS);
  expect([texts(), (await stateOf(id)).status]).toEqual([[], "CANCELED"]);
});

test("G-423 what was put off goes out at its new time, once", async () => {
  const id = await scheduled(w, c, SOON);
  await onScheduled(w, c, id, { method: "PATCH", body: { scheduledAt: inMs(w, 2 * SOON) } });
  await w.advance(2 * SOON - 1);
  expect([texts(), (await stateOf(id)).status]).toEqual([[], "PENDING"]);
  await w.advance(1);
  await w.advance(DAY_MS);
  expect([texts(), (await stateOf(id)).status]).toEqual([["até logo"], "SENT"]);
});

/** The job of a message that is due, claimed: nobody else runs it. */
const claimedJobOf = async (id: string): Promise<Parameters<typeof acceptScheduled>[1]> => {
  await holdBack(w, queue());
  await w.advance(SOON);
  const [waiting] = await rowsOf<{ id: number }>(w, "SELECT id FROM jobs WHERE unique_key = ?1", [`scheduled:${id}`]);
  const claimed = await w.app.env.db.write(async (tx) => claimJob(tx, { id: waiting?.id ?? 0, owner: "of the test" }));
  if (!claimed) throw new Error("the job was not claimed");
  return jobOf(claimed, {
    payload: JSON.parse(claimed.payload),
    format: PAYLOADS["scheduled.accept"],
    isShared: false,
    mayAct: () => true,
    onReturn: () => {},
  });
};

test("the acceptance, the end of the schedule and that of its job are one write: when it fails none of them has been", async () => {
  const id = await scheduled(w, c, SOON, { idempotencyKey: "a-key-of-a-schedule" });
  const job = await claimedJobOf(id);
  const end = () => {
    throw new Error("the last step of the write");
  };
  const [failed] = await Promise.allSettled([acceptScheduled(w.app.env, { ...job, end })]);
  expect(failed?.status).toBe("rejected");
  expect([
    (await stateOf(id)).status,
    await rowsOf(w, "SELECT id FROM messages WHERE tenant_id = ?1", [c.accountId]),
  ]).toEqual(["PENDING", []]);
  await acceptScheduled(w.app.env, job);
  await release(w, queue());
  expect([texts(), (await stateOf(id)).status, await jobsOf(id)]).toEqual([["até logo"], "SENT", []]);
});

describe("a change that comes while the message is being accepted", () => {
  const scope = () => ({ tenantId: c.accountId as TenantId });
  /** The change is written between what the job reads and what it writes. */
  const during = async (id: string, change: () => Promise<unknown>) => {
    const job = await claimedJobOf(id);
    await Promise.all([acceptScheduled(w.app.env, job), change()]);
    await release(w, queue());
  };

  test("G-426 G-430 a cancellation that was answered holds: nothing goes out", async () => {
    const id = await scheduled(w, c, SOON);
    await during(id, () => cancelScheduled(w.app.env, scope(), id));
    await w.advance(DAY_MS);
    expect([texts(), await stateOf(id), await jobsOf(id)]).toEqual([
      [],
      { status: "CANCELED", messageId: null, failedReason: null },
      [],
    ]);
  });

  test("G-423 a new time that was answered holds: it goes out then, and once", async () => {
    const id = await scheduled(w, c, SOON);
    await during(id, () => reschedule(w.app.env, scope(), { id, scheduledAt: w.clock.now() + SOON }));
    expect([texts(), (await stateOf(id)).status]).toEqual([[], "PENDING"]);
    await w.advance(SOON - 1);
    expect(texts()).toEqual([]);
    await w.advance(1);
    await w.advance(DAY_MS);
    expect([texts(), (await stateOf(id)).status]).toEqual([["até logo"], "SENT"]);
  });

  test("G-427 G-430 of many that are cancelled as they become due, each is either answered 204 and never sent, or 409 and sent once", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 60; n++) ids.push(await scheduled(w, c, SOON, { content: { text: `text ${n}` } }));
    const cancelling = ids.slice(0, 20).map((id) => onScheduled(w, c, id, { method: "DELETE" }));
    w.clock.advance(SOON);
    const answers = await Promise.all([
      ...cancelling,
      ...ids.slice(20).map((id) => onScheduled(w, c, id, { method: "DELETE" })),
    ]);
    await w.settle();
    await w.advance(DAY_MS);
    const sent = answers.flatMap((answer, n) =>
      gatewaySays(answer) === "409 SCHEDULED_NOT_PENDING" ? [`text ${n}`] : [],
    );
    expect(answers.filter((answer) => gatewaySays(answer) === "204").length + sent.length).toBe(ids.length);
    expect(texts().toSorted(byText)).toEqual(sent.toSorted(byText));
    const states = await Promise.all(ids.map(async (id) => (await stateOf(id)).status));
    expect(states).toEqual(answers.map(({ status }) => (status === 204 ? "CANCELED" : "SENT")));
  });
});

describe("a process that ends", () => {
  test("before the time loses nothing: it goes out afterwards, once", async () => {
    const id = await scheduled(w, c, SOON);
    await w.restart();
    await w.advance(SOON);
    expect([texts(), (await stateOf(id)).status]).toEqual([["até logo"], "SENT"]);
  });

  test("while it is due sends neither twice nor not at all, whether its last write came to the disk or not", async () => {
    const [lost, kept] = [
      await scheduled(w, c, SOON, { content: { text: "lost" } }),
      await scheduled(w, c, SOON, { content: { text: "kept" } }),
    ];
    await holdBack(w, queue());
    await w.advance(SOON);
    // as a kill leaves them: both were claimed; of one nothing else is on disk, of the other all
    await w.app.env.db.write(async (tx) => {
      tx.run("UPDATE jobs SET owner = 'a dead process', claims = 1, attempts = 1 WHERE unique_key IN (?1, ?2)", [
        `scheduled:${lost}`,
        `scheduled:${kept}`,
      ]);
      tx.run("UPDATE queues SET running = 2, next_at = NULL WHERE key = ?1", [queue()]);
    });
    await w.app.env.db.write(async (tx) => {
      tx.run(
        "UPDATE scheduled SET status = 'SENT', message_id = '00000000-0000-4000-8000-000000000001' WHERE id = ?1",
        [kept],
      );
      tx.run("DELETE FROM jobs WHERE unique_key = ?1", [`scheduled:${kept}`]);
    });
    await w.restart();
    await release(w, queue());
    expect([texts(), (await stateOf(lost)).status, await stateOf(kept)]).toEqual([
      ["lost"],
      "SENT",
      { status: "SENT", messageId: "00000000-0000-4000-8000-000000000001", failedReason: null },
    ]);
  });

  test("while it waits for its phone, PROCESSING, sends it once when the phone connects", async () => {
    const id = await scheduled(w, c, SOON);
    await disconnect(w, c);
    await w.advance(SOON);
    expect(await stateOf(id)).toEqual({ status: "PROCESSING", messageId: null, failedReason: null });
    await w.restart();
    expect((await stateOf(id)).status).toBe("PROCESSING");
    await reconnect(w, c);
    expect([texts().filter((text) => text === "até logo"), (await stateOf(id)).status]).toEqual([["até logo"], "SENT"]);
  });
});

test("G-285 G-287 an idempotency key in the payload: what was sent under it is not sent again", async () => {
  const idempotencyKey = "a-key-of-a-schedule";
  const ids = [
    await scheduled(w, c, SOON, { idempotencyKey }),
    await scheduled(w, c, 2 * SOON, { idempotencyKey }),
  ] as const;
  await w.advance(2 * SOON);
  const [first, second] = [await stateOf(ids[0]), await stateOf(ids[1])];
  expect([first.status, second.status, second.messageId]).toEqual(["SENT", "SENT", first.messageId]);
  expect(texts()).toEqual(["até logo"]);
});

test("GAP-G36 a key that stands for another message is refused when it is scheduled, and fails what is due under it: its text is not sent", async () => {
  const idempotencyKey = "a-key-of-a-schedule";
  const due = await scheduled(w, c, SOON, { idempotencyKey });
  await c.sent({ idempotencyKey, content: { text: "now" } });
  const refused = await w.gateway("/v1/messages/scheduled", {
    key: c.key,
    body: { scheduledAt: new Date(w.clock.now() + SOON).toISOString(), payload: payloadOf(c, { idempotencyKey }) },
  });
  expect(gatewaySays(refused)).toBe("409 IDEMPOTENCY_KEY_REUSED");
  await w.advance(SOON);
  const { status, failedReason } = await stateOf(due);
  expect([status, failedReason]).toEqual([
    "FAILED",
    "[IDEMPOTENCY_KEY_REUSED] The idempotency key was used for a different request. Nothing was sent; use a new key for a new message.",
  ]);
  expect([texts(), await jobsOf(due)]).toEqual([["now"], []]);
});

test("what is finished is forgotten after 90 days, what is not stays", async () => {
  await seedScheduled(w, c, { count: 250, status: "SENT", scheduledAt: w.clock.now() });
  const pending = await scheduled(w, c, 300 * DAY_MS);
  const count = async () =>
    (await rowsOf<{ n: number }>(w, "SELECT count(*) AS n FROM scheduled WHERE tenant_id = ?1", [c.accountId]))[0]?.n;
  await w.advance(90 * DAY_MS);
  expect(await count()).toBe(251);
  await w.advance(2 * 60 * MINUTE_MS);
  expect([await count(), (await stateOf(pending)).status]).toEqual([1, "PENDING"]);
});
