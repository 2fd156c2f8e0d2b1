import { describe, expect, test } from "bun:test";
import { ACCOUNT_ID, type Answered, errorOf, graphBench, listOf, NUMBER_ID, TOKEN, USER, valuesOf } from "./fixture.ts";
import { fieldsOf } from "./shape.ts";

const bench = graphBench();
const seed = { phoneNumberId: NUMBER_ID, businessAccountId: ACCOUNT_ID, displayPhoneNumber: "+55 11 4000-0000" };
const codeOf = (answer: Answered) => errorOf(answer)["code"];
const PIN = { messaging_product: "whatsapp", pin: "123456" };

describe("a number", () => {
  test("is shown with the fields asked for, with or without a version; one that does not exist is refused", async () => {
    const { graph, call } = bench();
    graph.addNumber({ ...seed, qualityRating: "YELLOW", throughputLevel: "HIGH", isOnBizApp: true });
    const asked = await call("GET", `/v26.0/${NUMBER_ID}?fields=quality_rating,throughput,platform_type,is_on_biz_app`);
    expect(asked.body).toEqual({
      quality_rating: "YELLOW",
      throughput: { level: "HIGH" },
      platform_type: "CLOUD_API",
      is_on_biz_app: true,
      id: NUMBER_ID,
    });
    expect(asked.headers.get("facebook-api-version")).toBe("v26.0");
    expect((await call("GET", `/${NUMBER_ID}`)).body).toMatchObject({
      id: NUMBER_ID,
      display_phone_number: "+55 11 4000-0000",
      verified_name: "Test Business",
    });
    expect(codeOf(await call("GET", `/${NUMBER_ID}?fields=nonsense`))).toBe(100);
  });

  test("a token may also stand in the query", async () => {
    const { call } = bench();
    expect((await call("GET", `/${NUMBER_ID}?access_token=${TOKEN}`, undefined, null)).status).toBe(200);
  });

  test("an account lists its numbers page by page, and only them", async () => {
    const { graph, call } = bench();
    graph.addNumber({ ...seed, phoneNumberId: "2" });
    graph.addNumber({ ...seed, phoneNumberId: "3", businessAccountId: "999" });
    const first = await call("GET", `/${ACCOUNT_ID}/phone_numbers?fields=id&limit=1`);
    expect(first.body["data"]).toEqual([{ id: NUMBER_ID }]);
    expect(fieldsOf(first.body["paging"])).toHaveProperty("next");
    const after = fieldsOf(fieldsOf(first.body["paging"])["cursors"])["after"];
    const second = await call("GET", `/${ACCOUNT_ID}/phone_numbers?fields=id&limit=1&after=${String(after)}`);
    expect(second.body["data"]).toEqual([{ id: "2" }]);
    expect(fieldsOf(second.body["paging"])).not.toHaveProperty("next");
    expect(codeOf(await call("GET", "/999/phone_numbers"))).toBe(100);
  });

  test("is registered with its PIN, refused with another one (133005), deregistered once", async () => {
    const { graph, call, send } = bench();
    graph.addNumber({ ...seed, platformType: "NOT_APPLICABLE", pin: "123456" });
    expect(codeOf(await call("POST", `/${NUMBER_ID}/register`, { ...PIN, pin: "12345" }))).toBe(100);
    expect(codeOf(await call("POST", `/${NUMBER_ID}/register`, { ...PIN, pin: "000000" }))).toBe(133005);
    expect(codeOf(await send())).toBe(133010);
    expect((await call("POST", `/${NUMBER_ID}/register`, PIN)).body).toEqual({ success: true });
    expect((await send()).status).toBe(200);
    expect((await call("POST", `/${NUMBER_ID}/deregister`)).status).toBe(200);
    expect(errorOf(await call("POST", `/${NUMBER_ID}/deregister`))).toMatchObject({
      code: 100,
      error_subcode: 2207051,
    });
  });

  test("ten registrations in 72 hours are the limit (133016); one of the business app cannot be deregistered", async () => {
    const { graph, call, clock } = bench();
    for (let round = 0; round < 10; round++)
      expect((await call("POST", `/${NUMBER_ID}/register`, PIN)).status).toBe(200);
    expect(codeOf(await call("POST", `/${NUMBER_ID}/register`, PIN))).toBe(133016);
    clock.advance(72 * 3_600_000);
    expect((await call("POST", `/${NUMBER_ID}/register`, PIN)).status).toBe(200);
    graph.addNumber({ ...seed, isOnBizApp: true });
    expect(codeOf(await call("POST", `/${NUMBER_ID}/deregister`))).toBe(100);
  });
});

