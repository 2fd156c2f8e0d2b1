import { describe, expect, test } from "bun:test";
import type { SendOutcome } from "../../../../../src/contract/outcome.ts";
import { applyStage } from "../../../../../src/core/billing/stages.ts";
import { SEND_WAITS, type WaitReason } from "../../../../../src/core/messaging/sending/send-waits.ts";
import { readTimeline } from "../../../../../src/core/messaging/timeline.ts";
import { THE_SERVER } from "../../../../../src/core/tenancy/audit/audit.ts";
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from "../../../../../src/kernel/clock.ts";
import type { TenantId } from "../../../../../src/kernel/ids.ts";
import type { FallbackReason, FallbackStatus } from "../../../../../src/store/tables/messaging/fallbacks.ts";
import { pauseQueue, type SendPause } from "../../../../../src/store/tables/queues.ts";
import { holdBack, release, rowsOf, type SendInput, suspend } from "../../../../support/customers/customer.ts";
import { AFTER_MINUTES, useTwoPhones } from "../../../../support/customers/failover.ts";
import { gatewaySays } from "../../../../support/refusals.ts";
import { made, simulatedSender } from "../../../../support/tenants/platform.ts";

const { w, network, c } = useTwoPhones();

const SLOW_DOWN: SendOutcome = {
  ok: false,
  kind: "retry",
  code: "UPSTREAM_RATE_LIMIT",
  reason: "the network wants fewer requests",
  isRateLimit: true,
  retryAfterMs: HOUR_MS,
};

/** The consequences of a wait for a message. Whoever adds a reason answers each question. */
type Meaning = {
  /** Brings the wait about. A message is queued already. */
  begin(): Promise<unknown> | void;
  /** Ends the wait: by the act that the sends wait for, or by time. */
  end(): Promise<unknown>;
  /** The reason that the timeline of a waiting message shows. */
  because: WaitReason;
  /** The answer to a new send meanwhile. */
  newSend: string;
  /** The state of a fallback after the phone's time. */
  fallback: { status: FallbackStatus; reason: FallbackReason | null };
  /** The state of the message after 25 hours. */
  afterADay: "QUEUED" | "FAILED";
};

const reinstate = (tenantId: string): Promise<unknown> =>
  w.app.env.db.write((tx) => applyStage(w.app.env, tx, THE_SERVER, tenantId as TenantId));

/** TABLE: the reasons of `SEND_WAITS`, and the consequences of each. */
const MEANINGS: Record<SendPause, Meaning> = {
  "rate-limit": {
    begin: () => void network.outcomes.push(...Array.from({ length: 300 }, () => SLOW_DOWN)),
    async end() {
      network.outcomes.length = 0;
      await w.advance(HOUR_MS);
    },
    because: "SLOWED_DOWN",
    newSend: "202",
    fallback: { status: "TAKEN", reason: "silent" },
    afterADay: "FAILED",
  },
  pace: {
    begin: () => {
      network.pace = () => 2 * DAY_MS;
    },
    async end() {
      network.pace = () => 0;
      await w.advance(2 * DAY_MS);
    },
    because: "SLOWED_DOWN",
    newSend: "202",
    fallback: { status: "TAKEN", reason: "silent" },
    afterADay: "QUEUED",
  },
  away: {
    begin: () => c.lost(),
    end: () => c.back(),
    because: "PHONE_AWAY",
    newSend: "409 PHONE_NOT_CONNECTED",
    fallback: { status: "TAKEN", reason: "lost" },
    afterADay: "FAILED",
  },
  suspended: {
    async begin() {
      await suspend(w, c.accountId);
      // the account has no debts: a run of the dunning would end the suspension
      const runAt = w.app.env.clock.now() + 30 * DAY_MS;
      await w.app.env.db.write(async (tx) => w.app.env.jobs.enqueue(tx, "dunning.run", {}, { runAt }));
    },
    end: () => reinstate(c.accountId),
    because: "ACCOUNT_SUSPENDED",
    newSend: "402 ACCOUNT_SUSPENDED",
    fallback: { status: "WAITING", reason: null },
    afterADay: "QUEUED",
  },
};

const NO_EVENTS = { audience: "", types: [] };
const queue = () => `channel:${c.phone.id}`;

