import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { receivedBy } from "../../../support/customers/customer.ts";
import { OTHER_APP } from "../../../support/instagram/index.ts";
import {
  IG_APP,
  newSocialCustomer,
  type SocialCustomer,
  type SocialWorld,
  sendsOf,
  startSocialWorld,
} from "../../../support/networks/social.ts";
import { gatewaySays } from "../../../support/refusals.ts";

let s: SocialWorld;
let c: SocialCustomer;
beforeAll(async () => {
  s = await startSocialWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
});
beforeEach(async () => {
  c = await newSocialCustomer(s);
});
afterAll(() => s.stop());

const common = () => ({ to: c.igUserId, from: c.igsid });
const path = () => `/v1/phones/${c.phoneId}/conversations/${c.igsid}/control`;
const heldBy = async () => (await s.w.gateway(path(), { key: c.key })).body.heldBy;
const types = () => c.hook.arrived.map(({ body }) => body.type);
const control = async (event: string, more: object = {}) => {
  await s.instagram.inbound.other({ ...common(), event: { [event]: { metadata: "pedido", ...more } } });
  await s.w.settle();
};

describe("M26-7 an Instagram conversation that another app leads", () => {
  test("M26-7 what comes on standby is published under its own name, and the chat is held", async () => {
    await s.instagram.inbound.text({ ...common(), text: "oi" }, { layout: "standby" });
    await s.w.settle();
    expect(types()).toEqual(["conversation:held", "message:standby"]);
    expect(receivedBy(c.hook, "message:standby")).toMatchObject([{ direction: "inbound", content: { text: "oi" } }]);
    expect(await heldBy()).toMatchObject({ role: null });
    await s.instagram.inbound.text({ ...common(), text: "agora vocês" });
    await s.w.settle();
    expect(types().slice(2)).toEqual(["conversation:released", "message:received"]);
    expect(await heldBy()).toBeNull();
  });

  test("M26-7 a change of the field standby is read alike", async () => {
    await s.instagram.inbound.field({
      igUserId: c.igUserId,
      field: "standby",
      value: {
        sender: { id: c.igsid },
        recipient: { id: c.igUserId },
        timestamp: String(Math.floor(s.w.clock.now() / 1000)),
        message: { mid: "mid.standby", text: "oi" },
      },
    });
    await s.w.settle();
    expect(types()).toEqual(["conversation:held", "message:standby"]);
  });

  test("M26-7 the new owner decides: passed to the inbox it is held, passed or taken by us it is ours", async () => {
    await control("pass_thread_control", { previous_owner_app_id: IG_APP, new_owner_app_id: OTHER_APP });
    expect(await heldBy()).not.toBeNull();
    s.w.clock.advance(1000);
    await control("take_thread_control", { previous_owner_app_id: OTHER_APP, new_owner_app_id: IG_APP });
    expect(await heldBy()).toBeNull();
    s.w.clock.advance(1000);
    await control("take_thread_control");
    expect(await heldBy()).not.toBeNull();
    s.w.clock.advance(1000);
    await control("pass_thread_control", { previous_owner_app_id: null, new_owner_app_id: IG_APP });
    expect(await heldBy()).toBeNull();
    expect(types()).toEqual([
      "conversation:held",
      "conversation:released",
      "conversation:held",
      "conversation:released",
    ]);
  });

  test("M26-7 a request of another app changes nothing", async () => {
    await control("request_thread_control", { requested_owner_app_id: OTHER_APP });
    expect([await heldBy(), types()]).toEqual([null, []]);
  });

  test.each(["pass", "take", "release"])("M26-7 %s is refused: Instagram Login offers no such call", async (action) => {
    const before = s.instagram.journal.length;
    expect(gatewaySays(await s.w.gateway(path(), { key: c.key, body: { action } }))).toBe("400 UPSTREAM_UNSUPPORTED");
    expect(s.instagram.journal).toHaveLength(before);
  });

  test("M26-7 a send into another app's conversation fails as THREAD_HELD, once", async () => {
    s.instagram.lead(common(), true);
    const id = await c.sent();
    expect(await c.message(id)).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringContaining("THREAD_HELD"),
    });
    expect(sendsOf(s, c)).toHaveLength(1);
  });

  test("M26-7 an account is subscribed to handovers and standby", () => {
    const { query } = s.instagram.journal.findLast(({ path: called }) => called.endsWith("/subscribed_apps")) ?? {};
    expect(JSON.stringify(query)).toContain("messaging_handover,standby");
  });
});
