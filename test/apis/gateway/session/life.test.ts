import { describe, expect, test } from "bun:test";
import type { LinkState } from "../../../../src/contract/events.ts";
import { receivedBy, rowsOf } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { NUMBER, newScriptedPhone, type SessionPhone } from "../../../support/session/scripted-phone.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const p = useEach(() => newScriptedPhone(w));

/** What arrived, in order: the type and why. */
const receivedEvents = ({ hook }: SessionPhone = p): string[] =>
  hook.arrived.map(({ body }) => [body.type, body.data.reason].filter(Boolean).join(" "));
const resets = () => p.device.calls.filter((call) => call === "reset").length;
/** Everything that is recorded has been recorded and published. */
const settled = async () => {
  await w.app.env.db.write(async () => {});
  await w.settle();
};

describe("the connection of a session", () => {
  test("G-210 G-211 a scan takes it from PENDING_QR over CONNECTING to CONNECTED, which is published with its number", async () => {
    await p.qr();
    expect(await p.status()).toBe("PENDING_QR");
    await p.device.scan(NUMBER);
    await p.until("CONNECTING");
    expect(await p.status()).toBe("CONNECTING");
    p.device.open();
    await p.until("CONNECTED");
    await p.hook.received(1);
    expect(p.hook.arrived[0]?.body).toMatchObject({
      type: "channel:connected",
      phoneId: p.id,
      data: { phoneNumber: NUMBER },
    });
    expect((await w.gateway(`/v1/phones/${p.id}`, { key: p.key })).body).toMatchObject({
      status: "CONNECTED",
      phoneNumber: NUMBER,
      disconnectedAt: null,
    });
  });

  test("G-213 an interruption shows CONNECTING and is not published, however often; what waited goes out", async () => {
    await p.pair();
    for (let turn = 0; turn < 3; turn++) {
      p.device.drop();
      await p.until("CONNECTING");
      expect(gatewaySays(await p.ask("qrcode"))).toBe("425 PAIRING_IN_PROGRESS");
      p.device.open();
      await p.until("CONNECTED");
    }
    await w.gateway("/v1/messages", {
      key: p.key,
      body: { phoneId: p.id, to: "5511999990001", type: "text", content: { text: "olá" } },
    });
    await settled();
    expect(receivedEvents().filter((event) => event.startsWith("channel:"))).toEqual([]);
    expect(p.device.calls).toContain("send pn:5511999990001");
  });

  test("an interruption that ends the connection is published once, and its end by itself too", async () => {
    await p.pair();
    p.device.drop();
    await p.until("CONNECTING");
    p.device.end("CONNECTION_LOST");
    await p.until("DISCONNECTED");
    p.device.drop();
    p.device.end("CONNECTION_LOST");
    p.device.drop();
    p.device.open();
    await p.until("CONNECTED");
    await p.hook.received(2);
    await settled();
    expect(receivedEvents()).toEqual(["channel:disconnected CONNECTION_LOST", "channel:connected"]);
  });

  test("a connected session has its link after a restart, and nothing is published; one that waits to be paired is left alone until it is asked for", async () => {
    await p.pair();
    const waiting = await newScriptedPhone(w);
    await waiting.qr();
    for (const { device } of [p, waiting]) device.calls.length = 0;
    await w.restart();
    expect(p.device.calls).toEqual(["close", "connect"]);
    expect(waiting.device.calls).toEqual(["close"]);
    await p.until("CONNECTING");
    p.device.open();
    await p.until("CONNECTED");
    await settled();
    expect(receivedEvents()).toEqual([]);
    await waiting.qr();
    expect(await waiting.status()).toBe("PENDING_QR");
  });

  test.each<[string, LinkState]>([
    ["BANNED", "DISCONNECTED"],
    ["REPLACED", "DISCONNECTED"],
    ["CREDENTIALS_UNREADABLE", "FAILED"],
  ])(
    "G-215 G-625 an end for %s is published, keeps the identity, and shows no QR code until a logout",
    async (reason, state) => {
      await p.pair();
      p.device.report({ state, reason });
      await p.until(state);
      await p.hook.received(1);
      await settled();
      expect([receivedEvents(), gatewaySays(await p.ask("qrcode")), resets()]).toEqual([
        [`channel:disconnected ${reason}`],
        "425 QR_NOT_READY",
        0,
      ]);
      await p.order("logout");
      expect((await p.qr()).qr).toBeString();
      await p.hook.received(3);
      expect(receivedEvents()).toEqual([
        `channel:disconnected ${reason}`,
        "channel:disconnected PAIRING_RESET",
        "channel:qrcode",
      ]);
    },
  );

  test("G-214 G-625 an identity that the network takes back is published as LOGGED_OUT, and then its next QR code", async () => {
    await p.pair();
    const { length } = p.device.shown;
    await p.device.logOut();
    await p.until("PENDING_QR");
    await p.hook.received(2);
    expect(receivedEvents()).toEqual(["channel:disconnected LOGGED_OUT", "channel:qrcode"]);
    expect(p.device.shown.slice(length)).toContain(receivedBy(p.hook, "channel:qrcode")[0].qr);
    expect((await w.gateway(`/v1/phones/${p.id}`, { key: p.key })).body.disconnectedAt).not.toBeNull();
  });
});

