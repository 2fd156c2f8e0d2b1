import { afterEach, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { callsOf, RING_MS, SDP, useCalls } from "../../../support/customers/calls.ts";
import { newCustomer, receivedBy, rowsOf, TO } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { startWorld } from "../../../support/world.ts";

const { w, c, calls } = useCalls();
afterEach(() => w.advance(RING_MS)); // no call rings into the next test

const accept = (id: string, sdpAnswer = SDP) => calls.post(`/${id}/accept`, { sdpAnswer });
const stateAt = (wacid: string) => w.graph.calls.all.get(wacid)?.state;
const lastWacid = () => [...w.graph.calls.all.keys()].at(-1) ?? "";

describe("a call that nobody answers", () => {
  test("X-225 GAP-X24 is missed after 5 seconds, published, and ended at the network: an offer is rejected", async () => {
    const { id, wacid } = await calls.offered();
    await w.advance(RING_MS - 1);
    expect([await calls.statusOf(id), calls.acts()]).toEqual(["RINGING", []]);
    await w.advance(1);
    expect([await calls.get(id), stateAt(wacid)]).toMatchObject([
      { status: "MISSED", endReason: "RING_TIMEOUT", durationSeconds: null, sdpOffer: null },
      "ended",
    ]);
    expect([calls.acts(), receivedBy(c.hook, "call:missed")]).toEqual([
      ["reject"],
      [{ callId: id, upstreamCallId: wacid, direction: "INBOUND", status: "MISSED", reason: "RING_TIMEOUT" }],
    ]);
  });

  test("X-225 GAP-X24 so is one of ours, which is terminated, counted from when the network took it", async () => {
    calls.permit();
    const hold = w.graph.calls.hold("connect");
    const placing = calls.place();
    await hold.met;
    await w.advance(RING_MS - 1);
    hold.release();
    const { id, upstreamCallId: wacid } = (await placing).body;
    await w.graph.calls.ring(wacid);
    await w.settle();
    await w.advance(RING_MS - 1);
    expect(await calls.statusOf(id)).toBe("RINGING");
    await w.advance(1);
    expect([await calls.statusOf(id), calls.acts(), stateAt(wacid)]).toEqual([
      "MISSED",
      ["connect", "terminate"],
      "ended",
    ]);
    await w.graph.calls.end(wacid);
    await w.settle();
    expect(calls.received()).toEqual(["call:ringing", "call:missed"]);
  });

  test("X-225 so are those that rang when the process ended", async () => {
    const inbound = await calls.offered();
    const outbound = await calls.placed();
    await w.restart();
    await w.advance(RING_MS - 1);
    expect([await calls.statusOf(inbound.id), await calls.statusOf(outbound.id)]).toEqual(["RINGING", "RINGING"]);
    await w.advance(1);
    expect([await calls.statusOf(inbound.id), await calls.statusOf(outbound.id)]).toEqual(["MISSED", "MISSED"]);
    expect([stateAt(inbound.wacid), stateAt(outbound.wacid)]).toEqual(["ended", "ended"]);
  });

  test("X-225 what was answered is not missed", async () => {
    const inbound = await calls.offered();
    const outbound = await calls.placed();
    await accept(inbound.id);
    await w.graph.calls.accept(outbound.wacid);
    await w.settle();
    await w.advance(10 * RING_MS);
    expect([await calls.statusOf(inbound.id), await calls.statusOf(outbound.id)]).toEqual(["IN_PROGRESS", "ACCEPTED"]);
    expect(calls.acts()).not.toContain("reject");
  });

  test("X-225 a network out of reach is notified again, and left alone in the end", async () => {
    const { id, wacid } = await calls.offered();
    w.graph.failNext(2, { kind: "reset" }, { operation: "call.reject", phoneNumberId: c.phone.phoneNumberId });
    await w.advance(RING_MS);
    expect([await calls.statusOf(id), stateAt(wacid), calls.acts()]).toEqual(["MISSED", "ringing", ["reject"]]);
    await w.advance(2000);
    await w.advance(2000);
    expect([stateAt(wacid), calls.acts()]).toEqual(["ended", ["reject", "reject", "reject"]]);
    await w.advance(60_000);
    expect(calls.acts()).toHaveLength(3);
  });

  test("X-225 GAP-X24 the operator may let it ring longer", async () => {
    const other = await startWorld({ env: { RECADO_CALL_RING_TIMEOUT: "60" } });
    try {
      const patient = callsOf(other, await newCustomer(other));
      const { id } = await patient.offered();
      await other.advance(59_999);
      expect(await patient.statusOf(id)).toBe("RINGING");
      await other.advance(1);
      expect(await patient.statusOf(id)).toBe("MISSED");
    } finally {
      await other.stop();
    }
  });
});

describe("what happens in the same moment", () => {
  test("X-220 X-225 an answer that comes when the time is up loses, and the network is notified that nobody is there", async () => {
    const { id, wacid } = await calls.offered();
    const hold = w.graph.calls.hold("accept");
    const accepting = accept(id);
    await hold.met;
    await w.advance(RING_MS);
    hold.release();
    expect(gatewaySays(await accepting)).toBe("409 CALL_INVALID_STATE");
    await w.settle();
    expect([await calls.statusOf(id), stateAt(wacid), calls.received()]).toEqual([
      "MISSED",
      "ended",
      ["call:offer", "call:missed"],
    ]);
  });

  test("X-220 X-226 a caller who gives up while the call is accepted wins", async () => {
    const { id, wacid } = await calls.offered();
    const hold = w.graph.calls.hold("accept");
    const accepting = accept(id);
    await hold.met;
    await w.graph.calls.end(wacid);
    await w.settle();
    hold.release();
    const refused = await accepting;
    expect([gatewaySays(refused), await calls.statusOf(id), calls.received().at(-1)]).toEqual([
      "409 CALL_INVALID_STATE",
      "COMPLETED",
      "call:completed",
    ]);
  });

  test("X-220 of two who accept one does, with their own answer", async () => {
    const { id, wacid } = await calls.offered();
    const answers = ["v=0 the answer of one of them", "v=0 the answer of the other"];
    const said = await Promise.all(answers.map((sdp) => accept(id, sdp)));
    const winner = said.findIndex(({ status }) => status === 200);
    expect(said.map(gatewaySays).toSorted()).toEqual(["200", "409 CALL_INVALID_STATE"]);
    await w.settle();
    expect([w.graph.calls.all.get(wacid)?.answer, await calls.statusOf(id)]).toEqual([answers[winner], "IN_PROGRESS"]);
    expect(calls.acts()).toEqual(["pre_accept", "accept"]);
    expect(calls.received()).toEqual(["call:offer", "call:accepted", "call:in_progress"]);
  });

  test("X-221 of who accepts and who rejects one wins", async () => {
    const { id } = await calls.offered();
    const said = await Promise.all([accept(id), calls.post(`/${id}/reject`)]);
    await w.settle();
    const status = await calls.statusOf(id);
    expect(said.filter((one) => one.status === 200)).toHaveLength(1);
    expect(status).toBe(said[0]?.status === 200 ? "IN_PROGRESS" : "REJECTED");
  });

  test("X-222 GAP-X25 who hangs up while the network reports the end is answered with the call as it ended, which is published once", async () => {
    const { id, wacid } = await calls.placed();
    await w.graph.calls.accept(wacid);
    const hold = w.graph.calls.hold("terminate");
    const hanging = calls.post(`/${id}/hangup`, { reason: "ours" });
    await hold.met;
    await w.graph.calls.end(wacid, { durationSeconds: 42 });
    await w.settle();
    hold.release();
    expect((await hanging).body).toMatchObject({ status: "COMPLETED", durationSeconds: 42, endReason: null });
    const [one, other] = await Promise.all([calls.post(`/${id}/hangup`), calls.post(`/${id}/hangup`)]);
    expect([one?.status, other?.status]).toEqual([200, 200]);
    expect(calls.received()).toEqual(["call:accepted", "call:completed"]);
  });

  test("X-222 two who hang up end it once", async () => {
    const { id } = await calls.placed();
    const said = await Promise.all([calls.post(`/${id}/hangup`), calls.post(`/${id}/hangup`)]);
    await w.settle();
    expect([said.map(({ status, body }) => [status, body.status]), calls.received()]).toEqual([
      Array(2).fill([200, "COMPLETED"]),
      ["call:completed"],
    ]);
  });

  test("X-214 X-223 an update may be faster than the answer to our own call", async () => {
    calls.permit();
    const hold = w.graph.calls.hold("connect");
    const placing = calls.place();
    await hold.met;
    await w.graph.calls.ring(lastWacid());
    await w.graph.calls.accept(lastWacid());
    await w.settle();
    hold.release();
    const { status, body } = await placing;
    expect([status, body]).toMatchObject([201, { status: "ACCEPTED", upstreamCallId: lastWacid() }]);
    expect(calls.received()).toEqual(["call:ringing", "call:accepted"]);
  });

  test("X-225 a call whose time was up before the network answered is ended there as soon as it has a name", async () => {
    calls.permit();
    const hold = w.graph.calls.hold("connect");
    const placing = calls.place();
    await hold.met;
    await w.advance(RING_MS);
    hold.release();
    expect((await placing).body).toMatchObject({ status: "MISSED", upstreamCallId: lastWacid(), peer: TO });
    await w.settle();
    expect([calls.acts(), stateAt(lastWacid())]).toEqual([["connect", "terminate"], "ended"]);
  });

  test("X-215 X-225 a call whose time was up before the network took it without an id", async () => {
    calls.permit();
    w.graph.failNext(
      1,
      { kind: "no-id", isAccepted: true },
      { operation: "call.connect", phoneNumberId: c.phone.phoneNumberId },
    );
    const hold = w.graph.calls.hold("connect");
    const placing = calls.place();
    await hold.met;
    await w.advance(RING_MS);
    hold.release();
    expect(gatewaySays(await placing)).toBe("500 UPSTREAM_NO_CALL_ID");
    expect((await calls.ask("")).body.items).toMatchObject([{ status: "MISSED", upstreamCallId: null }]);
    expect(calls.received()).toEqual(["call:missed"]);
  });
});

describe("a call whose end is lost", () => {
  test("ends by itself after 12 hours, as COMPLETED for an unknown reason and without a duration, over a restart", async () => {
    const { id, wacid } = await calls.offered();
    await accept(id);
    await w.restart();
    await w.advance(12 * HOUR_MS - MINUTE_MS);
    expect(await calls.statusOf(id)).toBe("IN_PROGRESS");
    await w.advance(MINUTE_MS);
    expect(await calls.get(id)).toMatchObject({ status: "COMPLETED", endReason: "END_UNKNOWN", durationSeconds: null });
    expect(receivedBy(c.hook, "call:completed")).toMatchObject([
      { callId: id, upstreamCallId: wacid, reason: "END_UNKNOWN" },
    ]);
  });

  test("leaves nothing to do where the network has reported the end", async () => {
    const { id, wacid } = await calls.offered();
    await accept(id);
    await w.graph.calls.end(wacid);
    await w.settle();
    expect(await rowsOf(w, "SELECT 1 FROM jobs WHERE kind = 'call.end' AND unique_key = ?1", [`end:${id}`])).toEqual(
      [],
    );
  });
});
