import { describe, expect, test } from "bun:test";
import { type Answer, graphError } from "../../support/networks/scripted-graph.ts";
import { arrivedAt, CREDENTIALS, orderOf, wabaChannel } from "../../support/networks/waba-channel.ts";

const channel = wabaChannel();

/** The outcome of one send that is answered so. */
const outcomeOf = (answer: Answer) => {
  const { graph, link } = channel();
  graph.script(answer);
  return link.send(orderOf({ type: "text", content: { text: "oi" } }));
};
const refusalOf = (code: number, status = 400, headers: Record<string, string> = {}) =>
  outcomeOf({ status, headers, body: graphError(code, `(#${code}) A title`, "The details.") });

describe("an upstream refusal of a send", () => {
  const MISFITS = [132000, 132012, 132018];
  test.each([...MISFITS, 132005, 132015, 132016, 131047, 131026, 131051])(
    "G-640 %i is final: refused, and asked once",
    async (code) => {
      expect(await refusalOf(code)).toEqual({
        ok: false,
        kind: "refused",
        code: "UPSTREAM_BAD_REQUEST",
        upstreamCode: code,
        reason: `(#${code}) A title: The details.`,
        ...(MISFITS.includes(code) ? { isTemplateMisfit: true } : {}),
      });
      expect(arrivedAt(channel(), "messages").length).toBe(1);
    },
  );

  test("G-641 132001 is retried: the approval may not have spread yet", async () => {
    expect(await refusalOf(132001, 404)).toMatchObject({
      kind: "retry",
      code: "UPSTREAM_BAD_REQUEST",
      upstreamCode: 132001,
    });
  });

  test.each([
    [100, 400],
    [131009, 400],
    [131008, 400],
    [133010, 400],
    [131030, 400],
    [132007, 400],
    [10, 403],
    [368, 403],
    [131031, 403],
    [803, 404],
  ])("G-642 %i (HTTP %i) stays retryable", async (code, status) => {
    expect(await refusalOf(code, status)).toMatchObject({
      ok: false,
      kind: "retry",
      code: "UPSTREAM_BAD_REQUEST",
      upstreamCode: code,
    });
  });

  test("G-642 a 400 that is no Graph error stays retryable and says which status it was", async () => {
    expect(await outcomeOf({ status: 400, body: "<html>bad</html>" })).toEqual({
      ok: false,
      kind: "retry",
      code: "UPSTREAM_BAD_REQUEST",
      reason: "HTTP 400",
    });
  });

  test.each([131026, 131047, 131051, 131057, 132000, 132068, 133010, 133015, 190, 4, 17, 32])(
    "G-644 the text of %i begins with its number, once",
    async (code) => {
      const outcome = await refusalOf(code);
      expect(outcome.ok ? "" : outcome.reason).toBe(`(#${code}) A title: The details.`);
    },
  );

  test("G-644 a long or double text is cut, not repeated", async () => {
    const outcome = await outcomeOf({ status: 400, body: graphError(100, "Invalid parameter", "Invalid parameter") });
    expect(outcome.ok ? "" : outcome.reason).toBe("(#100) Invalid parameter");
    const long = await outcomeOf({ status: 400, body: graphError(100, "x".repeat(5000)) });
    expect(long.ok ? 0 : long.reason.length).toBe(500);
  });
});

describe("the format of a voice note", () => {
  const voiceNote = (mimeType?: string) =>
    orderOf({
      type: "audio",
      content: { mediaUrl: "https://f.example.com/a", ptt: true, ...(mimeType ? { mimeType } : {}) },
    });
  const refused = (details: string) => ({
    status: 400,
    body: graphError(131053, "(#131053) Media upload error", details),
  });

  test.each(["audio/mpeg", "audio/opus", "audio/ogg; codecs=vorbis", "audio/oggs"])(
    "G-320 %s is INVALID_PTT_FORMAT, and the upstream is not asked",
    async (mimeType) => {
      const reason = `a voice note must be audio/ogg; codecs=opus, not ${mimeType}`;
      expect(await channel().link.send(voiceNote(mimeType))).toEqual({
        ok: false,
        kind: "refused",
        code: "INVALID_PTT_FORMAT",
        reason,
      });
      expect(arrivedAt(channel(), "messages")).toEqual([]);
    },
  );

  test("G-320 G-642 a refused format is INVALID_PTT_FORMAT and stays retryable; a refused link is not", async () => {
    const { graph, link } = channel();
    graph.script(
      refused("Unsupported Voice mime type audio/aiff. Please use one of audio/ogg; codecs=opus."),
      refused("Downloading media from weblink failed with http code 404"),
    );
    expect(await link.send(voiceNote())).toMatchObject({
      kind: "retry",
      code: "INVALID_PTT_FORMAT",
      upstreamCode: 131053,
    });
    expect(await link.send(voiceNote())).toMatchObject({
      kind: "retry",
      code: "UPSTREAM_BAD_REQUEST",
      upstreamCode: 131053,
    });
  });

  test("the same refusal of any other file is UPSTREAM_BAD_REQUEST", async () => {
    const { graph, link } = channel();
    graph.script(refused("Unsupported Audio mime type audio/aiff."));
    expect(
      await link.send(orderOf({ type: "audio", content: { mediaUrl: "https://f.example.com/a", ptt: false } })),
    ).toMatchObject({ code: "UPSTREAM_BAD_REQUEST" });
  });
});

