import { describe, expect, test } from "bun:test";
import { EventEmitter } from "node:events";
import { makeEventBuffer, type WASocket } from "@whiskeysockets/baileys";
import { socketLog } from "../../../../plugins/session/lifecycle/socket-log.ts";
import { watchSocket } from "../../../../plugins/session/lifecycle/watch.ts";
import { manualClock } from "../../../../src/conformance/manual-clock.ts";
import { nextTurn } from "../../../../src/conformance/recording-host.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { createLog } from "../../../../src/kernel/log.ts";
import {
  CONNECTED,
  newUnpairedChannel,
  type UnpairedChannel,
  unpairedChannel,
} from "../../../support/session/unpaired.ts";
import { untilTrue } from "../../../support/waiting.ts";

const channel = unpairedChannel();

/** Has both sides say what they have to say. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
};

/** Lets so many seconds pass, one after another. */
const passSlowly = async ({ pass }: UnpairedChannel, seconds: number): Promise<void> => {
  for (let second = 0; second < seconds; second += 1) await pass(SECOND_MS);
};

describe("what Baileys does not notice", () => {
  test("an upgrade that is refused is given up after 25 s and tried again", async () => {
    const all = channel();
    all.net.faults.refuseUpgrade(503, { times: 1 });
    all.link.connect();
    await all.net.until(() => all.net.stat.attempts === 1);
    await all.pass(25 * SECOND_MS);
    await all.pass(SECOND_MS);
    await all.qr();
    expect(all.net.stat.attempts).toBe(2);
  });

  test("a server that never says a word is given up after 25 s, and not before", async () => {
    const all = channel();
    all.net.faults.silent({ times: 1 });
    all.link.connect();
    await all.net.until(() => all.net.stat.attempts === 1);
    await all.pass(25 * SECOND_MS - 1);
    await all.pass(0);
    expect(all.net.stat.attempts).toBe(1);
    await all.pass(1);
    await all.pass(SECOND_MS);
    await all.qr();
  });

  test("a phone that has scanned and is never asked to reconnect logs in after 25 s", async () => {
    const all = channel();
    all.net.faults.noRestart({ times: 1 });
    all.link.connect();
    await all.phone.scan(await all.qr());
    await all.reported({ state: "CONNECTING" });
    await passSlowly(all, 26);
    await all.reported(CONNECTED);
    expect([all.net.stat.pairings, all.net.stat.logins]).toEqual([1, 1]);
  });

  test("a link that is frozen is noticed within 60 s, and replaced", async () => {
    const all = channel();
    await all.pair();
    await passSlowly(all, 20);
    all.phone.freeze();
    const { lastReceivedAt = 0 } = all.link;
    await passSlowly(all, 60);
    await all.reported(CONNECTED);
    expect(all.states()).toEqual(["PENDING_QR", "CONNECTING", "CONNECTED", "CONNECTING", "CONNECTED"]);
    expect(all.net.stat.logins).toBe(2);
    expect([lastReceivedAt > 0, (all.link.lastReceivedAt ?? 0) > lastReceivedAt]).toEqual([true, true]);
    expect(all.host.endings).toEqual(["restart", "retry"]);
  });

  test("the setting says after how much silence the network is asked, and a frozen link is noticed within four ticks of it", async () => {
    const quick = await newUnpairedChannel({ keepAliveMs: 5 * SECOND_MS });
    const pings = ({ net }: UnpairedChannel): number => net.stat.iqs["w:p"] ?? 0;
    try {
      const usual = channel();
      for (const all of [quick, usual]) {
        await all.pair();
        await settle();
      }
      const before = [quick, usual].map(pings);
      for (const all of [quick, usual]) await passSlowly(all, 7);
      await settle();
      await quick.net.until(() => pings(quick) > (before[0] ?? 0));
      expect(pings(usual)).toBe(before[1] ?? 0);
      quick.phone.freeze();
      await passSlowly(quick, 12);
      await quick.host.until(() => quick.host.endings.length === 2);
      expect(quick.host.endings).toEqual(["restart", "retry"]);
    } finally {
      await quick.stop();
    }
  });

  test("a link that answers stays, for a quiet hour as well as for one that passes at once", async () => {
    const all = channel();
    await all.pair();
    for (let minute = 0; minute < 60; minute += 1) {
      await all.pass(MINUTE_MS / 4);
      await settle();
    }
    for (let jump = 0; jump < 5; jump += 1) {
      await all.pass(HOUR_MS);
      await settle();
    }
    expect(all.states()).toEqual(["PENDING_QR", "CONNECTING", "CONNECTED"]);
    expect(all.net.stat.logins).toBe(1);
    expect(all.net.stat.unhandled).toEqual([]);
    await all.link.close();
    expect(all.link.lastReceivedAt).toBeUndefined();
  });

  test("5.2 a server whose certificate is not the network's is never believed, and an operator is warned", async () => {
    const all = channel();
    all.net.faults.forgedChain({ times: 1 });
    all.link.connect();
    await all.reported({ state: "PENDING_QR" });
    await untilTrue(() => all.host.clock.pendingTimers === 1); // the wait for the next try
    await all.pass(SECOND_MS);
    await all.qr();
    expect([all.net.stat.attempts, all.host.endings]).toEqual([2, ["forged"]]);
    const lines = all.host.logLines.map((line) => JSON.parse(line) as { level: string; msg: string });
    expect(lines.filter(({ level }) => level === "error").map(({ msg }) => msg)).toEqual([
      "somebody answered in the network's place, with a certificate that is not the network's",
    ]);
  });
});

