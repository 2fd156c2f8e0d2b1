import { afterAll, expect, test } from "bun:test";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { processes } from "../../support/processes/process.ts";
import { roundsOf } from "../../support/rounds.ts";
import { nextSeed } from "../../support/seeds.ts";
import { type Customer, patiently, startGateway } from "../../support/session/gateway-process.ts";

const ROUNDS = roundsOf(6);
const SEED = Number(process.env["RECADO_CRASH_SEED"] ?? nextSeed());
/** From the scan to the first login, and from the order to log out to the next QR code. */
const PAIRING_MS = 250;
const LOGOUT_MS = 80;

const tools = processes(afterAll);
const gateway = await startGateway(tools, { RECADO_TEST_CLOCK: "1", RECADO_LOG_LEVEL: "error" });
const { net } = gateway;
const ana = net.contact({ pn: "5511911110001" });
afterAll(() => gateway.end());

/** Scans whatever QR code is shown until the phone is connected; the codes that were scanned. */
const pairAfterAll = async (customer: Customer): Promise<string[]> => {
  const scanned: string[] = [];
  await patiently(`phone ${customer.id} cannot be paired`, async () => {
    const { status, body } = await customer.askPhone("qrcode");
    if (status === 200 && !scanned.includes(body.qr)) {
      scanned.push(body.qr);
      await customer.device.scan(body.qr);
    }
    return status === 409 ? true : undefined;
  });
  return scanned;
};

const expectAtWork = async (customer: Customer, text: string): Promise<void> => {
  await customer.device.open();
  await customer.until("CONNECTED");
  await customer.send(`${ana.pn}`, "text", { text });
  await ana.until((one) => one.text === text);
  await ana.say(text, { to: customer.device });
  await customer.untilReceived(({ type, data }) => type === "message:received" && data.content.text === text);
};

const idsOf = (customer: Customer, type: string): Set<string> => new Set(customer.received(type).map(({ id }) => id));

test(
  `kill -9 between the scan and the first login: the phone is paired, or shows another QR code (${ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const outcomes = { paired: 0, again: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const customer = await gateway.customer(`55119000001${10 + round}`);
      const qr = await customer.qr();
      customer.device.scan(qr).catch(() => {}); // never answered where the process dies before it has signed
      await gateway.killAfter(random.float() ** 3 * PAIRING_MS); // mostly before the device has signed, or just then
      await gateway.restart();
      const scanned = await pairAfterAll(customer);
      expect(scanned).not.toContain(qr);
      outcomes[scanned.length === 0 ? "paired" : "again"] += 1;
      await expectAtWork(customer, `scanned ${round}`);
      expect([idsOf(customer, "channel:connected").size, customer.received("channel:disconnected")]).toEqual([1, []]);
    }
    console.log(JSON.stringify({ seed: SEED, ...outcomes }));
  },
  ROUNDS * 5_000 + 120_000,
);

test("4.2 kill -9 while a pairing code is being typed leaves no draft: the code is over, and the next one pairs", async () => {
  const customer = await gateway.customer("5511900000201");
  const before = net.stat.refused.length; // a phone that another test had logged out is refused, rightly
  const code = await customer.code();
  await gateway.kill();
  await gateway.restart();
  expect((await customer.askPhone("pairing-code")).status).toBe(425);
  await customer.qr();
  const next = await customer.code();
  expect(next).not.toBe(code);
  await customer.device.typeCode(next);
  await customer.until("CONNECTED");
  await expectAtWork(customer, "typed");
  expect(net.stat.refused.slice(before)).toEqual([]);
});

test(
  `kill -9 while a phone is logged out: it can be paired anew, and its end is published once (${ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED + 1);
    const customer = await gateway.customer("5511900000202");
    await customer.pair();
    for (let round = 0; round < ROUNDS; round++) {
      // one whose keys were forgotten in time, but not unlinked, stays in the list
      const before = customer.device.devices.at(-1);
      const ended = idsOf(customer, "channel:disconnected").size;
      const answer = customer.askPhone("logout", {}).then(
        ({ status }) => status,
        () => "killed",
      );
      await gateway.killAfter(random.float() * LOGOUT_MS);
      await gateway.restart();
      const accepted = await answer;
      if (accepted === 202)
        await customer.untilReceived(
          ({ type }) => type === "channel:disconnected" && idsOf(customer, "channel:disconnected").size > ended,
        );
      const scanned = await pairAfterAll(customer);
      await expectAtWork(customer, `out ${round}`);
      await gateway.settle();
      const isOut = idsOf(customer, "channel:disconnected").size > ended;
      expect([scanned.length, idsOf(customer, "channel:disconnected").size - ended]).toEqual(isOut ? [1, 1] : [0, 0]);
      expect(customer.device.devices.at(-1) === before).toBe(!isOut);
    }
    expect(customer.received("channel:disconnected").every(({ data }) => data.reason === "PAIRING_RESET")).toBe(true);
  },
  ROUNDS * 5_000 + 120_000,
);
