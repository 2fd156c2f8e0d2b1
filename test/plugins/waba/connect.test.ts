import { describe, expect, test } from "bun:test";
import { HOUR_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import { type Answer, graphError, NUMBER } from "../../support/networks/scripted-graph.ts";
import { CREDENTIALS, orderOf, wabaChannel } from "../../support/networks/waba-channel.ts";

const channel = wabaChannel();

/** Connects against such an answer to the first question and waits until nothing is under way. */
const connect = async (...answers: Answer[]) => {
  const { graph, host, link } = channel();
  graph.script(...answers);
  link.connect();
  await host.settled();
  return { ...channel(), checks: () => graph.arrived.filter(({ method }) => method === "GET").length };
};

describe("connecting a number of the official API", () => {
  test("G-217 good credentials make it CONNECTED with number and profile, after subscribing webhooks", async () => {
    const { host, graph } = await connect();
    expect(host.reports).toEqual([
      {
        state: "CONNECTED",
        phoneNumber: "5511987654321",
        profile: {
          wabaQualityRating: "GREEN",
          wabaThroughputLevel: "STANDARD",
          wabaVerifiedName: "Padaria Aurora",
          wabaAccountConfirmed: true,
        },
      },
    ]);
    expect(graph.arrived.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /v26.0/106540352242922",
      "POST /v26.0/102290129340398/subscribed_apps",
    ]);
    expect(graph.arrived[0]?.query.get("fields")?.split(",")).toContain("quality_rating");
    expect(graph.arrived.every(({ authorization }) => authorization === `Bearer ${CREDENTIALS.accessToken}`)).toBe(
      true,
    );
  });

  test("fields that are missing are null", async () => {
    const { host } = await connect({ status: 200, body: { id: NUMBER.id } });
    expect(host.reports).toEqual([
      {
        state: "CONNECTED",
        profile: {
          wabaQualityRating: null,
          wabaThroughputLevel: null,
          wabaVerifiedName: null,
          wabaAccountConfirmed: true,
        },
      },
    ]);
  });

  test("webhooks that cannot be subscribed are logged; it connects, and its account is not confirmed", async () => {
    const { host } = await connect(
      { status: 200, body: NUMBER },
      { status: 403, body: graphError(200, "(#200) Permissions error") },
    );
    expect(host.reports.map(({ state }) => state)).toEqual(["CONNECTED"]);
    expect(host.reports[0]?.profile?.["wabaAccountConfirmed"]).toBe(false);
    expect(host.logLines.join("")).toContain("(#200) Permissions error");
  });

  test.each([
    [190, 400],
    [190, 401],
    [0, 401],
  ])("G-212 G-646 a token refused with %i (HTTP %i) is TOKEN_EXPIRED, and is not asked again", async (code, status) => {
    const { host, checks } = await connect({ status, body: graphError(code, "Error validating access token") });
    expect(host.reports).toEqual([{ state: "TOKEN_EXPIRED", reason: "TOKEN_EXPIRED" }]);
    host.clock.advance(HOUR_MS);
    expect([checks(), host.clock.pendingTimers]).toEqual([1, 0]);
  });

  test("G-136 any other refusal is FAILED and says why", async () => {
    const { host } = await connect({
      status: 400,
      body: graphError(100, "Unsupported get request. Object with ID '1' does not exist"),
    });
    expect(host.reports).toEqual([
      { state: "FAILED", reason: "(#100) Unsupported get request. Object with ID '1' does not exist" },
    ]);
    expect(host.clock.pendingTimers).toBe(0);
  });

  test("G-136 a vault without credentials is FAILED without asking anybody", async () => {
    const { host, link } = channel().open({ phoneNumberId: "1", businessAccountId: "2", accessToken: "" });
    link.connect();
    await host.settled();
    expect(host.reports).toEqual([{ state: "FAILED", reason: "CREDENTIALS_MISSING" }]);
    host.breakVault();
    link.connect();
    await host.settled();
    expect(host.reports.at(-1)).toEqual({ state: "FAILED", reason: "CREDENTIALS_UNREADABLE" });
    expect(channel().graph.arrived).toEqual([]);
  });

  test("an upstream that is down changes no state: it is asked after 2, 10, 30, 120 and every 300 s", async () => {
    const down: Answer = { status: 503, body: "" };
    const { host, checks } = await connect(
      down,
      { status: 400, body: graphError(4, "(#4) Application request limit reached") },
      "cut",
      { status: 200, body: "{" },
      down,
      down,
    );
    for (const [index, seconds] of [2, 10, 30, 120, 300, 300].entries()) {
      expect([checks(), host.reports]).toEqual([index + 1, []]);
      host.clock.advance(seconds * SECOND_MS - 1);
      await host.settled();
      expect(checks()).toBe(index + 1);
      host.clock.advance(1);
      await host.settled();
    }
    expect(host.reports.map(({ state }) => state)).toEqual(["CONNECTED"]);
    expect(host.clock.pendingTimers).toBe(0);
  });

  test("close ends the asking, and connecting anew begins it from the start with one question at a time", async () => {
    const down: Answer = { status: 503, body: "" };
    const { host, link, checks } = await connect(down, down);
    link.connect();
    await host.settled();
    expect([checks(), host.clock.pendingTimers]).toEqual([2, 1]);
    await link.close();
    host.clock.advance(HOUR_MS);
    await host.settled();
    expect([checks(), host.clock.pendingTimers]).toEqual([2, 0]);
  });

  test("a failure that comes after close does not begin the asking again", async () => {
    const { graph, host, link } = channel();
    graph.script("silence");
    link.connect();
    await graph.silenced();
    await link.close();
    graph.release({ status: 503, body: "" });
    await host.settled();
    expect([graph.arrived.length, host.clock.pendingTimers]).toEqual([1, 0]);
  });

  test("an answer to an earlier connect is ignored once the link connects anew", async () => {
    const { graph, host, link } = channel();
    graph.script("silence");
    link.connect();
    await graph.silenced();
    link.connect();
    await host.until(() => host.state === "CONNECTED");
    graph.release({ status: 401, body: graphError(190, "Invalid OAuth access token") });
    await host.settled();
    expect(host.reports.map(({ state }) => state)).toEqual(["CONNECTED"]);
  });

  test("G-261 G-646 a refusal of a replaced token changes nothing, one of the token in use does", async () => {
    const { graph, host, link } = await connect();
    const refused: Answer = { status: 401, body: graphError(190, "Invalid OAuth access token") };
    graph.script("silence");
    const sending = link.send(orderOf({ type: "text", content: { text: "olá" } }));
    await graph.silenced();
    await host.vault.write({ accessToken: "EAAJB-token-new" });
    graph.release(refused);
    expect(await sending).toMatchObject({ ok: false, kind: "retry", code: "WABA_TOKEN_INVALID" });
    expect([host.state, host.reports.map(({ state }) => state)]).toEqual(["CONNECTED", ["CONNECTED"]]);
    graph.script(refused);
    await link.send(orderOf({ type: "text", content: { text: "olá" } }));
    expect(graph.arrived.at(-1)?.authorization).toBe("Bearer EAAJB-token-new");
    expect(host.reports.map(({ state }) => state)).toEqual(["CONNECTED", "TOKEN_EXPIRED"]);
  });

  test("G-646 a token that is refused when the account's webhooks are subscribed has expired too", async () => {
    const { host } = await connect(
      { status: 200, body: NUMBER },
      { status: 401, body: graphError(190, "Error validating access token") },
    );
    expect(host.reports).toEqual([{ state: "TOKEN_EXPIRED", reason: "TOKEN_EXPIRED" }]);
  });

  test("G-646 letting go with a refused token reports nothing: the channel is going anyway", async () => {
    const { graph, host, link } = await connect();
    graph.script({ status: 401, body: graphError(190, "Error validating access token") });
    await link.forget({ deregister: true, isLastOfAccount: false });
    expect(host.reports.map(({ state }) => state)).toEqual(["CONNECTED"]);
  });

  test.each([
    [{ deregister: false, isLastOfAccount: false }, []],
    [{ deregister: true, isLastOfAccount: false }, ["POST /v26.0/106540352242922/deregister"]],
    [{ deregister: false, isLastOfAccount: true }, ["DELETE /v26.0/102290129340398/subscribed_apps"]],
  ])(
    "G-148 G-150 letting go of the identity with %j asks the upstream for %j, and takes a refusal",
    async (disconnectOptions, expected) => {
      const { graph, link } = await connect();
      const asked = graph.arrived.length;
      if (expected.length > 0) graph.script({ status: 400, body: graphError(100, "Invalid parameter") });
      await link.forget(disconnectOptions);
      expect(graph.arrived.slice(asked).map(({ method, path }) => `${method} ${path}`)).toEqual(expected);
    },
  );
});
