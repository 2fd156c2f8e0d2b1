import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { LinkReport } from "../../../../src/contract/events.ts";
import type { SendOutcome } from "../../../../src/contract/outcome.ts";
import { DAY_MS, HOUR_MS, iso } from "../../../../src/kernel/clock.ts";
import { type Customer, receivedBy, TO } from "../../../support/customers/customer.ts";
import {
  newSessionCustomer,
  reported,
  type SessionNetwork,
  sessionNetwork,
} from "../../../support/session/scripted-sends.ts";
import { startWorld, type World } from "../../../support/world.ts";

let network: SessionNetwork;
let w: World;
let c: Customer;
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [network.plugin], env: { RECADO_GATEWAY_RATE: "100000" } });
});
beforeEach(async () => {
  c = await newSessionCustomer(w);
  network.sent.length = 0;
  network.outcomes.length = 0;
});
afterAll(() => w.stop());

const UNTIL = Date.parse("2026-12-01T09:33:00Z");
const RESTRICTED: LinkReport = {
  state: "RESTRICTED",
  reason: "RESTRICT_ALL_COMPANIONS",
  restriction: { reason: "RESTRICT_ALL_COMPANIONS", until: UNTIL, allows: "replies" },
};
const SHOWN = { reason: "RESTRICT_ALL_COMPANIONS", until: iso(UNTIL), allows: "replies", text: null };
const say = (report: LinkReport) => reported(w, network, c.phone.id, report);
const phone = async () => (await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body;
const events = async () => {
  await w.settle();
  return c.hook.arrived.map(({ body }) => [body.type, body.data]);
};

describe("a phone that the network restricts", () => {
  test("W26-4 is RESTRICTED with the reason and the end, and is published once", async () => {
    await say(RESTRICTED);
    await say(RESTRICTED);
    expect(await phone()).toMatchObject({
      status: "RESTRICTED",
      stateReason: "RESTRICT_ALL_COMPANIONS",
      disconnectedAt: null,
      restriction: SHOWN,
    });
    expect(await events()).toEqual([["channel:restricted", SHOWN]]);
  });

  test("W26-4 goes on sending, and nothing says that it was disconnected", async () => {
    await say(RESTRICTED);
    const id = await c.sent({ to: TO });
    expect(network.sent.map(({ order }) => order.messageId)).toEqual([id]);
    expect(receivedBy(c.hook, "message:status")).toMatchObject([{ messageId: id, status: "sent" }]);
    expect((await events()).map(([type]) => type)).not.toContain("channel:disconnected");
  });

  test("W26-4 stays restricted over an interruption, and is free when the network says so", async () => {
    await say(RESTRICTED);
    await say({ state: "CONNECTING" });
    expect(await phone()).toMatchObject({ status: "CONNECTING", restriction: SHOWN });
    await say(RESTRICTED);
    await say({ state: "CONNECTED" });
    expect(await phone()).toMatchObject({ status: "CONNECTED", stateReason: null, restriction: null });
    expect(await events()).toEqual([
      ["channel:restricted", SHOWN],
      ["channel:unrestricted", { reason: "RESTRICT_ALL_COMPANIONS" }],
    ]);
  });

  test("W26-4 that is prolonged is published again", async () => {
    await say(RESTRICTED);
    const longer = { reason: "RESTRICT_ALL_COMPANIONS", until: null, allows: "replies" } as const;
    await say({ ...RESTRICTED, restriction: longer });
    expect(await events()).toEqual([
      ["channel:restricted", SHOWN],
      ["channel:restricted", { ...longer, text: null }],
    ]);
  });

  test("W26-4 a lock is a disconnection with what the network wants to be read", async () => {
    const restriction = { reason: "LOCKED", until: null, allows: "none", text: "Conta bloqueada" } as const;
    await say({ state: "DISCONNECTED", reason: "BANNED", restriction });
    expect(await phone()).toMatchObject({ status: "DISCONNECTED", stateReason: "BANNED", restriction });
    expect(await events()).toEqual([
      ["channel:disconnected", { reason: "BANNED" }],
      ["channel:restricted", restriction],
    ]);
  });
});

describe("a first message that waits for a quota", () => {
  const held = (retryAfterMs: number): SendOutcome => ({
    ok: false,
    kind: "retry",
    code: "UPSTREAM_RATE_LIMIT",
    isRateLimit: true,
    isOfChat: true,
    isQuota: true,
    reason: "QUOTA: the day's number of new chats is used up",
    retryAfterMs,
  });

  test("W26-4 lets others pass, outlives the day that other messages have, and goes out once", async () => {
    network.outcomes.push(held(3 * DAY_MS));
    const first = await c.sent({ to: "5511900000071" });
    const reply = await c.sent({ to: TO });
    expect(receivedBy(c.hook, "message:status")).toMatchObject([{ messageId: reply, status: "sent" }]);
    await w.advance(2 * DAY_MS);
    expect(receivedBy(c.hook, "message:status")).toHaveLength(1);
    await w.advance(DAY_MS + HOUR_MS);
    expect(network.sent.map(({ order }) => order.messageId)).toEqual([first, reply, first]);
    expect(receivedBy(c.hook, "message:status").at(-1)).toMatchObject({ messageId: first, status: "sent" });
  });
});

describe("the quota of new chats", () => {
  test("W26-4 is shown as the link knows it", async () => {
    const cycleEndsAt = Date.parse("2026-12-01T00:00:00Z");
    network.quota = {
      ok: true,
      value: {
        network: { status: "CAPPED", total: 10, used: 10, cycleStartsAt: null, cycleEndsAt, askedAt: cycleEndsAt - 1 },
        own: { limit: 20, used: 3, resetsAt: null },
      },
    };
    const { status, body } = await w.gateway(`/v1/phones/${c.phone.id}/quota`, { key: c.key });
    expect([status, body]).toEqual([
      200,
      {
        network: {
          status: "CAPPED",
          total: 10,
          used: 10,
          cycleStartsAt: null,
          cycleEndsAt: iso(cycleEndsAt),
          askedAt: iso(cycleEndsAt - 1),
        },
        own: { limit: 20, used: 3, resetsAt: null },
      },
    ]);
  });

  test("W26-4 of a phone that is not connected is not known", async () => {
    await say({ state: "DISCONNECTED", reason: "BANNED" });
    expect((await w.gateway(`/v1/phones/${c.phone.id}/quota`, { key: c.key })).status).toBe(409);
  });
});
