import { describe, expect, test } from "bun:test";
import { fieldsOf, textOf } from "../../graph/shape.ts";
import { ACCOUNT, APP, exchange, exchangeForm, instagramBench, OTHER_ACCOUNT, REDIRECT } from "../fixture.ts";
import type { Instagram } from "../index.ts";

const bench = instagramBench();
const BOTH = "instagram_business_basic,instagram_business_manage_messages";

const authorize = (instagram: Instagram, patch: Record<string, string> = {}, host = instagram.urls.authorize) => {
  const query = new URLSearchParams({
    client_id: APP,
    redirect_uri: REDIRECT,
    response_type: "code",
    scope: BOTH,
    ...patch,
  });
  return fetch(`${host}/oauth/authorize?${query.toString()}`, { redirect: "manual" });
};
const locationOf = (answer: Response) => answer.headers.get("location") ?? "";
const codeIn = (answer: Response) => new URL(locationOf(answer)).searchParams.get("code") ?? "";
const newCode = (instagram: Instagram) => instagram.authorize({ redirectUri: REDIRECT });

describe("the authorize page", () => {
  test("sends the browser back at once, with a code, the state and #_", async () => {
    const { instagram } = bench();
    const answer = await authorize(instagram, { state: "s 1&2" });
    expect(answer.status).toBe(302);
    expect(locationOf(answer)).toMatch(/^http:\/\/127\.0\.0\.1:9\/social\/callback\?code=AQ[\w-]+&state=s\+1%262#_$/);
    expect((await exchange(instagram, exchangeForm(codeIn(answer)))).status).toBe(200);
    expect(
      (await exchange(instagram, exchangeForm(`${codeIn(await authorize(instagram))}#_`))).body["error_message"],
    ).toContain("Matching code was not found");
  });

  test("lies on api.instagram.com too; without a state none comes back", async () => {
    const { instagram } = bench();
    const answer = await authorize(instagram, {}, instagram.urls.token);
    expect([answer.status, new URL(locationOf(answer)).searchParams.has("state")]).toEqual([302, false]);
  });

  test("sends back the error of a user who cancels, and no code", async () => {
    const { instagram } = bench();
    instagram.configure({ authorization: "cancel" });
    const location = new URL(locationOf(await authorize(instagram, { state: "s1" })));
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error: "access_denied",
      error_reason: "user_denied",
      error_description: "The user denied your request.",
      state: "s1",
    });
    expect(location.hash).toBe("");
  });

  test("is of the account that is signed in, the first one by default", async () => {
    const { instagram } = bench();
    instagram.addAccount({ igUserId: OTHER_ACCOUNT });
    const accountOf = async () => {
      await exchange(instagram, exchangeForm(codeIn(await authorize(instagram))));
      return [...instagram.tokens.values()].at(-1)?.igUserId;
    };
    expect(await accountOf()).toBe(ACCOUNT);
    instagram.configure({ signedInAs: OTHER_ACCOUNT });
    expect(await accountOf()).toBe(OTHER_ACCOUNT);
  });

  const REFUSED: [why: string, patch: Record<string, string>, message: string][] = [
    ["an unknown app", { client_id: "1" }, "Invalid platform app"],
    ["an address that the app does not have", { redirect_uri: `${REDIRECT}/` }, "Invalid redirect_uri"],
    ["another response_type", { response_type: "token" }, "Invalid response_type"],
    ["an unknown scope", { scope: `${BOTH},instagram_everything` }, "Invalid scope: instagram_everything"],
    [
      "scopes without the basic one",
      { scope: "instagram_business_manage_messages" },
      "Invalid scope: instagram_business_basic is required",
    ],
  ];
  test.each(REFUSED)("refuses %s and sends nobody anywhere", async (_why, patch, message) => {
    const { instagram } = bench();
    const answer = await authorize(instagram, patch);
    expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    expect(await answer.json()).toEqual({ error_type: "OAuthException", code: 400, error_message: message });
  });
});

