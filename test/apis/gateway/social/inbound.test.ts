import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { iso, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { receivedBy, rowsOf } from "../../../support/customers/customer.ts";
import {
  IG_APP_SECRET,
  midsOf,
  newSocialCustomer,
  type SocialCustomer,
  type SocialWorld,
  startSocialWorld,
} from "../../../support/networks/social.ts";
import { APP_SECRET, WEBHOOK_SECRET } from "../../../support/world.ts";

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
const person = () => ({ canonicalKey: `igsid:${c.igsid}`, type: "igsid", pn: null, lid: null });
const received = async () => {
  await s.w.settle();
  return receivedBy(c.hook, "message:received");
};

describe("an inbound message", () => {
  test("G-610 G-617 G-618 GAP-G25 has the one shape, its sender known by the scoped id", async () => {
    const at = s.w.clock.now() - MINUTE_MS;
    await s.instagram.inbound.text({ ...common(), text: "oi", at });
    const [published] = await received();
    expect(published).toEqual({
      messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      direction: "inbound",
      type: "text",
      timestamp: iso(at),
      content: { text: "oi" },
      from: person(),
      chat: person(),
      pushName: null,
    });
  });

  test("G-617 the keys are those of an official number's", async () => {
    const hook = s.w.receiver();
    const waba = await s.w.wabaPhone(c.key, { webhook: { url: hook.url, secret: WEBHOOK_SECRET } });
    await s.w.graph.inbound.batch([{ kind: "text", to: waba.phoneNumberId, from: "5511999990001", text: "oi" }]);
    await s.instagram.inbound.text({ ...common(), text: "oi" });
    await s.instagram.inbound.image(common());
    await s.w.graph.inbound.batch([{ kind: "image", to: waba.phoneNumberId, from: "5511999990001" }]);
    const ours = await received();
    const theirs = receivedBy(hook, "message:received");
    expect(ours.map((data) => Object.keys(data))).toEqual(theirs.map((data) => Object.keys(data)));
    for (const { from, chat } of [...ours, ...theirs])
      for (const who of [from, chat])
        expect(Object.keys(who)).toEqual(expect.arrayContaining(["canonicalKey", "type", "pn", "lid"]));
  });

  test.each(["messaging", "entries", "changes", "flat"] as const)(
    "G-610 is published in the layout %s, wrapped in a list or not",
    async (layout) => {
      await s.instagram.inbound.text({ ...common(), text: "um" }, { layout });
      await s.instagram.inbound.text({ ...common(), text: "dois" }, { layout, isWrapped: true });
      expect((await received()).map(({ content }) => content.text)).toEqual(["um", "dois"]);
    },
  );

  test("what is no file is published by its name, with the link", async () => {
    await s.instagram.inbound.attachments({
      ...common(),
      text: "olha",
      attachments: [{ type: "ig_reel", url: "https://cdn.example.com/reel" }],
    });
    await s.instagram.inbound.post({ ...common(), mediaId: "18" });
    await s.instagram.inbound.storyMention({ ...common(), url: "https://cdn.example.com/story" });
    await s.instagram.inbound.unsupported(common());
    const published = await received();
    const album = published[0]?.content.album;
    expect(album).toEqual({ id: expect.any(String) });
    expect(published.map(({ type, content }) => [type, content])).toEqual([
      ["text", { text: "olha", album }],
      ["unsupported", { originalType: "ig_reel", url: "https://cdn.example.com/reel", album }],
      ["unsupported", { originalType: "ig_post", url: expect.stringMatching(/^http/) }],
      [
        "unsupported",
        {
          originalType: "story_mention",
          url: "https://cdn.example.com/story",
          story: { relation: "mention", url: "https://cdn.example.com/story" },
        },
      ],
      ["unsupported", { originalType: "unsupported" }],
    ]);
    expect(new Set(published.map(({ messageId }) => messageId)).size).toBe(5);
  });

  test.each([
    ["image", "image", "image/jpeg"],
    ["video", "video", "video/mp4"],
    ["audio", "audio", "audio/x-m4a"],
    ["file", "document", "application/pdf"],
  ] as const)(
    "G-611 G-627 of the type %s is published as %s once its file is here, and then the file is published",
    async (kind, type, contentType) => {
      await s.instagram.inbound[kind](common());
      const [published] = await received();
      expect(published).toMatchObject({
        type,
        media: { contentType, downloadUrl: expect.stringContaining("/v1/media/") },
      });
      expect(receivedBy(c.hook, "media:available")).toMatchObject([
        { messageId: published.messageId, mediaId: published.media.mediaId },
      ]);
    },
  );

  test("G-611 GAP-G49 with a file that is gone is published without it, and says why", async () => {
    await s.instagram.inbound.image({ ...common(), url: `${s.instagram.urls.graph}/nothing-here` });
    await s.w.advance(MINUTE_MS);
    expect((await received()).map(({ type, media }) => [type, media])).toEqual([
      ["image", { downloadUrl: null, error: "REFUSED" }],
    ]);
    expect(receivedBy(c.hook, "media:failed")).toMatchObject([{ error: "REFUSED" }]);
    expect(receivedBy(c.hook, "media:available")).toEqual([]);
  });

  test("G-615 a tap on a quick reply and on a button is button_reply", async () => {
    await s.instagram.inbound.quickReply({ ...common(), title: "Sim", payload: "YES" });
    await s.instagram.inbound.postback({ ...common(), title: "Menu", payload: "MENU" });
    expect((await received()).map(({ type, content }) => [type, content])).toEqual([
      ["button_reply", { selectedId: "YES", text: "Sim" }],
      ["button_reply", { selectedId: "MENU", text: "Menu" }],
    ]);
  });

  test("a reply names the message that it answers by our id, one of ours or one of theirs", async () => {
    const id = await c.sent();
    const { mid } = await s.instagram.inbound.text({ ...common(), text: "oi" });
    await s.instagram.inbound.text({ ...common(), text: "sim", replyTo: midsOf(s, c)[0] ?? "" });
    await s.instagram.inbound.text({ ...common(), text: "não", replyTo: mid });
    await s.instagram.inbound.storyReply({ ...common(), text: "lindo" });
    const [first, ...replies] = await received();
    expect(replies.map(({ quotedMessageId }) => quotedMessageId)).toEqual([id, first.messageId, undefined]);
  });

  test("A12 says which story it answers, and which advertisement or link its writer came from", async () => {
    await s.instagram.inbound.storyReply({ ...common(), text: "lindo", storyId: "18" });
    await s.instagram.inbound.fromAd({ ...common(), text: "quero", adId: "120", ref: "natal", title: "Pão" });
    const visit = await s.instagram.inbound.referral({ ...common(), ref: "vitrine" });
    await s.instagram.webhooks.resend(visit.delivery.id);
    expect((await received()).map(({ type, content }) => [type, content])).toEqual([
      ["text", { text: "lindo", story: { relation: "reply", id: "18", url: expect.stringMatching(/^http/) } }],
      ["text", { text: "quero", referral: { sourceId: "120", sourceType: "ad", headline: "Pão", ref: "natal" } }],
      ["request_welcome", { referral: { sourceType: "link", ref: "vitrine" } }],
    ]);
  });

  test("that comes again, in the same bytes or in others, is published once", async () => {
    const { delivery } = await s.instagram.inbound.text({ ...common(), text: "oi", mid: "mid.TWICE" });
    await s.instagram.webhooks.resend(delivery.id);
    await s.instagram.inbound.text({ ...common(), text: "oi", mid: "mid.TWICE" }, { layout: "changes" });
    expect(await received()).toHaveLength(1);
  });

  test("goes to the phone of its own account alone, and to none once that is logged out", async () => {
    const other = await newSocialCustomer(s);
    await s.instagram.inbound.text({ ...common(), text: "oi" });
    expect([(await received()).length, receivedBy(other.hook).length]).toEqual([1, 0]);
    await s.w.gateway(`/v1/phones/${c.phoneId}/logout`, { key: c.key, method: "POST" });
    await s.instagram.inbound.text({ ...common(), text: "oi?" });
    expect(await received()).toHaveLength(1);
  });

  test("what is no message is kept, and not published", async () => {
    const before = await rowsOf<{ n: number }>(s.w, "SELECT count(*) AS n FROM upstream_envelopes");
    await s.instagram.inbound.edit({ ...common(), messageId: "mid.NEW", numEdit: 0 });
    await s.instagram.inbound.edit({ ...common(), messageId: "mid.NEW", numEdit: 0, hasSender: false });
    await s.instagram.inbound.other({ ...common(), event: { optin: {} } });
    await s.instagram.inbound.field({ igUserId: c.igUserId, field: "comments", value: { id: "1", text: "!" } });
    await s.w.settle();
    expect(receivedBy(c.hook)).toEqual([]);
    const after = await rowsOf<{ n: number }>(s.w, "SELECT count(*) AS n FROM upstream_envelopes");
    expect((after[0]?.n ?? 0) - (before[0]?.n ?? 0)).toBe(4);
    expect(await rowsOf(s.w, "SELECT reason FROM discarded_jobs")).toEqual([]);
  });
});

describe("a read receipt", () => {
  test("G-623 is published as read up to a time, by whom, without a messageId; the message itself is READ", async () => {
    const id = await c.sent();
    c.hook.arrived.length = 0;
    const at = s.w.clock.now() + MINUTE_MS;
    await s.instagram.inbound.read({ ...common(), messageId: midsOf(s, c)[0] ?? "", at });
    await s.w.settle();
    expect(c.hook.arrived.map(({ body }) => [body.type, body.data])).toEqual([
      ["message:status", { status: "read", watermark: iso(at), from: person() }],
    ]);
    expect(await c.message(id)).toMatchObject({ status: "READ", readAt: iso(at), deliveredAt: iso(at) });
  });

  test("G-623 in the older form has the network's own watermark, and no message moves", async () => {
    const id = await c.sent();
    c.hook.arrived.length = 0;
    const watermark = s.w.clock.now() - MINUTE_MS;
    await s.instagram.inbound.watermark({ ...common(), watermark });
    await s.w.settle();
    expect(receivedBy(c.hook)).toEqual([{ status: "read", watermark: iso(watermark), from: person() }]);
    expect((await c.message(id)).status).toBe("SENT");
  });

  test("G-623 of a caption is of its message", async () => {
    const id = await c.sent({
      type: "image",
      content: { mediaUrl: "https://files.example.com/a.jpg", caption: "a loja" },
    });
    await s.instagram.inbound.read({ ...common(), messageId: midsOf(s, c)[1] ?? "" });
    await s.w.settle();
    expect((await c.message(id)).status).toBe("READ");
  });

  test("G-623 that comes again is published once; of a message that is not known only the time is published", async () => {
    const seen = { ...common(), messageId: "mid.ELSEWHERE", at: s.w.clock.now() };
    const { delivery } = await s.instagram.inbound.read(seen);
    await s.instagram.webhooks.resend(delivery.id);
    await s.instagram.inbound.read(seen, { layout: "standby" });
    await s.w.settle();
    expect(receivedBy(c.hook)).toEqual([{ status: "read", watermark: iso(seen.at), from: person() }]);
  });

  test("neither brings back a message that has failed nor is of another account's message", async () => {
    const id = await c.sent();
    const other = await newSocialCustomer(s);
    await s.instagram.inbound.read({ to: other.igUserId, from: other.igsid, messageId: midsOf(s, c)[0] ?? "" });
    await s.w.settle();
    expect((await c.message(id)).status).toBe("SENT");
    await s.w.app.env.db.write(async (tx) => tx.run("UPDATE messages SET status = 'FAILED' WHERE id = ?1", [id]));
    await s.instagram.inbound.read({ ...common(), messageId: midsOf(s, c)[0] ?? "" });
    await s.w.settle();
    expect((await c.message(id)).status).toBe("FAILED");
  });
});

describe("the signature of a webhook", () => {
  const target = () => `${s.w.app.url}/gateway/v1/upstream-webhook`;
  const postedWith = async (appSecret: string, signature: "valid" | "wrong" | "altered" | "none" = "valid") => {
    s.instagram.webhooks.configure({ url: target(), appSecret, retryDelaysMs: [] });
    const { delivery } = await s.instagram.inbound.text({ ...common(), text: "oi" }, { signature });
    s.instagram.webhooks.configure({ url: target(), appSecret: IG_APP_SECRET });
    return { status: delivery.answers.at(-1)?.status, published: (await received()).length };
  };

  test.each([IG_APP_SECRET, APP_SECRET])("may be of either app", async (secret) => {
    expect(await postedWith(secret)).toEqual({ status: 200, published: 1 });
  });

  test.each(["wrong", "altered", "none"] as const)("that is %s is refused, and nothing is kept", async (signature) => {
    const before = await rowsOf(s.w, "SELECT count(*) AS n FROM upstream_envelopes");
    expect(await postedWith(IG_APP_SECRET, signature)).toEqual({ status: 403, published: 0 });
    expect(await postedWith("another-secret")).toEqual({ status: 403, published: 0 });
    expect(await rowsOf(s.w, "SELECT count(*) AS n FROM upstream_envelopes")).toEqual(before);
  });

  test("of the other network's webhooks may be of either app too", async () => {
    const hook = s.w.receiver();
    const waba = await s.w.wabaPhone(c.key, { webhook: { url: hook.url, secret: WEBHOOK_SECRET } });
    s.w.graph.webhooks.configure({ url: target(), appSecret: IG_APP_SECRET });
    await s.w.graph.inbound.batch([{ kind: "text", to: waba.phoneNumberId, from: "5511999990001", text: "oi" }]);
    s.w.graph.webhooks.configure({ url: target(), appSecret: APP_SECRET });
    await s.w.settle();
    expect(receivedBy(hook, "message:received")).toHaveLength(1);
  });
});
