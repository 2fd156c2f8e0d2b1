import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Found } from "../../../../src/contract/abilities/lookup.ts";
import type { UpstreamResult } from "../../../../src/contract/upstream.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { type Customer, rowsOf, tracesOf } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import {
  newSessionCustomer,
  newSessionPhone,
  reported,
  type SessionNetwork,
  sessionNetwork,
} from "../../../support/session/scripted-sends.ts";
import { startWorld, type World } from "../../../support/world.ts";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ANA = "5511999990001";
const BIA = "5511999990002";
const NOBODY = "9990000000";

let network: SessionNetwork;
let w: World;
let c: Customer;
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [network.plugin], env: { RECADO_GATEWAY_RATE: "100000" } });
});
beforeEach(async () => {
  c = await newSessionCustomer(w);
  network.asked.length = 0;
});
afterAll(() => w.stop());

const look = (numbers: string[], phoneId = c.phone.id) =>
  w.gateway("/v1/lookup", { key: c.key, body: { phoneId, numbers } });
const taskOf = async (id: string) => (await w.gateway(`/v1/lookup/${id}`, { key: c.key })).body;
/** Has the question answered; the answer. */
const answered = async (numbers: string[], phoneId = c.phone.id) => {
  const { body } = await look(numbers, phoneId);
  await w.settle();
  return taskOf(body.taskId);
};
const there = (phoneNumber: string) => ({ phoneNumber, exists: true, jid: `${phoneNumber}@s.whatsapp.net` });
/** Each question is answered when the test says so. */
const scripted = () => {
  const { promise, resolve } = Promise.withResolvers<UpstreamResult<Map<string, Found>>>();
  network.answers.push(promise);
  return resolve;
};
const openJobs = () => rowsOf(w, "SELECT id FROM jobs WHERE queue = ?1", [`lookup:${c.phone.id}`]);

test("G-004 G-563 G-570 G-571 G-572 a first lookup is answered later: one result per number, in order", async () => {
  const answer = scripted();
  const started = await look([`+${BIA}`, NOBODY, ANA, BIA]);
  expect([started.status, started.body]).toEqual([202, { taskId: expect.stringMatching(UUID_V4), status: "pending" }]);
  const { taskId } = started.body;
  expect(await taskOf(taskId)).toEqual({ status: "pending" });
  answer({
    ok: true,
    value: new Map([
      [ANA, { exists: true, jid: `${ANA}@s.whatsapp.net` }],
      [BIA, { exists: true, jid: "551199990002@s.whatsapp.net" }],
      [NOBODY, { exists: false, jid: null }],
    ]),
  });
  await w.settle();
  const bia = { phoneNumber: BIA, exists: true, jid: "551199990002@s.whatsapp.net" };
  expect(await taskOf(taskId)).toEqual({
    status: "completed",
    results: [bia, { phoneNumber: NOBODY, exists: false, jid: null }, there(ANA), bia],
  });
  expect(network.asked).toEqual([[BIA, NOBODY, ANA]]);
  expect(await openJobs()).toEqual([]);
});

test("G-564 G-565 what is known of all of them is answered at once for seven days, on this phone alone", async () => {
  await answered([ANA, BIA]);
  const again = await look([`+${ANA}`]);
  expect([again.status, again.body]).toEqual([
    201,
    { taskId: expect.stringMatching(UUID_V4), status: "completed", cached: true },
  ]);
  expect(await taskOf(again.body.taskId)).toEqual({ status: "completed", results: [there(ANA)] });
  expect(network.asked).toHaveLength(1);
  expect((await look([ANA], await newSessionPhone(w, c.key))).status).toBe(202);
  await w.settle();
  await w.advance(7 * DAY_MS - 1);
  expect((await look([ANA])).status).toBe(201);
  await w.advance(1);
  expect((await look([ANA])).status).toBe(202);
  await w.settle();
  expect(network.asked).toHaveLength(3);
});

test("G-563 only what is not known yet is asked of the network", async () => {
  await answered([ANA]);
  expect(await answered([ANA, BIA])).toEqual({ status: "completed", results: [there(ANA), there(BIA)] });
  expect(network.asked).toEqual([[ANA], [BIA]]);
});

