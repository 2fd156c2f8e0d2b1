import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import { ERRORS, type Failure } from "../../support/instagram/index.ts";
import { ACCOUNT, callsTo, orderOf, socialChannel, TOKEN } from "../../support/networks/social-channel.ts";

const channel = socialChannel();

/** The outcome of one send that fails so. */
const outcomeOf = (failure: Failure) => {
  const { instagram, link } = channel();
  instagram.failNext(1, failure);
  return link.send(orderOf());
};
const refusalOf = (code: number, more: { subcode?: number; httpStatus?: number } = {}) =>
  outcomeOf({ kind: "error", code, ...more });

describe("an upstream refusal of a send", () => {
  test.each([
    [10, 2534022, 403, "the window of 24 hours is closed"],
    [100, undefined, 400, "the request is wrong"],
    [100, 2534014, 400, "there is no such person"],
    [100, 33, 400, "there is no such object"],
    [200, 2534041, 403, "the owner has closed the inbox to apps"],
    [551, undefined, 400, "the person cannot be written to"],
    [2500, undefined, 400, "the path is wrong"],
  ])("%p/%p (HTTP %d) is final, whatever its HTTP status: %s", async (code, subcode, status) => {
    for (const httpStatus of [status, 400, 500]) {
      const outcome = await refusalOf(code, { httpStatus, ...(subcode === undefined ? {} : { subcode }) });
      expect(outcome).toMatchObject({ ok: false, kind: "refused", code: "UPSTREAM_BAD_REQUEST", upstreamCode: code });
    }
    expect(callsTo(channel(), "messages")).toHaveLength(3);
  });

  const RESTRICTED = [
    [10, 1893063],
    [100, 2534029],
    [10, 2534122],
  ] as const;

  test.each(RESTRICTED)("%i/%i is final, and restricts the account until a send is accepted", async (code, subcode) => {
    const { host, link } = channel();
    expect(await refusalOf(code, { subcode })).toMatchObject({
      kind: "refused",
      code: "UPSTREAM_ACCOUNT_RESTRICTED",
      upstreamCode: code,
    });
    await refusalOf(code, { subcode });
    expect(host.reports).toMatchObject([
      {
        state: "RESTRICTED",
        restriction: { reason: "SENDING_RESTRICTED", until: null, allows: "none", text: expect.stringContaining("#") },
      },
    ]);
    await refusalOf(551); // says nothing about the account
    expect(host.reports).toHaveLength(1);
    for (let send = 0; send < 2; send++) expect((await link.send(orderOf())).ok).toBe(true);
    expect(host.reports.slice(1)).toEqual([{ state: "CONNECTED" }]);
  });

  test("a restriction outlives the renewal of the token, and ends with a new connection", async () => {
    const { host, link } = channel();
    await refusalOf(10, { subcode: 1893063 });
    host.clock.advance(55 * DAY_MS);
    await link.refresh?.();
    expect(host.reports.at(-1)).toMatchObject({ state: "RESTRICTED", restriction: { allows: "none" } });
    link.connect();
    await host.settled();
    expect(host.reports.at(-1)?.state).toBe("CONNECTED");
  });

  test("a restriction that a send of a replaced connection meets says nothing of the new one", async () => {
    const { instagram, host, link } = channel();
    instagram.failNext(1, { kind: "error", code: 10, subcode: 1893063 });
    const answers = host.holdAnswers();
    const sending = link.send(orderOf());
    await answers.met;
    link.connect();
    answers.pass();
    expect(await sending).toMatchObject({ code: "UPSTREAM_ACCOUNT_RESTRICTED" });
    await host.settled();
    expect(host.reports.map(({ state }) => state)).toEqual(["CONNECTED"]);
  });

  test.each([
    [4, 403],
    [17, 400],
    [32, 400],
    [613, 429],
    [613, 400],
  ])("G-645 %i (HTTP %i) slows the channel down for 30 s", async (code, httpStatus) => {
    expect(await refusalOf(code, { httpStatus })).toMatchObject({
      kind: "retry",
      code: "UPSTREAM_RATE_LIMIT",
      upstreamCode: code,
      isRateLimit: true,
      retryAfterMs: 30 * SECOND_MS,
    });
  });

  test("HTTP 429 from somebody in between slows it down too", async () => {
    expect(await outcomeOf({ kind: "http", status: 429 })).toEqual({
      ok: false,
      kind: "retry",
      code: "UPSTREAM_RATE_LIMIT",
      reason: "HTTP 429",
      isRateLimit: true,
      retryAfterMs: 30 * SECOND_MS,
    });
  });

  test.each([
    [1, undefined],
    [1, 1357046],
    [2, undefined],
  ])("%p/%p may have been sent all the same: unknown, with its number", async (code, subcode) => {
    const outcome = await refusalOf(code, subcode === undefined ? {} : { subcode });
    expect(outcome).toMatchObject({ ok: false, kind: "unknown", code: "OUTCOME_UNKNOWN", upstreamCode: code });
  });

  test.each([104, 230, 803])("%i, which is none of those, is tried again", async (code) => {
    expect(await refusalOf(code, { httpStatus: 400 })).toMatchObject({
      kind: "retry",
      code: "UPSTREAM_BAD_REQUEST",
      upstreamCode: code,
    });
    expect(await refusalOf(code, { httpStatus: 500 })).toMatchObject({
      kind: "retry",
      code: "UPSTREAM_UNAVAILABLE",
      upstreamCode: code,
    });
  });

  test("G-644 the text of every known error begins with its number", async () => {
    for (const { code, subcode } of ERRORS) {
      const outcome = await refusalOf(code, subcode === undefined ? {} : { subcode });
      expect(outcome.ok ? "" : outcome.reason).toStartWith(`(#${code}) `);
    }
  });
});

