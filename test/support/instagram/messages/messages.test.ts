import { describe, expect, test } from "bun:test";
import { type Answered, errorOf } from "../../graph/fixture.ts";
import type { Fields } from "../../graph/shape.ts";
import { ACCOUNT, APP, APP_SECRET, instagramBench, OTHER_ACCOUNT, REDIRECT, USER } from "../fixture.ts";

const bench = instagramBench();
const HOUR_MS = 3_600_000;
const codeOf = (answer: Answered) => errorOf(answer)["code"];
const subcodeOf = (answer: Answered) => errorOf(answer)["error_subcode"];
const URL = "https://files.example.com/a.jpg";

const attached = (type: string, payload?: Fields) => ({
  attachment: payload === undefined ? { type } : { type, payload },
});
const images = (count: number, type = "image") => ({
  attachments: Array.from({ length: count }, (_, at) => ({
    type,
    payload: { url: `https://files.example.com/${at}.jpg` },
  })),
});
const quick = (count: number, title = "Yes") => ({
  text: "choose",
  quick_replies: Array.from({ length: count }, (_, at) => ({ content_type: "text", title, payload: `p${at}` })),
});
const link = { type: "web_url", url: "https://example.com", title: "Open" };
const postback = { type: "postback", payload: "p", title: "Order" };
const generic = (elements: Fields[]) => attached("template", { template_type: "generic", elements });
const buttons = (text: string, list: Fields[]) =>
  attached("template", { template_type: "button", text, buttons: list });

