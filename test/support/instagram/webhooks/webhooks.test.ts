import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { entriesOf, listOf, SECRET, until } from "../../graph/fixture.ts";
import { type Fields, fieldsOf } from "../../graph/shape.ts";
import { ACCOUNT, attachmentsIn, instagramBench, itemsOf, messageIn, OTHER_ACCOUNT, USER } from "../fixture.ts";
import type { InboundSeed } from "../index.ts";

const bench = instagramBench();
const common = { to: ACCOUNT, from: USER };
const text = (body: string, to = ACCOUNT): InboundSeed => ({ kind: "text", to, from: USER, text: body });
const signatureOf = (raw: string) => `sha256=${createHmac("sha256", SECRET).update(raw).digest("hex")}`;

describe("a webhook's bytes", () => {
  test("are signed as they stand, escaped as Meta escapes; times are in milliseconds", async () => {
    const { instagram, receive, clock } = bench();
    const hooks = receive();
    await instagram.inbound.text({ ...common, text: "á/b 😀", at: 1_569_262_485_349 });
    const [hook] = hooks;
    expect(hook?.raw).toContain('"text":"\\u00e1\\/b \\ud83d\\ude00"');
    expect(hook?.signature).toBe(signatureOf(hook?.raw ?? ""));
    expect(hook?.body).toMatchObject({ object: "instagram", entry: [{ id: ACCOUNT, time: clock.now() }] });
    expect(itemsOf(hook)).toMatchObject([
      { sender: { id: USER }, recipient: { id: ACCOUNT }, timestamp: 1_569_262_485_349 },
    ]);
  });

  test.each(["wrong", "altered", "none"] as const)("with a signature that is %s do not hold", async (signature) => {
    const { instagram, receive } = bench();
    const hooks = receive();
    await instagram.inbound.text({ ...common, text: "oi" }, { signature });
    expect(hooks[0]?.signature === null).toBe(signature === "none");
    expect(hooks[0]?.signature).not.toBe(signatureOf(hooks[0]?.raw ?? ""));
  });

  test("come again after an answer that is not 2xx, and as anything at all", async () => {
    const { instagram, receive, clock } = bench();
    const hooks = receive([503]);
    const received = instagram.inbound.text({ ...common, text: "oi" });
    await until(() => hooks.length === 1 && clock.pendingTimers === 1);
    clock.advance(1000);
    const { delivery } = await received;
    await instagram.webhooks.resend(delivery.id);
    await instagram.inbound.raw('{"object":  "instagram"}');
    expect(delivery.answers.map((answer) => answer.status)).toEqual([503, 200]);
    expect(hooks.map((hook) => hook.raw)).toEqual([
      delivery.body,
      delivery.body,
      delivery.body,
      '{"object":  "instagram"}',
    ]);
  });

  test("are preceded by the handshake", async () => {
    const { instagram, receive } = bench();
    receive();
    expect(await instagram.webhooks.verify("right")).toMatchObject({ isVerified: true });
    expect(await instagram.webhooks.verify("wrong")).toMatchObject({ isVerified: false });
  });
});

