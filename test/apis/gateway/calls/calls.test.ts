import { describe, expect, test } from "bun:test";
import { iso } from "../../../../src/kernel/clock.ts";
import { callsOf, NOBODY, RING_MS, SDP, useCalls } from "../../../support/customers/calls.ts";
import { newCustomer, receivedBy, rowsOf, suspend, TO, tracesOf } from "../../../support/customers/customer.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";

const { w, c, calls } = useCalls();

const rows = () => rowsOf(w, "SELECT id FROM calls WHERE tenant_id = ?1", [c.accountId]);

describe("calling somebody", () => {
  test("X-214 X-216 EP-X02 it rings, and everything that is known of it is answered", async () => {
    calls.permit();
    const { status, body } = await calls.place();
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        accountId: c.accountId,
        phoneId: c.phone.id,
        upstreamCallId: [...w.graph.calls.all.keys()].at(-1),
        direction: "OUTBOUND",
        status: "RINGING",
        peer: TO,
        startedAt: null,
        acceptedAt: null,
        endedAt: null,
        durationSeconds: null,
        endReason: null,
        sdpOffer: null,
        recording: null,
        createdAt: iso(w.clock.now()),
        updatedAt: iso(w.clock.now()),
      },
    });
    expect(w.graph.calls.all.get(body.upstreamCallId)).toMatchObject({
      sdpOffer: SDP,
      bizOpaque: body.id,
      direction: "BUSINESS_INITIATED",
    });
    expect(await calls.get(body.id)).toEqual(body);
  });

  test("X-223 X-239 X-251 it goes RINGING, ACCEPTED, IN_PROGRESS, COMPLETED as the network says, each published once, in order and signed", async () => {
    const { id, wacid } = await calls.placed();
    const statuses: string[] = [];
    const answer = "v=0\r\no=- the answer\r\n";
    const steps = [
      () => w.graph.calls.ring(wacid),
      () => w.graph.calls.answer(wacid, answer),
      () => w.graph.calls.accept(wacid),
      () => w.graph.calls.end(wacid, { durationSeconds: 8 }),
    ];
    for (const step of steps) {
      await step();
      await w.settle();
      statuses.push(await calls.statusOf(id));
    }
    expect(statuses).toEqual(["RINGING", "ACCEPTED", "IN_PROGRESS", "COMPLETED"]);
    expect(calls.received()).toEqual(["call:ringing", "call:accepted", "call:in_progress", "call:completed"]);
    const head = { callId: id, upstreamCallId: wacid, direction: "OUTBOUND" };
    expect(receivedBy(c.hook)).toEqual([
      { ...head, status: "RINGING" },
      { ...head, status: "ACCEPTED", sdpAnswer: answer },
      { ...head, status: "IN_PROGRESS" },
      { ...head, status: "COMPLETED", durationSeconds: 8 },
    ]);
    for (const { headers } of c.hook.arrived) expect(headers["x-gateway-signature"]).toMatch(/^sha256=[0-9a-f]{64}$/);
    const { startedAt, acceptedAt, endedAt, durationSeconds } = await calls.get(id);
    expect([startedAt, acceptedAt, durationSeconds]).toEqual([expect.any(String), expect.any(String), 8]);
    expect(Date.parse(endedAt) - Date.parse(acceptedAt)).toBe(8000);
  });

  test("X-223 the word that it was taken may come before the answer, which is published when it comes", async () => {
    const { id, wacid } = await calls.placed();
    await w.graph.calls.accept(wacid);
    await w.graph.calls.answer(wacid, "v=0 the answer");
    await w.settle();
    expect(await calls.statusOf(id)).toBe("IN_PROGRESS");
    expect(receivedBy(c.hook, "call:in_progress")).toMatchObject([{ sdpAnswer: "v=0 the answer" }]);
  });

  test("X-223 whatever is repeated, or comes late, changes nothing and is not published", async () => {
    const { id, wacid } = await calls.placed();
    const { accept, answer, ring, end } = w.graph.calls;
    for (const step of [accept, accept, ring, answer, answer, accept, end, ring, answer, accept, end]) {
      w.clock.advance(1000); // the very same bytes would not be read twice
      await step(wacid);
      await w.settle();
    }
    expect(await calls.statusOf(id)).toBe("COMPLETED");
    expect(calls.received()).toEqual(["call:accepted", "call:in_progress", "call:completed"]);
  });

  test("X-226 turned away it is REJECTED, and the end that follows changes nothing", async () => {
    const { id, wacid } = await calls.placed();
    await w.graph.calls.reject(wacid);
    await w.graph.calls.end(wacid, { status: "FAILED" });
    await w.settle();
    expect([await calls.statusOf(id), calls.received()]).toEqual(["REJECTED", ["call:rejected"]]);
  });

  const ENDS: [
    what: string,
    order: { status: "COMPLETED" | "FAILED"; code?: number },
    isTaken: boolean,
    status: string,
  ][] = [
    ["that nobody took is MISSED", { status: "COMPLETED" }, false, "MISSED"],
    ["that nobody took is MISSED, whatever the network calls it", { status: "FAILED" }, false, "MISSED"],
    ["that failed for a reason is FAILED", { status: "FAILED", code: 138004 }, false, "FAILED"],
    ["that failed after it was taken is FAILED", { status: "FAILED" }, true, "FAILED"],
    ["that was taken is COMPLETED", { status: "COMPLETED" }, true, "COMPLETED"],
  ];
  test.each(ENDS)("X-226 GAP-X24 a call %s", async (_, order, isTaken, status) => {
    const { id, wacid } = await calls.placed();
    if (isTaken) await w.graph.calls.accept(wacid);
    await w.graph.calls.end(wacid, order);
    await w.settle();
    const call = await calls.get(id);
    expect([call.status, calls.received().at(-1)]).toEqual([status, `call:${status.toLowerCase()}`]);
    expect(call.endReason === null).toBe(order.code === undefined);
  });
});

