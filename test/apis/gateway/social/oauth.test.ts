import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, iso } from "../../../../src/kernel/clock.ts";
import { receivedBy, rowsOf } from "../../../support/customers/customer.ts";
import {
  consent,
  IG_APP,
  newSocialAccount,
  newSocialCustomer,
  REDIRECT,
  type SocialWorld,
  sendsOf,
  startSocialWorld,
  tokenOf,
} from "../../../support/networks/social.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { startWorld, untilStatus, WEBHOOK_SECRET } from "../../../support/world.ts";

const PATH = "/v1/phones/social/oauth";

let s: SocialWorld;
beforeAll(async () => {
  s = await startSocialWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
});
afterAll(() => s.stop());

let key: string;
let igUserId: string;
let igsid: string;
beforeEach(async () => {
  ({ key } = await s.w.account());
  ({ igUserId, igsid } = newSocialAccount(s));
});

const phones = async () => (await s.w.gateway("/v1/phones", { key })).body;
const connect = (input = {}) => consent(s, { key, igUserId }, input);
/** What a consent of this account would leave behind: what a refusal must not. */
const traces = async () => [
  await rowsOf(s.w, "SELECT count(*) AS n FROM channels"),
  await rowsOf(s.w, "SELECT count(*) AS n FROM vault"),
  await rowsOf(s.w, "SELECT count(*) AS n FROM subscriptions"),
  await rowsOf(s.w, "SELECT count(*) AS n FROM events"),
];

describe("what a page needs to ask for consent", () => {
  test("G-262 is the app, the address of the network, the rights and the addresses that may be answered to", async () => {
    const { status, body } = await s.w.gateway(`${PATH}/config`, { key });
    expect(status).toBe(200);
    expect(body).toEqual({
      appId: IG_APP,
      authorizeUrl: expect.stringContaining(`client_id=${IG_APP}`),
      scopes: ["instagram_business_basic", "instagram_business_manage_messages"],
      redirectUris: [REDIRECT],
    });
  });

  test("G-262 leads to a code that makes a phone", async () => {
    s.instagram.configure({ signedInAs: igUserId });
    const { authorizeUrl } = (await s.w.gateway(`${PATH}/config`, { key })).body;
    const page = await fetch(`${authorizeUrl}&redirect_uri=${encodeURIComponent(REDIRECT)}&state=x`, {
      redirect: "manual",
    });
    const back = new URL(page.headers.get("location") ?? "");
    const { status, body } = await connect({ code: `${back.searchParams.get("code")}${back.hash}` });
    expect([status, body.igUserId]).toEqual([201, igUserId]);
    s.instagram.configure({ signedInAs: "" });
  });

  test.each(["RECADO_INSTAGRAM_APP_ID", "RECADO_INSTAGRAM_APP_SECRET"])(
    "G-262 a server without %s answers IG_NOT_CONFIGURED to both, and keeps nothing",
    async (missing) => {
      const w = await startWorld({
        env: { RECADO_INSTAGRAM_APP_ID: IG_APP, RECADO_INSTAGRAM_APP_SECRET: "a-secret", [missing]: "" },
      });
      const account = await w.account();
      expect(gatewaySays(await w.gateway(`${PATH}/config`, { key: account.key }))).toBe("503 IG_NOT_CONFIGURED");
      expect(
        gatewaySays(await w.gateway(PATH, { key: account.key, body: { code: "a-code", redirectUri: REDIRECT } })),
      ).toBe("503 IG_NOT_CONFIGURED");
      expect((await w.gateway("/v1/phones", { key: account.key })).body).toEqual([]);
      await w.stop();
    },
  );

  test("both need a key", async () => {
    expect(gatewaySays(await s.w.gateway(`${PATH}/config`))).toBe("401 AUTH_MISSING");
    expect(gatewaySays(await s.w.gateway(PATH, { body: { code: "a-code", redirectUri: REDIRECT } }))).toBe(
      "401 AUTH_MISSING",
    );
  });
});

