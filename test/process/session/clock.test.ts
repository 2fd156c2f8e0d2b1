import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import { processes } from "../../support/processes/process.ts";
import { type Customer, patiently, startGateway } from "../../support/session/gateway-process.ts";
import type { Contact } from "../../support/whatsapp/index.ts";

const tools = processes(afterAll);
const gateway = await startGateway(tools, { RECADO_TEST_CLOCK: "1" });
const { net } = gateway;
afterAll(() => gateway.end());

let customer: Customer;
let ana: Contact;
let tests = 10;
beforeEach(async () => {
  customer = await gateway.customer(`55119000000${++tests}`);
  ana = net.contact({ pn: `55119111100${tests}` });
});
afterEach(() => gateway.client.remove(`/v1/phones/${customer.id}`, customer.key));

const pass = (advanceMs: number) => gateway.client.admin("/clock", { advanceMs });

test("G-171 another QR code is shown when 20 s have passed, by the test clock, too", async () => {
  const shown = [await customer.qr()];
  for (let turn = 1; turn < 8; turn++) {
    await pass(20 * SECOND_MS);
    shown.push(await customer.qr());
  }
  expect(new Set(shown).size).toBe(8);
});

test("G-196 a pairing code is gone when two minutes have passed, and another one can be made", async () => {
  const code = await customer.code();
  await pass(2 * MINUTE_MS - SECOND_MS - 10 * SECOND_MS);
  expect((await customer.askPhone("pairing-code")).body.code).toBe(code);
  await pass(11 * SECOND_MS);
  expect((await customer.askPhone("pairing-code")).status).toBe(425);
  expect(await customer.code()).not.toBe(code);
});

test("a session stays open while the test clock jumps by an hour, a day and more, a week and more", async () => {
  await customer.pair();
  const { logins } = net.stat;
  for (const jumpMs of [HOUR_MS, 25 * HOUR_MS, 8 * DAY_MS]) {
    await pass(jumpMs);
    await customer.send(`${ana.pn}`, "text", { text: `after ${jumpMs}` });
    await ana.until(({ text }) => text === `after ${jumpMs}`);
    await ana.say(`and ${jumpMs}`, { to: customer.device });
    await customer.untilReceived(({ data }) => data.content?.text === `and ${jumpMs}`);
    expect([await customer.status(), net.stat.logins]).toEqual(["CONNECTED", logins]);
  }
  expect(customer.received("channel:disconnected")).toEqual([]);
});

test("a session stays open while the test clock jumps many times in a row", async () => {
  await customer.pair();
  const { logins } = net.stat;
  await Promise.all(Array.from({ length: 60 }, () => pass(MINUTE_MS)));
  await customer.send(`${ana.pn}`, "text", { text: "after all" });
  await ana.until(({ text }) => text === "after all");
  expect([await customer.status(), net.stat.logins]).toEqual(["CONNECTED", logins]);
});

test("G-565 what a lookup found is known for a week", async () => {
  await customer.pair();
  const lookUp = () => customer.ask("/lookup", { phoneId: customer.id, numbers: [`${ana.pn}`, "5511911199999"] });
  const first = await lookUp();
  expect(first.status).toBe(202);
  await patiently(
    "the lookup does not end",
    async () => (await customer.ask(`/lookup/${first.body.taskId}`)).body.results,
  );
  await pass(6 * DAY_MS);
  expect((await lookUp()).status).toBe(201);
  expect((await customer.ask(`/lookup/${first.body.taskId}`)).status).toBe(404);
  await pass(2 * DAY_MS);
  expect((await lookUp()).status).toBe(202);
});
