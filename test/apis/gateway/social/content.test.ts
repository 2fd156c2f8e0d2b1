import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../../../src/kernel/clock.ts";
import { receivedBy, tracesOf } from "../../../support/customers/customer.ts";
import {
  IG_APP,
  IG_APP_SECRET,
  midsOf,
  newSocialCustomer,
  REDIRECT,
  type SocialCustomer,
  type SocialWorld,
  sendsOf,
  startSocialWorld,
} from "../../../support/networks/social.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";

const URL = "https://files.example.com/a.jpg";
const urls = (count: number) => Array.from({ length: count }, (_, index) => `https://files.example.com/${index}.jpg`);
const images = (count: number, more: object = {}) => ({
  type: "image",
  content: { images: urls(count).map((mediaUrl) => ({ mediaUrl })), ...more },
});

let s: SocialWorld;
let c: SocialCustomer;
beforeAll(async () => {
  s = await startSocialWorld({
    env: {
      RECADO_GATEWAY_RATE: "100000",
      RECADO_INSTAGRAM_COMMENTS: "on",
      RECADO_INSTAGRAM_HUMAN_AGENT: "on",
    },
  });
});
beforeEach(async () => {
  s.instagram.configure({ takesSeveralImages: true });
  c = await newSocialCustomer(s);
});
afterAll(() => s.stop());

const bodies = (): any[] =>
  s.instagram.journal
    .filter(({ method, path }) => method === "POST" && path.endsWith(`/${c.igUserId}/messages`))
    .map(({ body }) => body);
const subscribedFields = ({ instagram }: SocialWorld): string =>
  instagram.journal.findLast(({ path }) => path.endsWith("/subscribed_apps"))?.query["subscribed_fields"] ?? "";
const writes = async (text = "oi") => {
  const { mid } = await s.instagram.inbound.text({ to: c.igUserId, from: c.igsid, text });
  await s.w.settle();
  return { mid, messageId: receivedBy(c.hook, "message:received").at(-1).messageId as string };
};

describe("M26-8 a reply on Instagram", () => {
  test("M26-8 names the message that it answers, the user's or our own; a caption does not", async () => {
    const { mid, messageId } = await writes();
    await c.sent({ quotedMessageId: messageId });
    const own = await c.sent({
      type: "image",
      content: { mediaUrl: URL, caption: "a loja" },
      quotedMessageId: messageId,
    });
    await c.sent({ quotedMessageId: own });
    expect(bodies().map(({ reply_to: to }) => to?.mid)).toEqual([mid, mid, undefined, midsOf(s, c)[1]]);
  });
});

describe("M26-8 an edit on Instagram", () => {
  test("M26-8 that comes before its message is published after it", async () => {
    const messageId = `mid.${c.igUserId}`;
    const where = { to: c.igUserId, from: c.igsid };
    await s.instagram.inbound.edit({ ...where, messageId, text: "bom dia!", numEdit: 1 });
    await s.w.settle();
    expect(c.hook.arrived).toEqual([]);
    await s.instagram.inbound.text({ ...where, text: "bom dia", mid: messageId });
    await s.w.settle();
    expect(c.hook.arrived.map(({ body }) => body.type)).toEqual(["message:received", "message:edited"]);
    expect(receivedBy(c.hook, "message:edited")).toMatchObject([{ text: "bom dia!" }]);
  });
});