describe("a consent", () => {
  const SHAPES = (["data", "flat"] as const).flatMap((tokenAnswer) =>
    (["flat", "data"] as const).map((meAnswer) => ({ tokenAnswer, meAnswer })),
  );
  test.each(SHAPES)(
    "G-262 G-141 makes a CONNECTED phone of the account, whatever the shape of the network's answers: %p",
    async (shape) => {
      s.instagram.configure(shape);
      const { status, body } = await connect({ label: "A loja" });
      s.instagram.configure({ tokenAnswer: "data", meAnswer: "flat" });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        type: "SOCIAL",
        status: "CONNECTED",
        label: "A loja",
        phoneNumber: null,
        webhookUrl: null,
        reconnected: false,
      });
      expect(body).toMatchObject({
        igUserId,
        igUsername: expect.stringMatching(/^padaria/),
        igAccountType: "BUSINESS",
        igWebhookConfigured: true,
      });
      expect(body.igTokenExpiresAt).toBe(iso(s.w.clock.now() + 60 * DAY_MS));
      expect({ ...(await s.w.gateway(`/v1/phones/${body.id}`, { key })).body, reconnected: false }).toEqual({
        ...body,
        updatedAt: expect.any(String),
      });
    },
  );

  test("G-141 G-140 the fields of the network are on its phones alone", async () => {
    await connect();
    await s.w.wabaPhone(key);
    const list: Record<string, unknown>[] = await phones();
    const namesOf = (type: string) =>
      Object.keys(list.find((phone) => phone["type"] === type) ?? {}).filter((name) => /^(ig|waba)/.test(name));
    expect(namesOf("SOCIAL").sort()).toEqual([
      "igAccountType",
      "igTokenExpiresAt",
      "igUserId",
      "igUsername",
      "igWebhookConfigured",
    ]);
    expect(namesOf("WABA").every((name) => name.startsWith("waba"))).toBe(true);
  });

  test("G-142 shows neither token nor secret, and nothing of them is in a log", async () => {
    const { text } = await connect({ webhook: { url: "https://hooks.example.com/in", secret: WEBHOOK_SECRET } });
    const [list, token] = [JSON.stringify(await phones()), tokenOf(s, { igUserId })];
    for (const secret of [token, WEBHOOK_SECRET])
      for (const said of [text, list, s.w.logs.join("")]) expect(said).not.toContain(secret);
    const sealed = await rowsOf<{ sealed: string }>(s.w, "SELECT sealed FROM vault");
    expect(JSON.stringify(sealed)).not.toContain(token);
  });

  test("the webhook that comes with it receives that the phone is connected", async () => {
    const hook = s.w.receiver();
    const { body } = await connect({
      webhook: { url: hook.url, secret: WEBHOOK_SECRET, events: ["channel:connected"] },
    });
    await s.w.settle();
    expect([body.webhookUrl, body.webhookEvents]).toEqual([hook.url, ["channel:connected"]]);
    expect(hook.arrived.map((one) => [one.body.type, one.body.phoneId, one.body.data])).toEqual([
      ["channel:connected", body.id, { phoneNumber: null }],
    ]);
  });

  test("without a label it has one, and another account does not see it", async () => {
    const { body } = await connect();
    expect(body.label).toBe("Instagram");
    const other = await s.w.account();
    expect(gatewaySays(await s.w.gateway(`/v1/phones/${body.id}`, { key: other.key }))).toBe("404 PHONE_NOT_FOUND");
    expect(
      gatewaySays(
        await s.w.gateway("/v1/messages", {
          key: other.key,
          body: { phoneId: body.id, to: igsid, type: "text", content: { text: "x" } },
        }),
      ),
    ).toBe("404 PHONE_NOT_FOUND");
  });
});