describe("POST /v1/phones/{id}/reconnect of a session", () => {
  test("G-215 tells the link that its owner asks, after a restart too; a start of the process does not say so", async () => {
    await p.pair();
    p.device.asked.length = 0;
    await w.restart();
    await p.until("CONNECTING");
    p.device.report({ state: "DISCONNECTED", reason: "REPLACED" });
    await p.until("DISCONNECTED");
    await w.restart();
    expect(p.device.asked).toEqual([false, false]);
    expect((await p.order("reconnect")).status).toBe(202);
    expect(p.device.asked).toEqual([false, false, true]);
  });

  const answered = async () => {
    const { status, body } = await p.order("reconnect");
    expect([status, body]).toEqual([202, { status: "reconnecting" }]);
  };

  test("G-199 G-200 reopens it from its stored identity, without a QR code", async () => {
    await p.pair();
    p.device.end("BANNED");
    await p.until("DISCONNECTED");
    await p.hook.received(1);
    await answered();
    await p.until("CONNECTING");
    p.device.open();
    await p.until("CONNECTED");
    await p.hook.received(2);
    expect(receivedEvents()).toEqual(["channel:disconnected BANNED", "channel:connected"]);
  });

  test("GAP-G23 leaves a connected one alone, and has one that was never paired go on waiting for a scan", async () => {
    const { length } = p.device.calls;
    await answered();
    expect(await p.status()).toBe("PENDING_QR");
    expect(p.device.calls.slice(length)).toEqual(["connect"]);
    await p.pair();
    await answered();
    await settled();
    expect([p.device.calls.slice(length), receivedEvents(), await p.status()]).toEqual([["connect"], [], "CONNECTED"]);
  });
});

test("G-151 G-152 deleting a session logs it out at the network; nothing is left of its keys, and it says nothing more", async () => {
  await p.pair();
  expect((await w.gateway(`/v1/phones/${p.id}`, { key: p.key, method: "DELETE" })).status).toBe(204);
  expect(p.device.calls.slice(-2)).toEqual(["forget", "close"]);
  expect(
    await rowsOf(
      w,
      "SELECT 1 FROM key_rows WHERE channel_id = ?1 UNION ALL SELECT 1 FROM key_stores WHERE channel_id = ?1",
      [p.id],
    ),
  ).toEqual([]);
  p.device.open();
  await p.hook.received(1);
  await settled();
  expect(receivedEvents()).toEqual(["channel:disconnected MANUAL_DELETE"]);
});
