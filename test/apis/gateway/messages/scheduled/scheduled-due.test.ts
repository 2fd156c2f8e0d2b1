import { describe, expect, test } from "bun:test";
import { MESSAGING_JOBS } from "../../../../../src/core/messaging/jobs.ts";
import { acceptScheduled } from "../../../../../src/core/messaging/scheduled/due.ts";
import { cancelScheduled, reschedule } from "../../../../../src/core/messaging/scheduled/schedule.ts";
import { DAY_MS, MINUTE_MS } from "../../../../../src/kernel/clock.ts";
import type { TenantId } from "../../../../../src/kernel/ids.ts";
import { jobOf } from "../../../../../src/runtime/jobs.ts";
import { claimJob } from "../../../../../src/store/tables/job-claims.ts";
import {
  holdBack,
  newCustomer,
  receivedBy,
  release,
  rowsOf,
  sendsOf,
  suspend,
} from "../../../../support/customers/customer.ts";
import {
  disconnect,
  endOf,
  inMs,
  onScheduled,
  payloadOf,
  reconnect,
  scheduled,
  seedScheduled,
} from "../../../../support/customers/scheduled.ts";
import { gatewaySays } from "../../../../support/refusals.ts";
import { useEach, useWorld } from "../../../../support/use-world.ts";

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
    format: MESSAGING_JOBS["scheduled.accept"].payload,
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

describe("GAP-G36 the idempotency key of a scheduled message", () => {
  const idempotencyKey = "a-key-of-a-schedule";
  const REUSED = "409 IDEMPOTENCY_KEY_REUSED";
  const ask = (scheduledAt: string, query = "", how: object = {}) =>
    w.gateway(`/v1/messages/scheduled${query}`, {
      key: c.key,
      body: { scheduledAt, payload: payloadOf(c, { idempotencyKey }), ...how },
    });
  const sendNow = async () => gatewaySays(await c.send({ idempotencyKey, content: { text: "now" } }));
  const schedules = () => rowsOf(w, "SELECT id FROM scheduled WHERE tenant_id = ?1", [c.accountId]);

  test("G-285 G-287 a repeat answers with the first one, also when it was sent, and schedules nothing", async () => {
    const at = inMs(w, SOON);
    const first = await ask(at);
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([201, null]);
    for (const status of ["PENDING", "SENT"]) {
      const repeat = await ask(at);
      expect([repeat.status, repeat.headers.get("idempotent-replayed"), repeat.body]).toEqual([
        201,
        "true",
        { ...first.body, status },
      ]);
      expect(await schedules()).toEqual([{ id: first.body.id }]);
      await w.advance(SOON);
    }
    expect(texts()).toEqual(["até logo"]);
  });

  test("G-288 it is kept while the message waits, and for 24 hours after it was sent", async () => {
    const id = await scheduled(w, c, 3 * DAY_MS, { idempotencyKey });
    await w.advance(2 * DAY_MS);
    await w.restart();
    expect(await sendNow()).toBe(REUSED);
    await w.advance(DAY_MS);
    expect([texts(), (await stateOf(id)).status]).toEqual([["até logo"], "SENT"]);
    await w.advance(DAY_MS - 1);
    expect(await sendNow()).toBe(REUSED);
    await w.advance(1);
    expect(await sendNow()).toBe("202");
    await w.settle();
    expect(texts()).toEqual(["até logo", "now"]);
  });

  test("it follows the time of the message, also while that waits for its account's payment", async () => {
    const id = await scheduled(w, c, SOON, { idempotencyKey });
    await onScheduled(w, c, id, { method: "PATCH", body: { scheduledAt: inMs(w, 5 * DAY_MS) } });
    await w.advance(4 * DAY_MS);
    expect(await sendNow()).toBe(REUSED);
    await suspend(w, c.accountId);
    await w.advance(5 * DAY_MS); // keys that have expired are deleted meanwhile
    await suspend(w, c.accountId, "NONE");
    expect(await sendNow()).toBe(REUSED);
    expect(texts()).not.toContain("now");
  });

  test.each(["cancelled", "removed together with its phone"])("one that was %s keeps it for 24 hours", async (how) => {
    const other = await w.wabaPhone(c.key);
    const id = await scheduled(w, { ...c, phone: other }, 9 * DAY_MS, { idempotencyKey, phoneId: other.id });
    await w.advance(2 * DAY_MS);
    if (how === "cancelled") await onScheduled(w, c, id, { method: "DELETE" });
    else await w.gateway(`/v1/phones/${other.id}`, { key: c.key, method: "DELETE" });
    expect((await stateOf(id)).status).toBe("CANCELED");
    await w.advance(DAY_MS - 1);
    expect(await sendNow()).toBe(REUSED);
    await w.advance(1);
    expect(await sendNow()).toBe("202");
  });

  test("G-282 a refused schedule and a dry run use up no key; a dry run says what a repeat would do", async () => {
    const at = inMs(w, SOON);
    expect(gatewaySays(await ask(inMs(w, SOON - 1)))).toBe("400 SCHEDULE_TOO_SOON");
    expect((await ask(at, "?dryRun=true")).body).toMatchObject({ dryRun: true, isRepeat: false });
    expect(await rowsOf(w, "SELECT key FROM idempotency_keys WHERE tenant_id = ?1", [c.accountId])).toEqual([]);
    expect((await ask(at)).status).toBe(201);
    expect((await ask(at, "?dryRun=true")).body).toMatchObject({ dryRun: true, isRepeat: true });
    expect(gatewaySays(await ask(inMs(w, 2 * SOON), "?dryRun=true"))).toBe(REUSED);
    expect(await schedules()).toHaveLength(1);
  });

  test("G-284 a repeat while the first is being accepted is 409 IDEMPOTENCY_IN_PROGRESS, or gets the first", async () => {
    const at = inMs(w, SOON);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(at)));
    const [{ id } = { id: "" }, ...more] = await schedules();
    expect(more).toEqual([]);
    for (const { status, body } of answers)
      expect([status, body.id ?? body.error.code]).toEqual(
        status === 201 ? [201, id] : [409, "IDEMPOTENCY_IN_PROGRESS"],
      );
  });

  test("G-285 a repeat gets the first one as it was asked for, also where an older version accepted it without a key", async () => {
    const at = inMs(w, SOON);
    const inHours = { respectHours: true };
    const first = await ask(at, "", inHours);
    await w.app.env.db.write(async (tx) => tx.run("DELETE FROM idempotency_keys WHERE tenant_id = ?1", [c.accountId]));
    await w.advance(SOON);
    const repeat = await ask(at, "", inHours);
    expect([repeat.status, repeat.body]).toEqual([201, { ...first.body, status: "SENT" }]);
    expect(gatewaySays(await ask(at))).toBe(REUSED);
  });

  test("one that an older version accepted without it fails when the key stands for another message then", async () => {
    const due = await scheduled(w, c, SOON, { idempotencyKey });
    await w.app.env.db.write(async (tx) => tx.run("DELETE FROM idempotency_keys WHERE tenant_id = ?1", [c.accountId]));
    expect(await sendNow()).toBe("202");
    await w.advance(SOON);
    const { status, failedReason } = await stateOf(due);
    expect([status, failedReason]).toEqual([
      "FAILED",
      "[IDEMPOTENCY_KEY_REUSED] The idempotency key was used for a different request. Nothing was sent; use a new key for a new message.",
    ]);
    expect([texts(), await jobsOf(due)]).toEqual([["now"], []]);
  });
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
