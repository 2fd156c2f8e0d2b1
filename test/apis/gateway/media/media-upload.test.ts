import { describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer, sendsOf, tracesOf } from "../../../support/customers/customer.ts";
import { FILES } from "../../../support/customers/media.ts";
import { APP_ID, MIB, mediaUrlSays, uploading } from "../../../support/customers/uploading.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import {
  dropping,
  endless,
  hanging,
  redirecting,
  slow,
  tripwire,
  truncating,
} from "../../../support/servers/hostile.ts";
import { untilTrue } from "../../../support/waiting.ts";

const UNKNOWN = "01a1f8d3-ea00-4000-8000-000000000000";
const ROUTES = [
  ["POST", "/v1/media/upload"],
  ["POST", "/v1/media/upload/resumable"],
  ["DELETE", "/v1/media/upstream/1234567890"],
] as const;

const { host, call, upload, tempFiles, given, world, customer } = uploading();

describe("the phone of an upload", () => {
  test.each(ROUTES)(
    "G-540 G-547 G-551 GAP-G59 %s %s names it in X-Phone-Id, whatever else is wrong",
    async (method, path) => {
      const [w, c] = [world(), customer()];
      const before = await tracesOf(w, c);
      const body = method === "POST" ? { body: {} } : {};
      for (const phoneId of [null, "", "  "])
        expect(gatewaySays(await call(path, { ...body, method, phoneId }))).toBe("400 MISSING_PHONE_ID");
      expect(fieldsOf(await call(path, { ...body, method, phoneId: "not-a-uuid" }))).toEqual(["X-Phone-Id"]);
      expect(await tracesOf(w, c)).toEqual(before);
    },
  );

  test.each(ROUTES)(
    "G-540 GAP-G35 GAP-G59 %s %s does not find one that is unknown, another account's or no WABA phone",
    async (method, path) => {
      const [w, c] = [world(), customer()];
      const stranger = await newCustomer(w);
      const { body: session } = await w.gateway("/v1/phones", {
        key: c.key,
        body: { type: "SESSION", label: "A session" },
      });
      const before = await tracesOf(w, c);
      const body = { mediaUrl: host.url("a.png"), mimeType: "image/png", fileName: "a.png", appId: APP_ID };
      for (const phoneId of [UNKNOWN, stranger.phone.id, session.id])
        expect(gatewaySays(await call(path, { method, phoneId, ...(method === "POST" ? { body } : {}) }))).toBe(
          "404 PHONE_NOT_FOUND",
        );
      expect(await tracesOf(w, c)).toEqual(before);
    },
  );

  test("needs a key first", async () => {
    const w = world();
    for (const [method, path] of ROUTES)
      expect(gatewaySays(await w.gateway(path, { method }))).toBe("401 AUTH_MISSING");
  });
});

