import { afterAll, expect, test } from "bun:test";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { processes } from "../../support/processes/process.ts";
import { roundsOf } from "../../support/rounds.ts";
import { nextSeed } from "../../support/seeds.ts";
import { type Customer, patiently, startGateway } from "../../support/session/gateway-process.ts";
import { passkeyBrowser } from "../../support/whatsapp/index.ts";

const ROUNDS = roundsOf(4);
const SEED = Number(process.env["RECADO_CRASH_SEED"] ?? nextSeed());
/** From the signature to the first login. */
const LINKING_MS = 250;

const tools = processes(afterAll);
const gateway = await startGateway(tools, { RECADO_TEST_CLOCK: "1", RECADO_LOG_LEVEL: "error" });
afterAll(() => gateway.end());

/** Scans whatever QR code is shown, with the passkey where it is wanted, until the phone is connected. */
const linkAfterAll = async (customer: Customer, browser: ReturnType<typeof passkeyBrowser>): Promise<string[]> => {
  const scanned: string[] = [];
  await patiently(`phone ${customer.id} cannot be linked`, async () => {
    const { status, body } = await customer.askPhone("qrcode");
    if (status === 200 && !scanned.includes(body.qr)) {
      scanned.push(body.qr);
      customer.device.scan(body.qr).catch(() => {});
    }
    const wanted = await customer.askPhone("passkey");
    if (wanted.body.stage === "ASSERTION_REQUIRED") {
      const signed = await customer.askPhone("passkey", browser.sign(wanted.body.options));
      expect(signed.status).toBe(202);
    }
    return status === 409 ? true : undefined;
  });
  return scanned;
};

test(
  `W26-6 kill -9 while the owner is at work with the passkey: the page is over, the phone waits for a scan, and links (${ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const outcomes = { linked: 0, again: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const customer = await gateway.customer(`551190000030${round}`);
      const browser = passkeyBrowser();
      customer.device.account.passkey = browser.credential;
      const qr = await customer.qr();
      customer.device.scan(qr).catch(() => {}); // never answered where the process dies before
      const wanted = await patiently("no passkey is wanted", async () => {
        const { status, body } = await customer.askPhone("passkey");
        return status === 200 ? body : undefined;
      });
      const { bridgeUrl } = wanted;
      if (round % 2 === 1) {
        customer.askPhone("passkey", browser.sign(wanted.options)).catch(() => {});
        await gateway.killAfter(random.float() ** 2 * LINKING_MS);
      } else await gateway.kill();
      await gateway.restart();
      const shown = await patiently("neither a QR code nor a connection", async () => {
        const { status, body } = await customer.askPhone("qrcode");
        return status === 200 || status === 409 ? { status, body } : undefined;
      });
      const isLinked = shown.status === 409;
      if (!isLinked) {
        expect(shown.body).toEqual({ qr: expect.any(String), dataUrl: expect.any(String) });
        expect(shown.body.qr).not.toBe(qr);
        const state = { status: "PENDING_QR", stateReason: null };
        expect((await customer.ask(`/phones/${customer.id}`)).body).toMatchObject(state);
        expect((await customer.askPhone("passkey")).body.error.code).toBe("PASSKEY_NOT_REQUESTED");
        const page = `${gateway.server.url}${new URL(bridgeUrl).pathname}`;
        expect((await fetch(page)).status).toBe(410);
      }
      const scanned = await linkAfterAll(customer, browser);
      expect(scanned).not.toContain(qr);
      outcomes[isLinked && scanned.length === 0 ? "linked" : "again"] += 1;
      await customer.device.open();
      await customer.until("CONNECTED");
    }
    console.log(JSON.stringify({ seed: SEED, ...outcomes }));
  },
  ROUNDS * 10_000 + 120_000,
);
