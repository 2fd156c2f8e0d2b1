import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createGatewayApi } from "../../src/apis/gateway/api.ts";
import { createPlatformApi } from "../../src/apis/platform/api.ts";
import type { Asked } from "../../src/apis/shared/api-env.ts";
import { createBodyIntake } from "../../src/apis/shared/http/body-intake.ts";
import { noteOriginal, standIn } from "../../src/apis/shared/http/request.ts";
import { createForwarding } from "../../src/forwarding.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { suspend } from "../support/customers/customer.ts";
import { customer } from "../support/tenants/platform.ts";
import { useWorld } from "../support/use-world.ts";

// Which requests another node is asked for: those of whom we know who they are, and no others.

const ID = "0192a3b4-c5d6-4e7f-8a9b-0c1d2e3f4a5b";
const w = useWorld();
let asked: Asked[] = [];
let answer: () => Response;
let apis: Record<"gateway" | "platform", (request: Request) => Promise<Response>>;
beforeAll(async () => {
  const elsewhere = async (one: Asked) => {
    asked.push(one);
    return answer();
  };
  const env = { ...w.app.env, elsewhere };
  const [gateway, platform] = [
    createGatewayApi(env, { prefix: "", url: () => "http://localhost" }),
    createPlatformApi(env, { prefix: "", url: () => "http://localhost" }),
  ];
  apis = {
    gateway: async (request) => gateway.app.handle(request),
    platform: async (request) => platform.app.handle(request),
  };
});
beforeEach(() => {
  asked = [];
  answer = () =>
    Response.json(
      { from: "the other node" },
      { headers: { "x-request-id": "the-same", "x-ratelimit-remaining": "7" } },
    );
});

const ask = async (api: "gateway" | "platform", path: string, headers: Record<string, string>, method = "POST") => {
  const response = await apis[api](new Request(`http://localhost${path}`, { method, headers }));
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
};
const RECONNECT = `/v1/phones/${ID}/reconnect`;
const CONNECT = `/v1/channels/${ID}/connect`;

test("what a body says of its channel is read as its sender's, who is known: the shares of strangers are not for it", async () => {
  const intake = createBodyIntake({ budgetBytes: 1024 * 1024, timeoutMs: 1000 }, w.app.env.clock);
  const { elsewhere } = createForwarding({
    holderOf: async () => undefined,
    ask: w.app.env.http.trusted,
    secrets: w.app.env.secrets,
    intake,
    log: w.app.env.log,
  });
  const body = JSON.stringify({ channelId: ID, padding: "x".repeat(512 * 1024) });
  const request = new Request("http://localhost/v1/bulk/validate", {
    method: "POST",
    body,
    headers: { "content-length": String(body.length) },
  });
  intake.trust(request);
  expect(
    await elsewhere({ request, requestId: "1", link: { channelId: undefined, isRequired: false } }),
  ).toBeUndefined();
  expect([intake.bytes, await request.text()]).toEqual([0, body]);
});

test("what came through a door of the console goes through that door on the other node, with the session", async () => {
  const intake = createBodyIntake({ budgetBytes: 1024 * 1024, timeoutMs: 1000 }, w.app.env.clock);
  const sent: { url: string; headers: Record<string, string>; body?: unknown }[] = [];
  const { elsewhere, within } = createForwarding({
    holderOf: async () => ({ url: "http://other.example:8080" }),
    ask: async (request) => {
      sent.push(request as (typeof sent)[number]);
      return { ok: false, failure: "connect", message: "", mayHaveArrived: false, durationMs: 0 };
    },
    secrets: w.app.env.secrets,
    intake,
    log: w.app.env.log,
  });
  const given = `http://localhost/console/gateway/v1/phones/${ID}/reconnect`;
  const headers = { cookie: "recado=the-session", "x-recado-console": "1", origin: "http://localhost" };
  const original = new Request(given, { method: "POST", headers });
  const inner = new Request(`http://localhost/gateway/v1/phones/${ID}/reconnect`, { method: "POST", body: "{}" });
  noteOriginal(inner, original);
  const link = { channelId: ID, isRequired: true };
  expect(elsewhere({ request: inner, requestId: "1", link })).rejects.toThrow("does not answer");
  const [one] = sent;
  expect(one?.url).toBe(`http://other.example:8080/console/gateway/v1/phones/${ID}/reconnect`);
  expect(one?.headers).toMatchObject({ ...headers, "x-recado-url": given });
  expect(Buffer.from(one?.body as Uint8Array).toString()).toBe("{}");
  // there it is not forwarded again, although another request stands in for it behind the door
  let again: Response | undefined;
  await within(async (request) => {
    const behind = standIn(new Request(inner.url, { method: "POST" }), request);
    again = await elsewhere({ request: behind, requestId: "1", link });
    return new Response();
  })(new Request("http://localhost/", { method: "POST", headers: one?.headers ?? {} }));
  expect([again, sent.length]).toEqual([undefined, 1]);
});

