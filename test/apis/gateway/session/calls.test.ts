import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { HOUR_MS, iso, MINUTE_MS, SECOND_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer, receivedBy } from "../../../support/customers/customer.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { pairedPhone, type SessionWorld, sessionWorld, untilEvents } from "../../../support/session/world.ts";
import { untilTrue } from "../../../support/waiting.ts";

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld();
});
afterEach(() => {
  expect(s.net.stat.unhandled).toEqual([]);
  s.net.faults.clear();
});
afterAll(() => s.stop());

const setup = async () => {
  const { customer, hook, owner } = await pairedPhone(s);
  const ask = (path: string, options: { method?: string; body?: unknown } = {}) =>
    s.w.gateway(path, { key: customer.key, ...options });
  const settings = (body: object) => ask(`/v1/phones/${customer.phone.id}/settings`, { method: "PATCH", body });
  const ringing = async () => (await untilEvents(s.w, hook, "call:ringing"))[0];
  return { customer, ask, settings, ringing, hook, owner, ana: s.contact() };
};

describe("a person calls a session", () => {
  test("it rings: the event names the caller, and the call is in the list", async () => {
    const { ask, ringing, owner, ana } = await setup();
    const { call } = ana.call(owner, { video: true });
    const event = await ringing();
    expect(event).toEqual({
      callId: expect.any(String),
      upstreamCallId: call.id,
      direction: "INBOUND",
      status: "RINGING",
      isVideo: true,
      from: { canonicalKey: `pn:${ana.pn}`, type: "pn", pn: ana.jid, lid: ana.lidJid },
    });
    expect((await ask(`/v1/calls/${event.callId}`)).body).toMatchObject({
      status: "RINGING",
      direction: "INBOUND",
      peer: ana.pn,
      sdpOffer: null,
    });
  });

  test("of a group: linked devices get a notice, and the event names the group", async () => {
    const { ringing, owner, ana } = await setup();
    const group = s.net.group({ subject: "Equipe", members: [owner, ana] });
    ana.call(owner, { in: group });
    expect(await ringing()).toMatchObject({ isVideo: false, group: group.jid.split("@")[0] });
  });

  test.each([
    ["is given up by the caller", "hangUp", { status: "MISSED", endReason: null }],
    ["is taken on the phone", "acceptElsewhere", { status: "COMPLETED", endReason: "ACCEPTED_ELSEWHERE" }],
    ["is rejected on the phone", "rejectElsewhere", { status: "REJECTED", endReason: "REJECTED_ELSEWHERE" }],
  ] as const)("a call that %s ends so, without an invented duration", async (_, end, ended) => {
    const { ask, ringing, hook, owner, ana } = await setup();
    const calling = ana.call(owner);
    const { callId } = await ringing();
    const sentBefore = s.net.stat.stanzas["call"] ?? 0;
    calling[end]();
    await untilEvents(s.w, hook, `call:${ended.status.toLowerCase()}`);
    expect((await ask(`/v1/calls/${callId}`)).body).toMatchObject({ ...ended, durationSeconds: null });
    expect(gatewaySays(await ask(`/v1/calls/${callId}/reject`, { method: "POST" }))).toBe("409 CALL_INVALID_STATE");
    expect(s.net.stat.stanzas["call"] ?? 0).toBe(sentBefore);
  });

  test("a call whose end is lost is missed, and Recado does not end it at the network", async () => {
    const { ringing, hook, owner, ana } = await setup();
    const { call } = ana.call(owner);
    await ringing();
    s.w.clock.advance(2 * MINUTE_MS);
    await s.w.settle();
    expect(receivedBy(hook, "call:missed")).toEqual([]);
    s.w.clock.advance(2 * MINUTE_MS);
    await untilEvents(s.w, hook, "call:missed");
    await s.w.settle();
    expect(call.end).toBeNull();
  });

  test("a call that waited at the network while the session was away is missed, and never rings", async () => {
    const { hook, owner, ana, ask } = await setup();
    owner.cut();
    ana.call(owner, { time: Math.floor(s.w.clock.now() / SECOND_MS) - 600 });
    await untilTrue(async () => {
      s.w.clock.advance(5 * SECOND_MS);
      await s.w.settle();
      return receivedBy(hook, "call:missed").length > 0;
    });
    expect(receivedBy(hook, "call:ringing")).toEqual([]);
    expect((await ask("/v1/calls")).body.items).toMatchObject([{ status: "MISSED" }]);
  });
});