describe("M26-8 files on Instagram", () => {
  test("M26-8 a PDF goes as a file, its caption after it; any other document is refused", async () => {
    const content = { mediaUrl: "https://files.example.com/a.pdf", mimeType: "application/pdf", caption: "o pedido" };
    await c.sent({ type: "document", content });
    expect(sendsOf(s, c)).toEqual([
      { attachment: { type: "file", payload: { url: content.mediaUrl } } },
      { text: "o pedido" },
    ]);
    const id = await c.sent({ type: "document", content: { ...content, mimeType: "application/msword" } });
    expect(await c.message(id)).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringContaining("UPSTREAM_UNSUPPORTED"),
    });
    expect(sendsOf(s, c)).toHaveLength(2);
  });

  const quick = (count: number, more: object = {}) => ({
    type: "text",
    content: {
      text: "Qual?",
      quickReplies: Array.from({ length: count }, (_, at) => ({ id: `r${at}`, text: `Sabor ${at}`, ...more })),
    },
  });

  test("a text has up to 13 quick replies, and a tap on one comes back with its id", async () => {
    const id = await c.sent(quick(13));
    const { quickReplies } = quick(13).content;
    expect(sendsOf(s, c)).toEqual([
      {
        text: "Qual?",
        quick_replies: quickReplies.map(({ id: payload, text }) => ({ content_type: "text", title: text, payload })),
      },
    ]);
    expect(await c.message(id)).toMatchObject({ status: "SENT" });
    const common = { to: c.igUserId, from: c.igsid };
    await s.instagram.inbound.quickReply({ ...common, title: "Sabor 7", payload: "r7" });
    await s.w.settle();
    expect(receivedBy(c.hook, "message:received")).toMatchObject([
      { type: "button_reply", content: { selectedId: "r7", text: "Sabor 7" } },
    ]);
  });

  test("quick replies that the network would cut, too many, doubled or on another network are refused, and nothing happens", async () => {
    const before = await tracesOf(s.w, c);
    const refusals = [quick(1, { text: "a".repeat(21) }), quick(14), quick(2, { id: "same" }), quick(0)];
    for (const refused of refusals) expect(fieldsOf(await c.send(refused))).toEqual(["content"]);
    expect(await tracesOf(s.w, c)).toEqual(before);
    const waba = await s.w.wabaPhone(c.key);
    const elsewhere = await c.send({ phoneId: waba.id, to: "5511999990001", ...quick(1) });
    expect([gatewaySays(elsewhere), fieldsOf(elsewhere)]).toEqual(["400 VALIDATION_ERROR", ["content"]]);
    expect(sendsOf(s, c)).toEqual([]);
  });

  test("M26-8 several images are one message", async () => {
    const id = await c.sent(images(3, { caption: "as três" }));
    expect(sendsOf(s, c)).toEqual([
      { attachments: urls(3).map((url) => ({ type: "image", payload: { url } })) },
      { text: "as três" },
    ]);
    expect(await c.message(id)).toMatchObject({ status: "SENT" });
  });

  test("M26-8 where the network does not take several, they go singly, each once", async () => {
    s.instagram.configure({ takesSeveralImages: false });
    const id = await c.sent(images(3));
    expect(sendsOf(s, c).slice(1)).toEqual(urls(3).map((url) => ({ attachment: { type: "image", payload: { url } } })));
    expect(midsOf(s, c)).toHaveLength(3);
    expect(await c.message(id)).toMatchObject({ status: "SENT" });
  });

  test("M26-8 images of a wrong number, beside a link, private or on another network are refused, and nothing happens", async () => {
    const before = await tracesOf(s.w, c);
    expect(fieldsOf(await c.send(images(1)))).toEqual(["content"]);
    expect(fieldsOf(await c.send(images(11)))).toEqual(["content"]);
    expect(fieldsOf(await c.send(images(2, { mediaUrl: URL })))).toEqual(["content"]);
    const content = { images: [{ mediaUrl: URL }, { mediaUrl: "http://127.0.0.1:9/a.jpg" }] };
    expect(fieldsOf(await c.send({ type: "image", content }))).toEqual(["content"]);
    const waba = await s.w.wabaPhone(c.key);
    expect(fieldsOf(await c.send({ phoneId: waba.id, to: "5511999990001", ...images(2) }))).toEqual(["content"]);
    await s.w.settle();
    expect((await tracesOf(s.w, c)).messages).toBe(before.messages ?? 0);
    expect(sendsOf(s, c)).toEqual([]);
  });
});

describe("M26-8 a comment", () => {
  const comments = async (commentId: string, text = "quanto custa?") => {
    await s.instagram.comments({ igUserId: c.igUserId, commentId, from: c.igsid, text });
    await s.w.settle();
    return receivedBy(c.hook, "comment:received");
  };

  test("M26-8 is published once, belongs to no conversation, and is answered once in private", async () => {
    const [comment] = await comments(`${c.igUserId}1`);
    expect(comment).toEqual({
      commentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      timestamp: expect.any(String),
      from: expect.objectContaining({ canonicalKey: `igsid:${c.igsid}` }),
      text: "quanto custa?",
      postId: "1800000000000001",
      parentCommentId: null,
    });
    expect(await comments(`${c.igUserId}1`)).toHaveLength(1);
    expect(receivedBy(c.hook, "message:received")).toEqual([]);
    const { commentId } = comment;
    const id = await c.sent({ content: { text: "dez reais" }, commentId });
    expect(bodies()).toEqual([{ recipient: { comment_id: `${c.igUserId}1` }, message: { text: "dez reais" } }]);
    expect(await c.message(id)).toMatchObject({ status: "SENT" });
    const again = await c.sent({ content: { text: "de novo" }, commentId });
    expect(await c.message(again)).toMatchObject({ status: "FAILED" });
  });

  test("M26-8 is answered by a text alone, and a wrong id is refused", async () => {
    const [{ commentId }] = await comments(`${c.igUserId}2`);
    const id = await c.sent({ type: "image", content: { mediaUrl: URL }, commentId });
    expect(await c.message(id)).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringContaining("UPSTREAM_UNSUPPORTED"),
    });
    expect(gatewaySays(await c.send({ commentId: c.phoneId }))).toBe("404 MESSAGE_KEY_NOT_FOUND");
    expect(fieldsOf(await c.send({ commentId, quotedMessageId: commentId }))).toEqual(["commentId"]);
    expect(fieldsOf(await c.send({ commentId, to: "99887766554433" }))).toEqual(["commentId"]);
    expect(bodies()).toEqual([]);
  });

  test("M26-8 owners are asked for the permission, and the app is subscribed to comments", () => {
    expect(subscribedFields(s)).toContain("comments,live_comments");
  });
});

