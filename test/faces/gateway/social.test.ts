import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { toldTo } from "../../support/customer.ts";
import { newSocialCustomer, type SocialWorld, startSocialWorld } from "../../support/social.ts";

let s: SocialWorld;
beforeAll(async () => {
  s = await startSocialWorld();
});
afterAll(() => s.stop());

describe("sends of the photo network", () => {
  test("G-278 G-301 a text goes to the person's scoped id", async () => {
    const c = await newSocialCustomer(s);
    const { status, body } = await s.w.gateway("/v1/messages", { key: c.key, body: { phoneId: c.phoneId, to: c.igsid, type: "text", content: { text: "olá" } } });
    expect(status).toBe(202);
    await s.w.settle();
    expect((await s.w.gateway(`/v1/messages/${body.messageId}`, { key: c.key })).body).toMatchObject({ status: "SENT" });
    expect(toldTo(c.hook, "message:status")).toMatchObject([{ messageId: body.messageId, status: "sent" }]);
  });

  test("G-617 G-618 an inbound text is told with the person's scoped id", async () => {
    const c = await newSocialCustomer(s);
    await s.instagram.inbound.text({ to: c.igUserId, from: c.igsid, text: "oi" });
    await s.w.settle();
    const who = { canonicalKey: `igsid:${c.igsid}`, type: "igsid", pn: null, lid: null };
    expect(toldTo(c.hook, "message:received")).toMatchObject([{ type: "text", content: { text: "oi" }, from: who, chat: who, direction: "inbound" }]);
  });
});
