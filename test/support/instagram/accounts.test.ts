import { describe, expect, test } from "bun:test";
import { type Answered, errorOf } from "../graph/fixture.ts";
import { ACCOUNT, instagramBench, OTHER_ACCOUNT, USER } from "./fixture.ts";

const bench = instagramBench();
const codeOf = (answer: Answered) => errorOf(answer)["code"];
const ALL = "user_id,username,name,account_type,profile_picture_url,followers_count";
const OTHER_SIDE = "1999999999999999";

describe("me", () => {
  test("has the fields asked for: user_id is the account's id, id is another", async () => {
    const { instagram, call } = bench();
    instagram.addAccount({
      igUserId: ACCOUNT,
      appScopedId: "24000000000000001",
      username: "padaria",
      name: "Padaria",
      accountType: "Media_Creator",
      followersCount: 7,
    });
    const { body } = await call("GET", `/v25.0/me?fields=${ALL}`);
    expect(body).toEqual({
      id: "24000000000000001",
      user_id: ACCOUNT,
      username: "padaria",
      name: "Padaria",
      account_type: "Media_Creator",
      profile_picture_url: expect.stringContaining(instagram.url),
      followers_count: 7,
    });
    expect((await fetch(String(body["profile_picture_url"]))).headers.get("content-type")).toBe("image/jpeg");
    expect((await call("GET", "/me")).body).toEqual({ id: "24000000000000001" });
  });

  test("is wrapped in data when set so", async () => {
    const { instagram, call } = bench();
    instagram.configure({ meAnswer: "data" });
    expect((await call("GET", "/me?fields=user_id,account_type")).body).toMatchObject({
      data: [{ user_id: ACCOUNT, account_type: "BUSINESS" }],
    });
  });

  test("goes by its id too, and by no other: neither the app-scoped one nor another account's", async () => {
    const { instagram, call } = bench();
    instagram.addAccount({ igUserId: OTHER_ACCOUNT });
    const { body } = await call("GET", `/${ACCOUNT}?fields=user_id`);
    expect(body["user_id"]).toBe(ACCOUNT);
    for (const id of [String(body["id"]), OTHER_ACCOUNT, "1"])
      expect(errorOf(await call("GET", `/${id}?fields=user_id`))).toMatchObject({ code: 100, error_subcode: 33 });
  });

  test("has no other fields (100), and none without the basic scope (10)", async () => {
    const { instagram, call } = bench();
    instagram.addToken({ token: "bare", igUserId: ACCOUNT, scopes: ["instagram_business_manage_messages"] });
    expect(errorOf(await call("GET", "/me?fields=user_id,nonsense"))).toMatchObject({
      code: 100,
      message: "(#100) Tried accessing nonexisting field (nonsense)",
    });
    expect((await call("GET", "/me", undefined, "bare")).status).toBe(403);
  });
});

describe("subscribed_apps", () => {
  const path = `/v25.0/${ACCOUNT}/subscribed_apps`;
  const FIELDS = "messages,messaging_postbacks,messaging_seen,message_reactions,message_edit,messaging_referral";

  test("are subscribed, listed and unsubscribed", async () => {
    const { call } = bench();
    expect((await call("GET", path)).body).toEqual({ data: [] });
    expect((await call("POST", `${path}?subscribed_fields=${FIELDS}`)).body).toEqual({ success: true });
    expect((await call("GET", path)).body).toEqual({
      data: [{ subscribed_fields: FIELDS.split(","), id: "990602627938098" }],
    });
    expect((await call("POST", path, { subscribed_fields: ["messages"] })).status).toBe(200);
    expect((await call("GET", path)).body).toMatchObject({ data: [{ subscribed_fields: ["messages"] }] });
    expect((await call("DELETE", path)).body).toEqual({ success: true });
    expect((await call("GET", path)).body).toEqual({ data: [] });
  });

  test("are refused under me, as in production, whatever Meta's sample shows", async () => {
    const { call } = bench();
    const refused = await call("POST", `/v25.0/me/subscribed_apps?subscribed_fields=${FIELDS}`);
    expect([refused.status, errorOf(refused)["code"], errorOf(refused)["message"]]).toEqual([
      400,
      100,
      "Unsupported request - method type: post",
    ]);
    expect((await call("GET", path)).body).toEqual({ data: [] });
  });

  test("are refused with an unknown field, with none, and without the scope of messages", async () => {
    const { instagram, call } = bench();
    instagram.addToken({ token: "reader", igUserId: ACCOUNT, scopes: ["instagram_business_basic"] });
    expect(errorOf(await call("POST", `${path}?subscribed_fields=messages,message_reads`))["message"]).toContain(
      'got "message_reads"',
    );
    expect(codeOf(await call("POST", path))).toBe(100);
    expect(codeOf(await call("POST", `${path}?subscribed_fields=messages`, undefined, "reader"))).toBe(10);
    expect((await call("GET", path)).body).toEqual({ data: [] });
  });

  test("where they are required, nothing comes without one", async () => {
    const { instagram, call, receive } = bench();
    const hooks = receive();
    instagram.configure({ isSubscriptionRequired: true });
    const { delivery } = await instagram.inbound.text({ to: ACCOUNT, from: USER, text: "lost" });
    expect([delivery.url, hooks.length]).toEqual([null, 0]);
    await call("POST", `${path}?subscribed_fields=messages`);
    await instagram.inbound.text({ to: ACCOUNT, from: USER, text: "received" });
    expect(hooks).toHaveLength(1);
  });
});