describe("M26-8 the human-agent tag", () => {
  const tagged = () => c.sent({ content: { text: "bom dia", tag: "HUMAN_AGENT" } });
  const approve = (isHumanAgentApproved: boolean) =>
    s.instagram.addApp({ appId: IG_APP, appSecret: IG_APP_SECRET, redirectUris: [REDIRECT], isHumanAgentApproved });

  test("M26-8 lets a person answer for seven days after the user's last message, and no longer", async () => {
    approve(true);
    await writes();
    s.w.clock.advance(6 * DAY_MS);
    expect(await c.message(await c.sent())).toMatchObject({ status: "FAILED" });
    expect(await c.message(await tagged())).toMatchObject({ status: "SENT" });
    expect(bodies().at(-1)).toMatchObject({ messaging_type: "MESSAGE_TAG", tag: "HUMAN_AGENT" });
    s.w.clock.advance(DAY_MS + HOUR_MS);
    expect(await c.message(await tagged())).toMatchObject({ status: "FAILED" });
  });

  test("M26-8 is refused where the network does not know it", async () => {
    const waba = await s.w.wabaPhone(c.key);
    const answer = await c.send({
      phoneId: waba.id,
      to: "5511999990001",
      content: { text: "bom dia", tag: "HUMAN_AGENT" },
    });
    expect(fieldsOf(answer)).toEqual(["content"]);
    expect(fieldsOf(await c.send({ content: { text: "a", tag: "ACCOUNT_UPDATE" } }))).toEqual(["content"]);
  });
});

describe("M26-8 ice breakers and menu", () => {
  const call = (what: string, method: string, body?: object) =>
    s.w.gateway(`/v1/phones/${c.phoneId}/${what}`, { key: c.key, method, ...(body ? { body } : {}) });
  const iceBreakers = [{ locale: "default", questions: [{ question: "Vocês abrem hoje?", payload: "HOURS" }] }];
  const menu = [
    {
      locale: "default",
      items: [
        { type: "postback", title: "Cardápio", payload: "MENU" },
        { type: "web_url", title: "Site", url: "https://padaria.example.com/" },
      ],
    },
  ];

  test.each([
    ["ice-breakers", { iceBreakers }, { iceBreakers: [] }],
    ["menu", { menu }, { menu: [] }],
  ])("M26-8 %s are written, shown and removed", async (what, given, nothing) => {
    expect((await call(what, "GET")).body).toEqual(nothing);
    const put = await call(what, "PUT", given);
    expect([put.status, put.body]).toEqual([200, given]);
    expect((await call(what, "GET")).body).toEqual(given);
    expect((await call(what, "DELETE")).status).toBe(204);
    expect((await call(what, "GET")).body).toEqual(nothing);
  });

  test("M26-8 without the default language, with a fifth question, or on another network they are refused", async () => {
    const before = s.instagram.journal.length;
    const [one] = iceBreakers;
    expect(fieldsOf(await call("ice-breakers", "PUT", { iceBreakers: [{ ...one, locale: "pt_BR" }] }))).toEqual([
      "iceBreakers",
    ]);
    const questions = Array.from({ length: 5 }, () => one?.questions[0]);
    expect(fieldsOf(await call("ice-breakers", "PUT", { iceBreakers: [{ ...one, questions }] }))).toEqual([
      "iceBreakers",
    ]);
    expect(s.instagram.journal).toHaveLength(before);
    const waba = await s.w.wabaPhone(c.key);
    expect(gatewaySays(await s.w.gateway(`/v1/phones/${waba.id}/menu`, { key: c.key }))).toBe("400 UNSUPPORTED_TYPE");
  });
});

describe("M26-8 without the operator's settings", () => {
  test("M26-8 the tag is refused, and owners are not asked for comments", async () => {
    const plain = await startSocialWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
    try {
      const someone = await newSocialCustomer(plain);
      const answer = await someone.send({ content: { text: "a", tag: "HUMAN_AGENT" } });
      expect(fieldsOf(answer)).toEqual(["content"]);
      expect(subscribedFields(plain)).not.toContain("comments");
    } finally {
      await plain.stop();
    }
  });
});