describe("a number's onboarding", () => {
  test("is read with every field the gateway may ask for", async () => {
    const { graph, call, receive, clock } = bench();
    receive();
    graph.addNumber({ ...seed, isOnBizApp: true, onboardedAt: clock.now() - 1000 });
    const override_callback_uri = `${graph.webhooks.configuredUrl}?of=account`;
    await call("POST", `/${ACCOUNT_ID}/subscribed_apps`, { override_callback_uri, verify_token: "right" });
    const fields =
      "id,display_phone_number,verified_name,platform_type,is_on_biz_app,quality_rating,throughput,code_verification_status,name_status,status,webhook_configuration,last_onboarded_time,health_status";
    const { body } = await call("GET", `/v25.0/${ACCOUNT_ID}/phone_numbers?fields=${fields}`);
    expect(listOf(body["data"])[0]).toEqual({
      id: NUMBER_ID,
      display_phone_number: "+55 11 4000-0000",
      verified_name: "Test Business",
      platform_type: "CLOUD_API",
      is_on_biz_app: true,
      quality_rating: "GREEN",
      throughput: { level: "STANDARD" },
      code_verification_status: "VERIFIED",
      name_status: "APPROVED",
      status: "CONNECTED",
      webhook_configuration: {
        application: graph.webhooks.configuredUrl,
        whatsapp_business_account: override_callback_uri,
      },
      last_onboarded_time: "2026-11-20T11:59:59+0000",
      health_status: {
        can_send_message: "AVAILABLE",
        entities: [{ entity_type: "PHONE_NUMBER", id: NUMBER_ID, can_send_message: "AVAILABLE" }],
      },
    });
  });

  test("a number of the business app cannot be registered, nor one that is not verified (133006)", async () => {
    const { graph, call } = bench();
    graph.addNumber({ ...seed, isOnBizApp: true });
    const refused = await call("POST", `/${NUMBER_ID}/register`, PIN);
    expect([codeOf(refused), fieldsOf(errorOf(refused)["error_data"])["details"]]).toEqual([
      100,
      "Register endpoint is not available for SMB businesses.",
    ]);
    graph.addNumber({ ...seed, platformType: "NOT_APPLICABLE", codeVerificationStatus: "EXPIRED" });
    expect(codeOf(await call("POST", `/${NUMBER_ID}/register`, PIN))).toBe(133006);
    expect((await call("GET", `/${NUMBER_ID}?fields=platform_type,is_pin_enabled`)).body).toMatchObject({
      platform_type: "NOT_APPLICABLE",
      is_pin_enabled: false,
    });
  });

  test("a new PIN is the one that registers from then on", async () => {
    const { graph, call } = bench();
    graph.addNumber({ ...seed, platformType: "NOT_APPLICABLE", pin: "123456" });
    expect(codeOf(await call("POST", `/${NUMBER_ID}`, { pin: "12" }))).toBe(100);
    expect((await call("POST", `/${NUMBER_ID}`, { pin: "654321" })).body).toEqual({ success: true });
    expect(codeOf(await call("POST", `/${NUMBER_ID}/register`, PIN))).toBe(133005);
    expect((await call("POST", `/${NUMBER_ID}/register`, { ...PIN, pin: "654321" })).status).toBe(200);
  });
});

describe("an account's apps", () => {
  test("the token's app is subscribed, listed and unsubscribed", async () => {
    const { graph, call } = bench();
    graph.addToken({ token: "mine", appId: "67000", businessAccountIds: [ACCOUNT_ID] });
    const listed = async () => (await call("GET", `/${ACCOUNT_ID}/subscribed_apps`)).body["data"];
    expect(await listed()).toEqual([]);
    expect((await call("POST", `/${ACCOUNT_ID}/subscribed_apps`, undefined, "mine")).body).toEqual({ success: true });
    expect(await listed()).toMatchObject([{ whatsapp_business_api_data: { id: "67000" } }]);
    expect((await call("DELETE", `/${ACCOUNT_ID}/subscribed_apps`, undefined, "mine")).status).toBe(200);
    expect(await listed()).toEqual([]);
  });

  test("an override is verified at once, refused (2200) when the handshake fails, and gets the account's webhooks", async () => {
    const { graph, call, receive } = bench();
    const hooks = receive();
    const override = `${graph.webhooks.configuredUrl}?of=account`;
    expect(
      codeOf(
        await call("POST", `/${ACCOUNT_ID}/subscribed_apps`, {
          override_callback_uri: override,
          verify_token: "wrong",
        }),
      ),
    ).toBe(2200);
    expect(
      (await call("POST", `/${ACCOUNT_ID}/subscribed_apps`, { override_callback_uri: override, verify_token: "right" }))
        .status,
    ).toBe(200);
    const { delivery } = await graph.inbound.text({ to: NUMBER_ID, from: USER, text: "oi" });
    expect([delivery.url, hooks.length]).toEqual([override, 1]);
  });

  test("where subscription is required, nothing comes without one", async () => {
    const { graph, call, receive } = bench();
    const hooks = receive();
    graph.configure({ isSubscriptionRequired: true });
    const { delivery } = await graph.inbound.text({ to: NUMBER_ID, from: USER, text: "lost" });
    expect([delivery.url, delivery.answers.length, hooks.length]).toEqual([null, 0, 0]);
    await call("POST", `/${ACCOUNT_ID}/subscribed_apps`);
    await graph.inbound.text({ to: NUMBER_ID, from: USER, text: "received" });
    expect(listOf(valuesOf(hooks[0])[0]?.["messages"])).toMatchObject([{ text: { body: "received" } }]);
  });
});

describe("debug_token", () => {
  test("answers with scopes and accounts, newest first, and whether the token still holds", async () => {
    const { graph, call } = bench();
    graph.addToken({ token: "asked", appId: "67000", businessAccountIds: ["1", "2"] });
    const debug = async (token: string) =>
      fieldsOf((await call("GET", `/debug_token?input_token=${token}`)).body["data"]);
    expect(await debug("asked")).toMatchObject({
      app_id: "67000",
      is_valid: true,
      expires_at: 0,
      granular_scopes: [{ target_ids: ["2", "1"] }, { target_ids: ["2", "1"] }],
    });
    graph.expireToken("asked");
    expect(await debug("asked")).toMatchObject({ is_valid: false });
    expect(await debug("unknown")).toMatchObject({ is_valid: false });
  });
});