describe("the shapes of one POST", () => {
  const three = [text("a"), text("b", OTHER_ACCOUNT), text("c")];
  const textsOf = (items: Fields[]) => items.map((item) => fieldsOf(item["message"])["text"]);

  test("an entry for each account, or for each event", async () => {
    const { instagram, receive } = bench();
    const hooks = receive();
    const { mids } = await instagram.inbound.batch(three);
    await instagram.inbound.batch(three, { layout: "entries" });
    const shapes = hooks.map((hook) =>
      entriesOf(hook).map((entry) => [entry["id"], textsOf(listOf(entry["messaging"]))]),
    );
    expect(shapes[0]).toEqual([
      [ACCOUNT, ["a", "c"]],
      [OTHER_ACCOUNT, ["b"]],
    ]);
    expect(shapes[1]).toEqual([
      [ACCOUNT, ["a"]],
      [OTHER_ACCOUNT, ["b"]],
      [ACCOUNT, ["c"]],
    ]);
    expect(new Set(mids).size).toBe(3);
  });

  test("standby instead of messaging", async () => {
    const { instagram, receive } = bench();
    const hooks = receive();
    await instagram.inbound.batch([text("a")], { layout: "standby" });
    expect([itemsOf(hooks[0]), textsOf(itemsOf(hooks[0], "standby"))]).toEqual([[], ["a"]]);
  });

  test("changes with fields and times as texts of seconds, or the same flat in the entry", async () => {
    const { instagram, receive, clock } = bench();
    const hooks = receive();
    const seeds: InboundSeed[] = [text("a"), { kind: "read", ...common, messageId: "m" }];
    await instagram.inbound.batch(seeds, { layout: "changes" });
    await instagram.inbound.batch(seeds, { layout: "flat" });
    const value = {
      sender: { id: USER },
      recipient: { id: ACCOUNT },
      timestamp: String(Math.floor(clock.now() / 1000)),
      message: { text: "a" },
    };
    expect(entriesOf(hooks[0])).toMatchObject([
      {
        id: ACCOUNT,
        changes: [
          { field: "messages", value },
          { field: "messaging_seen", value: { read: { mid: "m" } } },
        ],
      },
    ]);
    expect(entriesOf(hooks[1])).toMatchObject([
      { id: ACCOUNT, field: "messages", value },
      { id: ACCOUNT, field: "messaging_seen", value: { read: { mid: "m" } } },
    ]);
  });

  test("the whole in an array, and a field that is no messaging", async () => {
    const { instagram, receive, clock } = bench();
    const hooks = receive();
    await instagram.inbound.batch([text("a")], { isWrapped: true });
    await instagram.inbound.field({ igUserId: ACCOUNT, field: "comments", value: { id: "c1", text: "nice" } });
    expect(JSON.parse(hooks[0]?.raw ?? "")).toMatchObject([{ object: "instagram", entry: [{ id: ACCOUNT }] }]);
    expect(hooks[1]?.body).toEqual({
      object: "instagram",
      entry: [{ id: ACCOUNT, time: clock.now(), changes: [{ field: "comments", value: { id: "c1", text: "nice" } }] }],
    });
  });
});