describe("an upload", () => {
  test("G-544 G-545 gives the network the bytes, type and name; its handle can be sent", async () => {
    const [w, c] = [world(), customer()];
    const answer = await upload({ filename: 'a "quoted"\r\nname.png' });
    expect([answer.status, Object.keys(answer.body)]).toEqual([201, ["mediaHandle"]]);
    const file = w.graph.media.get(answer.body.mediaHandle);
    expect(file).toMatchObject({
      mimeType: "image/png",
      filename: "a %22quoted%22name.png",
      origin: "upload",
      phoneNumberId: c.phone.phoneNumberId,
    });
    expect(Buffer.from(file?.bytes ?? []).equals(FILES.png)).toBe(true);
    const id = await c.sent({ type: "image", content: { mediaHandle: answer.body.mediaHandle } });
    expect((await c.message(id)).status).toBe("SENT");
    expect(sendsOf(w, c).at(-1).image).toEqual({ id: answer.body.mediaHandle });
    expect(tempFiles()).toEqual([]);
  });

  test("of a type with parameters reaches the network under the type alone, and without a name under one of ours", async () => {
    const w = world();
    const { body } = await upload({ mimeType: "audio/ogg; codecs=opus" });
    expect(w.graph.media.get(body.mediaHandle)).toMatchObject({ mimeType: "audio/ogg", filename: "file" });
  });

  const WRONG: [rule: string, body: object, field: string][] = [
    ["G-541 without mediaUrl", { mediaUrl: undefined }, "mediaUrl"],
    ["G-541 from plain http", { mediaUrl: "http://files.example.com/a.png" }, "mediaUrl"],
    ["G-541 from what is no URL", { mediaUrl: "files" }, "mediaUrl"],
    ["G-541 from a file of ours", { mediaUrl: "file:///etc/passwd" }, "mediaUrl"],
    ["G-541 from a URL with a password", { mediaUrl: "https://a:b@files.example.com/a.png" }, "mediaUrl"],
    ["G-542 without mimeType", { mimeType: undefined }, "mimeType"],
    ["G-542 of an empty mimeType", { mimeType: "" }, "mimeType"],
    ["G-542 of what is no media type", { mimeType: "png" }, "mimeType"],
    ["G-542 of a type that would break a header", { mimeType: "image/png\r\nx-evil: 1" }, "mimeType"],
    ["G-543 with a name of 256 characters", { filename: "x".repeat(256) }, "filename"],
    ["G-543 with an empty name", { filename: "" }, "filename"],
  ];
  test.each(WRONG)("%s is refused, and nothing happens", async (_, body, field) => {
    const [w, c] = [world(), customer()];
    const [before, asked] = [await tracesOf(w, c), host.asked.length];
    expect(fieldsOf(await upload(body))).toEqual([field]);
    expect([await tracesOf(w, c), host.asked.length]).toEqual([before, asked]);
  });

  test("G-543 takes a name of 255 characters", async () => {
    expect((await upload({ filename: "x".repeat(255) })).status).toBe(201);
  });

  const LIMITS: [rule: string, path: string, mimeType: string][] = [
    ["G-546 GAP-G34 a picture over 5 MB", "over5MB", "image/jpeg"],
    ["G-546 GAP-G34 a film over 16 MB", "over16MB", "video/mp4"],
    ["G-546 GAP-G34 a sound over 16 MB", "over16MB", "audio/mpeg"],
    ["G-546 GAP-G34 a document over 100 MB, which does not say how long it is", "over100MB", "application/pdf"],
  ];
  test.each(LIMITS)("%s is refused", async (_, path, mimeType) => {
    const [w, c] = [world(), customer()];
    const before = await tracesOf(w, c);
    expect(mediaUrlSays(await upload({ mediaUrl: host.url(path), mimeType }))).toContain(
      "bytes that one of its type may have",
    );
    expect([await tracesOf(w, c), tempFiles()]).toEqual([before, []]);
  });

  test("G-546 a picture of 5 MB and a film of more are taken", async () => {
    for (const [path, mimeType] of [
      ["5MB", "image/jpeg"],
      ["over5MB", "video/mp4"],
    ] as const)
      expect((await upload({ mediaUrl: host.url(path), mimeType })).status).toBe(201);
    expect(given().map(({ bytes }) => bytes.length)).toEqual([5 * MIB, 5 * MIB + 1]);
  });

  test("a page or JSON in place of a picture is refused, and nothing happens; the network judges other bytes", async () => {
    const [w, c] = [world(), customer()];
    const before = await tracesOf(w, c);
    for (const path of ["page.png", "error.png"])
      expect(mediaUrlSays(await upload({ mediaUrl: host.url(path) }))).toBe(
        "leads to text/plain, such as an error page",
      );
    expect([await tracesOf(w, c), tempFiles()]).toEqual([before, []]);
    expect((await upload({ mediaUrl: host.url("letters.png") })).status).toBe(201);
  });

  test("GAP-G34 refusals of the network are answered in its words", async () => {
    const answer = await upload({ mimeType: "audio/wav" });
    expect(gatewaySays(answer)).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(answer.body.error.details.upstreamError).toMatchObject({
      code: 100,
      message: expect.stringContaining("audio/wav"),
    });
    expect(tempFiles()).toEqual([]);
  });

  test.each([
    { kind: "reset" },
    { kind: "half" },
    { kind: "http", status: 502 },
    { kind: "error", code: 131000 },
  ] as const)("a network that does not answer clearly is a 502: %j", async (failure) => {
    world().graph.failNext(1, failure, { operation: "media.upload", phoneNumberId: customer().phone.phoneNumberId });
    expect(gatewaySays(await upload())).toBe("502 UPSTREAM_UNAVAILABLE");
    expect([tempFiles(), (await upload()).status]).toEqual([[], 201]);
  });

  test("an expired token is said to be one", async () => {
    const [w, c] = [world(), customer()];
    w.graph.expireToken(c.phone.accessToken);
    expect(gatewaySays(await upload())).toBe("500 WABA_TOKEN_INVALID");
  });
});

