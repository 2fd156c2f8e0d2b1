import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";
import { type Customer, newCustomer, sendsOf, tracesOf } from "../../support/customer.ts";
import { type FileHost, fileHost } from "../../support/file-host.ts";
import { dropping, endless, hanging, redirecting, slow, tripwire, truncating } from "../../support/hostile.ts";
import { FILES } from "../../support/media.ts";
import { fieldsOf, gatewaySays } from "../../support/refusals.ts";
import { type Answer, startWorld, type World } from "../../support/world.ts";

const MIB = 1024 * 1024;
const APP_ID = "670000000000001";
const UNKNOWN = "01a1f8d3-ea00-4000-8000-000000000000";
const ROUTES = [
  ["POST", "/v1/media/upload"],
  ["POST", "/v1/media/upload/resumable"],
  ["DELETE", "/v1/media/upstream/1234567890"],
] as const;

let w: World;
let c: Customer;
let host: FileHost;
beforeAll(async () => {
  w = await startWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
  host = fileHost({
    "a.png": { bytes: FILES.png },
    "a.pdf": { bytes: FILES.pdf },
    empty: { bytes: new Uint8Array() },
    "5MB": { bytes: new Uint8Array(5 * MIB) },
    over5MB: { bytes: new Uint8Array(5 * MIB + 1) },
    over16MB: { bytes: new Uint8Array(16 * MIB + 1) },
    over100MB: () => ({ bytes: poured(100 * MIB + 1) }),
  });
});
beforeEach(async () => {
  c = await newCustomer(w);
});
afterAll(async () => {
  await host.stop();
  await w.stop();
});

/** So many bytes, without an announced length. */
const poured = (sizeBytes: number): ReadableStream<Uint8Array> => {
  let left = sizeBytes;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(Math.min(left, 256 * 1024)));
      left -= Math.min(left, 256 * 1024);
      if (left === 0) controller.close();
    },
  });
};

type Call = { body?: object; phoneId?: string | null; method?: string };
const call = (path: string, { body, phoneId = c.phone.id, method = "POST" }: Call = {}): Promise<Answer> =>
  w.gateway(path, { key: c.key, method, ...(body ? { body } : {}), headers: phoneId === null ? {} : { "x-phone-id": phoneId } });
const upload = (body: object, more: Call = {}) => call("/v1/media/upload", { body: { mediaUrl: host.url("a.png"), mimeType: "image/png", ...body }, ...more });
const resumable = (body: object, more: Call = {}) =>
  call("/v1/media/upload/resumable", { body: { mediaUrl: host.url("a.pdf"), mimeType: "application/pdf", fileName: "a.pdf", appId: APP_ID, ...body }, ...more });
const mediaUrlSays = (answer: Answer): string => (fieldsOf(answer).join() === "mediaUrl" ? answer.body.error.details.fieldErrors.mediaUrl[0] : answer.text);
/** Nothing lies on our disk any more, and nothing reached the network. */
const spooled = () => readdirSync(join(w.dataDir, "spool"));
const given = () => [...w.graph.media.values()].filter(({ phoneNumberId, origin }) => phoneNumberId === c.phone.phoneNumberId && origin === "upload");

describe("the phone of an upload", () => {
  test.each(ROUTES)("G-540 G-547 G-551 GAP-G59 %s %s names it in X-Phone-Id, whatever else is wrong", async (method, path) => {
    const before = await tracesOf(w, c);
    const body = method === "POST" ? { body: {} } : {};
    for (const phoneId of [null, "", "  "]) expect(gatewaySays(await call(path, { ...body, method, phoneId }))).toBe("400 MISSING_PHONE_ID");
    expect(fieldsOf(await call(path, { ...body, method, phoneId: "not-a-uuid" }))).toEqual(["X-Phone-Id"]);
    expect(await tracesOf(w, c)).toEqual(before);
  });

  test.each(ROUTES)("G-540 GAP-G35 GAP-G59 %s %s does not find one that is unknown, another account's or no WABA phone", async (method, path) => {
    const stranger = await newCustomer(w);
    const { body: session } = await w.gateway("/v1/phones", { key: c.key, body: { type: "SESSION", label: "A session" } });
    const before = await tracesOf(w, c);
    const body = { mediaUrl: host.url("a.png"), mimeType: "image/png", fileName: "a.png", appId: APP_ID };
    for (const phoneId of [UNKNOWN, stranger.phone.id, session.id])
      expect(gatewaySays(await call(path, { method, phoneId, ...(method === "POST" ? { body } : {}) }))).toBe("404 PHONE_NOT_FOUND");
    expect(await tracesOf(w, c)).toEqual(before);
  });

  test("needs a key first", async () => {
    for (const [method, path] of ROUTES) expect(gatewaySays(await w.gateway(path, { method }))).toBe("401 AUTH_MISSING");
  });
});

