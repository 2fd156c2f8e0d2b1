import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { ChannelPlugin } from "../../../src/contract/plugin.ts";
import type { ChannelId } from "../../../src/kernel/ids.ts";
import type { Receiver } from "../../support/servers/receiver.ts";
import { type Device, scriptedSessions } from "../../support/session/scripted-pairing.ts";
import {
  type Customer,
  customer,
  gatewayKeyOf,
  made,
  RECIPIENT,
  rowsOf,
  sendText,
  untilState,
  webhookAt,
} from "../../support/tenants/platform.ts";
import { untilTrue } from "../../support/waiting.ts";
import { startWorld, type World } from "../../support/world.ts";

const NUMBER = "5511988887777";

let w: World;
let who: Customer;
let id: string;
let device: Device;
let hook: Receiver;
beforeAll(async () => {
  w = await startWorld();
});
afterAll(() => w.stop());
beforeEach(async () => {
  who = await customer(w);
  hook = w.receiver();
  await webhookAt(w, who.key, hook, { events: ["channel.connected", "channel.disconnected"] });
  id = made(
    await w.platform("/v1/channels", { key: who.key, body: { name: "A channel", type: "CHAT_SESSION" } }),
    201,
  ).id;
  device = w.sessions.of(id);
});

const get = async () => made(await w.platform(`/v1/channels/${id}`, { key: who.key }), 200);
const post = (action: string) => w.platform(`/v1/channels/${id}/${action}`, { key: who.key, method: "POST" });
const until = async (state: Parameters<typeof untilState>[3]) => {
  await untilState(w, who.id, id, state);
  await w.app.env.db.write(async () => {}); // no request is answered with the old row any more
};
const pair = async () => {
  made(await post("connect"), 200);
  await device.scan(NUMBER);
  device.open();
  await until("CONNECTED");
};
const published = () => hook.arrived.map(({ body }) => [body.event, body.reason]);
/** An answer that waits for a QR code, once it waits. */
const waitingConnect = async () => {
  const { pendingTimers } = w.clock;
  const answer = post("connect");
  await untilTrue(() => w.clock.pendingTimers > pendingTimers);
  return { answer };
};