describe("a send without an answer that can be read", () => {
  test.each([{ kind: "reset" }, { kind: "half" }, { kind: "garbage" }, { kind: "http", status: 504 }] as const)(
    "%p is unknown, whether it was taken or not",
    async (failure) => {
      for (const isAccepted of [true, false])
        expect(await outcomeOf({ ...failure, isAccepted })).toMatchObject({
          ok: false,
          kind: "unknown",
          code: "OUTCOME_UNKNOWN",
        });
    },
  );

  test.each([500, 502, 503])(
    "HTTP %i from somebody in between is tried again, and may be a second send",
    async (status) => {
      expect(await outcomeOf({ kind: "http", status })).toMatchObject({
        kind: "retry",
        code: "UPSTREAM_UNAVAILABLE",
        isUncertain: true,
      });
    },
  );

  test("HTTP 400 without a code is tried again", async () => {
    expect(await outcomeOf({ kind: "http", status: 400 })).toEqual({
      ok: false,
      kind: "retry",
      code: "UPSTREAM_BAD_REQUEST",
      reason: "HTTP 400",
    });
  });

  test("to nobody, because the network could not be reached, is tried again", async () => {
    const { instagram, link } = channel();
    await instagram.stop();
    expect(await link.send(orderOf())).toMatchObject({ kind: "retry", code: "UPSTREAM_UNAVAILABLE" });
  });

  test("one that says yes but not which message is final", async () => {
    expect(await outcomeOf({ kind: "no-id", isAccepted: true })).toMatchObject({
      kind: "refused",
      code: "UPSTREAM_NO_ID",
    });
  });
});