describe("a rate limit of the upstream", () => {
  test.each([4, 17, 32, 80007, 613, 130429, 131048, 133016])(
    "G-645 %i slows the channel down, whether it comes as 400 or 429, and is logged as UPSTREAM_RATE_LIMIT",
    async (code) => {
      for (const status of [400, 429]) {
        expect(await refusalOf(code, status)).toMatchObject({
          kind: "retry",
          code: "UPSTREAM_RATE_LIMIT",
          upstreamCode: code,
          isRateLimit: true,
          retryAfterMs: 30_000,
        });
      }
      const lines = channel().host.logLines.map((line) => JSON.parse(line) as unknown);
      expect(lines).toMatchObject([
        { code: "UPSTREAM_RATE_LIMIT", upstreamCode: code },
        { code: "UPSTREAM_RATE_LIMIT", upstreamCode: code },
      ]);
    },
  );

  test("131056, the limit of one pair, waits the six seconds it takes", async () => {
    expect(await refusalOf(131056)).toMatchObject({ isRateLimit: true, retryAfterMs: 6000 });
  });

  test("a 429 without a code the plugin knows is a rate limit too", async () => {
    expect(await refusalOf(131099, 429)).toMatchObject({ code: "UPSTREAM_RATE_LIMIT", isRateLimit: true });
    expect(await outcomeOf({ status: 429, body: "" })).toMatchObject({
      code: "UPSTREAM_RATE_LIMIT",
      isRateLimit: true,
    });
  });

  test("the usage header names minutes to wait: the longest counts, at most a day; garbage is ignored", async () => {
    const usage = (...minutes: unknown[]) => ({
      "x-business-use-case-usage": JSON.stringify({
        "102290129340398": minutes.map((estimated_time_to_regain_access) => ({
          type: "whatsapp",
          estimated_time_to_regain_access,
        })),
      }),
    });
    expect(await refusalOf(80007, 400, usage(0, 7, 3))).toMatchObject({ retryAfterMs: 420_000 });
    // whole milliseconds, as everything that is stored
    expect(await refusalOf(80007, 400, usage(1.00001))).toMatchObject({ retryAfterMs: 60_001 });
    expect(await refusalOf(80007, 400, usage(100_000))).toMatchObject({ retryAfterMs: 86_400_000 });
    expect(await refusalOf(80007, 400, usage("soon", null))).toMatchObject({ retryAfterMs: 30_000 });
    expect(await refusalOf(80007, 400, { "x-business-use-case-usage": "no json" })).toMatchObject({
      retryAfterMs: 30_000,
    });
  });
});