describe("the gateway asks another node for nobody", () => {
  test.each([
    ["without a key", {}],
    ["with a key that is none", { "x-api-key": "ak_live_none" }],
    ["with a bearer", { authorization: "Bearer oapi_sk_live_x" }],
    ["with the headers of a node and no key", { "x-recado-node": "guess", "x-recado-url": "http://localhost/" }],
  ])("%s", async (_, headers) => {
    expect([(await ask("gateway", RECONNECT, headers as Record<string, string>)).status, asked]).toEqual([401, []]);
  });

  test("whose key is revoked, and whose account is suspended", async () => {
    const { id, key } = await w.account();
    expect((await ask("gateway", RECONNECT, { "x-api-key": key })).body).toEqual({ from: "the other node" });
    asked = [];
    await suspend(w, id);
    expect([(await ask("gateway", RECONNECT, { "x-api-key": key })).status, asked]).toEqual([402, []]);
    const other = await w.account();
    const [{ id: keyId }] = (await w.gateway(`/v1/admin/accounts/${other.id}/api-keys`, { admin: true })).body;
    await w.gateway(`/v1/admin/api-keys/${keyId}/revoke`, { admin: true, method: "POST" });
    expect([(await ask("gateway", RECONNECT, { "x-api-key": other.key })).status, asked]).toEqual([401, []]);
  });
});

describe("the platform asks another node for nobody", () => {
  test.each([
    ["without a bearer", {}],
    ["with a key that is none", { authorization: "Bearer oapi_sk_live_none" }],
    ["with a token that is none", { authorization: "Bearer a.b.c" }],
    ["with an API key of the gateway", { "x-api-key": "ak_live_none" }],
  ])("%s", async (_, headers) => {
    expect([(await ask("platform", CONNECT, headers as Record<string, string>)).status, asked]).toEqual([401, []]);
  });
});

test("an authenticated sender gets the other node's answer, under one request id, and what that node says of limits", async () => {
  const { key } = await w.account();
  const who = await customer(w);
  for (const [api, path, headers] of [
    ["gateway", RECONNECT, { "x-api-key": key }],
    ["platform", CONNECT, { authorization: `Bearer ${who.key}` }],
  ] as const) {
    asked = [];
    const { status, headers: received, body } = await ask(api, path, { ...headers, "x-request-id": "the-same" });
    expect([status, body, asked.map((one) => [one.link, one.requestId]), received.get("x-request-id")]).toEqual([
      200,
      { from: "the other node" },
      [[{ channelId: ID, isRequired: true }, "the-same"]],
      "the-same",
    ]);
    if (api === "platform") expect(received.get("x-ratelimit-remaining")).toBe("7");
  }
});

test("a node that does not answer is an error in each API's own words", async () => {
  const { key } = await w.account();
  const who = await customer(w);
  answer = () => {
    throw new AppError("OVERLOADED", {
      message: "The node that has this channel does not answer.",
      retryAfterSeconds: 5,
    });
  };
  const gateway = await ask("gateway", RECONNECT, { "x-api-key": key });
  expect([gateway.status, gateway.headers.get("retry-after"), gateway.body.error.message]).toEqual([
    503,
    "5",
    "The node that has this phone does not answer.",
  ]);
  const platform = await ask("platform", CONNECT, { authorization: `Bearer ${who.key}` });
  expect([platform.status, platform.headers.get("retry-after"), platform.body.message]).toEqual([
    503,
    "5",
    "The node that has this channel does not answer.",
  ]);
});
