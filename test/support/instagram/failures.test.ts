import { describe, expect, test } from "bun:test";
import { type Answered, errorOf, until } from "../graph/fixture.ts";
import { fieldsOf } from "../graph/shape.ts";
import {
  ACCOUNT,
  exchange,
  exchangeForm,
  instagramBench,
  messageIn,
  OTHER_ACCOUNT,
  REDIRECT,
  TOKEN,
  USER,
} from "./fixture.ts";
import { ERRORS, type Failure, OPERATIONS } from "./index.ts";

const bench = instagramBench();
const codeOf = (answer: Answered) => errorOf(answer)["code"];

describe("a failure on order", () => {
  test("of any code of the catalogue has Instagram's envelope, and nothing was sent", async () => {
    const { instagram, send } = bench();
    for (const { code, subcode } of ERRORS) {
      instagram.failNext(1, { kind: "error", code, ...(subcode === undefined ? {} : { subcode }) });
      const { body } = await send();
      expect(body).toMatchObject({
        error: { code, message: expect.stringMatching(/./), fbtrace_id: expect.stringMatching(/^.{23}$/) },
      });
      expect(fieldsOf(body["error"])["error_subcode"]).toBe(subcode);
    }
    expect(instagram.sent.size).toBe(0);
  });

  const ANSWERS: [
    code: number,
    subcode: number | undefined,
    answer: [status: number, type: string, isTransient: boolean],
  ][] = [
    [1, 1357046, [500, "OAuthException", true]],
    [2, undefined, [500, "OAuthException", true]],
    [4, undefined, [403, "OAuthException", true]],
    [10, 2534022, [403, "IGApiException", false]],
    [100, 2534014, [400, "IGApiException", false]],
    [190, 463, [401, "OAuthException", false]],
    [200, 2534041, [403, "IGApiException", false]],
    [551, undefined, [400, "IGApiException", false]],
    [613, 2534040, [429, "OAuthException", true]],
    [77777, undefined, [400, "IGApiException", false]],
  ];
  test.each(ANSWERS)("of %d/%p has the status, type and transience %p", async (code, subcode, expected) => {
    const { instagram, send } = bench();
    instagram.failNext(1, { kind: "error", code, ...(subcode === undefined ? {} : { subcode }) });
    const answer = await send();
    expect([answer.status, errorOf(answer)["type"], errorOf(answer)["is_transient"] === true]).toEqual(expected);
  });

  test("may have another status and message", async () => {
    const { instagram, send } = bench();
    instagram.failNext(1, { kind: "error", code: 613, message: "slow down", httpStatus: 400 });
    const answer = await send();
    expect([answer.status, errorOf(answer)["message"]]).toEqual([400, "slow down"]);
  });

  test("strikes so many good sends and no more; a bad one uses up nothing", async () => {
    const { instagram, send } = bench();
    instagram.failNext(2, { kind: "error", code: 2 });
    expect(codeOf(await send({ text: "" }))).toBe(100);
    expect([(await send()).status, (await send()).status, (await send()).status]).toEqual([500, 500, 200]);
  });

  test("for a user or an account leaves others alone, and lasts until cleared", async () => {
    const { instagram, send, call } = bench();
    instagram.addAccount({ igUserId: OTHER_ACCOUNT, tokens: ["other"] });
    instagram.addUser({ igsid: "7", hasWrittenTo: [ACCOUNT, OTHER_ACCOUNT] });
    instagram.failUser(USER, { kind: "error", code: 551 });
    instagram.fail({ failure: { kind: "error", code: 17 }, igUserId: OTHER_ACCOUNT, isLasting: true });
    const to7 = { recipient: { id: "7" }, message: { text: "oi" } };
    const others = await call("POST", `/${OTHER_ACCOUNT}/messages`, to7, "other");
    expect([
      codeOf(await send()),
      codeOf(await send()),
      (await send({ text: "oi" }, to7)).status,
      codeOf(others),
    ]).toEqual([551, 551, 200, 17]);
    instagram.clearFailures();
    expect((await send()).status).toBe(200);
  });

  test("can be for any operation, in the form of its host", async () => {
    const { instagram, call, send, act } = bench();
    const code = instagram.authorize({ redirectUri: REDIRECT });
    instagram.failNext(1, { kind: "error", code: 400, message: "Try later" }, { operation: "code.exchange" });
    expect((await exchange(instagram, exchangeForm(code))).body).toEqual({
      error_type: "OAuthException",
      code: 400,
      error_message: "Try later",
    });
    expect((await exchange(instagram, exchangeForm(code))).status).toBe(200);
    instagram.failNext(1, { kind: "error", code: 2 }, { operation: "account.get" });
    expect([(await send()).status, (await call("GET", "/me")).status, (await call("GET", "/me")).status]).toEqual([
      200, 500, 200,
    ]);
    instagram.failNext(1, { kind: "error", code: 2 }, { operation: "any" });
    expect([(await act("typing_on")).status, instagram.actions.length]).toEqual([500, 0]);
  });

  test("names every operation there is", async () => {
    const { instagram, call } = bench();
    instagram.addToken({ token: "old", igUserId: ACCOUNT, issuedAt: 0, expiresAt: 9e15 });
    for (const operation of OPERATIONS) instagram.failNext(1, { kind: "error", code: 2 }, { operation });
    const requests: [method: string, path: string, token: string][] = [
      ["GET", "/me", TOKEN],
      ["GET", `/${ACCOUNT}/subscribed_apps`, TOKEN],
      ["POST", `/${ACCOUNT}/subscribed_apps?subscribed_fields=messages`, TOKEN],
      ["DELETE", `/${ACCOUNT}/subscribed_apps`, TOKEN],
      ["GET", `/${USER}`, TOKEN],
      ["GET", "/refresh_access_token?grant_type=ig_refresh_token", "old"],
    ];
    for (const [method, path, token] of requests) {
      expect(codeOf(await call(method, path, undefined, token))).toBe(2);
      expect((await call(method, path, undefined, token)).status).toBe(200);
    }
  });
});