describe("an upstream in trouble", () => {
  test.each([
    [1, 400],
    [2, 503],
    [131000, 500],
    [131016, 500],
    [131057, 500],
    [133004, 503],
  ])("%i (HTTP %i) is retried as UPSTREAM_UNAVAILABLE", async (code, status) => {
    expect(await refusalOf(code, status)).toMatchObject({
      ok: false,
      kind: "retry",
      code: "UPSTREAM_UNAVAILABLE",
      upstreamCode: code,
    });
  });

  test.each([500, 502, 503])(
    "HTTP %i from somebody in between is retried, and the repeat counts as one that may be a second",
    async (status) => {
      expect(await outcomeOf({ status, body: "<html></html>" })).toEqual({
        ok: false,
        kind: "retry",
        code: "UPSTREAM_UNAVAILABLE",
        reason: `HTTP ${status}`,
        isUncertain: true,
      });
    },
  );

  test("a gateway timeout without a Graph error is unknown: the request was passed on", async () => {
    expect(await outcomeOf({ status: 504, body: "" })).toMatchObject({ kind: "unknown", code: "OUTCOME_UNKNOWN" });
  });

  test("a token that the network repeats in its refusal is not passed on", async () => {
    const outcome = await outcomeOf({
      status: 400,
      body: graphError(100, `Malformed access token ${CREDENTIALS.accessToken}`, `${CREDENTIALS.accessToken} again`),
    });
    expect(outcome).toMatchObject({ ok: false, reason: "(#100) Malformed access token [token]: [token] again" });
  });

  test("a redirect is not followed and not taken for a success", async () => {
    expect(await outcomeOf({ status: 302, body: "", headers: { location: "/elsewhere" } })).toMatchObject({
      kind: "retry",
      code: "UPSTREAM_UNAVAILABLE",
    });
    expect(channel().graph.arrived.length).toBe(1);
  });

  test("no connection: certainly not sent, so it is retried", async () => {
    await channel().graph.close();
    expect(await channel().link.send(orderOf({ type: "text", content: { text: "oi" } }))).toMatchObject({
      kind: "retry",
      code: "UPSTREAM_UNAVAILABLE",
    });
  });

  test("a connection cut after the request: unknown, never sent again blindly", async () => {
    expect(await outcomeOf("cut")).toMatchObject({ kind: "unknown", code: "OUTCOME_UNKNOWN" });
    expect(arrivedAt(channel(), "messages").length).toBe(1);
  });

  test("an unreadable success is unknown; a readable one without an id is UPSTREAM_NO_ID and final", async () => {
    for (const body of ["", "{", "[]", `{"pad":"${"x".repeat(70_000)}"}`])
      expect(await outcomeOf({ status: 200, body })).toMatchObject({ kind: "unknown", code: "OUTCOME_UNKNOWN" });
    for (const body of [{}, { messages: [] }, { messages: [{ id: "" }] }, { messages: "x" }]) {
      expect(await outcomeOf({ status: 200, body })).toMatchObject({
        ok: false,
        kind: "refused",
        code: "UPSTREAM_NO_ID",
      });
    }
  });

  test("an error in a 200 is an error", async () => {
    expect(await refusalOf(131026, 200)).toMatchObject({ kind: "refused", upstreamCode: 131026 });
  });
});

describe("an access token that is refused", () => {
  test.each([
    [190, 401],
    [190, 400],
    [0, 401],
  ])(
    "G-646 %i (HTTP %i) marks the channel TOKEN_EXPIRED and keeps the message for the next token",
    async (code, status) => {
      expect(await refusalOf(code, status)).toMatchObject({
        ok: false,
        kind: "retry",
        code: "WABA_TOKEN_INVALID",
        upstreamCode: code,
      });
      expect(channel().host.reports).toEqual([{ state: "TOKEN_EXPIRED", reason: "TOKEN_EXPIRED" }]);
      expect(channel().host.state).toBe("TOKEN_EXPIRED");
    },
  );

  test("G-646 a late 190 for the old token does not speak of the new one", async () => {
    const { graph, host, link } = channel();
    graph.script("silence");
    const sending = link.send(orderOf({ type: "text", content: { text: "oi" } }));
    await graph.silenced();
    link.connect();
    await host.until(() => host.state === "CONNECTED");
    graph.release({ status: 401, body: graphError(190, "Invalid OAuth access token") });
    expect(await sending).toMatchObject({ kind: "retry", code: "WABA_TOKEN_INVALID" });
    expect(host.state).toBe("CONNECTED");
  });

  test("without credentials a send is refused, with an unreadable vault retried; nothing is asked", async () => {
    const { host, link } = channel().open({});
    expect(await link.send(orderOf({ type: "text", content: { text: "oi" } }))).toMatchObject({
      kind: "refused",
      code: "WABA_CREDS_MISSING",
    });
    host.breakVault();
    expect(await link.send(orderOf({ type: "text", content: { text: "oi" } }))).toMatchObject({
      kind: "retry",
      code: "INTERNAL_ERROR",
    });
    expect(channel().graph.arrived).toEqual([]);
  });
});
