import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { receivedBy, rowsOf } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { NUMBER, newScriptedPhone, type SessionPhone } from "../../../support/session/scripted-phone.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { startWorld, type World } from "../../../support/world.ts";

let w: World;
let p: SessionPhone;
beforeAll(async () => {
  w = await startWorld();
});
afterAll(() => w.stop());
beforeEach(async () => {
  p = await newScriptedPhone(w);
});

const receivedEvents = (): string[] =>
  p.hook.arrived.map(({ body }) => [body.type, body.data.reason].filter(Boolean).join(" "));
const resets = () => p.device.calls.filter((call) => call === "reset").length;
const jobs = () => rowsOf(w, "SELECT kind FROM jobs WHERE queue = ?1", [`pairing:${p.id}`]);

describe("POST /v1/phones/{id}/logout of a session", () => {
  test("G-180 G-181 G-182 G-626 resets it: published as PAIRING_RESET, then its new QR code; id and webhook stay", async () => {
    await p.pair();
    const { length } = p.device.shown;
    const answer = await p.order("logout");
    expect([answer.status, answer.body]).toEqual([202, { status: "logging_out" }]);
    const { qr } = await p.qr();
    await p.hook.received(2);
    expect(receivedEvents()).toEqual(["channel:disconnected PAIRING_RESET", "channel:qrcode"]);
    expect(receivedBy(p.hook, "channel:qrcode")).toEqual([
      { qr, expiresAt: new Date(w.clock.now() + 20_000).toISOString() },
    ]);
    expect(p.device.shown.slice(length)).toContain(qr);
    expect((await w.gateway(`/v1/phones/${p.id}`, { key: p.key })).body).toMatchObject({
      id: p.id,
      status: "PENDING_QR",
      webhookUrl: p.hook.url,
    });
    await w.settle();
    expect([resets(), await jobs()]).toEqual([1, []]);
    p.hook.arrived.length = 0;
    await p.pair();
  });

  test("G-183 works from any status, and is published each time", async () => {
    const before: [string, () => unknown][] = [
      ["PENDING_QR", () => {}],
      ["CONNECTING", () => p.device.scan()],
      ["DISCONNECTED", () => p.device.end("BANNED")],
      ["FAILED", () => p.device.report({ state: "FAILED", reason: "CREDENTIALS_UNREADABLE" })],
    ];
    for (const [index, [status, bring]] of before.entries()) {
      await p.qr();
      await bring();
      await p.until(status);
      expect((await p.order("logout")).status).toBe(202);
      await p.hook.received((index + 1) * 2);
      expect(receivedEvents().slice(-2)).toEqual(["channel:disconnected PAIRING_RESET", "channel:qrcode"]);
    }
    expect(resets()).toBe(before.length);
  });

  test("G-187 a phone of another account is not found, and stays connected", async () => {
    await p.pair();
    const other = await newScriptedPhone(w);
    expect(gatewaySays(await w.gateway(`/v1/phones/${p.id}/logout`, { key: other.key, method: "POST" }))).toBe(
      "404 PHONE_NOT_FOUND",
    );
    await w.settle();
    expect([await p.status(), resets(), receivedEvents()]).toEqual(["CONNECTED", 0, []]);
  });

  test("G-184 a reconnect during the reset joins it: one reset, one new QR code, and never CONNECTING", async () => {
    await p.pair();
    const { reached } = p.device.holdReset();
    await p.order("logout");
    await reached;
    expect((await p.order("reconnect")).status).toBe(202);
    expect((await p.order("logout")).status).toBe(202);
    expect([await p.status(), gatewaySays(await p.ask("qrcode"))]).toEqual(["PENDING_QR", "425 QR_NOT_READY"]);
    p.device.finishReset();
    await p.qr();
    await p.hook.received(3);
    await w.settle();
    expect(receivedEvents()).toEqual([
      "channel:disconnected PAIRING_RESET",
      "channel:disconnected PAIRING_RESET",
      "channel:qrcode",
    ]);
    expect(resets()).toBe(1);
  });

  test("G-184 G-185 what the old identity's connection still says counts no more", async () => {
    await p.pair();
    const { reached } = p.device.holdReset();
    await p.order("logout");
    await reached;
    p.device.drop();
    p.device.open();
    p.device.end("CONNECTION_LOST");
    p.device.finishReset();
    await p.qr();
    await p.hook.received(2);
    expect([await p.status(), receivedEvents()]).toEqual([
      "PENDING_QR",
      ["channel:disconnected PAIRING_RESET", "channel:qrcode"],
    ]);
  });

  test("G-182 the QR code is announced when it comes, however late", async () => {
    await p.pair();
    p.device.hideQr();
    await p.order("logout");
    await p.hook.received(1);
    const tries = async () =>
      (
        await rowsOf<{ attempts: number }>(w, "SELECT attempts FROM jobs WHERE unique_key = ?1", [
          `announce-qr:${p.id}`,
        ])
      )[0]?.attempts ?? 0;
    while ((await tries()) < 2) {
      w.clock.advance(1000);
      await new Promise(setImmediate);
    }
    expect(receivedEvents()).toEqual(["channel:disconnected PAIRING_RESET"]);
    p.device.showQr();
    await p.hook.received(2);
    expect(receivedEvents()).toEqual(["channel:disconnected PAIRING_RESET", "channel:qrcode"]);
  });

  test("a phone that is deleted during its reset leaves neither jobs nor events", async () => {
    await p.pair();
    const { reached } = p.device.holdReset();
    await p.order("logout");
    await reached;
    expect((await w.gateway(`/v1/phones/${p.id}`, { key: p.key, method: "DELETE" })).status).toBe(204);
    p.device.finishReset(); // its keys are gone
    await p.hook.received(2);
    await w.settle();
    await w.advance(1000);
    expect([receivedEvents(), await jobs()]).toEqual([
      ["channel:disconnected PAIRING_RESET", "channel:disconnected MANUAL_DELETE"],
      [],
    ]);
  });
});