describe("POST /v1/channels/{channelId}/connect of a CHAT_SESSION", () => {
  test("P-196 P-197 P-198 P-199 answers with the QR code, as PNG and raw; the channel is CONNECTING", async () => {
    expect(await get()).toMatchObject({ status: "DISCONNECTED" });
    const { status, body, headers } = await post("connect");
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(body).toEqual({
      status: "CONNECTING",
      qrCode: expect.stringMatching(/^data:image\/png;base64,/),
      qr: device.shown.at(-1),
      message: expect.any(String),
    });
    expect(await get()).toMatchObject({ status: "CONNECTING" });
  });

  test("P-202 P-203 P-204 P-205 a scan connects it without a further call; its number and time are shown", async () => {
    await pair();
    const connectedAt = new Date(w.clock.now()).toISOString();
    expect(await get()).toEqual({
      id,
      name: "A channel",
      type: "CHAT_SESSION",
      status: "CONNECTED",
      phoneNumber: NUMBER,
      connectedAt,
      createdAt: connectedAt,
    });
    await hook.received(1);
    expect(published()).toEqual([["channel:connected", null]]);
  });

  test("GAP-P22 while CONNECTING it answers with the current QR code; CONNECTED is a 409", async () => {
    const first = made(await post("connect"), 200).qr;
    w.clock.advance(20_000);
    const second = made(await post("connect"), 200).qr;
    expect(second).not.toBe(first);
    await device.scan();
    await until("CONNECTING");
    expect(made(await post("connect"), 200)).toMatchObject({ status: "CONNECTING", qrCode: "" });
    device.open();
    await until("CONNECTED");
    expect(await post("connect")).toMatchObject({
      status: 409,
      body: { message: expect.any(String), code: "CHANNEL_ALREADY_CONNECTED" },
    });
  });

  test("GAP-P22 waits 15 s for the first QR code, then answers 503 QR_NOT_AVAILABLE; a later call has it", async () => {
    device.hideQr();
    const late = await waitingConnect();
    w.clock.advance(14_999);
    device.showQr();
    expect((await late.answer).status).toBe(200);
    expect((await post("disconnect")).status).toBe(200);
    await w.settle();
    device.hideQr();
    const never = await waitingConnect();
    w.clock.advance(15_000);
    expect(await never.answer).toMatchObject({
      status: 503,
      body: { message: expect.any(String), code: "QR_NOT_AVAILABLE" },
    });
    device.showQr();
    expect((await post("connect")).body.qr).toBe(device.shown.at(-1));
  });

  test("GAP-P22 no scan within 3 minutes of the last call: DISCONNECTED, without an event; the next call restarts", async () => {
    const { qr } = made(await post("connect"), 200);
    await w.advance(60_000);
    made(await post("connect"), 200);
    await w.advance(179_999);
    expect(await get()).toMatchObject({ status: "CONNECTING" });
    await w.advance(1);
    expect([(await get()).status, device.calls.at(-1), published()]).toEqual(["DISCONNECTED", "close", []]);
    expect(made(await post("connect"), 200).qr).not.toBe(qr);
  });

  test("GAP-P22 a scan within 3 minutes is not given up, although the connection opens later", async () => {
    made(await post("connect"), 200);
    await device.scan();
    await until("CONNECTING");
    await w.advance(180_000);
    expect(await get()).toMatchObject({ status: "CONNECTING" });
    device.open();
    await until("CONNECTED");
  });

  test("GAP-P22 a phone that the gateway made waits on, although the platform looks at its code", async () => {
    const key = await gatewayKeyOf(w, who);
    id = (await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "A phone" } })).body.id;
    device = w.sessions.of(id);
    expect(made(await post("connect"), 200).qr).toBe(device.shown.at(-1));
    await w.advance(180_000);
    expect((await w.gateway(`/v1/phones/${id}`, { key })).body.status).toBe("PENDING_QR");
    expect(await get()).toMatchObject({ status: "CONNECTING" });
  });

  test("one that is paired and was disconnected by the network reconnects without a QR code", async () => {
    await pair();
    device.end("BANNED");
    await until("DISCONNECTED");
    expect(made(await post("connect"), 200)).toEqual({ status: "CONNECTING", qrCode: "", message: expect.any(String) });
    await until("CONNECTING");
    device.open();
    await until("CONNECTED");
  });

  test("P-201 P-208 another institution's channel is not found, and is not connected", async () => {
    const stranger = await customer(w);
    for (const action of ["connect", "disconnect"])
      expect(await w.platform(`/v1/channels/${id}/${action}`, { key: stranger.key, method: "POST" })).toMatchObject({
        status: 404,
        body: { code: "CHANNEL_NOT_FOUND" },
      });
    expect([(await get()).status, device.calls]).toEqual(["DISCONNECTED", []]);
  });
});

describe("leaving", () => {
  test("P-209 P-327 a disconnect unlinks the device, once: the next connect shows a QR code", async () => {
    await pair();
    for (let turn = 0; turn < 2; turn++)
      expect(await post("disconnect")).toMatchObject({ status: 200, body: { status: "DISCONNECTED" } });
    await hook.received(2);
    await w.settle();
    expect(published()).toEqual([
      ["channel:connected", null],
      ["channel:disconnected", "LOGOUT"],
    ]);
    expect([(await get()).status, device.calls.slice(-2)]).toEqual(["DISCONNECTED", ["reset", "close"]]);
    const { qr } = made(await post("connect"), 200);
    expect(qr).toBe(device.shown.at(-1));
  });

  test("a connect while a disconnect lets go of the identity joins it, and shows the new QR code", async () => {
    await pair();
    const { reached } = device.holdReset();
    made(await post("disconnect"), 200);
    await reached;
    const before = device.shown.length;
    const { answer } = await waitingConnect();
    device.finishReset();
    const { qr } = (await answer).body;
    expect(device.shown.slice(before)).toContain(qr); // by now another round may have begun
    await w.settle();
    expect([(await get()).status, device.calls.filter((call) => call === "reset")]).toEqual(["CONNECTING", ["reset"]]);
  });

  test("P-327 GAP-P23 a device that its owner removes leaves the channel DISCONNECTED until the next connect", async () => {
    await pair();
    await device.logOut();
    await until("PENDING_QR");
    await hook.received(2);
    expect(published()[1]).toEqual(["channel:disconnected", "LOGGED_OUT"]);
    expect(await get()).toMatchObject({ status: "DISCONNECTED" });
    expect(await get()).not.toHaveProperty("phoneNumber");
    expect(made(await post("connect"), 200).qr).toBe(device.shown.at(-1));
    expect(await get()).toMatchObject({ status: "CONNECTING" });
    await w.advance(180_000);
    expect(await get()).toMatchObject({ status: "DISCONNECTED" });
  });

  test("P-210 deleting it logs it out at the network", async () => {
    await pair();
    expect((await w.platform(`/v1/channels/${id}`, { key: who.key, method: "DELETE" })).status).toBe(204);
    expect(device.calls.slice(-2)).toEqual(["forget", "close"]);
    expect((await w.platform(`/v1/channels/${id}`, { key: who.key })).status).toBe(404);
    expect((await rowsOf(w, who.id))["channels"]).toBe(0);
  });
});

