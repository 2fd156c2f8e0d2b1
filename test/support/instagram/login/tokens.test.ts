import { describe, expect, test } from "bun:test";
import { type Answered, errorOf } from "../../graph/fixture.ts";
import { ACCOUNT, APP_SECRET, exchange, exchangeForm, instagramBench, REDIRECT, TOKEN } from "../fixture.ts";
import type { Instagram } from "../index.ts";

const bench = instagramBench();
const DAY_MS = 86_400_000;
const codeOf = (answer: Answered) => errorOf(answer)["code"];
const exchangePath = (token: string, secret = APP_SECRET) =>
  `/access_token?grant_type=ig_exchange_token&client_secret=${encodeURIComponent(secret)}&access_token=${token}`;
const refreshPath = (token: string) => `/refresh_access_token?grant_type=ig_refresh_token&access_token=${token}`;

const newestToken = (instagram: Instagram) => [...instagram.tokens.keys()].at(-1) ?? "";
const shortToken = async (instagram: Instagram) => {
  await exchange(instagram, exchangeForm(instagram.authorize({ redirectUri: REDIRECT })));
  return newestToken(instagram);
};

describe("a short-lived token", () => {
  test("becomes one of 60 days, with or without a version in the path", async () => {
    const { instagram, call } = bench();
    for (const version of ["", "/v25.0"]) {
      const short = await shortToken(instagram);
      const answer = await call("GET", version + exchangePath(short), undefined, null);
      expect(answer.body).toEqual({
        access_token: newestToken(instagram),
        token_type: "bearer",
        expires_in: 5_184_000,
      });
      expect((await call("GET", "/me", undefined, newestToken(instagram))).status).toBe(200);
    }
  });

  test("dies after its hour with 190/463", async () => {
    const { instagram, call, clock } = bench();
    const short = await shortToken(instagram);
    clock.advance(3_599_999);
    expect((await call("GET", "/me", undefined, short)).status).toBe(200);
    clock.advance(1);
    const refused = await call("GET", exchangePath(short), undefined, null);
    expect([refused.status, errorOf(refused)]).toMatchObject([
      401,
      { code: 190, error_subcode: 463, type: "OAuthException" },
    ]);
  });

  test("is not exchanged with another secret, another grant, by POST, or when it is long-lived already", async () => {
    const { instagram, call } = bench();
    const short = await shortToken(instagram);
    const count = instagram.tokens.size;
    expect(errorOf(await call("GET", exchangePath(short, "x"), undefined, null))["message"]).toBe(
      "Error validating client secret.",
    );
    expect(codeOf(await call("GET", exchangePath(short).replace("ig_exchange_token", "other"), undefined, null))).toBe(
      100,
    );
    expect(codeOf(await call("GET", exchangePath(short).replace("client_secret", "secret"), undefined, null))).toBe(
      100,
    );
    expect(errorOf(await call("POST", exchangePath(short), undefined, null))["message"]).toBe(
      "Unsupported request - method type: post",
    );
    expect(codeOf(await call("GET", exchangePath(TOKEN), undefined, null))).toBe(100);
    expect(instagram.tokens.size).toBe(count);
  });

  test("cannot be refreshed", async () => {
    const { instagram, call } = bench();
    expect(codeOf(await call("GET", refreshPath(await shortToken(instagram)), undefined, null))).toBe(100);
  });
});

describe("a long-lived token", () => {
  test("is refreshed from its 24th hour on, into a new one of 60 days; it lives on until its own end", async () => {
    const { instagram, call, clock } = bench();
    clock.advance(DAY_MS - 1);
    expect(codeOf(await call("GET", refreshPath(TOKEN), undefined, null))).toBe(100);
    clock.advance(1);
    const answer = await call("GET", refreshPath(TOKEN), undefined, null);
    const fresh = newestToken(instagram);
    expect(answer.body).toEqual({
      access_token: fresh,
      token_type: "bearer",
      expires_in: 5_184_000,
      permissions: "instagram_business_basic,instagram_business_manage_messages",
    });
    clock.advance(59 * DAY_MS - 1);
    expect((await call("GET", "/me", undefined, TOKEN)).status).toBe(200);
    clock.advance(1);
    expect([
      (await call("GET", "/me", undefined, TOKEN)).status,
      (await call("GET", "/me", undefined, fresh)).status,
    ]).toEqual([401, 200]);
  });

  test("is not refreshed once it is dead, or without the basic scope", async () => {
    const { instagram, call, clock } = bench();
    instagram.addToken({ token: "bare", igUserId: ACCOUNT, scopes: ["instagram_business_manage_messages"] });
    clock.advance(DAY_MS);
    expect(codeOf(await call("GET", refreshPath("bare"), undefined, null))).toBe(10);
    clock.advance(59 * DAY_MS);
    expect(errorOf(await call("GET", refreshPath(TOKEN), undefined, null))).toMatchObject({
      code: 190,
      error_subcode: 463,
    });
    expect(instagram.tokens.size).toBe(2);
  });

  test("is refused with 190 once it is withdrawn, with the subcode of the reason", async () => {
    const { instagram, call } = bench();
    for (const [subcode, expected] of [
      [undefined, 467],
      [458, 458],
      [460, 460],
    ] as const) {
      instagram.invalidateToken(TOKEN, subcode);
      expect(errorOf(await call("GET", "/me"))).toMatchObject({ code: 190, error_subcode: expected });
    }
    instagram.addToken({ token: "other", igUserId: ACCOUNT });
    instagram.expireToken("other");
    expect(errorOf(await call("GET", "/me", undefined, "other"))).toMatchObject({ code: 190, error_subcode: 463 });
    expect(() => instagram.expireToken("nobody")).toThrow("there is no token nobody");
  });
});

describe("authentication", () => {
  test("takes the token from the header or the query; without one it is 104 on an object and 2500 elsewhere, unknown 190", async () => {
    const { call } = bench();
    expect((await call("GET", `/me?access_token=${TOKEN}`, undefined, null)).status).toBe(200);
    const bare = await call("GET", `/v25.0/${ACCOUNT}`, undefined, null);
    expect([bare.status, codeOf(bare)]).toEqual([401, 104]);
    expect(codeOf(await call("GET", "/me", undefined, null))).toBe(2500);
    const unknown = await call("GET", "/me", undefined, "nobody");
    expect([unknown.status, errorOf(unknown)]).toEqual([
      401,
      {
        message: "Invalid OAuth access token - Cannot parse access token",
        type: "OAuthException",
        code: 190,
        fbtrace_id: expect.stringMatching(/^.{23}$/),
      },
    ]);
  });

  test("every call of an account that the app may not use is an unsupported request", async () => {
    const { instagram, call } = bench();
    instagram.addAccount({ igUserId: ACCOUNT, isAuthorised: false });
    expect(errorOf(await call("GET", "/me"))).toMatchObject({
      code: 100,
      type: "IGApiException",
      message: "Unsupported request - method type: get",
    });
  });

  test("answers carry the API's headers", async () => {
    const { call } = bench();
    const { headers } = await call("GET", "/v26.0/me");
    expect([headers.get("facebook-api-version"), headers.get("content-type")]).toEqual([
      "v26.0",
      "application/json; charset=UTF-8",
    ]);
    expect(JSON.parse(headers.get("x-app-usage") ?? "")).toHaveProperty("call_count");
    expect((await call("GET", "/me", undefined, "nobody")).headers.has("x-app-usage")).toBe(true);
  });
});