describe("an answer that is lost", () => {
  const requestOf = (url: string, signal?: AbortSignal) =>
    fetch(`${url}/v25.0/${ACCOUNT}/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ recipient: { id: USER }, message: { text: "oi" } }),
      ...(signal ? { signal } : {}),
    });
  const isWhole = (url: string) =>
    requestOf(url)
      .then((answer) => answer.text())
      .then(
        () => true,
        () => false,
      );

  const LOST: [kind: "reset" | "half", isAccepted: boolean][] = [
    ["reset", false],
    ["reset", true],
    ["half", false],
    ["half", true],
  ];
  test.each(LOST)("by %s, taken: %p", async (kind, isAccepted) => {
    const { instagram } = bench();
    const failure: Failure = { kind, isAccepted };
    instagram.failNext(1, failure);
    expect(await isWhole(instagram.urls.graph)).toBe(false);
    expect([instagram.sent.size, instagram.journal[0]?.broken, instagram.journal[0]?.status]).toEqual([
      isAccepted ? 1 : 0,
      kind,
      null,
    ]);
    expect(await isWhole(instagram.urls.graph)).toBe(true);
  });

  test("for ever, and the echo of what was taken still comes", async () => {
    const { instagram, receive } = bench();
    const hooks = receive();
    instagram.configure({ echoes: "after" });
    instagram.failNext(1, { kind: "hang", isAccepted: true });
    const patience = new AbortController();
    const answer = requestOf(instagram.urls.graph, patience.signal).then(
      () => "answered",
      () => "gave up",
    );
    await until(() => hooks.length === 1);
    patience.abort();
    expect([await answer, instagram.journal[0]?.broken]).toEqual(["gave up", "hang"]);
    expect(instagram.sent.has(String(messageIn(hooks[0])["mid"]))).toBe(true);
  });

  test("by falling silent in the midst of it, and it was taken", async () => {
    const { instagram } = bench();
    instagram.failNext(1, { kind: "stall", isAccepted: true });
    const patience = new AbortController();
    const reader = (await requestOf(instagram.urls.graph, patience.signal)).body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    const rest = reader?.read().then(
      () => "more",
      () => "gave up",
    );
    patience.abort();
    expect([await rest, instagram.journal[0]?.broken, instagram.sent.size]).toEqual(["gave up", "stall", 1]);
  });

  test("in an error although it was sent: the echo shows it", async () => {
    const { instagram, send, receive } = bench();
    const hooks = receive();
    instagram.configure({ echoes: "after" });
    instagram.failNext(1, { kind: "error", code: 1, subcode: 1357046, isAccepted: true });
    const answer = await send();
    expect([answer.status, errorOf(answer)]).toMatchObject([500, { code: 1, error_subcode: 1357046 }]);
    await until(() => hooks.length === 1);
    expect([...instagram.sent.keys()]).toEqual([String(messageIn(hooks[0])["mid"])]);
  });

  test("as a 200 without an id, a 200 without JSON, or a page", async () => {
    const { instagram, send } = bench();
    instagram.failNext(1, { kind: "no-id", isAccepted: true });
    expect((await send()).body).toEqual({ recipient_id: USER });
    instagram.failNext(1, { kind: "garbage" });
    const garbage = await requestOf(instagram.urls.graph);
    expect([garbage.status, await garbage.text()]).toEqual([200, expect.stringContaining("<html>")]);
    instagram.failNext(1, { kind: "http", status: 502 });
    expect((await requestOf(instagram.urls.graph)).status).toBe(502);
    expect(instagram.sent.size).toBe(1);
  });

  test("of a code's exchange: the code is used up if it was taken, and good if not", async () => {
    const { instagram } = bench();
    const swap = (code: string) =>
      exchange(instagram, exchangeForm(code)).then(
        ({ status }) => status,
        () => "lost",
      );
    const [taken, untaken] = [
      instagram.authorize({ redirectUri: REDIRECT }),
      instagram.authorize({ redirectUri: REDIRECT }),
    ];
    instagram.failNext(1, { kind: "reset", isAccepted: true }, { operation: "code.exchange" });
    expect([await swap(taken), await swap(taken)]).toEqual(["lost", 400]);
    instagram.failNext(1, { kind: "reset" }, { operation: "code.exchange" });
    expect([await swap(untaken), await swap(untaken)]).toEqual(["lost", 200]);
  });
});