describe("a message", () => {
  const ACCEPTED: [what: string, message: Fields, type: string][] = [
    ["a text of 1000 bytes", { text: "a".repeat(1000) }, "text"],
    ["a text with 13 quick replies", quick(13), "text"],
    ["an image by link", attached("image", { url: URL }), "image"],
    ["a video, kept for later", attached("video", { url: URL, is_reusable: true }), "video"],
    ["an audio", attached("audio", { url: URL }), "audio"],
    ["a file", attached("file", { url: URL }), "file"],
    ["ten images", images(10), "images"],
    ["a heart", attached("like_heart"), "like_heart"],
    ["a post of one's own", attached("MEDIA_SHARE", { id: "178" }), "MEDIA_SHARE"],
    [
      "a generic template",
      generic([
        {
          title: "t",
          subtitle: "s",
          image_url: URL,
          default_action: { type: "web_url", url: URL },
          buttons: [link, postback],
        },
      ]),
      "template",
    ],
    ["a button template", buttons("choose", [link, postback, postback]), "template"],
  ];
  test.each(ACCEPTED)("that is %s is accepted, with the recipient and a message id", async (_what, message, type) => {
    const { instagram, send } = bench();
    const answer = await send(message);
    const [sent] = instagram.sent.values();
    expect([answer.status, answer.body]).toEqual([200, { recipient_id: USER, message_id: sent?.messageId }]);
    expect(sent).toMatchObject({ igUserId: ACCOUNT, igsid: USER, type });
    expect(sent?.messageId).toMatch(/^aWdfZAG1faXRlbToxOklHTWVzc2FnZAUlE[A-Za-z0-9]+ZD$/);
  });

  const REFUSED: [why: string, message: Fields | undefined, patch: Fields, says: string][] = [
    ["no message and no action", undefined, {}, "exactly one of message and sender_action"],
    ["an empty one", {}, {}, "exactly one of text, attachment and attachments"],
    [
      "text beside an attachment",
      { text: "a", ...attached("like_heart") },
      {},
      "exactly one of text, attachment and attachments",
    ],
    ["an empty text", { text: "" }, {}, "Param message[text] must have at least 1 character"],
    ["a text that is none", { text: 7 }, {}, "Param message[text] must be a string"],
    ["1001 bytes", { text: "a".repeat(1001) }, {}, "Length of param message[text] must be less than or equal to 1000"],
    [
      "501 letters of two bytes",
      { text: "ã".repeat(501) },
      {},
      "Length of param message[text] must be less than or equal to 1000",
    ],
    ["an unknown key", { text: "a", caption: "b" }, {}, "Param message[caption] is not allowed"],
    ["14 quick replies", quick(14), {}, "Param message[quick_replies] must have at most 13 items"],
    [
      "a quick reply over 20",
      quick(1, "a".repeat(21)),
      {},
      "Param message[quick_replies][0][title] must have at most 20 characters",
    ],
    [
      "an unknown attachment",
      attached("sticker", { url: URL }),
      {},
      "Param message[attachment][type] must be one of image, video",
    ],
    [
      "a caption on an image",
      attached("image", { url: URL, caption: "b" }),
      {},
      "Param message[attachment][payload][caption] is not allowed",
    ],
    ["an image without payload", attached("image"), {}, "Param message[attachment][payload] is required"],
    ["an image from nowhere", attached("image", {}), {}, "exactly one of url and attachment_id"],
    [
      "an image from two places",
      attached("image", { url: URL, attachment_id: "1" }),
      {},
      "exactly one of url and attachment_id",
    ],
    ["an unknown attachment_id", attached("image", { attachment_id: "1" }), {}, "is not the id of an uploaded image"],
    [
      "a link that is none",
      attached("image", { url: "/tmp/a.jpg" }),
      {},
      "Param message[attachment][payload][url] is not a valid public URL",
    ],
    [
      "a link to a private host",
      attached("image", { url: "http://192.168.0.7/a.jpg" }),
      {},
      "is not a valid public URL",
    ],
    ["bytes in the link", attached("image", { url: "data:image/png;base64,AA==" }), {}, "is not a valid public URL"],
    ["no images", images(0), {}, "Param message[attachments] must have at least 1 items"],
    ["eleven images", images(11), {}, "Param message[attachments] must have at most 10 items"],
    ["several videos", images(2, "video"), {}, "Param message[attachments][0][type] must be one of image"],
    [
      "a payload in a heart",
      attached("like_heart", { id: "1" }),
      {},
      "Param message[attachment][payload][id] is not allowed",
    ],
    ["a post without id", attached("MEDIA_SHARE", {}), {}, "Param message[attachment][payload][id] is required"],
    [
      "a template of another kind",
      attached("template", { template_type: "media" }),
      {},
      "Param message[attachment][payload]",
    ],
    [
      "eleven elements",
      generic(Array.from({ length: 11 }, () => ({ title: "t" }))),
      {},
      "[elements] must have at most 10 items",
    ],
    ["four buttons", buttons("choose", [link, link, link, link]), {}, "[buttons] must have at most 3 items"],
    ["a text of buttons over 640", buttons("a".repeat(641), [link]), {}, "[text] must have at most 640 characters"],
    [
      "a link button without link",
      buttons("choose", [{ type: "web_url", title: "Open", payload: "p" }]),
      {},
      "lacks its url",
    ],
    [
      "a postback without payload",
      generic([{ title: "t", buttons: [{ type: "postback", title: "Order" }] }]),
      {},
      "lacks its payload",
    ],
    ["an unknown key beside", { text: "a" }, { thread_control: {} }, "Param thread_control is not allowed"],
    ["a payload beside", { text: "a" }, { payload: {} }, "payload is for sender actions only"],
    ["an action beside", { text: "a" }, { sender_action: "typing_on" }, "exactly one of message and sender_action"],
    ["no recipient", { text: "a" }, { recipient: undefined }, "Param recipient is required"],
    ["an empty recipient", { text: "a" }, { recipient: {} }, "Param recipient must have an id"],
    [
      "a recipient by number",
      { text: "a" },
      { recipient: { phone_number: "1" } },
      "Param recipient[phone_number] is not allowed",
    ],
    [
      "an unknown messaging_type",
      { text: "a" },
      { messaging_type: "REPLY" },
      "Param messaging_type must be one of RESPONSE, UPDATE, MESSAGE_TAG",
    ],
    ["MESSAGE_TAG without tag", { text: "a" }, { messaging_type: "MESSAGE_TAG" }, "tag is required"],
    [
      "a tag that is gone",
      { text: "a" },
      { messaging_type: "MESSAGE_TAG", tag: "ACCOUNT_UPDATE" },
      "Param tag must be one of HUMAN_AGENT",
    ],
  ];
  test.each(REFUSED)("with %s is 100, and nothing was sent", async (_why, message, patch, says) => {
    const { instagram, send, call } = bench();
    const refused =
      message === undefined
        ? await call("POST", `/${ACCOUNT}/messages`, { recipient: { id: USER } })
        : await send(message, patch);
    expect([refused.status, errorOf(refused)]).toMatchObject([
      400,
      { code: 100, type: "IGApiException", message: expect.stringContaining(says) },
    ]);
    expect([instagram.sent.size, instagram.actions.length]).toEqual([0, 0]);
  });

  test("that is no JSON is 100; by another method it is unsupported; there is no edit and no unsend", async () => {
    const { instagram, call, send } = bench();
    expect(errorOf(await call("POST", `/${ACCOUNT}/messages`, "{"))["message"]).toContain("not valid JSON");
    expect(errorOf(await call("DELETE", `/${ACCOUNT}/messages`))["message"]).toBe(
      "Unsupported request - method type: delete",
    );
    const mid = String((await send()).body["message_id"]);
    expect(errorOf(await call("DELETE", `/${mid}`))["message"]).toBe("Unsupported request - method type: delete");
    expect(codeOf(await call("POST", `/${mid}/edit`, {}))).toBe(2500);
    expect(instagram.sent.size).toBe(1);
  });

  test("to nobody is 100/2534014; from another account 100/33; without the scope 403/10", async () => {
    const { instagram, call, send } = bench();
    instagram.addAccount({ igUserId: OTHER_ACCOUNT });
    instagram.addToken({ token: "reader", igUserId: ACCOUNT, scopes: ["instagram_business_basic"] });
    const body = { recipient: { id: USER }, message: { text: "oi" } };
    const unknown = await send({ text: "oi" }, { recipient: { id: "42" } });
    expect([unknown.status, codeOf(unknown), subcodeOf(unknown)]).toEqual([400, 100, 2534014]);
    expect(subcodeOf(await call("POST", `/${OTHER_ACCOUNT}/messages`, body))).toBe(33);
    const unscoped = await call("POST", `/${ACCOUNT}/messages`, body, "reader");
    expect([unscoped.status, codeOf(unscoped)]).toEqual([403, 10]);
    expect(instagram.sent.size).toBe(0);
    expect((await call("POST", "/v25.0/me/messages", body)).status).toBe(200);
  });
});