test("G-573 a task is unknown to others, unknown after 24 hours, and then forgotten", async () => {
  const { taskId } = (await look([ANA])).body;
  const other = await newSessionCustomer(w);
  for (const [id, key] of [
    [taskId, other.key],
    ["0198a000-1111-4222-8333-444455556666", c.key],
    ["nonsense", c.key],
  ])
    expect(gatewaySays(await w.gateway(`/v1/lookup/${id}`, { key }))).toBe("404 TASK_NOT_FOUND");
  await w.advance(DAY_MS - 1);
  expect((await taskOf(taskId)).status).toBe("completed");
  await w.advance(1);
  expect(gatewaySays(await w.gateway(`/v1/lookup/${taskId}`, { key: c.key }))).toBe("404 TASK_NOT_FOUND");
  await w.advance(2 * HOUR_MS);
  expect(await rowsOf(w, "SELECT id FROM lookups WHERE id = ?1", [taskId])).toEqual([]);
});

describe("a network that does not answer", () => {
  test("G-574 while it allows no more, all that is asked of the phone waits as long as it says, and then goes on in order", async () => {
    network.answers.push({
      ok: false,
      kind: "unavailable",
      reason: "enough for this hour",
      mayHaveHappened: false,
      retryAfterMs: 20 * MINUTE_MS,
    });
    const first = await look([ANA]);
    await w.settle();
    const second = await look([BIA]);
    await w.advance(20 * MINUTE_MS - 1);
    expect(network.asked).toEqual([[ANA]]);
    expect(await taskOf(first.body.taskId)).toEqual({ status: "pending" });
    await w.advance(1);
    expect(network.asked).toEqual([[ANA], [ANA], [BIA]]);
    for (const { body } of [first, second]) expect((await taskOf(body.taskId)).status).toBe("completed");
  });

  test.each([
    ["says nothing", { ok: false, kind: "unavailable", reason: "no answer", mayHaveHappened: false }],
    ["refuses", { ok: false, kind: "refused", error: { code: 500, error_subcode: null, message: "no" } }],
    ["answers with nothing", { ok: true, value: new Map<string, Found>() }],
  ] as const)("one that %s is asked again after 30 seconds, as often as it takes", async (_, silence) => {
    network.answers.push(...Array(30).fill(silence));
    const { taskId } = (await look([ANA])).body;
    await w.settle();
    for (let n = 1; n <= 30; n++) {
      expect([network.asked.length, (await taskOf(taskId)).status]).toEqual([n, "pending"]);
      await w.advance(30 * SECOND_MS);
    }
    expect((await taskOf(taskId)).status).toBe("completed");
  });

  test("what it leaves out is asked for again at once, and the rest is not", async () => {
    network.answers.push({ ok: true, value: new Map([[ANA, { exists: true, jid: `${ANA}@s.whatsapp.net` }]]) });
    expect(await answered([ANA, BIA])).toEqual({ status: "completed", results: [there(ANA), there(BIA)] });
    expect(network.asked).toEqual([[ANA, BIA], [BIA]]);
  });

  test("a question that it says nothing to is put again behind the others", async () => {
    network.answers.push({ ok: false, kind: "unavailable", reason: "no answer", mayHaveHappened: false });
    await look([ANA]);
    await w.settle();
    const { taskId } = (await look([BIA])).body;
    await w.advance(30 * SECOND_MS);
    expect(network.asked).toEqual([[ANA], [BIA], [ANA]]);
    expect((await taskOf(taskId)).status).toBe("completed");
  });

  test("a task that nobody can ask for any more is not asked about either", async () => {
    network.answers.push({
      ok: false,
      kind: "unavailable",
      reason: "no answer",
      mayHaveHappened: false,
      retryAfterMs: DAY_MS,
    });
    await look([ANA]);
    await w.settle();
    await w.advance(DAY_MS);
    expect(network.asked).toHaveLength(1);
    expect(await openJobs()).toEqual([]);
  });
});