test("GAP-P22 a connect whose link an earlier disconnect closes shows the code of the next link", async () => {
  const sessions = scriptedSessions();
  let opened = 0;
  const open: ChannelPlugin["open"] = (host) => {
    opened += 1;
    if (opened === 1) queueMicrotask(() => void lone.app.env.supervisor.close(host.channelId as ChannelId));
    return sessions.plugin.open(host);
  };
  const lone = await startWorld({ plugins: [{ ...sessions.plugin, open }] });
  const { key } = await customer(lone);
  const channel = made(
    await lone.platform("/v1/channels", { key, body: { name: "A channel", type: "CHAT_SESSION" } }),
    201,
  ).id;
  const { qr } = made(await lone.platform(`/v1/channels/${channel}/connect`, { key, method: "POST" }), 200);
  expect([qr, opened]).toEqual([sessions.of(channel).shown.at(-1), 2]);
  await lone.stop();
});

test("P-210 a link that is opened while its channel is being deleted goes with it", async () => {
  const sessions = scriptedSessions();
  const closed: number[] = [];
  let opened = 0;
  const open: ChannelPlugin["open"] = (host) => {
    opened += 1;
    const number = opened;
    const link = sessions.plugin.open(host);
    return {
      ...link,
      async close() {
        closed.push(number);
        await link.close();
        // as somebody's question does
        if (number === 1) lone.app.env.supervisor.linkOf({ id: host.channelId as ChannelId, kind: "SESSION" }, "live");
      },
    };
  };
  const lone = await startWorld({ plugins: [{ ...sessions.plugin, open }] });
  const { key } = await customer(lone);
  const channel = made(
    await lone.platform("/v1/channels", { key, body: { name: "A channel", type: "CHAT_SESSION" } }),
    201,
  ).id;
  made(await lone.platform(`/v1/channels/${channel}/connect`, { key, method: "POST" }), 200);
  expect((await lone.platform(`/v1/channels/${channel}`, { key, method: "DELETE" })).status).toBe(204);
  expect(closed).toEqual([1, 2]);
  await lone.stop();
});

test("a process that is about to stop waits for no QR code: waiting requests are answered at once", async () => {
  const lone = await startWorld();
  const { key } = await customer(lone);
  lone.sessions.areQrHidden = true;
  const channel = made(
    await lone.platform("/v1/channels", { key, body: { name: "A channel", type: "CHAT_SESSION" } }),
    201,
  ).id;
  const { pendingTimers } = lone.clock;
  const answer = lone.platform(`/v1/channels/${channel}/connect`, { key, method: "POST" });
  await untilTrue(() => lone.clock.pendingTimers > pendingTimers);
  await lone.stop(); // by a clock that stands still
  expect((await answer).status).toBe(503);
});

test("P-211 create, connect, scan, send: a message that was sent before waits, and arrives", async () => {
  made(await sendText(w, who.key, id), 202);
  await w.settle();
  expect(device.calls).toEqual([]);
  await pair();
  await w.settle();
  expect(device.calls).toContain(`send pn:${RECIPIENT}`);
});