describe("what is refused, and nothing happens", () => {
  const FIELDS: [rule: string, field: string, value: unknown][] = [
    ["X-211 no phoneId", "phoneId", undefined],
    ["X-211 a phoneId that is no UUID", "phoneId", "phone"],
    ["X-212 a to of 4 characters", "to", "5511"],
    ["X-212 a to of 61 characters", "to", `US.${"1".repeat(58)}`],
    ["X-213 an offer of 19 characters", "sdpOffer", "x".repeat(19)],
    ["X-213 no offer", "sdpOffer", undefined],
  ];
  test.each(FIELDS)("%s", async (_, field, value) => {
    const before = await tracesOf(w, c);
    expect(fieldsOf(await calls.place({ [field]: value }))).toEqual([field]);
    expect([await rows(), await tracesOf(w, c)]).toEqual([[], before]);
  });

  test("X-212 X-213 a to of 5 and of 60 characters and an offer of 20 are taken, a number with its plus and a user id too", async () => {
    const long = `US.${"1".repeat(57)}`;
    w.graph.addRecipient({ waId: "15550001111", userId: long });
    w.graph.addRecipient({ waId: "15550002222", userId: "US.12" });
    const peers: string[] = [];
    for (const to of ["12345", "US.12", long, `+${TO}`, "bsuid:US.12"]) {
      calls.permit(to.replace(/^(bsuid:|\+)/, ""));
      const { status, body } = await calls.place({ to, sdpOffer: "x".repeat(20) });
      expect([to, status]).toEqual([to, 201]);
      peers.push(body.peer);
    }
    expect(peers).toEqual(["12345", "US.12", long, TO, "US.12"]);
  });

  test("X-212 what is neither a number nor a user id", async () => {
    for (const to of ["somebody", "US-123", "0551199999", `${TO}@s.whatsapp.net`])
      expect(gatewaySays(await calls.place({ to }))).toBe("400 INVALID_TO");
    expect([await rows(), calls.acts()]).toEqual([[], []]);
  });

  test("X-210 phones that are unknown, another account's, or cannot call", async () => {
    const other = await newCustomer(w);
    const session = (await w.gateway("/v1/phones", { key: c.key, body: { type: "SESSION", label: "A phone" } })).body
      .id;
    for (const phoneId of [NOBODY, other.phone.id, session]) {
      expect(gatewaySays(await calls.place({ phoneId }))).toBe("404 PHONE_NOT_FOUND");
      expect(gatewaySays(await calls.post("/permission-request", { phoneId, to: TO }))).toBe("404 PHONE_NOT_FOUND");
      expect(gatewaySays(await calls.ask(`/permissions?phoneId=${phoneId}&to=${TO}`))).toBe("404 PHONE_NOT_FOUND");
    }
    expect(gatewaySays(await calls.ask(`?phoneId=${session}`))).toBe("404 PHONE_NOT_FOUND");
    expect([await rows(), calls.acts(), callsOf(w, other).acts()]).toEqual([[], [], []]);
  });

  test("X-210 a phone that is not connected", async () => {
    await w.app.env.db.write(async (tx) =>
      tx.run("UPDATE channels SET state = 'TOKEN_EXPIRED' WHERE id = ?1", [c.phone.id]),
    );
    expect(gatewaySays(await calls.place())).toBe("409 PHONE_NOT_CONNECTED");
    expect([await rows(), calls.acts()]).toEqual([[], []]);
  });

  test("X-153 a suspended account's calls, every route of them", async () => {
    const { id } = await calls.placed();
    await suspend(w, c.accountId);
    const answers = [
      await calls.place(),
      await calls.ask(""),
      await calls.ask(`/${id}`),
      await calls.post(`/${id}/hangup`),
      await calls.ask(`/${id}/recording`),
    ];
    expect(answers.map(gatewaySays)).toEqual(Array(5).fill("402 ACCOUNT_SUSPENDED"));
    expect(calls.acts()).toEqual(["connect"]);
  });

  test("X-229 GAP-X26 a call without permission: the network's own words, the call is FAILED, and the token is not blamed", async () => {
    const refused = await calls.place();
    expect([gatewaySays(refused), refused.body.error.details.upstreamError.code]).toEqual([
      "400 UPSTREAM_BAD_REQUEST",
      138006,
    ]);
    await w.settle();
    const [call] = (await calls.ask("")).body.items;
    expect(call).toMatchObject({
      status: "FAILED",
      upstreamCallId: null,
      endReason: expect.stringContaining("No approved call permission"),
    });
    expect(receivedBy(c.hook)).toMatchObject([{ callId: call.id, status: "FAILED", reason: call.endReason }]);
    expect((await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body.status).toBe("CONNECTED");
  });

  test("X-215 an answer without an id", async () => {
    calls.permit();
    w.graph.failNext(1, { kind: "no-id" }, { operation: "call.connect", phoneNumberId: c.phone.phoneNumberId });
    expect(gatewaySays(await calls.place())).toBe("500 UPSTREAM_NO_CALL_ID");
    expect((await calls.ask("")).body.items).toMatchObject([{ status: "FAILED", endReason: "UPSTREAM_NO_CALL_ID" }]);
  });
});

describe("a call whose answer was lost", () => {
  const lost = async (isAccepted: boolean) => {
    calls.permit();
    w.graph.failNext(
      1,
      { kind: "reset", isAccepted },
      { operation: "call.connect", phoneNumberId: c.phone.phoneNumberId },
    );
    expect(gatewaySays(await calls.place())).toBe("502 UPSTREAM_UNAVAILABLE");
    return (await calls.ask("")).body.items[0];
  };
  const wacidOf = (callId: string) =>
    [...w.graph.calls.all.values()].find(({ bizOpaque }) => bizOpaque === callId)?.id ?? "";

  test("X-215 rings on, and is found by its updates", async () => {
    const call = await lost(true);
    expect(call).toMatchObject({ status: "RINGING", upstreamCallId: null });
    const wacid = wacidOf(call.id);
    await w.graph.calls.ring(wacid);
    await w.graph.calls.accept(wacid);
    await w.settle();
    expect(await calls.get(wacid)).toMatchObject({ id: call.id, status: "ACCEPTED", upstreamCallId: wacid });
    expect(calls.received()).toEqual(["call:ringing", "call:accepted"]);
  });

  test("X-225 is missed when no updates come; when they come later, the network is notified that it is over", async () => {
    const call = await lost(true);
    await w.advance(RING_MS);
    expect([await calls.statusOf(call.id), calls.acts()]).toEqual(["MISSED", ["connect"]]);
    const wacid = wacidOf(call.id);
    await w.graph.calls.ring(wacid);
    await w.settle();
    expect([await calls.statusOf(call.id), calls.acts()]).toEqual(["MISSED", ["connect", "terminate"]]);
    expect(w.graph.calls.all.get(wacid)?.state).toBe("ended");
  });

  test("X-222 can be ended before the network has named it, and the network is notified when it does", async () => {
    const call = await lost(true);
    expect((await calls.post(`/${call.id}/hangup`)).body).toMatchObject({ status: "COMPLETED" });
    expect(calls.acts()).toEqual(["connect"]);
    await w.graph.calls.ring(wacidOf(call.id));
    await w.settle();
    expect(calls.acts()).toEqual(["connect", "terminate"]);
  });
});

describe("looking up calls", () => {
  test("X-217 X-218 EP-X02 the list is newest first, has a cursor and filters; a call is found by either id", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      w.clock.advance(1);
      ids.unshift((await calls.placed()).id);
    }
    await calls.post(`/${ids[1]}/hangup`);
    const idsIn = async (query: string): Promise<string[]> =>
      (await calls.ask(query)).body.items.map(({ id }: { id: string }) => id);
    const first = (await calls.ask("?limit=2")).body;
    expect([first.items.map(({ id }: any) => id), first.nextCursor]).toEqual([ids.slice(0, 2), ids[1]]);
    expect((await calls.ask(`?limit=2&cursor=${first.nextCursor}`)).body).toMatchObject({
      items: [{ id: ids[2] }],
      nextCursor: null,
    });
    expect(await idsIn("?status=COMPLETED")).toEqual([ids[1] ?? ""]);
    expect(await idsIn(`?phoneId=${c.phone.id}&status=RINGING`)).toEqual([ids[0] ?? "", ids[2] ?? ""]);
    expect(await idsIn(`?phoneId=${NOBODY}`)).toEqual([]);
    expect((await calls.ask("?limit=100")).status).toBe(200);
    for (const [query, field] of [
      ["?limit=101", "limit"],
      ["?limit=0", "limit"],
      ["?status=BUSY", "status"],
      ["?phoneId=x", "phoneId"],
      [`?cursor=${NOBODY}`, "cursor"],
    ] as const)
      expect(fieldsOf(await calls.ask(query))).toEqual([field]);
    const call = await calls.get(ids[0] ?? "");
    expect(await calls.get(call.upstreamCallId)).toEqual(call);
    await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" });
    expect(await idsIn(`?phoneId=${c.phone.id}`)).toEqual(ids);
  });

  test("X-219 X-234 unknown calls, and those of another account, on every route", async () => {
    const other = await newCustomer(w);
    const { id, wacid } = await callsOf(w, other).placed();
    const acted = callsOf(w, other).acts();
    for (const one of [NOBODY, "wacid.unknown", id, encodeURIComponent(wacid)]) {
      const answers = [
        await calls.ask(`/${one}`),
        await calls.post(`/${one}/accept`, { sdpAnswer: SDP }),
        await calls.post(`/${one}/reject`),
        await calls.post(`/${one}/hangup`, {}),
        await calls.ask(`/${one}/recording`, {
          method: "POST",
          raw: "sound",
          headers: { "content-type": "audio/ogg" },
        }),
        await calls.ask(`/${one}/recording`),
      ];
      expect(answers.map(gatewaySays)).toEqual(Array(6).fill("404 CALL_NOT_FOUND"));
    }
    expect([callsOf(w, other).acts(), await callsOf(w, other).statusOf(id)]).toEqual([acted, "RINGING"]);
  });
});