test("a phone that is not connected is not asked; what was asked before waits until it is", async () => {
  network.answers.push({ ok: false, kind: "unavailable", reason: "no answer", mayHaveHappened: false });
  const { taskId } = (await look([ANA])).body;
  await w.settle();
  await reported(w, network, c.phone.id, { state: "CONNECTING" });
  await w.advance(HOUR_MS);
  expect(network.asked).toHaveLength(1);
  const before = await tracesOf(w, c);
  expect(gatewaySays(await look([BIA]))).toBe("409 PHONE_NOT_CONNECTED");
  expect(await tracesOf(w, c)).toEqual(before);
  await reported(w, network, c.phone.id, { state: "CONNECTED" });
  await w.settle();
  expect((await taskOf(taskId)).status).toBe("completed");
});

test("G-574 a hundred lookups of a phone may wait: the next is refused until one is answered", async () => {
  network.answers.push({
    ok: false,
    kind: "unavailable",
    reason: "enough for this hour",
    mayHaveHappened: false,
    retryAfterMs: HOUR_MS,
  });
  for (let n = 0; n < 100; n++) expect((await look([`55119999${10000 + n}`])).status).toBe(202);
  const before = await rowsOf(w, "SELECT id FROM lookups");
  const refused = await look([ANA]);
  expect([gatewaySays(refused), refused.headers.get("retry-after")]).toEqual(["429 RATE_LIMITED", "60"]);
  expect(await rowsOf(w, "SELECT id FROM lookups")).toEqual(before);
  expect((await look([ANA], await newSessionPhone(w, c.key))).status).toBe(202);
  await w.advance(HOUR_MS);
  expect((await look([ANA])).status).toBe(202);
  await w.settle();
});

test("a process that ends between the answer and its note asks again, and the task is answered once", async () => {
  const { taskId } = (await look([ANA])).body;
  await w.settle();
  await w.app.env.db.write(async (tx) => {
    tx.run("UPDATE lookups SET results = NULL WHERE id = ?1", [taskId]);
    w.app.env.jobs.enqueue(tx, "lookup.run", { taskId, channelId: c.phone.id as never });
  });
  await w.settle();
  expect(await taskOf(taskId)).toEqual({ status: "completed", results: [there(ANA)] });
  expect(network.asked).toHaveLength(1);
});

test("with a phone its questions go, answered or not", async () => {
  await answered([ANA]);
  network.answers.push({ ok: false, kind: "unavailable", reason: "no answer", mayHaveHappened: false });
  const { taskId } = (await look([BIA])).body;
  await w.settle();
  expect((await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" })).status).toBe(204);
  await w.settle();
  expect(await rowsOf(w, "SELECT id FROM lookups WHERE channel_id = ?1", [c.phone.id])).toEqual([]);
  expect(await openJobs()).toEqual([]);
  expect(gatewaySays(await w.gateway(`/v1/lookup/${taskId}`, { key: c.key }))).toBe("404 TASK_NOT_FOUND");
});

test("G-566 where the simulator stands in for every network, a session is asked all the same, and no other phone", async () => {
  const demo = await startWorld({ simulated: true });
  try {
    const { key } = await demo.account();
    const phoneId = await newSessionPhone(demo, key);
    const ask = (phone: string) =>
      demo.gateway("/v1/lookup", { key, body: { phoneId: phone, numbers: [ANA, NOBODY] } });
    const { body } = await ask(phoneId);
    await demo.settle();
    expect((await demo.gateway(`/v1/lookup/${body.taskId}`, { key })).body.results).toEqual([
      there(ANA),
      { phoneNumber: NOBODY, exists: false, jid: null },
    ]);
    const official = (await demo.gateway("/v1/phones", { key, body: { type: "WABA", label: "A phone" } })).body.id;
    expect(gatewaySays(await ask(official))).toBe("400 LOOKUP_UNSUPPORTED_CHANNEL");
  } finally {
    await demo.stop();
  }
});

test("G-561 100 numbers are one question", async () => {
  const numbers = Array.from({ length: 100 }, (_, n) => `55119999${10000 + n}`);
  expect((await answered(numbers)).results.map(({ phoneNumber }: { phoneNumber: string }) => phoneNumber)).toEqual(
    numbers,
  );
});