test("G-181 an identity that the network was not there to take back is unlinked at a later chance, over restarts", async () => {
  const lone = await startWorld();
  try {
    const phone = await newScriptedPhone(lone);
    await phone.pair();
    phone.device.absences = 3;
    await phone.order("logout");
    await phone.qr();
    await phone.hook.received(2);
    const unlinking = () => rowsOf(lone, "SELECT attempts FROM jobs WHERE kind = 'channel.unlink'");
    await lone.settle();
    expect([phone.device.absences, await unlinking()]).toEqual([2, [{ attempts: 1 }]]);
    await lone.advance(MINUTE_MS);
    await lone.restart();
    await lone.advance(2 * MINUTE_MS);
    expect([phone.device.absences, await unlinking()]).toEqual([0, [{ attempts: 3 }]]);
    await lone.advance(4 * MINUTE_MS);
    expect([phone.device.absences, await unlinking()]).toEqual([-1, []]);
  } finally {
    await lone.stop();
  }
});

test("G-181 G-182 a process that ends in the middle of a reset finishes it when it comes back", async () => {
  const lone = await startWorld();
  try {
    const phone = await newScriptedPhone(lone);
    await phone.pair();
    const { reached } = phone.device.holdReset();
    await phone.order("logout");
    await reached;
    await phone.hook.received(1);
    await untilTrue(async () => (await rowsOf(lone, "SELECT 1 FROM jobs WHERE kind = 'event.dispatch'")).length <= 0);
    const stopped = lone.restart(); // the job has not ended: the next process finds it claimed, as after a crash
    await new Promise(setImmediate);
    lone.clock.advance(20_000);
    await stopped;
    phone.device.finishReset();
    await phone.hook.received(2);
    expect(phone.hook.arrived.map(({ body }) => body.type)).toEqual(["channel:disconnected", "channel:qrcode"]);
    expect(await phone.status()).toBe("PENDING_QR");
    await phone.device.scan(NUMBER);
    phone.device.open();
    await phone.until("CONNECTED");
  } finally {
    await lone.stop();
  }
});
