import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { iso } from "../../../../src/kernel/clock.ts";
import { RING_MS, SDP, useCalls } from "../../../support/customers/calls.ts";
import { receivedBy, rowsOf, suspend, TO } from "../../../support/customers/customer.ts";
import { ofNumber, post, secondsAt } from "../../../support/networks/waba-posts.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";

const { w, c, calls } = useCalls();

/** The ports on which this process takes datagrams, as sound comes in. */
const soundPorts = (): string[] => {
  const own = new Set(
    readdirSync("/proc/self/fd").flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`))?.[1] ?? [];
      } catch {
        return []; // closed since it was listed
      }
    }),
  );
  const lines = ["udp", "udp6"].flatMap((table) =>
    readFileSync(`/proc/self/net/${table}`, "utf8").trim().split("\n").slice(1),
  );
  return lines
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([, port = "", , , , , , , , inode = ""]) => (own.has(inode) ? [port] : []));
};

const accept = (id: string, sdpAnswer = SDP) => calls.post(`/${id}/accept`, { sdpAnswer });
const stateAt = (wacid: string) => w.graph.calls.all.get(wacid)?.state;

describe("a user calls", () => {
  test("X-224 G-630 the offer is published with what is needed to take it, and shown while it rings", async () => {
    const { id, wacid, offer } = await calls.offered();
    const sdpOffer = w.graph.calls.all.get(wacid)?.sdpOffer;
    expect(offer).toEqual({
      callId: id,
      upstreamCallId: wacid,
      from: {
        canonicalKey: `pn:${TO}`,
        type: "pn",
        pn: `${TO}@s.whatsapp.net`,
        lid: null,
        bsuid: expect.stringMatching(/^BR\./),
      },
      sdpOffer,
      expiresAt: iso(w.clock.now() + RING_MS),
    });
    expect(await calls.get(id)).toMatchObject({
      direction: "INBOUND",
      status: "RINGING",
      peer: TO,
      sdpOffer,
      startedAt: expect.any(String),
      acceptedAt: null,
    });
  });

  test("GAP-G52 G-629 the log of events lists all of calls, or one of their types", async () => {
    const { id } = await calls.offered();
    await accept(id);
    await w.settle();
    const types = async (query: string) => (await c.events(query)).map(({ type }) => type);
    expect(await types("?type=call:*")).toEqual(["call:in_progress", "call:accepted", "call:offer"]);
    expect(await types("?type=call:*&status=DELIVERED&limit=1")).toEqual(["call:in_progress"]);
    expect(await types("?type=call:offer")).toEqual(["call:offer"]);
    expect(await types("?type=call:*&status=DEAD")).toEqual([]);
  });

  test("X-220 X-222 X-224 it is accepted, in progress at once, and hung up; the network gets the same answer twice", async () => {
    const { id, wacid } = await calls.offered();
    const accepted = await accept(id);
    expect([accepted.status, accepted.body]).toMatchObject([
      200,
      { id, status: "ACCEPTED", acceptedAt: iso(w.clock.now()), sdpOffer: null },
    ]);
    expect([w.graph.calls.all.get(wacid), await calls.statusOf(id)]).toMatchObject([
      { state: "accepted", prepared: SDP, answer: SDP },
      "IN_PROGRESS",
    ]);
    w.clock.advance(90_500);
    const ended = await calls.post(`/${id}/hangup`, { reason: "tudo resolvido" });
    expect([ended.status, ended.body]).toMatchObject([
      200,
      { status: "COMPLETED", endReason: "tudo resolvido", durationSeconds: 90, endedAt: iso(w.clock.now()) },
    ]);
    await w.settle();
    expect(calls.acts()).toEqual(["pre_accept", "accept", "terminate"]);
    expect(calls.received()).toEqual(["call:offer", "call:accepted", "call:in_progress", "call:completed"]);
    expect(receivedBy(c.hook, "call:completed")).toEqual([
      {
        callId: id,
        upstreamCallId: wacid,
        direction: "INBOUND",
        status: "COMPLETED",
        reason: "tudo resolvido",
        durationSeconds: 90,
      },
    ]);
  });

  test("X-238 nothing here takes its sound", async () => {
    const { id } = await calls.offered();
    expect((await accept(id)).status).toBe(200);
    expect(soundPorts()).toEqual([]);
    const socket = await Bun.udpSocket({ hostname: "127.0.0.1" });
    const seen = soundPorts();
    socket.close();
    expect(seen).toHaveLength(1); // one that did would have shown
  });

  test("X-221 it is turned away", async () => {
    const { id, wacid } = await calls.offered();
    const { status, body } = await calls.post(`/${id}/reject`, { reason: "x".repeat(200) });
    expect([status, body.status, body.endReason, body.durationSeconds]).toEqual([
      200,
      "REJECTED",
      "x".repeat(200),
      null,
    ]);
    await w.settle();
    expect([stateAt(wacid), calls.acts(), calls.received()]).toEqual([
      "ended",
      ["reject"],
      ["call:offer", "call:rejected"],
    ]);
  });

  test("X-221 X-222 a reason may be missing, and so may the body", async () => {
    expect((await calls.post(`/${(await calls.offered()).id}/reject`)).body.status).toBe("REJECTED");
    expect((await calls.post(`/${(await calls.offered()).id}/reject`, {})).body.status).toBe("REJECTED");
    expect((await calls.post(`/${(await calls.placed()).id}/hangup`)).body).toMatchObject({
      status: "COMPLETED",
      endReason: null,
    });
  });

  test("X-226 a caller who gives up was missed", async () => {
    const { id, wacid } = await calls.offered();
    await w.graph.calls.end(wacid);
    await w.settle();
    expect([await calls.statusOf(id), calls.received(), calls.acts()]).toEqual([
      "MISSED",
      ["call:offer", "call:missed"],
      [],
    ]);
  });

  test("X-224 a user without a number calls by their user id", async () => {
    w.graph.addRecipient({ waId: "5511999990077", userId: "BR.77", contactMode: "bsuid" });
    const { id, offer } = await calls.offered("BR.77");
    expect([offer.from.canonicalKey, (await calls.get(id)).peer]).toEqual(["bsuid:BR.77", "BR.77"]);
  });

  const notify = (event: "connect" | "terminate", id: string, agoMs: number, more: object = {}) => {
    const call = {
      id,
      from: TO,
      to: c.phone.number,
      event,
      timestamp: secondsAt(w.clock.now() - agoMs),
      direction: "USER_INITIATED",
      ...more,
    };
    return post(w, [
      ofNumber(
        c,
        { calls: [event === "connect" ? { ...call, session: { sdp_type: "offer", sdp: SDP } } : call] },
        "calls",
      ),
    ]);
  };

  test("X-224 an offer that is repeated rings once", async () => {
    for (const agoMs of [1000, 0]) await notify("connect", "wacid.twice", agoMs);
    expect(calls.received()).toEqual(["call:offer"]);
  });

  test("X-226 an offer that its own end has overtaken was missed too, once", async () => {
    for (const agoMs of [0, 0]) await notify("terminate", "wacid.over", agoMs, { status: "FAILED" });
    for (const agoMs of [2000, 1000]) await notify("connect", "wacid.over", agoMs);
    await notify("terminate", "wacid.over", -1000, { status: "FAILED" });
    expect([(await calls.get("wacid.over")).status, calls.received(), calls.acts()]).toEqual([
      "MISSED",
      ["call:missed"],
      [],
    ]);
  });

  test("X-224 reports of unknown calls are accepted and change nothing", async () => {
    const call = { id: "wacid.elsewhere", timestamp: "1700000000" };
    const answers = await post(w, [
      ofNumber(
        c,
        { statuses: [{ ...call, type: "call", status: "RINGING", biz_opaque_callback_data: "of another program" }] },
        "calls",
      ),
      ofNumber(
        c,
        {
          calls: [
            { ...call, event: "connect", direction: "BUSINESS_INITIATED", session: { sdp_type: "answer", sdp: SDP } },
          ],
        },
        "calls",
      ),
      ofNumber(c, { calls: [{ ...call, event: "terminate", status: "COMPLETED" }] }, "calls"),
      ofNumber(
        c,
        {
          calls: [{ event: "connect" }, { id: "wacid.x", event: "connect" }, { id: "wacid.y", event: "sing" }],
          statuses: [{ status: "RINGING" }],
        },
        "calls",
      ),
    ]);
    expect([
      answers,
      calls.received(),
      await rowsOf(w, "SELECT id FROM calls WHERE tenant_id = ?1", [c.accountId]),
    ]).toEqual([[200], [], []]);
  });

  test("X-154 GAP-X08 during a suspension offers are taken, rung out, and not published", async () => {
    await suspend(w, c.accountId);
    const { id: wacid, delivery } = await w.graph.calls.offer({ to: c.phone.phoneNumberId, from: TO });
    await w.settle();
    await w.advance(RING_MS);
    const [call] = await rowsOf<{ status: string }>(w, "SELECT status FROM calls WHERE upstream_call_id = ?1", [wacid]);
    expect([delivery.answers.map(({ status }) => status), call?.status, calls.received()]).toEqual([
      [200],
      "MISSED",
      [],
    ]);
  });
});

describe("refused, and the call is where it was", () => {
  const FIELDS: [rule: string, verb: string, body: object, field: string][] = [
    ["X-220 an answer of 19 characters", "accept", { sdpAnswer: "x".repeat(19) }, "sdpAnswer"],
    ["X-220 no answer", "accept", {}, "sdpAnswer"],
    ["X-221 a reason of 201 characters", "reject", { reason: "x".repeat(201) }, "reason"],
    ["X-222 a reason of 201 characters", "hangup", { reason: "x".repeat(201) }, "reason"],
  ];
  test.each(FIELDS)("%s", async (_, verb, body, field) => {
    const { id } = await calls.offered();
    expect(fieldsOf(await calls.post(`/${id}/${verb}`, body))).toEqual([field]);
    expect([await calls.statusOf(id), calls.acts()]).toEqual(["RINGING", []]);
  });

  test("X-220 GAP-X25 what does not fit the call's state or direction", async () => {
    const ringing = (await calls.offered()).id;
    const placed = (await calls.placed()).id;
    const going = (await calls.offered()).id;
    await accept(going);
    const gone = (await calls.offered()).id;
    await calls.post(`/${gone}/reject`);
    const acted = calls.acts();
    const CASES: [id: string, verb: string][] = [
      [ringing, "hangup"],
      [placed, "accept"],
      [placed, "reject"],
      [going, "accept"],
      [going, "reject"],
      [gone, "accept"],
      [gone, "reject"],
    ];
    const statuses = () => Promise.all([ringing, placed, going, gone].map(calls.statusOf));
    const before = await statuses();
    for (const [id, verb] of CASES)
      expect([
        verb,
        gatewaySays(await calls.post(`/${id}/${verb}`, verb === "accept" ? { sdpAnswer: SDP } : {})),
      ]).toEqual([verb, "409 CALL_INVALID_STATE"]);
    expect([await statuses(), calls.acts()]).toEqual([before, acted]);
  });

  test("GAP-X25 hanging up what has ended changes nothing", async () => {
    const { id } = await calls.placed();
    const ended = (await calls.post(`/${id}/hangup`, { reason: "first" })).body;
    w.clock.advance(1000);
    const again = await calls.post(`/${id}/hangup`, { reason: "second" });
    expect([again.status, again.body, calls.acts()]).toEqual([200, ended, ["connect", "terminate"]]);
  });

  const VERBS: [verb: string, operation: string][] = [
    ["accept", "call.pre_accept"],
    ["accept", "call.accept"],
    ["reject", "call.reject"],
  ];
  test.each(VERBS)("X-220 X-221 what the network refuses of %s (%s)", async (verb, operation) => {
    const { id } = await calls.offered();
    w.graph.failNext(1, { kind: "error", code: 138013 }, { operation, phoneNumberId: c.phone.phoneNumberId });
    const refused = await calls.post(`/${id}/${verb}`, { sdpAnswer: SDP });
    expect([gatewaySays(refused), refused.body.error.details.upstreamError.code]).toEqual([
      "400 UPSTREAM_BAD_REQUEST",
      138013,
    ]);
    w.graph.failNext(1, { kind: "reset" }, { operation, phoneNumberId: c.phone.phoneNumberId });
    expect(gatewaySays(await calls.post(`/${id}/${verb}`, { sdpAnswer: SDP }))).toBe("502 UPSTREAM_UNAVAILABLE");
    expect([await calls.statusOf(id), calls.received()]).toEqual(["RINGING", ["call:offer"]]);
    expect((await calls.post(`/${id}/${verb}`, { sdpAnswer: SDP })).status).toBe(200);
  });
});