const stateOf = async (id: string) => {
  const [row] = await rowsOf<{ status: string; fallback: FallbackStatus | null; reason: FallbackReason | null }>(
    w,
    `SELECT m.status, f.status AS fallback, f.reason FROM messages m LEFT JOIN fallbacks f ON f.id = m.id
      WHERE m.id = ?1`,
    [id],
  );
  return row;
};

const pausesOf = async (key: string): Promise<string[]> => {
  const [row] = await rowsOf<{ pauses: string }>(w, "SELECT pauses FROM queues WHERE key = ?1", [key]);
  return Object.keys(JSON.parse(row?.pauses ?? "{}"));
};

const timesSent = (id: string): number =>
  network.sent.filter(({ order, ended }) => order.messageId === id && ended?.ok).length;

/** A message that waits in its queue, for this reason alone. */
const waitingFor = async (reason: SendPause, more: SendInput = {}): Promise<string> => {
  await c.sent(); // so that the queue exists
  await holdBack(w, queue());
  const { messageId } = made(await c.send(more), 202);
  await MEANINGS[reason].begin();
  await release(w, queue());
  expect([(await stateOf(messageId))?.status, await pausesOf(queue())]).toEqual(["QUEUED", [reason]]);
  return messageId;
};

describe.each(Object.keys(SEND_WAITS) as SendPause[])("while sends wait for: %s", (reason) => {
  const { end, because, newSend, fallback, afterADay } = MEANINGS[reason];

  test("a message goes out once, as soon as the wait is over", async () => {
    const id = await waitingFor(reason);
    expect(timesSent(id)).toBe(0);
    await end();
    await w.settle();
    expect([(await stateOf(id))?.status, timesSent(id)]).toEqual(["SENT", 1]);
  });

  test("the timeline of a waiting message shows why", async () => {
    const id = await waitingFor(reason);
    // not by its API, which refuses a suspended account
    const { waiting } = await readTimeline(w.app.env, { tenantId: c.accountId as TenantId }, id, NO_EVENTS);
    expect(waiting?.because).toBe(because);
    expect(SEND_WAITS[reason].because).toBe(because);
  });

  test("a new send is refused, or waits too, and the definition has its refusal", async () => {
    await waitingFor(reason);
    const said = await c.send();
    expect(said.status === 202 ? "202" : gatewaySays(said)).toBe(newSend);
    expect(SEND_WAITS[reason].refusal === null).toBe(newSend === "202");
  });

  test("a fallback is sent after the phone's time, or waits too", async () => {
    const id = await waitingFor(reason, { fallback: c.fallback() });
    await w.advance(AFTER_MINUTES * MINUTE_MS);
    const found = await stateOf(id);
    expect({ status: found?.fallback, reason: found?.reason }).toEqual(fallback);
  });

  test("a message has failed after 24 hours, or has as many left once the wait is over", async () => {
    const id = await waitingFor(reason);
    for (let hour = 0; hour < 25; hour++) await w.advance(HOUR_MS);
    expect((await stateOf(id))?.status).toBe(afterADay);
  });
});

test("the timeline shows the wait that pauses the queue the longest, and no time for a wait without an end", async () => {
  await c.sent();
  await w.app.env.db.write(async (tx) => pauseQueue(tx, queue(), w.clock.now() + DAY_MS, "pace"));
  const { messageId } = made(await c.send(), 202);
  const waiting = async () => made(await w.gateway(`/v1/messages/${messageId}/timeline`, { key: c.key }), 200).waiting;
  expect(await waiting()).toMatchObject({ because: "SLOWED_DOWN", nextTryAt: iso(w.clock.now() + DAY_MS) });
  await holdBack(w, queue());
  expect(await waiting()).toMatchObject({ because: "PHONE_AWAY", nextTryAt: null });
  await release(w, queue());
  await w.advance(DAY_MS);
  expect((await stateOf(messageId))?.status).toBe("SENT");
});

test("X-156 a simulated message of a suspended account goes out when the account has paid", async () => {
  const sender = await simulatedSender(w);
  const simulated = `channel:${sender.channelId}/test`;
  await sender.send();
  await holdBack(w, simulated);
  const id = await sender.send();
  await suspend(w, sender.id);
  await release(w, simulated);
  expect([(await stateOf(id))?.status, await pausesOf(simulated)]).toEqual(["QUEUED", ["suspended"]]);
  await reinstate(sender.id);
  await w.settle();
  expect((await stateOf(id))?.status).not.toBe("QUEUED");
});
