import { describe, expect, test } from "bun:test";
import { wabaPlugin } from "../../../plugins/waba/plugin.ts";
import { createHttp } from "../../../src/adapters/http/http.ts";
import { recordingHost } from "../../../src/conformance/recording-host.ts";
import type { UpstreamFile } from "../../../src/contract/content/media.ts";
import type { UpstreamResult } from "../../../src/contract/upstream.ts";
import { graphError, scriptedGraph } from "../../support/networks/scripted-graph.ts";
import { CREDENTIALS, wabaChannel } from "../../support/networks/waba-channel.ts";
import { goodTls, redirecting, testCa, tripwire } from "../../support/servers/hostile.ts";

const channel = wabaChannel();
const MEDIA_ID = "1037543291543636";
const BEARER = `Bearer ${CREDENTIALS.accessToken}`;

const fileInfo = (url: string, more: object = {}) => ({
  status: 200,
  body: {
    messaging_product: "whatsapp",
    url,
    mime_type: "image/png",
    sha256: "0f".repeat(32),
    file_size: "5",
    id: MEDIA_ID,
    ...more,
  },
});
const bytes = { status: 200, body: "bytes" };
const here = (path = "/whatsapp_business/attachments/?mid=1") => `${channel().graph.url}${path}`;
const open = () => channel().link.media?.open(MEDIA_ID) as Promise<UpstreamResult<UpstreamFile>>;
const asked = () => channel().graph.arrived.map(({ method, path }) => `${method} ${path}`);

describe("a file of the official API", () => {
  test("is asked for by its id, without the number, and read at the address in the answer", async () => {
    channel().graph.script(fileInfo(here()), bytes);
    const opened = await open();
    if (!opened.ok) throw new Error("not opened");
    const { body, ...metadata } = opened.value;
    expect(metadata).toEqual({ contentType: "image/png", sizeBytes: 5, sha256: "0f".repeat(32) });
    expect(await new Response(body as ReadableStream).text()).toBe("bytes");
    expect(
      channel().graph.arrived.map(({ path, query, authorization }) => [path, [...query.keys()], authorization]),
    ).toEqual([
      [`/v26.0/${MEDIA_ID}`, [], BEARER],
      ["/whatsapp_business/attachments/", ["mid"], BEARER],
    ]);
  });

  test.each([401, 404])("is asked for once more when its address is no longer good (%p)", async (status) => {
    channel().graph.script(fileInfo(here()), { status, body: "" }, fileInfo(here("/fresh")), bytes);
    expect((await open()).ok).toBe(true);
    expect(asked()).toEqual([
      `GET /v26.0/${MEDIA_ID}`,
      "GET /whatsapp_business/attachments/",
      `GET /v26.0/${MEDIA_ID}`,
      "GET /fresh",
    ]);
    channel().graph.script(fileInfo(here()), { status, body: "" }, fileInfo(here()), { status, body: "" });
    expect(await open()).toMatchObject({ ok: false, kind: "refused" });
    expect(channel().graph.arrived).toHaveLength(8);
  });

  const ANSWERS: [what: string, status: number, kind: "refused" | "unavailable"][] = [
    ["500", 500, "unavailable"],
    ["503", 503, "unavailable"],
    ["429", 429, "unavailable"],
    ["403", 403, "refused"],
    ["302", 302, "refused"],
    ["204", 204, "refused"],
  ];
  test.each(ANSWERS)("whose address answers with %s is %p", async (_, status, kind) => {
    channel().graph.script(fileInfo(here()), { status, body: "" });
    expect(await open()).toMatchObject({ ok: false, kind });
    expect(channel().graph.arrived).toHaveLength(2);
  });

  test("that the network does not know is refused; a refused token is one, and is reported", async () => {
    channel().graph.script({ status: 400, body: graphError(100, "Unsupported get request.") });
    expect(await open()).toMatchObject({ ok: false, kind: "refused", error: { code: 100 } });
    channel().graph.script({ status: 401, body: graphError(190, "The session is invalid.") });
    expect(await open()).toMatchObject({ ok: false, kind: "token" });
    expect(channel().host.reports).toEqual([{ state: "TOKEN_EXPIRED", reason: "TOKEN_EXPIRED" }]);
  });

  test("that the network names without an address is unavailable, and so is one whose answer is lost", async () => {
    channel().graph.script(fileInfo("", { url: undefined }), "cut", fileInfo(here()), "cut");
    for (let time = 0; time < 3; time++) expect(await open()).toMatchObject({ ok: false, kind: "unavailable" });
  });

  test("without credentials, or with ones that cannot be read, nothing is asked", async () => {
    const bare = channel().open({});
    expect(await bare.link.media?.open(MEDIA_ID)).toMatchObject({ ok: false, kind: "credentials" });
    channel().host.breakVault();
    expect(await open()).toMatchObject({ ok: false, kind: "credentials" });
    expect(asked()).toEqual([]);
  });
});

describe("the token goes to the Graph API and over TLS, nowhere else", () => {
  test.each(["http", "ftp", "nonsense"])("not to an address of %s", async (scheme) => {
    await using wire = await tripwire();
    channel().graph.script(fileInfo(scheme === "nonsense" ? "no address" : wire.url.replace("http", scheme)));
    expect(await open()).toMatchObject({ ok: false, kind: "refused" });
    expect(wire.connections).toBe(0);
  });

  test("not to a private address, nor where a redirect leads", async () => {
    await using wire = await tripwire();
    await using lure = await redirecting(wire.url);
    for (const url of [wire.url.replace("http:", "https:"), "https://10.0.0.1/file", "https://[::1]/file"]) {
      channel().graph.script(fileInfo(url));
      expect(await open()).toMatchObject({ ok: false, kind: "refused" });
    }
    channel().graph.script(fileInfo(here()), { status: 302, body: "", headers: { location: lure.url } });
    expect(await open()).toMatchObject({ ok: false, kind: "refused" });
    expect([wire.connections, lure.connections]).toEqual([0, 0]);
  });

  test("to another host over TLS that is to be trusted", async () => {
    await using elsewhere = await goodTls();
    const graph = await scriptedGraph();
    const http = createHttp({ allow: ["127.0.0.1"], extraCa: await testCa() });
    const plugin = wabaPlugin({
      graphUrl: graph.url,
      graphVersion: "v26.0",
      appSecrets: ["secret"],
      verifyToken: undefined,
    });
    const link = plugin.open(recordingHost({ http, vault: CREDENTIALS }));
    graph.script(fileInfo(elsewhere.url));
    const opened = await link.media?.open(MEDIA_ID);
    expect(opened?.ok && (await new Response(opened.value.body as ReadableStream).text())).toBe("ok");
    expect(elsewhere.requests[0]?.toLowerCase()).toContain(`authorization: ${BEARER.toLowerCase()}`);
    await link.close();
    http.close();
    await graph.close();
  });
});

describe("what is no id of a file", () => {
  test.each(["me", "12/34", "", "1".repeat(33), "upload:MTo="])("%j is not deleted", async (handle) => {
    expect(await channel().link.media?.uploads?.remove(handle)).toMatchObject({ ok: false, kind: "refused" });
    expect(asked()).toEqual([]);
  });
});
