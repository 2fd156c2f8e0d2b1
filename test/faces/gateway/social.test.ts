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

  test("G-221 G-224 somebody who wrote is found by the scoped id, with and without its kind", async () => {
    const c = await newSocialCustomer(s);
    await s.instagram.inbound.text({ to: c.igUserId, from: c.igsid, text: "oi" });
    await s.w.settle();
    for (const key of [c.igsid, `igsid:${c.igsid}`]) {
      const { body } = await s.w.gateway(`/v1/phones/${c.phoneId}/identities/resolve?key=${key}`, { key: c.key });
      expect(body).toEqual({ canonicalKey: `igsid:${c.igsid}`, pn: null, lid: null, bsuid: null, username: null, parentBsuid: null, type: "igsid" });
    }
  });
});

describe("what people of the photo network do", () => {
  test("G-623 a read is told with a watermark and without a messageId, once, in both shapes of the network", async () => {
    const c = await newSocialCustomer(s);
    const at = Date.parse("2026-11-20T12:00:00Z");
    const seen = { to: c.igUserId, from: c.igsid, at };
    for (let again = 0; again < 2; again++)
      await s.instagram.inbound.batch([
        { kind: "read", ...seen, messageId: "m_1" },
        { kind: "watermark", ...seen, at: at + again, watermark: at },
      ]);
    await s.w.settle();
    expect(toldTo(c.hook)).toEqual([{ status: "read", watermark: "2026-11-20T12:00:00.000Z", from: { canonicalKey: `igsid:${c.igsid}`, type: "igsid", pn: null, lid: null } }]);
  });

  test("reactions, edits and deletions are told under our id, each once", async () => {
    const c = await newSocialCustomer(s);
    const to = { to: c.igUserId, from: c.igsid };
    const { mid } = await s.instagram.inbound.text({ ...to, text: "oi" });
    await s.w.settle();
    const [{ messageId }] = toldTo(c.hook, "message:received");
    const acts = [
      { kind: "reaction", ...to, at: 1_800_000_000_000, messageId: mid, emoji: "❤" },
      { kind: "edit", ...to, at: 1_800_000_001_000, messageId: mid, text: "olá", numEdit: 1 },
      { kind: "deleted", ...to, at: 1_800_000_002_000, messageId: mid },
    ] as const;
    await s.instagram.inbound.batch([...acts]);
    await s.instagram.inbound.batch([...acts, { kind: "reaction", ...to, at: 1_800_000_003_000, messageId: mid }]);
    await s.w.settle();
    expect(c.hook.arrived.slice(1).map(({ body }) => [body.type, body.data.messageId, body.data.emoji ?? body.data.text ?? body.data.status])).toEqual([
      ["message:reaction", messageId, "❤"],
      ["message:edited", messageId, "olá"],
      ["message:status", messageId, "deleted"],
      ["message:reaction", messageId, ""],
    ]);
  });
});