describe("a user's profile", () => {
  test("has the fields asked for", async () => {
    const { instagram, call } = bench();
    instagram.addUser({
      igsid: USER,
      username: "ana",
      name: null,
      followerCount: 3,
      isVerified: true,
      isFollowingBusiness: true,
      hasWrittenTo: [ACCOUNT],
    });
    const { body } = await call(
      "GET",
      `/v25.0/${USER}?fields=name,username,profile_pic,follower_count,is_user_follow_business,is_business_follow_user,is_verified_user`,
    );
    expect(body).toEqual({
      id: USER,
      name: null,
      username: "ana",
      profile_pic: expect.stringContaining(instagram.url),
      follower_count: 3,
      is_user_follow_business: true,
      is_business_follow_user: false,
      is_verified_user: true,
    });
  });

  test("is refused with 230 until the user has written to this account, and with 100/33 when nobody is known", async () => {
    const { instagram, call, receive } = bench();
    receive();
    instagram.addUser({ igsid: OTHER_SIDE, hasWrittenTo: [OTHER_ACCOUNT] });
    const refused = await call("GET", `/${OTHER_SIDE}?fields=username`);
    expect([refused.status, errorOf(refused)]).toMatchObject([
      400,
      { code: 230, message: "User consent is required to access user profile" },
    ]);
    await instagram.inbound.text({ to: ACCOUNT, from: OTHER_SIDE, text: "oi" });
    expect((await call("GET", `/${OTHER_SIDE}?fields=username`)).status).toBe(200);
    expect(errorOf(await call("GET", "/42?fields=username"))).toMatchObject({ code: 100, error_subcode: 33 });
  });
});

describe("a message", () => {
  const FIELDS = "id,created_time,from,to,message";

  test("is shown with its two sides, sent or received", async () => {
    const { instagram, call, send, receive } = bench();
    receive();
    const { mid } = await instagram.inbound.text({
      to: ACCOUNT,
      from: USER,
      text: "oi",
      at: Date.parse("2026-11-20T11:00:00.123Z"),
    });
    const [user, business] = [
      { username: "ana", id: USER },
      { username: "padaria", id: ACCOUNT },
    ];
    expect((await call("GET", `/v25.0/${mid}?fields=${FIELDS}`)).body).toEqual({
      id: mid,
      created_time: "2026-11-20T11:00:00+0000",
      from: user,
      to: { data: [business] },
      message: "oi",
    });
    const sent = await send({ text: "olá" });
    expect((await call("GET", `/${String(sent.body["message_id"])}?fields=${FIELDS}`)).body).toMatchObject({
      from: business,
      to: { data: [user] },
      message: "olá",
    });
  });

  test("shows the text it was edited to, and is gone once it was taken back", async () => {
    const { instagram, call, receive } = bench();
    receive();
    const { mid } = await instagram.inbound.text({ to: ACCOUNT, from: USER, text: "oi" });
    await instagram.inbound.edit({ to: ACCOUNT, from: USER, messageId: mid, text: "olá", numEdit: 1 });
    expect((await call("GET", `/${mid}?fields=message`)).body["message"]).toBe("olá");
    await instagram.inbound.deleted({ to: ACCOUNT, from: USER, messageId: mid });
    expect(errorOf(await call("GET", `/${mid}?fields=message`))).toMatchObject({ code: 100, error_subcode: 33 });
  });

  test("of another account is nobody's", async () => {
    const { instagram, call, receive } = bench();
    receive();
    const { mid } = await instagram.inbound.text({ to: OTHER_ACCOUNT, from: USER, text: "oi" });
    expect(errorOf(await call("GET", `/${mid}?fields=message`))).toMatchObject({ code: 100, error_subcode: 33 });
  });
});