describe("a call is rejected", () => {
  test("by request: at the network, once; an accept and a hang-up are not offered, and change nothing", async () => {
    const { ask, ringing, hook, owner, ana } = await setup();
    const { call } = ana.call(owner);
    const { callId } = await ringing();
    const accept = await ask(`/v1/calls/${callId}/accept`, {
      method: "POST",
      body: { sdpAnswer: `v=0${"x".repeat(20)}` },
    });
    expect([gatewaySays(accept), accept.body.error.details.reason]).toEqual([
      "400 UPSTREAM_BAD_REQUEST",
      "NOT_OFFERED_BY_UPSTREAM",
    ]);
    expect(call.end).toBeNull();
    expect((await ask(`/v1/calls/${callId}/reject`, { method: "POST" })).body).toMatchObject({ status: "REJECTED" });
    expect(call.end).toBe("rejected");
    await untilEvents(s.w, hook, "call:rejected");
    expect(ana.received).toEqual([]);
  });

  test("a rejection that the network refuses leaves the call ringing", async () => {
    const { ask, ringing, owner, ana } = await setup();
    const { call } = ana.call(owner);
    const { callId } = await ringing();
    call.end = "over"; // the network knows more than its devices
    expect(gatewaySays(await ask(`/v1/calls/${callId}/reject`, { method: "POST" }))).toBe("400 UPSTREAM_BAD_REQUEST");
    expect((await ask(`/v1/calls/${callId}`)).body.status).toBe("RINGING");
  });

  test("by the setting, at once after its change: the text goes to the caller, once in ten minutes", async () => {
    const { settings, hook, owner, ana } = await setup();
    const text = "Não atendemos chamadas.";
    expect(await settings({ rejectCalls: "on", rejectCallsText: text })).toMatchObject({
      status: 200,
      body: { rejectCalls: "on", rejectCallsText: text },
    });
    const { call } = ana.call(owner);
    const [rejected] = await untilEvents(s.w, hook, "call:rejected");
    expect(rejected).toMatchObject({ reason: "REJECT_CALLS" });
    expect(call.end).toBe("rejected");
    await ana.until((message) => message.text === text);
    ana.call(owner);
    await untilEvents(s.w, hook, "call:rejected", 2);
    await s.w.settle();
    expect(ana.received).toHaveLength(1);
    s.w.clock.advance(10 * MINUTE_MS);
    ana.call(owner);
    await s.net.until(() => ana.received.length === 2);
  });

  test("the setting off, or a call of a group: it rings on, and nothing is sent", async () => {
    const { settings, ringing, owner, ana } = await setup();
    await settings({ rejectCalls: "on", rejectCallsText: "Não" });
    const { call } = ana.call(owner, { in: s.net.group({ subject: "Equipe", members: [owner, ana] }) });
    await ringing();
    await settings({ rejectCalls: null });
    const other = s.contact().call(owner);
    await s.w.settle();
    expect([call.end, other.call.end, ana.received]).toEqual([null, null, []]);
  });

  test("with a text that is a send like any other: an account that is restricted sends it to nobody", async () => {
    const { customer, settings, hook, owner, ana } = await setup();
    await settings({ rejectCalls: "on", rejectCallsText: "Não" });
    owner.restrict({ until: 4_000_000_000 });
    await untilTrue(
      async () => (await s.w.gateway(`/v1/phones/${customer.phone.id}`, customer)).body.status === "RESTRICTED",
    );
    ana.call(owner);
    await untilEvents(s.w, hook, "call:rejected");
    const [failed] = await untilEvents(s.w, hook, "message:status");
    expect(failed).toMatchObject({
      status: "failed",
      errors: [{ title: "UPSTREAM_ACCOUNT_RESTRICTED" }],
    });
    expect(ana.received).toEqual([]);
  });
});