describe("an upload", () => {
  test("G-544 G-545 gives the network the bytes, type and name; its handle can be sent", async () => {
    const answer = await upload({ filename: 'a "quoted"\r\nname.png' });
    expect([answer.status, Object.keys(answer.body)]).toEqual([201, ["mediaHandle"]]);
    const file = w.graph.media.get(answer.body.mediaHandle);
    expect(file).toMatchObject({ mimeType: "image/png", filename: "a %22quoted%22name.png", origin: "upload", phoneNumberId: c.phone.phoneNumberId });
    expect(Buffer.from(file?.bytes ?? []).equals(FILES.png)).toBe(true);
    const id = await c.sent({ type: "image", content: { mediaHandle: answer.body.mediaHandle } });
    expect((await c.message(id)).status).toBe("SENT");
    expect(sendsOf(w, c).at(-1).image).toEqual({ id: answer.body.mediaHandle });
    expect(spooled()).toEqual([]);
  });

  test("of a type with parameters reaches the network under the type alone, and without a name under one of ours", async () => {
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
    const before = await tracesOf(w, c);
    expect(mediaUrlSays(await upload({ mediaUrl: host.url(path), mimeType }))).toContain("bytes that one of its type may have");
    expect([await tracesOf(w, c), spooled()]).toEqual([before, []]);
  });

  test("G-546 a picture of 5 MB and a film of more are taken", async () => {
    for (const [path, mimeType] of [
      ["5MB", "image/jpeg"],
      ["over5MB", "video/mp4"],
    ] as const)
      expect((await upload({ mediaUrl: host.url(path), mimeType })).status).toBe(201);
    expect(given().map(({ bytes }) => bytes.length)).toEqual([5 * MIB, 5 * MIB + 1]);
  });

  test("GAP-G34 refusals of the network are told in its words", async () => {
    const answer = await upload({ mimeType: "audio/wav" });
    expect(gatewaySays(answer)).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(answer.body.error.details.upstreamError).toMatchObject({ code: 100, message: expect.stringContaining("audio/wav") });
    expect(spooled()).toEqual([]);
  });

  test.each([{ kind: "reset" }, { kind: "half" }, { kind: "http", status: 502 }, { kind: "error", code: 131000 }] as const)(
    "a network that does not answer clearly is a 502: %j",
    async (failure) => {
      w.graph.failNext(1, failure, { operation: "media.upload", phoneNumberId: c.phone.phoneNumberId });
      expect(gatewaySays(await upload({}))).toBe("502 UPSTREAM_UNAVAILABLE");
      expect([spooled(), (await upload({})).status]).toEqual([[], 201]);
    },
  );

  test("an expired token is said to be one", async () => {
    w.graph.expireToken(c.phone.accessToken);
    expect(gatewaySays(await upload({}))).toBe("500 WABA_TOKEN_INVALID");
  });
});

describe("a host that does not give its file", () => {
  const SAID: [what: string, open: () => Promise<{ url: string } & AsyncDisposable>, says: string][] = [
    ["that drops the connection", dropping, "broke off the connection"],
    ["that promises more than it gives", truncating, "broke off before the file was whole"],
    ["that pours without an end", endless, "may have"],
    ["that sends us elsewhere", () => redirecting("http://127.0.0.1/a.png"), "redirects are not followed"],
  ];
  test.each(SAID)("GAP-G34 %s is told of, and nothing is left", async (_, open, says) => {
    await using endpoint = await open();
    const before = await tracesOf(w, c);
    expect(mediaUrlSays(await upload({ mediaUrl: endpoint.url }))).toContain(says);
    expect([await tracesOf(w, c), spooled()]).toEqual([before, []]);
  });

  test.each([hanging, () => slow(20)])("that lets us wait is given up after two minutes", async (open) => {
    await using endpoint = await open();
    const answer = upload({ mediaUrl: endpoint.url });
    while (endpoint.requests.length === 0) await new Promise<void>((resolve) => void setImmediate(resolve));
    w.clock.advance(2 * MINUTE_MS);
    expect(mediaUrlSays(await answer)).toMatch(/did not give the file in time|broke off/);
    expect(spooled()).toEqual([]);
  });

  test("that answers with something else, is empty, or is not there", async () => {
    const said = [];
    for (const url of [host.url("missing"), host.url("empty"), "http://127.0.0.1:1/a.png", "https://no-such-host.invalid/a.png"])
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
    for (const mediaUrl of [wire.url.replace("http:", "https:"), lure.url, "https://10.0.0.1/a", "https://[::ffff:7f00:2]/a"]) {
      const says = mediaUrlSays(await upload({ mediaUrl }));
      expect([mediaUrl, says]).toEqual([mediaUrl, expect.stringMatching(/may not be reached|redirects are not followed/)]);
    }
    expect(wire.connections).toBe(0);
  });

  test("one account uploads four files at a time; the others are asked to come back, and another account is not", async () => {
    await using endpoint = await hanging();
    const other = await newCustomer(w);
    const waiting = Array.from({ length: 4 }, () => upload({ mediaUrl: endpoint.url }));
    while (endpoint.requests.length < 4) await new Promise<void>((resolve) => void setImmediate(resolve));
    const fifth = await upload({});
    expect([gatewaySays(fifth), fifth.headers.get("retry-after")]).toEqual(["429 RATE_LIMITED", "5"]);
    const body = { mediaUrl: host.url("a.png"), mimeType: "image/png" };
    expect((await w.gateway("/v1/media/upload", { key: other.key, body, headers: { "x-phone-id": other.phone.id } })).status).toBe(201);
    w.clock.advance(2 * MINUTE_MS);
    await Promise.all(waiting);
    expect((await upload({})).status).toBe(201);
  });
});

