import { describe, expect, test } from "bun:test";
import { wabaPlugin } from "../../plugins/waba/plugin.ts";
import { webhookProbe, webhookProbeAt } from "../../plugins/waba/webhook-probe.ts";
import { createHttp } from "../../src/adapters/http/http.ts";
import { hmacSha256 } from "../../src/kernel/crypto.ts";
import { rowsOf } from "../support/customers/customer.ts";
import { webhookRequest } from "../support/networks/webhook-request.ts";
import { useWorld } from "../support/use-world.ts";
import { APP_SECRET, type World } from "../support/world.ts";

const HEADER = "X-Client-Name";
const open = useWorld();
const checking = useWorld({ env: { RECADO_META_WEBHOOK_CLIENT_HEADER: HEADER } });

/** What the probe finds at a server, whose answers come through no proxy. */
const found = async (w: World, header: string | undefined) => {
  const envelopes = () => rowsOf(w, "SELECT id FROM upstream_envelopes");
  const before = await envelopes();
  const http = createHttp({ allow: [], extraCa: undefined });
  const probe = webhookProbeAt(`${w.app.url}/gateway`, APP_SECRET, header);
  const answer = await probe.ask?.(http);
  http.close();
  if (!answer?.ok) throw new Error("the server did not answer");
  expect(await envelopes()).toEqual(before);
  return probe.judge?.(answer);
};

describe("the doctor's probe of Meta's webhooks", () => {
  test("M26-14 is content with a server that accepts signed webhooks, and stores nothing", async () => {
    expect(await found(open, undefined)).toBeUndefined();
  });

  test("M26-14 finds a proxy that passes on the header that a client sends", async () => {
    expect(await found(checking, HEADER)).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("passes on the X-Client-Name"),
    });
  });

  test("M26-14 is content where a proxy drops the header: webhooks without the certificate are refused", async () => {
    expect(await found(checking, "X-Dropped-By-The-Proxy")).toMatchObject({ outcome: "ok" });
  });

  test("M26-14 finds a webhook address that leads elsewhere, or whose proxy demands a certificate", () => {
    const answer = { ok: true, status: 400, headers: {}, body: Buffer.from("<html>"), isCut: false } as const;
    expect(webhookProbeAt("https://a.example", "s", undefined).judge?.({ ...answer, durationMs: 1 })).toMatchObject({
      outcome: "warning",
    });
  });

  test("M26-14 is left out where Meta cannot reach the server, or no secret is set", () => {
    const settings = { appSecrets: ["secret"], webhookClientHeader: undefined };
    expect(webhookProbe({ ...settings, gatewayUrl: "http://127.0.0.1:8080/gateway" })).toEqual([]);
    expect(webhookProbe({ ...settings, gatewayUrl: "https://a.example", appSecrets: [] })).toEqual([]);
    expect(webhookProbe({ ...settings, gatewayUrl: "https://a.example" })).toMatchObject([{ name: "meta-webhook" }]);
  });
});

describe("a webhook where a header for client certificates is set", () => {
  const body = "{}";
  const { receiver } = wabaPlugin({
    graphUrl: "http://127.0.0.1:1",
    graphVersion: "v26.0",
    appSecrets: [APP_SECRET],
    verifyToken: undefined,
    webhookClientHeader: HEADER,
  });
  const isTaken = (name: string | undefined) => {
    const signature = `sha256=${hmacSha256(APP_SECRET, body, "hex")}`;
    const headers = new Headers({
      "x-hub-signature-256": signature,
      ...(name === undefined ? {} : { [HEADER]: name }),
    });
    const request = webhookRequest(body, headers);
    return [receiver?.isSigned(request), receiver?.verify(request)];
  };

  test.each([
    "client.webhooks.fbclientcerts.com",
    "CN=client.webhooks.fbclientcerts.com",
    "CN=client.webhooks.fbclientcerts.com,O=Meta Platforms\\, Inc.,C=US",
    "/C=US/O=Meta Platforms, Inc./CN=client.webhooks.fbclientcerts.com",
  ])("M26-14 is taken from Meta's client, as proxies name it: %s", (name) => {
    expect(isTaken(name)).toEqual([true, true]);
  });

  test.each([
    undefined,
    "",
    "NONE",
    "client.webhooks.fbclientcerts.com.example.com",
    "CN=evil.client.webhooks.fbclientcerts.com",
    "O=client.webhooks.fbclientcerts.com",
  ])("M26-14 is refused from any other, signed or not: %s", (name) => {
    expect(isTaken(name)).toEqual([false, false]);
  });

  test("M26-14 is refused by the server before its body is read", async () => {
    const post = (headers: Record<string, string>) =>
      fetch(`${checking.app.url}/gateway/v1/upstream-webhook`, {
        method: "POST",
        headers: { "x-hub-signature-256": `sha256=${hmacSha256(APP_SECRET, body, "hex")}`, ...headers },
        body,
      });
    const statuses = [await post({}), await post({ [HEADER]: "client.webhooks.fbclientcerts.com" })];
    expect(statuses.map(({ status }) => status)).toEqual([403, 200]);
  });
});