describe("the 24 hours", () => {
  const late = {
    code: 10,
    error_subcode: 2534022,
    type: "IGApiException",
    message: "This message is sent outside of allowed window.",
  };

  test("begin when the user writes to this account, and end 24 hours later with 403 10/2534022", async () => {
    const { instagram, send, act, clock, receive } = bench();
    receive();
    clock.advance(24 * HOUR_MS - 1);
    expect((await send()).status).toBe(200);
    clock.advance(1);
    const refused = await send();
    expect([refused.status, errorOf(refused)]).toMatchObject([403, late]);
    expect(errorOf(await act("typing_on"))).toMatchObject(late);
    await instagram.inbound.text({ to: OTHER_ACCOUNT, from: USER, text: "elsewhere" });
    await instagram.inbound.read({ to: ACCOUNT, from: USER, messageId: "m" });
    expect(errorOf(await send())).toMatchObject(late);
    await instagram.inbound.postback({ to: ACCOUNT, from: USER, title: "Order", payload: "p" });
    expect([(await send()).status, instagram.sent.size]).toEqual([200, 2]);
  });

  test("never began for a user who has not written; they can be switched off", async () => {
    const { instagram, send } = bench();
    instagram.addUser({ igsid: "7" });
    const to = { recipient: { id: "7" } };
    expect(subcodeOf(await send({ text: "oi" }, to))).toBe(2534022);
    instagram.configure({ isWindowEnforced: false });
    expect((await send({ text: "oi" }, to)).status).toBe(200);
  });

  test("are seven days for a human agent, whose app Meta has reviewed", async () => {
    const { instagram, send, clock } = bench();
    const tagged = () => send({ text: "oi" }, { messaging_type: "MESSAGE_TAG", tag: "HUMAN_AGENT" });
    const unreviewed = await tagged();
    expect([unreviewed.status, codeOf(unreviewed)]).toEqual([403, 10]);
    expect(errorOf(unreviewed)["message"]).toStartWith(
      "To use 'Human Agent', your use of this endpoint must be reviewed",
    );
    instagram.addApp({ appId: APP, appSecret: APP_SECRET, redirectUris: [REDIRECT], isHumanAgentApproved: true });
    clock.advance(7 * 24 * HOUR_MS - 1);
    expect(subcodeOf(await send())).toBe(2534022);
    expect([(await tagged()).status, (await send({ text: "oi" }, { tag: "HUMAN_AGENT" })).status]).toEqual([200, 200]);
    clock.advance(1);
    expect(subcodeOf(await tagged())).toBe(2534022);
  });
});

