import { describe, expect, test } from "bun:test";
import { ACCOUNT_ID, type Answered, errorOf, graphBench, NUMBER_ID } from "../fixture.ts";
import { fieldsOf } from "../shape.ts";

const bench = graphBench();
const APP = { client_id: "67000", client_secret: "s3cret" };
const CODE = {
  code: "AQB-code",
  token: "EAA-business",
  businessAccountIds: [ACCOUNT_ID],
  appId: APP.client_id,
  appSecret: APP.client_secret,
};
const faultOf = (answer: Answered) => [answer.status, errorOf(answer)["code"], errorOf(answer)["error_subcode"]];

/** A simulator with the code, and the exchange of one. */
const signup = () => {
  const { graph, call, clock } = bench();
  graph.addSignupCode(CODE);
  const exchange = (patch: Record<string, string> = {}, version = "/v25.0") =>
    call(
      "GET",
      `${version}/oauth/access_token?${new URLSearchParams({ ...APP, code: CODE.code, ...patch }).toString()}`,
      undefined,
      null,
    );
  return { graph, call, clock, exchange };
};

describe("a code of embedded signup", () => {
  test("is exchanged for a token that works from then on and not before, with or without a version, by GET or POST", async () => {
    const { graph, call, exchange } = signup();
    expect((await call("GET", `/${NUMBER_ID}`, undefined, CODE.token)).status).toBe(401);
    expect((await exchange()).body).toEqual({ access_token: CODE.token, token_type: "bearer" });
    expect((await call("GET", `/${NUMBER_ID}`, undefined, CODE.token)).status).toBe(200);
    graph.addSignupCode({ ...CODE, code: "second" });
    expect((await exchange({ code: "second" }, "")).status).toBe(200);
    graph.addSignupCode({ ...CODE, code: "third" });
    expect((await call("POST", "/v26.0/oauth/access_token", { ...APP, code: "third" }, null)).body).toMatchObject({
      access_token: CODE.token,
    });
  });

  test("is good once (36009), also for two who come together", async () => {
    const { exchange } = signup();
    const answers = await Promise.all([exchange(), exchange()]);
    expect(new Set(answers.map((one) => one.status))).toEqual(new Set([200, 400]));
    expect(faultOf(await exchange())).toEqual([400, 100, 36009]);
  });

  test("is good for 30 seconds (36007)", async () => {
    const { graph, call, clock, exchange } = signup();
    clock.advance(30_000);
    expect(faultOf(await exchange())).toEqual([400, 100, 36007]);
    expect((await call("GET", `/${NUMBER_ID}`, undefined, CODE.token)).status).toBe(401);
    graph.addSignupCode(CODE);
    clock.advance(29_999);
    expect((await exchange()).status).toBe(200);
  });

  test("is refused with another secret or app, unknown or missing, and none of it uses it up", async () => {
    const { graph, exchange } = signup();
    graph.addSignupCode({ ...CODE, code: "of another", appId: "67001", appSecret: "other" });
    expect(faultOf(await exchange({ client_secret: "wrong" }))).toEqual([400, 1, undefined]);
    expect(faultOf(await exchange({ client_id: "1" }))).toEqual([400, 101, undefined]);
    expect(faultOf(await exchange({ client_id: "" }))).toEqual([400, 101, undefined]);
    expect(faultOf(await exchange({ code: "" }))).toEqual([400, 1, undefined]);
    expect(faultOf(await exchange({ code: "unknown" }))).toEqual([400, 100, undefined]);
    expect(faultOf(await exchange({ code: "of another" }))).toEqual([400, 100, undefined]);
    expect((await exchange()).status).toBe(200);
  });

  test("is used up by an exchange whose answer was lost", async () => {
    const { graph, exchange } = signup();
    graph.failNext(1, { kind: "reset", isAccepted: true }, { operation: "code.exchange" });
    expect(
      await exchange().then(
        () => "answered",
        () => "lost",
      ),
    ).toBe("lost");
    expect(faultOf(await exchange())).toEqual([400, 100, 36009]);
  });

  test("is ordered over HTTP too", async () => {
    const { graph, call } = bench();
    const ordered = await fetch(`${graph.url}/_sim/signup/codes`, { method: "POST", body: JSON.stringify(CODE) });
    expect(ordered.status).toBe(200);
    expect((await call("POST", "/oauth/access_token", { ...APP, code: CODE.code }, null)).status).toBe(200);
  });
});

describe("an app's own token", () => {
  test("looks at tokens and at nothing else", async () => {
    const { call, exchange } = signup();
    await exchange();
    const own = `${APP.client_id}|${APP.client_secret}`;
    const { body } = await call("GET", `/v25.0/debug_token?input_token=${CODE.token}`, undefined, own);
    expect(fieldsOf(body["data"])).toMatchObject({
      app_id: APP.client_id,
      is_valid: true,
      granular_scopes: [{ target_ids: [ACCOUNT_ID] }, { target_ids: [ACCOUNT_ID] }],
    });
    expect(faultOf(await call("GET", `/${NUMBER_ID}`, undefined, own))).toEqual([400, 100, 33]);
    expect(faultOf(await call("GET", `/debug_token?input_token=x`, undefined, `${APP.client_id}|wrong`))).toEqual([
      401,
      190,
      undefined,
    ]);
  });
});