describe("a refused token", () => {
  test.each([
    [undefined, 400],
    [458, 401],
    [460, 401],
    [463, 400],
    [467, 401],
  ])(
    "G-646 190/%p (HTTP %i) at a send is reported as TOKEN_EXPIRED, and the message waits",
    async (subcode, httpStatus) => {
      const { host } = channel();
      expect(await refusalOf(190, { httpStatus, ...(subcode === undefined ? {} : { subcode }) })).toMatchObject({
        kind: "retry",
        code: "IG_TOKEN_BAD",
        upstreamCode: 190,
      });
      expect(host.reports).toEqual([{ state: "TOKEN_EXPIRED", reason: "TOKEN_EXPIRED" }]);
      expect(host.state).toBe("TOKEN_EXPIRED");
    },
  );

  test("G-646 as any 401 without a code", async () => {
    expect(await outcomeOf({ kind: "http", status: 401 })).toMatchObject({ kind: "retry", code: "IG_TOKEN_BAD" });
    expect(channel().host.reports).toHaveLength(1);
  });

  test("G-646 at a reaction too", async () => {
    const { instagram, host, link } = channel();
    instagram.expireToken(TOKEN);
    const outcome = await link.operate?.({
      name: "read",
      key: "mid.A" as never,
      chat: "igsid:1535148674817116",
      sender: null,
    });
    expect(outcome).toMatchObject({ kind: "retry", code: "IG_TOKEN_BAD" });
    expect(host.reports).toEqual([{ state: "TOKEN_EXPIRED", reason: "TOKEN_EXPIRED" }]);
  });

  test("of a connection that has been replaced says nothing of the new one", async () => {
    const { instagram, host, link } = channel();
    instagram.failNext(1, { kind: "error", code: 190 });
    const answers = host.holdAnswers();
    const sending = link.send(orderOf());
    await answers.met;
    link.connect();
    answers.pass();
    expect(await sending).toMatchObject({ code: "IG_TOKEN_BAD" });
    await host.settled();
    expect(host.reports.map(({ state }) => state)).toEqual(["CONNECTED"]);
  });

  test("that was read before the connection was replaced says nothing of the new one either", async () => {
    const { instagram, host, link } = channel();
    instagram.expireToken(TOKEN);
    instagram.addToken({ token: "IGAA-new", igUserId: ACCOUNT });
    const sending = link.send(orderOf()); // it has begun to read the old token
    await host.vault.write({ accessToken: "IGAA-new" });
    link.connect();
    await sending;
    await host.settled();
    expect(host.reports.map(({ state }) => state)).toEqual(["CONNECTED"]);
  });
});

