import { describe, expect, test } from "bun:test";
import { CONTACT, eventsOf, OWN_NUMBER, type Part, USER } from "../../support/networks/waba-envelope.ts";

const AT = 1_750_000_000;
const CALL_ID = "0198a000-1111-4222-8333-444455556666";
const HEAD = { kind: "call", at: AT * 1000, nativeId: "wacid.A" } as const;
const call = (more: Part) => ({ id: "wacid.A", from: USER, to: OWN_NUMBER, timestamp: String(AT), ...more });
const received = (more: Part, value: Part = {}) => eventsOf("calls", { calls: [call(more)], ...value });
const offer = { event: "connect", direction: "USER_INITIATED", session: { sdp_type: "offer", sdp: "v=0\r\n" } };

describe("updates of calls", () => {
  test("X-224 somebody calls, with all that the envelope knows of them", () => {
    const from = { pn: USER, bsuid: CONTACT.user_id };
    expect(received(offer, { contacts: [CONTACT] })).toEqual([
      { ...HEAD, what: "connect", direction: "INBOUND", from, sdpOffer: "v=0\r\n" },
    ]);
    expect(received({ ...offer, from: undefined, from_user_id: "US.7" })).toMatchObject([{ from: { bsuid: "US.7" } }]);
  });

  test("X-223 the person who was called answers; our id comes back, another program's does not count", () => {
    const answer = { event: "connect", direction: "BUSINESS_INITIATED", session: { sdp_type: "answer", sdp: "v=1" } };
    expect(received({ ...answer, biz_opaque_callback_data: CALL_ID })).toEqual([
      { ...HEAD, callId: CALL_ID, what: "connect", direction: "OUTBOUND", sdpAnswer: "v=1" },
    ]);
    expect(received({ ...answer, biz_opaque_callback_data: "order 17" })).toEqual([
      { ...HEAD, what: "connect", direction: "OUTBOUND", sdpAnswer: "v=1" },
    ]);
  });

  test("X-226 a call ends: with its times where it was taken, with the reason where there is one", () => {
    const times = { start_time: String(AT), end_time: String(AT + 8), duration: "8" };
    const ended = { ...HEAD, what: "ended" } as const;
    expect(received({ event: "terminate", status: "COMPLETED", ...times })).toEqual([
      { ...ended, isFailure: false, startedAt: AT * 1000, endedAt: (AT + 8) * 1000, durationSeconds: 8 },
    ]);
    expect(received({ event: "terminate", status: "COMPLETED" })).toEqual([
      { ...ended, isFailure: false, startedAt: null, endedAt: null, durationSeconds: null },
    ]);
    expect(
      received({ event: "terminate", status: "FAILED" }, { errors: [{ code: 138021, title: "No media" }] }),
    ).toMatchObject([{ isFailure: true, reason: "(#138021) No media" }]);
    for (const duration of ["-1", "1e99", "soon", null])
      expect(received({ event: "terminate", status: "COMPLETED", duration })).toMatchObject([
        { durationSeconds: null },
      ]);
  });

  test("X-223 how a call of ours is getting on", () => {
    const status = { id: "wacid.A", type: "call", timestamp: String(AT), recipient_id: USER };
    const statuses = ["RINGING", "ACCEPTED", "REJECTED"].map((one) => ({ ...status, status: one }));
    expect(eventsOf("calls", { statuses })).toEqual(
      (["ringing", "accepted", "rejected"] as const).map((what) => ({ ...HEAD, what })),
    );
  });

  test("what is not understood is some event, and nothing is lost beside it", () => {
    const broken = [
      call({ id: undefined }),
      call({ event: "sing" }),
      call({ ...offer, session: {} }),
      call({ ...offer, from: undefined }),
    ];
    const events = eventsOf("calls", {
      calls: [...broken, call(offer)],
      statuses: [{ id: "wacid.A", status: "SINGING" }, { status: "RINGING" }],
    });
    expect(events.map((event) => (event.kind === "unknown" ? event.what : event.kind))).toEqual([
      "call without an id",
      "call sing",
      "call connect without a session",
      "call connect without a caller",
      "call",
      "call status SINGING",
      "call status without an id",
    ]);
  });

  test("X-228 what somebody says of being called is an event beside their message", () => {
    const says = (reply: Part) =>
      eventsOf("messages", {
        contacts: [CONTACT],
        messages: [
          {
            from: USER,
            id: "wamid.P",
            timestamp: String(AT),
            type: "interactive",
            interactive: { type: "call_permission_reply", call_permission_reply: reply },
          },
        ],
      });
    const said = { kind: "call-permission", at: AT * 1000, from: { pn: USER, bsuid: CONTACT.user_id } };
    const [message, permission] = says({
      response: "accept",
      expiration_timestamp: AT + 60,
      response_source: "user_action",
    });
    expect([message?.kind, permission]).toMatchObject([
      "received",
      { ...said, isGranted: true, expiresAt: (AT + 60) * 1000 },
    ]);
    expect(says({ response: "accept", is_permanent: true })[1]).toMatchObject({
      ...said,
      isGranted: true,
      expiresAt: null,
    });
    expect(says({ response: "reject" })[1]).toMatchObject({ ...said, isGranted: false, expiresAt: null });
    expect(says({ response: "perhaps" }).map(({ kind }) => kind)).toEqual(["received"]);
  });
});
