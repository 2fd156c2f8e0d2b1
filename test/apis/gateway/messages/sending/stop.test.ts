import { afterEach, expect, test } from "bun:test";
import type { SendOutcome } from "../../../../../src/contract/outcome.ts";
import type { ChannelPlugin } from "../../../../../src/contract/plugin.ts";
import { MINUTE_MS, SECOND_MS } from "../../../../../src/kernel/clock.ts";
import { type Customer, rowsOf } from "../../../../support/customers/customer.ts";
import { newSessionCustomer, type SessionNetwork, sessionNetwork } from "../../../../support/session/scripted-sends.ts";
import { startWorld, untilTrue, type World } from "../../../../support/world.ts";

// What a stop does with the sends that it finds.

const GRACE_MS = 14 * SECOND_MS;
const CLOSING_MS = 6 * SECOND_MS;

let w: World;
let c: Customer;
let network: SessionNetwork;
const start = async (changed: (plugin: ChannelPlugin) => ChannelPlugin = (plugin) => plugin) => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [changed(network.plugin)], logLevel: "debug", isRemote: false });
  c = await newSessionCustomer(w);
};
afterEach(() => w.stop());

const send = async (text: string): Promise<string> => {
  const { status, body, text: answer } = await c.send({ content: { text } });
  if (status !== 202) throw new Error(answer);
  return body.messageId;
};
const messages = () =>
  rowsOf(w, "SELECT id, status, uncertain_attempts AS uncertain FROM messages ORDER BY created_at, id");
const errors = () => w.logs.filter((line) => line.includes('"level":"error"'));

test("a try that begins when the grace of a stop has ended does not leave: the next process makes it", async () => {
  await start();
  let restarting: Promise<void> | undefined;
  network.pace = () => {
    if (restarting === undefined) {
      restarting = w.restart({ awayMs: MINUTE_MS });
      w.clock.advance(GRACE_MS); // the beginning of the try is stored after this
    }
    return 0;
  };
  const asked = send("Hello");
  asked.catch(() => {}); // the stop may come before its answer
  await untilTrue(() => restarting !== undefined);
  const stoppedAt = w.clock.now();
  await restarting;
  await w.settle();
  expect(network.sent.map(({ at }) => at - stoppedAt)).toEqual([MINUTE_MS]);
  expect(await messages()).toMatchObject([{ status: "SENT", uncertain: 0 }]);
  expect(errors()).toEqual([]);
});

test("a send whose answer comes after the stop ends in the next process, and is no error in the log", async () => {
  await start();
  const late = Promise.withResolvers<SendOutcome>();
  network.outcomes.push(late.promise);
  await send("Hello");
  await untilTrue(() => network.sent.length > 0);
  const restarting = w.restart();
  w.clock.advance(GRACE_MS);
  await restarting;
  late.resolve({ ok: false, kind: "unknown", code: "UPSTREAM_UNAVAILABLE", reason: "late" });
  await w.settle();
  const [first, second] = network.sent;
  expect([network.sent.length, second?.order.key]).toEqual([2, first?.order.key]); // the network knows the repeat
  expect(await messages()).toMatchObject([{ status: "SENT" }]);
  expect(errors()).toEqual([]);
});

test("a stop ends 20 s after it began, though an adapter answers neither a send nor the close of its link", async () => {
  let isClosing = false;
  const closed = Promise.withResolvers<void>();
  const close = () => {
    isClosing = true;
    return closed.promise;
  };
  await start((plugin) => ({ ...plugin, open: (host) => Object.assign(Object.create(plugin.open(host)), { close }) }));
  network.outcomes.push(new Promise<SendOutcome>(() => {}));
  await send("Hello");
  await untilTrue(() => network.sent.length > 0);
  const stoppedAt = w.clock.now();
  const restarting = w.restart();
  w.clock.advance(GRACE_MS);
  await untilTrue(() => isClosing);
  w.clock.advance(CLOSING_MS);
  await restarting;
  closed.resolve(); // of the link of the next process
  expect(w.clock.now() - stoppedAt).toBe(20 * SECOND_MS);
  expect(w.logs.filter((line) => line.includes("did not close in time"))).toHaveLength(1);
  await w.settle();
  expect(await messages()).toMatchObject([{ status: "SENT" }]); // the network knows the repeat by its id
});
