import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { type Customer, newCustomer, TO } from "../../../support/customers/customer.ts";
import { attempts } from "../../../support/waiting.ts";
import { startWorld, untilConnected, type World } from "../../../support/world.ts";

// adapters that break their contract, beside a channel of another that goes on

let w: World;
let c: Customer;
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "recado-faulty-"));
  for (const name of ["faulty", "blocking", "hoarding"]) putAdapter(name);
  w = await startWorld({ logLevel: "debug", env: { RECADO_GATEWAY_RATE: "100000", RECADO_PLUGIN_DIR: dir } });
  c = await newCustomer(w);
});
afterAll(async () => {
  await w.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** Puts a faulty adapter of this name into the folder. Costs are measured for each adapter, so some tests have their own. */
const putAdapter = (name: string): void => {
  const file = resolve(import.meta.dir, "../../../support/adapters/faulty/plugin.js");
  const text = readFileSync(file, "utf8")
    .replaceAll('"faulty"', `"${name}"`)
    .replace('"FAULTY"', `"${name.toUpperCase()}"`);
  mkdirSync(join(dir, name));
  writeFileSync(join(dir, name, "plugin.js"), text);
};

/** A connected channel of a faulty adapter. */
const faultyPhone = async (fault: string, adapter = "faulty"): Promise<string> => {
  const { status, body, text } = await w.gateway("/v1/phones", {
    key: c.key,
    body: { type: adapter.toUpperCase(), label: fault, credentials: { fault } },
  });
  if (status !== 201) throw new Error(text);
  await untilConnected(w, body.id);
  return body.id;
};

/** A send and a message that comes in, on a channel of another adapter. */
const othersFlow = async (): Promise<void> => {
  const before = c.hook.arrived.length;
  const { status, body } = await c.send();
  expect(status).toBe(202);
  await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "oi" });
  const events = () => c.hook.arrived.slice(before).map(({ body: event }) => JSON.stringify(event));
  const isReceived = () => events().some((event) => event.includes("message:received"));
  const isSent = () => events().some((event) => event.includes("message:status") && event.includes(body.messageId));
  for (const again = attempts(); !isReceived() || !isSent(); again()) await c.hook.received(c.hook.arrived.length + 1);
  expect((await c.message(body.messageId)).status).not.toBe("FAILED");
};

test.each(["throws", "hangs", "nonsense", "floods"])(
  "while an adapter %s in send, another channel sends and receives; its own message is FAILED as ADAPTER_FAULT",
  async (fault) => {
    const phone = await faultyPhone(fault);
    const { body } = await c.send({ phoneId: phone, to: "ana" });
    await othersFlow();
    w.clock.advance(3 * MINUTE_MS); // what hangs is over
    await w.settle();
    w.clock.advance(3 * MINUTE_MS); // and nobody said what became of it
    await w.settle();
    expect(await c.message(body.messageId)).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringMatching(/^\[ADAPTER_FAULT\] .*may have arrived/),
    });
    await othersFlow();
  },
);

test.each([
  ["blocks", "blocking", "blocked"],
  ["hoards", "hoarding", "bloated"],
])(
  "an adapter that %s in send is named with the call in the log, once, and counted",
  async (fault, adapter, excess) => {
    const phone = await faultyPhone(fault, adapter);
    for (let turn = 0; turn < 2; turn++) {
      await c.send({ phoneId: phone, to: "ana" });
      await w.settle();
    }
    await othersFlow();
    const named = w.logs.filter(
      (line) =>
        ["holds up the whole server", `"plugin":"${adapter}"`, `"${excess}"`].every((part) => line.includes(part)) &&
        line.includes('"what":"send"'),
    );
    expect(named).toHaveLength(1);
    expect(await w.app.env.metrics.text()).toMatch(
      new RegExp(`recado_adapter_faults_total\\{plugin="${adapter}",fault="${excess}"\\} [2-9]`),
    );
  },
);

test("its faults are counted and logged, and its own lines are bounded", async () => {
  for (const fault of ["throws", "hangs", "nonsense", "floods"]) {
    await c.send({ phoneId: await faultyPhone(fault), to: "ana" });
    await othersFlow();
    w.clock.advance(3 * MINUTE_MS); // what hangs is over
    await w.settle();
  }
  const figures = await w.app.env.metrics.text();
  for (const fault of ["threw", "hung", "malformed", "flooded"])
    expect(figures).toMatch(new RegExp(`recado_adapter_faults_total\\{plugin="faulty",fault="${fault}"\\} \\d+`));
  expect(w.logs.some((line) => line.includes("an adapter broke its contract"))).toBe(true);
  expect(w.logs.filter((line) => line.includes("coo")).length).toBeLessThanOrEqual(200);
});