describe("a close", () => {
  test("ends within 5 s, whatever the network does, and nothing is said, tried or written after it", async () => {
    const all = channel();
    await all.pair();
    all.phone.freeze();
    const closed = all.link.close();
    await Promise.all([closed, all.link.close(), passSlowly(all, 5)]);
    const said = [all.host.reports.length, all.host.events.length, all.host.touches];
    await all.pass(HOUR_MS);
    await all.host.settled();
    expect([all.host.reports.length, all.host.events.length, all.host.touches]).toEqual(said);
    expect(all.host.clock.pendingTimers).toBe(0);
    expect(all.net.stat.attempts).toBe(2);
  });

  test("keeps the identity: the same link, and another one, open with it again", async () => {
    const all = channel();
    await all.pair();
    await all.link.close();
    expect(all.link.pairing.qr()).toBeUndefined();
    all.link.connect();
    await all.reported({ state: "CONNECTING" });
    await all.reported(CONNECTED);
    await all.link.close();
    const other = all.openAgain();
    other.connect();
    await all.net.until(() => all.net.stat.logins === 3);
    await all.host.until(() => all.host.state === "CONNECTED");
    expect(all.net.stat.pairings).toBe(1);
  });

  test("while it is opening leaves nothing behind", async () => {
    const all = channel();
    all.link.connect();
    await all.link.close();
    await settle();
    expect({
      reports: all.host.reports,
      timers: all.host.clock.pendingTimers,
      connections: all.net.stat.connections,
    }).toEqual({ reports: [], timers: 0, connections: 0 });
  });
});

describe("the keys", () => {
  test("a second link takes them over: the first falls silent and never comes back by itself", async () => {
    const all = channel();
    const { net, host, phone, link } = all;
    await all.pair();
    const second = all.openAgain();
    second.connect();
    await net.until(() => net.stat.logins === 2);
    await host.until(() => host.state === "CONNECTED");
    await settle();
    const said = host.reports.length;
    await all.pass(HOUR_MS);
    await settle();
    expect(host.reports.length).toBe(said);
    expect(net.stat.logins).toBe(2);
    expect(host.state).toBe("CONNECTED");
    expect(phone.devices.length).toBe(1);
    expect(link.pairing.qr()).toBeUndefined();
  });

  test("that cannot be read make the channel FAILED, and connecting tries again", async () => {
    const all = channel();
    all.host.breakVault();
    all.link.connect();
    await all.reported({ state: "FAILED", reason: "CREDENTIALS_UNREADABLE" });
    await all.pass(HOUR_MS);
    expect(all.net.stat.attempts).toBe(0);
  });
});

test("at most eight sessions of a process are on their way to being open at a time", async () => {
  const all = await newUnpairedChannel();
  all.net.faults.silent();
  const links = Array.from({ length: 20 }, () => all.openAgain());
  for (const link of links) link.connect();
  await all.net.until(() => all.net.stat.attempts === 8);
  await settle();
  expect(all.net.stat.attempts).toBe(8);
  await all.stop();
});

test("events that Baileys holds back for a marker that never comes are released after 1.5 s", () => {
  const clock = manualClock();
  const ev = makeEventBuffer(socketLog(createLog("silent")));
  const sock = { ws: new EventEmitter(), ev } as unknown as WASocket;
  const received: unknown[] = [];
  ev.on("groups.update", (updates) => received.push(...updates));
  ev.buffer();
  ev.emit("groups.update", [{ id: "120363000000000001@g.us", subject: "Equipe" }]);
  const watch = watchSocket(sock, clock, () => {});
  watch.arrived();
  watch.opened();
  clock.advance(1500 - 1);
  expect(received).toEqual([]);
  clock.advance(1);
  expect(received.length).toBe(1);
  watch.stop();
  expect(clock.pendingTimers).toBe(0);
});