describe("a resumable upload", () => {
  const uploads = () => [...w.graph.uploads.values()];

  test("G-547 G-548 G-549 answers with a handle and the session", async () => {
    const { status, body } = await resumable({});
    expect([status, Object.keys(body).sort()]).toEqual([201, ["handle", "sessionId"]]);
    const session = uploads().find(({ handle }) => handle === body.handle);
    expect(session).toMatchObject({ id: body.sessionId, appId: APP_ID, mimeType: "application/pdf", lengthBytes: FILES.pdf.length });
    expect(Buffer.from(session?.bytes ?? []).equals(FILES.pdf)).toBe(true);
  });

  test.each(["mediaUrl", "mimeType", "fileName", "appId"])("G-548 without %s it is refused, and nothing happens", async (field) => {
    const before = await tracesOf(w, c);
    for (const value of [undefined, "", 5]) expect(fieldsOf(await resumable({ [field]: value }))).toEqual([field]);
    expect(await tracesOf(w, c)).toEqual(before);
  });

  test("G-550 takes files over 5 MB, and one that breaks off goes on where it broke; none over 100 MB", async () => {
    const before = w.graph.journal.length;
    w.graph.interruptUpload(2 * MIB);
    const { status, body } = await resumable({ mediaUrl: host.url("over5MB"), mimeType: "image/jpeg" });
    expect(status).toBe(201);
    expect(uploads().find(({ handle }) => handle === body.handle)?.bytes.length).toBe(5 * MIB + 1);
    const calls = w.graph.journal.slice(before).map(({ method, body: sent }) => [method, sent]);
    expect(calls).toEqual([
      ["POST", undefined],
      ["POST", `<${5 * MIB + 1} bytes>`],
      ["GET", undefined],
      ["POST", `<${3 * MIB + 1} bytes>`],
    ]);
    expect(mediaUrlSays(await resumable({ mediaUrl: host.url("over100MB") }))).toContain("104857600");
    expect(spooled()).toEqual([]);
  });

  test("G-550 its handle is one that the network takes as the example of a template's header", async () => {
    const { body } = await resumable({ mediaUrl: host.url("5MB"), mimeType: "image/jpeg" });
    const accountId = (await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key })).body.wabaBusinessAccountId;
    const components = [
      { type: "HEADER", format: "IMAGE", example: { header_handle: [body.handle] } },
      { type: "BODY", text: "Your invoice is here." },
    ];
    const made = await fetch(`${w.graph.url}/v25.0/${accountId}/message_templates`, {
      method: "POST",
      headers: { authorization: `Bearer ${c.phone.accessToken}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "invoice", language: "pt_BR", category: "UTILITY", components }),
    });
    expect([made.status, await made.json()]).toEqual([200, expect.objectContaining({ status: "PENDING" })]);
  });

  test("is given up after a few tries", async () => {
    w.graph.failNext(9, { kind: "reset" }, { operation: "upload.write" });
    expect(gatewaySays(await resumable({}))).toBe("502 UPSTREAM_UNAVAILABLE");
    w.graph.clearFailures();
    w.graph.failNext(1, { kind: "reset" }, { operation: "upload.start" });
    expect(gatewaySays(await resumable({}))).toBe("502 UPSTREAM_UNAVAILABLE");
    w.graph.clearFailures();
  });

  test("of an app that is not the token's, or of a type that is not taken, is refused in the network's words", async () => {
    for (const body of [{ appId: "1" }, { appId: "../me" }, { mimeType: "text/plain" }]) expect(gatewaySays(await resumable(body))).toBe("400 UPSTREAM_BAD_REQUEST");
  });
});

describe("deleting an upload", () => {
  const remove = (id: string) => call(`/v1/media/upstream/${id}`, { method: "DELETE" });

  test("G-551 removes it from the network, once", async () => {
    const { body } = await upload({});
    const gone = await remove(body.mediaHandle);
    expect([gone.status, gone.text, given()]).toEqual([204, "", []]);
    expect(gatewaySays(await remove(body.mediaHandle))).toBe("400 UPSTREAM_BAD_REQUEST");
  });

  test("G-551 touches nothing that is another number's, or no file", async () => {
    const other = await newCustomer(w);
    const { body } = await w.gateway("/v1/media/upload", {
      key: other.key,
      body: { mediaUrl: host.url("a.png"), mimeType: "image/png" },
      headers: { "x-phone-id": other.phone.id },
    });
    for (const id of [body.mediaHandle, "me", "1/../2", c.phone.phoneNumberId]) expect(gatewaySays(await remove(encodeURIComponent(id)))).toBe("400 UPSTREAM_BAD_REQUEST");
    expect(w.graph.media.has(body.mediaHandle)).toBe(true);
  });
});