describe("a private reply", () => {
  const reply = (commentId: string, message: Fields = { text: "oi" }) =>
    [message, { recipient: { comment_id: commentId } }] as const;

  test("answers a comment once, within seven days, with a text", async () => {
    const { instagram, send, clock } = bench();
    instagram.addComment({ igUserId: ACCOUNT, commentId: "c1", from: "7" });
    instagram.addComment({ igUserId: ACCOUNT, commentId: "c2", from: "8" });
    expect(codeOf(await send(...reply("c1", attached("like_heart"))))).toBe(100);
    expect((await send(...reply("c1"))).body).toMatchObject({ recipient_id: "7" });
    expect(subcodeOf(await send(...reply("c1")))).toBe(2534025);
    expect(subcodeOf(await send(...reply("c9")))).toBe(2534025);
    clock.advance(7 * 24 * HOUR_MS);
    expect(subcodeOf(await send(...reply("c2")))).toBe(2534025);
    expect(instagram.sent.size).toBe(1);
  });

  test("opens no conversation: the user has not written", async () => {
    const { instagram, send } = bench();
    instagram.addComment({ igUserId: ACCOUNT, commentId: "c1", from: "7" });
    await send(...reply("c1"));
    expect(subcodeOf(await send({ text: "more" }, { recipient: { id: "7" } }))).toBe(2534022);
  });
});

describe("a sender action", () => {
  test("is noted and answered with the recipient alone", async () => {
    const { instagram, act } = bench();
    for (const action of ["mark_seen", "typing_on", "typing_off"])
      expect((await act(action)).body).toEqual({ recipient_id: USER });
    expect(instagram.actions.map(({ action, igsid }) => [action, igsid])).toEqual([
      ["mark_seen", USER],
      ["typing_on", USER],
      ["typing_off", USER],
    ]);
    expect(instagram.sent.size).toBe(0);
  });

  test("reacts to a message of the conversation, by name or emoji, and takes it back", async () => {
    const { instagram, act, receive } = bench();
    receive();
    const { mid } = await instagram.inbound.text({ to: ACCOUNT, from: USER, text: "oi" });
    expect((await act("react", { message_id: mid, reaction: "love" })).status).toBe(200);
    expect((await act("react", { message_id: mid, reaction: "😊" })).status).toBe(200);
    expect((await act("unreact", { message_id: mid })).status).toBe(200);
    expect(instagram.actions.map(({ action, messageId, reaction }) => [action, messageId === mid, reaction])).toEqual([
      ["react", true, "love"],
      ["react", true, "😊"],
      ["unreact", true, undefined],
    ]);
  });

  const REFUSED: [why: string, action: string, payload: Fields | undefined][] = [
    ["an unknown action", "wave", undefined],
    ["a payload in typing", "typing_on", { message_id: "m" }],
    ["a reaction to nothing", "react", undefined],
    ["a reaction to an unknown message", "react", { message_id: "m", reaction: "love" }],
    ["an unreact to an unknown message", "unreact", { message_id: "m" }],
  ];
  test.each(REFUSED)("with %s is 100, and nothing is noted", async (_why, action, payload) => {
    const { instagram, act } = bench();
    expect(codeOf(await act(action, payload))).toBe(100);
    expect(instagram.actions).toEqual([]);
  });

  test("reacts with nothing but an emoji, and to no message of another conversation", async () => {
    const { instagram, act, receive } = bench();
    receive();
    const { mid } = await instagram.inbound.text({ to: ACCOUNT, from: USER, text: "oi" });
    const other = await instagram.inbound.text({ to: ACCOUNT, from: "7", text: "oi" });
    expect(codeOf(await act("react", { message_id: mid, reaction: "1" }))).toBe(100);
    expect(codeOf(await act("react", { message_id: mid }))).toBe(100);
    expect(codeOf(await act("react", { message_id: other.mid, reaction: "love" }))).toBe(100);
    expect(instagram.actions).toEqual([]);
  });
});

describe("many messages", () => {
  test("2000 sends at once are all accepted under ids of their own, and the summary counts equal ones", async () => {
    const { instagram, send } = bench();
    const answers = await Promise.all(Array.from({ length: 2000 }, (_, at) => send({ text: `m${at % 1999}` })));
    expect(answers.every((one) => one.status === 200)).toBe(true);
    const { count, messages } = instagram.sentSummary();
    expect([
      count,
      new Set(messages.map((one) => one.messageId)).size,
      messages.filter((one) => one.count === 2).length,
    ]).toEqual([2000, 2000, 2]);
  });
});