describe("what happens in a conversation", () => {
  const MESSAGES: [seed: InboundSeed, message: Fields][] = [
    [
      { kind: "text", ...common, text: "t", replyTo: "m0", isSelf: true },
      { text: "t", reply_to: { mid: "m0" }, is_self: true },
    ],
    [
      { kind: "storyReply", ...common, text: "t", storyId: "s1" },
      { text: "t", reply_to: { story: { id: "s1", url: expect.stringContaining("http://127.0.0.1") } } },
    ],
    [
      { kind: "quickReply", ...common, title: "Yes", payload: "p" },
      { text: "Yes", quick_reply: { payload: "p" } },
    ],
    [
      { kind: "fromAd", ...common, text: "t", adId: "a1", ref: "r" },
      {
        text: "t",
        referral: {
          ref: "r",
          ad_id: "a1",
          source: "ADS",
          type: "OPEN_THREAD",
          ads_context_data: { ad_title: "An ad" },
        },
      },
    ],
    [{ kind: "unsupported", ...common }, { is_unsupported: true }],
  ];
  test.each(MESSAGES.map(([seed, message]) => [seed.kind, seed, message] as const))(
    "%s is a message of Meta's shape",
    async (_kind, seed, message) => {
      const { instagram, receive } = bench();
      const hooks = receive();
      const { mid } = await instagram.inbound.batch([seed]);
      expect(messageIn(hooks[0])).toEqual({ mid, ...message });
      expect(mid).toMatch(/^aWdfZAG1faXRlbTox/);
    },
  );

  const EVENTS: [seed: InboundSeed, item: Fields][] = [
    [
      { kind: "postback", ...common, mid: "m1", title: "Order", payload: "p" },
      { postback: { mid: "m1", title: "Order", payload: "p" } },
    ],
    [
      { kind: "reaction", ...common, messageId: "m1", emoji: "❤️" },
      { reaction: { mid: "m1", action: "react", reaction: "love", emoji: "❤️" } },
    ],
    [
      { kind: "reaction", ...common, messageId: "m1", emoji: "😆" },
      { reaction: { mid: "m1", action: "react", reaction: "other", emoji: "😆" } },
    ],
    [{ kind: "reaction", ...common, messageId: "m1" }, { reaction: { mid: "m1", action: "unreact" } }],
    [{ kind: "read", ...common, messageId: "m1" }, { read: { mid: "m1" } }],
    [{ kind: "watermark", ...common, watermark: 7 }, { read: { watermark: 7 } }],
    [
      { kind: "edit", ...common, messageId: "m1", text: "t", numEdit: 1 },
      { message_edit: { mid: "m1", text: "t", num_edit: 1 } },
    ],
    [{ kind: "edit", ...common, messageId: "m1", numEdit: 0 }, { message_edit: { mid: "m1", num_edit: 0 } }],
    [
      { kind: "referral", ...common, ref: "r" },
      { referral: { ref: "r", source: "IGME-SOURCE-LINK", type: "OPEN_THREAD" } },
    ],
    [{ kind: "deleted", ...common, messageId: "m1" }, { message: { mid: "m1", is_deleted: true } }],
    [
      { kind: "other", ...common, event: { pass_thread_control: { new_owner_app_id: "1" } } },
      { pass_thread_control: { new_owner_app_id: "1" } },
    ],
  ];
  test.each(EVENTS.map(([seed, item]) => [seed.kind, seed, item] as const))(
    "%s has Meta's shape",
    async (_kind, seed, item) => {
      const { instagram, receive, clock } = bench();
      const hooks = receive();
      await instagram.inbound.batch([seed]);
      expect(itemsOf(hooks[0])).toEqual([
        { sender: { id: USER }, recipient: { id: ACCOUNT }, timestamp: clock.now(), ...item },
      ]);
    },
  );

  test("the edit of a new message can lack its sender and recipient; the message itself can be asked for", async () => {
    const { instagram, call, receive, clock } = bench();
    const hooks = receive();
    const { mid } = await instagram.inbound.text({ ...common, text: "oi" });
    await instagram.inbound.edit({ ...common, messageId: mid, numEdit: 0, hasSender: false });
    expect(itemsOf(hooks[1])).toEqual([{ timestamp: clock.now(), message_edit: { mid, num_edit: 0 } }]);
    expect((await call("GET", `/${mid}?fields=from,message`)).body).toMatchObject({
      from: { id: USER },
      message: "oi",
    });
  });

  test("a shared post comes as share and ig_post of one link, or as one of them", async () => {
    const { instagram, receive } = bench();
    const hooks = receive();
    await instagram.inbound.post({ ...common, mediaId: "179", title: "t" });
    await instagram.inbound.post({ ...common, as: "share" });
    await instagram.inbound.post({ ...common, as: "ig_post" });
    const [share, post] = attachmentsIn(hooks[0]);
    expect([share?.type, post?.type, post?.payload]).toEqual([
      "share",
      "ig_post",
      { url: expect.any(String), title: "t", ig_post_media_id: "179" },
    ]);
    expect(share?.payload).toEqual(post?.payload ?? {});
    expect(hooks.slice(1).map((hook) => attachmentsIn(hook).map((one) => one.type))).toEqual([["share"], ["ig_post"]]);
  });

  test("a mention in a story has a link to it", async () => {
    const { instagram, receive } = bench();
    const hooks = receive();
    await instagram.inbound.storyMention(common);
    const [mention] = attachmentsIn(hooks[0]);
    expect([mention?.type, (await fetch(String(mention?.payload["url"]))).status]).toEqual(["story_mention", 200]);
  });

  test("each event that is set up by its name in code comes as its kind", async () => {
    const { instagram, receive } = bench();
    const hooks = receive();
    const { inbound } = instagram;
    await inbound.quickReply({ ...common, title: "Yes", payload: "p" });
    await inbound.storyReply({ ...common, text: "t" });
    await inbound.fromAd({ ...common, text: "t", adId: "a" });
    await inbound.unsupported(common);
    await inbound.reaction({ ...common, messageId: "m", emoji: "❤" });
    await inbound.watermark(common);
    await inbound.referral(common);
    await inbound.other({ ...common, event: { optin: {} } });
    const keys = hooks.map((hook) => Object.keys({ ...itemsOf(hook)[0], ...messageIn(hook) }).at(-1));
    expect(keys).toEqual([
      "quick_reply",
      "reply_to",
      "referral",
      "is_unsupported",
      "reaction",
      "read",
      "referral",
      "optin",
    ]);
  });

  test("an unknown user who writes is known from then on", async () => {
    const { instagram, send, receive } = bench();
    receive();
    const to = { recipient: { id: "7" } };
    expect((await send({ text: "oi" }, to)).status).toBe(400);
    await instagram.inbound.text({ to: ACCOUNT, from: "7", text: "oi" });
    expect((await send({ text: "oi" }, to)).status).toBe(200);
  });
});
