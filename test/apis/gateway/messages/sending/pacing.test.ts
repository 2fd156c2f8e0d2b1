import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { SECOND_MS } from "../../../../../src/kernel/clock.ts";
import { type Customer, receivedBy, rowsOf } from "../../../../support/customers/customer.ts";
import { operate } from "../../../../support/customers/operations.ts";
import {
  newSessionCustomer,
  newSessionPhone,
  type SessionNetwork,
  sessionNetwork,
} from "../../../../support/session/scripted-sends.ts";
import { startWorld, type World } from "../../../../support/world.ts";

const BURST = 5;
const EVERY_MS = 3 * SECOND_MS;
const STEP_MS = SECOND_MS / 4;

let network: SessionNetwork;
let w: World;
let c: Customer;
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({
    plugins: [network.plugin],
    logLevel: "debug",
    env: { RECADO_GATEWAY_RATE: "100000", RECADO_GATEWAY_SEND_RATE: "100000" },
  });
});
beforeEach(async () => {
  c = await newSessionCustomer(w);
  network.sent.length = 0;
  w.logs.length = 0;
  paceOnly(c.phone.id);
});
afterAll(() => w.stop());

/** Twenty a minute and five at once, on one channel; the others as they like. */
const paceOnly = (channelId: string): void => {
  // when the last turn that was taken would have been, one after the other
  let taken = w.clock.now() - BURST * EVERY_MS;
  network.pace = (id) => {
    if (id !== channelId) return 0;
    const now = w.clock.now();
    const next = Math.max(taken, now - BURST * EVERY_MS) + EVERY_MS;
    if (next > now) return next - now;
    taken = next;
    return 0;
  };
};

const to = (n: number): string => `55119999${10000 + n}`;
const accepted = async (n: number, input: { to?: string; phoneId?: string } = {}): Promise<string> => {
  const { status, body, text } = await c.send({ to: to(n), content: { text: String(n) }, ...input });
  if (status !== 202) throw new Error(text);
  return body.messageId;
};
const advanceBySteps = async (ms: number): Promise<void> => {
  for (let passed = 0; passed < ms; passed += STEP_MS) await w.advance(STEP_MS);
};
const left = (channelId = c.phone.id) =>
  network.sent.filter((one) => one.channelId === channelId).map(({ at, order }) => [order.messageId, at] as const);

test("thirty messages leave in the order in which they were accepted, each at its turn, and another phone is not delayed", async () => {
  const began = w.clock.now();
  const ids: string[] = [];
  for (let n = 0; n < 30; n++) ids.push(await accepted(n));
  await w.settle();
  const other = await newSessionPhone(w, c.key);
  await advanceBySteps(SECOND_MS);
  const quick = await accepted(1, { phoneId: other });
  await w.settle();
  expect(left(other)).toEqual([[quick, began + SECOND_MS]]);
  await advanceBySteps(80 * SECOND_MS);
  expect(left()).toEqual(ids.map((id, n) => [id, began + Math.max(0, n - BURST + 1) * EVERY_MS]));
  const received = receivedBy(c.hook, "message:status").map(({ messageId, status }) => `${messageId} ${status}`);
  expect(received).toHaveLength(30);
  expect(new Set(received)).toEqual(new Set(ids.map((id) => `${id} sent`)));
});

test("messages of one chat keep their order between those of others", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 15; n++) ids.push(await accepted(n, { to: to(n % 3) }));
  await advanceBySteps(40 * SECOND_MS);
  expect(left().map(([id]) => id)).toEqual(ids);
});

test("waiting is no failure: nothing is logged of it, no try is counted, and the message is as it was", async () => {
  for (let n = 0; n < 12; n++) await accepted(n);
  await w.settle();
  const waiting = () =>
    rowsOf(
      w,
      "SELECT status, send_state AS sendState, provider_message_id AS key FROM messages WHERE channel_id = ?1 AND status = 'QUEUED'",
      [c.phone.id],
    );
  expect(await waiting()).toEqual(Array(7).fill({ status: "QUEUED", sendState: "NONE", key: null }));
  await advanceBySteps(9 * SECOND_MS);
  expect(await waiting()).toEqual(Array(4).fill({ status: "QUEUED", sendState: "NONE", key: null }));
  expect(
    await rowsOf(w, "SELECT DISTINCT attempts, last_error AS error FROM jobs WHERE queue = ?1", [
      `channel:${c.phone.id}`,
    ]),
  ).toEqual([{ attempts: 0, error: null }]);
  expect(w.logs.filter((line) => line.includes("send failed") || line.includes("job failed"))).toEqual([]);
  await advanceBySteps(12 * SECOND_MS);
  expect(left()).toHaveLength(12);
});

test("a send that nobody answered takes a turn of its own when it is repeated, under the same key", async () => {
  network.outcomes.push({ ok: false, kind: "unknown", code: "OUTCOME_UNKNOWN", reason: "no answer came" });
  const id = await accepted(0);
  await w.settle();
  const [first] = network.sent;
  const waits = [5 * SECOND_MS];
  network.pace = (channelId) => (channelId === c.phone.id ? (waits.shift() ?? 0) : 0);
  await advanceBySteps(65 * SECOND_MS - STEP_MS);
  expect(left()).toHaveLength(1);
  await w.advance(STEP_MS);
  expect(network.sent.map(({ order }) => [order.messageId, order.key])).toEqual([
    [id, first?.order.key],
    [id, first?.order.key],
  ]);
  expect((await c.message(id)).status).toBe("SENT");
});

test("what is done to messages waits with the queue, and is then done in its place", async () => {
  const first = await accepted(0);
  for (let n = 1; n <= BURST; n++) await accepted(n);
  await w.settle();
  network.operated.length = 0;
  expect((await operate(w, c, ["react", first])).status).toBe(202);
  await w.settle();
  expect(network.operated).toEqual([]);
  await advanceBySteps(EVERY_MS);
  expect([left().length, network.operated.map(({ name }) => name)]).toEqual([BURST + 1, ["react"]]);
});