describe("the exchange of a code", () => {
  test("has the documented shape: data, the app-scoped id as text, permissions in a text", async () => {
    const { instagram } = bench();
    const { body } = await exchange(instagram, exchangeForm(newCode(instagram)));
    const [token] = [...instagram.tokens.values()].slice(-1);
    expect(body).toEqual({
      data: [{ access_token: token?.value, user_id: expect.stringMatching(/^2\d{16}$/), permissions: BOTH }],
    });
    expect(token).toMatchObject({ igUserId: ACCOUNT, kind: "short" });
  });

  test("has the flat shape when set so: the account's id as a bare number that JavaScript cannot hold", async () => {
    const { instagram } = bench();
    instagram.configure({ tokenAnswer: "flat" });
    const { text, body } = await exchange(instagram, exchangeForm(newCode(instagram)));
    expect(text).toContain(`"user_id": ${ACCOUNT},`);
    expect(String(body["user_id"])).not.toBe(ACCOUNT);
    expect(body).toMatchObject({ permissions: BOTH });
  });

  test("lists permissions when set so, without those the user unticked", async () => {
    const { instagram } = bench();
    instagram.configure({
      tokenAnswer: "flat",
      permissionsAs: "list",
      declinedScopes: ["instagram_business_manage_messages"],
    });
    const { body } = await exchange(instagram, exchangeForm(newCode(instagram)));
    expect(body["permissions"]).toEqual(["instagram_business_basic"]);
  });

  test("takes a multipart form too, and no JSON", async () => {
    const { instagram } = bench();
    const form = new FormData();
    for (const [name, value] of exchangeForm(newCode(instagram))) form.append(name, value);
    expect((await exchange(instagram, form)).status).toBe(200);
    const headers = { "content-type": "application/json" };
    const json = JSON.stringify(Object.fromEntries(exchangeForm(newCode(instagram))));
    const answer = await fetch(`${instagram.urls.token}/oauth/access_token`, { method: "POST", headers, body: json });
    expect(await answer.json()).toMatchObject({ error_message: "Missing required field client_id" });
  });

  test("works once", async () => {
    const { instagram } = bench();
    const code = newCode(instagram);
    expect((await exchange(instagram, exchangeForm(code))).status).toBe(200);
    const again = await exchange(instagram, exchangeForm(code));
    expect([again.status, again.body]).toEqual([
      400,
      { error_type: "OAuthException", code: 400, error_message: "This authorization code has been used" },
    ]);
  });

  test("works within the hour", async () => {
    const { instagram, clock } = bench();
    const [early, late] = [newCode(instagram), newCode(instagram)];
    clock.advance(3_599_999);
    expect((await exchange(instagram, exchangeForm(early))).status).toBe(200);
    clock.advance(1);
    expect((await exchange(instagram, exchangeForm(late))).body["error_message"]).toBe(
      "Matching code was not found or was already used",
    );
  });

  const REFUSED: [why: string, patch: Record<string, string>, message: string][] = [
    ["a missing field", { client_secret: "" }, "Missing required field client_secret"],
    ["an unknown app", { client_id: "1" }, "Invalid platform app"],
    ["another secret", { client_secret: "x" }, "Error validating client secret."],
    ["another grant", { grant_type: "password" }, "Invalid grant_type"],
    ["another address", { redirect_uri: `${REDIRECT}/` }, "Redirect URI doesn't match original redirect URI"],
    ["an unknown code", { code: "AQx" }, "Matching code was not found or was already used"],
  ];
  test.each(REFUSED)("is refused for %s, makes no token and leaves the code good", async (_why, patch, message) => {
    const { instagram } = bench();
    const code = newCode(instagram);
    const before = instagram.tokens.size;
    const { status, body } = await exchange(instagram, exchangeForm(code, patch));
    expect([status, body]).toEqual([400, { error_type: "OAuthException", code: 400, error_message: message }]);
    expect(instagram.tokens.size).toBe(before);
    expect((await exchange(instagram, exchangeForm(code))).status).toBe(200);
  });

  test("is refused to another app than the code was given to", async () => {
    const { instagram } = bench();
    instagram.addApp({ appId: "2", appSecret: "two", redirectUris: [REDIRECT] });
    const refused = await exchange(
      instagram,
      exchangeForm(newCode(instagram), { client_id: "2", client_secret: "two" }),
    );
    expect(refused.body["error_message"]).toBe("Matching code was not found or was already used");
  });
});

describe("the hosts", () => {
  test("are three: what belongs to one is not found on another", async () => {
    const { instagram } = bench();
    const { graph, token, authorize: page } = instagram.urls;
    const form = () => exchangeForm(newCode(instagram));
    const statusOf = async (url: string, init?: RequestInit) => (await fetch(url, init)).status;
    expect(await statusOf(`${page}/oauth/access_token`, { method: "POST", body: form() })).toBe(404);
    expect(await statusOf(`${token}/me`)).toBe(404);
    expect(await statusOf(`${instagram.url}/me`)).toBe(404);
    const onGraph = await fetch(`${graph}/oauth/access_token?access_token=${textOf([...instagram.tokens.keys()][0])}`, {
      method: "POST",
      body: form(),
    });
    expect(fieldsOf(await onGraph.json())["error"]).toMatchObject({ code: 100, error_subcode: 33 });
  });
});