describe("a consent that is refused makes nothing", () => {
  const newCode = () => s.instagram.authorize({ redirectUri: REDIRECT, igUserId });

  const BAD: [what: string, input: () => Record<string, unknown>, field: string][] = [
    ["no code", () => ({ code: undefined }), "code"],
    ["an empty code, as after a cancel", () => ({ code: "" }), "code"],
    ["a code that is no text", () => ({ code: 7 }), "code"],
    ["no address", () => ({ redirectUri: undefined }), "redirectUri"],
    ["an address that is none", () => ({ redirectUri: "callback" }), "redirectUri"],
    ["an empty label", () => ({ label: "" }), "label"],
    ["a label of 121", () => ({ label: "x".repeat(121) }), "label"],
    ["a webhook without a secret", () => ({ webhook: { url: "https://hooks.example.com/in" } }), "webhook"],
    [
      "a webhook to a private address",
      () => ({ webhook: { url: "http://10.0.0.1/in", secret: WEBHOOK_SECRET } }),
      "webhook",
    ],
  ];
  test.each(BAD)("%s: the field is named, and the code is still good", async (_, input, field) => {
    const [before, code] = [await traces(), newCode()];
    expect(fieldsOf(await connect({ code, ...input() }))).toEqual([field]);
    expect(await traces()).toEqual(before);
    expect((await connect({ code })).status).toBe(201);
  });

  test("the owner who cancels comes back without a code", async () => {
    s.instagram.configure({ authorization: "cancel" });
    const { authorizeUrl } = (await s.w.gateway(`${PATH}/config`, { key })).body;
    const page = await fetch(`${authorizeUrl}&redirect_uri=${encodeURIComponent(REDIRECT)}`, { redirect: "manual" });
    s.instagram.configure({ authorization: "grant" });
    const back = new URL(page.headers.get("location") ?? "").searchParams;
    expect([back.get("code"), back.get("error")]).toEqual([null, "access_denied"]);
  });

  const REFUSED: [what: string, input: () => Record<string, unknown>, message: string][] = [
    ["an unknown code", () => ({ code: "no-code" }), "Matching code was not found or was already used"],
    [
      "a code for another address",
      () => ({ redirectUri: "https://app.example.com/other" }),
      "Redirect URI doesn't match original redirect URI",
    ],
  ];
  test.each(REFUSED)("G-262 %s is UPSTREAM_BAD_REQUEST with the network's words", async (_, input, message) => {
    const before = await traces();
    const answer = await connect(input());
    expect(gatewaySays(answer)).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(answer.body.error.details).toEqual({ upstreamError: { code: 400, error_subcode: null, message } });
    expect(await traces()).toEqual(before);
  });

  test("G-262 a code is good once", async () => {
    const code = newCode();
    expect((await connect({ code })).status).toBe(201);
    const before = await traces();
    expect(gatewaySays(await connect({ code }))).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(await traces()).toEqual(before);
  });

  test("G-262 so is one with a wrong secret of the app, or of an app that the network does not know", async () => {
    for (const wrong of [{ RECADO_INSTAGRAM_APP_SECRET: "wrong" }, { RECADO_INSTAGRAM_APP_ID: "1" }]) {
      const env = {
        RECADO_INSTAGRAM_APP_ID: IG_APP,
        RECADO_INSTAGRAM_APP_SECRET: "a-secret",
        RECADO_INSTAGRAM_TOKEN_URL: s.instagram.urls.token,
        ...wrong,
      };
      const w = await startWorld({ env: { ...env, RECADO_INSTAGRAM_GRAPH_URL: s.instagram.urls.graph } });
      const account = await w.account();
      expect(
        gatewaySays(await w.gateway(PATH, { key: account.key, body: { code: newCode(), redirectUri: REDIRECT } })),
      ).toBe("400 UPSTREAM_BAD_REQUEST");
      expect((await w.gateway("/v1/phones", { key: account.key })).body).toEqual([]);
      await w.stop();
    }
  });

  test.each(["instagram_business_basic", "instagram_business_manage_messages"] as const)(
    "G-262 so is one of somebody who unticked %s",
    async (scope) => {
      s.instagram.configure({ declinedScopes: [scope] });
      const before = await traces();
      const answer = await connect();
      s.instagram.configure({ declinedScopes: [] });
      expect(gatewaySays(answer)).toBe("400 UPSTREAM_BAD_REQUEST");
      expect(answer.body.error.details.upstreamError).toMatchObject({
        code: 10,
        message: "Application does not have permission for this action",
      });
      expect(await traces()).toEqual(before);
    },
  );

  test("one whose new token the network refuses at once is no good either", async () => {
    s.instagram.failNext(1, { kind: "error", code: 190 }, { operation: "account.get", igUserId });
    expect(gatewaySays(await connect())).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(await phones()).toEqual([]);
  });

  test.each(["code.exchange", "token.exchange", "account.get", "subscription.add"])(
    "while the network does not answer at %s it is UPSTREAM_UNAVAILABLE",
    async (operation) => {
      s.instagram.failNext(1, { kind: "reset" }, { operation, igUserId });
      expect(gatewaySays(await connect())).toBe("502 UPSTREAM_UNAVAILABLE");
      expect(await phones()).toEqual([]);
    },
  );
});