describe("a call belongs to its caller", () => {
  test("another person's call of the same id neither takes its place nor ends it, and it is the first that is rejected", async () => {
    const { ask, ringing, hook, owner, ana } = await setup();
    const { call } = ana.call(owner);
    const { callId } = await ringing();
    const other = s.contact().call(owner, { id: call.id, video: true });
    other.hangUp();
    // the signals of calls are read one after the other
    s.contact().call(owner);
    await untilEvents(s.w, hook, "call:ringing", 2);
    expect(receivedBy(hook, "call:missed")).toEqual([]);
    expect((await ask(`/v1/calls/${callId}`)).body).toMatchObject({ status: "RINGING", peer: ana.pn });
    expect((await ask(`/v1/calls/${callId}/reject`, { method: "POST" })).body).toMatchObject({ status: "REJECTED" });
    expect([call.end, other.call.end]).toEqual(["rejected", "hung up"]);
  });

  test("a rejection that the network does not answer holds up no other signal", async () => {
    const { ask, settings, ringing, hook, owner, ana } = await setup();
    await settings({ rejectCalls: "on", rejectCallsText: "Não" });
    s.net.faults.dropAcks(({ tag }) => tag === "call", { phone: owner, times: 1 });
    const first = ana.call(owner);
    await s.net.until(() => first.call.end === "rejected");
    await ringing();
    expect((await ask("/v1/calls")).body.items).toMatchObject([{ status: "RINGING" }]);
    s.contact().call(owner);
    await untilEvents(s.w, hook, "call:rejected");
    expect(receivedBy(hook, "call:ringing")).toHaveLength(2);
    expect(ana.received).toEqual([]);
  });

  test("two calls of one person that are rejected at once get one text", async () => {
    const { settings, hook, owner, ana } = await setup();
    await settings({ rejectCalls: "on", rejectCallsText: "Não" });
    ana.call(owner);
    ana.call(owner);
    await untilEvents(s.w, hook, "call:rejected", 2);
    await s.w.settle();
    expect(ana.received).toHaveLength(1);
  });
});

describe("links of calls", () => {
  test("with voice or video, now or later; a start that is over is refused, and nothing is asked", async () => {
    const { ask, customer } = await setup();
    const link = (body: object) => ask(`/v1/phones/${customer.phone.id}/call-links`, { body });
    const now = await link({ video: true });
    const [made] = s.net.callLinks.slice(-1);
    expect([now.status, now.body]).toEqual([201, { url: `https://call.whatsapp.com/video/${made?.token}` }]);
    const startsAt = Math.floor((Date.now() + HOUR_MS) / SECOND_MS) * SECOND_MS;
    const later = await link({ video: false, startsAt: iso(startsAt) });
    expect(later.body.url).toStartWith("https://call.whatsapp.com/voice/");
    expect(s.net.callLinks.at(-1)).toMatchObject({ media: "audio", startsAt: String(startsAt / SECOND_MS) });
    const count = s.net.callLinks.length;
    expect(fieldsOf(await link({ video: false, startsAt: iso(s.w.clock.now() - 1) }))).toEqual(["startsAt"]);
    expect(s.net.callLinks).toHaveLength(count);
  });

  test("official numbers have none, and a session can neither call nor ask for permission", async () => {
    const official = await newCustomer(s.w);
    const { ask, customer, ana } = await setup();
    const refused = await s.w.gateway(`/v1/phones/${official.phone.id}/call-links`, {
      key: official.key,
      body: { video: true },
    });
    expect(gatewaySays(refused)).toBe("400 UPSTREAM_BAD_REQUEST");
    const person = { phoneId: customer.phone.id, to: ana.pn };
    for (const asked of [
      await ask("/v1/calls", { body: { ...person, sdpOffer: `v=0${"x".repeat(20)}` } }),
      await ask("/v1/calls/permission-request", { body: person }),
      await ask(`/v1/calls/permissions?phoneId=${person.phoneId}&to=${ana.pn}`),
    ])
      expect([gatewaySays(asked), asked.body.error.details.reason]).toEqual([
        "400 UPSTREAM_BAD_REQUEST",
        "NOT_OFFERED_BY_UPSTREAM",
      ]);
    expect((await ask(`/v1/phones/${customer.phone.id}/capabilities`)).body).toMatchObject({
      hasCalls: false,
      canRejectCalls: true,
      hasCallLinks: true,
    });
  });
});