describe("a host that does not give its file", () => {
  const SAID: [what: string, open: () => Promise<{ url: string } & AsyncDisposable>, says: string][] = [
    ["that drops the connection", dropping, "broke off the connection"],
    ["that promises more than it gives", truncating, "broke off before the file was whole"],
    ["that pours without an end", endless, "may have"],
    ["that sends us elsewhere", () => redirecting("http://127.0.0.1/a.png"), "redirects are not followed"],
  ];
  test.each(SAID)("GAP-G34 %s is answered, and nothing is left", async (_, open, says) => {
    const [w, c] = [world(), customer()];
    await using endpoint = await open();
    const before = await tracesOf(w, c);
    expect(mediaUrlSays(await upload({ mediaUrl: endpoint.url }))).toContain(says);
    expect([await tracesOf(w, c), tempFiles()]).toEqual([before, []]);
  });

  test.each([hanging, () => slow(20)])("that lets us wait is given up after two minutes", async (open) => {
    const w = world();
    await using endpoint = await open();
    const answer = upload({ mediaUrl: endpoint.url });
    await untilTrue(() => endpoint.requests.length !== 0);
    w.clock.advance(2 * MINUTE_MS);
    expect(mediaUrlSays(await answer)).toMatch(/did not give the file in time|broke off/);
    expect(tempFiles()).toEqual([]);
  });

  test("that answers with something else, is empty, or is not there", async () => {
    const said = [];
    for (const url of [
      host.url("missing"),
      host.url("empty"),
      "http://127.0.0.1:1/a.png",
      "https://no-such-host.invalid/a.png",
    ])
      said.push(mediaUrlSays(await upload({ mediaUrl: url })));
    expect(said).toEqual([
      "answered with 404 instead of the file",
      "leads to an empty file",
      expect.stringContaining("could not be connected"),
      expect.stringContaining("not known"),
    ]);
  });

  test("GAP-C09 that lies at a private address is never reached, by name, number or redirect", async () => {
    await using wire = await tripwire({ hostname: "127.0.0.2" });
    await using lure = await redirecting(wire.url);
    for (const mediaUrl of [
      wire.url.replace("http:", "https:"),
      lure.url,
      "https://10.0.0.1/a",
      "https://[::ffff:7f00:2]/a",
    ]) {
      const says = mediaUrlSays(await upload({ mediaUrl }));
      expect([mediaUrl, says]).toEqual([
        mediaUrl,
        expect.stringMatching(/may not be reached|redirects are not followed/),
      ]);
    }
    expect(wire.connections).toBe(0);
  });

  test("one account uploads four files at a time; the others are asked to come back, and another account is not", async () => {
    const w = world();
    await using endpoint = await hanging();
    const other = await newCustomer(w);
    const waiting = Array.from({ length: 4 }, () => upload({ mediaUrl: endpoint.url }));
    await untilTrue(() => endpoint.requests.length >= 4);
    const fifth = await upload();
    expect([gatewaySays(fifth), fifth.headers.get("retry-after")]).toEqual(["429 RATE_LIMITED", "5"]);
    const body = { mediaUrl: host.url("a.png"), mimeType: "image/png" };
    expect(
      (await w.gateway("/v1/media/upload", { key: other.key, body, headers: { "x-phone-id": other.phone.id } })).status,
    ).toBe(201);
    w.clock.advance(2 * MINUTE_MS);
    await Promise.all(waiting);
    expect((await upload()).status).toBe(201);
  });
});
