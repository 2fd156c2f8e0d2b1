import { describe, expect, test } from "bun:test";
import type { CallsApi } from "../../../src/contract/abilities/calls.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { graphError } from "../../support/networks/scripted-graph.ts";
import { CREDENTIALS, wabaChannel } from "../../support/networks/waba-channel.ts";

const channel = wabaChannel();
const CALLS = `/v26.0/${CREDENTIALS.phoneNumberId}/calls`;
const CALL_ID = "0198a000-1111-4222-8333-444455556666";
const PRODUCT = { messaging_product: "whatsapp" };

const api = (): Required<Omit<CallsApi, "createLink">> => {
  const { calls } = channel().link;
  if (!calls) throw new Error("the link does not call");
  return calls as ReturnType<typeof api>;
};
const answer = (body: object) => channel().graph.script({ status: 200, body });

describe("the signalling of calls", () => {
  test("X-214 a call is one POST to the number, by number or by user id, with our id carried along", async () => {
    for (const [to, person] of [
      ["pn:5521912345678", { to: "5521912345678" }],
      ["bsuid:BR.123", { recipient: "BR.123" }],
    ] as const) {
      answer({ ...PRODUCT, calls: [{ id: "wacid.A" }] });
      expect(await api().connect({ to, sdpOffer: "v=0", callId: CALL_ID })).toEqual({
        ok: true,
        value: { nativeId: "wacid.A" },
      });
      const body = {
        ...PRODUCT,
        ...person,
        action: "connect",
        session: { sdp_type: "offer", sdp: "v=0" },
        biz_opaque_callback_data: CALL_ID,
      };
      expect(channel().graph.arrived.at(-1)).toMatchObject({
        method: "POST",
        path: CALLS,
        authorization: `Bearer ${CREDENTIALS.accessToken}`,
        body,
      });
    }
  });

  test("X-215 a call that the network does not name is taken all the same", async () => {
    for (const body of [PRODUCT, { ...PRODUCT, calls: [] }, { ...PRODUCT, calls: [{}] }]) {
      answer(body);
      expect(await api().connect({ to: "pn:5521912345678", sdpOffer: "v=0", callId: CALL_ID })).toEqual({
        ok: true,
        value: { nativeId: undefined },
      });
    }
  });

  test("X-220 to accept is to prepare and then to accept, with the same answer, and only then", async () => {
    expect(await api().accept("wacid.A", "v=0")).toEqual({ ok: true, value: true });
    const session = { sdp_type: "answer", sdp: "v=0" };
    expect(channel().graph.arrived.map(({ body }) => body)).toEqual(
      ["pre_accept", "accept"].map((action) => ({ ...PRODUCT, call_id: "wacid.A", action, session })),
    );
    channel().graph.script({ status: 400, body: graphError(100, "(#100) Invalid parameter") });
    expect(await api().accept("wacid.A", "v=0")).toMatchObject({ ok: false, kind: "refused" });
    expect(channel().graph.arrived).toHaveLength(3);
  });

  test("X-221 X-222 to reject and to end are one action each", async () => {
    expect([await api().reject("wacid.A"), await api().terminate("wacid.A")]).toEqual([
      { ok: true, value: true },
      { ok: true, value: true },
    ]);
    expect(channel().graph.arrived.map(({ body }) => body)).toEqual(
      ["reject", "terminate"].map((action) => ({ ...PRODUCT, call_id: "wacid.A", action })),
    );
  });

  test("X-228 a permission that is not for good began 7 days before its end", async () => {
    const permission = async (said: object) => {
      answer({ ...PRODUCT, permission: said, actions: [] });
      return api().permission("pn:5521912345678");
    };
    const at = 1_745_343_479;
    expect(await permission({ status: "temporary", expiration_time: at })).toEqual({
      ok: true,
      value: { granted: true, grantedAt: at * 1000 - 7 * DAY_MS, expiresAt: at * 1000 },
    });
    expect(await permission({ status: "permanent" })).toEqual({
      ok: true,
      value: { granted: true, grantedAt: null, expiresAt: null },
    });
    expect(await permission({ status: "no_permission" })).toEqual({
      ok: true,
      value: { granted: false, grantedAt: null, expiresAt: null },
    });
    expect(await permission({})).toMatchObject({ ok: false, kind: "unavailable" });
    expect(channel().graph.arrived[0]).toMatchObject({
      method: "GET",
      path: `/v26.0/${CREDENTIALS.phoneNumberId}/call_permissions`,
    });
    expect(channel().graph.arrived[0]?.query.get("user_wa_id")).toBe("5521912345678");
    await api().permission("bsuid:BR.123");
    expect(channel().graph.arrived.at(-1)?.query.get("recipient")).toBe("BR.123");
  });

  const REFUSALS: [code: number, status: number, kind: string][] = [
    [138000, 401, "refused"],
    [138006, 401, "refused"],
    [138012, 400, "refused"],
    [138002, 429, "unavailable"],
    [138004, 500, "unavailable"],
    [190, 401, "token"],
  ];
  test.each(REFUSALS)(
    "X-229 GAP-X26 %i with HTTP %i is %s, and only a token's refusal is reported as one",
    async (code, status, kind) => {
      channel().graph.script({ status, body: graphError(code, "No") });
      expect(await api().connect({ to: "pn:5521912345678", sdpOffer: "v=0", callId: CALL_ID })).toMatchObject({
        ok: false,
        kind,
      });
      expect(channel().host.reports.map(({ state }) => state)).toEqual(kind === "token" ? ["TOKEN_EXPIRED"] : []);
    },
  );

  test("a channel whose credentials are lost asks nothing of the network", async () => {
    const { link } = channel().open({});
    expect(await link.calls?.terminate?.("wacid.A")).toMatchObject({ ok: false, kind: "credentials" });
    expect(channel().graph.arrived).toEqual([]);
  });
});