describe("a second consent to the same account", () => {
  test("G-262 brings the phone back: the same id, label and webhook, a new token", async () => {
    const c = await newSocialCustomer(s);
    const before = await c.phone();
    const oldToken = tokenOf(s, c);
    const { status, body } = await consent(s, c, { label: "Another" });
    expect([status, body.id, body.reconnected, body.label, body.webhookUrl]).toEqual([
      201,
      c.phoneId,
      true,
      before.label,
      c.hook.url,
    ]);
    await c.sent();
    expect(tokenOf(s, c)).not.toBe(oldToken);
    const last = s.instagram.journal.findLast(({ path }) => path.endsWith(`/${c.igUserId}/messages`));
    expect(last?.headers["authorization"]).toBe(`Bearer ${tokenOf(s, c)}`);
    expect(receivedBy(c.hook, "channel:connected")).toEqual([]); // it was connected all the time
  });

  test("replaces the webhook where it brings one", async () => {
    const c = await newSocialCustomer(s);
    const hook = s.w.receiver();
    await consent(s, c, { webhook: { url: hook.url, secret: WEBHOOK_SECRET } });
    await c.sent();
    expect([receivedBy(c.hook).length, receivedBy(hook, "message:status").length]).toEqual([0, 1]);
  });

  test("G-646 after its token has expired: the phone is CONNECTED again, that is published, and what waited goes out", async () => {
    const c = await newSocialCustomer(s);
    s.instagram.expireToken(tokenOf(s, c));
    const id = await c.sent();
    expect([(await c.phone()).status, (await c.message(id)).status]).toEqual(["TOKEN_EXPIRED", "QUEUED"]);
    const { body } = await consent(s, c);
    expect([body.id, body.status, body.reconnected, body.disconnectedAt]).toEqual([c.phoneId, "CONNECTED", true, null]);
    await s.w.settle();
    expect((await c.message(id)).status).toBe("SENT");
    expect(sendsOf(s, c)).toHaveLength(2);
    expect(c.hook.arrived.map((one) => one.body.type)).toEqual([
      "channel:disconnected",
      "channel:connected",
      "message:status",
    ]);
  });

  test("after a logout too", async () => {
    const c = await newSocialCustomer(s);
    await s.w.gateway(`/v1/phones/${c.phoneId}/logout`, { key: c.key, method: "POST" });
    expect((await c.phone()).status).toBe("DISCONNECTED");
    expect((await consent(s, c)).body).toMatchObject({ id: c.phoneId, status: "CONNECTED", reconnected: true });
    await c.sent();
    expect(sendsOf(s, c)).toHaveLength(1);
  });

  test("two at once make one phone", async () => {
    const answers = await Promise.all([connect(), connect()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ body }) => body.reconnected)).toHaveLength(1);
    expect(await phones()).toHaveLength(1);
  });

  test("G-262 of another account of the gateway is ALREADY_EXISTS while the first holds it, and changes nothing there", async () => {
    const c = await newSocialCustomer(s);
    const before = await c.phone();
    const other = await s.w.account();
    const answer = await consent(s, { key: other.key, igUserId: c.igUserId });
    expect(gatewaySays(answer)).toBe("409 ALREADY_EXISTS");
    expect(answer.body.error.details).toEqual({ fields: ["igUserId"] });
    expect((await s.w.gateway("/v1/phones", { key: other.key })).body).toEqual([]);
    expect({ ...(await c.phone()), updatedAt: "" }).toEqual({ ...before, updatedAt: "" });
    await c.sent();
    expect(receivedBy(c.hook, "message:status")).toHaveLength(1);
  });

  test("G-262 and is taken once the first has deleted its phone", async () => {
    const c = await newSocialCustomer(s);
    const other = await s.w.account();
    await s.w.gateway(`/v1/phones/${c.phoneId}`, { key: c.key, method: "DELETE" });
    const { status, body } = await consent(s, { key: other.key, igUserId: c.igUserId });
    expect([status, body.reconnected, body.id === c.phoneId]).toEqual([201, false, false]);
    await untilStatus(s.w, body.id, "CONNECTED");
    await s.instagram.inbound.text({ to: c.igUserId, from: c.igsid, text: "oi" });
    await s.w.settle();
    expect(receivedBy(c.hook, "message:received")).toEqual([]);
  });
});