describe("connecting", () => {
  const connect = async () => {
    const { host, link } = channel();
    link.connect();
    await host.settled();
    return channel();
  };

  test("G-141 says who the account is, and has its webhooks sent to us", async () => {
    const { host, instagram } = await connect();
    expect(host.reports).toEqual([
      { state: "CONNECTED", profile: { igUsername: "padaria", igAccountType: "BUSINESS", igWebhookConfigured: true } },
    ]);
    expect(instagram.journal.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /graph/v25.0/me",
      `POST /graph/v25.0/${ACCOUNT}/subscribed_apps`,
    ]);
    expect(instagram.journal[1]?.query["subscribed_fields"]?.split(",")).toEqual([
      "messages",
      "messaging_postbacks",
      "messaging_seen",
      "message_reactions",
      "message_edit",
      "messaging_referral",
      "messaging_handover",
      "standby",
    ]);
  });

  test.each([
    ["flat", "Media_Creator"],
    ["data", "media_creator"],
  ] as const)(
    "understands an answer that is %s, with the kind of account spelled %s",
    async (meAnswer, accountType) => {
      const { instagram } = channel();
      instagram.configure({ meAnswer });
      instagram.addAccount({ igUserId: ACCOUNT, username: "padaria", accountType, tokens: [TOKEN] });
      const { host } = await connect();
      expect(host.reports).toMatchObject([{ profile: { igUsername: "padaria", igAccountType: "MEDIA_CREATOR" } }]);
    },
  );

  test("G-646 a refused token is TOKEN_EXPIRED and not asked again", async () => {
    channel().instagram.invalidateToken(TOKEN);
    const { host, instagram } = await connect();
    expect(host.reports).toEqual([{ state: "TOKEN_EXPIRED", reason: "TOKEN_EXPIRED" }]);
    host.clock.advance(HOUR_MS);
    expect([instagram.journal.length, host.clock.pendingTimers]).toEqual([1, 0]);
  });

  test("G-646 a token that is refused only when the webhooks are asked for is TOKEN_EXPIRED", async () => {
    channel().instagram.failNext(1, { kind: "error", code: 190 }, { operation: "subscription.add" });
    expect((await connect()).host.reports).toEqual([{ state: "TOKEN_EXPIRED", reason: "TOKEN_EXPIRED" }]);
  });

  test("G-136 an account that may not be used is FAILED and says why", async () => {
    channel().instagram.addAccount({ igUserId: ACCOUNT, tokens: [TOKEN], isAuthorised: false });
    expect((await connect()).host.reports).toEqual([
      { state: "FAILED", reason: "Unsupported request - method type: get" },
    ]);
  });

  test("G-136 a vault without credentials, or that cannot be read, is FAILED without asking anybody", async () => {
    const empty = channel().open({});
    empty.link.connect();
    await empty.host.settled();
    expect(empty.host.reports).toEqual([{ state: "FAILED", reason: "CREDENTIALS_MISSING" }]);
    channel().host.breakVault();
    const { host, instagram } = await connect();
    expect(host.reports).toEqual([{ state: "FAILED", reason: "CREDENTIALS_UNREADABLE" }]);
    expect(instagram.journal).toEqual([]);
  });

  test("M26-7 an app that may not have handovers is subscribed to messages alone", async () => {
    channel().instagram.failNext(1, { kind: "error", code: 100 }, { operation: "subscription.add" });
    const { host, instagram } = await connect();
    expect(host.reports).toMatchObject([{ state: "CONNECTED", profile: { igWebhookConfigured: true } }]);
    const fields = instagram.journal.slice(1).map(({ query }) => query["subscribed_fields"]?.split(",").length);
    expect(fields).toEqual([8, 6]);
  });

  test("G-141 webhooks that are refused do not keep it from connecting, and that is shown", async () => {
    channel().instagram.failNext(2, { kind: "error", code: 200, subcode: 2534041 }, { operation: "subscription.add" });
    const { host } = await connect();
    expect(host.reports).toMatchObject([{ state: "CONNECTED", profile: { igWebhookConfigured: false } }]);
    expect(host.logLines.join("")).toContain("webhooks of the account could not be subscribed");
  });

  test.each(["account.get", "subscription.add"])(
    "is tried again after 2, 10, 30 and 120 s, then every 300 s, while %s has no clear answer",
    async (operation) => {
      const { instagram } = channel();
      instagram.fail({ failure: { kind: "http", status: 503 }, operation, isLasting: true });
      const { host } = await connect();
      const asked = () => instagram.journal.filter(({ path }) => path.endsWith("/me")).length;
      for (const [index, seconds] of [2, 10, 30, 120, 300, 300].entries()) {
        host.clock.advance(seconds * SECOND_MS - 1);
        await host.settled();
        expect([seconds, asked()]).toEqual([seconds, index + 1]);
        host.clock.advance(1);
        await host.settled();
      }
      expect(host.reports).toEqual([]);
      instagram.clearFailures();
      host.clock.advance(300 * SECOND_MS);
      await host.settled();
      expect(host.reports.map(({ state }) => state)).toEqual(["CONNECTED"]);
      expect(host.clock.pendingTimers).toBe(0);
    },
  );
});

describe("forgetting", () => {
  const forget = () => channel().link.forget({ deregister: false, isLastOfAccount: true });

  test("takes the account's webhooks off", async () => {
    await forget();
    expect(channel().instagram.journal.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
      `DELETE /graph/v25.0/${ACCOUNT}/subscribed_apps 200`,
    ]);
  });

  test("never throws, whatever is broken", async () => {
    const { instagram, host } = channel();
    instagram.expireToken(TOKEN);
    await forget();
    expect(host.reports).toEqual([]);
    expect(host.logLines.join("")).toContain("did not unsubscribe");
    await instagram.stop();
    await forget();
    host.breakVault();
    await forget();
  });
});
